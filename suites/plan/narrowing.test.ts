import { expect, test } from 'vitest';
import { CONSENTS } from '../../src/plan/choose.ts';
import { dimensionsOf, valueIn } from '../../src/plan/halve.ts';
import { vectorsOf } from '../../src/plan/row.ts';
import type { Test } from '../../src/plan/tell.ts';
import type { ValueName, Vector } from '../../src/session/vector.ts';
import { planOf } from './index.ts';
import { WORDING } from './narrowing.ts';

const BOUNDLESS = { requests: Number.POSITIVE_INFINITY, creations: Number.POSITIVE_INFINITY };

/** Every value that a thorough run sends, drawn ones and packs included, each alone. */
function valuesSent(seed: number): readonly (readonly [vector: Vector, dimension: string])[] {
  const { phases } = planOf(
    { size: 7, rarestStatus: 'sold', known: 7 },
    { seed, consents: new Set(CONSENTS), isThorough: true, ...BOUNDLESS },
  );
  const sent = new Map<string, readonly [Vector, string]>();
  for (const vector of phases.flatMap(({ rows }) => rows.flatMap(vectorsOf)).filter(({ raw }) => raw === undefined)) {
    for (const dimension of dimensionsOf(vector).filter((one) => valueIn(vector, one) !== 'usual')) {
      const alone = { op: vector.op, [dimension]: valueIn(vector, dimension) } as Vector;
      sent.set(JSON.stringify(alone), [alone, dimension]);
    }
  }
  return [...sent.values()];
}

test('WORDING has words for each value that a run sends, and for each part of it', () => {
  const knowledge = WORDING.knowledge(() => undefined);
  const sent = valuesSent(1);
  expect(sent.length).toBeGreaterThan(1_000);
  for (const [vector, dimension] of sent) {
    const named = valueIn(vector, dimension) ?? '';
    expect(WORDING.valueText(vector, dimension, named), JSON.stringify(vector)).not.toBe('');
    expect(WORDING.kindText(vector, dimension)).not.toBe('');
    const parts = [...knowledge.parts(dimension, named), ...knowledge.siblings(dimension, named, vector)];
    for (const part of parts.filter((one) => one !== 'usual'))
      expect(WORDING.valueText({ ...vector, [dimension]: part } as Vector, dimension, part), String(part)).not.toBe('');
  }
});

