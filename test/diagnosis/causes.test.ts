import { STATUS_CODES } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../../src/clause/clause.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { viewRun } from '../../src/diagnosis/cause.ts';
import { causes } from '../../src/diagnosis/causes/index.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { judgeAddress, judgeFault } from '../prove/judge-server.ts';
import { settingOf } from '../prove/result.ts';
import { type Front, type FrontOptions, startFront, startSame } from '../support/front.ts';

/** What is judged: a fault of the registry, a proxy that replaces responses, or the same response to everything. */
type Judged = {
  readonly only: readonly ClauseId[];
  /** One request after the other, and each response judged at once, if the findings depend on the order of responses. */
  readonly inTurn?: boolean;
} & ({ readonly fault: string } | { readonly front: FrontOptions } | { readonly same: Parameters<typeof startSame>[0] });

const ERROR_404 = '{"code":"not_found","message":"There is no such operation","status":404}';
const ERROR_401 = '{"code":"unauthorized","message":"A valid API key is required","status":401}';
const PAGE = '<!doctype html><html><body>Welcome</body></html>';
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

const fastifyErrors: FrontOptions = {
  change: ({ status }) =>
    status >= 400 ? { body: `{"statusCode":${status},"error":"Bad Request","message":"body must be object"}`, headers: JSON_TYPE } : {},
};

/** A service on which requests fail if others are in flight. */
function everyThirdFails(message: string): FrontOptions {
  let requests = 0;
  return {
    change: ({ status }) => {
      requests += 1;
      const body = JSON.stringify({ code: 'internal', message, status: 500 });
      return status < 400 && requests % 3 === 0 ? { status: 500, body } : {};
    },
  };
}

