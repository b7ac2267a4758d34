import { html } from 'hono/html';
import type { Health } from '../view.ts';

const COLORS: Readonly<Record<Health, string>> = {
  up: '#1a7f37',
  degraded: '#9a6700',
  down: '#cf222e',
  unknown: '#57606a',
  maintenance: '#0969da',
};
const CHARACTER = 7;

/** A badge as in READMEs: name and health, as one SVG without scripts, fonts, or links. */
export function badge(name: string, health: Health): string {
  const left = name.length * CHARACTER + 14;
  const right = health.length * CHARACTER + 14;
  const width = left + right;
  const label = `${name}: ${health}`;
  return String(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}"><title>${label}</title><rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[health]}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14" textLength="${left - 14}">${name}</text><text x="${left + right / 2}" y="14" textLength="${right - 14}">${health}</text></g></svg>`,
  );
}
