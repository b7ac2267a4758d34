// The status of a clause or a situation in a page: its word, and a sign for those who see no colors.

import { type JudgedItem, type Policy, runEffectOf } from '../tally.ts';
import { html, type Markup } from './page.ts';

/** What clauses are filtered by: the verdict, with breaches that only warn separate from those that fail the run. */
export const SHOWN_VERDICTS = ['failed', 'warning', 'inconclusive', 'waived', 'passed', 'observed', 'not-applicable'] as const;
export type Status = (typeof SHOWN_VERDICTS)[number];

/** A sign for each status, so that no reader depends on colors. */
const MARKS: Readonly<Record<Status, string>> = {
  failed: '✗',
  warning: '!',
  inconclusive: '?',
  waived: '~',
  passed: '✓',
  observed: '·',
  'not-applicable': '–',
};

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  failed: 'failed',
  warning: 'a warning',
  inconclusive: 'inconclusive',
  waived: 'waived',
  passed: 'passed',
  observed: 'observed',
  'not-applicable': 'not applicable',
};

export function shownStatusOf(item: JudgedItem, policy: Policy): Status {
  const { verdict } = item;
  switch (verdict) {
    case 'pass':
      return 'passed';
    case 'fail':
      return runEffectOf(item, policy) === 'fails' ? 'failed' : 'warning';
    case 'inconclusive':
    case 'not-applicable':
    case 'observed':
    case 'waived':
      return verdict;
    default:
      return verdict satisfies never;
  }
}

export function statusWord(status: Status): string {
  return STATUS_WORDS[status];
}

export function signView(status: Status): Markup {
  return html`<span aria-hidden="true">${MARKS[status]}</span>`;
}

/** The sign, which screen readers read as the word. */
export function markView(status: Status): Markup {
  return html`<span class="mark ${status}" role="img" aria-label="${STATUS_WORDS[status]}">${MARKS[status]}</span>`;
}
