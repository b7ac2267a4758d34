import {
  type Context,
  jsonReply,
  type Parts,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { variantsOf } from './variant.ts';

/** A bucket of this many requests that is refilled a second later. */
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

/** Turns requests away if the condition holds; authentication has passed. */
function turnAway(condition: () => (context: Context) => boolean, reply: (context: Context) => Reply): Patch {
  return (parts) => {
    const judge = condition();
    return { dispatch: (context) => (judge(context) ? reply(context) : parts.dispatch(context)) };
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

/** After this many creations every second one is rejected, whatever its body. */
function creationQuota(size: number, status = 403): Patch {
  return (parts) => {
    let made = 0;
    return {
      createPet: async (context) => {
        if (made >= size) return problemReply(context, new Problem(status, 'quota_exceeded', 'The quota of creations is used up'));
        const reply = await parts.createPet(context);
        if (reply.status === 201) made += 1;
        return reply;
      },
    };
  };
}

/** After this many creations there is no room for another animal; invalid bodies are still rejected as such. */
function storageQuota(size: number): Patch {
  return (parts) => {
    let made = 0;
    return {
      createPet: async (context) => {
        const readNewPet: Parts['readNewPet'] = (body, all) => {
          const newPet = parts.readNewPet(body, all);
          return made >= size && !(newPet instanceof Problem) ? new Problem(507, 'insufficient_storage', 'The store is full') : newPet;
        };
        const reply = await parts.createPet(withParts(context, { readNewPet }));
        if (reply.status === 201) made += 1;
        return reply;
      },
    };
  };
}

function bodyLimit(size: number): Patch {
  return (parts) => ({
    readBody: (bytes, call) =>
      bytes.byteLength > size ? new Problem(413, 'too_large', 'The body is too large') : parts.readBody(bytes, call),
  });
}

/** A server that turns clients away, and tells them when to retry. */
export const loadVariants = {
  ...variantsOf('rate limits, body size limits and quotas: not shown', {
    'rate-limited': [
      'Fifty requests a second, then 429 with Retry-After in seconds.',
      turnAway(beyondBucket(50), (context) => tooMany(context, '1')),
      { seedAnimals: 8 },
    ],
    'rate-limited-with-date': [
      'Fifty requests a second, then 429 with Retry-After as a date.',
      turnAway(beyondBucket(50), (context) => tooMany(context, soon())),
      { seedAnimals: 8 },
    ],
    'rate-limited-tightly': [
      'Fifteen requests a second, then 429.',
      turnAway(beyondBucket(15), (context) => tooMany(context, '1')),
      { seedAnimals: 8 },
    ],
    'rate-limited-in-plain-text': [
      'The gateway returns 429 as plain text.',
      turnAway(beyondBucket(50), (context) => ({
        ...jsonReply(context, 429, ''),
        headers: { 'content-type': 'text/plain', 'retry-after': '1' },
        body: 'Too Many Requests',
      })),
    ],
    'rate-limited-before-authentication': [
      'The gateway returns 429 before the credential is checked.',
      (parts) => {
        const take = bucket(50);
        return { handle: (context) => (take() ? parts.handle(context) : tooMany(context, '1')) };
      },
    ],
    'two-at-a-time': [
      'While two requests are in progress the gateway returns 429 to others, whoever sends them.',
      (parts) => {
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
      },
    ],
    'creations-have-a-quota': [
      'Sixty creations an hour, then 429 with a long Retry-After before the credential is checked.',
      (parts) => {
        let left = 60;
        return {
          handle: (context) => {
            if (context.call.operation === 'createPet') left -= 1;
            return context.call.operation === 'createPet' && left < 0 ? tooMany(context, '3600') : parts.handle(context);
          },
        };
      },
    ],
    'quota-of-30-forbids': ['After 30 creations every POST with the API key returns 403.', creationQuota(30), { seedAnimals: 8 }],
    'quota-of-120-forbids': ['After 120 creations every POST with the API key returns 403.', creationQuota(120)],
    'quota-of-30-too-many': ['After 30 creations every POST with the API key returns 429 without Retry-After.', creationQuota(30, 429)],
    'storage-for-30-creations': ['After 30 creations a valid NewPet returns 507.', storageQuota(30)],
    'storage-for-120-creations': ['After 120 creations a valid NewPet returns 507.', storageQuota(120), { seedAnimals: 8 }],
    'creations-rate-limited': [
      'Ten creations a second, then 429.',
      (parts) => {
        const take = bucket(10);
        return { createPet: (context) => (take() ? parts.createPet(context) : tooMany(context, '1')) };
      },
    ],
    'body-at-most-8-kb': ['A body over 8192 bytes returns 413.', bodyLimit(8192)],
    'body-at-most-64-kb': ['A body over 65536 bytes returns 413.', bodyLimit(65536)],
    'body-at-most-1-kb': ['A body over 1024 bytes returns 413.', bodyLimit(1024)],
    'target-at-most-2000': [
      'A request target over 2000 characters returns 414.',
      turnAway(
        () =>
          ({ call }) =>
            call.target.length > 2000,
        (context) => problemReply(context, new Problem(414, 'uri_too_long', 'The target is too long')),
      ),
    ],
    'headers-at-most-4-kb': [
      'Header values of more than 4 KB in total return 431.',
      turnAway(
        () =>
          ({ call }) =>
            Object.values(call.headers).join('').length > 4096,
        (context) => problemReply(context, new Problem(431, 'headers_too_large', 'The headers are too large')),
      ),
    ],
  }),
  ...variantsOf('statuses other than those above: not shown', {
    'unavailable-now-and-then': [
      'Every seventeenth request returns 503 with Retry-After.',
      turnAway(
        counted((count) => count % 17 === 0),
        (context) => unavailable(context, '1'),
      ),
      { seedAnimals: 8 },
    ],
    'cold-start-unavailable': [
      'The first three requests return 503 with Retry-After.',
      (parts) => {
        const starting = counted((count) => count <= 3)();
        return { handle: (context) => (starting() ? unavailable(context, '1') : parts.handle(context)) };
      },
    ],
  }),
  ...variantsOf('duration of a response: not shown', {
    'cold-start-slow': [
      'The first request takes two seconds.',
      (parts) => {
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
      },
    ],
  }),
};
