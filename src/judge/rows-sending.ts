// Sends rows in the light of what the run has seen so far: which number each has, which animals there are, and which category is accepted.

import { setTimeout as wait } from 'node:timers/promises';
import type { createWorld } from '../oracle/rows/world.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import type { Lane, Lanes } from '../session/lanes.ts';
import type { Context, Sent, Vector } from '../session/rows.ts';
import type { Reason, Received, Unsent } from '../session/rows-history.ts';
import { needsAnimal } from '../session/rows-raw.ts';
import { type Composed, createSender, type SenderParts } from '../session/rows-sender.ts';
import type { SessionOptions } from '../session/session.ts';
import { animalOf, toldBy } from './rows-told.ts';

/** A row and the number of its first vector: it makes names and random values, whenever the row is sent. */
export type NumberedRow = { readonly row: Row; readonly number: number };

/** Numbers rows in their order, from this number on. */
export function numbered(rows: readonly Row[], from: number): readonly NumberedRow[] {
  let number = from;
  return rows.map((row) => {
    const own = { row, number };
    number += vectorsOf(row).length;
    return own;
  });
}

/** No plan has so many rows: reads of what was created have numbers from here on, all others that nobody planned, and what is repeated at the end. */
const READ_BACK = 100_000;
const UNPLANNED = 200_000;
export const REPEATED = 400_000;

/** The number of the read of an animal is that of its creation and this. */
export const readBackOf = (creation: number): number => READ_BACK + creation;

/** As a client keeps them: of each name the latest. */
const latestCookies = (cookies: Iterable<string>): readonly string[] => [
  ...new Map([...cookies].map((cookie) => [cookie.split('=')[0], cookie])).values(),
];

type Parts = Pick<SenderParts, 'elapsed' | 'notice' | 'sendFewerThan'> & {
  readonly options: SessionOptions;
  readonly compose: (vector: Vector, context: Context) => Sent;
  readonly history: Pick<ReturnType<typeof createWorld>, 'now' | 'skip' | 'factsOf'>;
  readonly lanes: Lanes;
  readonly add: (received: Received) => void;
  /** Whether responses take so long that what need not follow each other does not. */
  readonly isFar: () => boolean;
  /** Why nothing more is sent; undefined as long as something is. */
  readonly stopped: () => Reason | undefined;
};

/** How a row was sent: its last tries, and the animals that it created. */
export type SentRow = { readonly received: readonly (Received | undefined)[]; readonly created: readonly bigint[] };

