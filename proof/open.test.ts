import { beforeAll, describe, expect, test } from 'vitest';
import type { CatalogClauseId } from '../src/clause/clause.ts';
import type { RunResult } from '../src/judge/run.ts';
import type { Verdict } from '../src/oracle/verdicts.ts';
import type { SessionOptions } from '../src/session/session.ts';
import { clauses } from '../suites/clauses/index.ts';
import { KEY } from './judge-reference.ts';
import { runSuiteOn } from './judge-server.ts';
import { startReference } from './server.ts';

const OPEN = clauses.filter(({ level }) => level === 'open').map(({ id }) => id as CatalogClauseId);

/** By clause and answer, the questions that the reference server answers so. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'auth.scheme-case': { accepted: ['scheme spelled BEARER', 'scheme spelled bearer'] },
  'list.limit-not-integer': {
    'rejected with 400': ['limit=', 'limit=+5', 'limit=05', 'limit=1.5', 'limit=5.0', 'limit=5abc', 'limit=5e0', 'limit=abc', 'limit=５'],
  },
  'list.limit-out-of-range': {
    'rejected with 400': ['limit=-1', 'limit=0', 'limit=1000', 'limit=101', 'limit=2147483648', 'limit=9223372036854775808'],
  },
  'list.order': { 'by id': ['order of the list'], 'the same': ['order of two lists'] },
  'list.paging': { none: ['headers that point to further pages'], 'as long as the animals and the limit allow': ['page of limit=100'] },
  'list.repeated-parameters': {
    'accepted: up to 20 animals': ['limit%5B%5D=2'],
    'rejected with 400': ['limit=1&limit=2', 'limit=1,2', 'limit=2&limit=2', 'status=available&status=sold', 'status=sold&status=sold'],
    'accepted: animals of several statuses': ['status%5B%5D=sold'],
  },
  'list.status-unknown': {
    'rejected with 400': [
      'status=',
      'status= sold',
      'status="sold\\"',
      'status=SOLD',
      'status=available,sold',
      'status=null',
      'status=unknown',
    ],
  },
  'list.unknown-parameters': {
    'accepted: up to 20 animals': ['&&&', 'Limit=2', 'callback=show', 'cursor=none', 'offset=1', 'page=2', 'sort=name', 'unknown=1'],
    'accepted: only available': ['last_status=sold&status=available', 'status=available&page=0', 'status=available&unknown=1'],
    'accepted: 2 animals': ['limit=2&offset=0', 'limit=2&page=0', 'limit=2&unknown=1', 'page_limit=50&limit=2'],
    'accepted: only pending': ['status=pending&unknown=1'],
    'accepted: only sold': ['status=sold&unknown=1'],
  },
  'create.client-id': {
    ignored: [
      'ID of no animal (63 bits) in the body',
      'id as a string of digits in the body',
      'id as a word in the body',
      'id beyond int64 in the body',
      'id null in the body',
      'id of another animal in the body',
      'id of no animal (0) in the body',
      'id of no animal (31 bits) in the body',
      'id of no animal (63 bits) in the body',
      'id of no animal (negative) in the body',
      'petId of no animal (63 bits) in the body',
    ],
  },
  'create.default-status': { available: ['default status in the 201', 'default status when read'] },
  'create.duplicate-members': {
    'accepted: the last one counts': ['name twice in the body', 'status twice in the body'],
    'rejected with 400': ['status twice in the body, the second one unknown'],
  },
  'create.duplicate-names': { accepted: ['a second animal with the same name'] },
  'create.integer-spelling': {
    'rejected with 400': ['categoryId written with .0', 'categoryId written with 0e-1', 'categoryId written with e0'],
  },
  'create.request-media-type': {
    accepted: [
      'Content-Type application/json; charset=iso-8859-1',
      'Content-Type application/json; charset=utf-8',
      'Content-Type application/vnd.api+json',
      'Content-Type text/plain',
      'an empty Content-Type',
    ],
    'rejected with 400': [
      'Content-Type text/plain, without a name',
      'form data as application/x-www-form-urlencoded',
      'no body and an empty Content-Type',
    ],
  },
  'create.text-encoding': {
    'rejected with 400': [
      'Latin-1 in the name',
      'a body in UTF-16',
      'a byte order mark before the body',
      'a byte that is not UTF-8 in the name',
      'a surrogate encoded in UTF-8 in the name',
      'an overlong encoding in the name',
    ],
    accepted: ['half a surrogate pair, escaped, in the name', 'surrogates in the wrong order, escaped, in the name'],
  },
  'create.unknown-category': { accepted: ['a category that does not exist'] },
  'create.unknown-members': {
    'accepted, but not shown in the response': [
      'a category with an id in addition to categoryId',
      'a property named __proto__',
      'a property named constructor',
      'an unknown property',
      'an unknown property nested 100 levels deep',
      'an unknown property with an object',
      'another spelling of categoryId (category_id) in addition to it',
      'name in another letter case (Name) in addition to name',
      'properties named toString and hasOwnProperty',
    ],
    accepted: ['different values for the fields in the query string, headers, and cookies'],
  },
  'get.id-not-integer': {
    '400': [
      'petId is a UUID',
      'petId is a fraction',
      'petId is a word',
      'petId is an integer and a letter',
      'petId is an integer and a quote',
      'petId is in hexadecimal',
      'petId is null',
      'petId is two integers',
    ],
  },
  'get.id-outside-int64': {
    '400': [
      'petId has 30 digits',
      'petId has 300 digits',
      'petId is a known id plus 2^64',
      'petId is one less than the smallest int64',
      'petId is one more than the largest int64',
    ],
  },
  'get.id-spelling': {
    '400': [
      'petId has a fraction of zero',
      'petId has a leading space',
      'petId has a plus sign',
      'petId has an exponent of zero',
      'petId is padded with a zero',
    ],
  },
  'errors.codes': {
    '400 invalid_json': ['code for a body that is not JSON'],
    '400 invalid_body': ['code for a body that is not an object'],
    '404 not_found': ['code for a missing animal'],
    '400 invalid_name': ['code for a wrong type', 'code for missing fields'],
    '401 unauthorized': ['code with a wrong key', 'code without a credential'],
  },
};

const ask = (
  only: readonly CatalogClauseId[],
  variants: readonly string[] = [],
  session: Partial<SessionOptions> = {},
): Promise<RunResult> =>
  runSuiteOn(
    () => startReference({ apiKey: KEY, variants: [...variants], seedAnimals: 7 }),
    { timeout: 10_000, ...session },
    { only: new Set(only) },
  );

const answersIn = ({ observations }: Pick<Verdict, 'observations'>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...Map.groupBy(observations, ({ answer }) => answer)].map(([answer, all]) => [answer, all.map(({ question }) => question).toSorted()]),
  );

describe('the reference server', () => {
  let result: RunResult;
  beforeAll(async () => {
    result = await ask(OPEN);
  });

  test('answers every question, in the words that behavior.json has', () => {
    expect(Object.fromEntries(result.verdicts.map((one) => [one.clause.id, answersIn(one)]))).toEqual(ANSWERS);
    expect(new Set(result.verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['observed']));
  });

  test('is asked each question once in a clause', () => {
    for (const { observations } of result.verdicts)
      expect(new Set(observations.map(({ question }) => question)).size).toBe(observations.length);
  });
});

/** Of one clause alone, some answers of a variant. */
const OTHERWISE: readonly (readonly [variant: string, clause: CatalogClauseId, answers: Readonly<Record<string, string>>])[] = [
  ['scheme-case-sensitive', 'auth.scheme-case', { 'scheme spelled bearer': 'rejected with 401' }],
  ['limit-leading-digits', 'list.limit-not-integer', { 'limit=5abc': 'accepted: 5 animals', 'limit=1.5': 'accepted: 1 animal' }],
  ['limit-clamped', 'list.limit-out-of-range', { 'limit=0': 'accepted: 1 animal' }],
  ['list-newest-first', 'list.order', { 'order of the list': 'by descending id' }],
  ['list-with-link', 'list.paging', { 'headers that point to further pages': 'link' }],
  ['repeated-parameters-last-wins', 'list.repeated-parameters', { 'status=available&status=sold': 'accepted: only sold' }],
  ['status-unknown-gives-empty-list', 'list.status-unknown', { 'status="sold\\"': 'accepted: no animals' }],
  ['unknown-parameters-refused', 'list.unknown-parameters', { 'limit=2&page=0': 'rejected with 400', '&&&': 'accepted: up to 20 animals' }],
  ['client-id-refused', 'create.client-id', { 'id of another animal in the body': 'rejected with 400' }],
  ['default-status-none', 'create.default-status', { 'default status when read': 'none' }],
  ['duplicate-members-refused', 'create.duplicate-members', { 'name twice in the body': 'rejected with 400' }],
  ['name-unique-409', 'create.duplicate-names', { 'a second animal with the same name': 'rejected with 409' }],
  ['integer-spelling-free', 'create.integer-spelling', { 'categoryId written with 0e-1': 'accepted as the same number' }],
  ['json-media-type-required', 'create.request-media-type', { 'form data as application/x-www-form-urlencoded': 'rejected with 415' }],
  ['broken-utf8-replaced', 'create.text-encoding', { 'a surrogate encoded in UTF-8 in the name': 'accepted' }],
  ['unknown-category-404', 'create.unknown-category', { 'a category that does not exist': 'rejected with 404' }],
  [
    'pet-with-nested-category',
    'create.unknown-members',
    { 'a category with an id in addition to categoryId': 'accepted, and shown in the response' },
  ],
  ['bad-id-unprocessable', 'get.id-not-integer', { 'petId is two integers': '422' }],
  ['id-outside-int64-not-found', 'get.id-outside-int64', { 'petId is a known id plus 2^64': '404' }],
  ['id-spelling-free', 'get.id-spelling', { 'petId has a plus sign': '200 with the animal of that number' }],
  ['error-messages-in-german', 'errors.codes', { 'code for a wrong type': '400 E-40001', 'code with a wrong key': '401 E-40101' }],
];

