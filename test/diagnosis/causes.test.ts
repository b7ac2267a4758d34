import { STATUS_CODES } from 'node:http';
import { describe, expect, test } from 'vitest';
import { judgeFault, judgeSetting } from '../../proof/judge-server.ts';
import { CONFORMING_TIMEOUT, settingOf } from '../../proof/result.ts';
import type { ClauseId } from '../../src/clause/clause.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { viewRun } from '../../src/diagnosis/cause.ts';
import { causes } from '../../src/diagnosis/causes/index.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { breakagesOf } from '../../src/diagnosis/repair-order.ts';
import { type FrontOptions, startFront } from '../support/front.ts';

/** What is judged: a fault of the registry, or a proxy that replaces responses. */
type Judged = {
  readonly only: readonly ClauseId[];
} & ({ readonly fault: string } | { readonly front: FrontOptions });

const JSON_TYPE = { 'content-type': 'application/json' };

/** The response of Spring Security to an error dispatch. */
const GUARDED = { 'cache-control': 'no-cache, no-store, max-age=0, must-revalidate', pragma: 'no-cache' };

const REPEATED: readonly ClauseId[] = [
  'create.id-assigned',
  'create.round-trip',
  'deprecation.replacement',
  'get.agrees-with-list',
  'get.durable',
  'get.identity',
  'get.repeatable',
  'get.success',
  'list.read-only',
];

/** Errors as products write them. */
const PRODUCTS = {
  Fastify: (status: number) => `{"statusCode":${status},"error":"Bad Request","message":"body must be object"}`,
  NestJS: (status: number) => `{"message":["name must be a string"],"error":"Bad Request","statusCode":${status}}`,
  FastAPI: () => '{"detail":[{"type":"missing","loc":["body","name"],"msg":"Field required","input":null}]}',
  gin: () => '404 page not found',
} as const;

/** A service with that fault whose errors a product writes. */
const writtenBy = (product: keyof typeof PRODUCTS, fault?: string): FrontOptions => ({
  ...(fault === undefined ? {} : { service: settingOf([fault]).server }),
  change: ({ status }) =>
    status >= 400 ? { body: PRODUCTS[product](status), headers: product === 'gin' ? { 'content-type': 'text/plain' } : JSON_TYPE } : {},
});

/** A service on which requests fail if others are in flight. */
function failsAmongOthers(message: string): FrontOptions {
  let inFlight = 0;
  return {
    instead(_asked, response) {
      inFlight += 1;
      response.once('close', () => {
        inFlight -= 1;
      });
      if (inFlight === 1) return false;
      response.writeHead(500, JSON_TYPE).end(JSON.stringify({ code: 'internal', message, status: 500 }));
      return true;
    },
  };
}

/** Each cause with a run that shows it and one that resembles it but must not. */
const CASES: Readonly<Record<string, { readonly shows: Judged; readonly not: Judged }>> = {
  'errors-ask-for-credentials': {
    shows: {
      front: { change: ({ status }) => (status === 400 ? { status: 401, body: '', headers: GUARDED } : {}) },
      only: ['auth.valid-key', 'create.success', 'list.limit-out-of-range'],
    },
    not: { fault: 'right-key-refused-now-and-then', only: ['auth.valid-key', 'list.success'] },
  },
  'locked-database': {
    shows: { front: failsAmongOthers('database is locked (5) (SQLITE_BUSY)'), only: ['errors.no-server-error', 'list.success'] },
    not: { front: failsAmongOthers('no such column: status'), only: ['errors.no-server-error', 'list.success'] },
  },
  'key-found-within': {
    shows: { front: { authorize: (sent) => /Bearer \S+$/.exec(sent)?.[0] ?? sent }, only: ['auth.wrong-key', 'auth.wrong-scheme'] },
    not: { fault: 'key-prefix-accepted', only: ['auth.wrong-key', 'auth.missing-credential'] },
  },
  'errors-by-framework': {
    shows: { front: writtenBy('Fastify'), only: ['errors.shape'] },
    not: { fault: 'error-status-missing', only: ['errors.shape'] },
  },
  'cache-ignores-key': {
    shows: { fault: 'list-cache-ignores-credential', only: ['auth.every-request', 'auth.missing-credential', 'list.complete'] },
    not: { fault: 'url-stays-authenticated', only: ['auth.every-request', 'auth.missing-credential', 'list.complete'] },
  },
  'instances-apart': {
    shows: { front: { instances: 3 }, only: REPEATED },
    not: { fault: 'ids-per-category', only: REPEATED },
  },
  'credentials-rejected-otherwise': {
    shows: { fault: 'missing-credential-forbidden', only: ['auth.missing-credential'] },
    not: { fault: 'missing-credential-hides-animal', only: ['auth.missing-credential'] },
  },
  'validated-before-authenticated': {
    shows: { fault: 'bad-id-before-credential', only: ['auth.precedence', 'auth.missing-credential'] },
    not: { fault: 'missing-credential-bad-request', only: ['auth.precedence', 'auth.missing-credential'] },
  },
};

