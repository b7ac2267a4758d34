import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../../src/clause/clause.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { causes } from '../../src/diagnosis/causes/index.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { judgeAddress, judgeFault } from './judge-fault.ts';
import { type FrontOptions, startFront } from './start-front.ts';
import { type Front, startSame } from './start-same.ts';

/** What is judged: a fault of the registry, a proxy that writes over responses, or the same response to everything. */
type Judged = { readonly only: readonly ClauseId[] } & (
  | { readonly fault: string }
  | { readonly front: FrontOptions }
  | { readonly same: Parameters<typeof startSame>[0] }
);

const ERROR_404 = '{"code":"not_found","message":"There is no such operation","status":404}';
const ERROR_401 = '{"code":"unauthorized","message":"A valid API key is required","status":401}';
const PAGE = '<!doctype html><html><body>Welcome</body></html>';
const JSON_TYPE = { 'content-type': 'application/json' };

/** As Spring Security answers an error dispatch. */
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

/** Each cause with a run that shows it and one that looks like it and must not. */
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
  'rejected-with-422': {
    shows: { fault: 'bad-category-unprocessable', only: ['create.category-type'] },
    not: { fault: 'bad-name-conflict', only: ['create.name-type'] },
  },
  'cache-ignores-key': {
    shows: { fault: 'list-cache-ignores-credential', only: ['auth.every-request', 'auth.missing-credential', 'list.complete'] },
    not: { fault: 'url-stays-authenticated', only: ['auth.every-request', 'auth.missing-credential', 'list.complete'] },
  },
  'cache-ignores-query': {
    shows: { fault: 'list-cache-ignores-query', only: ['list.status-filter', 'list.complete', 'list.limit-accepted'] },
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
  'nulls-written': {
    shows: { fault: 'default-status-null', only: ['record.pet'] },
    not: { fault: 'read-category-null', only: ['record.pet'] },
  },
  'integers-as-text': {
    shows: { fault: 'listed-id-as-text', only: ['record.pets'] },
    not: { fault: 'listed-category-as-object', only: ['record.pets'] },
  },
  'default-on-output-only': {
    shows: { fault: 'list-misses-default-status', only: ['list.complete'] },
    not: { fault: 'list-misses-created', only: ['list.complete'] },
  },
  'limit-unused': {
    shows: { fault: 'limit-ignored', only: ['list.limit-maximum'] },
    not: { fault: 'limit-plus-one', only: ['list.limit-maximum'] },
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
  if ('fault' in judged) return judgeFault(judged.fault, { only });
  return judgeBehind('front' in judged ? await startFront(judged.front) : await startSame(judged.same), only);
}

const idsOf = (record: RunRecord): readonly string[] => diagnose(record).causes.map(({ id }) => id);

describe('diagnose', () => {
  test('every cause has a run that shows it and one that must not', () => {
    expect(Object.keys(CASES).sort()).toEqual(causes.map(({ id }) => id).sort());
  });

  test.each(Object.entries(CASES))('names %s where a run shows it, and nothing else', async (id, { shows }) => {
    const record = await judge(shows);
    const { causes: found } = diagnose(record);
    expect(found.map((cause) => cause.id)).toEqual([id]);
    for (const cause of found) {
      expect(cause.certainty).toBe('likely');
      expect(cause.explains.every(({ clause }) => record.clauses.some((one) => one.id === clause && one.verdict === 'fail'))).toBe(true);
      expect(cause.evidence.length).toBeGreaterThan(0);
      expect(cause.advice.length).toBeGreaterThan(20);
    }
  });

  test('names doubles where ids become equal in them', async () => {
    const record = await judge({ fault: 'ids-in-doubles', only: ['create.id-assigned', 'list.unique'] });
    expect(idsOf(record)).toEqual(['integers-through-double']);
    const ofOthers = await judge({ fault: 'ids-reused-every-tenth', only: ['create.id-assigned', 'list.unique'] });
    expect(idsOf(ofOthers)).toEqual([]);
  });

  test('does not take an accepted wrong key for a request that was validated first', async () => {
    const record = await judge({ fault: 'wrong-key-sometimes-accepted', only: ['auth.precedence', 'auth.wrong-key'] });
    expect(record.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
    expect(idsOf(record)).toEqual([]);
  });

  test.each(Object.entries(CASES))('does not name %s where a run only looks like it', async (id, { not }) => {
    const record = await judge(not);
    expect(record.clauses.some(({ verdict }) => verdict === 'fail')).toBe(true);
    expect(idsOf(record)).not.toContain(id);
    expect(idsOf(record).length).toBeLessThanOrEqual(1);
  });
});
