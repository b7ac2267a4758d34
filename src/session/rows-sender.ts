// What decides whether a row is sent, and whether the same bytes are sent again: above it are the plan and the history, below it the lanes.

import { setTimeout as pause } from 'node:timers/promises';
import { PET_STATUSES } from '../wire/exchange.ts';
import { CONTENT_TOO_LARGE, FORBIDDEN, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../wire/statuses.ts';
import type { Lanes, SendOptions } from './lanes.ts';
import type { Sent, Vector } from './rows.ts';
import { type Created, createBudget, mayHaveArrived } from './rows-budget.ts';
import { createCircuit, type Refusal } from './rows-circuit.ts';
import type { Received, Unsent } from './rows-history.ts';

/** What the history says about a request, and a response. */
export type Told = {
  /** With the API key, as the document has it. */
  isRight(sent: Sent): boolean;
  /** A creation that no service may carry out: without the key, or with an invalid body. */
  mustBeRejected(sent: Sent): boolean;
  /** Whether the response to a creation says which animal it made. */
  namesAnimal(received: Received): boolean;
  /** Why creations are rejected whatever their body is, once plain ones show that; undefined while they may be accepted. */
  stopped(): Pick<Unsent, 'why' | 'missing'> | undefined;
};

export type SenderParts = {
  readonly lanes: Lanes;
  readonly options: { readonly readOnly: boolean; readonly maxCreates: number };
  /** Of rows that the plan does not have: with a number, and thus a name, that no other row has. */
  readonly compose: (vector: Vector) => Sent;
  readonly told: Told;
  /** Enters an exchange into the history, or a row that is not sent. */
  readonly add: (received: Received) => void;
  readonly skip: (row: Unsent) => void;
  readonly elapsed: () => number;
  /** From now on fewer than that at a time: the key is rejected when so many are in flight. */
  readonly sendFewerThan: (inFlight: number) => void;
  readonly notice: (sentence: string) => void;
};

type Where = Pick<SendOptions, 'lane' | 'atOnce'>;
/** A row with its bytes. */
export type Composed = { readonly vector: Vector; readonly sent: Sent };

export type Sender = {
  /** Sends a row, by the bytes that it was composed to. Returns the last try; undefined if it is not sent, and the history says why. */
  send(row: Composed, options?: Where): Promise<Received | undefined>;
  /** The same bytes once more; a creation is never sent twice. */
  again(sent: Sent): Promise<Received | undefined>;
  /** Rows that failed while the service was down, once it is back: each once. */
  takeLost(): readonly Vector[];
  created(): Created;
  /** Whether nothing of what was sent so far counts as a failure any more: the service was waited for. */
  reset(): void;
};

/** Milliseconds before each try after a key was rejected, or a response broken off, that works otherwise; and so many in vain in a run. */
const PAUSES = [0, 25, 50];
const MOST_IN_VAIN = 8;
/** Statuses that a quota may give creations, whatever their body is. */
const QUOTAS: readonly number[] = [FORBIDDEN, CONTENT_TOO_LARGE, 507];
/** Plain creations that show a quota, and how often they are sent to see whether there is one. */
const [PROOFS, MOST_DOUBTS] = [2, 3];
/** A service that gives no response to creations costs so many lists. */
const MOST_LOOKS = 8;

class NotSent extends Error {
  override readonly name = 'NotSent';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.missing);
    this.refusal = refusal;
  }
}

/** What a service may respond to or not: the operation, what a row says about one dimension, and the value that it gives it. */
function kindsOf(vector: Vector): readonly string[] {
  const { op, ...rest } = vector;
  return [op, ...Object.entries(rest).flatMap(([dimension, value]) => [`${op} with ${dimension}`, `${op} with ${dimension} ${value}`])];
}

const isRejectedKey = ({ response }: Received): boolean => response?.status === UNAUTHORIZED;
const isBrokenOff = ({ sent, failure }: Received): boolean => sent.method === 'GET' && failure?.reason === 'protocol' && !failure.stale;
const isAdmitted = ({ response }: Received): boolean =>
  response !== undefined && ![UNAUTHORIZED, FORBIDDEN].includes(response.status) && response.status < LEAST_SERVER_ERROR;

