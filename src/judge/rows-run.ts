// Runs a plan of rows: looks at what is there, sends rows by phase, asks again what came too early, and judges the history.

import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogClauseId } from '../clause/clause.ts';
import { owed } from '../oracle/rows/blame.ts';
import type { Clause } from '../oracle/rows/rule.ts';
import { judge, type Verdict } from '../oracle/rows/verdicts.ts';
import { createWorld, type World } from '../oracle/rows/world.ts';
import type { Choice, Consent, LeftOut } from '../plan/choose.ts';
import type { PairsMet } from '../plan/fill.ts';
import { type Phase, type PhaseShape, type Row, vectorsOf } from '../plan/row.ts';
import { createLanes, type Lane } from '../session/lanes.ts';
import type { Context, Sent, Vector } from '../session/rows.ts';
import type { Depth, SessionOptions } from '../session/session.ts';
import { createClient } from '../wire/client.ts';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { createRowSender, type NumberedRow, numbered, type Reason } from './row-sender.ts';

/** What the first requests have shown. */
export type Found = { readonly size: number; readonly quiet: PetStatus; readonly known: number };

export type RowsPlan = {
  readonly phases: readonly Phase[];
  readonly leftOut: readonly LeftOut[];
  readonly creates: (vector: Vector) => boolean;
  readonly pairsIn: (vectors: Iterable<Vector>) => PairsMet;
};

export type RowsRun = {
  readonly options: SessionOptions;
  readonly clauses: readonly Clause[];
  readonly compose: (vector: Vector, context: Context) => Sent;
  readonly opening: readonly Vector[];
  readonly planOf: (found: Found, choice: Choice & { readonly seed: number }) => RowsPlan;
  /** The clauses that are judged, with what is sent for their sake; all without it. */
  readonly only?: ReadonlySet<CatalogClauseId>;
  /** Tokens that are nearly the API key are sent unless this is false. */
  readonly nearMisses?: boolean;
  /** At most about so many requests; by default as many as the depth has. */
  readonly requests?: number;
  /** Milliseconds until the run ends, whatever is left. */
  readonly deadline?: number;
  /** Ends the run at once: what is known by then is judged. */
  readonly stop?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
};

export type Progress = { readonly phase: string; readonly requests: number; readonly planned: number };

export type RowsResult = {
  readonly world: World;
  readonly verdicts: readonly Verdict[];
  readonly requests: number;
  readonly created: number;
  readonly pairs: PairsMet;
  /** How often it waited until what came too early counts. */
  readonly waits: number;
  /** Why the run ended before its plan did. */
  readonly stopped: string | undefined;
  /** What was asked for by the bytes that were sent; undefined where the same bytes were sent again. */
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly phases: readonly { readonly title: string; readonly from: number; readonly requests: number }[];
};

const LANES = 3;
/** Rounds of asking again in one place, how many requests a round has, and how often a run waits until what it asked counts. */
const [ROUNDS, MOST_AGAIN, MOST_WAITS] = [4, 24, 2];
const MOST_CATEGORIES = 12;
const FALLBACK_CATEGORIES = Array.from({ length: 10 }, (_unused, index) => BigInt(index + 1));
const BOUNDS: Readonly<Record<Depth, { readonly requests: number; readonly creations: number }>> = {
  quick: { requests: 400, creations: 60 },
  standard: { requests: Number.POSITIVE_INFINITY, creations: 250 },
  thorough: { requests: 3_500, creations: 300 },
};
/** Of the time until a deadline, what the requests of the plan may take: the rest is for its end, and for asking again. */
const SHARE_OF_TIME = 0.8;
/** Of the budget of creations, what no valid one uses up: each that must be rejected needs one until it is. */
const LEFT_FOR_REJECTED = 16;
/** What is read in between, before it is sent at the end of a phase. */
const READ_EARLY = 8;

const OUT_OF_TIME: Reason = { why: 'choice', missing: 'the time to send it (--deadline)' };
const INTERRUPTED: Reason = { why: 'choice', missing: 'the time to send it: the run was interrupted' };

type NumberedPhase = PhaseShape & { readonly title: string; readonly rows: readonly NumberedRow[] };

