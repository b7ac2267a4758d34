import type { Context, Parts, Reply } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { jsonReply, problemReply } from '../core/replies.ts';
import { type Variant, variant } from './variant.ts';

const rate = 'rate limits, body size limits and quotas: not shown';

/** A bucket of so many requests that is filled again a second later. */
function bucket(size: number): () => boolean {
  let left = size;
  let filledAt = 0;
  return () => {
    if (Date.now() - filledAt >= 1000) {
      left = size;
      filledAt = Date.now();
    }
    left -= 1;
    return left >= 0;
  };
}

function tooMany(context: Context, retryAfter: string): Reply {
  return problemReply(context, new Problem(429, 'too_many_requests', 'Too many requests', { 'retry-after': retryAfter }));
}

function unavailable(context: Context, retryAfter: string): Reply {
  return problemReply(context, new Problem(503, 'unavailable', 'Try again later', { 'retry-after': retryAfter }));
}

/** Turns requests away where the condition holds; authentication has passed. */
function turnAway(condition: () => (context: Context) => boolean, answer: (context: Context) => Reply): (parts: Parts) => Partial<Parts> {
  return (parts) => {
    const judge = condition();
    return { dispatch: (context) => (judge(context) ? answer(context) : parts.dispatch(context)) };
  };
}

function beyondBucket(size: number): () => () => boolean {
  return () => {
    const take = bucket(size);
    return () => !take();
  };
}

function soon(): string {
  return new Date(Date.now() + 1000).toUTCString();
}

function counted(judge: (count: number) => boolean): () => () => boolean {
  return () => {
    let count = 0;
    return () => {
      count += 1;
      return judge(count);
    };
  };
}

function bodyLimit(name: string, size: number): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    readBody: (bytes, call) =>
      bytes.byteLength > size ? new Problem(413, 'too_large', 'The body is too large') : parts.readBody(bytes, call),
  });
  return variant(name, rate, `A body above ${size} bytes is answered 413.`, replace);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}

/** A server that turns clients away, and tells them when to come back. */
export const loadVariants: readonly Variant[] = [
  variant(
    'rate-limited',
    rate,
    'Fifty requests a second, then 429 with Retry-After in seconds.',
    turnAway(beyondBucket(50), (context) => tooMany(context, '1')),
    { seedAnimals: 8 },
  ),
  variant(
    'rate-limited-with-date',
    rate,
    'Fifty requests a second, then 429 with Retry-After as a date.',
    turnAway(beyondBucket(50), (context) => tooMany(context, soon())),
    { seedAnimals: 8 },
  ),
  variant(
    'rate-limited-tightly',
    rate,
    'Fifteen requests a second, then 429.',
    turnAway(beyondBucket(15), (context) => tooMany(context, '1')),
    { seedAnimals: 8 },
  ),
  variant(
    'rate-limited-in-plain-text',
    rate,
    'The gateway answers 429 with a plain text.',
    turnAway(beyondBucket(50), (context) => ({
      ...jsonReply(context, 429, ''),
      headers: { 'content-type': 'text/plain', 'retry-after': '1' },
      body: 'Too Many Requests',
    })),
  ),
  variant('rate-limited-before-authentication', rate, 'The gateway answers 429 before anybody looks at the credential.', (parts) => {
    const take = bucket(50);
    return { handle: (context) => (take() ? parts.handle(context) : tooMany(context, '1')) };
  }),
  variant('two-at-a-time', rate, 'While a request is under way the gateway answers others 429, whoever sends them.', (parts) => {
    let underWay = 0;
    return {
      handle: async (context) => {
        if (underWay > 1) return tooMany(context, '1');
        underWay += 1;
        await pause(2);
        const reply = await parts.handle(context);
        underWay -= 1;
        return reply;
      },
    };
  }),
  variant(
    'creations-have-a-quota',
    rate,
    'Sixty creations an hour, then 429 with a long Retry-After before the credential is looked at.',
    (parts) => {
      let left = 60;
      return {
        handle: (context) => {
          if (context.call.operation === 'createPet') left -= 1;
          return context.call.operation === 'createPet' && left < 0 ? tooMany(context, '3600') : parts.handle(context);
        },
      };
    },
  ),
  variant('creations-rate-limited', rate, 'Ten creations a second, then 429.', (parts) => {
    const take = bucket(10);
    return { createPet: (context) => (take() ? parts.createPet(context) : tooMany(context, '1')) };
  }),
  variant(
    'unavailable-now-and-then',
    'statuses other than those above: not shown',
    'Every seventeenth request is answered 503 with Retry-After.',
    turnAway(
      counted((count) => count % 17 === 0),
      (context) => unavailable(context, '1'),
    ),
    { seedAnimals: 8 },
  ),
  variant('cold-start-slow', 'duration of an answer: not shown', 'The first request takes two seconds.', (parts) => {
    let cold = true;
    return {
      handle: async (context) => {
        if (cold) {
          cold = false;
          await pause(2000);
        }
        return await parts.handle(context);
      },
    };
  }),
  variant(
    'cold-start-unavailable',
    'statuses other than those above: not shown',
    'The first three requests are answered 503 with Retry-After.',
    (parts) => {
      const starting = counted((count) => count <= 3)();
      return { handle: (context) => (starting() ? unavailable(context, '1') : parts.handle(context)) };
    },
  ),
  bodyLimit('body-at-most-8-kb', 8 * 1024),
  bodyLimit('body-at-most-64-kb', 64 * 1024),
  bodyLimit('body-at-most-1-kb', 1024),
  variant(
    'target-at-most-2000',
    rate,
    'A request target above 2000 characters is answered 414.',
    turnAway(
      () =>
        ({ call }) =>
          call.target.length > 2000,
      (context) => problemReply(context, new Problem(414, 'uri_too_long', 'The target is too long')),
    ),
  ),
  variant(
    'headers-at-most-4-kb',
    rate,
    'Header values above 4 KB together are answered 431.',
    turnAway(
      () =>
        ({ call }) =>
          Object.values(call.headers).join('').length > 4096,
      (context) => problemReply(context, new Problem(431, 'headers_too_large', 'The headers are too large')),
    ),
  ),
];
