import type { CatalogClauseId, CheckId, ClauseId, Level, ListedClause } from '../../src/clause/clause.ts';
import type { ClauseRecord, MustRecord } from '../../src/clause/clause-record.ts';
import type { Verdict } from '../../src/clause/outcome.ts';
import type { PartRecord } from '../../src/clause/part-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { clauseRecords } from '../../src/judge/clause-verdicts.ts';
import type { SessionClause } from '../../src/oracle/world.ts';
import { defineRules } from '../../suites/define.ts';

type Shape = {
  readonly level?: 'required' | 'advised' | 'open';
  readonly checks?: readonly string[];
  readonly invariants?: readonly string[];
  readonly exhaustive?: boolean;
};

/** A clause with checks and invariants of these names, none of which does anything. Its id may be invented. */
export function sampleClause(
  id: string,
  { level = 'required', checks = ['a'], invariants = [], exhaustive = false }: Shape = {},
): SessionClause {
  const common = {
    id: id as CatalogClauseId,
    chapter: 'list-pets',
    section: 'List animals',
    quote: ['Clients list animals'],
    requirement: `what ${id} demands`,
    likelyCause: 'none',
  } as const;
  const sent = checks.map((name) => ({
    ...{ id: name, title: `${name} holds`, step: 'read' as const, exhaustive },
    send: async () => undefined,
  }));
  const met = invariants.map((name) => ({ id: name, title: `${name} holds` }));
  if (level === 'open') {
    const observe = () => [];
    return defineRules({
      ...common,
      level,
      sent: sent.map((kind) => ({ ...kind, observe })),
      met: met.map((kind) => ({ ...kind, observe })),
    });
  }
  const fault = 'list-forbidden';
  return defineRules({
    ...common,
    level,
    rules: [{ layer: 'status', judge: () => 'holds' }],
    sent: sent.map((kind) => ({ ...kind, fault })),
    met: met.map((kind) => ({ ...kind, fault })),
  });
}

/** The record of a part of such a clause, `clause.id/name`. */
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

/** The records of the clauses of these parts, in the order of their first parts; required unless a level is given. */
export function sampleClauses(parts: readonly PartRecord[], levels: Readonly<Record<string, Level>> = {}): readonly ClauseRecord[] {
  const ids = [...new Set(parts.map(({ clause }) => clause))];
  const clauses = ids.map((id) => ({ ...sampleClause(id), level: levels[id] ?? 'required', derivation: 'none' }) as ListedClause);
  return clauseRecords(clauses, parts, { readOnly: false });
}

/** The situations of the clauses of a run, each with its clause. */
export function situationsOf({ clauses }: Pick<RunRecord, 'clauses'>): readonly (MustRecord & { readonly clause: ClauseId })[] {
  return clauses.flatMap(({ id, musts }) => musts.map((must) => ({ ...must, clause: id })));
}
