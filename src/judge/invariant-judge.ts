import type { Invariant } from '../clause/clause.ts';
import type { CheckRecord, ReportedFinding } from '../clause/run-record.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Knowledge } from '../session/knowledge.ts';
import type { OpenSession } from '../session/open-session.ts';
import { InternalError, reportFinding, type SessionClause } from './judge-check.ts';

const MOST_COUNTER_EXAMPLES = 3;

type Tally = {
  readonly clause: SessionClause;
  readonly invariant: Invariant<Knowledge>;
  judged: number;
  broken: number;
  readonly findings: ReportedFinding[];
};

export type InvariantJudge = {
  /** The verdicts on all invariants over every exchange so far. Throws InternalError when one of them broke in our own code. */
  settle(): readonly CheckRecord[];
};

function recordOf(tally: Tally, credible: boolean): CheckRecord {
  const { clause, invariant, judged, broken, findings } = tally;
  const base = { id: invariant.id, clause: clause.id, kind: 'invariant', title: invariant.title, observations: [], duration: 0 } as const;
  const evidence = { judged, broken };
  const [first] = findings;
  if (first !== undefined) {
    const note = broken === 1 ? first.summary : `${first.summary} (${broken} of ${judged} exchanges)`;
    return { ...base, verdict: 'fail', note, findings, evidence };
  }
  if (judged === 0) return { ...base, verdict: 'inconclusive', note: 'no exchange that it applies to', findings: [], evidence };
  if (!credible) return { ...base, verdict: 'inconclusive', note: 'no valid animal was ever seen, so that nothing proves a service', findings: [], evidence };
  return { ...base, verdict: 'pass', note: `${judged} exchanges judged, none breaks it`, findings: [], evidence };
}

/** Judges every exchange of the session from now on; exchanges themselves are not kept. */
export function createInvariantJudge(open: OpenSession, clauses: readonly SessionClause[]): InvariantJudge {
  const tallies: Tally[] = clauses.flatMap((clause) =>
    clause.invariants.map((invariant) => ({ clause, invariant, judged: 0, broken: 0, findings: [] })),
  );
  let broke: InternalError | undefined;

  function judge(tally: Tally, exchange: Exchange): void {
    const judgement = tally.invariant.judge(exchange, open.session.knowledge);
    if (judgement === 'not-applicable') return;
    tally.judged += 1;
    if (judgement === 'holds') return;
    tally.broken += 1;
    if (tally.findings.length < MOST_COUNTER_EXAMPLES) tally.findings.push(reportFinding(open, { ...judgement, exchanges: [exchange] }));
  }

  open.recorder.onExchange((exchange) => {
    for (const tally of tallies) {
      try {
        judge(tally, exchange);
      } catch (cause) {
        broke ??= new InternalError(`${tally.invariant.id} broke in our own code; this is a defect of the suite`, { cause });
      }
    }
  });

  return {
    settle() {
      if (broke !== undefined) throw broke;
      return tallies.map((tally) => recordOf(tally, open.session.knowledge.credible));
    },
  };
}
