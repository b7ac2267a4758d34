// What is kept of a target between runs: how far it is in the endless plan, and which rows failed there.

import type { ClauseId } from '../clause/clause.ts';
import type { Consent } from '../plan/choose.ts';
import { type Cursor, type EndlessPlan, requestsOf } from '../plan/endless-plan.ts';
import { type Row, vectorsOf } from '../plan/row.ts';
import type { Vector } from '../session/vector.ts';
import type { SampleFailure } from './failure.ts';

/** A row that broke a clause that the requests of every run do not break: it is sent first until it passes. */
export type FailingRow = {
  readonly row: Row;
  readonly clause: ClauseId;
  /** Whether the clause was broken again when the row was sent again. */
  readonly confirmed: boolean;
  /** Wall clock when it was sent last, milliseconds. */
  readonly at: number;
  /** What a run said about it, for runs that do not send it. */
  readonly failure?: SampleFailure;
};

export type Asked = { readonly clause: ClauseId; readonly condition: string };

/** Rows taken by then; wall clock, milliseconds. */
type Mark = { readonly at: number; readonly taken: number };

export type TurnState = {
  readonly cursor: Cursor;
  /** `endedAt`: wall clock when the last near miss of a round was sent. */
  readonly nearMisses: Cursor & { readonly endedAt: number };
  readonly failing: readonly FailingRow[];
  /** Broken clauses of which a run has asked when they are broken, and what it has found; empty for nothing. */
  readonly asked: readonly Asked[];
  /** Whether the next run keeps a part of its budget for such questions. */
  readonly asks: boolean;
  /** Rows taken in all, and by the hours of the last day. */
  readonly taken: number;
  readonly marks: readonly Mark[];
};

/** How much a run may send after the requests of every run. */
export type TurnLimits = {
  /** Requests, those included that are sent again and those that explain a failure. */
  readonly budget: number;
  /** Whether tokens that nearly equal the API key may be sent, each at most once a day. */
  readonly nearMisses: boolean;
  /** Wall clock, milliseconds. */
  readonly now: number;
};

/** What any run on a target may send, for the sake of which clauses: all without `only`. */
export type TurnAllowance = Omit<TurnLimits, 'now'> & { readonly only?: ReadonlySet<ClauseId> };

/** The plan of a selection, and who has to agree to a row. */
export type TurnPlan = {
  readonly reads: EndlessPlan;
  readonly nearMisses: EndlessPlan;
  /** Throws for a row that this version does not have. */
  readonly consentsOf: (vector: Vector) => readonly Consent[];
};

/** What one run sends after the requests of every run: what failed before, near misses that are due, and the next rows. */
export type PlannedTurn = { readonly failing: readonly FailingRow[]; readonly nearMisses: readonly Row[]; readonly rows: readonly Row[] };

export const NO_TURN: PlannedTurn = { failing: [], nearMisses: [], rows: [] };

const [HOUR, DAY] = [3_600_000, 86_400_000];
/** Of a budget, what failed before takes half once it is confirmed, and near misses take a quarter of the rest. */
const [SHARE_OF_FAILING, SHARE_OF_NEAR] = [1 / 2, 1 / 4];
/** What is kept for questions about clauses that are newly broken. */
const SHARE_OF_QUESTIONS = 1 / 2;

/** `seed` decides in which order a target begins. */
export const startOf = ({ reads, nearMisses }: TurnPlan, seed: number): TurnState => ({
  ...{ cursor: reads.start(seed), nearMisses: { ...nearMisses.start(seed), endedAt: 0 } },
  ...{ failing: [], asked: [], asks: false, taken: 0, marks: [] },
});

const isNear = (row: Row, { consentsOf }: TurnPlan): boolean => vectorsOf(row).some((vector) => consentsOf(vector).length > 0);

/** Whether a row that was kept may be sent: it only reads, and this version has its values. */
function maySend(row: Row, limits: Pick<TurnLimits, 'nearMisses'>, { consentsOf }: TurnPlan): boolean {
  try {
    return vectorsOf(row).every((vector) => consentsOf(vector).every((consent) => consent === 'near miss' && limits.nearMisses));
  } catch {
    return false;
  }
}

/** Failures that later runs can clear: of clauses that are selected, by rows that may be sent. */
export function clearableFailures({ failing }: TurnState, limits: TurnAllowance, plan: TurnPlan): readonly FailingRow[] {
  const { budget, only } = limits;
  return failing.filter(
    ({ row, clause }) => requestsOf(row) <= budget && maySend(row, limits, plan) && (only === undefined || only.has(clause)),
  );
}

