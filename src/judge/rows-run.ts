// Runs a plan of rows: looks at what is there, sends rows by phase, asks again what came too early, and judges the history.

import { setTimeout as pause } from 'node:timers/promises';
import type { CatalogClauseId } from '../clause/clause.ts';
import { owed } from '../oracle/rows/blame.ts';
import type { Clause } from '../oracle/rows/rule.ts';
import { judge, type Verdict } from '../oracle/rows/verdicts.ts';
import { createWorld, type World } from '../oracle/rows/world.ts';
import type { Choice, Consent, Found, Plan } from '../plan/choose.ts';
import type { PairsMet } from '../plan/fill.ts';
import type { Wording } from '../plan/halve.ts';
import { isGroup, type Row, vectorsOf } from '../plan/row.ts';
import { createSplitter } from '../plan/split.ts';
import { createLanes } from '../session/lanes.ts';
import type { Context, Sent, Vector } from '../session/rows.ts';
import { type Contact, findMistake, reach } from '../session/rows-first-contact.ts';
import type { Received } from '../session/rows-history.ts';
import type { Depth, SessionOptions } from '../session/session.ts';
import { createClient } from '../wire/client.ts';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { type Condition, conditionsOf } from './conditions.ts';
import { BESIDE, creates, FAR, joined, type NumberedPhase } from './rows-far.ts';
import { createRowSending, type NumberedRow, numbered, type Reason } from './rows-sending.ts';

export type RowsRun = {
  readonly options: SessionOptions;
  readonly clauses: readonly Clause[];
  readonly compose: (vector: Vector, context: Context) => Sent;
  /** Begins with a list without parameters. */
  readonly opening: readonly Vector[];
  readonly planOf: (found: Found, choice: Choice & { readonly seed: number }) => Plan;
  /** How it says when clauses are broken; undefined: it does not ask. */
  readonly wording?: Wording;
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
  /** When each broken clause is broken. */
  readonly conditions: readonly Condition[];
  readonly pairs: PairsMet;
  /** How often it waited until what came too early counts. */
  readonly waits: number;
  /** Why the run ended before its plan did. */
  readonly stopped: string | undefined;
  /** What was asked for by the bytes that were sent; undefined where the same bytes were sent again. */
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly phases: readonly { readonly title: string; readonly from: number; readonly requests: number }[];
  /** What was waited for, or cut short, in sentences. */
  readonly notices: readonly string[];
  /** Why nothing else can be judged: a wrong address, a wrong key, no pet store. */
  readonly mistake?: string;
};

/** Rows in flight; and where responses are slow. */
const [LANES, LANES_OF_SLOW] = [3, 8];
/** Rounds of asking again in one place, how many requests a round has, and how often a run waits until what it asked counts. */
const [ROUNDS, MOST_AGAIN, MOST_WAITS] = [4, 24, 2];
/** So many animals are created to learn when clauses are broken. */
const MOST_ASKED_CREATIONS = 40;
const MOST_CATEGORIES = 12;
const FALLBACK_CATEGORIES = Array.from({ length: 10 }, (_unused, index) => BigInt(index + 1));
const BOUNDS: Readonly<Record<Depth, { readonly requests: number; readonly creations: number }>> = {
  quick: { requests: 400, creations: 60 },
  standard: { requests: Number.POSITIVE_INFINITY, creations: 250 },
  thorough: { requests: 3_500, creations: 300 },
};
/** Of the time until a deadline, what the requests of the plan may take: the rest is for its end, and for asking again. */
const SHARE_OF_TIME = 0.8;
/** Of the budget of creations, what no plan uses up: each that must be rejected takes one until it is. */
const LEFT_FOR_REJECTED = 16;
/** So many reads of created animals wait until they are sent between other rows. */
const READ_EARLY = 8;
/** The number of the read of a created animal is that of its creation and this. */
const READ_BACK = 100_000;

const NOT_SPLIT: Reason = { why: 'circumstance', missing: 'it was rejected with other values, and no request was left to ask it alone' };
const OUT_OF_TIME: Reason = { why: 'choice', missing: 'the time to send it (--deadline)' };
const INTERRUPTED: Reason = { why: 'choice', missing: 'the time to send it: the run was interrupted' };