/** Each cause with a run that shows it and one that resembles it but must not. */
const CASES: Readonly<Record<string, { readonly shows: Judged; readonly not: Judged }>> = {
  'wrong-scheme': {
    shows: { same: { status: 301, headers: { location: 'https://pets.example/v1/pets' } }, only: ['list.success', 'get.success'] },
    not: { fault: 'list-redirects-to-slash', only: ['list.success', 'create.success'] },
  },
  'wrong-address': {
    shows: { same: { status: 404, headers: JSON_TYPE, body: ERROR_404 }, only: ['list.success', 'create.success'] },
    not: { fault: 'list-not-found', only: ['list.success', 'create.success'] },
  },
  'wrong-key': {
    shows: { same: { status: 401, headers: JSON_TYPE, body: ERROR_401 }, only: ['auth.valid-key', 'list.success'] },
    not: { fault: 'right-key-refused-on-create', only: ['auth.valid-key', 'list.success'] },
  },
  'no-pet-store': {
    shows: { same: { status: 200, headers: { 'content-type': 'text/html' }, body: PAGE }, only: ['list.success', 'media.json'] },
    not: { fault: 'html-page-with-200', only: ['media.json', 'create.success'] },
  },
  'errors-ask-for-credentials': {
    shows: {
      front: { change: ({ status }) => (status === 400 ? { status: 401, body: '', headers: GUARDED } : {}) },
      only: ['auth.valid-key', 'create.success', 'list.limit-out-of-range'],
    },
    not: { fault: 'right-key-refused-now-and-then', only: ['auth.valid-key', 'list.success'] },
  },
  'locked-database': {
    shows: { front: everyThirdFails('database is locked (5) (SQLITE_BUSY)'), only: ['errors.no-server-error', 'list.success'] },
    not: { front: everyThirdFails('no such column: status'), only: ['errors.no-server-error', 'list.success'] },
  },
  'key-found-within': {
    shows: { front: { authorize: (sent) => /Bearer \S+$/.exec(sent)?.[0] ?? sent }, only: ['auth.wrong-key', 'auth.missing-credential'] },
    not: { fault: 'key-prefix-accepted', only: ['auth.wrong-key', 'auth.missing-credential'] },
  },
  'member-case-ignored': {
    shows: { fault: 'category-in-any-letter-case-accepted', only: ['create.category-required', 'create.name-required'] },
    not: { fault: 'missing-category-becomes-one', only: ['create.category-required', 'create.name-required'] },
  },
  'invalid-value-stored': {
    shows: { fault: 'any-status-kept', only: ['create.status-invalid', 'record.pet', 'record.pets'] },
    not: { fault: 'unknown-status-becomes-available', only: ['create.status-invalid', 'record.pet', 'record.pets'] },
  },
  'errors-by-framework': {
    shows: { front: fastifyErrors, only: ['errors.shape'] },
    not: { fault: 'error-status-missing', only: ['errors.shape'] },
  },
  'errors-of-one-status': {
    shows: { fault: 'unauthorized-without-code', only: ['errors.shape'] },
    not: { fault: 'error-code-missing', only: ['errors.shape'] },
  },
  'browsers-get-pages': {
    shows: { fault: 'html-for-browsers', only: ['media.json'] },
    not: { fault: 'html-page-with-200', only: ['media.json'] },
  },
  'content-type-guessed': {
    shows: {
      front: { change: ({ status }) => (status === 201 ? { headers: { 'content-type': 'text/plain; charset=utf-8' } } : {}) },
      only: ['media.json', 'list.success', 'create.success'],
    },
    not: {
      front: { change: () => ({ headers: { 'content-type': 'text/plain' } }) },
      only: ['media.json', 'list.success', 'create.success'],
    },
  },
  'rejected-with-422': {
    shows: { fault: 'bad-category-unprocessable', only: ['create.category-type'] },
    not: { fault: 'bad-name-conflict', only: ['create.name-type'] },
  },
  'cache-ignores-key': {
    shows: { fault: 'list-cache-ignores-credential', only: ['auth.every-request', 'auth.missing-credential', 'list.complete'] },
    not: { fault: 'url-stays-authenticated', only: ['auth.every-request', 'auth.missing-credential', 'list.complete'] },
  },
  'cache-ignores-query': {
    shows: { fault: 'list-cache-ignores-query', only: ['list.status-filter', 'list.complete', 'list.limit-accepted'], inTurn: true },
    not: { fault: 'filter-remembers-last', only: ['list.status-filter', 'list.complete', 'list.limit-accepted'] },
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
  'integers-too-narrow': {
    shows: { fault: 'stored-category-wrapped-to-int32', only: ['create.unusual-categories'] },
    not: { fault: 'category-wraps-at-int64', only: ['create.category-range'] },
  },
  'integers-through-double': {
    shows: { fault: 'stored-category-through-double', only: ['create.unusual-categories'] },
    not: { fault: 'category-clamped-to-int64', only: ['create.category-range'] },
  },
  'values-converted': {
    shows: { fault: 'number-name-accepted', only: ['create.name-type'] },
    not: { fault: 'null-name-becomes-text', only: ['create.name-required', 'create.name-type'] },
  },
  'null-counts-as-missing': {
    shows: { fault: 'null-status-accepted', only: ['create.status-invalid'] },
    not: { fault: 'empty-status-accepted', only: ['create.status-invalid'] },
  },
  'json-read-to-first-end': {
    shows: { fault: 'trailing-garbage-accepted', only: ['create.body-json'] },
    not: { fault: 'comments-accepted', only: ['create.body-json'] },
  },
  'nan-accepted': {
    shows: { fault: 'nan-accepted', only: ['create.body-json'] },
    not: { fault: 'comments-accepted', only: ['create.body-json'] },
  },
  'unpaired-surrogate': {
    shows: { fault: 'lone-surrogate-in-name-crashes', only: ['errors.no-server-error', 'create.text-encoding'] },
    not: { fault: 'quote-in-name-crashes', only: ['errors.no-server-error', 'create.unusual-names'] },
  },
  'names-altered': {
    shows: { fault: 'stored-name-html-escaped', only: ['create.unusual-names'] },
    not: { fault: 'stored-name-placeholder-replaced', only: ['create.unusual-names'] },
  },
  'nulls-written': {
    shows: { fault: 'default-status-null', only: ['record.pet'] },
    not: { fault: 'read-category-null', only: ['record.pet'] },
  },
  'integers-as-text': {
    shows: { fault: 'listed-id-as-text', only: ['record.pets'] },
    not: { fault: 'listed-category-as-object', only: ['record.pets'] },
  },
  'empty-list-written-otherwise': {
    shows: { fault: 'empty-list-null', only: ['record.pets'] },
    not: { fault: 'single-animal-not-in-array', only: ['record.pets'] },
  },
  'limit-unused': {
    shows: { fault: 'limit-ignored', only: ['list.limit-maximum'] },
    not: { fault: 'limit-plus-one', only: ['list.limit-maximum'] },
  },
  'default-too-small': {
    shows: { fault: 'default-limit-10', only: ['list.limit-default'] },
    not: { fault: 'limit-stays-for-ever', only: ['list.limit-default'] },
  },
  'status-unused': {
    shows: { fault: 'filter-ignored', only: ['list.status-filter'] },
    not: { fault: 'filter-leaks-every-fifth', only: ['list.status-filter'] },
  },
};

async function judgeBehind(front: Front, only: readonly ClauseId[]): Promise<RunRecord> {
  try {
    return await judgeAddress(front.baseUrl, { only });
  } finally {
    await front.close();
  }
}

async function judge(judged: Judged): Promise<RunRecord> {
  const { only } = judged;
  const { session } = settingOf('fault' in judged ? [judged.fault] : []);
  if ('fault' in judged)
    return judgeFault(judged.fault, {
      only,
      ...(judged.inTurn === true ? { session: { ...session, concurrency: 1, consistencyWindow: 0 } } : {}),
    });
  return judgeBehind('front' in judged ? await startFront(judged.front) : await startSame(judged.same), only);
}

const idsOf = (record: RunRecord): readonly string[] => diagnose(record).causes.map(({ id }) => id);

function shownBy(id: string): Judged {
  const shows = CASES[id]?.shows;
  if (shows === undefined) throw new Error(`there is no case ${id}`);
  return shows;
}

describe('diagnose', () => {
  test('every cause has a run that shows it and one that must not', () => {
    expect(Object.keys(CASES).sort()).toEqual(causes.map(({ id }) => id).sort());
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

  test('puts the cause that explains more responses first where nothing waits, whatever the levels of their clauses', async () => {
    const [few, many] = await Promise.all([judge(shownBy('null-counts-as-missing')), judge(shownBy('names-altered'))]);
    const both = { ...few, clauses: [...few.clauses, ...many.clauses] };
    const { causes: found } = diagnose(both);
    expect(found.map(({ id, waiting }) => [id, waiting])).toEqual([
      ['names-altered', 0],
      ['null-counts-as-missing', 0],
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
    const detail = JSON.stringify({ detail: [{ type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: null }] });
    const front: FrontOptions = { change: ({ status }) => (status === 400 ? { status: 422, body: detail, headers: JSON_TYPE } : {}) };
    const record = await judge({ front, only: ['errors.shape', 'create.name-required', 'create.name-type'] });
    const [cause, ...others] = diagnose(record).causes;
    expect(others).toEqual([]);
    expect(cause?.advice).toBe('Register @app.exception_handler(RequestValidationError) and return 400 with an Error body');
    expect(cause?.explains.toSorted()).toEqual(['create.name-required', 'create.name-type', 'errors.shape']);
  });

  test('says that a categoryId that was wrongly accepted is what records show', async () => {
    const only: readonly ClauseId[] = ['create.category-type', 'record.pet', 'record.pets'];
    const [cause, ...others] = diagnose(await judge({ fault: 'any-category-kept', only })).causes;
    expect(others).toEqual([]);
    expect(cause?.title).toBe('An invalid categoryId is accepted at creation, stored, and shown');
    expect(cause?.explains.toSorted()).toEqual(only);
  });

  test('names doubles if ids become equal in them', async () => {
    const record = await judge({ fault: 'ids-in-doubles', only: ['create.id-assigned', 'list.unique'] });
    expect(idsOf(record)).toEqual(['integers-through-double']);
    const ofOthers = await judge({ fault: 'ids-reused-every-tenth', only: ['create.id-assigned', 'list.unique'] });
    expect(idsOf(ofOthers)).toEqual([]);
  });

  test.each([
    ['stored-name-cut-at-32', 'create.unusual-names', 'Names are truncated to 32 characters'],
    ['stored-name-cut-at-255-bytes', 'create.unusual-names', 'Names are truncated to 255 bytes'],
    ['stored-name-normalised-nfkc', 'create.unusual-names', 'Names are normalized to Unicode form NFKC'],
    ['stored-name-cut-at-10', 'create.round-trip', 'Names are truncated to 10 characters'],
    ['stored-name-trimmed-at-end', 'create.unusual-names', 'Names are trimmed at the end'],
    ['stored-name-tabs-expanded', 'create.unusual-names', 'Names are shown with a space in place of each tab'],
  ] as const)('says of %s under %s what happens to names', async (fault, clause, title) => {
    const { causes: found } = diagnose(await judge({ fault, only: [clause] }));
    expect(found.map((cause) => cause.title)).toEqual([title]);
  });

  test('says that names are capitalized if more than one name with capitals in it shows that', async () => {
    const { causes: found } = diagnose(
      await judge({ fault: 'stored-name-title-case', only: ['create.round-trip', 'list.complete', 'list.filter-complete'] }),
    );
    expect(found.map((cause) => cause.title)).toEqual(['Names are capitalized']);
  });

  // Each advice was carried out on the server of third-party/ that it is for: without these words the repair fails there.
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
    const run = { ...viewRun(await judge({ fault: 'ids-in-doubles', only: ['list.unique'] })), products: new Set([product]) };
    const advice = causes.find((cause) => cause.id === id)?.advice;
    expect(typeof advice === 'function' ? advice([], run) : advice).toMatch(words);
  });

  test('does not treat an accepted wrong key as a request that was validated first', async () => {
    const record = await judge({ fault: 'wrong-key-sometimes-accepted', only: ['auth.precedence', 'auth.wrong-key'] });
    expect(record.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
    expect(idsOf(record)).toEqual([]);
  });

  test.each(Object.entries(CASES))('does not name %s if a run only resembles it', async (id, { not }) => {
    const record = await judge(not);
    expect(record.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
    expect(idsOf(record)).not.toContain(id);
    expect(idsOf(record).length).toBeLessThanOrEqual(1);
  });
});
