import { Halt } from '../../clause/halt.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Session } from '../session.ts';
import type { Breaker } from './circuit-breaker.ts';

/** The service could not be reached at all: there is nothing to judge. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
}

const COLD_START = 5_000;
const FIRST_PAUSE = 50;
const LONGEST_PAUSE = 500;

/** 502, 503, and 504 before the first real response mean that the service is still starting, and are not judged. */
function isStarting(exchange: Exchange): boolean {
  return exchange.outcome.kind === 'answered' && [502, 503, 504].includes(exchange.outcome.answer.status);
}

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
 * service behind it is starting. Only a first request without any response is "unreachable": a reset, a timeout, or garbage on an
 * established connection is for the checks to judge. Returns that first exchange; undefined for a service that limits the request rate more
 * than the client waits for.
 */
export async function reach(session: Session, breaker: Breaker): Promise<Exchange | undefined> {
  const { waitForReady, baseUrl } = session.options;
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
      if (failed === undefined || failed.reason === 'protocol' || failed.reason === 'too_large') return exchange;
      const { hostname, port, protocol } = new URL(baseUrl);
      const shownPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
      // In both cases there was a connection.
      const what = failed.reason === 'timeout' || failed.reason === 'tls' ? 'no response from' : 'cannot reach';
      throw new UnreachableError(`${what} ${hostname} port ${shownPort}: ${failed.message}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