/** Of animals in the order of creation, the first and the last ones, and some of those between. */
const [OLDEST, NEWEST, BETWEEN] = [8, 12, 16];
function ofAllAges(ids: readonly bigint[]): readonly bigint[] {
  if (ids.length <= OLDEST + NEWEST + BETWEEN) return ids;
  const between = ids.slice(OLDEST, -NEWEST);
  const some = Array.from({ length: BETWEEN }, (_unused, index) => between[Math.floor((index * between.length) / BETWEEN)] ?? 0n);
  return [...ids.slice(0, OLDEST), ...some, ...ids.slice(-NEWEST)];
}

/** A row of the plan, or one that nobody planned. */
type QueuedRow = { readonly row: Row; readonly number?: number };

/** Sends what the plan has, and returns the verdicts on the history, whenever it ends. */
export async function runRows(run: RowsRun): Promise<RowsResult> {
  const { options, clauses, compose, opening, planOf, wording, only, requests, deadline = Number.POSITIVE_INFINITY, onProgress } = run;
  const client = createClient(options);
  const history = createWorld({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    now: options.now,
    window: options.consistencyWindow,
    leftoverIds: options.leftoverIds,
  });
  const timer = new AbortController();
  const timeout = deadline === Number.POSITIVE_INFINITY ? undefined : setTimeout(() => timer.abort(), deadline);
  const stop = AbortSignal.any([timer.signal, ...(run.stop === undefined ? [] : [run.stop])]);
  const aborted = new Promise<undefined>((resolve) => {
    if (stop.aborted) resolve(undefined);
    else stop.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const phases: { title: string; from: number; requests: number }[] = [];
  const notices = new Set<string>();
  /** Until the service is reached, only the last exchange counts. */
  let early: readonly Received[] | undefined = [];
  let [isOver, isLast, waits, whole, askedCreations] = [false, false, 0, opening.length, 0];
  /** Milliseconds of the quickest response. */
  let quickest = Number.POSITIVE_INFINITY;
  let rest: readonly NumberedRow[] = [];
  let plan: Plan | undefined;

  function reasonToStop(): Reason | undefined {
    if (run.stop?.aborted === true) return INTERRUPTED;
    return timer.signal.aborted || (!isLast && client.elapsed() > deadline * SHARE_OF_TIME) ? OUT_OF_TIME : undefined;
  }

  /** Whether even the quickest response took as long as from afar: a busy machine, or a busy service, does not look like that. */
  const isFar = (): boolean => quickest >= FAR && quickest !== Number.POSITIVE_INFINITY;
  const width = (): number => (isFar() ? client.places() : client.isLate() ? LANES_OF_SLOW : LANES);

  const rows = createRowSending({
    ...{ options, compose, lanes: createLanes(client), stopped: reasonToStop, elapsed: client.elapsed, isFar },
    // What is told when the run has ended is the history of that moment.
    history: {
      now: history.now,
      skip(unsent) {
        if (!isOver) history.skip(unsent);
      },
    },
    sendFewerThan: (inFlight) => client.sendFewerThan(inFlight),
    notice: (sentence) => void notices.add(sentence),
    add(received) {
      if (isOver) return;
      if (received.response !== undefined) quickest = Math.min(quickest, received.done - received.at);
      if (early === undefined) history.add(received);
      else early = [received];
    },
  });
  const splitter = createSplitter();

  const wait = (milliseconds: number): Promise<void> => pause(milliseconds, undefined, { signal: stop }).catch(() => undefined);
  const readOf = (id: bigint): QueuedRow => ({ row: { op: 'get', id: `=${id}` } });
  const readBack = (id: bigint, number = 0): QueuedRow => ({ row: plan?.read(id, number) ?? readOf(id).row, number: READ_BACK + number });

  const sendQueued = ({ row, number }: QueuedRow): ReturnType<typeof rows.send> => rows.send(row, number);

  async function runPhase(phase: NumberedPhase): Promise<void> {
    const { title, pause: before, isInOrder, readsBack, readsAll, settles } = phase;
    const [from, until] = [client.elapsed(), client.requests()];
    isLast = phase.isLast === true;
    if (before !== undefined && reasonToStop() === undefined) await wait(before);
    rows.lookAround();
    const queue: QueuedRow[] = [...phase.rows, ...(readsAll === true ? ofAllAges(rows.animals()).map(readOf) : [])];
    const later: QueuedRow[] = [];
    const beside: Promise<unknown>[] = [];
    async function work(some: QueuedRow[]): Promise<void> {
      for (let next = some.shift() ?? later.shift(); next !== undefined; next = some.shift() ?? later.shift()) {
        some.push(...rows.takeLost().map((row) => ({ row })));
        const { row, number } = next;
        const { received, created } = await sendQueued(next);
        if (!isGroup(row)) some.push(...splitter.after(row, received[0]?.response?.status).map((half) => ({ row: half })));
        onProgress?.({ phase: title, requests: client.requests(), planned: whole });
        if (readsBack !== true) continue;
        for (const id of created) {
          // Half of them at once, the others while other rows are sent, or after them.
          if (isInOrder === true && isFar()) beside.push(sendQueued(readBack(id, number)));
          else if ((number ?? 1) % 2 === 0 && isInOrder !== true) await sendQueued(readBack(id, number));
          else later.push(readBack(id, number));
        }
        if (later.length > READ_EARLY && isInOrder !== true) some.splice(Math.min(some.length, 5), 0, ...later.splice(0, 4));
      }
    }
    const workOn = (width: number, some: QueuedRow[]): Promise<unknown> => Promise.all(Array.from({ length: width }, () => work(some)));
    if (isInOrder !== true) await workOn(width(), queue);
    else if (!isFar()) await work(queue);
    else {
      const others = queue.filter(({ row }) => !creates(row));
      await Promise.all([work(queue.filter(({ row }) => creates(row))), workOn(BESIDE, others)]);
    }
    await Promise.all(beside);
    for (let lost = rows.takeLost(); lost.length > 0; lost = rows.takeLost()) {
      await workOn(
        LANES,
        lost.map((row) => ({ row })),
      );
    }
    if (settles === true) await settle();
    phases.push({ title, from, requests: client.requests() - until });
  }

  /** What came too early to count is asked again once it counts: the same bytes. A service that does not lag is not waited for. */
  async function settle(): Promise<void> {
    for (let round = 0, hasWaited = false; round < ROUNDS && reasonToStop() === undefined; round += 1) {
      const all = owed(clauses, history.now());
      const latest = Math.max(...all.map(({ ripe }) => ripe));
      if (all.length > 0 && !hasWaited && waits < MOST_WAITS && latest > client.elapsed()) {
        waits += 1;
        hasWaited = true;
        await wait(latest - client.elapsed() + 1);
      }
      const ripe = all.filter((one) => one.ripe < client.elapsed());
      const due = new Map(ripe.map(({ exchange: { sent } }) => [JSON.stringify([sent.target, sent.headers]), sent]));
      if (due.size === 0) return;
      await Promise.all([...due.values()].slice(-MOST_AGAIN).map((sent) => rows.again(sent)));
    }
  }

  /** The first requests, one after the other; those of animals as far as the lists have shown any. */
  async function open(): Promise<{ readonly found: Found; readonly categories: readonly bigint[] }> {
    const lists = opening.filter(({ op }) => op === 'list').slice(1);
    await runPhase({ title: 'the opening', rows: numbered(lists, 1), isInOrder: true });
    const shown = [...history.now().seen.values()];
    rows.lists(shown.map(({ id }) => id));
    const reads = opening.filter((row) => row.op === 'get' && (typeof row.id !== 'number' || row.id < shown.length));
    await runPhase({ title: 'the first reads', rows: numbered(reads, 1 + lists.length), isInOrder: true });
    const count = (status: PetStatus): number => shown.filter((one) => one.status === status).length;
    const quiet = PET_STATUSES.reduce((one, other) => (count(other) < count(one) ? other : one));
    const categories = new Set([...options.categoryIds, ...shown.flatMap(({ categoryId }) => categoryId ?? []), ...FALLBACK_CATEGORIES]);
    return { found: { size: shown.length, quiet, known: shown.length }, categories: [...categories].slice(0, MOST_CATEGORIES) };
  }

  /** One plain creation with each category, until one is accepted. */
  async function findCategory(categories: readonly bigint[], status: PetStatus): Promise<void> {
    for (const [index, category] of categories.entries()) {
      rows.useCategory(category);
      const before = rows.created();
      const { received } = await rows.send({ op: 'create', status }, opening.length + index);
      const code = received[0]?.response?.status;
      if (code === undefined || code >= 500 || rows.created() > before) return;
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
    return Math.floor((deadline * SHARE_OF_TIME - client.elapsed()) / Math.max(1, pace));
  }

  async function runPlan(): Promise<void> {
    const { found, categories } = await open();
    const bounds = BOUNDS[options.depth];
    plan = planOf(found, {
      ...(only === undefined ? {} : { clauses: only }),
      ...{ seed: options.seed, isDeep: options.depth === 'thorough', consents: consentsOf(run) },
      requests: Math.min(requests ?? bounds.requests, requestsInTime()) - client.requests(),
      creations: Math.min(bounds.creations, options.maxCreates - Math.min(options.maxCreates / 4, LEFT_FOR_REJECTED)) - 1,
    });
    // Before it is known how far away the service is: the same row has the same number, and thus the same bytes.
    let number = opening.length + MOST_CATEGORIES;
    const phasesInOrder = plan.phases.map((phase): NumberedPhase => {
      const own = numbered(phase.rows, number);
      number += phase.rows.flatMap(vectorsOf).length;
      return { ...phase, rows: own };
    });
    rest = phasesInOrder.flatMap((phase) => phase.rows);
    whole = client.requests() + rest.flatMap(({ row }) => vectorsOf(row)).length;
    for (const { vector, missing } of plan.leftOut) rows.skip(vector, 0, { why: 'choice', missing });
    const needsCategory = found.known === 0 || rest.some(({ row }) => vectorsOf(row).some(({ op }) => op === 'create'));
    if (!options.readOnly && needsCategory) await findCategory(categories, found.quiet);
    for (const phase of isFar() ? joined(phasesInOrder) : phasesInOrder) await runPhase(phase);
    for (const vector of splitter.unanswered()) rows.skip(vector, 0, NOT_SPLIT);
  }

  /** Sends a row to learn when a clause is broken, and looks at what it creates. */
  async function ask(row: Row): Promise<readonly number[] | undefined> {
    const creations = vectorsOf(row).filter(({ op }) => op === 'create').length;
    const mayCreate =
      !options.readOnly && askedCreations + creations <= MOST_ASKED_CREATIONS && rows.created() + creations <= options.maxCreates;
    if (reasonToStop() !== undefined || (creations > 0 && !mayCreate)) return undefined;
    const { received, created } = await rows.send(row);
    askedCreations += created.length;
    // Each is looked at where it shows among the fewest.
    const status = PET_STATUSES.find((one) => vectorsOf(row).some((vector) => vector.op === 'create' && vector.status === one)) ?? 'none';
    const looks = created.flatMap((id): Row[] => [readOf(id).row, { op: 'list', limit: 100, status }]);
    const reads: (Received | undefined)[] = [];
    for (const look of looks) reads.push(...(await rows.send(look)).received);
    const told = isGroup(row) && row.isForLast === true ? received.slice(-1) : received;
    return [...told, ...reads].flatMap((one) => one?.number ?? []);
  }

  /** The mistake for which nothing is judged, if there is one; else what the broken clauses have in common. */
  async function runAll(): Promise<Partial<Pick<RowsResult, 'mistake' | 'conditions'>>> {
    const contact: Contact = {
      options,
      send: async (vector) => (await rows.send(vector)).received[0],
      reset: rows.reset,
    };
    const reached = await reach(contact);
    for (const received of early ?? []) history.add(received);
    early = undefined;
    const mistake = reached === undefined ? undefined : await findMistake(contact, reached);
    if (mistake !== undefined) return { mistake };
    await runPlan();
    if (wording === undefined) return {};
    const before = client.requests();
    const broken = verdictsNow().flatMap(({ verdict, clause }) => (verdict === 'fail' ? [clause.id] : []));
    const conditions = await conditionsOf(broken, {
      clauses,
      wording,
      ask,
      now: history.now,
      vectorOf: rows.vectorOf,
      groupOf: rows.groupOf,
    });
    if (client.requests() > before) phases.push({ title: 'halving', from: client.elapsed(), requests: client.requests() - before });
    return { conditions };
  }

  const verdictsNow = (): readonly Verdict[] =>
    judge(clauses, history.now()).filter(({ clause }) => only === undefined || only.has(clause.id as CatalogClauseId));

  const running = runAll();
  // What is in flight when the run is stopped fails with its connection.
  running.catch(() => undefined);
  try {
    const told = (await Promise.race([running, aborted])) ?? {};
    const reason = reasonToStop();
    if (reason !== undefined) rows.skipRest(rest, reason);
    for (const received of early ?? []) history.add(received);
    isOver = true;
    return {
      ...{ world: history.now(), verdicts: verdictsNow(), requests: client.requests(), created: rows.created(), phases, waits },
      ...{ vectorOf: rows.vectorOf, notices: [...notices], stopped: reason?.missing, conditions: [], ...told },
      pairs: plan?.pairsIn(rows.vectorsSent()) ?? { met: 0, of: 0 },
    };
  } finally {
    isOver = true;
    clearTimeout(timeout);
    await client.close();
  }
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
