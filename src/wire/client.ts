import { Readable } from 'node:stream';
import { setImmediate as afterReading, setTimeout as pause } from 'node:timers/promises';
import { Agent, buildConnector, type Dispatcher, errors, ProxyAgent } from 'undici';
import { type BodySink, createBodySinks, type Source } from './body.ts';
import { createAdaptiveConcurrency, createSemaphore, MOST_MORE } from './concurrency.ts';
import {
  type ConnectionFacts,
  connectionFacts,
  isStaleConnection,
  lookupFor,
  secureContextOf,
  skipInterimResponses,
  wasNeverSent,
} from './connection.ts';
import { createDeadline } from './deadline.ts';
import type { Exchange, HttpResponse, Outgoing } from './exchange.ts';
import { type ExtraHeaders, withExtra } from './extra-headers.ts';
import { createKeptConnections } from './kept-connections.ts';
import { watchLateness } from './lateness.ts';
import { basicAuthorization } from './login.ts';
import { createRateLimiter, createStatedLimit, LEAST_WAIT, postponement } from './rate-limit.ts';
import { addressFor, type Route } from './route.ts';
import { type Progress, transportFailure } from './transport-failure.ts';
import { inSeconds } from './wording.ts';

export type ClientOptions = Route & {
  readonly headers: ExtraHeaders;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly concurrency: number;
  /** Milliseconds from DNS to the last body byte. */
  readonly timeout: number;
  readonly rate: number;
  readonly maxBody: number;
};

/** The result of an attempt, and how many requests were in flight when it was sent, including itself. */
export type Attempted = Pick<Exchange, 'number' | 'outcome'> & { readonly underWay: number };

export type SendOptions = {
  readonly connection?: Dispatcher;
  /** Called when it is the request's turn, before it is sent; an exception is passed on. */
  readonly admit?: () => void | Promise<void>;
  /** Called with the result of each attempt, before its place is given to the next request. */
  readonly note?: (attempt: Attempted) => void;
  /** On a connection that no other request uses. */
  readonly fresh?: boolean;
  /** Not counted among the requests in flight. */
  readonly beyondBound?: boolean;
  /** Sent together with as many others as `concurrency` allows, even if the client currently sends fewer at a time. */
  readonly atOnce?: boolean;
  /** Sent only once: a response that asks to wait (429, 503 with Retry-After) is the result. */
  readonly once?: boolean;
};

/** The exchange of a request. */
export type Sent<Request> = Omit<Exchange, 'request' | 'firstTry'> & { readonly request: Request };
type Try<Request> = Omit<Sent<Request>, 'postponed'>;

export type Client = {
  /** One exchange; its outcome records whatever the service or the network does. */
  send<Request extends Outgoing>(request: Request, options?: SendOptions): Promise<Sent<Request>>;
  /**
   * From now on, keeps fewer requests than that in flight, because the service rejects some requests when this many are in flight. With 1,
   * the number is not the reason, and nothing is held back for it any more.
   */
  sendFewerThan(underWay: number): void;
  connect(): Dispatcher;
  /** Milliseconds since the client was created. */
  elapsed(): number;
  requests(): number;
  /** Kept-alive connections on which the service sent a response without a request. */
  unasked(): number;
  /** Milliseconds spent waiting because the service asked for it. */
  waited(): number;
  /** Milliseconds by which the run is longer because of waits that the service asks for and its rate limit. */
  heldBack(): number;
  /** Whether responses are slow, so that it matters which requests come first. */
  isFar(): boolean;
  /** Requests per second that the service allows, according to its rejections (429); undefined if it rejects none for their rate. */
  allowedRate(): number | undefined;
  /** Why the run is currently slower than usual, in words; undefined if it is not. */
  slowBecause(): string | undefined;
  /** What the report says about requests with a shortened deadline; undefined if there were none. */
  hangs(): string | undefined;
  /** What the report says about a service that serves few connections at a time; undefined if it does not. */
  fewServed(): string | undefined;
  close(): Promise<void>;
};

