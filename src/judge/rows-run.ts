// Runs a plan of rows: sends them by phase, and judges the history.

import { setTimeout as wait } from 'node:timers/promises';
import { owed } from '../oracle/rows/blame.ts';
import type { Clause } from '../oracle/rows/rule.ts';
import { judge, type Verdict } from '../oracle/rows/verdicts.ts';
import { createWorld, type World } from '../oracle/rows/world.ts';
import type { Wording } from '../plan/halve.ts';
import { type Group, isGroup, type Phase, type PhaseShape, type Row, vectorsOf } from '../plan/row.ts';
import { createSplitter } from '../plan/split.ts';
import { createLanes, type Lane } from '../session/lanes.ts';
import type { Context, Sent, Vector } from '../session/rows.ts';
import { type Contact, findMistake, reach } from '../session/rows-first-contact.ts';
import type { Received } from '../session/rows-history.ts';
import { type Composed, createSender } from '../session/rows-sender.ts';
import type { SessionOptions } from '../session/session.ts';
import { createClient } from '../wire/client.ts';
import { PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { type Condition, conditionsOf } from './conditions.ts';
import { BESIDE, creates, FAR, joined } from './rows-far.ts';
import { animalOf, toldBy } from './rows-told.ts';

export type RowsRun = {
  readonly options: SessionOptions;
  readonly clauses: readonly Clause[];
  readonly compose: (vector: Vector, context: Context) => Sent;
  readonly opening: readonly Vector[];
  /** How it says when clauses are broken; undefined: it does not ask. */
  readonly wording?: Wording;
  readonly planOf: (found: { readonly size: number; readonly quiet: PetStatus; readonly known: number }, seed: number) => readonly Phase[];
};

export type RowsResult = {
  readonly world: World;
  readonly verdicts: readonly Verdict[];
  readonly requests: number;
  readonly created: number;
  /** When each broken clause is broken. */
  readonly conditions: readonly Condition[];
  /** What was asked for by the bytes that were sent; undefined where the same bytes were sent again. */
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly phases: readonly { readonly title: string; readonly from: number; readonly requests: number }[];
  /** What was waited for, or cut short, in sentences. */
  readonly notices: readonly string[];
  /** Why nothing else can be judged: a wrong address, a wrong key, no pet store. */
  readonly mistake?: string;
};

const NOT_SPLIT = { why: 'circumstance', missing: 'it was rejected with other values, and no request was left to ask it alone' } as const;
/** Rows in flight; and where responses are slow. */
const [LANES, LANES_OF_SLOW] = [3, 8];
/** Rounds of asking again in one place, and how many requests a round has. */
const [ROUNDS, MOST_AGAIN] = [4, 24];
/** So many animals are created to learn when clauses are broken. */
const MOST_ASKED_CREATIONS = 40;
const MOST_CATEGORIES = 12;
const FALLBACK_CATEGORIES = Array.from({ length: 10 }, (_unused, index) => BigInt(index + 1));

/** As a client keeps them: of each name the latest. */
const latestCookies = (cookies: Iterable<string>): readonly string[] => [
  ...new Map([...cookies].map((cookie) => [cookie.split('=')[0], cookie])).values(),
];

export async function runRows({ options, clauses, compose, opening, planOf, wording }: RowsRun): Promise<RowsResult> {
  const client = createClient(options);
  const history = createWorld({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    now: options.now,
    window: options.consistencyWindow,
    leftoverIds: options.leftoverIds,
  });
  const vectors = new WeakMap<Sent, Vector>();
  const groups = new WeakMap<Sent, Group>();
  const lanes = createLanes(client);
  const phases: { title: string; from: number; requests: number }[] = [];
  const created: bigint[] = [];
  const first: bigint[] = [];
  const notices = new Set<string>();
  /** Until the service is reached, only the last exchange counts. */
  let early: readonly Received[] | undefined = [];
  /** Milliseconds of the quickest response. */
  let quickest = Number.POSITIVE_INFINITY;
  let categoryId = options.categoryIds[0] ?? 1n;
  let row = 0;
  let askedCreations = 0;

  function contextOf(): Context {
    row += 1;
    const { apiKey, seed, runTag } = options;
    return { apiKey, seed, row, runTag, categoryId, known: [...first, ...created], cookies: latestCookies(history.now().cookies) };
  }

  const splitter = createSplitter();

  function composed(vector: Vector): Composed {
    const sent = compose(vector, contextOf());
    vectors.set(sent, vector);
    return { vector, sent };
  }

  const sender = createSender({
    lanes,
    options,
    compose: (vector) => composed(vector).sent,
    told: toldBy(history.now, options.apiKey),
    add(received) {
      if (received.response !== undefined) quickest = Math.min(quickest, received.done - received.at);
      if (early === undefined) history.add(received);
      else early = [received];
    },
    skip: (unsent) => history.skip(unsent),
    elapsed: client.elapsed,
    sendFewerThan: (inFlight) => client.sendFewerThan(inFlight),
    notice: (sentence) => void notices.add(sentence),
  });

  /** Whether even the quickest response took as long as from afar: a busy machine, or a busy service, does not look like that. */
  const isFar = (): boolean => quickest >= FAR && quickest !== Number.POSITIVE_INFINITY;
  const width = (): number => (isFar() ? client.places() : client.isLate() ? LANES_OF_SLOW : LANES);

  /** Undefined if it is not sent. */
  async function sendVector(vector: Vector, lane?: Lane, atOnce = false): Promise<Received | undefined> {
    const received = await sender.send(composed(vector), { lane, atOnce });
    const id = madeBy(received);
    if (id !== undefined) created.push(id);
    return received;
  }

  const madeBy = (received: Received | undefined): bigint | undefined =>
    received === undefined ? undefined : animalOf(received, history.now());

  async function sendGroup(group: Group): Promise<readonly (Received | undefined)[]> {
    const all = await sendMembers(group);
    for (const received of all) if (received !== undefined) groups.set(received.sent, group);
    return all;
  }

  async function sendMembers({ how, rows, pause }: Group): Promise<readonly (Received | undefined)[]> {
    if (how === 'together') return Promise.all(rows.map((vector) => sendVector({ ...vector, connection: 'fresh' }, undefined, true)));
    const lane = lanes.open();
    try {
      const all: Promise<Received | undefined>[] = [];
      for (const [index, vector] of rows.entries()) {
        if (pause !== undefined && index === rows.length - 1) await wait(pause);
        // Of a distant service, what was created is read while the next one is created.
        const isBeside = isFar() && vector.op === 'get' && rows.some(({ op }) => op === 'create');
        const sending = sendVector(vector, isBeside ? undefined : lane);
        all.push(sending);
        if (!isBeside) await sending;
      }
      return await Promise.all(all);
    } finally {
      await lane.close();
    }
  }

  async function runPhase({
    title,
    rows,
    pause,
    isInOrder,
    readsBack,
    readsAll,
    settles,
  }: PhaseShape & { readonly title: string; readonly rows: readonly Row[] }): Promise<void> {
    const [from, before] = [client.elapsed(), client.requests()];
    if (pause !== undefined) await wait(pause);
    const again = readsAll === true ? created.map((id): Row => ({ op: 'get', id: `=${id}` })) : [];
    const queue: Row[] = [...rows, ...again];
    const later: Row[] = [];
    const beside: Promise<unknown>[] = [];
    async function work(some: Row[]): Promise<void> {
      for (let next = some.shift() ?? later.shift(); next !== undefined; next = some.shift() ?? later.shift()) {
        some.push(...sender.takeLost());
        const all = isGroup(next) ? await sendGroup(next) : [await sendVector(next)];
        if (!isGroup(next)) some.push(...splitter.after(next, all[0]?.response?.status));
        for (const received of all) {
          const id = madeBy(received);
          if (id === undefined) continue;
          if (readsBack !== true) continue;
          const read: Row = { op: 'get', id: `=${id}` };
          if (isInOrder === true && isFar()) beside.push(sendVector(read));
          else if (created.length % 2 === 0 && isInOrder !== true) await sendVector(read);
          else later.push(read);
        }
        // In between, what was created is read while other rows are sent.
        if (later.length > 8 && isInOrder !== true) some.splice(Math.min(some.length, 5), 0, ...later.splice(0, 4));
      }
    }
    const workOn = (width: number, some: Row[]): Promise<unknown> => Promise.all(Array.from({ length: width }, () => work(some)));
    if (isInOrder !== true) await workOn(width(), queue);
    else if (!isFar()) await work(queue);
    else {
      const others = queue.filter((one) => !creates(one));
      await Promise.all([work(queue.filter(creates)), workOn(BESIDE, others)]);
    }
    await Promise.all(beside);
    for (let lost = sender.takeLost(); lost.length > 0; lost = sender.takeLost()) await workOn(LANES, [...lost]);
    if (settles === true) await settle();
    phases.push({ title, from, requests: client.requests() - before });
  }

  /** What came too early to count is asked again once it counts: the same bytes. A service that does not lag is not waited for. */
  async function settle(): Promise<void> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const due = new Map(
        owed(clauses, history.now()).map((one) => [JSON.stringify([one.exchange.sent.target, one.exchange.sent.headers]), one]),
      );
      const again = [...due.values()].slice(-MOST_AGAIN);
      if (again.length === 0) return;
      const ripe = Math.max(...again.map((one) => one.ripe));
      const left = ripe - client.elapsed();
      if (left > 0) await wait(left + 1);
      await Promise.all(again.map(({ exchange }) => sender.again(exchange.sent)));
    }
  }

  /** Sends a row to learn when a clause is broken, and reads what it creates. */
  async function ask(row: Row): Promise<readonly number[] | undefined> {
    const creations = vectorsOf(row).filter(({ op }) => op === 'create').length;
    if (
      creations > 0 &&
      (options.readOnly || askedCreations + creations > MOST_ASKED_CREATIONS || createdSoFar() + creations > options.maxCreates)
    )
      return undefined;
    askedCreations += creations;
    const all = isGroup(row) ? await sendGroup(row) : [await sendVector(row)];
    const reads: (Received | undefined)[] = [];
    for (const received of all) {
      const id = madeBy(received);
      if (id !== undefined) reads.push(await sendVector({ op: 'get', id: `=${id}` }));
    }
    const told = isGroup(row) && row.isForLast === true ? all.slice(-1) : all;
    return [...told, ...reads].flatMap((received) => received?.number ?? []);
  }

  const contact: Contact = { options, send: (vector) => sender.send(composed(vector)), reset: () => sender.reset() };
  const reached = await reach(contact).catch(async (error: unknown) => {
    await client.close();
    throw error;
  });
  for (const received of early ?? []) history.add(received);
  early = undefined;
  const mistake = reached === undefined ? undefined : await findMistake(contact, reached);
  if (mistake !== undefined) {
    await client.close();
    return { ...resultOf(), mistake };
  }
  await runPhase({ title: 'the opening', rows: opening.slice(1, -3), isInOrder: true });
  const shown = [...history.now().seen.values()];
  first.push(...shown.map(({ id }) => id));
  await runPhase({ title: 'the first reads', rows: opening.slice(-3).slice(0, Math.max(1, first.length)), isInOrder: true });
  const counts = new Map(PET_STATUSES.map((status) => [status, shown.filter((one) => one.status === status).length]));
  const quiet = PET_STATUSES.reduce((one, other) => ((counts.get(other) ?? 0) < (counts.get(one) ?? 0) ? other : one));
  const candidates = new Set([...options.categoryIds, ...shown.flatMap(({ categoryId: id }) => id ?? []), ...FALLBACK_CATEGORIES]);
  for (const candidate of [...candidates].slice(0, MOST_CATEGORIES)) {
    categoryId = candidate;
    const received = await sendVector({ op: 'create', status: quiet });
    const id = madeBy(received);
    if (received === undefined || id !== undefined || (received.response?.status ?? 500) >= 500) break;
  }
  const plan = planOf({ size: shown.length, quiet, known: first.length }, options.seed);
  for (const phase of isFar() ? joined(plan) : plan) await runPhase(phase);
  for (const vector of splitter.unanswered()) history.skip({ vector, sent: compose(vector, contextOf()), ...NOT_SPLIT });
  const judged = resultOf();
  const broken = judged.verdicts.flatMap(({ verdict, clause }) => (verdict === 'fail' ? [clause.id] : []));
  const asking = { clauses, ask, now: history.now, vectorOf: (sent: Sent) => vectors.get(sent), groupOf: (sent: Sent) => groups.get(sent) };
  const conditions = wording === undefined ? [] : await conditionsOf(broken, { ...asking, wording });
  if (client.requests() > judged.requests)
    phases.push({ title: 'halving', from: client.elapsed(), requests: client.requests() - judged.requests });
  await client.close();
  return { ...judged, conditions };

  function createdSoFar(): number {
    const { accepted, acceptedWrongly, lost } = sender.created();
    return accepted + acceptedWrongly + lost;
  }

  function resultOf(): RowsResult {
    const world = history.now();
    return {
      ...{ world, verdicts: judge(clauses, world), requests: client.requests(), created: createdSoFar(), phases },
      ...{ conditions: [], vectorOf: (sent) => vectors.get(sent), notices: [...notices] },
    };
  }
}
