import type { CatalogClauseId, CheckId, ClauseId, Level } from '../../src/clause/clause.ts';
import type { ClauseRecord, MustRecord } from '../../src/clause/clause-record.ts';
import type { Verdict } from '../../src/clause/outcome.ts';
import { joinParts, type PartRecord } from '../../src/clause/part-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { clauseVerdict } from '../../src/judge/must-counts.ts';

/** The record of a situation of an invented clause, `clause.id/name`. */
export function sampleRecord(id: string, verdict: Verdict): PartRecord {
  return {
    id: id as CheckId,
    clause: id.split('/')[0] as CatalogClauseId,
    kind: 'check',
    title: `${id.split('/')[1]} holds`,
    verdict,
    note: 'a note',
    findings: verdict === 'fail' ? [{ summary: 'broken', expected: ['200'], received: '500', exchanges: [] }] : [],
    observations: [],
  };
}

/** The records of the clauses of these situations, in the order of their first ones; required unless a level is given. */
export function sampleClauses(parts: readonly PartRecord[], levels: Readonly<Record<string, Level>> = {}): readonly ClauseRecord[] {
  return [...Map.groupBy(parts, ({ clause }) => clause)].map(([id, own]) =>
    joinParts(
      {
        ...{ id, chapter: 'list-pets', section: 'List animals', quote: ['Clients list animals'], requirement: `what ${id} demands` },
        ...{ level: levels[id] ?? 'required', derivation: 'none', likelyCause: 'none' },
        verdict: clauseVerdict(own.map(({ verdict }) => verdict)),
      },
      own,
    ),
  );
}

/** The situations of the clauses of a run, each with its clause. */
export function situationsOf({ clauses }: Pick<RunRecord, 'clauses'>): readonly (MustRecord & { readonly clause: ClauseId })[] {
  return clauses.flatMap(({ id, musts }) => musts.map((must) => ({ ...must, clause: id })));
}
