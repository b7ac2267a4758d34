import type { Invariant } from '../clause/clause.ts';
import type { CheckRecord, ReportedCase, ReportedFinding } from '../clause/run-record.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Knowledge } from '../session/state/run-state.ts';
import type { Exchange } from '../wire/exchange.ts';
import { InternalError, MOST_FINDINGS, reportCase, reportFinding, type SessionClause } from './judge-check.ts';

type Tally = {
  readonly clause: SessionClause;
  readonly invariant: Invariant<Knowledge>;
  judged: number;
  broken: number;
  /** Counter-examples, each with its kind: those of different kinds tell more than twenty of one. */
  readonly examples: { readonly kind: string; readonly finding: ReportedFinding }[];
  readonly cases: ReportedCase[];
  broke: InternalError | undefined;
};

export type InvariantJudge = {
  /** The verdicts on all invariants over every exchange so far. Throws InternalError when one of them broke in our own code. */
  settle(): readonly CheckRecord[];
  /** As `settle`, but an invariant that broke in our own code takes no other with it. */
  settleEach(): readonly (CheckRecord | InternalError)[];
};

/** Which operation and answer are wrong, and where. */
function kindOf({ pointer = '' }: { readonly pointer?: string }, { request, outcome }: Exchange): string {
  const status = outcome.kind === 'answered' ? outcome.answer.status : outcome.failure.reason;
  return `${request.intent.operation} ${status} ${pointer.replace(/\d+/g, '')}`;
}

/** One example of each kind before the second of any, so that whoever shows a few shows different ones. */
function firstOfEachKind<Example extends { readonly kind: string }>(examples: readonly Example[]): readonly Example[] {
  const first = examples.filter(({ kind }, index) => examples.findIndex((other) => other.kind === kind) === index);
  return [...first, ...examples.filter((example) => !first.includes(example))];
}

function recordOf(tally: Tally, credible: boolean): CheckRecord {
  const { clause, invariant, judged, broken, cases } = tally;
  const findings = firstOfEachKind(tally.examples).map(({ finding }) => finding);
  const base = { id: invariant.id, clause: clause.id, kind: 'invariant', title: invariant.title, observations: [], duration: 0 } as const;
  const evidence = { judged, broken };
  const [first] = findings;
  if (first !== undefined) {
    const note = broken === 1 ? first.summary : `${first.summary} (${broken} of ${judged} exchanges)`;
    return { ...base, verdict: 'fail', note, findings, cases, evidence };
  }
  if (!credible)
    return {
      ...base,
      verdict: 'inconclusive',
      why: 'circumstance',
      note: 'no response showed a valid animal, so nothing shows that this is a pet store',
      findings: [],
      evidence,
    };
  if (judged === 0) return { ...base, verdict: 'not-applicable', note: 'no exchange to which it applies', findings: [], evidence };
  return { ...base, verdict: 'pass', note: `${judged} exchanges judged, none of which breaks it`, findings: [], evidence };
}

/**
 * Judges every exchange of the session from now on, until the run is interrupted: what is cut off then is not the service's doing.
 * The exchanges themselves are not kept.
 */
export function createInvariantJudge(open: OpenSession, clauses: readonly SessionClause[], stop?: AbortSignal): InvariantJudge {
  const tallies: Tally[] = clauses.flatMap((clause) =>
    clause.invariants.map((invariant) => ({ clause, invariant, judged: 0, broken: 0, examples: [], cases: [], broke: undefined })),
  );

  function judge(tally: Tally, exchange: Exchange): void {
    const { clause, invariant, examples, cases } = tally;
    const judgement = invariant.judge(exchange, open.session.knowledge);
    if (judgement === 'not-applicable') return;
    tally.judged += 1;
    if (judgement === 'holds') return;
    if (clause.level === 'open') throw new Error(`it fails a question that the document leaves open: ${judgement.summary}`);
    tally.broken += 1;
    const finding = { ...judgement, exchanges: [exchange] };
    cases.push(reportCase(open, finding));
    const kind = kindOf(judgement, exchange);
    const known = examples.some((example) => example.kind === kind);
    const repeated = examples.findLastIndex((example, index) => examples.some((other, at) => at < index && other.kind === example.kind));
    if (examples.length >= MOST_FINDINGS && (known || repeated === -1)) return;
    if (examples.length >= MOST_FINDINGS) examples.splice(repeated, 1);
    examples.push({ kind, finding: reportFinding(open, finding) });
  }

  open.recorder.onExchange((exchange) => {
    if (stop?.aborted === true) return;
    for (const tally of tallies) {
      try {
        judge(tally, exchange);
      } catch (cause) {
        tally.broke ??= new InternalError(`${tally.invariant.id} broke in our own code; this is a defect of the suite`, { cause });
      }
    }
  });

  const settleEach = (): (CheckRecord | InternalError)[] =>
    tallies.map((tally) => tally.broke ?? recordOf(tally, open.session.knowledge.credible));
  return {
    settleEach,
    settle: () =>
      settleEach().map((settled) => {
        if (settled instanceof InternalError) throw settled;
        return settled;
      }),
  };
}
