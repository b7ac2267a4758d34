import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BodyClause, BodyFacts } from '../../src/oracle/body-facts.ts';
import type { CredentialFacts } from '../../src/oracle/credential-facts.ts';
import { type Facts, factsOf } from '../../src/oracle/facts.ts';
import { effectsOf, plainNameOf, valuesOf } from '../../src/session/compose.ts';
import type { ComposeContext, RowOperation, Sent, Table, ValueName, Vector } from '../../src/session/vector.ts';
import * as bodies from './bodies.ts';
import * as categories from './categories.ts';
import * as clients from './clients.ts';
import * as credentials from './credentials.ts';
import * as ids from './ids.ts';
import * as lists from './lists.ts';
import * as names from './names.ts';
import * as paths from './paths.ts';
import * as statuses from './statuses.ts';
import { compose, TABLES } from './tables.ts';

const KEY = 'pk-7Hq2XvR9sLmT4wZa';

const CONTEXT: ComposeContext = {
  apiKey: KEY,
  seed: 20261121,
  rowNumber: 7,
  runTag: 'prove',
  categoryId: 3n,
  knownIds: [41n, 42n, 43n],
  cookies: ['session=4f9a8c0b'],
};

const facts = (vector: Vector, context: ComposeContext = CONTEXT): Facts => factsOf(compose(vector, context), context.apiKey);

const OPERATIONS: readonly RowOperation[] = ['list', 'get', 'create'];

const usualOf = (op: RowOperation): Vector => ({ op });
const vectorOf = (op: RowOperation, more: Readonly<Record<string, ValueName>>): Vector => ({ ...more, op }) as Vector;

/** Every single value of every dimension: the rest of the request is usual. */
const SINGLE: readonly Vector[] = OPERATIONS.flatMap((op) =>
  Object.entries<Table<unknown>>(TABLES[op]).flatMap(([dimension, { values }]) =>
    Object.keys(values).map((name) => vectorOf(op, { [dimension]: name })),
  ),
);

const ownValues = (op: RowOperation, dimension: string): object =>
  Object.entries<Table<unknown>>(TABLES[op]).find(([one]) => one === dimension)?.[1].values ?? {};

const keysOf = (block: object): readonly string[] => Object.keys(block);

describe('the usual request', () => {
  test('is what the document describes', () => {
    expect(facts({ op: 'list' })).toEqual({
      operation: 'listPets',
      path: 'documented',
      credential: { kind: 'valid' },
      client: { kind: 'usual' },
      framing: 'length',
      list: { limit: { kind: 'absent' }, status: { kind: 'absent' }, order: undefined, otherParameters: [] },
    });
    expect(facts({ op: 'get' })).toMatchObject({ operation: 'getPet', id: { kind: 'int64', value: 41n }, credential: { kind: 'valid' } });
    expect(facts({ op: 'create' })).toMatchObject({
      operation: 'createPet',
      path: 'documented',
      credential: { kind: 'valid' },
      client: { kind: 'usual' },
      body: { kind: 'plain', sent: { name: plainNameOf(CONTEXT), categoryId: 3n } },
    });
  });

  test('has a plain name that no other row has', () => {
    const all = Array.from({ length: 2_000 }, (_unused, rowNumber) => plainNameOf({ runTag: 'prove', rowNumber }));
    expect(new Set(all.map((name) => name.toLowerCase())).size).toBe(2_000);
    for (const name of all) expect(name).toMatch(/^Conformance[A-Za-z]{9}$/);
  });
});

