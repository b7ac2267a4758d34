// What clauses from outside send.

import { type OwnClause, OwnClauseError } from '../../src/oracle/own.ts';
import type { Entry } from '../../src/plan/row.ts';
import { placeOfKey, readRaw } from '../../src/session/raw.ts';
import type { ComposeContext, Vector } from '../../src/session/vector.ts';
import { messageOf } from '../../src/wire/wording.ts';
import { compose } from '../tables/tables.ts';

/** The entries of the suite and theirs. Where only they are selected, their rules judge what clauses about all responses take. */
export function withOwn(entries: readonly Entry[], own: readonly OwnClause[]): readonly Entry[] {
  const ids = own.map(({ id }) => id);
  const isOfAll = ({ isSelectedOnly, for: all = [] }: Entry): boolean => isSelectedOnly === true && all.includes('errors.answers');
  return [
    ...entries.map((entry) => (isOfAll(entry) ? { ...entry, for: [...(entry.for ?? []), ...ids] } : entry)),
    ...own.flatMap(({ id, rows }): readonly Entry[] =>
      rows.length === 0 ? [] : [{ phase: 'requests of your own clauses', for: [id], rows, least: rows.length }],
    ),
  ];
}

const SAMPLE: Omit<ComposeContext, 'apiKey'> = { seed: 1, rowNumber: 1, runTag: 'share', categoryId: 1n, knownIds: [1n], cookies: [] };

function problemOf(row: Vector, apiKey: string): string | undefined {
  const place = row.raw === undefined ? undefined : placeOfKey(readRaw(row.raw), apiKey);
  if (place !== undefined) return `has the API key ${place}: the suite sends it, in Authorization only`;
  try {
    compose(row, { ...SAMPLE, apiKey });
    return undefined;
  } catch (error) {
    return `can't be sent: ${messageOf(error)}`;
  }
}

/** Throws OwnClauseError where a row can't be sent to a service with this API key. */
export function checkRows(own: readonly OwnClause[], apiKey: string): void {
  for (const { id, rows } of own) {
    for (const [index, row] of rows.entries()) {
      const problem = problemOf(row, apiKey);
      if (problem !== undefined) throw new OwnClauseError(`${id}: row ${index + 1} ${problem}`);
    }
  }
}