/** By attribute and value, or bound, what a report says: of the least and the most, the nearest other value is named too. */
const SAID: Readonly<Record<string, Readonly<Record<string, string | undefined>>>> = {
  'error response': { yes: 'in error responses', no: 'in successful responses' },
  response: { '404': 'in 404 responses', '>=5': undefined },
  operation: { listPets: 'in GET /pets', createPet: 'in POST /pets', getPet: 'in GET /pets/{petId}' },
  body: { invalid: 'in POST /pets with an invalid body', valid: 'in POST /pets with a valid body' },
  mistake: { 'create.name-required': 'without a name', unusual: 'with a NewPet that has an unusual value', other: undefined },
  credential: { absent: 'without an `Authorization` header', wrong: 'with a wrong key', valid: undefined },
  how: { prefix: 'with the beginning of the API key', encoded: 'with the API key in Base64' },
  'kind of petId': { 'no integer': 'with a petId that is not an integer', int64: undefined },
  'is petId int64': { no: 'with a petId that is not an int64', yes: undefined },
  key: { yes: 'with the API key', no: 'without the API key' },
  accept: { none: 'without `Accept`', '*/*': 'with `Accept: */*`' },
  'accept-encoding': { none: 'without `Accept-Encoding`', gzip: 'with `Accept-Encoding`' },
  'user-agent': { none: 'without `User-Agent`', curl: 'with `User-Agent: curl`' },
  'has parameters': { no: 'without parameters', yes: 'with parameters' },
  'has limit': { no: 'without a limit', yes: 'with a limit' },
  'has status': { no: 'without a status', yes: 'with a status' },
  status: { none: 'without a status', open: 'with a status that is not a PetStatus', sold: 'with `status=sold`' },
  limit: { '5': 'with `limit=5`', '>=5': 'with a limit of 5 or more', '<=5': 'with a limit of 5 or less', '/2': 'with an odd limit' },
  order: { 'status first': 'with the status before limit', 'limit first': 'with the limit before status' },
  'status sent': { none: 'created without a status', unknown: undefined, sold: 'created with `"status":"sold"`' },
  name: { '5': 'with a name of 5 characters', '>=5': 'with a name of 5 characters or more', '<=5': 'with a name of 5 characters or less' },
  'capital in the name': { yes: 'with a capital letter in the name', no: 'with no capital letter in the name' },
  category: { '5': 'with `"categoryId":5`' },
  'size of the category': {
    '5': undefined,
    '>=5': 'with a categoryId of 5 or more, or less than -5',
    '<=5': 'with a categoryId between -5 and 5',
  },
  'parity of the category': { odd: 'with an odd categoryId' },
  'first member': { status: 'with status as the first member' },
  'line ends': { yes: 'with line ends in the body', no: 'without line ends in the body' },
  size: { '5': undefined, '>=5': 'with a body of 5 bytes or more', '<=5': 'with a body of 5 bytes or less' },
  'status of the animal': { sold: 'for animals that are sold' },
  whose: { created: 'for animals that this run created', nobody: 'for ids that no animal has' },
  'name of the animal': {
    '5': 'for animals with a name of 5 characters',
    '>=5': 'for animals with a name of 5 characters or more',
    '<=5': 'for animals with a name of 5 characters or less',
  },
  animals: { '5': undefined, '>=5': 'in lists of 5 animals or more', '<=5': 'in lists of 5 animals or less', '<=0': 'in empty lists' },
  connection: { new: 'on a new connection', kept: 'on a connection that was used before' },
  'status before': { '404': 'right after a 404 response' },
  'error before': { yes: 'right after an error response', no: 'right after a response without an error' },
  'filter before': {
    yes: 'right after GET /pets with a status',
    no: 'right after another request than a list with a status',
  },
  'operation before': { getPet: 'right after GET /pets/{petId}' },
  'target before': { same: 'right after a request to the same URL', other: 'right after a request to another URL' },
  'status of the last': {
    same: 'with the same status as the creation before',
    other: 'with another status than the creation before',
  },
  'category of the last': {
    same: 'with the same categoryId as the creation before',
    other: 'with another categoryId than the creation before',
  },
  'name of the last': { longer: 'with a name that is longer than that of the creation before' },
  others: {
    '5': undefined,
    '>=0': undefined,
    '>=1': 'while another request is under way',
    '>=5': 'with 5 or more other requests under way',
    '<=5': undefined,
  },
  idle: { '>=49': undefined, '>=50': 'after 50 ms or more without any request', '<=50': undefined },
  'read of the animal': { '5': 'in read 5 of an animal', '>=5': 'from read 5 of an animal on', '<=5': 'in the first 5 reads of an animal' },
  'on its connection': {
    '5': 'in request 5 of its connection',
    '>=5': 'from request 5 of its connection on',
    '<=5': 'in the first 5 requests of its connection',
  },
  newer: {
    '0': 'for the newest animal',
    '5': undefined,
    '>=5': undefined,
    '<=0': 'for the newest animal',
    '<=5': 'for the newest 6 animals',
  },
  id: {
    '5': 'for id 5',
    '>=5': 'for ids from 5 on',
    '<=5': 'for ids up to 5',
    '/2': 'for odd ids',
    '/3': 'for ids that leave 1 when divided by 3',
    '/3=0': 'for ids that 3 divides',
  },
  'size of the id': { '5': undefined, '>=5': 'for ids of 5 or more, or less than -5', '<=5': 'for ids between -5 and 5' },
  'id given': { '5': 'for id 5', '>=5': 'for ids from 5 on', '<=5': 'for ids up to 5', '/2=0': 'for even ids' },
  age: {
    '5': undefined,
    '>=5': 'for animals created 5 ms before or earlier',
    '<=5': 'for animals created less than 5 ms before',
  },
  'created before': {
    '5': undefined,
    '>=0': undefined,
    '>=5': 'once this run had created 5 animals',
    '<=0': 'before this run had created an animal',
    '<=5': 'until this run had created 5 animals',
  },
  'of its kind': { '5': undefined, '>=5': 'from request 5 of its kind on', '<=5': 'in the first 5 requests of its kind' },
  number: { '5': undefined, '>=5': 'from request 5 of the run on', '<=5': 'in the first 5 requests of the run', '/2': undefined },
};