function dueOf({ failing }: TurnState, limits: TurnLimits, plan: TurnPlan): readonly FailingRow[] {
  const some = failing.filter(
    ({ row, at }) => requestsOf(row) <= limits.budget && maySend(row, limits, plan) && (!isNear(row, plan) || limits.now - at >= DAY),
  );
  const inOrder = some.toSorted((one, other) => Number(one.confirmed) - Number(other.confirmed) || one.at - other.at);
  let left = limits.budget;
  return inOrder.filter(({ row, confirmed }) => {
    const isWithin = requestsOf(row) <= (confirmed ? left - limits.budget * (1 - SHARE_OF_FAILING) : left);
    if (isWithin) left -= requestsOf(row);
    return isWithin;
  });
}

const sumOf = (rows: readonly Row[]): number => rows.reduce((sum, row) => sum + requestsOf(row), 0);

/** The next turn of a target: pure. */
export function nextTurn(state: TurnState, limits: TurnLimits, plan: TurnPlan): PlannedTurn {
  const { budget, now } = limits;
  const failing = dueOf(state, limits, plan);
  const kept = state.asks ? budget * SHARE_OF_QUESTIONS : 0;
  const left = Math.max(0, budget - kept - sumOf(failing.map(({ row }) => row)));
  const near = plan.nearMisses.current(state.nearMisses);
  // Whatever the order of a round is, each of them was sent a day before.
  const isDue = limits.nearMisses && plan.nearMisses.sizeOfOrder() > 0 && (near.number > 0 || now - state.nearMisses.endedAt >= DAY);
  const nearMisses = isDue ? plan.nearMisses.take(near, { ...limitsOf(left * SHARE_OF_NEAR, budget), isOneRound: true }).rows : [];
  const { rows } = plan.reads.take(state.cursor, limitsOf(left - sumOf(nearMisses), budget));
  return { failing, nearMisses, rows };
}

const limitsOf = (requests: number, mostOfAnyTurn: number) => ({ requests: Math.floor(requests), mostOfAnyTurn });

/** The turn of a single run, which knows of no other: its number decides where it begins. */
export function turnAlone(run: number, { budget, nearMisses }: Pick<TurnLimits, 'budget' | 'nearMisses'>, plan: TurnPlan): PlannedTurn {
  const near = nearMisses ? plan.nearMisses.alone(run, Math.floor(budget * SHARE_OF_NEAR)) : [];
  return { failing: [], nearMisses: near, rows: plan.reads.alone(run, budget - sumOf(near)) };
}

export type TurnSent = {
  /** How many of the planned rows were sent, in their order. */
  readonly rows: number;
  readonly nearMisses: number;
  /** Rows that broke a clause, and those of before that broke none. */
  readonly failing: readonly FailingRow[];
  readonly passed: readonly FailingRow[];
  /** Clauses that fail the run, and when some of them are broken, as questions have shown. */
  readonly broken: ReadonlySet<ClauseId>;
  readonly conditions: readonly Asked[];
};

type After = { readonly planned: PlannedTurn; readonly sent: TurnSent; readonly limits: TurnLimits; readonly plan: TurnPlan };

/** The state after a turn: what was planned and not sent comes next. Pure. */
export function stateAfter(state: TurnState, { planned, sent, limits, plan }: After): TurnState {
  const { budget, now } = limits;
  const roomFor = (rows: readonly Row[], count: number) => limitsOf(sumOf(rows.slice(0, count)), budget);
  const before = plan.nearMisses.current(state.nearMisses);
  const near = plan.nearMisses.take(before, { ...roomFor(planned.nearMisses, sent.nearMisses), isOneRound: true }).next;
  return {
    cursor: plan.reads.take(state.cursor, roomFor(planned.rows, sent.rows)).next,
    nearMisses: { ...near, endedAt: near.seed === before.seed ? state.nearMisses.endedAt : now },
    failing: failingAfter(state, sent),
    ...askedAfter(state, sent),
    taken: state.taken + sent.rows,
    marks: marksAfter(state, now),
  };
}

function failingAfter({ failing }: TurnState, sent: TurnSent): readonly FailingRow[] {
  const isReplaced = ({ clause }: FailingRow): boolean => sent.failing.some((one) => one.clause === clause);
  return [...failing.filter((one) => !sent.passed.includes(one) && !isReplaced(one)), ...sent.failing];
}