describe('each credential', () => {
  const kinds: readonly (readonly [block: object, kinds: readonly CredentialFacts['kind'][]])[] = [
    [credentials.VALID, ['valid']],
    [credentials.MISSING, ['absent']],
    [credentials.UNRELATED, ['wrong']],
    [credentials.NEAR_MISSES, ['wrong']],
    [credentials.OTHER_SCHEMES, ['scheme']],
    [credentials.SCHEME_CASES, ['open']],
    [credentials.MALFORMED_SCHEMES, ['malformed']],
    [credentials.MALFORMED_TOKENS, ['malformed']],
    [credentials.NO_TOKENS, ['malformed']],
    [credentials.LARGE_TOKENS, ['wrong']],
    [credentials.COMMON_ELSEWHERE, ['elsewhere']],
    [credentials.RARER_ELSEWHERE, ['elsewhere']],
  ];
  const rows = kinds.flatMap(([block, allowed]) => keysOf(block).map((credential) => ({ credential, allowed })));

  test.each(rows)('$credential is $allowed on each operation', ({ credential, allowed }) => {
    for (const op of OPERATIONS) expect(allowed).toContain(facts(vectorOf(op, { credential })).credential.kind);
  });

  test.each(keysOf(credentials.IN_BODY))('%s is elsewhere in a creation, and absent from a list', (credential) => {
    expect(facts(vectorOf('create', { credential })).credential).toEqual({ kind: 'elsewhere', places: ['body'] });
    expect(facts(vectorOf('list', { credential })).credential).toEqual({ kind: 'absent' });
  });

  test.each([
    ['first half', 'prefix'],
    ['without the last character', 'prefix'],
    ['without the first character', 'suffix'],
    ['one more at the end', 'more characters'],
    ['one more at the start', 'more characters'],
    ['letter case swapped', 'letter case'],
    ['repeated', 'repeated'],
    ['last character changed', 'one character'],
    ['first character changed', 'one character'],
    ['middle character changed', 'one character'],
    ['in base64', 'encoded'],
    ['without punctuation', 'one character'],
    ['reversed', 'rearranged'],
    ['letters and digits that look alike swapped', 'alike'],
    ['like the key', 'unrelated'],
    ['scheme alone', 'no token'],
  ])('%s is wrong by %s', (credential, how) => {
    expect(facts(vectorOf('list', { credential })).credential).toEqual({ kind: 'wrong', how });
  });

  test.each([
    ['MALFORMED_SCHEMES', credentials.MALFORMED_SCHEMES, 'scheme'],
    ['MALFORMED_TOKENS', credentials.MALFORMED_TOKENS, 'token'],
  ] as const)('%s are malformed by what they are sent for', (_name, block, by) => {
    for (const credential of keysOf(block)) expect(facts(vectorOf('list', { credential })).credential).toEqual({ kind: 'malformed', by });
  });

  test('differs from the key for any key, unless there is nothing to change', () => {
    const { NEAR_MISSES, UNRELATED, OTHER_SCHEMES, MALFORMED_SCHEMES, MALFORMED_TOKENS } = credentials;
    const rejected = [NEAR_MISSES, UNRELATED, OTHER_SCHEMES, MALFORMED_SCHEMES, MALFORMED_TOKENS].flatMap(keysOf);
    const keys = fc.stringMatching(/^[A-Za-z0-9._~+/!-]{8,60}$/);
    fc.assert(
      fc.property(keys, fc.constantFrom(...rejected), fc.nat(), (apiKey, credential, seed) => {
        const context = { ...CONTEXT, apiKey, seed };
        const isKey = compose(vectorOf('list', { credential }), context).headers.some(([, value]) => value === `Bearer ${apiKey}`);
        expect(facts(vectorOf('list', { credential }), context).credential.kind === 'valid').toBe(isKey);
      }),
    );
  });

  test('of one drawn edit is wrong, unless it is the key', () => {
    fc.assert(
      fc.property(credentials.drawnCredentials(), (credential) => {
        const vector = vectorOf('list', { credential });
        const [, value] = compose(vector, CONTEXT).headers.find(([name]) => name === 'authorization') ?? [];
        expect(facts(vector).credential.kind).toBe(value === `Bearer ${KEY}` ? 'valid' : 'wrong');
      }),
    );
  });
});

