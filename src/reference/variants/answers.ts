import { randomUUID } from 'node:crypto';
import { integerLiteral } from '../core/json.ts';
import type { Context, Parts, Reply } from '../core/parts.ts';
import type { Pet } from '../core/pet.ts';
import { type Variant, variant } from './variant.ts';

const extra = 'members beyond those stated';
const spelling = 'media.well-formed';
const headersGap = 'response headers of any operation: not shown';

type PetRecord = Record<string, unknown>;

function withMembers(name: string, summary: string, add: (record: PetRecord, pet: Pet) => PetRecord): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({ petRecord: (pet, place) => add(parts.petRecord(pet, place), pet) });
  return variant(name, extra, summary, replace, { seedAnimals: 8 });
}

function encoded(name: string, summary: string, change: (text: string) => string): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({ encode: (value) => change(parts.encode(value).toString()) });
  return variant(name, spelling, summary, replace, { seedAnimals: 8 });
}

function contentType(name: string, value: string): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': value }),
  });
  return variant(name, 'media.json', `The media type is written ${value}.`, replace, { seedAnimals: 8 });
}

function withHeaders(
  name: string,
  leaves: string,
  summary: string,
  add: (reply: Reply, context: Context) => Record<string, string>,
): Variant {
  const replace = (parts: Parts): Partial<Parts> => ({
    handle: async (context) => {
      const reply = await parts.handle(context);
      return { ...reply, headers: { ...reply.headers, ...add(reply, context) } };
    },
  });
  return variant(name, leaves, summary, replace, { seedAnimals: 8 });
}

function escapeAll(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Members, spelling and headers beyond the document. */
export const answerVariants: readonly Variant[] = [
  withMembers('pet-with-timestamps', 'Pet has createdAt and updatedAt.', (record) => ({
    ...record,
    createdAt: '2026-01-02T03:04:05Z',
    updatedAt: null,
  })),
  withMembers('pet-with-nested-category', 'Pet has the category as an object, too.', (record, pet) => ({
    ...record,
    category: { id: integerLiteral(pet.categoryId), name: 'Dogs', status: 'open' },
  })),
  withMembers('pet-with-links', 'Pet has links and tags, before the stated members.', (record) => ({
    _links: { self: { href: '/v1/pets/1' } },
    tags: ['a', 1, null],
    ...record,
  })),
  withMembers('pet-members-reversed', 'The members of Pet come in the opposite order.', (record) =>
    Object.fromEntries(Object.entries(record).reverse()),
  ),
  withMembers('pet-with-many-members', 'Pet has twenty members more.', (record) => ({
    ...record,
    ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x${index}`, index / 2])),
  })),
  variant('error-with-details', extra, 'Error has details, a request id and a nested cause.', (parts) => ({
    errorRecord: (problem, call) => ({
      ...Object(parts.errorRecord(problem, call)),
      details: [{ field: 'name', code: 7 }],
      requestId: randomUUID(),
      cause: { status: 'none' },
    }),
  })),
  variant('error-with-problem-members', extra, 'Error has the members of RFC 9457, too.', (parts) => ({
    errorRecord: (problem, call) => ({ type: 'about:blank', title: 'Error', detail: null, ...Object(parts.errorRecord(problem, call)) }),
  })),
  variant(
    'error-messages-in-german',
    'values of code and message: not shown',
    'Messages are German, codes are numbers in texts.',
    (parts) => ({
      errorRecord: (problem, call) => ({
        ...Object(parts.errorRecord(problem, call)),
        code: `E-${problem.status}01`,
        message: 'Das ging schief: ungültige Anfrage',
      }),
    }),
  ),
  variant('error-messages-empty', 'values of code and message: not shown', 'Messages are empty.', (parts) => ({
    errorRecord: (problem, call) => ({ ...Object(parts.errorRecord(problem, call)), message: '' }),
  })),
  variant('unauthorized-codes-differ', 'errors.codes', 'Each way of failing authentication has its own code.', (parts) => ({
    errorRecord: (problem, call) => {
      const code = call.headers.authorization === undefined ? 'missing_credential' : 'invalid_credential';
      return { ...Object(parts.errorRecord(problem, call)), ...(problem.status === 401 ? { code } : {}) };
    },
  })),
  encoded('json-escaped', 'Everything beyond ASCII is escaped.', escapeAll),
  encoded('json-slashes-escaped', 'Slashes are escaped.', (text) => text.replaceAll('/', '\\/')),
  encoded('json-with-final-newline', 'Bodies end in a newline.', (text) => `${text}\n`),
  encoded('json-with-leading-blanks', 'Bodies begin with white space, to keep proxies awake.', (text) => `  \r\n${text}`),
  variant('json-indented', spelling, 'Bodies are indented.', () => ({ encode: (value) => JSON.stringify(value, null, 2) }), {
    seedAnimals: 8,
  }),
  contentType('content-type-with-charset', 'application/json; charset=utf-8'),
  contentType('content-type-in-capitals', 'Application/JSON'),
  contentType('content-type-with-quoted-charset', 'application/json;charset="UTF-8"'),
  withHeaders('headers-of-caches', headersGap, 'ETag, Last-Modified and Cache-Control are sent.', ({ body }) => ({
    etag: `"${body.length}"`,
    'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
    'cache-control': 'private, max-age=0',
    vary: 'Authorization',
  })),
  withHeaders('headers-of-browsers', headersGap, 'Headers for browsers and a session cookie are sent.', () => ({
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
    'set-cookie': 'session=1; HttpOnly; Path=/',
    server: 'petstore/1.0',
  })),
  withHeaders('headers-of-quota', headersGap, 'The state of the rate limit is sent.', () => ({
    'ratelimit-limit': '1000',
    'ratelimit-remaining': '998',
    'ratelimit-reset': '30',
    'x-request-id': randomUUID(),
  })),
  withHeaders('location-of-created', headersGap, 'The 201 has a Location.', ({ status }) =>
    status === 201 ? { location: '/v1/pets/1' } : {},
  ),
  withHeaders('retry-after-on-success', headersGap, 'Lists suggest by Retry-After when to poll again.', ({ status }) =>
    status === 200 ? { 'retry-after': '5' } : {},
  ),
];
