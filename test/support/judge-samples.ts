import type { CatalogClauseId, CheckId } from '../../src/clause/clause.ts';
import type { Verdict } from '../../src/clause/outcome.ts';
import type { CheckRecord } from '../../src/clause/run-record.ts';
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

/** The record of a check of such a clause, `clause.id/name`. */
export function sampleRecord(id: string, verdict: Verdict): CheckRecord {
  return {
    id: id as CheckId,
    clause: id.split('/')[0] as CatalogClauseId,
    kind: 'check',
    title: 'a title',
    verdict,
    note: 'a note',
    findings: verdict === 'fail' ? [{ summary: 'broken', expected: ['200'], received: '500', exchanges: [] }] : [],
    observations: [],
    duration: 1,
  };
}