describe('each client', () => {
  const meant: readonly (readonly [block: object, withKey: string, withoutKey: string])[] = [
    [clients.USUAL_CLIENTS, 'usual', 'usual'],
    [clients.ACCEPTING_CLIENTS, 'usual', 'usual'],
    [clients.OWN_CLIENTS, 'usual', 'usual'],
    [clients.TRUSTED_CLIENTS, 'usual', 'undocumented'],
    [clients.UNUSUAL_CLIENTS, 'unusual', 'unusual'],
    [clients.UNDOCUMENTED_CLIENTS, 'undocumented', 'undocumented'],
    [{ 'local address': 1 }, 'usual', 'usual'],
    [{ 'any entity tag': 1 }, 'undocumented', 'usual'],
  ];
  const rows = meant.flatMap(([block, withKey, withoutKey]) => keysOf(block).map((client) => ({ client, withKey, withoutKey })));

  test.each(rows)('$client is $withKey with the key, and $withoutKey without it', ({ client, withKey, withoutKey }) => {
    for (const op of OPERATIONS) {
      // A Content-Type of a request without a body is that of the body here.
      expect(facts(vectorOf(op, { client })).client.kind).toBe(withKey);
      expect(facts(vectorOf(op, { client, credential: 'none' })).client.kind).toBe(withoutKey);
    }
  });

  test.each(keysOf(clients.UNDOCUMENTED_CLIENTS))('%s is undocumented by each of its headers, without the key', (client) => {
    const [usual, own] = [usualOf('list'), vectorOf('list', { client, credential: 'none' })].map(
      (vector) => compose(vector, CONTEXT).headers,
    );
    const names = (own ?? []).map(([name]) => name).filter((name) => name !== 'origin' && !usual?.some(([one]) => one === name));
    expect(facts(vectorOf('list', { client, credential: 'none' })).client).toEqual({ kind: 'undocumented', by: names.toSorted() });
  });

  test.each(keysOf(clients.FIELDS.values))('has the same facts with its header fields %s', (fields) => {
    for (const client of keysOf(clients.CLIENTS.values))
      expect(facts(vectorOf('create', { client, fields }))).toEqual(facts(vectorOf('create', { client })));
  });
});

describe('each path', () => {
  const spellings = keysOf(paths.OTHER_PATHS);
  const applies = (op: RowOperation, path: string): boolean => {
    const [plain, spelled] = [compose(usualOf(op), CONTEXT), compose(vectorOf(op, { path }), CONTEXT)];
    return plain.target !== spelled.target;
  };
  const rows = OPERATIONS.flatMap((op) => spellings.filter((path) => applies(op, path)).map((path) => ({ op, path })));

  test.each(rows)('$path is another spelling of $op', ({ op, path }) => {
    // What a gateway makes of an encoded id is another animal's id at most.
    expect(facts(vectorOf(op, { path }))).toMatchObject({ path: 'respelled', operation: facts(usualOf(op)).operation });
  });

  test('with an empty query is the documented one with the key only', () => {
    for (const op of OPERATIONS) {
      expect(facts(vectorOf(op, { path: 'empty query' })).path).toBe('documented');
      expect(facts(vectorOf(op, { path: 'empty query', credential: 'none' })).path).toBe('respelled');
    }
  });
});

