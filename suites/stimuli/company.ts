// Requests of each kind after those of each other kind, after a pause, and beside bodies that are still arriving: no request depends on the company
// it is in.

import type { CallOptions, Connection } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/create-api.ts';
import { EQUIVALENTS } from '../../src/session/client/equivalent.ts';
import type { Session } from '../../src/session/session.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { acceptedCategories } from '../judging/creations/accepted-categories.ts';
import { onConnection } from '../judging/on-connection.ts';
import { oncePerSession } from '../judging/once-per-session.ts';
import { VAGUE_CLIENTS } from './documented.ts';

type Ask = (s: Session, options?: CallOptions) => Promise<unknown>;

const MISSING_NAME = { domain: 'invalid', clause: 'create.name-required' } as const;

/** Another status and, where two of the store's were accepted, another category than the creation before: what that left behind shows. */
async function create(s: Session, options?: CallOptions): Promise<unknown> {
  const created = [...s.knowledge.created.values()];
  const status = PET_STATUSES[created.length % PET_STATUSES.length];
  const plain = await s.fixtures.plain(status);
  const accepted = new Set(created.map(({ sent }) => sent.categoryId));
  const [one, other] = (await acceptedCategories(s)).filter((category) => accepted.has(category));
  const categoryId = (created.length % 2 === 0 ? one : other) ?? plain.categoryId;
  return s.api.create({ value: { ...plain, categoryId } }, { ...options, domain: 'plain' });
}

/**
 * One request of each kind: successes of the three operations, and one for each status that they are rejected with. Of the lists, one is full and
 * one has room, so that what it omits shows.
 */
const ASKS: readonly Ask[] = [
  (s, options) => s.api.list({}, options),
  (s, options) => s.api.list({ limit: 100, status: 'sold' }, options),
  async (s, options) => {
    const [animal] = [...s.knowledge.created.values()].slice(-1);
    return animal === undefined ? undefined : s.api.get(animal.id, options);
  },
  (s, options) => s.api.create({ value: {} }, { ...options, ...MISSING_NAME }),
  async (s, options) => s.api.get(await s.fixtures.absentId(), options),
  (s, options) => s.api.list({ limit: 2 }, { ...options, credential: NO_CREDENTIAL, before: 'the API key' }),
  create,
];

/**
 * A sequence in which each item comes after each other one and after itself (a de Bruijn sequence, from its last item on and back to it). The last
 * one of the items comes first, and then the later the oftener.
 */
function eachAfterEach<Item>(items: readonly Item[]): readonly Item[] {
  const cycle = items.flatMap((one, index) => [one, ...items.slice(index + 1).flatMap((other) => [one, other])]);
  return [...cycle.slice(-1), ...cycle];
}

const TIMES = 3;
/** Bodies that arrive while something else is asked. */
const ARRIVING = 3;

/** Asks while bodies arrive in two pieces on these connections: rejected in the end, so that they create nothing. */
async function askWhileArriving(s: Session, ask: Ask, connections: readonly Connection[]): Promise<unknown> {
  const options = { ...MISSING_NAME, divided: true } as const;
  const arriving = connections.map((connection) => s.api.create({ value: {} }, { ...options, connection }));
  // By the time that a list has come back, the first pieces are there.
  const asked = s.api.list({ limit: 1 }).then(() => ask(s));
  return Promise.all([...arriving, asked]);
}

/** Each kind while bodies arrive, on connections that are open by then: what has to be opened first would come too late. */
async function besideBodies(s: Session): Promise<void> {
  const connections = Array.from({ length: ARRIVING }, () => s.api.connect());
  try {
    await s.all(connections, (connection) => s.api.list({}, { connection }));
    for (const ask of ASKS) await askWhileArriving(s, ask, connections);
  } finally {
    await Promise.all(connections.map((connection) => connection.close()));
  }
}

/** A list on a connection on which a creation was rejected for its key: what is left of a body that nobody read is no request. */
function afterRejectedKey(s: Session): Promise<void> {
  return onConnection(s, async (connection) => {
    await s.api.create({ value: {} }, { ...MISSING_NAME, credential: NO_CREDENTIAL, before: 'the API key', connection });
    await s.api.list({ limit: 1 }, { connection });
  });
}

/** Milliseconds: longer than what is kept for a moment, and, by depth, than a second. */
const SHORT_PAUSE = 110;
const PAUSES = { quick: 1_100, standard: 1_100, thorough: 2_000 } as const;

/** Animals that a worker may not have saved by the time that it is ended for having nothing to do. */
const NEWEST = 4;

/** The newest animals at the time of the long pause, which asks first. */
export const newestBeforePause = oncePerSession(
  async (s: Session): Promise<readonly bigint[]> => [...s.knowledge.created.values()].slice(-NEWEST).map(({ id }) => id),
);

/** Each kind after a pause of its own, one of them, which the seed chooses, after a long one. */
async function afterPauses(s: Session): Promise<void> {
  const { seed, depth } = s.options;
  const last = seed % ASKS.length;
  for (const ask of [...ASKS.slice(last), ...ASKS.slice(0, last)]) {
    if (ask === ASKS[last]) await newestBeforePause(s);
    await s.pause(ask === ASKS[last] ? PAUSES[depth] : SHORT_PAUSE);
    await ask(s);
  }
}

type Client = Pick<CallOptions, 'headers' | 'fields' | 'without' | 'vague'>;

/** What clients send besides, or leave out. From the place that the seed chooses, each has its turn with the requests of one kind. */
function clientsOf({ options: { seed } }: Session): readonly Client[] {
  const { read } = EQUIVALENTS;
  const first = seed % read.length;
  return [...VAGUE_CLIENTS, ...read.slice(first), ...read.slice(0, first)];
}

/**
 * On one connection and with nothing else under way, each kind after each; then each thrice on a connection of its own, after a pause, and beside
 * bodies. What else clients send comes in turn, so that each kind is sent with all of it. A creation comes first: where none may be sent, nothing is.
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
  await onConnection(s, async (connection) => {
    for (const ask of sequence.slice(0, s.cases(sequence.length))) await ask(s, { ...inTurn(ask), connection });
  });
  await s.all(ASKS, (ask) =>
    onConnection(s, async (connection) => {
      for (let time = 0; time < TIMES; time += 1) await ask(s, { ...inTurn(ask), connection });
    }),
  );
  await afterRejectedKey(s);
  await afterPauses(s);
  await besideBodies(s);
}
