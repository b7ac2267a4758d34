import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { startReference } from '../proof/server.ts';
import { createStore } from '../src/reference/core/store.ts';
import { startThreads } from '../test/support/few-threads.ts';
import type { LIMITS, Weather } from './weather-kinds.ts';

const KEY = process.env['KEY'] ?? '';
const SEED_ANIMALS = 8;
const SECOND = 1_000;
/** Milliseconds that a proxy holds each request, so that a run lasts longer than an outage. */
const SLOWNESS = 5;

type Accepts = () => boolean;

function fixedWindow(rate: number): Accepts {
  let [window, used] = [0, 0];
  return () => {
    const now = Math.floor(performance.now() / SECOND);
    if (now !== window) [window, used] = [now, 0];
    used += 1;
    return used <= rate;
  };
}

function slidingWindow(rate: number): Accepts {
  const accepted: number[] = [];
  return () => {
    const now = performance.now();
    while (accepted[0] !== undefined && accepted[0] <= now - SECOND) accepted.shift();
    if (accepted.length >= rate) return false;
    accepted.push(now);
    return true;
  };
}

function bucket(rate: number): Accepts {
  let [tokens, at] = [rate, performance.now()];
  return () => {
    const now = performance.now();
    tokens = Math.min(rate, tokens + ((now - at) * rate) / SECOND);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/** Each key of the map has a limit of its own. */
function each<Key extends object | string>(keyOf: (incoming: IncomingMessage) => Key, make: () => Accepts) {
  const limits = new Map<Key, Accepts>();
  return (incoming: IncomingMessage): boolean => {
    const key = keyOf(incoming);
    const accepts = limits.get(key) ?? make();
    limits.set(key, accepts);
    return accepts();
  };
}

function limiterOf(counts: (typeof LIMITS)[number], rate: number): (incoming: IncomingMessage) => boolean {
  if (counts === 'per key')
    return each(
      ({ headers }) => headers.authorization ?? 'none',
      () => slidingWindow(rate),
    );
  if (counts === 'per connection')
    return each<Socket>(
      ({ socket }) => socket,
      () => slidingWindow(rate),
    );
  const accepts = { 'fixed window': fixedWindow, 'sliding window': slidingWindow, bucket }[counts](rate);
  return () => accepts();
}

const json = { 'content-type': 'application/json' };

/** A proxy that handles some requests itself and passes the others on to the port that it is told. */
async function startProxy(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => number | undefined): Promise<number> {
  const server = createServer((incoming, outgoing) => {
    const port = handle(incoming, outgoing);
    if (port === undefined) return;
    const { method, url: path, headers } = incoming;
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    setTimeout(() => incoming.pipe(onward), SLOWNESS);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  return (server.address() as AddressInfo).port;
}

const reference = () => startReference({ apiKey: KEY, seedAnimals: SEED_ANIMALS });

async function limited({ counts, rate }: Extract<Weather, { kind: 'limit' }>): Promise<number> {
  const { port } = await reference();
  const accepts = limiterOf(counts, rate);
  return startProxy((incoming, outgoing) => {
    if (accepts(incoming)) return port;
    incoming.resume();
    outgoing.writeHead(429, { ...json, 'retry-after': '1' }).end('{"code":"too_many_requests","message":"Slow down"}');
    return undefined;
  });
}

async function disturbed({ what, from, until }: Extract<Weather, { kind: 'outage' }>): Promise<number> {
  const store = createStore();
  const old = await reference();
  // Another version on the same store: other messages, other headers, members of its own.
  const shared = { apiKey: KEY, store, seedAnimals: 0 };
  const [before, after] = await Promise.all([
    startReference(shared),
    startReference({ ...shared, variants: ['error-messages-in-german', 'json-indented', 'location-of-created'] }),
  ]);
  const fresh = await reference();
  let first: number | undefined;
  let turn = 0;
  return startProxy((incoming, outgoing) => {
    first ??= performance.now();
    const elapsed = (performance.now() - first) / SECOND;
    turn += 1;
    if (what === 'rolling deployment') {
      // More and more requests meet the new version.
      const share = Math.min(1, Math.max(0, (elapsed - from) / (until - from)));
      return (turn * 7) % 10 < share * 10 ? after.port : before.port;
    }
    if (what === 'restart, empty store') return elapsed < from ? old.port : fresh.port;
    if (elapsed < from || elapsed >= until) return old.port;
    if (what === 'no response') return undefined;
    if (what === 'connections refused') {
      incoming.socket.destroy();
      return undefined;
    }
    incoming.resume();
    if (what === '500') outgoing.writeHead(500, json).end('{"code":"internal","message":"Something went wrong"}');
    else outgoing.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
    return undefined;
  });
}

async function portIn(weather: Weather): Promise<number> {
  if (weather.kind === 'limit') return limited(weather);
  if (weather.kind === 'outage') return disturbed(weather);
  const { port } = await reference();
  if (weather.kind === 'fair') return port;
  const { server } = await startThreads(weather.threads, port);
  return (server.address() as AddressInfo).port;
}

const port = await portIn(JSON.parse(process.env['WEATHER'] ?? '') as Weather);
process.send?.({ baseUrl: `http://127.0.0.1:${port}/v1` });
