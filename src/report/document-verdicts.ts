// The interface document with the verdicts of a run: what HTML and Markdown show of each sentence.

import { isBinding } from '../clause/clause.ts';
import { isOwnClause } from '../clause/clause-ids.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { SENTENCES, type Sentence } from '../clause/interface-document.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { type BrokenClause, brokenClauses, describeBroken, waivedClauses } from './broken-clauses.ts';
import { type Status, shownStatusOf } from './html/status.ts';
import { clausesInOrder, undecidedText } from './tally.ts';
import { count, oneLine } from './text.ts';

/** A clause at a sentence. */
export type ClauseAtSentence = {
  readonly id: string;
  readonly status: Status | 'not-selected';
  /** The finding, what was missing, what was observed, or the reason of a waiver; empty if there is nothing to say. */
  readonly note: string;
};

/** Clauses about which nothing but their status is said. */
export type PlainClauses = { readonly status: ClauseAtSentence['status']; readonly clauses: readonly ClauseAtSentence[] };

/** The verdict on a sentence; `undecided`: nothing is broken, and a clause that decides it has no verdict. */
export type SentenceVerdict = Exclude<Status, 'inconclusive'> | 'undecided' | 'nothing-to-judge';

export type JudgedSentence = {
  readonly sentence: Sentence;
  readonly verdict: SentenceVerdict;
  /** The clauses about which there is something to say; those that are broken first. */
  readonly telling: readonly ClauseAtSentence[];
  readonly plain: readonly PlainClauses[];
};

/** The verdicts in the order in which they are counted. */
export const SENTENCE_VERDICTS = [
  'passed',
  'failed',
  'warning',
  'waived',
  'observed',
  'not-applicable',
  'undecided',
  'nothing-to-judge',
] as const satisfies readonly SentenceVerdict[];

const WORDS: Readonly<Record<SentenceVerdict, string>> = {
  passed: 'passed',
  failed: 'failed',
  warning: 'warning',
  waived: 'waived',
  observed: 'observed',
  'not-applicable': 'not applicable',
  undecided: 'undecided',
  'nothing-to-judge': 'nothing to judge',
};

/** The word of a verdict, after a number of sentences if there is one. */
export function verdictWord(verdict: SentenceVerdict, amount = 1): string {
  return verdict === 'warning' && amount !== 1 ? 'warnings' : WORDS[verdict];
}

/** What decides about a sentence, the clauses of the first kind that it has: those that bind, those that advise, open ones. */
const DECIDING_LEVELS: readonly ((clause: Pick<ClauseRecord, 'level'>) => boolean)[] = [
  isBinding,
  ({ level }) => level === 'advised',
  ({ level }) => level === 'open',
];

/** One broken clause breaks a sentence; it passes if no clause that decides about it is undecided. */
function verdictOf(clauses: readonly (ClauseRecord | undefined)[], options: RunRecord['options']): SentenceVerdict {
  const known = clauses.filter((clause) => clause !== undefined);
  const statuses = known.map((clause) => shownStatusOf(clause, options));
  const broken = (['failed', 'warning', 'waived'] as const).find((status) => statuses.includes(status));
  if (broken !== undefined) return broken;
  if (known.length < clauses.length) return 'undecided';
  const decides = DECIDING_LEVELS.find((isKind) => known.some(isKind));
  const decisive = new Set(known.filter((clause) => decides?.(clause) === true).map((clause) => shownStatusOf(clause, options)));
  if (decisive.has('inconclusive')) return 'undecided';
  return (['passed', 'observed'] as const).find((status) => decisive.has(status)) ?? 'not-applicable';
}

const MOST_OBSERVATIONS = 3;

function observationsText({ observations }: ClauseRecord): string {
  const all = observations.map(({ question, answer }) => `${question}: ${answer}`);
  const texts = [...new Set(all)];
  const hidden = texts.length - MOST_OBSERVATIONS;
  return [
    ...texts.slice(0, MOST_OBSERVATIONS).map((text) => oneLine(text, 120)),
    ...(hidden > 0 ? [`and ${count(hidden, 'more answer')}`] : []),
  ].join(' · ');
}