/** `sold`, `>=5`, `<=5`, `/3` for a rest of 1, and `/3=0`. */
function testOf(text: string): Test {
  const [, sign, value = '', rest = '1'] = /^(>=|<=|\/)(\d+)(?:=(\d))?$/.exec(text) ?? [];
  if (sign === undefined) return { kind: 'is', value: text };
  if (sign === '/') return { kind: 'divided', by: Number(value), rest: Number(rest) };
  return { kind: sign === '>=' ? 'least' : 'most', value: Number(value), other: 9 };
}

test.each(Object.entries(SAID))('WORDING says of %s in words when a clause is broken', (name, texts) => {
  for (const [value, text] of Object.entries(texts)) {
    const isBound = /^[<>]=/.test(value) && text !== 'in empty lists' && text !== 'before this run had created an animal';
    expect(WORDING.predicateText({ name, test: testOf(value) }), value).toBe(text === undefined || !isBound ? text : `${text}; 9 is fine`);
  }
});

const [LIST, GET, CREATE] = (['list', 'get', 'create'] as const).map((op): Vector => ({ op })) as [Vector, Vector, Vector];

test.each<[Vector, dimension: string, value: ValueName, text: string]>([
  [LIST, 'client', 'curl', 'with `User-Agent: curl/8.14.1`'],
  [LIST, 'client', 'no Accept', 'without `Accept`'],
  [LIST, 'credential', 'none', 'without an `Authorization` header'],
  [LIST, 'credential', 'query parameter jwt', 'with the API key in the query parameter jwt'],
  [CREATE, 'credential', 'in the body', 'with the API key in the body'],
  [LIST, 'credential', 'repeated', 'with `Authorization: Bearer $PETSTORE_API_KEY$PETSTORE_API_KEY`'],
  [LIST, 'credential', 'reversed', 'with the credential "reversed" in place of the API key'],
  [LIST, 'connection', 'kept', 'on a connection that was used before'],
  [LIST, 'connection', 'fresh', 'on a new connection'],
  [LIST, 'fields', 'in capitals', 'with its header fields in capitals'],
  [GET, 'path', 'two slashes inside', 'at `/pets//1`'],
  [LIST, 'limit', 5, 'with `limit=5`'],
  [LIST, 'status', 'sold', 'with `status=sold`'],
  [CREATE, 'status', 'sold', 'with `"status":"sold"`'],
  [GET, 'id', 1, 'for that animal'],
  [GET, 'id', '63 bits', 'for an id that no animal has'],
  [GET, 'id', '=5', 'in `GET /pets/5`'],
  [CREATE, 'name', 'missing', 'without a name'],
  [CREATE, 'name', 'null', 'with a name like `"null"`'],
  [CREATE, 'name', '=>"é"', 'with `é` in the name'],
  [CREATE, 'name', '256 letters', 'with a name of the kind "256 letters"'],
  [CREATE, 'category', 'missing', 'without a categoryId'],
  [CREATE, 'category', '1.5', 'with `"categoryId":1.5`'],
  [CREATE, 'order', 'reversed', 'with the members in reverse order'],
  [CREATE, 'order', 'first member last', 'with categoryId as the first member'],
  [CREATE, 'space', 'line feeds', 'with line ends in the body'],
  [CREATE, 'space', 'tabs', 'with white space in the body (tabs)'],
  [CREATE, 'framing', 'divided', 'with a body that arrives in two pieces'],
  [CREATE, 'framing', 'chunked', 'with a chunked body'],
  [CREATE, 'type', 'none', 'without `Content-Type`'],
  [CREATE, 'type', 'Application/JSON', 'with `Content-Type: Application/JSON`'],
  [CREATE, 'escapes', 'slashes', 'with escapes "slashes"'],
])('WORDING says of %j with %s %j: %s', (vector, dimension, value, text) => {
  expect(WORDING.valueText(vector, dimension, value)).toBe(text);
});

test.each([
  [{ kind: 'least', value: 5, other: 4 }, 'with a limit of 5 or more; 4 is fine'],
  [{ kind: 'most', value: 5, other: 6 }, 'with a limit of 5 or less; 6 is fine'],
  [{ kind: 'odd', value: 5 }, 'with an odd limit'],
  [{ kind: 'any', value: 5 }, 'with a limit'],
  [{ kind: 'exactly', value: 5 }, 'with `limit=5`'],
] as const)('WORDING says of the limits %j: %s', (range, text) => {
  expect(WORDING.valueText(LIST, 'limit', 5, range)).toBe(text);
});
