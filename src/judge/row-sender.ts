// Sends rows in the light of what the run has seen so far: which animals there are, which category is accepted, and what it may still create.

import type { Received } from '../oracle/rows/exchange.ts';
import type { createWorld, Unsent } from '../oracle/rows/world.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import type { Lane, Lanes } from '../session/lanes.ts';
import type { Context, Sent, Vector } from '../session/rows.ts';
import type { SessionOptions } from '../session/session.ts';
import { isSuccess } from '../wire/exchange.ts';

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

/** Of the budget of creations, what those may use up that must be rejected: the rest is for the others. */
const SHARE_OF_REJECTED = 3 / 4;

export type Reason = Pick<Unsent, 'why' | 'missing' | 'needs'>;

/** As a client keeps them: of each name the latest. */
const latestCookies = (cookies: Iterable<string>): readonly string[] => [
  ...new Map([...cookies].map((cookie) => [cookie.split('=')[0], cookie])).values(),
];

type Sending = {
  readonly options: SessionOptions;
  readonly compose: (vector: Vector, context: Context) => Sent;
  readonly history: ReturnType<typeof createWorld>;
  readonly lanes: Lanes;
  /** Why nothing more is sent; undefined as long as something is. */
  readonly stopped: () => Reason | undefined;
};

export type RowSender = ReturnType<typeof createRowSender>;

export function createRowSender({ options, compose, history, lanes, stopped }: Sending) {
  const vectors = new WeakMap<Sent, Vector>();
  const sent: Vector[] = [];
  const listed: bigint[] = [];
  const created = new Map<number, bigint>();
  // While rows are sent over several lanes, which animals are known does not depend on which of them is faster.
  let known: readonly bigint[] = [];
  let categoryId = options.categoryIds[0] ?? 1n;
  let [kept, astray, pending] = [0, 0, 0];
  let creates: (vector: Vector) => boolean = () => true;
  const handled = new Set<number>();

  function contextOf(row: number): Context {
    const { apiKey, seed, runTag } = options;
    return { apiKey, seed, row, runTag, categoryId, known, cookies: latestCookies(history.now().cookies) };
  }

  /** From now on, rows name these animals by their places: those of the first lists, then those created, in the order of the plan. */
  function lookAround(): void {
    known = [...listed, ...[...created].sort(([one], [other]) => one - other).map(([, id]) => id)];
  }

  function reasonNotTo(vector: Vector): Reason | undefined {
    const reason = stopped();
    if (reason !== undefined) return reason;
    if (vector.op === 'create') {
      if (options.readOnly) return { why: 'choice', missing: 'a creation, which this run may not send (--read-only)' };
      const { maxCreates } = options;
      // Until there is a response, each creation may have left an animal.
      const isWithin = kept + pending < maxCreates && (creates(vector) || astray + pending < maxCreates * SHARE_OF_REJECTED);
      return isWithin ? undefined : { why: 'choice', missing: 'an animal more than this run may create (--max-creates)' };
    }
    if (vector.op !== 'get' || (typeof vector.id !== 'number' && vector.id !== undefined) || known.length > 0) return undefined;
    const needs = history.now().all.find(({ facts }) => facts.operation === 'listPets')?.number;
    return { why: 'circumstance', missing: 'an animal', ...(needs === undefined ? {} : { needs }) };
  }

  function skip(vector: Vector, number: number, reason: Reason): void {
    history.skip({ vector, sent: compose(vector, contextOf(number)), ...reason });
  }

  async function sendVector(
    vector: Vector,
    number: number,
    { lane, atOnce }: { readonly lane: Lane; readonly atOnce: boolean },
  ): Promise<Received | undefined> {
    const reason = reasonNotTo(vector);
    handled.add(number);
    if (reason !== undefined) {
      skip(vector, number, reason);
      return undefined;
    }
    const composed = compose(vector, contextOf(number));
    vectors.set(composed, vector);
    sent.push(vector);
    const isCreation = vector.op === 'create';
    if (isCreation) pending += 1;
    const received = await lanes.send(composed, lane, atOnce);
    if (!isCreation) return received;
    pending -= 1;
    const isKept = received.response === undefined || isSuccess(received.response.status);
    if (isKept) kept += 1;
    if (isKept && !creates(vector)) astray += 1;
    const id = history.now().creations.findLast((one) => one.number === received.number)?.read.pet?.id;
    if (received.response?.status === 201 && id !== undefined) created.set(number, id);
    return received;
  }

  async function sendGroup({ how, rows }: Group, number: number, lane: Lane): Promise<readonly (Received | undefined)[]> {
    if (how === 'together')
      return Promise.all(
        rows.map((vector, index) => sendVector({ ...vector, connection: 'fresh' }, number + index, { lane, atOnce: true })),
      );
    const own = lanes.open();
    const all: (Received | undefined)[] = [];
    for (const [index, vector] of rows.entries()) {
      // What is created in turn is known at once: nothing else is sent at the same time.
      lookAround();
      all.push(await sendVector(vector, number + index, { lane: own, atOnce: false }));
    }
    return all;
  }

  return {
    /** Sends a row, or says in the history why not; returns the ids of the animals that it created. */
    async send({ row, number }: NumberedRow, lane: Lane): Promise<readonly bigint[]> {
      if (isGroup(row)) await sendGroup(row, number, lane);
      else await sendVector(row, number, { lane, atOnce: false });
      return vectorsOf(row).flatMap((_vector, index) => created.get(number + index) ?? []);
    },
    skip,
    /** Says of those that were neither sent nor skipped why not. */
    skipRest(rows: readonly NumberedRow[], reason: Reason): void {
      for (const { row, number } of rows)
        for (const [index, vector] of vectorsOf(row).entries()) if (!handled.has(number + index)) skip(vector, number + index, reason);
    },
    /** The same bytes once more. */
    again: (same: Sent, lane: Lane): Promise<Received> => lanes.send(same, lane),
    lookAround,
    lists(ids: Iterable<bigint>): void {
      listed.push(...ids);
      lookAround();
    },
    /** From now on, creations have this category. */
    useCategory(id: bigint): void {
      categoryId = id;
    },
    /** Which creations need not be rejected. */
    expectCreations(expected: (vector: Vector) => boolean): void {
      creates = expected;
    },
    created: (): readonly bigint[] => [...created.values()],
    kept: (): number => kept,
    vectorsSent: (): readonly Vector[] => sent,
    vectorOf: (one: Sent): Vector | undefined => vectors.get(one),
  };
}
