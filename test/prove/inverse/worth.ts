import { readFileSync, writeFileSync } from 'node:fs';
import type { Shown } from '../recorded/judge-recorded.ts';
import { percentile } from '../tables.ts';

/** The value of a stimulus's requests. */
export type Worth = {
  readonly stimulus: string;
  /** Requests that it sends to a conforming server, the median. */
  readonly requests: number;
  /** How many faults its requests show. */
  readonly shows: number;
  /** Faults that no other stimulus shows. */
  readonly only: readonly string[];
};

const MEDIAN = 0.5;

/** The requests of each stimulus to conforming servers, by its id. */
function requestsOf(conforming: readonly Shown[]): ReadonlyMap<string, number> {
  const stimuli = new Set(conforming.flatMap(({ requests }) => Object.keys(requests)));
  const counts = (stimulus: string): readonly number[] => conforming.map(({ requests }) => requests[stimulus] ?? 0);
  return new Map([...stimuli].map((stimulus) => [stimulus, percentile(counts(stimulus), MEDIAN)]));
}

/** The value of each stimulus, beginning with those that most faults need. `without`: as if these were not sent. */
export function worthOf(
  { faults, conforming }: { readonly faults: readonly Shown[]; readonly conforming: readonly Shown[] },
  without: ReadonlySet<string> = new Set(),
): readonly Worth[] {
  const left = faults.map(({ name, stimuli }) => ({ name, stimuli: stimuli.filter((one) => !without.has(one)) }));
  const all = [...requestsOf(conforming)].filter(([stimulus]) => !without.has(stimulus));
  const rows = all.map(([stimulus, requests]): Worth => {
    const shown = left.filter(({ stimuli }) => stimuli.includes(stimulus));
    const only = shown.filter(({ stimuli }) => stimuli.length === 1).map(({ name }) => name);
    return { stimulus, requests, shows: shown.length, only: only.sort() };
  });
  return rows.toSorted((a, b) => b.only.length - a.only.length || b.shows - a.shows || (a.stimulus < b.stimulus ? -1 : 1));
}

/**
 * The stimuli that could be left out without losing a fault, in order: the one that shows least is removed first, one at a time, and then
 * the value of the others is computed again.
 */
export function costsNothing(shown: { readonly faults: readonly Shown[]; readonly conforming: readonly Shown[] }): readonly Worth[] {
  const gone: Worth[] = [];
  for (;;) {
    const free = worthOf(shown, new Set(gone.map(({ stimulus }) => stimulus))).filter(({ only }) => only.length === 0);
    const least = free.toSorted((a, b) => a.shows - b.shows || b.requests - a.requests)[0];
    if (least === undefined) return gone;
    gone.push(least);
  }
}

/** One line for each stimulus, beginning with those that most faults need. */
const FILE = new URL('./worth.jsonl', import.meta.url);

/** Stores the table in git. */
export function keepWorth(worth: readonly Worth[]): void {
  writeFileSync(FILE, worth.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

/** The table stored in git. */
export function readWorth(): readonly Worth[] {
  const lines = readFileSync(FILE, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Worth);
}