/** Sends what the plan has, and returns the verdicts on the history, whenever it ends. */
export async function runRows(run: RowsRun): Promise<RowsResult> {
  const { options, clauses, compose, opening, planOf, only, requests, deadline = Number.POSITIVE_INFINITY, onProgress } = run;
  const client = createClient(options);
  const history = createWorld({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    now: options.now,
    window: options.consistencyWindow,
    leftoverIds: options.leftoverIds,
  });
  const timer = AbortSignal.timeout(Math.min(deadline, 2 ** 31 - 1));
  const stop = AbortSignal.any([timer, ...(run.stop === undefined ? [] : [run.stop])]);
  const aborted = new Promise<void>((resolve) => stop.addEventListener('abort', () => resolve(), { once: true }));
  let [isOver, isLast, waits, planned] = [false, false, 0, opening.length];
  let rest: readonly NumberedRow[] = [];
  const lanes = createLanes(client, (received) => {
    if (!isOver) history.add(received);
  });
  function reasonToStop(): Reason | undefined {
    if (run.stop?.aborted === true) return INTERRUPTED;
    return timer.aborted || (!isLast && client.elapsed() > deadline * SHARE_OF_TIME) ? OUT_OF_TIME : undefined;
  }
  const sender = createRowSender({ options, compose, history, lanes, stopped: reasonToStop });
  const usual: readonly [Lane, ...Lane[]] = [lanes.open(), ...Array.from({ length: LANES - 1 }, () => lanes.open())];
  const phases: { title: string; from: number; requests: number }[] = [];

  const wait = (milliseconds: number): Promise<void> => pause(milliseconds, undefined, { signal: stop }).catch(() => undefined);

  async function runPhase(phase: NumberedPhase): Promise<void> {
    const { title, rows, pause: before, isInOrder, readsBack, readsAll, settles } = phase;
    const [from, until] = [client.elapsed(), client.requests()];
    isLast = phase.isLast === true;
    if (before !== undefined && reasonToStop() === undefined) await wait(before);
    sender.lookAround();
    const readOf = (id: bigint): NumberedRow => ({ row: { op: 'get', id: `=${id}` }, number: 0 });
    const queue = [...rows, ...(readsAll === true ? sender.created().map(readOf) : [])];
    const later: NumberedRow[] = [];
    async function work(lane: Lane): Promise<void> {
      for (let next = queue.shift() ?? later.shift(); next !== undefined; next = queue.shift() ?? later.shift()) {
        const ids = await sender.send(next, lane);
        onProgress?.({ phase: title, requests: client.requests(), planned });
        if (readsBack !== true) continue;
        for (const id of ids) {
          // Half of them at once, the others while other rows are sent, or after them.
          if (next.number % 2 === 0 && isInOrder !== true) await sender.send(readOf(id), lane);
          else later.push(readOf(id));
        }
        if (later.length > READ_EARLY && isInOrder !== true) queue.splice(Math.min(queue.length, 5), 0, ...later.splice(0, 4));
      }
    }
    await Promise.all((isInOrder === true ? usual.slice(0, 1) : usual).map(work));
    if (settles === true) await settle();
    phases.push({ title, from, requests: client.requests() - until });
  }

  /** What came too early to count is asked again once it counts: the same bytes. A service that does not lag is not waited for. */
  async function settle(): Promise<void> {
    for (let round = 0, hasWaited = false; round < ROUNDS && reasonToStop() === undefined; round += 1) {
      const all = owed(clauses, history.now());
      const latest = Math.max(...all.map(({ ripe }) => ripe));
      const mayWait = !hasWaited && waits < MOST_WAITS && latest > client.elapsed();
      if (all.length > 0 && mayWait) {
        waits += 1;
        hasWaited = true;
        await wait(latest - client.elapsed() + 1);
      }
      const ripe = all.filter((one) => one.ripe < client.elapsed());
      const due = new Map(ripe.map((one) => [JSON.stringify([one.exchange.sent.target, one.exchange.sent.headers]), one.exchange.sent]));
      if (due.size === 0) return;
      for (const sent of [...due.values()].slice(-MOST_AGAIN)) {
        if (reasonToStop() !== undefined) return;
        await sender.again(sent, usual[0]);
      }
    }
  }

  /** The first requests, one after the other; those of animals as far as the lists have shown any. */
  async function open(): Promise<{ readonly found: Found; readonly categories: readonly bigint[] }> {
    const lists = opening.filter(({ op }) => op === 'list');
    await runPhase({ title: 'the opening', rows: numbered(lists, 0), isInOrder: true });
    const shown = [...history.now().seen.values()];
    sender.lists(shown.map(({ id }) => id));
    const reads = opening.filter((row) => row.op === 'get' && (typeof row.id !== 'number' || row.id < Math.max(1, shown.length)));
    await runPhase({ title: 'the first reads', rows: numbered(reads, lists.length), isInOrder: true });
    const count = (status: PetStatus): number => shown.filter((one) => one.status === status).length;
    const quiet = PET_STATUSES.reduce((one, other) => (count(other) < count(one) ? other : one));
    const categories = new Set([...options.categoryIds, ...shown.flatMap(({ categoryId }) => categoryId ?? []), ...FALLBACK_CATEGORIES]);
    return { found: { size: shown.length, quiet, known: shown.length }, categories: [...categories].slice(0, MOST_CATEGORIES) };
  }

  /** One plain creation with each category, until one is accepted. */
  async function findCategory(categories: readonly bigint[], status: PetStatus): Promise<void> {
    for (const [index, category] of categories.entries()) {
      sender.useCategory(category);
      const before = sender.kept();
      const row: Row = { op: 'create', status };
      const ids = await sender.send({ row, number: opening.length + index }, usual[0]);
      const last = history.now().creations.at(-1)?.status ?? 500;
      if (ids.length > 0 || sender.kept() > before || last >= 500 || reasonToStop() !== undefined) return;
    }
  }

  /** What fits into the time that is left, as fast as the first requests were, or as the rate allows. */
  function requestsInTime(): number {
    if (deadline === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
    const durations = history
      .now()
      .all.map(({ at, done }) => done - at)
      .sort((a, b) => a - b);
    const pace = Math.max((durations[durations.length >> 1] ?? 0) / LANES, options.rate > 0 ? 1_000 / options.rate : 0);
    return Math.floor(((deadline - client.elapsed()) * SHARE_OF_TIME) / Math.max(1, pace));
  }

  async function runPlan(): Promise<RowsPlan> {
    const { found, categories } = await open();
    const bounds = BOUNDS[options.depth];
    const plan = planOf(found, {
      ...(only === undefined ? {} : { clauses: only }),
      ...{ seed: options.seed, isDeep: options.depth === 'thorough', consents: consentsOf(run) },
      requests: Math.min(requests ?? bounds.requests, requestsInTime()) - client.requests(),
      creations: Math.min(bounds.creations, options.maxCreates - Math.min(options.maxCreates / 4, LEFT_FOR_REJECTED)) - 1,
    });
    rest = numbered(
      plan.phases.flatMap(({ rows }) => rows),
      opening.length + MOST_CATEGORIES,
    );
    planned = client.requests() + rest.flatMap(({ row }) => vectorsOf(row)).length;
    sender.expectCreations(plan.creates);
    for (const { vector, missing } of plan.leftOut) sender.skip(vector, 0, { why: 'choice', missing });
    const creates = rest.some(({ row }) => vectorsOf(row).some(({ op }) => op === 'create'));
    if (!options.readOnly && (found.known === 0 || creates)) await findCategory(categories, found.quiet);
    let from = 0;
    for (const phase of plan.phases) {
      await runPhase({ ...phase, rows: rest.slice(from, from + phase.rows.length) });
      from += phase.rows.length;
    }
    return plan;
  }

  const running = runPlan();
  // What is in flight when the run is stopped fails with the connections.
  running.catch(() => undefined);
  const plan = await Promise.race([running, aborted]);
  const reason = reasonToStop();
  if (reason !== undefined) sender.skipRest(rest, reason);
  isOver = true;
  const world = history.now();
  const verdicts = judge(clauses, world).filter(({ clause }) => only === undefined || only.has(clause.id as CatalogClauseId));
  const counted = { requests: client.requests(), created: sender.kept() };
  await client.close();
  return {
    ...{ world, verdicts, phases, waits, ...counted, vectorOf: sender.vectorOf },
    pairs: plan?.pairsIn(sender.vectorsSent()) ?? { met: 0, of: 0 },
    stopped: reason?.missing,
  };
}

/** What the user agrees to. */
function consentsOf({ options, nearMisses = true }: RowsRun): ReadonlySet<Consent> {
  const { readOnly, intrusive } = options;
  return new Set<Consent>([
    ...(readOnly ? [] : (['write'] as const)),
    ...(intrusive ? (['intrusive'] as const) : []),
    ...(nearMisses ? (['near miss'] as const) : []),
  ]);
}
