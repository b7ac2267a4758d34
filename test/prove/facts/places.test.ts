// Whatever the tables of today's clauses send has a place among the values that rows name.

import { describe, expect, test } from 'vitest';
import type { NewPetInput } from '../../../src/schema/pet.ts';
import type { CreateBody, Credential } from '../../../src/session/client/api.ts';
import { EQUIVALENTS } from '../../../src/session/client/equivalent.ts';
import { plainNameOf } from '../../../src/session/compose.ts';
import type { Context, RowOperation, Table, Vector } from '../../../src/session/rows.ts';
import { writeJson } from '../../../src/wire/json.ts';
import { CREATE_PATHS, LIST_PATHS, readPaths } from '../../../suites/auth/missing-credential.clause.ts';
import * as credentials from '../../../suites/cases/credentials.ts';
import * as bodies from '../../../suites/cases/invalid-bodies.ts';
import { PLAIN_HTTP, TRUSTED_HEADERS } from '../../../suites/cases/trusted-headers.ts';
import * as names from '../../../suites/cases/unusual-names.ts';
import { VAGUE_CLIENTS } from '../../../suites/stimuli/documented.ts';
import { compose, TABLES } from '../../../suites/tables/tables.ts';

const KEY = 'pk-7Hq2XvR9sLmT4wZa';
const CONTEXT: Context = {
  ...{ apiKey: KEY, seed: 1, row: 7, runTag: 'prove', categoryId: 3n },
  known: [41n],
  cookies: [],
};
const NAME = plainNameOf(CONTEXT);
const VALID: NewPetInput = { name: NAME, categoryId: 3n };

const vector = (op: RowOperation, more: Readonly<Record<string, string>>): Vector => ({ ...more, op }) as Vector;
const namesIn = (table: Table<unknown>): readonly string[] => Object.keys(table.values);

describe('a credential', () => {
  const said = ({ headers, target }: { readonly headers: readonly (readonly [string, string])[]; readonly target: string }): string => {
    const own = headers.filter(([name]) => !['accept', 'user-agent'].includes(name)).map((header) => header.join(': '));
    return [...own, target.replace(/^[^?]*\??/, '')].join('\n');
  };
  const made = new Set(namesIn(TABLES.list.credential).map((credential) => said(compose(vector('list', { credential }), CONTEXT))));
  /** What a seed draws is another text each time. */
  const isDrawn = ({ note }: Credential): boolean => /random|changed/.test(note) || note === credentials.LIKE_THE_KEY;
  const all = [
    ...credentials.MISSING.slice(0, 2),
    ...credentials.wrongKeys(KEY, 1),
    ...credentials.wrongSchemes(KEY),
    ...credentials.malformed(KEY),
    // Rows have each place of a group, and pack them in other company.
    ...credentials.elsewhere(KEY).flatMap((one) => {
      const places = credentials.eachPlace(one, KEY);
      return places.length === 0 ? [one] : places;
    }),
  ].filter((one) => !isDrawn(one));

  test.each(all.map((one) => [one.note, one] as const))('%s', (_note, { headers, query = '' }) => {
    expect(made).toContain(said({ headers, target: `/pets?${query}` }));
  });
});

describe('a client', () => {
  const made = new Set(
    namesIn(TABLES.list.client).flatMap((client) =>
      compose(vector('list', { client, credential: 'none' }), CONTEXT).headers.map(([name, value]) => `${name}: ${value}`),
    ),
  );
  const all = [
    ...EQUIVALENTS.read.map(({ headers = [] }) => headers),
    ...VAGUE_CLIENTS.map((client) => ('headers' in client ? client.headers : [])),
    ...[...TRUSTED_HEADERS, PLAIN_HTTP].map(({ headers }) => headers),
    ...credentials.MISSING.map(({ headers }) => headers.filter(([name]) => name !== 'authorization')),
  ].flatMap((headers) => headers.map(([name, value]) => `${name}: ${value}`));

  test.each([...new Set(all)])('%s', (header) => {
    expect(made).toContain(header);
  });
});

describe('a path', () => {
  const made = new Set(
    (['list', 'get'] as const).flatMap((op) => namesIn(TABLES[op].path).map((path) => compose(vector(op, { path }), CONTEXT).target)),
  );

  test.each([...LIST_PATHS, ...CREATE_PATHS, ...readPaths(41n)])('%s', (path) => {
    expect(made).toContain(path);
  });
});

/** What is wrong in two places takes two values, and what is where it does not belong takes that it is missing where it does. */
const TOGETHER: readonly Readonly<Record<string, string>>[] = [
  ...namesIn(TABLES.create.members).flatMap((members) =>
    [{ name: 'missing' }, { category: 'missing' }, { name: 'missing', category: 'missing' }].map((more) => ({ ...more, members })),
  ),
  { name: 'missing', category: 'missing' },
  { name: 'missing', status: 'pending' },
  { name: 'missing', category: 'missing', members: 'NewPet in pet' },
  { name: 'JSON null', category: 'null', status: 'null' },
  { name: '42', category: '"dogs"', status: '1' },
  { category: 'missing', status: 'sold' },
  { category: 'null', status: 'available' },
  { category: '"dogs"', status: 'true' },
  { status: '"adopted"', space: 'before the last member' },
];

describe('a body', () => {
  const rows = Object.entries<Table<unknown>>(TABLES.create).flatMap(([dimension, table]) =>
    namesIn(table).map((name) => ({ [dimension]: name })),
  );
  const made = new Set(
    [...rows, ...TOGETHER].map((row) => {
      const { body } = compose(vector('create', row), CONTEXT);
      return body === undefined ? undefined : Buffer.from(body).toString('latin1');
    }),
  );
  const textOf = (body: CreateBody): string | undefined => {
    const text = 'value' in body ? writeJson(body.value) : body.raw;
    return text === undefined ? undefined : Buffer.from(text).toString('latin1');
  };
  const invalid = [
    ...[bodies.NO_BODIES, bodies.CUT_BODIES, bodies.TRAILING_BODIES, bodies.LENIENT_BODIES, bodies.IGNORED_BODIES, bodies.FOREIGN_BODIES],
    ...[bodies.NO_OBJECTS, bodies.MISSING_NAMES, bodies.NULL_NAMES, bodies.WRONG_NAMES, bodies.MISSING_CATEGORIES, bodies.NULL_CATEGORIES],
    ...[bodies.WRONG_CATEGORIES, bodies.HUGE_CATEGORIES, bodies.WRONG_STATUSES, bodies.NULL_STATUSES],
  ].flat();

  test.each(invalid.map((one) => [one.what, one] as const))('%s', (_what, { body }) => {
    expect(made).toContain(textOf(body(VALID)));
  });

  const unusual = [
    ...[names.CHARACTER_NAMES, names.LONG_NAMES, names.FIRST_NAMES, names.VERY_LONG_NAMES, names.BARE_NAMES],
    ...[names.ALIKE_NAMES],
  ].flat();
  const shared = { ...VALID, name: plainNameOf({ ...CONTEXT, row: 0 }) };
  const isAlike = (row: names.UnusualName): boolean => names.ALIKE_NAMES.includes(row);

  test.each(unusual.map((row) => [row.what, row] as const))('%s', (_what, row) => {
    expect(made).toContain(textOf({ value: names.withName(isAlike(row) ? shared : VALID, row) }));
  });
});