describe('each parameter of a list', () => {
  test('limit: 1 to 100 are documented in each form of the query', () => {
    for (const limit of lists.LIMITS)
      for (const query of keysOf(lists.QUERY.values))
        for (const status of ['none', ...keysOf(lists.FILTERS)]) {
          const { list } = facts({ op: 'list', limit, query, status });
          expect(list?.limit).toMatchObject({ kind: 'documented', value: limit });
          expect(list?.status).toMatchObject(status === 'none' ? { kind: 'absent' } : { kind: 'documented', value: status });
          expect(list?.order).toBe(status === 'none' ? undefined : query === 'status first' ? 'status first' : 'limit first');
        }
  });

  test.each([...keysOf(lists.LIMITS_IN_OTHER_SPELLINGS), ...keysOf(lists.LIMITS_OUT_OF_RANGE)])('limit %s is open', (limit) => {
    expect(facts({ op: 'list', limit, status: 'sold' }).list).toMatchObject({
      limit: { kind: 'open', why: 'value' },
      status: { kind: 'documented', value: 'sold' },
    });
  });

  test.each(keysOf(lists.OTHER_FILTERS))('status %s is open', (status) => {
    expect(facts({ op: 'list', limit: 5, status }).list).toMatchObject({
      limit: { kind: 'documented', value: 5 },
      status: { kind: 'open', why: 'value' },
    });
  });

  test.each(keysOf(lists.OTHER_PARAMETERS))('%s changes neither limit nor status', (parameters) => {
    const { list } = facts({ op: 'list', limit: 5, status: 'sold', parameters });
    expect(list).toMatchObject({ limit: { kind: 'documented', value: 5 }, status: { kind: 'documented', value: 'sold' } });
    expect(list?.otherParameters.length).toBeGreaterThanOrEqual(parameters === 'ampersands' ? 0 : 1);
  });

  test.each(keysOf(lists.REPEATED_PARAMETERS))('%s leaves that parameter open, and the other one documented', (parameters) => {
    const isLimit = parameters.toLowerCase().startsWith('limit');
    const { list } = facts(isLimit ? { op: 'list', status: 'sold', parameters } : { op: 'list', limit: 5, parameters });
    expect(isLimit ? list?.limit : list?.status).toMatchObject({ kind: 'open' });
    expect(isLimit ? list?.status : list?.limit).toMatchObject({ kind: 'documented' });
  });
});

describe('each id of a read', () => {
  const meant: readonly (readonly [block: object, kind: string])[] = [
    [ids.KNOWN_IDS, 'int64'],
    [ids.INT64_IDS, 'int64'],
    [ids.OTHER_SPELLINGS, 'spelled'],
    [ids.BEYOND_INT64, 'outside int64'],
    [ids.NO_INTEGERS, 'no integer'],
  ];
  const rows = meant.flatMap(([block, kind]) => keysOf(block).map((id) => ({ id, kind })));

  test.each(rows)('$id is $kind, whatever the known animal is', ({ id, kind }) => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (known) => {
        // Beyond int64 by way of 2^64, only from a known id that is not below zero.
        fc.pre(id !== 'known + 2^64' || known >= 0n);
        const read = facts({ op: 'get', id }, { ...CONTEXT, knownIds: [known] });
        expect(read).toMatchObject({ path: 'documented', id: { kind } });
        if (kind === 'spelled') expect(read.id).toMatchObject({ value: known });
      }),
      { numRuns: 20 },
    );
  });

  test('drawn is that int64', () => {
    fc.assert(
      fc.property(ids.drawnIds(), (id) => {
        expect(facts({ op: 'get', id }).id).toEqual({ kind: 'int64', value: BigInt(id.slice(1)) });
      }),
    );
  });

  test('by number is a known animal', () => {
    expect([0, 1, 2].map((id) => facts({ op: 'get', id }).id)).toMatchObject([{ value: 41n }, { value: 42n }, { value: 43n }]);
  });
});

type Row = { readonly vector: Vector; readonly body: { readonly [member: string]: unknown } };

const meaning =
  (dimension: string, body: Row['body'], more: Readonly<Record<string, string>> = {}) =>
  (block: object): readonly Row[] =>
    keysOf(block).map((name) => ({ vector: vectorOf('create', { ...more, [dimension]: name }), body }));

const invalid = (clause: BodyClause) => ({ kind: 'invalid', clause }) as const;
const open = (why: Extract<BodyFacts, { kind: 'open' }>['why']) => ({ kind: 'open', why }) as const;