/** What a framework does by default: a fault that looks like it, and a product with that default. */
const DEFAULTS: readonly (readonly [id: string, product: keyof typeof PRODUCTS, fault: string, clause: ClauseId])[] = [
  ['values-converted', 'Fastify', 'number-name-accepted', 'create.name-type'],
  ['null-counts-as-missing', 'NestJS', 'null-status-accepted', 'create.status-invalid'],
  ['integers-through-double', 'NestJS', 'stored-category-through-double', 'create.unusual-categories'],
  ['nan-accepted', 'FastAPI', 'nan-accepted', 'create.body-json'],
  ['nulls-written', 'FastAPI', 'default-status-null', 'record.pet'],
  ['member-case-ignored', 'gin', 'category-in-any-letter-case-accepted', 'create.category-required'],
  ['json-read-to-first-end', 'gin', 'trailing-garbage-accepted', 'create.body-json'],
  ['empty-list-written-otherwise', 'gin', 'empty-list-null', 'record.pets'],
];

async function judge(judged: Judged): Promise<RunRecord> {
  const judgement = { only: judged.only, explained: false };
  if ('fault' in judged) return judgeFault(judged.fault, judgement);
  return judgeSetting({ start: () => startFront(judged.front), session: { timeout: CONFORMING_TIMEOUT } }, judgement);
}

const idsOf = (record: RunRecord): readonly string[] => diagnose(record).causes.map(({ id }) => id);