test('some variant answers a question of each clause otherwise', () => {
  expect(OTHERWISE.map(([, clause]) => clause)).toEqual(OPEN);
});

test.each(OTHERWISE)('%s is seen by %s alone, with few requests', async (variant, clause, answers) => {
  const { verdicts, requests } = await ask([clause], [variant]);
  const [verdict, ...others] = verdicts;
  expect(others).toEqual([]);
  expect(Object.fromEntries(verdict?.observations.map(({ question, answer }) => [question, answer]) ?? [])).toMatchObject(answers);
  expect(requests).toBeLessThan(120);
});

test('a read-only run answers what reading can, and says why it does not answer the rest', async () => {
  const { verdicts } = await ask(OPEN, [], { readOnly: true, intrusive: false });
  for (const { clause, verdict, why, note } of verdicts) {
    const isOfCreations = clause.chapter === 'create-pet';
    expect([clause.id, verdict]).toEqual([clause.id, isOfCreations ? 'inconclusive' : 'observed']);
    if (isOfCreations) expect([why, note]).toEqual(['choice', expect.stringContaining('--read-only')]);
  }
});

test('a service that creates nothing more does not answer with its quota', async () => {
  const { verdicts } = await ask(['create.text-encoding'], ['quota-of-30-forbids'], { seed: 3 });
  expect(verdicts.flatMap(({ observations }) => observations.map(({ answer }) => answer))).not.toContain('rejected with 403');
});

test('a getPet that was removed as announced answers nothing', async () => {
  const { verdicts } = await ask(['get.id-spelling'], ['removed-gone'], { now: new Date('2031-01-01') });
  expect(verdicts).toMatchObject([{ verdict: 'inconclusive', why: 'circumstance', observations: [] }]);
});