function askedAfter({ asked, asks }: TurnState, { broken, conditions }: TurnSent): Pick<TurnState, 'asked' | 'asks'> {
  const known = asked.filter(({ clause }) => broken.has(clause));
  const unknown = [...broken].filter((clause) => !known.some((one) => one.clause === clause));
  if (!asks) return { asked: known, asks: unknown.length > 0 };
  const newlyAsked = unknown.map((clause) => ({ clause, condition: conditions.find((one) => one.clause === clause)?.condition ?? '' }));
  return { asked: [...known, ...newlyAsked], asks: false };
}

/** One an hour. */
function marksAfter({ marks, taken }: TurnState, now: number): readonly Mark[] {
  const latest = marks.at(-1);
  const isNewHour = latest === undefined || now - latest.at >= HOUR || now < latest.at;
  return (isNewHour ? [...marks, { at: now, taken }] : marks).filter(({ at }) => Math.abs(now - at) <= DAY + HOUR);
}

/** How much of the plan a target met in the last day, in rows. */
export type TurnCoverage = {
  /** Rows within its limits. */
  readonly of: number;
  readonly met: number;
  /** Clauses that rows break. */
  readonly failing: readonly ClauseId[];
  /** Rows that need more requests than a run may send, or a consent that nobody gave. */
  readonly leftOut: number;
};

export function coverageIn(state: TurnState, limits: TurnAllowance & Pick<TurnLimits, 'now'>, plan: TurnPlan): TurnCoverage {
  const { budget, nearMisses, now } = limits;
  const beyond = budget === 0 ? plan.reads.sizeOfOrder() : plan.reads.countTooLarge(budget);
  const of = plan.reads.sizeOfOrder() - beyond;
  const since = state.marks.find(({ at }) => now - at < DAY);
  return {
    of,
    met: Math.min(of, state.taken - (since?.taken ?? state.taken)),
    failing: [...new Set(clearableFailures(state, limits, plan).map(({ clause }) => clause))],
    leftOut: beyond + (nearMisses && budget > 0 ? 0 : plan.nearMisses.sizeOfOrder()),
  };
}

export const PLAN_STATES = ['sent', 'not-sent', 'left-out'] as const;

/** The coverage as numbers of rows, whose sum is the size of the plan. */
export function countsOf({ of, met, leftOut }: TurnCoverage): Record<(typeof PLAN_STATES)[number], number> {
  return { sent: met, 'not-sent': of - met, 'left-out': leftOut };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isCursor = (value: unknown): boolean =>
  isRecord(value) && typeof value['plan'] === 'string' && Number.isSafeInteger(value['seed']) && isCount(value['number']);

const isVector = (value: unknown): boolean =>
  isRecord(value) &&
  ['list', 'get'].includes(String(value['op'])) &&
  Object.values(value).every((one) => !isRecord(one) || Array.isArray(one));
const isRow = (value: unknown): boolean => {
  if (!isRecord(value)) return false;
  const { how, rows } = value;
  return how === undefined ? isVector(value) : ['together', 'in turn'].includes(String(how)) && Array.isArray(rows) && rows.every(isVector);
};

const isFailing = (value: unknown): boolean =>
  isRecord(value) && isRow(value['row']) && typeof value['clause'] === 'string' && Number.isFinite(value['at']);

const isAsked = (value: unknown): boolean =>
  isRecord(value) && typeof value['clause'] === 'string' && typeof value['condition'] === 'string';
const isMark = (value: unknown): boolean => isRecord(value) && Number.isFinite(value['at']) && isCount(value['taken']);

/** From its text in a file; undefined if it is none. */
export function turnStateIn(text: string): TurnState | undefined {
  try {
    const state = JSON.parse(text) as Partial<TurnState> | null;
    if (!isRecord(state)) return undefined;
    const { cursor, nearMisses, failing, asked, marks, taken } = state;
    const areCursors = isCursor(cursor) && isCursor(nearMisses) && Number.isFinite(nearMisses?.endedAt);
    const areLists =
      Array.isArray(failing) &&
      failing.every(isFailing) &&
      Array.isArray(marks) &&
      marks.every(isMark) &&
      Array.isArray(asked) &&
      asked.every(isAsked);
    const isSound = areCursors && areLists && isCount(taken);
    return isSound ? (state as TurnState) : undefined;
  } catch {
    return undefined;
  }
}