describe('diagnose', () => {
  test('every cause of its own has a run that shows it and one that must not', () => {
    const known = [...Object.keys(CASES), ...DEFAULTS.map(([id]) => id)];
    // Micronaut shows it, in corpora/third-party.
    expect([...known, 'browsers-get-pages'].sort()).toEqual(causes.map(({ id }) => id).sort());
  });

  test.each(Object.entries(CASES))('names %s if a run shows it, and nothing else', async (id, { shows }) => {
    const record = await judge(shows);
    const { causes: found } = diagnose(record);
    expect(found.map((cause) => cause.id)).toEqual([id]);
    for (const cause of found) {
      expect(cause.explains.every((clause) => record.clauses.some((one) => one.id === clause && one.verdict === 'fail'))).toBe(true);
      expect(cause.evidence.length).toBeGreaterThan(0);
      expect(cause.advice.length).toBeGreaterThan(20);
    }
  });

  test.each(Object.entries(CASES))('does not name %s if a run only resembles it', async (id, { not }) => {
    const record = await judge(not);
    expect(record.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
    expect(idsOf(record)).not.toContain(id);
    expect(idsOf(record).length).toBeLessThanOrEqual(1);
  });

  test.each(DEFAULTS)('names %s where the responses are those of %s (%s)', async (id, product, fault, clause) => {
    const record = await judge({ front: writtenBy(product, fault), only: ['errors.shape', 'media.json', clause] });
    const cause = diagnose(record).causes.find((one) => one.id === id);
    expect(cause?.explains).toContain(clause);
    expect(cause?.advice.length).toBeGreaterThan(20);
  });

  test('says to users of Fastify that no hook runs for paths that its router rejects', async () => {
    const front = writtenBy('Fastify', 'bad-id-before-credential');
    const { causes: found } = diagnose(await judge({ front, only: ['auth.precedence', 'errors.shape'] }));
    const cause = found.find(({ id }) => id === 'validated-before-authenticated');
    expect(cause?.advice).toContain('frameworkErrors');
  });

  test.each(DEFAULTS)('says nothing of %s where no response shows %s (%s)', async (_id, _product, fault, clause) => {
    const record = await judge({ fault, only: [clause] });
    expect(record.clauses.some(({ id, verdict }) => id === clause && verdict === 'fail')).toBe(true);
    expect(idsOf(record)).toEqual([]);
  });

  test('tells Go by how it ends a text and takes members in any letter case, if errors are written well', async () => {
    const fault = 'category-in-any-letter-case-accepted';
    const causesWith = async (headers: Readonly<Record<string, string>>) => {
      const change: FrontOptions['change'] = (one) => ({ body: `${one.body}\n`, headers: { ...one.headers, ...headers } });
      const front = { service: settingOf([fault]).server, change };
      return diagnose(await judge({ front, only: ['errors.shape', 'media.json', 'create.category-required'] })).causes;
    };
    expect(await causesWith({})).toMatchObject([{ id: 'member-case-ignored', advice: expect.stringContaining('encoding/json') }]);
    expect(await causesWith({ server: 'Kestrel' })).toEqual([]);
  });

  test('puts the cause that explains more responses first where nothing waits, whatever the levels of their clauses', async () => {
    const [few, many] = await Promise.all(
      ['validated-before-authenticated', 'errors-by-framework'].map(async (id) => {
        const shows = CASES[id]?.shows;
        if (shows === undefined) throw new Error(`there is no case ${id}`);
        return judge(shows);
      }),
    );
    if (few === undefined || many === undefined) throw new Error('two runs were judged');
    const { causes: found } = diagnose({ ...few, clauses: [...few.clauses, ...many.clauses] });
    expect(found.map(({ id, waiting }) => [id, waiting])).toEqual([
      ['errors-by-framework', 0],
      ['validated-before-authenticated', 0],
    ]);
  });

  test('names no product if several write the same, and Starlette if the Server header is that of uvicorn', async () => {
    const plain = (server: string): Judged => ({
      front: {
        change: ({ status, headers }) =>
          status >= 400
            ? { body: STATUS_CODES[status] ?? '', headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', server } }
            : {},
      },
      only: ['errors.shape', 'media.json'],
    });
    const titleOf = async (judged: Judged): Promise<string | undefined> => diagnose(await judge(judged)).causes[0]?.title;
    expect(await titleOf(plain('uvicorn'))).toBe('Starlette writes error responses instead of the service');
    const ambiguous = diagnose(await judge(plain('gateway')));
    expect(ambiguous.causes.map(({ title }) => title)).toEqual(['A framework or a proxy writes error responses instead of the service']);
    expect(JSON.stringify(ambiguous)).not.toMatch(/Koa/);
  });

  test('is one cause if one line of code decides the body and the status of a rejection', async () => {
    const front: FrontOptions = {
      change: ({ status }) => (status === 400 ? { status: 422, body: PRODUCTS.FastAPI(), headers: JSON_TYPE } : {}),
    };
    const record = await judge({ front, only: ['errors.shape', 'create.name-required', 'create.name-type'] });
    const [cause, ...others] = diagnose(record).causes;
    expect(others).toEqual([]);
    expect(cause?.advice).toBe('Register @app.exception_handler(RequestValidationError) and return 400 with an Error body');
    expect(cause?.explains.toSorted()).toEqual(['create.name-required', 'errors.shape']);
  });

  // Each advice was carried out on a server of its product: without these words the repair fails there.
  test.each([
    ['integers-through-double', 'Express', /"json replacer".*lets null and texts through/],
    ['integers-through-double', 'NestJS', /@IsInt rejects every BigInt/],
    ['integers-through-double', 'Hono', /petId as z\.coerce\.bigint\(\)/],
    ['null-counts-as-missing', 'NestJS', /@ValidateIf/],
    ['null-counts-as-missing', 'axum', /reads a String/],
    ['null-counts-as-missing', 'Actix Web', /reads a String/],
    ['member-case-ignored', 'gin', /reject null yourself/],
    ['validated-before-authenticated', 'NestJS', /app\.use before any body parser/],
    ['validated-before-authenticated', 'Flask', /app\.before_request/],
    ['credentials-rejected-otherwise', 'Hono', /sends WWW-Authenticate/],
    ['browsers-get-pages', 'Micronaut', /ErrorResponseProcessor of your own/],
    ['json-read-to-first-end', 'Micronaut', /call the Validator/],
  ])('advises for %s what repairs %s', async (id, product, words) => {
    const run = { ...viewRun(await judge({ fault: 'list-not-found', only: ['list.success'] })), products: new Set([product]) };
    const advice = causes.find((cause) => cause.id === id)?.advice;
    expect(typeof advice === 'function' ? advice([], run) : advice).toMatch(words);
  });

  test('does not treat an accepted wrong key as a request that was validated first', async () => {
    const record = await judge({ fault: 'wrong-key-sometimes-accepted', only: ['auth.precedence', 'auth.wrong-key'] });
    expect(record.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
    expect(idsOf(record)).toEqual([]);
  });

  test('names the order of validation beside a header that may hold more than the key', async () => {
    const front: FrontOptions = {
      service: settingOf(['bad-id-before-credential']).server,
      authorize: (sent) => /Bearer \S+$/.exec(sent)?.[0] ?? sent,
    };
    const record = await judge({ front, only: ['auth.precedence', 'auth.wrong-key', 'auth.missing-credential'] });
    expect(idsOf(record).toSorted()).toEqual(['key-found-within', 'validated-before-authenticated']);
  });

  test.each([
    ['any-category-kept', 'create.category-type'],
    ['any-status-kept', 'create.status-invalid'],
  ] as const)('%s: what a creation must reject is repaired where it is created, and not where it is shown', async (fault, clause) => {
    const record = await judge({ fault, only: [clause, 'record.pet', 'record.pets'] });
    const consequences = breakagesOf(record).flatMap(({ clause: { id }, consequenceOf }) => (consequenceOf === clause ? [id] : []));
    expect(consequences).toEqual(['record.pet', 'record.pets']);
    expect(idsOf(record)).toEqual([]);
  });
});