const HEADER_CAP = 64 * 1024;
const MOST_POSTPONEMENTS = 6;
const TOO_MANY_REQUESTS = 429;
/** Milliseconds. */
const BETWEEN_PIECES = 30;
/** Shared: undici would create one, with its stack, for each closed connection. */
const CLOSED = new errors.ClientDestroyedError();

/** Opens connections on which unexpected interim responses do no harm. */
function tolerantConnector(settings: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(settings);
  return (target, callback) =>
    connect(target, (...result) => {
      const [failure, socket] = result;
      if (failure === null && !('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) skipInterimResponses(socket);
      callback(...result);
    });
}

/**
 * Milliseconds before the end of the time that a service says it keeps a connection open for; no request is sent on it from then on. With the two
 * seconds that undici leaves by default, a service that says `Keep-Alive: timeout=2` gets each request on a connection of its own.
 */
const BEFORE_IT_CLOSES = 500;

/** Opens connections to the host and port of an address, on the way that the options say. */
export function dispatcherFor(
  options: Pick<ClientOptions, 'timeout'> & Route,
  shape: { readonly address: string; readonly connections: number; readonly pipelining: 0 | 1 },
): Dispatcher {
  const asTls = (route: Pick<Route, 'ca' | 'cert' | 'key'>) => {
    const secureContext = secureContextOf(route);
    return secureContext === undefined ? {} : { secureContext };
  };
  const common = {
    connections: shape.connections,
    pipelining: shape.pipelining,
    headersTimeout: options.timeout,
    bodyTimeout: options.timeout,
    maxHeaderSize: HEADER_CAP,
    connectTimeout: options.timeout,
    keepAliveTimeoutThreshold: BEFORE_IT_CLOSES,
  };
  if (options.proxy !== undefined) {
    // undici drops a password without a user name.
    const token = basicAuthorization(options.proxy);
    // The client certificate is for the service.
    const proxyTls = asTls({ ...options, cert: undefined, key: undefined });
    return new ProxyAgent({
      ...common,
      uri: options.proxy,
      requestTls: asTls(options),
      proxyTls,
      ...(token === undefined ? {} : { token }),
    });
  }
  const { unixSocket } = options;
  const lookup = lookupFor(options, new URL(shape.address));
  const socket = unixSocket === undefined ? {} : { socketPath: unixSocket };
  return new Agent({ ...common, connect: tolerantConnector({ timeout: options.timeout, lookup, ...socket, ...asTls(options) }) });
}

type Attempt = { readonly outcome: Exchange['outcome']; readonly retried: boolean };

/** How undici closes a connection that received a response without a request. */
function isUnasked(error: Error): boolean {
  return error instanceof errors.SocketError && error.message === 'bad response';
}

const perSecond = (rate: number): string => `about ${rate < 1.5 ? '1 request' : `${Math.round(rate)} requests`} a second`;

/** The fraction of a deadline that our own delay may take without counting as the cause of the timeout. */
const OWN_PART = 0.1;

/**
 * A body in two pieces that can't arrive as one. A response that arrived before a piece is read before that piece is written: a service
 * that rejects a body early may close the connection (RFC 9112, section 9.5), and a failed write would end it with the response unread.
 */
async function* inTwo(bytes: Buffer): AsyncGenerator<Buffer> {
  const middle = Math.ceil(bytes.byteLength / 2);
  yield bytes.subarray(0, middle);
  await pause(BETWEEN_PIECES);
  await afterReading();
  yield bytes.subarray(middle);
  await afterReading();
}

/** The one HTTP client: no redirects, bounded bodies, one deadline for everything, POSTs on connections of their own. */
export function createClient(options: ClientOptions): Client {
  const origin = new URL(options.baseUrl);
  const basePath = origin.pathname === '/' ? '' : origin.pathname.replace(/\/$/, '');
  // A POST can't be repeated if a kept-alive connection turns out to be closed, so it never uses one.
  const unpooled = dispatcherFor(options, { address: options.baseUrl, connections: options.concurrency * MOST_MORE, pipelining: 0 });
  const singles: Dispatcher[] = [];
  let unasked = 0;
  const rateLimiter = createRateLimiter(options.rate);
  const concurrency = createAdaptiveConcurrency(options.concurrency, rateLimiter.allowed);
  const most = options.concurrency * MOST_MORE;
  const kept = createKeptConnections({
    most,
    usual: concurrency.usual,
    open(connections) {
      const shape = connections === 0 ? ({ connections: most, pipelining: 0 } as const) : ({ connections, pipelining: 1 } as const);
      const dispatcher = dispatcherFor(options, { address: options.baseUrl, ...shape });
      dispatcher.on('disconnect', (_origin, _targets, error) => {
        if (isUnasked(error)) unasked += 1;
      });
      return dispatcher;
    },
  });
  const enter = createSemaphore(concurrency.places, concurrency.isFar);
  const stated = createStatedLimit();
  const sinkFor = createBodySinks(options.maxBody);
  const proxy = options.proxy === undefined ? undefined : new URL(options.proxy).host;
  const way = { ...options, address: addressFor(options, origin) };
  const openedAt = performance.now();
  const lateness = watchLateness();
  const deadline = createDeadline(options.timeout);
  let count = 0;
  let underWay = 0;
  let askedToWaitBy = TOO_MANY_REQUESTS;

  function dispatchOptions(
    { path, query, method, headers, body, divided, chunked }: Outgoing,
    reset: boolean,
  ): Dispatcher.DispatchOptions {
    const target = `${basePath}${path}${query === '' ? '' : `?${query}`}`;
    const whole = {
      origin: origin.origin,
      path: target,
      method,
      headers: withExtra(headers, options.headers).flat(),
      body: body ?? null,
      reset,
    };
    if ((divided !== true && chunked !== true) || body === undefined) return whole;
    const bytes = Buffer.from(body);
    if (chunked === true) return { ...whole, body: Readable.from(inTwo(bytes)) };
    return { ...whole, headers: [...whole.headers, 'content-length', String(bytes.byteLength)], body: Readable.from(inTwo(bytes)) };
  }

  async function attempt(request: Outgoing, { connection: single, fresh = false }: SendOptions): Promise<Attempt> {
    const late = new AbortController();
    const time = deadline.current();
    const timer = setTimeout(() => late.abort(new DOMException('the deadline has passed', 'TimeoutError')), time);
    const progress: Progress = { deadline: time, proxy, way, connected: false, bytes: 0 };
    const asking = { signal: late.signal, progress, sinkFor };
    const taken = single === undefined && request.method !== 'POST' && !fresh ? kept.take() : undefined;
    const dispatcher = single ?? taken?.dispatcher ?? unpooled;
    const stopWatching = kept.watch(progress);
    let retried = false;
    try {
      const first = ask(dispatcher, dispatchOptions(request, false), asking);
      const response = await first.catch((error: unknown) => {
        const mayRepeat = (request.method === 'GET' && isStaleConnection(error)) || (single === undefined && wasNeverSent(error));
        if (!mayRepeat) throw error;
        retried = true;
        return ask(unpooled, dispatchOptions(request, true), asking);
      });
      return { outcome: { kind: 'answered', answer: response }, retried };
    } catch (error) {
      return { outcome: { kind: 'failed', failure: transportFailure(error, progress) }, retried };
    } finally {
      clearTimeout(timer);
      stopWatching();
      taken?.done();
    }
  }

  /** Whether a deadline passed while our own event loop was blocked for more than a tenth of it. */
  function wasOurDelay(outcome: Attempt['outcome'], begin: number): boolean {
    return outcome.kind === 'failed' && outcome.failure.reason === 'timeout' && lateness.worstSince(begin) > deadline.current() * OWN_PART;
  }

  async function sendNow<Request extends Outgoing>(request: Request, sendOptions: SendOptions): Promise<Try<Request>> {
    count += 1;
    const number = count;
    const beside = underWay;
    let begin = performance.now();
    let { outcome, retried } = await attempt(request, sendOptions);
    if (request.method === 'GET' && wasOurDelay(outcome, begin)) {
      // The deadline passed while this process was blocked: that says nothing about the service. A POST is never sent twice.
      begin = performance.now();
      ({ outcome, retried } = await attempt(request, sendOptions));
    }
    if (outcome.kind === 'failed' && wasOurDelay(outcome, begin)) outcome = { ...outcome, failure: { ...outcome.failure, heldUp: true } };
    const timings = { startedAt: begin - openedAt, duration: performance.now() - begin };
    concurrency.note(timings.duration);
    if (!wasOurDelay(outcome, begin)) deadline.note(outcome, timings.duration);
    sendOptions.note?.({ number, outcome, underWay: beside });
    return { number, request, timings, retried, outcome };
  }

  async function sendOnce<Request extends Outgoing>(request: Request, sendOptions: SendOptions): Promise<Try<Request>> {
    await rateLimiter.turn();
    await sendOptions.admit?.();
    underWay += 1;
    try {
      return await sendNow(request, sendOptions);
    } finally {
      underWay -= 1;
    }
  }

  function enterTurn<Result>(work: () => Promise<Result>, { asker }: Outgoing, { atOnce = false }: SendOptions): Promise<Result> {
    return atOnce ? concurrency.regardless(() => enter(work, asker)) : enter(work, asker);
  }

  function waitsFor({ outcome, timings }: Pick<Exchange, 'outcome' | 'timings'>, postponed: number, { once = false }: SendOptions): boolean {
    if (outcome.kind === 'failed') return false;
    const { answer: response } = outcome;
    stated.read(response);
    const sentAt = openedAt + timings.startedAt;
    const wait = postponement(response, postponed);
    if (wait === undefined) {
      rateLimiter.accepted(sentAt, { again: postponed > 0 });
      return false;
    }
    if (once) return false;
    // A service that accepts another request at once does not limit the rate.
    const limit = response.status === TOO_MANY_REQUESTS && wait > LEAST_WAIT ? { limit: { stated: stated.rate() } } : {};
    if (postponed >= MOST_POSTPONEMENTS || !rateLimiter.postpone({ sentAt, wait, ...limit })) {
      rateLimiter.giveUp();
      return false;
    }
    askedToWaitBy = response.status;
    // The client keeps to a rate from now on: if that is not enough, the number at a time may be too large.
    if (response.status !== TOO_MANY_REQUESTS || postponed > 0) concurrency.ease();
    return true;
  }

  async function send<Request extends Outgoing>(request: Request, sendOptions: SendOptions = {}): Promise<Sent<Request>> {
    const attemptOnce = (): Promise<Try<Request>> => sendOnce(request, sendOptions);
    let putOff: Pick<Exchange, 'putOff'> = {};
    for (let postponed = 0; ; postponed += 1) {
      // The place is freed before the wait, so that the client can send fewer at a time to a service that asks for it.
      const exchange = await (sendOptions.beyondBound === true ? attemptOnce() : enterTurn(attemptOnce, request, sendOptions));
      if (!waitsFor(exchange, postponed, sendOptions)) return { ...exchange, ...putOff, postponed };
      if (exchange.outcome.kind === 'answered') putOff = { putOff: exchange.outcome.answer };
    }
  }

  function whyPaced(): string | undefined {
    const allowed = rateLimiter.allowed();
    if (rateLimiter.waits() > 0) {
      const from = allowed === undefined ? '' : `; ${perSecond(allowed)} from then on`;
      return `waiting ${inSeconds(rateLimiter.waits())}: the service asks to wait (${askedToWaitBy})${from}`;
    }
    return allowed === undefined || !rateLimiter.holdsBack() ? undefined : `${perSecond(allowed)}: the service limits their rate (429)`;
  }

  return {
    send,
    sendFewerThan: concurrency.fewerThan,
    connect() {
      const single = dispatcherFor(options, { address: options.baseUrl, connections: 1, pipelining: 1 });
      singles.push(single);
      return single;
    },
    elapsed: () => performance.now() - openedAt,
    requests: () => count,
    unasked: () => unasked,
    waited: rateLimiter.waited,
    heldBack: rateLimiter.heldBack,
    isFar: concurrency.isFar,
    allowedRate: rateLimiter.allowed,
    slowBecause() {
      const paced = whyPaced();
      if (paced !== undefined) return paced;
      if (deadline.shortenedAfter() !== undefined) return 'requests get no response';
      return concurrency.isLate() ? `responses take ${inSeconds(concurrency.usual())}` : undefined;
    },
    hangs() {
      const proofs = deadline.shortenedAfter();
      if (proofs === undefined) return undefined;
      return `${proofs} requests got no response within ${inSeconds(options.timeout)}; later ones were given ${inSeconds(deadline.current())}`;
    },
    fewServed: kept.fewServed,
    async close() {
      lateness.stop();
      await Promise.all([kept.destroy(CLOSED), ...[unpooled, ...singles].map((dispatcher) => dispatcher.destroy(CLOSED))]);
    },
  };
}

type AskOptions = {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly sinkFor: (coding: string, source: Source) => BodySink;
};

/**
 * A field value without the surrounding white space, which is not part of it (RFC 9112, section 5); undici removes only what precedes it.
 */
const withoutOuterSpace = (value: string): string => value.replace(/[ \t]+$/, '');

function headerList(headers: Readonly<Record<string, string | string[] | undefined>>): HttpResponse['headers'] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name.toLowerCase(), withoutOuterSpace(String(one ?? ''))] as const),
  );
}

