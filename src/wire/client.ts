import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { decodeContent, readBody, readBytes } from './body.ts';
import type { Answer, Exchange, WireRequest } from './exchange.ts';
import { createSemaphore } from './semaphore.ts';
import { isStaleConnection, transportFailure } from './transport-failure.ts';

export type ClientOptions = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly concurrency: number;
  /** Milliseconds from DNS to the last body byte. */
  readonly timeout: number;
  readonly rate: number;
  readonly maxBody: number;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
};

export type Client = {
  /** One exchange; whatever the service or the network does is in its outcome. */
  send(request: WireRequest, options?: { connection?: Dispatcher }): Promise<Exchange>;
  /** A dispatcher that keeps one connection. */
  connect(): Dispatcher;
  /** Milliseconds since the client was made. */
  elapsed(): number;
  /** Requests sent so far. */
  requests(): number;
  /** Milliseconds spent waiting because the service asked for it. */
  waited(): number;
  close(): Promise<void>;
};

const HEADER_CAP = 64 * 1024;
const LONGEST_POSTPONEMENT = 30_000;
const WAITING_BUDGET = 90_000;
const MOST_POSTPONEMENTS = 6;

function dispatcherFor(options: ClientOptions, shape: { connections: number; pipelining: 0 | 1 }): Dispatcher {
  // A custom CA is added to the public roots: undici's `ca` alone would replace them.
  const tls = options.ca === undefined ? {} : { ca: [...rootCertificates, readFileSync(options.ca, 'utf8')] };
  const common = {
    connections: shape.connections,
    pipelining: shape.pipelining,
    headersTimeout: options.timeout,
    bodyTimeout: options.timeout,
    maxHeaderSize: HEADER_CAP,
    connectTimeout: options.timeout,
  };
  if (options.proxy !== undefined) return new ProxyAgent({ ...common, uri: options.proxy, requestTls: tls, proxyTls: tls });
  return new Agent({ ...common, connect: { timeout: options.timeout, ...tls } });
}

/** Milliseconds that an answer asks to wait (RFC 9110, section 10.2.3), or undefined when it is no such answer. */
export function postponement(answer: Answer, attempt: number): number | undefined {
  const wait = answer.headers.find(([name]) => name === 'retry-after')?.[1];
  if (answer.status !== 429 && !(answer.status === 503 && wait !== undefined)) return undefined;
  if (wait === undefined) return 500 * 2 ** attempt;
  const seconds = /^\s*\d+\s*$/.test(wait) ? Number(wait) * 1000 : Date.parse(wait) - Date.now();
  return Number.isFinite(seconds) ? Math.max(seconds, 50) : 500 * 2 ** attempt;
}

/** Waits for permission to send: the rate bound and what the service asked for. */
function createPacer(rate: number) {
  let nextSlot = 0;
  let pausedUntil = 0;
  let waited = 0;
  return {
    waited: () => waited,
    /** Everybody waits; false when the waiting budget is spent. */
    postpone(milliseconds: number): boolean {
      const now = performance.now();
      if (milliseconds > LONGEST_POSTPONEMENT || waited + milliseconds > WAITING_BUDGET) return false;
      const until = now + milliseconds;
      waited += Math.max(0, until - Math.max(now, pausedUntil));
      pausedUntil = Math.max(pausedUntil, until);
      return true;
    },
    async turn(): Promise<void> {
      for (;;) {
        const now = performance.now();
        const slot = rate > 0 ? Math.max(nextSlot, pausedUntil) : pausedUntil;
        if (slot <= now) {
          nextSlot = now + (rate > 0 ? 1000 / rate : 0);
          return;
        }
        if (rate > 0) nextSlot = slot + 1000 / rate;
        await new Promise((resolve) => setTimeout(resolve, slot - now));
        if (rate > 0 && pausedUntil <= performance.now()) return;
      }
    },
  };
}

type Attempt = { readonly outcome: Exchange['outcome']; readonly retried: boolean };

/** The one HTTP client: no redirects, capped bodies, one deadline for everything, POSTs on connections of their own. */
export function createClient(options: ClientOptions): Client {
  const origin = new URL(options.baseUrl);
  const basePath = origin.pathname === '/' ? '' : origin.pathname.replace(/\/$/, '');
  const pooled = dispatcherFor(options, { connections: options.concurrency, pipelining: 1 });
  // A POST can't be repeated when a kept-alive connection turns out to be closed, so it never rides on one.
  const unpooled = dispatcherFor(options, { connections: options.concurrency, pipelining: 0 });
  const singles: Dispatcher[] = [];
  const enter = createSemaphore(options.concurrency);
  const pacer = createPacer(options.rate);
  const origo = performance.now();
  let count = 0;

  async function ask(request: WireRequest, context: { dispatcher: Dispatcher; signal: AbortSignal; reset: boolean }): Promise<Answer> {
    const { query, body } = request;
    const response = await context.dispatcher.request({
      origin: origin.origin,
      path: `${basePath}${request.path}${query === '' ? '' : `?${query}`}`,
      method: request.method,
      headers: request.headers.flat(),
      body: body === undefined ? null : body,
      signal: context.signal,
      reset: context.reset,
    });
    const headers = Object.entries(response.headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one) => [name.toLowerCase(), String(one ?? '')] as const),
    );
    try {
      const raw = await readBytes(response.body, options.maxBody);
      const coding = headers.find(([name]) => name === 'content-encoding')?.[1];
      const decoded = await decodeContent(raw, { coding, cap: options.maxBody });
      return { status: response.statusCode, headers, ...readBody(decoded) };
    } catch (error) {
      response.body.on('error', () => undefined).destroy();
      throw error;
    }
  }

  async function attempt(request: WireRequest, single: Dispatcher | undefined): Promise<Attempt> {
    const signal = AbortSignal.timeout(options.timeout);
    const dispatcher = single ?? (request.method === 'POST' ? unpooled : pooled);
    let retried = false;
    try {
      const first = ask(request, { dispatcher, signal, reset: false });
      const answer = await first.catch((error: unknown) => {
        if (request.method !== 'GET' || !isStaleConnection(error)) throw error;
        retried = true;
        return ask(request, { dispatcher: unpooled, signal, reset: true });
      });
      return { outcome: { kind: 'answered', answer }, retried };
    } catch (error) {
      return { outcome: { kind: 'failed', failure: transportFailure(error) }, retried };
    }
  }

  async function send(request: WireRequest, single: Dispatcher | undefined): Promise<Exchange> {
    for (let postponed = 0; ; postponed += 1) {
      await pacer.turn();
      count += 1;
      const number = count;
      const begin = performance.now();
      const { outcome, retried } = await attempt(request, single);
      const timings = { startedAt: begin - origo, duration: performance.now() - begin };
      const wait = outcome.kind === 'answered' ? postponement(outcome.answer, postponed) : undefined;
      if (wait !== undefined && postponed < MOST_POSTPONEMENTS && pacer.postpone(wait)) continue;
      return { number, request, timings, retried, postponed, outcome };
    }
  }

  return {
    send: (request, { connection } = {}) => enter(() => send(request, connection)),
    connect() {
      const single = dispatcherFor(options, { connections: 1, pipelining: 1 });
      singles.push(single);
      return single;
    },
    elapsed: () => performance.now() - origo,
    requests: () => count,
    waited: pacer.waited,
    async close() {
      await Promise.all([pooled, unpooled, ...singles].map((dispatcher) => dispatcher.destroy()));
    },
  };
}