export function createRowSending(parts: Parts) {
  const { options, compose, history, lanes, stopped } = parts;
  const vectors = new WeakMap<Sent, Vector>();
  const groups = new WeakMap<Sent, Group>();
  const sent: Vector[] = [];
  const handled = new Set<number>();
  const listed: bigint[] = [];
  const created = new Map<number, bigint>();
  // While rows are sent over several connections, which animals are known does not depend on which of them is faster.
  let known: readonly bigint[] = [];
  let categoryId = options.categoryIds[0] ?? 1n;
  let unplanned = UNPLANNED;
  let done = 0;

  function composed(vector: Vector, number: number): Composed {
    const { apiKey, seed, runTag } = options;
    const cookies = latestCookies(history.now().cookies);
    return { vector, sent: compose(vector, { apiKey, seed, row: number, runTag, categoryId, known, cookies }) };
  }

  function nextUnplanned(rows = 1): number {
    unplanned += rows;
    return unplanned - rows;
  }

  const sender = createSender({
    ...{ lanes, options, told: toldBy(history), add: parts.add, skip: history.skip },
    ...{ elapsed: parts.elapsed, notice: parts.notice, sendFewerThan: parts.sendFewerThan },
    compose: (vector) => composed(vector, nextUnplanned()).sent,
  });

  /** What was created, in the order of the plan. */
  const animals = (): readonly bigint[] => [...created].sort(([one], [other]) => one - other).map(([, id]) => id);

  /** From now on, rows name these animals by their places: those of the first lists, then those created, in the order of the plan. */
  function lookAround(): void {
    known = [...listed, ...animals()];
  }

  function skip(vector: Vector, number: number, reason: Reason): void {
    history.skip({ ...composed(vector, number), ...reason });
  }

  /** Those that were neither sent nor skipped, as if that was the reason. */
  function unhandled(rows: readonly NumberedRow[], reason: Reason): readonly Unsent[] {
    return rows.flatMap(({ row, number }) =>
      vectorsOf(row).flatMap((vector, index) => (handled.has(number + index) ? [] : [{ ...composed(vector, number + index), ...reason }])),
    );
  }

  function reasonNotTo(vector: Vector): Reason | undefined {
    const reason = stopped();
    if (reason !== undefined || known.length > 0) return reason;
    const isOfKnown = vector.op === 'get' && vector.raw === undefined && (vector.id === undefined || typeof vector.id === 'number');
    if (!isOfKnown && !needsAnimal(vector)) return undefined;
    const needs = history.now().all.find(({ facts }) => facts.operation === 'listPets')?.number;
    return { why: 'circumstance', missing: 'an animal', ...(needs === undefined ? {} : { needs }) };
  }

  async function sendVector(
    vector: Vector,
    number: number,
    where: { readonly lane?: Lane; readonly atOnce?: boolean } = {},
  ): Promise<Received | undefined> {
    const reason = reasonNotTo(vector);
    if (number < READ_BACK && !handled.has(number)) done += 1;
    handled.add(number);
    if (reason !== undefined) {
      skip(vector, number, reason);
      return undefined;
    }
    const row = composed(vector, number);
    vectors.set(row.sent, vector);
    const received = await sender.send(row, where);
    if (received === undefined) return undefined;
    sent.push(vector);
    const id = animalOf(received, history.now());
    if (id !== undefined) created.set(number, id);
    return received;
  }

  async function sendGroup(group: Group, number: number): Promise<readonly (Received | undefined)[]> {
    const { how, rows, pause } = group;
    if (how === 'together')
      return Promise.all(rows.map((vector, index) => sendVector({ ...vector, connection: 'fresh' }, number + index, { atOnce: true })));
    const lane = lanes.open();
    try {
      const all: Promise<Received | undefined>[] = [];
      for (const [index, vector] of rows.entries()) {
        if (pause !== undefined && index === rows.length - 1) await wait(pause);
        // What is created in turn is known at once: nothing else is sent at the same time.
        lookAround();
        // Of a distant service, what was created is read while the next one is created.
        const isBeside = parts.isFar() && vector.op === 'get' && rows.some(({ op }) => op === 'create');
        const sending = sendVector(vector, number + index, isBeside ? {} : { lane });
        all.push(sending);
        if (!isBeside) await sending;
      }
      return await Promise.all(all);
    } finally {
      await lane.close();
    }
  }

  /** Sends a row, or says in the history why not. One that the plan does not have gets a number that no other has. */
  async function send(row: Row, number = nextUnplanned(vectorsOf(row).length)): Promise<SentRow> {
    const received = isGroup(row) ? await sendGroup(row, number) : [await sendVector(row, number)];
    for (const one of received) if (one !== undefined && isGroup(row)) groups.set(one.sent, row);
    return { received, created: vectorsOf(row).flatMap((_vector, index) => created.get(number + index) ?? []) };
  }

  return {
    send,
    /** The same bytes once more. */
    again: sender.again,
    skip,
    unhandled,
    /** Enters why those that were neither sent nor skipped were not. */
    skipRest(rows: readonly NumberedRow[], reason: Reason): void {
      for (const unsent of unhandled(rows, reason)) history.skip(unsent);
    },
    /** How many of the planned requests were sent or skipped. */
    done: (): number => done,
    lookAround,
    lists(ids: Iterable<bigint>): void {
      listed.push(...ids);
      lookAround();
    },
    /** From now on, creations have this category. */
    useCategory(id: bigint): void {
      categoryId = id;
    },
    takeLost: sender.takeLost,
    reset: sender.reset,
    animals,
    /** Animals that were created, or may have been. */
    created(): number {
      const { accepted, acceptedWrongly, lost } = sender.created();
      return accepted + acceptedWrongly + lost;
    },
    vectorsSent: (): readonly Vector[] => sent,
    vectorOf: (one: Sent): Vector | undefined => vectors.get(one),
    groupOf: (one: Sent): Group | undefined => groups.get(one),
  };
}
