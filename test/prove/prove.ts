import type { CheckRecord } from '../../src/clause/run-record.ts';
import type { Fault } from '../../src/reference/faults/fault.ts';
import type { Variant } from '../../src/reference/variants/variant.ts';
import { clauses } from '../../suites/index.ts';
import { judgeReference, type ReferenceRun } from './judge-reference.ts';

const FEW_ANIMALS = 7;
// A hanging fault must not make the proof long; a busy machine must not look like one.
const FAULT_TIMEOUT = 2_000;
const FAULT_WINDOW = 500;

export type Proof = {
  readonly name: string;
  /** The clause that a fault must turn red; undefined for a variant. */
  readonly expected: string | undefined;
  /** Clauses of required and implied level that are red, and advised ones behind them. */
  readonly red: readonly string[];
  readonly advised: readonly string[];
  readonly failures: readonly { readonly check: string; readonly note: string }[];
  readonly inconclusive: readonly { readonly check: string; readonly note: string }[];
  /** Requests until the first finding; 0 for none. */
  readonly requestsUntilFound: number;
  readonly requests: number;
  readonly created: number;
  readonly milliseconds: number;
  readonly proven: boolean;
};

const levels = new Map(clauses.map((clause) => [clause.id as string, clause.level]));

function firstRequest(records: readonly CheckRecord[]): number {
  const numbers = records.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges.slice(-1).map(({ number }) => number)));
  return numbers.length === 0 ? 0 : Math.min(...numbers);
}

function proofOf(name: string, expected: string | undefined, run: ReferenceRun): Proof {
  const failed = run.records.filter(({ verdict }) => verdict === 'fail');
  const ids = [...new Set(failed.map(({ clause }) => clause as string))].sort();
  const red = ids.filter((id) => levels.get(id) !== 'advised');
  const advised = ids.filter((id) => levels.get(id) === 'advised');
  const found = expected !== undefined && ids.includes(expected);
  return {
    name,
    expected,
    red,
    advised,
    failures: failed.map(({ id, note }) => ({ check: id, note })),
    inconclusive: run.records.filter(({ verdict }) => verdict === 'inconclusive').map(({ id, note }) => ({ check: id, note })),
    requestsUntilFound: firstRequest(failed),
    requests: run.requests,
    created: run.created,
    milliseconds: run.milliseconds,
    proven: expected === undefined ? red.length === 0 : found,
  };
}

/**
 * Judges the reference server with one fault: proven when the clause that the fault names is red. A swift proof asks that clause alone
 * first, and everything only when it stays green so (an invariant may need the traffic of other checks).
 */
export async function proveFault(fault: Fault, { swift }: { readonly swift: boolean }): Promise<Proof> {
  const now = fault.needs?.now === undefined ? undefined : new Date(fault.needs.now);
  const server = {
    faults: [fault.name],
    seedAnimals: fault.needs?.seedAnimals ?? FEW_ANIMALS,
    ...(fault.basePath === undefined ? {} : { basePath: fault.basePath }),
    ...(now === undefined ? {} : { now: () => now }),
  };
  const session = { timeout: FAULT_TIMEOUT, consistencyWindow: FAULT_WINDOW, ...(now === undefined ? {} : { now }) };
  if (swift) {
    const judged = clauses.filter(({ id }) => id === fault.clause);
    const proof = proofOf(fault.name, fault.clause, await judgeReference(server, { session, judged }));
    if (proof.proven) return proof;
  }
  return proofOf(fault.name, fault.clause, await judgeReference(server, { session }));
}

/** Judges the reference server with one variant: proven when no required or implied clause is red. */
export async function proveVariant(variant: Variant, { swift }: { readonly swift: boolean }): Promise<Proof> {
  const session = { ...(variant.now === undefined ? {} : { now: variant.now() }), ...(swift ? { profile: 'quick' as const } : {}) };
  return proofOf(variant.name, undefined, await judgeReference({ variants: [variant.name] }, { session: { timeout: 10_000, ...session } }));
}