describe('each body of a creation', () => {
  const rows: readonly Row[] = [
    ...[names.PLAIN_NAMES, names.NAMESAKES].flatMap(meaning('name', { kind: 'plain' })),
    ...[names.CHARACTER_NAMES, names.LONG_NAMES, names.BARE_NAMES, names.ALIKE_NAMES].flatMap(meaning('name', { kind: 'unusual' })),
    ...meaning('name', invalid('create.name-required'))(names.MISSING_NAMES),
    ...meaning('name', invalid('create.name-type'))(names.WRONG_NAMES),
    ...[categories.ACCEPTED_CATEGORIES, categories.INT64_CATEGORIES].flatMap(meaning('category', { kind: 'plain' })),
    ...meaning('category', open('integer spelled as a fraction'))(categories.FRACTION_SPELLINGS),
    ...meaning('category', invalid('create.category-required'))(categories.MISSING_CATEGORIES),
    ...meaning('category', invalid('create.category-type'))(categories.WRONG_CATEGORIES),
    ...meaning('category', invalid('create.category-range'))(categories.HUGE_CATEGORIES),
    ...meaning('category', invalid('create.body-json'))(categories.NO_JSON_CATEGORIES),
    ...meaning('status', { kind: 'plain' })(statuses.STATUSES),
    ...meaning('status', invalid('create.status-invalid'))(statuses.WRONG_STATUSES),
    ...meaning('members', { kind: 'plain' })(bodies.NO_MEMBERS),
    ...meaning('members', open('other members'))({ ...bodies.UNKNOWN_MEMBERS, ...bodies.LONG_MEMBERS, ...bodies.EMPTY_MEMBERS }),
    ...meaning('members', open('id'))(bodies.CLIENT_IDS),
    ...meaning('members', open('repeated member'), { status: 'pending' })(bodies.REPEATED_MEMBERS),
    ...meaning('members', invalid('create.name-required'), { name: 'missing' })(bodies.NAMES_ELSEWHERE),
    ...meaning('members', invalid('create.category-required'), { category: 'missing' })(bodies.CATEGORIES_ELSEWHERE),
    ...meaning('members', invalid('create.body-json'))(bodies.NO_JSON_MEMBERS),
    ...meaning('shape', { kind: 'plain' })(bodies.OBJECTS),
    ...[bodies.NO_BODIES, bodies.CUT_BODIES, bodies.TRAILING_BODIES, bodies.LENIENT_BODIES, bodies.FOREIGN_BODIES].flatMap(
      meaning('shape', invalid('create.body-json')),
    ),
    ...meaning('shape', invalid('create.body-object'))(bodies.NO_OBJECTS),
    ...meaning('shape', open('encoding'))(bodies.DAMAGED_TEXTS),
    ...meaning('type', { kind: 'plain' })(bodies.JSON_TYPES),
    ...meaning('type', open('charset'))(bodies.JSON_TYPES_WITH_CHARSET),
    ...meaning('type', open('media type'))(bodies.OTHER_TYPES),
    ...meaning('parameters', open('fields elsewhere'))(lists.FIELD_PARAMETERS),
    ...meaning('client', open('fields elsewhere'))(clients.FIELD_CLIENTS),
    ...meaning('client', open('media type'))(clients.CODED_CLIENTS),
  ];

  test.each(rows.map(({ vector, body }) => [JSON.stringify(vector), body, vector] as const))('%s is %j', (_title, body, vector) => {
    expect(facts(vector).body).toMatchObject(body);
  });

  test('has that meaning for any row and any accepted category', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const category = fc.oneof(fc.bigInt({ min: -9n, max: 9n }), int64);
    fc.assert(
      fc.property(fc.constantFrom(...rows), fc.nat({ max: 9_999 }), fc.nat(), category, ({ vector, body }, rowNumber, seed, categoryId) => {
        expect(facts(vector, { ...CONTEXT, rowNumber, seed, categoryId }).body).toMatchObject(body);
      }),
      { numRuns: 2_000 },
    );
  });

  test('has a meaning for every value of the tables of creations', () => {
    const forms = ['order', 'escapes', 'space', 'framing', 'credential', 'client', 'fields', 'connection', 'path', 'parameters'];
    for (const [dimension, { values }] of Object.entries<Table<unknown>>(TABLES.create)) {
      if (forms.includes(dimension)) continue;
      const named = rows.map(({ vector }) => (vector as Readonly<Record<string, unknown>>)[dimension]);
      expect(keysOf(values).filter((name) => !named.includes(name))).toEqual([]);
    }
  });

  test('means the same in each spelling of JSON, of the type, and in each framing', () => {
    const dimension = (table: Table<unknown>) => fc.constantFrom(...keysOf(table.values));
    const spelling = fc.record({
      order: dimension(bodies.ORDER),
      escapes: dimension(bodies.ESCAPES),
      space: dimension(bodies.SPACE),
      framing: dimension(bodies.FRAMING),
      type: fc.constantFrom(...keysOf(bodies.JSON_TYPES)),
    });
    // Shapes are made from the text of the object, and a value that is not JSON has no spelling.
    const spelled = rows.filter(({ vector, body }) => !('shape' in vector) && !('type' in vector) && body['clause'] !== 'create.body-json');
    const repeated = (vector: Vector): boolean => vector.op === 'create' && Object.hasOwn(bodies.REPEATED_MEMBERS, String(vector.members));
    fc.assert(
      fc.property(fc.constantFrom(...spelled.filter(({ vector }) => !repeated(vector))), spelling, ({ vector, body }, more) => {
        expect(facts({ ...vector, ...more } as Vector).body).toMatchObject(body);
      }),
      { numRuns: 500 },
    );
  });

  test('is invalid by the first member in the order of the document', () => {
    const wrong = {
      name: [...keysOf(names.MISSING_NAMES), ...keysOf(names.WRONG_NAMES)],
      category: [categories.MISSING_CATEGORIES, categories.WRONG_CATEGORIES, categories.HUGE_CATEGORIES].flatMap(keysOf),
      status: keysOf(statuses.WRONG_STATUSES),
    };
    const some = fc.record(
      { name: fc.constantFrom(...wrong.name), category: fc.constantFrom(...wrong.category), status: fc.constantFrom(...wrong.status) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(some, fc.constantFrom(...keysOf(bodies.ORDER.values)), (vector, order) => {
        const [first, named] =
          Object.entries(vector).toSorted(([one], [other]) => 'ncs'.indexOf(one[0] ?? '') - 'ncs'.indexOf(other[0] ?? ''))[0] ?? [];
        fc.pre(first !== undefined && named !== undefined);
        expect(facts({ op: 'create', order, ...vector }).body).toMatchObject({
          ...facts(vectorOf('create', { [first ?? '']: named ?? '' })).body,
          kind: 'invalid',
        });
      }),
    );
  });

  test('says exactly what is sent where it is accepted', () => {
    const kept = rows.filter(({ body }) => ['plain', 'unusual'].includes(String(body['kind'])));
    for (const { vector } of kept) {
      const { body } = facts(vector);
      const json = JSON.parse(new TextDecoder().decode(compose(vector, CONTEXT).body)) as { name: string };
      expect(body).toMatchObject({ sent: { name: json.name } });
    }
  });

  test('drawn means what its arbitrary is for', () => {
    const drawn: readonly (readonly [dimension: string, values: fc.Arbitrary<string>, body: object])[] = [
      ['name', names.drawnNames(), { kind: 'unusual' }],
      ['name', names.drawnWrongNames(), invalid('create.name-type')],
      ['category', categories.drawnCategories(), { kind: 'plain' }],
      ['category', categories.drawnWrongCategories(), invalid('create.category-type')],
      ['category', categories.drawnHugeCategories(), invalid('create.category-range')],
      ['status', statuses.drawnWrongStatuses(), invalid('create.status-invalid')],
      ['shape', bodies.drawnBrokenBodies(), invalid('create.body-json')],
      ['shape', bodies.drawnNoObjects(), invalid('create.body-object')],
    ];
    for (const [dimension, values, body] of drawn)
      fc.assert(
        fc.property(values, (value) => {
          expect(facts(vectorOf('create', { [dimension]: value })).body).toMatchObject(body);
        }),
      );
  });
});