/** Why a clause that is not broken has its verdict. */
function reasonOf(clause: ClauseRecord): string {
  const { verdict, note, blockedBy } = clause;
  switch (verdict) {
    case 'pass':
      return undecidedText(clause);
    case 'observed':
      return observationsText(clause);
    case 'inconclusive':
      return blockedBy === undefined ? oneLine(note, 300) : `waits for ${oneLine(blockedBy, 120)}`;
    case 'not-applicable':
    case 'waived':
    case 'fail':
      return oneLine(note, 300);
    default:
      return verdict satisfies never;
  }
}

/** What is read first, first. */
const ORDER_OF_STATUSES: readonly ClauseAtSentence['status'][] = [
  'failed',
  'warning',
  'waived',
  'inconclusive',
  'not-selected',
  'passed',
  'observed',
  'not-applicable',
];

function sorted(clauses: readonly ClauseAtSentence[]): Pick<JudgedSentence, 'telling' | 'plain'> {
  const byUrgency = (one: { readonly status: ClauseAtSentence['status'] }): number => ORDER_OF_STATUSES.indexOf(one.status);
  const plain = Map.groupBy(
    clauses.filter(({ note }) => note === ''),
    ({ status }) => status,
  );
  return {
    telling: clauses.filter(({ note }) => note !== '').toSorted((left, right) => byUrgency(left) - byUrgency(right)),
    plain: [...plain].map(([status, group]) => ({ status, clauses: group })).toSorted((left, right) => byUrgency(left) - byUrgency(right)),
  };
}

/** Every sentence of the document with its verdict, by its id. */
export function judgeSentences(record: RunRecord): ReadonlyMap<string, JudgedSentence> {
  const clauses = new Map<string, ClauseRecord>(record.clauses.map((clause) => [clause.id, clause]));
  const broken = new Map<string, BrokenClause>([...brokenClauses(record), ...waivedClauses(record)].map((one) => [one.clause.id, one]));
  const shown = new Map<string, ClauseAtSentence>(
    clausesInOrder(record).map((clause) => {
      const found = clause.verdict === 'fail' ? broken.get(clause.id) : undefined;
      const note = found === undefined ? reasonOf(clause) : describeBroken(found);
      return [clause.id, { id: clause.id, status: shownStatusOf(clause, record.options), note: oneLine(note, 400) }];
    }),
  );
  const judge = (sentence: Sentence): JudgedSentence => {
    if (!('clauses' in sentence)) return { sentence, verdict: 'nothing-to-judge', telling: [], plain: [] };
    const found = sentence.clauses.map((id) => clauses.get(id));
    const all = sentence.clauses.map((id) => shown.get(id) ?? { id, status: 'not-selected' as const, note: '' });
    return { sentence, verdict: verdictOf(found, record.options), ...sorted(all) };
  };
  return new Map(SENTENCES.map((sentence) => [sentence.id, judge(sentence)]));
}

export type ClauseWithStatus = ClauseAtSentence & { readonly status: Status };

const MOST_OWN = 20;

/** The broken clauses from outside this package, which judge no sentence of the document. */
export function brokenOwnClauses(record: RunRecord): readonly ClauseWithStatus[] {
  return brokenClauses(record)
    .filter(({ clause }) => isOwnClause(clause.id))
    .slice(0, MOST_OWN)
    .map((one) => ({
      id: oneLine(one.clause.id, 120),
      status: shownStatusOf(one.clause, record.options),
      note: oneLine(describeBroken(one), 400),
    }));
}

/** `77 sentences: 63 judged, 0 undecided, 14 with nothing to judge`, and how many have each verdict. */
export type SentenceCounts = { readonly all: number; readonly judged: number; readonly by: Readonly<Record<SentenceVerdict, number>> };

export function countSentences(sentences: Iterable<JudgedSentence>): SentenceCounts {
  const by: Record<SentenceVerdict, number> = {
    ...{ passed: 0, failed: 0, warning: 0, waived: 0, observed: 0, 'not-applicable': 0 },
    ...{ undecided: 0, 'nothing-to-judge': 0 },
  };
  for (const { verdict } of sentences) by[verdict] += 1;
  const all = SENTENCE_VERDICTS.reduce((sum, verdict) => sum + by[verdict], 0);
  return { all, judged: all - by.undecided - by['nothing-to-judge'], by };
}
