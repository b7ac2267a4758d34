import type { ClauseId } from '../clause/clause.ts';
import type { CheckRecord, ReportedCase, ReportedFinding } from '../clause/run-record.ts';
import type { SessionClause } from '../oracle/rule.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { RunState } from '../session/state/run-state.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { AskAgain } from './ask-again.ts';
import { failureNote, InternalError, kindOf, MOST_FINDINGS, reportCase, reportFinding } from './judge-check.ts';

type Invariant = Extract<SessionClause['invariants'][number], { readonly judge: unknown }>;

type Example = { readonly kind: string; readonly finding: ReportedFinding };

/** Counter-examples that count together or not at all: those about values that earlier runs left in the store may not count. */
type Counterexamples = {
  readonly leftBy: readonly ClauseId[] | undefined;
  broken: number;
  /** Each with its kind: those of different kinds tell more than twenty of one. */
  readonly examples: Example[];
  readonly cases: ReportedCase[];
};

type Tally = {
  readonly clause: SessionClause;
  readonly invariant: Invariant;
  judged: number;
  /** By the clauses that forbid what earlier runs left; the empty text for what counts in any case. */
  readonly found: Map<string, Counterexamples>;
  broke: InternalError | undefined;
  /** Whether the first break was gone when its request was sent once more; undefined until one was. */
  gone: Promise<boolean> | undefined;
  flaky: boolean;
};

export type InvariantJudge = {
  /** The verdicts on all invariants over every exchange so far; an invariant that broke in our own code takes no other with it. */
  settle(): readonly (CheckRecord | InternalError)[];
  /** Resolves once every break that was asked for again has its answer. */
  asked(): Promise<void>;
};

/** What of a session is judged. */
type Judged = Pick<OpenSession, 'recorder' | 'redact' | 'redactText'> & { readonly session: Pick<OpenSession['session'], 'knowledge'> };

/** One example of each kind before the second of any, so that whoever shows a few shows different ones. */
function firstOfEachKind<Example extends { readonly kind: string }>(examples: readonly Example[]): readonly Example[] {
  const first = examples.filter(({ kind }, index) => examples.findIndex((other) => other.kind === kind) === index);
  return [...first, ...examples.filter((example) => !first.includes(example))];
}

/** Adds a counter-example; of many, those of a new kind take the place of those of a known one. */
function addExample(examples: Example[], { kind, finding }: { readonly kind: string; readonly finding: () => ReportedFinding }): void {
  const known = examples.some((example) => example.kind === kind);
  const repeated = examples.findLastIndex((example, index) => examples.some((other, at) => at < index && other.kind === example.kind));
  if (examples.length >= MOST_FINDINGS && (known || repeated === -1)) return;
  if (examples.length >= MOST_FINDINGS) examples.splice(repeated, 1);
  examples.push({ kind, finding: finding() });
}

/** What an invariant says that nothing breaks. */
export function passNote(judged: number): string {
  return `${judged} exchanges judged, none of which breaks it`;
}

function recordOf(tally: Tally, { credible, leftovers }: RunState): CheckRecord {
  const { clause, invariant, judged } = tally;
  const counted = [...tally.found.values()].filter(({ leftBy }) => leftBy === undefined || !leftovers.areOld(leftBy));
  const broken = counted.reduce((sum, one) => sum + one.broken, 0);
  const cases = counted.flatMap((one) => one.cases);
  const findings = firstOfEachKind(counted.flatMap(({ examples }) => examples))
    .slice(0, MOST_FINDINGS)
    .map(({ finding }) => finding);
  const base = { id: invariant.id, clause: clause.id, kind: 'invariant', title: invariant.title, observations: [], duration: 0 } as const;
  const evidence = { judged, broken };
  const [first] = findings;
  if (first !== undefined) {
    return {
      ...base,
      verdict: 'fail',
      note: failureNote(first.summary, evidence),
      ...(tally.flaky ? { flaky: true } : {}),
      findings,
      cases,
      evidence,
    };
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
  return { ...base, verdict: 'pass', note: passNote(judged), findings: [], evidence };
}

/**
 * Judges every exchange of the session from now on, until the run is interrupted: what is cut off then is not the service's doing.
 * The exchanges themselves are not kept.
 */
export function createInvariantJudge(
  open: Judged,
  clauses: readonly SessionClause[],
  { stop, again }: { readonly stop?: AbortSignal | undefined; readonly again?: AskAgain | undefined } = {},
): InvariantJudge {
  const tallies: Tally[] = clauses.flatMap((clause) =>
    clause.invariants.flatMap((invariant) =>
      invariant.judge === undefined
        ? []
        : [{ ...{ clause, invariant, judged: 0, found: new Map() }, ...{ broke: undefined, gone: undefined, flaky: false } }],
    ),
  );

  /** Whether the response of the second time breaks nothing where the first did. */
  async function isGone({ clause, invariant }: Tally, exchange: Exchange): Promise<boolean> {
    const second = await again?.ask(clause.id, exchange);
    // What applies to a wrong response alone has nothing to say of a right one.
    return second !== undefined && typeof invariant.judge(second, open.session.knowledge) === 'string';
  }

  function judge(tally: Tally, exchange: Exchange): void {
    const { clause, invariant } = tally;
    const judgement = invariant.judge(exchange, open.session.knowledge);
    if (judgement === 'not-applicable') return;
    tally.judged += 1;
    if (judgement === 'holds') return;
    if (clause.level === 'open') throw new Error(`it fails a question that the document leaves open: ${judgement.summary}`);
    const { leftBy, ...parts } = judgement;
    const key = leftBy?.toSorted().join() ?? '';
    const counterexamples = tally.found.get(key) ?? { leftBy, broken: 0, examples: [], cases: [] };
    tally.found.set(key, counterexamples);
    counterexamples.broken += 1;
    const finding = { exchanges: [exchange], ...parts };
    counterexamples.cases.push(reportCase(open, finding));
    addExample(counterexamples.examples, {
      kind: kindOf({ ...parts, exchanges: [exchange] }),
      finding: () => reportFinding(open, finding),
    });
    // What an earlier run left is no more gone the second time than the first.
    if (leftBy !== undefined || tally.gone !== undefined) return;
    tally.gone = isGone(tally, exchange);
    // Whoever waits for it hears of an error; until then nobody does.
    tally.gone.catch(() => undefined);
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

  return {
    async asked() {
      for (const tally of tallies) tally.flaky = (await tally.gone) ?? false;
    },
    settle: () => tallies.map((tally) => tally.broke ?? recordOf(tally, open.session.knowledge)),
  };
}