export function createSender(parts: SenderParts): Sender {
  const { lanes, options, compose, told, add, skip } = parts;
  const budget = createBudget(options.maxCreates);
  const circuit = createCircuit<Received>({
    elapsed: parts.elapsed,
    notice: parts.notice,
    async ask() {
      const [list] = await lanes.send(compose({ op: 'list', limit: 1 }), { isBeside: true });
      // A service may be broken for lists, and up.
      const [last] = list?.response?.status === 200 ? [list] : await lanes.send(compose({ op: 'get', id: '=1' }), { isBeside: true });
      if (last === undefined) throw new Error('a request was sent and nothing is known of it');
      return last;
    },
  });
  const vectors = new WeakMap<Sent, Vector>();
  /** Operations that the key is accepted for, with what a row says. */
  const admitted = new Set<string>();
  let inVain = 0;
  let doubts = 0;
  let proving: Promise<void> | undefined;
  let stopped: ReturnType<Told['stopped']>;
  /** The last creation of which it is not known whether it made an animal, and which. */
  let unknown: Vector | undefined;
  let looks = 0;
  let looking: Promise<void> | undefined;

  const composed = (vector: Vector): Composed => ({ vector, sent: compose(vector) });

  /** What the key is accepted for: the operation, and which dimensions a row names. */
  const situationOf = ({ op, ...rest }: Vector): string => [op, ...Object.keys(rest).toSorted()].join(' ');
  const isMomentary = (situation: string, received: Received): boolean =>
    admitted.has(situation) && told.isRight(received.sent) && (isRejectedKey(received) || isBrokenOff(received));

  /** Sends the bytes; undefined, and the reason in the history, if nothing like it is sent any more. */
  async function attempt({ vector, sent }: Composed, where: Where): Promise<Received | undefined> {
    const [kinds, situation] = [kindsOf(vector), situationOf(vector)];
    vectors.set(sent, vector);
    try {
      const tries = await lanes.send(sent, {
        ...where,
        async admit() {
          const refusal = await circuit.admit(kinds);
          if (refusal !== undefined) throw new NotSent(refusal);
        },
        note(received, inFlight) {
          add(received);
          circuit.note(kinds, received);
          if (!told.isRight(sent)) return;
          if (isMomentary(situation, received) && isRejectedKey(received)) parts.sendFewerThan(inFlight);
          if (isAdmitted(received)) admitted.add(situation);
        },
      });
      return tries.at(-1);
    } catch (error) {
      if (!(error instanceof NotSent)) throw error;
      skip({ vector, sent, why: 'service', ...error.refusal });
      return undefined;
    }
  }

  /** After a key rejected, or a response broken off, that works otherwise, the same bytes are sent again. */
  async function persist(row: Composed, where: Where): Promise<Received | undefined> {
    const first = await attempt(row, where);
    const situation = situationOf(row.vector);
    if (first === undefined || !isMomentary(situation, first)) return first;
    for (const wait of PAUSES) {
      if (inVain >= MOST_IN_VAIN) return first;
      await pause(wait);
      const again = await attempt(row, where);
      if (again === undefined || !isMomentary(situation, again)) return again ?? first;
    }
    inVain += 1;
    return first;
  }

  /** Whether there is a quota: plain creations are sent until one is accepted, or enough were rejected. */
  async function prove(): Promise<void> {
    doubts += 1;
    for (let proof = 0; proof < PROOFS && stopped === undefined; proof += 1) {
      const received = await create(composed({ op: 'create' }), {}, false);
      if (received === undefined || told.namesAnimal(received)) return;
    }
  }

  /** A list that shows whether the creation left an animal, and which. */
  async function lookFor(creation: Vector): Promise<void> {
    const status = creation.op === 'create' ? PET_STATUSES.find((one) => one === creation.status) : undefined;
    const list: Vector = { op: 'list', limit: 100, ...(status === undefined ? {} : { status }) };
    looks += 1;
    unknown = undefined;
    await persist(composed(list), {});
  }

  async function create(row: Composed, where: Where, mayDoubt = true): Promise<Received | undefined> {
    const { vector, sent } = row;
    const mustBeRejected = told.mustBeRejected(sent);
    if (options.readOnly) return unsent(row, 'choice', '--read-only');
    if (stopped !== undefined && told.isRight(sent)) return unsent(row, stopped.why, stopped.missing);
    if (unknown !== undefined && looks < MOST_LOOKS)
      looking ??= lookFor(unknown).finally(() => {
        looking = undefined;
      });
    await looking;
    const spent = await budget.take(mustBeRejected);
    if (spent !== undefined) return unsent(row, 'choice', spent);
    let received: Received | undefined;
    try {
      received = await persist(row, where);
    } finally {
      budget.settle(mustBeRejected, received);
    }
    if (received === undefined || mustBeRejected) return received;
    if (mayHaveArrived(received) || ((received.response?.status ?? 0) < 300 && !told.namesAnimal(received))) unknown = vector;
    if (!QUOTAS.includes(received.response?.status ?? 0)) return received;
    stopped ??= told.stopped();
    if (mayDoubt && doubts < MOST_DOUBTS && stopped === undefined) {
      proving ??= prove().finally(() => {
        proving = undefined;
      });
      await proving;
    }
    return received;
  }

  function unsent(row: Composed, why: Unsent['why'], missing: string): undefined {
    skip({ ...row, why, missing });
    return undefined;
  }

  return {
    send: (row, where = {}) => (row.vector.op === 'create' ? create(row, where) : persist(row, where)),
    async again(sent) {
      const vector = vectors.get(sent);
      return vector === undefined || sent.method !== 'GET' ? undefined : persist({ vector, sent }, {});
    },
    takeLost: () => circuit.takeLost().flatMap(({ sent }) => vectors.get(sent) ?? []),
    created: budget.created,
    reset: circuit.reset,
  };
}