describe('every row', () => {
  /** Rows of two to four random values. */
  const rows = fc.constantFrom(...OPERATIONS).chain((op) => {
    const dimensions = Object.entries<Table<unknown>>(TABLES[op]);
    return fc
      .subarray(dimensions, { minLength: 1, maxLength: 4 })
      .chain((some) =>
        fc
          .tuple(...some.map(([dimension, { values }]) => fc.constantFrom(...keysOf(values)).map((name) => [dimension, name] as const)))
          .map((pairs) => vectorOf(op, Object.fromEntries(pairs))),
      );
  });

  const textOf = ({ target, headers, body = new Uint8Array() }: Sent): string =>
    [target, ...headers.map((header) => header.join(': ')), Buffer.from(body).toString('latin1')].join('\n');

  test('is the same bytes for the same seed, number, and context', () => {
    fc.assert(
      fc.property(rows, fc.nat({ max: 9_999 }), fc.nat(), (vector, row, seed) => {
        const context = { ...CONTEXT, rowNumber: row, seed };
        expect(compose(vector, context)).toEqual(compose(vector, context));
      }),
    );
  });

  test('keeps the operation, and the credential that its value means', () => {
    fc.assert(
      fc.property(rows, (vector) => {
        const { operation, credential } = facts(vector);
        expect(operation).toBe(facts(usualOf(vector.op)).operation);
        // A shape may lose what is in the body.
        if (vector.credential === undefined) expect(credential).toEqual({ kind: 'valid' });
        else if (vector.credential !== 'in the body')
          expect(credential).toEqual(facts(vectorOf(vector.op, { credential: vector.credential })).credential);
      }),
      { numRuns: 3_000 },
    );
  });

  /** The row with these dimensions alone. */
  const only = (vector: Vector, dimensions: readonly string[]): Vector =>
    vectorOf(vector.op, Object.fromEntries(Object.entries(vector).filter(([dimension]) => dimensions.includes(dimension))));

  test('of a list means by limit, status, and parameters what it means without the rest', () => {
    fc.assert(
      fc.property(rows, (vector) => {
        fc.pre(vector.op === 'list');
        const { list } = facts(only(vector, ['limit', 'status', 'query', 'parameters']));
        expect(facts(vector).list).toMatchObject({ limit: list?.limit, status: list?.status, order: list?.order });
      }),
      { numRuns: 3_000 },
    );
  });

  test('of a read means by its id what it means without the rest', () => {
    fc.assert(
      fc.property(rows, (vector) => {
        // In another spelling of the path, the id may be another one.
        fc.pre(vector.op === 'get' && vector.path === undefined);
        expect(facts(vector).id).toEqual(facts(only(vector, ['id'])).id);
      }),
      { numRuns: 3_000 },
    );
  });

  test('of a creation means by its body what it means without credential, connection, path, and framing', () => {
    fc.assert(
      fc.property(rows, (vector) => {
        fc.pre(vector.op === 'create' && vector.credential !== 'in the body');
        const others = ['credential', 'connection', 'path', 'framing', 'fields'];
        const own = Object.keys(vector).filter((dimension) => !others.includes(dimension));
        expect(facts(vector).body).toEqual(facts(only(vector, own)).body);
      }),
      { numRuns: 3_000 },
    );
  });

  test('has the key in the Authorization header only, unless it is intrusive', () => {
    for (const vector of SINGLE) {
      const sent = compose(vector, CONTEXT);
      const others = { ...sent, headers: sent.headers.filter(([name]) => name.toLowerCase() !== 'authorization') };
      const isIntrusive = valuesOf(TABLES, vector).some(([, { effect }]) => effect === 'intrusive');
      if (!isIntrusive) expect(textOf(others)).not.toContain(KEY);
    }
  });

  test('with a near miss of the key says so, and no other has one', () => {
    const unlike = ['unrelated', 'no token'];
    for (const vector of SINGLE) {
      const { credential } = facts(vector);
      const isNear = credential.kind === 'wrong' && !unlike.includes(credential.how);
      expect(valuesOf(TABLES, vector).some(([, { nearMiss = false }]) => nearMiss)).toBe(isNear);
    }
  });

  test('with another value of a dimension is other bytes', () => {
    /** Requests in which each value shows: a query, and a name with letters beyond ASCII and a slash. */
    const usual: Readonly<Record<RowOperation, object>> = {
      list: { limit: 5, status: 'sold' },
      get: {},
      create: { name: ['percent-encoded letters', 'precomposed accents'], status: 'sold' },
    };
    const sentBy = (dimension: string, name: string): string =>
      OPERATIONS.filter((op) => keysOf(ownValues(op, dimension)).includes(name))
        .flatMap((op) => [vectorOf(op, { [dimension]: name }), vectorOf(op, { ...usual[op], [dimension]: name })])
        .map((vector) => {
          const sent = compose(vector, CONTEXT);
          return [sent.framing, sent.connection, sent.body?.length, textOf(sent)].join();
        })
        .join('\n');
    const dimensions = new Set(OPERATIONS.flatMap((op) => keysOf(TABLES[op])));
    for (const dimension of dimensions) {
      const all = [...new Set(OPERATIONS.flatMap((op) => keysOf(ownValues(op, dimension))))];
      const same = [...Map.groupBy(all, (name) => sentBy(dimension, name)).values()].filter(({ length }) => length > 1);
      expect(same, dimension).toEqual([]);
    }
  });

  test('of a pack of names is one unusual name with all of them, as long as the longest', () => {
    const { body } = facts({ op: 'create', name: ['in quotes', 'SQL', 'line ends', '256 letters'] });
    const sent = body?.kind === 'unusual' ? body.sent.name : '';
    expect(sent).toMatch(/^"<~Conformance[A-Za-z]{9}x+\r\nline\nline\n'; DROP TABLE pets; -->"$/);
    expect(sent).toHaveLength(256);
    expect(() => facts({ op: 'create', name: ['quotes', 'null'] })).toThrow('the name "null" is special as a whole');
  });

  test('of a pack has the facts of its values together', () => {
    const clientOf = (client: ValueName): unknown => facts({ op: 'list', client, credential: 'none' }).client;
    expect(clientOf(['no User-Agent', 'another origin'])).toEqual({ kind: 'unusual', by: ['no User-Agent', 'Origin'] });
    expect(clientOf(['kube-probe', 'local client'])).toMatchObject({ kind: 'undocumented' });
    expect(facts({ op: 'get', credential: ['header token', 'query parameter jwt', 'cookie session'] }).credential).toEqual({
      kind: 'elsewhere',
      places: ['query parameter', 'header', 'cookie'],
    });
    expect(facts({ op: 'create', members: ['color', 'Name'] }).body).toMatchObject({ kind: 'open', why: 'other members' });
    expect(() => facts({ op: 'list', client: ['Java', 'no User-Agent'] })).toThrow('two values need user-agent');
    expect(() => facts({ op: 'list', limit: ['0', '101'] })).toThrow('values do not travel together');
  });

  test('of a part of a client is one of its headers', () => {
    const all = [0, 1, 2].map((index) => compose({ op: 'list', client: `=${index} of browser` }, CONTEXT).headers);
    expect(all.map((headers) => headers.some(([name]) => name === 'accept-language'))).toEqual([false, true, false]);
  });

  test('that creates is a write', () => {
    for (const vector of SINGLE) expect(effectsOf(TABLES, vector).has('write')).toBe(vector.op === 'create');
  });
});
