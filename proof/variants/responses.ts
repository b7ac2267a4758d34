import { createHash, randomUUID } from 'node:crypto';
import { integerLiteral } from '../../src/reference/core/json.ts';
import { type Call, type Patch, type Problem, type Reply, withoutHeaders } from '../../src/reference/core/parts.ts';
import type { Pet } from '../../src/reference/core/store.ts';
import { seeded, variantsOf } from './variant.ts';

type PetRecord = Record<string, unknown>;

function withMembers(add: (record: PetRecord, pet: Pet) => PetRecord): Patch {
  return (parts) => ({ petRecord: (pet, place) => add(parts.petRecord(pet, place), pet) });
}

function encoded(change: (text: string) => string): Patch {
  return (parts) => ({ encode: (value) => change(parts.encode(value).toString()) });
}

function contentType(value: string): Patch {
  return (parts) => ({ headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': value }) });
}

function withHeaders(add: (reply: Reply) => Record<string, string>): Patch {
  return (parts) => ({
    handle: async (context) => {
      const reply = await parts.handle(context);
      return { ...reply, headers: { ...reply.headers, ...add(reply) } };
    },
  });
}

function escapeAll(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Error bodies with additional members. */
function withError(add: (problem: Problem, call: Call) => Record<string, unknown>): Patch {
  return (parts) => ({ errorRecord: (problem, call) => ({ ...Object(parts.errorRecord(problem, call)), ...add(problem, call) }) });
}

/** Nothing of the imported animals has changed since. */
const IMPORTED = Date.UTC(2026, 0, 1);

/** Whether the client has this representation already (RFC 9110, section 13.2.2): the date counts only where no entity tag is sent. */
function isKnown({ headers }: Call, etag: string, changed: number): boolean {
  const { 'if-none-match': tags, 'if-modified-since': date } = headers;
  if (tags !== undefined) return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  return date !== undefined && Date.parse(date) >= changed;
}

/** Successful GETs have an entity tag and a date, and 304 tells a client that what it has is current. */
const conditional: Patch = (parts) => ({
  handle: async (context) => {
    const { call, store } = context;
    const reply = await parts.handle(context);
    if (call.method !== 'GET' || reply.status !== 200) return reply;
    const etag = `"${createHash('sha256').update(reply.body).digest('base64url')}"`;
    const newest = Math.max(IMPORTED, ...store.animals.map(({ createdAt }) => createdAt));
    const changed = Math.floor(newest / 1000) * 1000;
    const headers = { ...reply.headers, etag, 'last-modified': new Date(changed).toUTCString() };
    if (!isKnown(call, etag, changed)) return { ...reply, headers };
    return { status: 304, headers: withoutHeaders(headers, ['content-type']), body: '' };
  },
  send(reply, outgoing, call) {
    if (reply.status !== 304) return parts.send(reply, outgoing, call);
    // A Content-Length would be that of the 200 (RFC 9110, section 8.6).
    outgoing.writeHead(304, reply.headers).end();
  },
});

const PHOTO = `data:image/jpeg;base64,${'QUJD'.repeat(5_000)}`;
const TAGS = Array.from({ length: 600 }, (_, index) => `t${index}`);

/** Additional members, spellings, and headers. */
export const responseVariants = {
  ...variantsOf('members beyond those stated', {
    'pet-with-timestamps': [
      'Pet has createdAt and updatedAt.',
      withMembers((record) => ({ ...record, createdAt: '2026-01-02T03:04:05Z', updatedAt: null })),
      { seedAnimals: 8 },
    ],
    'pet-with-nested-category': [
      'Pet also has the category as an object.',
      withMembers((record, pet) => ({ ...record, category: { id: integerLiteral(pet.categoryId), name: 'Dogs', status: 'open' } })),
      { seedAnimals: 8 },
    ],
    'pet-with-links': [
      'Pet has links and tags, before the stated members.',
      withMembers((record) => ({ _links: { self: { href: '/v1/pets/1' } }, tags: ['a', 1, null], ...record })),
      { seedAnimals: 8 },
    ],
    'pet-members-reversed': [
      'The members of Pet come in the opposite order.',
      withMembers((record) => Object.fromEntries(Object.entries(record).reverse())),
      { seedAnimals: 8 },
    ],
    'pet-with-many-members': [
      'Pet has twenty more members.',
      withMembers((record) => ({ ...record, ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`x${index}`, index / 2])) })),
      { seedAnimals: 8 },
    ],
    'pet-with-photo': [
      'Pet has a photo of 20 kB as a data URL.',
      withMembers((record) => ({ ...record, photo: PHOTO })),
      { seedAnimals: 8 },
    ],
    'pet-with-many-tags': ['Pet has six hundred tags.', withMembers((record) => ({ ...record, tags: TAGS })), { seedAnimals: 8 }],
    'error-with-details': [
      'Error has details, a request id and a nested cause.',
      withError(() => ({ details: [{ field: 'name', code: 7 }], requestId: randomUUID(), cause: { status: 'none' } })),
    ],
    'error-with-problem-members': [
      'Error also has the members of RFC 9457.',
      (parts) => ({
        errorRecord: (problem, call) => ({
          type: 'about:blank',
          title: 'Error',
          detail: null,
          ...Object(parts.errorRecord(problem, call)),
        }),
      }),
    ],
  }),
  ...variantsOf('values of code and message: not shown', {
    'error-messages-in-german': [
      'Messages are German; codes are numbers as strings.',
      withError(({ status }) => ({ code: `E-${status}01`, message: 'Das ging schief: ungültige Anfrage' })),
    ],
    'error-messages-empty': ['Messages are empty.', withError(() => ({ message: '' }))],
  }),
  ...variantsOf('errors.codes', {
    'unauthorized-codes-differ': [
      'Each way of failing authentication has its own code.',
      withError(({ status }, call) => {
        const code = call.headers.authorization === undefined ? 'missing_credential' : 'invalid_credential';
        return status === 401 ? { code } : {};
      }),
    ],
  }),
  ...variantsOf(seeded(8, 'media.well-formed'), {
    'json-escaped': ['Everything beyond ASCII is escaped.', encoded(escapeAll)],
    'json-slashes-escaped': ['Slashes are escaped.', encoded((text) => text.replaceAll('/', '\\/'))],
    'json-with-final-newline': ['Bodies end in a newline.', encoded((text) => `${text}\n`)],
    'json-with-leading-blanks': ['Bodies begin with whitespace, to keep proxies from timing out.', encoded((text) => `  \r\n${text}`)],
    'json-indented': ['Bodies are indented.', () => ({ encode: (value) => JSON.stringify(value, null, 2) })],
  }),
  ...variantsOf(seeded(8, 'media.json'), {
    'content-type-with-charset': [
      'The media type is written application/json; charset=utf-8.',
      contentType('application/json; charset=utf-8'),
    ],
    'content-type-in-capitals': ['The media type is written Application/JSON.', contentType('Application/JSON')],
    'content-type-with-quoted-charset': [
      'The media type is written application/json;charset="UTF-8".',
      contentType('application/json;charset="UTF-8"'),
    ],
  }),
  ...variantsOf(seeded(8, 'response headers of any operation: not shown'), {
    'headers-of-caches': [
      'ETag, Last-Modified and Cache-Control are sent.',
      withHeaders(({ body }) => ({
        etag: `"${body.length}"`,
        'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
        'cache-control': 'private, max-age=0',
        vary: 'Authorization',
      })),
    ],
    'conditional-requests': [
      'ETag and Last-Modified are sent, and If-None-Match and If-Modified-Since that match them get 304.',
      conditional,
    ],
    'headers-of-browsers': [
      'Headers for browsers and a session cookie are sent.',
      withHeaders(() => ({
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'set-cookie': 'session=1; HttpOnly; Path=/',
        server: 'petstore/1.0',
      })),
    ],
    'headers-of-quota': [
      'The state of the rate limit is sent.',
      withHeaders(() => ({
        'ratelimit-limit': '1000',
        'ratelimit-remaining': '998',
        'ratelimit-reset': '30',
        'x-request-id': randomUUID(),
      })),
    ],
    'location-of-created': ['The 201 has a Location.', withHeaders(({ status }) => (status === 201 ? { location: '/v1/pets/1' } : {}))],
    'retry-after-on-success': [
      'Lists have a Retry-After that suggests when to poll again.',
      withHeaders(({ status }) => (status === 200 ? { 'retry-after': '5' } : {})),
    ],
  }),
};
