// The first rows: whether there is a service, and whether it is the one that is meant.

import { setTimeout as pause } from 'node:timers/promises';
import type { ClientOptions } from '../wire/client.ts';
import type { ExchangeOutcome, HttpResponse } from '../wire/exchange.ts';
import { isStarting, mistakeIn, whyUnreached } from '../wire/meant-service.ts';
import type { Received } from './history.ts';
import type { Vector } from './vector.ts';

/** Milliseconds that a gateway has which says that the service behind it is starting, and between two requests. */
const COLD_START = 5_000;
const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 500];

const PLAIN: Vector = { op: 'list' };
const OTHERS: readonly Vector[] = [
  { op: 'get', id: '=1' },
  { op: 'create', name: 'missing', category: 'missing' },
];

export type Contact = {
  readonly options: ClientOptions & { readonly waitForReady: number; readonly readOnly: boolean };
  /** Sends a row; undefined if it may not be sent. */
  readonly send: (vector: Vector) => Promise<Received | undefined>;
  /** Waiting for a service does not count as failures. */
  readonly reset: () => void;
};

function outcomeOf({ response, failure }: Received): ExchangeOutcome {
  if (response !== undefined) return { kind: 'answered', answer: response };
  if (failure === undefined) throw new Error('an exchange has neither a response nor a failure');
  return { kind: 'failed', failure };
}

/** The responses to the other requests; undefined if not all of them may be sent. */
async function askOthers({ send, options }: Contact): Promise<readonly ExchangeOutcome[] | undefined> {
  const outcomes: ExchangeOutcome[] = [];
  for (const vector of options.readOnly ? OTHERS.slice(0, 1) : OTHERS) {
    const received = await send(vector);
    if (received === undefined) return undefined;
    outcomes.push(outcomeOf(received));
  }
  return outcomes;
}

/** A service that hangs on one request is up and broken; one that hangs on the next as well can't be reached. */
async function askTwice({ send }: Contact): Promise<Received | undefined> {
  const first = await send(PLAIN);
  return first?.failure?.reason === 'timeout' ? send({ op: 'list', limit: 1 }) : first;
}

/**
 * Sends lists until the service responds: `waitForReady` milliseconds for a connection, five seconds for a gateway that says that the service behind it
 * is starting. Throws UnreachableError where nothing of it was received. Returns the last list; undefined if it may not be sent any more.
 */
export async function reachService(contact: Contact): Promise<Received | undefined> {
  const { options, reset } = contact;
  const begin = performance.now();
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    const received = await askTwice(contact);
    if (received === undefined) return undefined;
    reset();
    const isServiceStarting = isStarting({ outcome: outcomeOf(received) });
    if (received.failure === undefined && !isServiceStarting) return received;
    if (performance.now() - begin >= (isServiceStarting ? Math.max(COLD_START, options.waitForReady) : options.waitForReady)) {
      const unreached =
        received.failure === undefined ? undefined : await whyUnreached(options, received.failure, () => askOthers(contact));
      if (unreached !== undefined) throw unreached;
      return received;
    }
    await pause(wait);
  }
}

const isList = ({ response }: Received): boolean => response?.status === 200 && response.json.ok;

/**
 * Why nothing else can be judged, in one sentence; undefined if something can. Looks at the first list and, if it is none, at a read and a body that must
 * be rejected. A conforming service gets no request more.
 */
export async function findMistake(contact: Contact, first: Received): Promise<string | undefined> {
  if (isList(first) || first.response === undefined) return undefined;
  const others = await askOthers(contact);
  const responses = (others ?? []).flatMap((outcome): HttpResponse[] => (outcome.kind === 'answered' ? [outcome.answer] : []));
  return others === undefined || responses.length < others.length ? undefined : mistakeIn(contact.options, [first.response, ...responses]);
}
