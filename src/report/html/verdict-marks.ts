import type { Verdict } from '../../clause/outcome.ts';
import { html, type Markup } from './markup.ts';

/** A sign for each verdict, so that no reader depends on colours. */
export const MARKS: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  inconclusive: '?',
  'not-applicable': '–',
  observed: '·',
  waived: '~',
};

/** The sign, read aloud as the word. */
export function markView(verdict: Verdict): Markup {
  return html`<span class="mark ${verdict}" role="img" aria-label="${verdict}">${MARKS[verdict]}</span>`;
}
