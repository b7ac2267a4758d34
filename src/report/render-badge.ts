import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import { headline } from './headline.ts';
import { html } from './html/page.ts';
import { targetName } from './render-oneline.ts';
import { columnCounts } from './tally.ts';
import { count } from './text.ts';

const LABEL = 'Pet Store Interface';
/** White text on each has a contrast of at least 4.5. */
const COLORS = { good: '#1a7f37', bad: '#cf222e', unsure: '#57606a' } as const;
const CHARACTER = 7;
const MARGIN = 14;

type Shown = { readonly text: string; readonly color: string };

/** No part of a run says that a service conforms, and none hides what is waived. */
function badgeOf(record: RunRecord): Shown {
  const { failed, waived } = columnCounts(record.clauses, record.options);
  const { exitCode } = record.conclusion;
  if (exitCode === EXIT_CODES.broken)
    return { text: failed === 0 ? 'not conformant' : `not conformant: ${failed} broken`, color: COLORS.bad };
  if (exitCode !== EXIT_CODES.conformant) return { text: 'not judged', color: COLORS.unsure };
  const { only, skip, readOnly } = record.options;
  if (readOnly || only.length + skip.length > 0) return { text: 'conformant where judged', color: COLORS.unsure };
  return { text: waived === 0 ? 'conformant' : `conformant but for ${count(waived, 'waiver')}`, color: COLORS.good };
}

/** A picture for a README, without scripts, fonts, or links: the verdict; the headline, target, day, and version are its title. */
export function renderBadge(record: RunRecord): string {
  const { text, color } = badgeOf(record);
  const left = LABEL.length * CHARACTER + MARGIN;
  const right = text.length * CHARACTER + MARGIN;
  const title = `${headline(record)} · ${targetName(record)} · ${record.startedAt.slice(0, 10)} · petstore-conformance ${record.tool.version}`;
  return `${html`<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${text}"><title>${title}</title><rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${color}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14" textLength="${left - MARGIN}">${LABEL}</text><text x="${left + right / 2}" y="14" textLength="${right - MARGIN}">${text}</text></g></svg>`}\n`;
}
