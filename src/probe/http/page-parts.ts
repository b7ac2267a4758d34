import { html } from 'hono/html';
import type { Health } from '../view.ts';

export type Html = ReturnType<typeof html>;

export type PageOptions = {
  /** Without addresses and texts of responses. */
  readonly public: boolean;
};

export const WORDS: Readonly<Record<Health, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  unknown: 'Unknown',
  maintenance: 'In maintenance',
};

export const percent = (part: number | undefined, digits = 2): string =>
  part === undefined ? 'no verdict yet' : `${(Math.floor(part * 100 * 10 ** digits) / 10 ** digits).toFixed(digits)} %`;

export const moment = (milliseconds: number): Html =>
  html`<time>${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;

export const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** `3 min`, `2 h 5 min`: how long something has lasted. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return `${Math.floor(Math.max(0, milliseconds) / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} days`;
}
