// The first requests: whether there is a service, and whether it is the one that is meant.

import { Halt } from '../../clause/halt.ts';
import { asReceived, type Exchange, type HttpResponse } from '../../wire/exchange.ts';
import { isStarting, mistakeIn, whyUnreached } from '../../wire/meant-service.ts';
import type { Session } from '../session.ts';
import type { Breaker } from './circuit-breaker.ts';

const COLD_START = 5_000;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 500;

/** The first request; undefined if the service limits the request rate more than the client waits for. */
async function ask(session: Session): Promise<Exchange | undefined> {
  try {
    const first = await session.api.list({ limit: 1 });
    // A service that hangs on one request is up and broken; one that hangs on the next as well can't be reached.
    return first.outcome.kind === 'failed' && first.outcome.failure.reason === 'timeout' ? await session.api.list() : first;
  } catch (error) {
    if (error instanceof Halt) return undefined;
    throw error;
  }
}

/**
 * Sends requests until the service responds: `--wait-for-ready` milliseconds for a connection, five seconds for a gateway that says the
 * service behind it is starting. What ends a connection before any byte of a response (a port on which nothing listens, TLS, a timeout, a proxy, a
 * port that closes every connection) is no evidence about the service: it is "unreachable". Garbage, or a response that breaks off, is for
 * the checks to judge. Returns that first exchange; undefined for a service that limits the request rate more than the client waits for.
 */
export async function reach(session: Session, breaker: Breaker): Promise<Exchange | undefined> {
  const { waitForReady } = session.options;
  const begin = performance.now();
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const exchange = await ask(session);
    if (exchange === undefined) return undefined;
    // Waiting for a service does not count as failures.
    breaker.reset();
    const spent = performance.now() - begin;
    const patience = isStarting(exchange) ? Math.max(COLD_START, waitForReady) : waitForReady;
    const failed = exchange.outcome.kind === 'failed' ? exchange.outcome.failure : undefined;
    if (failed === undefined && !isStarting(exchange)) return exchange;
    if (spent >= patience) {
      const unreached = failed === undefined ? undefined : await whyUnreached(session.options, failed, () => outcomesOfOthers(session));
      if (unreached !== undefined) throw unreached;
      return exchange;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** A read, and, if writing is allowed, one body that must be rejected; undefined if not all of it may be sent. */
async function askOthers({ api, options }: Session): Promise<readonly Exchange[] | undefined> {
  try {
    const read = await api.get(1n);
    if (options.readOnly) return [read];
    return [read, await api.create({ value: {} }, { domain: 'invalid', clause: 'create.name-required', once: true })];
  } catch (error) {
    // The checks judge a service that asks to wait, or a budget without room.
    if (error instanceof Halt) return undefined;
    throw error;
  }
}

const outcomesOfOthers = async (session: Session) => (await askOthers(session))?.map(({ outcome }) => outcome);

/** The list with the responses to the other requests; undefined if one of them got none. */
async function askAll(session: Session, first: Exchange): Promise<readonly [HttpResponse, ...HttpResponse[]] | undefined> {
  const rest = await askOthers(session);
  if (rest === undefined) return undefined;
  const responses = [first, ...rest].flatMap((exchange) => {
    const { outcome } = asReceived(exchange);
    return outcome.kind === 'answered' ? [outcome.answer] : [];
  });
  const [list, ...others] = responses;
  return list === undefined || others.length < rest.length ? undefined : [list, ...others];
}

function isList({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && outcome.answer.status === 200 && outcome.answer.json.ok;
}

/**
 * Why nothing else can be judged, in one sentence; undefined if something can. Looks at the first response and, if it is not a JSON list,
 * at two more: whether a wrong address, a wrong key, or something other than a pet store leaves nothing else to judge. A conforming service
 * gets no extra request. Other addresses are tried without the key.
 */
export async function findMistake(session: Session, first: Exchange): Promise<string | undefined> {
  const received = asReceived(first);
  if (isList(received)) return undefined;
  if (received.outcome.kind === 'failed') return undefined;
  const responses = await askAll(session, first);
  return responses === undefined ? undefined : mistakeIn(session.options, responses);
}
