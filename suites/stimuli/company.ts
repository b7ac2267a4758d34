// Requests of each kind after those of each other kind, after a pause, and while other bodies are arriving: no request depends on those
// around it.

import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { eventOf } from '../../src/oracle/world.ts';
import { isInt64 } from '../../src/schema/validators.ts';
import type { CallOptions, Connection } from '../../src/session/client/api.ts';
import { EQUIVALENTS } from '../../src/session/client/equivalent.ts';
import { NO_CREDENTIAL } from '../../src/session/client/sending.ts';
import type { Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { acceptedCategories } from './creations.ts';
import { VAGUE_CLIENTS } from './documented.ts';
import { onConnection, oncePerSession } from './sending.ts';

/** Bytes of a body with white space: seven of them on one connection are more than 8 KiB. */
const PADDED = 1_280;

type Ask = (s: Session, options?: CallOptions) => Promise<unknown>;

const MISSING_NAME = { domain: 'invalid', clause: 'create.name-required' } as const;

/**
 * Another status and, if two of the store's categories were accepted, another category than the creation before: this reveals values that
 * an earlier request left behind.
 */
async function create(s: Session, options?: CallOptions): Promise<unknown> {
  const created = [...s.knowledge.created.values()];
  const status = PET_STATUSES[created.length % PET_STATUSES.length];
  const plain = await s.fixtures.plain(status);
  const accepted = new Set(created.map(({ sent }) => sent.categoryId));
  const [one, other] = (await acceptedCategories(s)).filter((category) => accepted.has(category));
  const categoryId = (created.length % 2 === 0 ? one : other) ?? plain.categoryId;
  // Several bodies begin with the same white space: a cache that knows them by their first bytes takes one for another.
  const spelling = created.length % 4 < 2 ? (text: string) => text.padStart(PADDED) : undefined;
  return s.api.create(
    { value: { ...plain, categoryId } },
    { ...options, domain: 'plain', ...(spelling === undefined ? {} : { spelling }) },
  );
}

/** Followed by white space: a guard that counts the bytes of all bodies on a connection must not reject the next one. */
const createNameless: Ask = (s, options) =>
  s.api.create({ value: {} }, { ...options, ...MISSING_NAME, spelling: (text) => text.padEnd(PADDED) });

/**
 * One request of each kind: successes of the three operations, and one for each status by which they reject. One list is full and one has room, so that
 * an omission shows. `IN_COMPANY` of creations.ts counts the creations that come of it.
 */
const ASKS: readonly Ask[] = [
  (s, options) => s.api.list({}, options),
  (s, options) => s.api.list({ limit: 100, status: 'sold' }, options),
  async (s, options) => {
    const [animal] = [...s.knowledge.created.values()].slice(-1);
    return animal === undefined ? undefined : s.api.get(animal.id, options);
  },
  createNameless,
  async (s, options) => s.api.get(await s.fixtures.absentId(), options),
  (s, options) => s.api.list({ limit: 2 }, { ...options, credential: NO_CREDENTIAL, before: 'the API key' }),
  create,
];

/**
 * A sequence in which each item follows each other one and itself (a de Bruijn sequence, which starts and ends with the last item). Earlier
 * items are frequent near the start, later ones near the end.
 */
function eachAfterEach<Item>(items: readonly Item[]): readonly Item[] {
  const cycle = items.flatMap((one, index) => [one, ...items.slice(index + 1).flatMap((other) => [one, other])]);
  return [...cycle.slice(-1), ...cycle];
}

const TIMES = 3;
const ARRIVING = 3;

/** Milliseconds between the first pieces and the request: less than between the pieces of a body, which a distant list would not be. */
const FIRST_PIECES = 10;

/** Sends requests while bodies arrive in two pieces on these connections: they are rejected in the end, so they create nothing. */
async function askWhileArriving(s: Session, asks: readonly Ask[], connections: readonly Connection[]): Promise<unknown> {
  const options = { ...MISSING_NAME, divided: true } as const;
  const arriving = connections.map((connection) => s.api.create({ value: {} }, { ...options, connection }));
  // Once a list has returned, the first pieces have arrived; at a distance, what is sent a moment later arrives a moment later.
  const list = s.api.list({ limit: 1 });
  const asked = Promise.race([list, s.pause(FIRST_PIECES)]).then(() => s.all(asks, (ask) => ask(s)));
  return Promise.all([...arriving, list, asked]);
}

/** The response time from which on a service is distant, in milliseconds: one kind after the other would take seconds. */
const DISTANT = 40;

/** Each kind while bodies arrive on open connections: opening one first would take too long. A distant service gets all kinds at once. */
async function besideBodies(s: Session, latency: number): Promise<void> {
  const connections = Array.from({ length: ARRIVING }, () => s.api.connect());
  try {
    await s.all(connections, (connection) => s.api.list({}, { connection }));
    for (const asks of latency < DISTANT ? ASKS.map((ask) => [ask]) : [ASKS]) await askWhileArriving(s, asks, connections);
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

/**
 * Lists on a connection on which a request was rejected. The rest of a body that was not read for the lack of a key is not a request; and the status
 * in a rejected request does not filter the next list.
 */
function afterRejections(s: Session): Promise<void> {
  const keyless = { credential: NO_CREDENTIAL, before: 'the API key' } as const;
  return onConnection(s, async (connection) => {
    await s.api.create({ value: {} }, { ...MISSING_NAME, ...keyless, connection });
    await s.api.list({ limit: 1 }, { connection });
    await s.api.create({ value: { status: 'sold' } }, { ...MISSING_NAME, connection });
    await s.api.list({ limit: LARGEST_LIMIT }, { connection });
    await s.api.list({ limit: 1, status: 'sold' }, { ...keyless, connection });
    await s.api.list({ limit: LARGEST_LIMIT }, { connection });
    await s.api.list({ limit: 'many', status: 'sold' }, { connection });
    await s.api.list({ limit: LARGEST_LIMIT }, { connection });
  });
}

/** Milliseconds: longer than what is cached for a moment and, depending on the depth, longer than a second. */
const SHORT_PAUSE = 110;
const PAUSES = { quick: 1_100, standard: 1_100, thorough: 2_000 } as const;

/** Milliseconds in which a run at a depth that has pauses waits for nothing else, if the service is as far away as that. */
export function timeOfPauses(depth: keyof typeof PAUSES, latency: number): number {
  return Math.max(0, PAUSES[depth] - latency) + (ASKS.length - 1) * Math.max(0, SHORT_PAUSE - latency);
}

/** Animals that a worker may not have saved when it is stopped for being idle. */
const NEWEST = 4;

/** The newest animals at the time of the long pause, which is the first caller. */
export const newestBeforePause = oncePerSession(
  async (s: Session): Promise<readonly bigint[]> => [...s.knowledge.created.values()].slice(-NEWEST).map(({ id }) => id),
);

/**
 * Each kind after its own short pause, and the one that the seed chooses after a long pause. The way to the service and back is part of a pause:
 * at a distance, each request of the sequence before came after a short one.
 */
async function afterPauses(s: Session, { latency, maker }: { readonly latency: number; readonly maker: Connection }): Promise<void> {
  const { seed, depth } = s.options;
  const last = seed % ASKS.length;
  const others = latency < SHORT_PAUSE ? [...ASKS.slice(last + 1), ...ASKS.slice(0, last)] : [];
  const afterPause = async (ask: Ask | undefined, pause: number): Promise<void> => {
    await s.pause(Math.max(0, pause - latency));
    await ask?.(s, ask === create || ask === createNameless ? { connection: maker } : {});
  };
  await newestBeforePause(s);
  await afterPause(ASKS[last], PAUSES[depth]);
  for (const ask of others) await afterPause(ask, SHORT_PAUSE);
}

/** Connections other than the one that creates: as few as a service with four threads has room for, and enough that one often reaches another worker. */
const WITNESSES = 2;
/** A timer may end this much too early, in milliseconds. */
const TIMER_ERROR = 5;
/** What still is to be waited for once the pauses are over, at most, in milliseconds. */
const LONGEST_WAIT = 700;

/** RFC 9110, section 8.8.3, in ASCII. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7e]*"$/;

/** The entity tag of a response, if it has one: none with the API key in it, which is sent in no other header than Authorization. */
function entityTagOf({ outcome }: Exchange, { apiKey }: Session['options']): string | undefined {
  const tag = outcome.kind === 'answered' ? outcome.answer.headers.find(([name]) => name === 'etag')?.[1] : undefined;
  return tag !== undefined && ENTITY_TAG.test(tag) && !tag.includes(apiKey) ? tag : undefined;
}

function showsCreated(list: Exchange, created: Exchange): boolean {
  const id = eventOf(created).pet?.id;
  return id !== undefined && eventOf(list).pets?.some((pet) => pet.id === id) === true;
}

/**
 * The pauses, with all creations, also rejected ones, on one connection; and on others, before the first one and after the consistency window, the
 * same lists and a read of the id that is likely next: what each worker or instance keeps for itself is still as it was before the creation.
 */
async function besideWitnesses(s: Session, latency: number): Promise<void> {
  const sold = { limit: LARGEST_LIMIT, status: 'sold' } as const;
  const maker = s.api.connect();
  const witnesses = Array.from({ length: WITNESSES }, () => s.api.connect());
  const newest = [...s.knowledge.created.values()].at(-1)?.id ?? 0n;
  const look = () =>
    s.all(witnesses, async (connection) => {
      await s.api.list({ limit: LARGEST_LIMIT }, { connection });
      const list = await s.api.list(sold, { connection });
      if (isInt64(newest + 1n)) await s.api.get(newest + 1n, { connection });
      return list;
    });
  try {
    const [before] = await look();
    const created = await s.api.create({ value: await s.fixtures.plain('sold') }, { domain: 'plain', connection: maker });
    const begin = performance.now();
    await afterPauses(s, { latency, maker });
    const left = begin + s.options.consistencyWindow - performance.now();
    if (left > LONGEST_WAIT) return;
    await s.pause(Math.max(0, left) + TIMER_ERROR);
    const [after] = await look();
    const etag = before === undefined ? undefined : entityTagOf(before, s.options);
    // A condition that cannot hold: the list has an animal since then.
    const isOther = after !== undefined && showsCreated(after, created) && before !== undefined && !showsCreated(before, created);
    if (etag !== undefined && isOther) await s.api.list(sold, { headers: [['if-none-match', etag]] });
  } finally {
    await Promise.all([maker, ...witnesses].map((connection) => connection.close()));
  }
}

type Client = Pick<CallOptions, 'headers' | 'fields' | 'without' | 'vague'>;

/** What clients add or leave out: each variation is used once, starting with the one that the seed chooses. */
function clientsOf({ options: { seed } }: Session): readonly Client[] {
  const { read } = EQUIVALENTS;
  const first = seed % read.length;
  return [...VAGUE_CLIENTS, ...read.slice(first), ...read.slice(0, first)];
}

/**
 * On one connection and with nothing else in flight, each kind after each; then each three times on its own connection, after a pause, and
 * while bodies arrive. The variations of clients rotate, so that each kind is sent with all of them. A creation comes first: if none may be
 * sent, nothing is.
 */
export async function inAnyCompany(s: Session): Promise<void> {
  const sequence = eachAfterEach(ASKS);
  const clients = clientsOf(s);
  const turns = new Map<Ask, number>();
  const inTurn = (ask: Ask): Client => {
    const turn = turns.get(ask) ?? 0;
    turns.set(ask, turn + 1);
    return clients[turn] ?? {};
  };
  let latency = Number.POSITIVE_INFINITY;
  await onConnection(s, async (connection) => {
    for (const ask of sequence.slice(0, s.cases(sequence.length))) {
      const begin = performance.now();
      await ask(s, { ...inTurn(ask), connection });
      latency = Math.min(latency, performance.now() - begin);
    }
  });
  await s.all(ASKS, (ask) =>
    onConnection(s, async (connection) => {
      for (let time = 0; time < TIMES; time += 1) await ask(s, { ...inTurn(ask), connection });
    }),
  );
  await afterRejections(s);
  await besideWitnesses(s, latency);
  await besideBodies(s, latency);
}
