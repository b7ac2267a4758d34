// Requests of each kind after those of each other kind, and beside bodies that are still arriving: no request depends on the company it is in.

import type { CallOptions, Connection } from '../../src/session/client/api.ts';
import { NO_CREDENTIAL } from '../../src/session/client/create-api.ts';
import { EQUIVALENTS, type Equivalent } from '../../src/session/client/equivalent.ts';
import type { Session } from '../../src/session/session.ts';
import { onConnection } from '../judging/on-connection.ts';

type Ask = (s: Session, options?: CallOptions) => Promise<unknown>;

const MISSING_NAME = { domain: 'invalid', clause: 'create.name-required' } as const;

/**
 * One request of each kind: successes of the three operations, and one for each status that they are rejected with. The creation comes first: where
 * none may be sent, nothing is.
 */
const ASKS: readonly Ask[] = [
  async (s, options) => s.api.create({ value: await s.fixtures.plain('pending') }, { ...options, domain: 'plain' }),
  (s, options) => s.api.list({}, options),
  (s, options) => s.api.list({ limit: 5, status: 'sold' }, options),
  async (s, options) => {
    const [animal] = [...s.knowledge.created.values()].slice(-1);
    return animal === undefined ? undefined : s.api.get(animal.id, options);
  },
  (s, options) => s.api.create({ value: {} }, { ...options, ...MISSING_NAME }),
  async (s, options) => s.api.get(await s.fixtures.absentId(), options),
  (s, options) => s.api.list({ limit: 2 }, { ...options, credential: NO_CREDENTIAL, before: 'the API key' }),
];

/** A sequence in which, when it begins anew at its end, each item comes after each other one and after itself, once (a de Bruijn sequence). */
function eachAfterEach<Item>(items: readonly Item[]): readonly Item[] {
  return items.flatMap((one, index) => [one, ...items.slice(index + 1).flatMap((other) => [one, other])]);
}

const TIMES = 2;
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

/** What clients send besides: each in its turn with the requests of one kind. */
const BESIDES: readonly Pick<Equivalent, 'headers'>[] = EQUIVALENTS.read;

/**
 * On one connection and with nothing else under way, each kind after each; then each twice on a connection of its own, and beside bodies.
 * What else clients send comes in turn, so that each kind is sent with all of it.
 */
export async function inAnyCompany(s: Session): Promise<void> {
  const sequence = eachAfterEach(ASKS);
  const turns = new Map<Ask, number>();
  const inTurn = (ask: Ask): Pick<Equivalent, 'headers'> => {
    const turn = turns.get(ask) ?? 0;
    turns.set(ask, turn + 1);
    return BESIDES[turn] ?? {};
  };
  await onConnection(s, async (connection) => {
    for (const ask of sequence.slice(0, s.cases(sequence.length))) await ask(s, { ...inTurn(ask), connection });
  });
  await s.all(ASKS, (ask) =>
    onConnection(s, async (connection) => {
      for (let time = 0; time < TIMES; time += 1) await ask(s, { ...inTurn(ask), connection });
    }),
  );
  await besideBodies(s);
}