/** Whether undici has mistaken white space after Content-Length for a digit, although the body has the stated length. */
function isMisread(error: Error & { readonly code?: string }, headers: HttpResponse['headers'], { bytes }: Progress): boolean {
  const lengths = headers.filter(([name]) => name === 'content-length');
  return error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && lengths.length === 1 && lengths[0]?.[1] === String(bytes);
}

function codingOf(headers: HttpResponse['headers']): string {
  return headers
    .filter(([name]) => name === 'content-encoding')
    .map(([, value]) => value)
    .join(',');
}

/**
 * Sends one request and reads its response to the last byte. It avoids the streams of undici's `request`, which cost more than the rest of
 * an exchange. Rejects with undici's error, the signal's reason, BodyTooLargeError, or ContentCodingError.
 */
function ask(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { signal, progress, sinkFor }: AskOptions,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let response:
      | {
          readonly status: number;
          readonly headers: HttpResponse['headers'];
          readonly body: BodySink;
          readonly facts: ConnectionFacts | undefined;
        }
      | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    const abort = (): void => controller?.abort(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    const settle = (): void => signal.removeEventListener('abort', abort);
    const finish = (): void => {
      settle();
      if (response === undefined) {
        reject(new errors.SocketError('the connection ended before a response'));
        return;
      }
      const { status, headers, body, facts } = response;
      const connection = facts === undefined ? {} : { connection: facts };
      resolve(body.end().then((read) => ({ status, headers, ...connection, ...read })));
    };
    dispatcher.dispatch(request, {
      onRequestStart(started) {
        controller = started;
        progress.connected = true;
        if (signal.aborted) abort();
      },
      onResponseStart(source, status, fields) {
        // 1xx (RFC 9110, section 15.2): the final response is still to come.
        if (status < 200) return;
        const headers = headerList(fields);
        progress.status = status;
        response = { status, headers, body: sinkFor(codingOf(headers), source), facts: connectionFacts(source.rawHeaders) };
      },
      onResponseData(source, chunk) {
        progress.bytes += chunk.length;
        try {
          response?.body.write(chunk);
        } catch (error) {
          source.abort(error as Error);
        }
      },
      onResponseEnd: finish,
      onResponseError(_source, error) {
        if (isMisread(error, response?.headers ?? [], progress)) {
          finish();
          return;
        }
        settle();
        response?.body.abandon();
        reject(error);
      },
    });
  });
}
