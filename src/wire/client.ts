import type { Dispatcher } from 'undici';
import { ask, type Destination, dispatchOptions } from './ask.ts';
import { createBodySinks } from './body.ts';
import { isStaleConnection, wasNeverSent } from './connection.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { type ConnectionOptions, Dispatchers } from './dispatchers.ts';
import type { Exchange, Outgoing } from './exchange.ts';
import type { ExtraHeaders } from './extra-headers.ts';
import { watchOwnDelay } from './own-delay.ts';
import { addressFor } from './route.ts';
import { SendingLimits } from './sending-limits.ts';
import { type Progress, transportFailure } from './transport-failure.ts';
import { inSeconds } from './wording.ts';

export type ClientOptions = ConnectionOptions & {
  readonly headers: ExtraHeaders;
  readonly rate: number;
  readonly maxBody: number;
};

/** The result of an attempt, and how many requests were in flight when it was sent, including itself. */
export type Attempted = Pick<Exchange, 'number' | 'timings' | 'outcome' | 'retried'> & { readonly inFlight: number };

export type SendOptions = {
  readonly connection?: Dispatcher;
  /** Called when it is the request's turn, before it is sent; an exception is passed on. */
  readonly admit?: () => void | Promise<void>;
  /** Called with the result of each attempt, before its place is given to the next request. */
  readonly onAttempt?: (attempt: Attempted) => void;
  /** On a connection that other requests use too, or on one of its own; by default, GETs are on kept ones. */
  readonly kept?: boolean;
  readonly isUncounted?: boolean;
  /** Sent together with as many others as `concurrency` allows, even if the client currently sends fewer at a time. */
  readonly atOnce?: boolean;
  /** Sent only once: a response that asks to wait (429, 503 with Retry-After) is the result. */
  readonly once?: boolean;
};

type Attempt = { readonly outcome: Exchange['outcome']; readonly retried: boolean };
export type Sent<Request> = Exchange<Request>;
type Try<Request> = Omit<Sent<Request>, 'postponed'>;

/** The fraction of a deadline that our own delay may take without counting as the cause of the timeout. */
const OWN_PART = 0.1;

/** The one HTTP client: no redirects, bounded bodies, one deadline for everything, POSTs on connections of their own. */
export class Client {
  private readonly options: ClientOptions;
  private readonly destination: Destination;
  /** What is known before a request is sent, for the words of its failure. */
  private readonly way: Pick<Progress, 'proxy' | 'way'>;
  private readonly limits: SendingLimits;
  private readonly dispatchers: Dispatchers;
  private readonly deadline: Deadline;
  private readonly sinkFor: ReturnType<typeof createBodySinks>;
  private readonly ownDelay = watchOwnDelay();
  private readonly openedAt = performance.now();
  private count = 0;
  private inFlight = 0;

  constructor(options: ClientOptions) {
    const { origin, pathname } = new URL(options.baseUrl);
    this.options = options;
    this.destination = { origin, basePath: pathname.replace(/\/$/, ''), extra: options.headers };
    const proxy = options.proxy === undefined ? undefined : new URL(options.proxy).host;
    this.way = { proxy, way: { ...options, address: addressFor(options, new URL(options.baseUrl)) } };
    this.limits = new SendingLimits(options);
    this.dispatchers = new Dispatchers(options, {
      usual: this.limits.concurrency.averageDuration,
      ownDelaySince: this.ownDelay.longestSince,
    });
    this.deadline = createDeadline(options.timeout);
    this.sinkFor = createBodySinks(options.maxBody);
  }

  /** One exchange; its outcome records whatever the service or the network does. */
  async send<Request extends Outgoing>(request: Request, options: SendOptions = {}): Promise<Sent<Request>> {
    const sendOnce = (): Promise<Try<Request>> => this.sendInTurn(request, options);
    for (let postponed = 0; ; postponed += 1) {
      // The place is freed before the wait, so that the client can send fewer at a time to a service that asks for it.
      const exchange = await (options.isUncounted === true ? sendOnce() : this.limits.withinConcurrency(sendOnce, options));
      const { outcome, timings } = exchange;
      const sentAt = this.openedAt + timings.startedAt;
      if (outcome.kind === 'failed' || !this.limits.asksToWait(outcome.answer, { sentAt, postponed }, options))
        return { ...exchange, postponed };
    }
  }

  private async sendInTurn<Request extends Outgoing>(request: Request, options: SendOptions): Promise<Try<Request>> {
    await this.limits.rate.waitForTurn();
    await options.admit?.();
    this.inFlight += 1;
    try {
      return await this.sendNow(request, options);
    } finally {
      this.inFlight -= 1;
    }
  }

  private async sendNow<Request extends Outgoing>(request: Request, options: SendOptions): Promise<Try<Request>> {
    this.count += 1;
    const { count: number, inFlight } = this;
    let begin = performance.now();
    let { outcome, retried } = await this.attempt(request, options);
    if (request.method === 'GET' && this.wasOurDelay(outcome, begin)) {
      // The deadline passed while this process was blocked: that says nothing about the service. A POST is never sent twice.
      begin = performance.now();
      ({ outcome, retried } = await this.attempt(request, options));
    }
    const isOurs = this.wasOurDelay(outcome, begin);
    if (outcome.kind === 'failed' && isOurs) outcome = { ...outcome, failure: { ...outcome.failure, heldUp: true } };
    const timings = { startedAt: begin - this.openedAt, duration: performance.now() - begin };
    this.limits.concurrency.note(timings.duration);
    if (!isOurs) this.deadline.note(outcome, timings.duration);
    options.onAttempt?.({ number, timings, outcome, retried, inFlight });
    return { number, request, timings, retried, outcome };
  }

  /** Whether a deadline passed while our own event loop was blocked for more than a tenth of it. */
  private wasOurDelay(outcome: Attempt['outcome'], begin: number): boolean {
    if (outcome.kind !== 'failed' || outcome.failure.reason !== 'timeout') return false;
    return this.ownDelay.longestSince(begin) > this.deadline.current() * OWN_PART;
  }

  private async attempt(
    request: Outgoing,
    { connection: single, kept: isKept = request.method !== 'POST' }: SendOptions,
  ): Promise<Attempt> {
    const { unpooled, kept } = this.dispatchers;
    const late = new AbortController();
    const deadline = this.deadline.current();
    const timer = setTimeout(() => late.abort(new DOMException('the deadline has passed', 'TimeoutError')), deadline);
    const progress: Progress = { deadline, ...this.way, connected: false, bytes: 0 };
    const asking = { signal: late.signal, progress, sinkFor: this.sinkFor };
    const place = single === undefined && isKept ? this.dispatchers.kept.take() : undefined;
    const stopWatching = kept.watch(progress);
    let retried = false;
    try {
      const first = ask(single ?? place?.dispatcher ?? unpooled, dispatchOptions(request, { ...this.destination, reset: false }), asking);
      const answer = await first.catch((error: unknown) => {
        const mayRepeat = (request.method === 'GET' && isStaleConnection(error)) || (single === undefined && wasNeverSent(error));
        if (!mayRepeat) throw error;
        retried = true;
        return ask(unpooled, dispatchOptions(request, { ...this.destination, reset: true }), asking);
      });
      return { outcome: { kind: 'answered', answer }, retried };
    } catch (error) {
      return { outcome: { kind: 'failed', failure: transportFailure(error, progress) }, retried };
    } finally {
      clearTimeout(timer);
      stopWatching();
      place?.done();
    }
  }

  /** A connection of the caller's own, for `send`. */
  connect(): Dispatcher {
    return this.dispatchers.connect();
  }

  /**
   * From now on, keeps fewer requests than that in flight, because the service rejects some requests when this many are in flight. With 1,
   * the number is not the reason, and nothing is held back for it any more.
   */
  sendFewerThan(inFlight: number): void {
    this.limits.concurrency.fewerThan(inFlight);
  }

  /** Milliseconds since the client was created. */
  readonly elapsed = (): number => performance.now() - this.openedAt;
  readonly requests = (): number => this.count;
  /** Kept-alive connections on which the service sent a response without a request. */
  readonly unasked = (): number => this.dispatchers.unasked();
  /** Milliseconds spent waiting because the service asked for it. */
  readonly waited = (): number => this.limits.rate.waited();
  /** Milliseconds by which the run is longer because of waits that the service asks for and its rate limit. */
  readonly heldBack = (): number => this.limits.rate.heldBack();
  /** Whether responses are slow, so that it matters which requests come first. */
  readonly isFar = (): boolean => this.limits.concurrency.isFar();
  /** Whether responses take long on average, whatever the reason is. */
  readonly isLate = (): boolean => this.limits.concurrency.isLate();
  /** How many requests may be in flight, as the service responds now. */
  readonly places = (): number => this.limits.concurrency.places();
  /** Requests per second that the service allows, according to its rejections (429); undefined if it rejects none for their rate. */
  readonly allowedRate = (): number | undefined => this.limits.rate.allowed();
  /** What the report says about a service that serves few connections at a time; undefined if it does not. */
  readonly fewServed = (): string | undefined => this.dispatchers.kept.fewServed();

  /** Why the run is currently slower than usual, in words; undefined if it is not. */
  readonly slowBecause = (): string | undefined => {
    const paced = this.limits.slowBecause();
    if (paced !== undefined) return paced;
    if (this.deadline.shortenedAfter() !== undefined) return 'requests get no response';
    return this.limits.concurrency.isLate() ? `responses take ${inSeconds(this.limits.concurrency.averageDuration())}` : undefined;
  };

  /** What the report says about requests with a shortened deadline; undefined if there were none. */
  describeHangs(): string | undefined {
    const proofs = this.deadline.shortenedAfter();
    if (proofs === undefined) return undefined;
    return `${proofs} requests got no response within ${inSeconds(this.options.timeout)}; later ones were given ${inSeconds(this.deadline.current())}`;
  }

  async close(): Promise<void> {
    this.ownDelay.stop();
    await this.dispatchers.destroy();
  }
}

export const createClient = (options: ClientOptions): Client => new Client(options);
