// What a run sends: the values that must occur, in rows that are filled up with values that change nothing, by phase.

import { createFiller, type Fillers, shuffle } from '../src/plan/fill.ts';
import type { Group, Phase, Row } from '../src/plan/row.ts';
import { createRandom } from '../src/session/numbers.ts';
import type { Vector } from '../src/session/rows.ts';
import { PET_STATUSES, type PetStatus } from '../src/wire/exchange.ts';
import {
  CATEGORIES_ELSEWHERE,
  CLIENT_IDS,
  CUT_BODIES,
  DAMAGED_TEXTS,
  FOREIGN_BODIES,
  JSON_TYPES_WITH_CHARSET,
  LENIENT_BODIES,
  NAMES_ELSEWHERE,
  NO_BODIES,
  NO_JSON_MEMBERS,
  NO_OBJECTS,
  OTHER_TYPES,
  REPEATED_MEMBERS,
  TRAILING_BODIES,
  UNKNOWN_MEMBERS,
} from './tables/bodies.ts';
import {
  FRACTION_SPELLINGS,
  HUGE_CATEGORIES,
  INT64_CATEGORIES,
  MISSING_CATEGORIES,
  NO_JSON_CATEGORIES,
  WRONG_CATEGORIES,
} from './tables/categories.ts';
import { CLAIMS, FIELD_CLIENTS, OWN_CLIENTS, TRUSTED_CLIENTS, UNDOCUMENTED_CLIENTS, UNUSUAL_CLIENTS, USUAL_CLIENTS } from './tables/clients.ts';
import {
  ELSEWHERE,
  IN_BODY,
  LARGE_TOKENS,
  MALFORMED,
  MISSING,
  NEAR_MISSES,
  NO_TOKENS,
  OTHER_SCHEMES,
  SCHEME_CASES,
  UNRELATED,
} from './tables/credentials.ts';
import { BEYOND_INT64, INT64_IDS, NO_INTEGERS, OTHER_SPELLINGS } from './tables/ids.ts';
import {
  FIELD_PARAMETERS,
  ID_PARAMETERS,
  LIMITS,
  LIMITS_IN_OTHER_SPELLINGS,
  LIMITS_OUT_OF_RANGE,
  OTHER_FILTERS,
  OTHER_PARAMETERS,
  REPEATED_PARAMETERS,
} from './tables/lists.ts';
import { ALIKE_NAMES, BARE_NAMES, CHARACTER_NAMES, LONG_NAMES, MISSING_NAMES, NAMESAKES, WRONG_NAMES } from './tables/names.ts';
import { OTHER_PATHS } from './tables/paths.ts';
import { WRONG_STATUSES } from './tables/statuses.ts';

/** What the first requests of a run have shown. */
export type Found = {
  /** Animals in the store, as far as lists show. */
  readonly size: number;
  /** The status of the fewest animals: what is created by mistake shows there. */
  readonly quiet: PetStatus;
  /** Ids of animals, in the order of the first list. */
  readonly known: number;
};

const names = Object.keys;
const CLIENT_VALUES = [...names(USUAL_CLIENTS), 'traced', ...names(TRUSTED_CLIENTS).filter((name) => !name.includes('Content-Type'))];
const FIELD_FORMS = ['usual', 'in reverse order', 'Authorization with a capital', 'in capitals', 'with white space', 'after many others'];

type Create = Extract<Vector, { op: 'create' }>;
type List = Extract<Vector, { op: 'list' }>;
type Get = Extract<Vector, { op: 'get' }>;

/** Harmless values of each operation. */
const SHARED: Fillers = { client: CLIENT_VALUES, fields: FIELD_FORMS, connection: ['kept', 'kept', 'fresh'] };
const LIST: Fillers = { status: ['none', ...PET_STATUSES], query: ['limit first', 'status first'], ...SHARED };
const READ: Fillers = SHARED;
const FORM: Fillers = {
  order: ['name first', 'reversed', 'first member last'],
  escapes: ['none', 'first letter of values', 'first letter of names', 'beyond ASCII', 'slashes'],
  space: ['none', 'after each token', 'one space before the body', 'spaces', 'tabs', 'line feeds'],
  type: ['application/json', 'Application/JSON'],
  framing: ['length', 'length', 'divided'],
};
/** A rejection must not have another reason. */
const CALM: Fillers = { order: ['name first', 'reversed'], client: CLIENT_VALUES, connection: ['kept', 'fresh'] };

/** Until a store has more than that, its longest page is not full. */
const FULL = 106;

const LIST_MISTAKES: readonly Omit<List, 'op'>[] = [
  ...[{ limit: 'abc' }, { limit: '0' }, { limit: '-1' }, { limit: '101' }, { limit: 'empty' }],
  ...[{ status: 'unknown' }, { status: 'SOLD' }, { status: 'empty' }, { limit: '1.5', status: 'unknown' }],
];
const CREATE_MISTAKES: readonly Omit<Create, 'op'>[] = [
  ...[{ name: 'missing' }, { category: 'missing' }, { name: '42' }, { category: 'true' }, { status: '"unknown"' }],
  ...[{ shape: 'no body' }, { shape: 'cut in the name' }, { shape: 'empty array' }, { shape: 'word' }, { category: '1e19' }],
  ...[{ type: 'text/plain' }, { type: 'none' }, { members: 'id of an animal' }, { framing: 'chunked' }],
];

const TURNS_OF_STATUS = ['sold', 'pending', 'sold', 'pending', 'sold', 'pending'] as const;

type Block = Readonly<Record<string, unknown>>;

const each = <One>(block: Block, row: (name: string) => One): readonly One[] => Object.keys(block).map(row);
const all = (...blocks: readonly Block[]): Block => Object.assign({}, ...blocks) as Block;

/** The first requests: what is there, and what the rest of the plan needs to know. */
export const OPENING: readonly Vector[] = [
  { op: 'list' },
  { op: 'list', limit: 100 },
  ...PET_STATUSES.map((status): List => ({ op: 'list', status, limit: 100 })),
  ...PET_STATUSES.map((status): List => ({ op: 'list', status })),
  { op: 'get', id: 0 },
  { op: 'get', id: 1 },
  { op: 'get', id: 2 },
];

/** The rest of a run. The same seed and the same findings give the same rows. */
export function planOf({ size, quiet, known }: Found, seed: number): readonly Phase[] {
  const random = createRandom(seed);
  const { fill } = createFiller(random);
  const mixed = <Item>(items: readonly Item[]): readonly Item[] => shuffle(items, random);
  const loud = PET_STATUSES.filter((status) => status !== quiet);
  const list = (row: Omit<List, 'op'>, fillers = LIST): List => fill({ op: 'list', ...row }, fillers, ['limit', 'parameters']);
  const get = (row: Omit<Get, 'op'>, fillers = READ): Get => fill({ op: 'get', ...row }, fillers);
  const create = (row: Omit<Create, 'op'>, fillers: Fillers = { ...SHARED, ...FORM }): Create =>
    fill({ op: 'create', ...row }, { status: ['none', ...loud], ...fillers });

  const rejectedBody = (row: Omit<Create, 'op'>): Create => create({ status: quiet, ...row }, CALM);
  const invalid: readonly Create[] = [
    ...each(WRONG_NAMES, (name) => rejectedBody({ name })),
    ...each(MISSING_NAMES, (name) => rejectedBody({ name })),
    rejectedBody({ name: 'missing', status: 'none' }),
    ...each(NAMES_ELSEWHERE, (members) => rejectedBody({ name: 'missing', members })),
    rejectedBody({ name: 'missing', parameters: 'name' }),
    rejectedBody({ name: 'missing', client: 'name in headers and cookies' }),
    ...each(MISSING_CATEGORIES, (category) => rejectedBody({ category })),
    rejectedBody({ category: 'missing', status: 'none' }),
    rejectedBody({ name: 'missing', category: 'missing' }),
    rejectedBody({ name: 'missing', category: 'missing', status: 'none' }),
    ...each(CATEGORIES_ELSEWHERE, (members) => rejectedBody({ category: 'missing', members })),
    rejectedBody({ category: 'missing', parameters: 'categoryId' }),
    rejectedBody({ category: 'missing', client: 'categoryId in headers and cookies' }),
    ...each(WRONG_CATEGORIES, (category) => rejectedBody({ category })),
    ...each(HUGE_CATEGORIES, (category) => rejectedBody({ category })),
    ...each(NO_JSON_CATEGORIES, (category) => rejectedBody({ category })),
    ...each(WRONG_STATUSES, (status) => rejectedBody({ status })),
    ...each(all(NO_BODIES, CUT_BODIES, TRAILING_BODIES, LENIENT_BODIES, FOREIGN_BODIES, NO_OBJECTS), (shape) => rejectedBody({ shape })),
    ...each(NO_JSON_MEMBERS, (members) => rejectedBody({ members })),
    ...['missing', '42'].flatMap((name) =>
      each(OTHER_TYPES, (type) => rejectedBody({ name, type })).slice(0, 2),
    ),
    ...['chunked', 'divided'].map((framing) => rejectedBody({ name: 'missing', framing })),
    ...names(UNKNOWN_MEMBERS)
      .filter((name) => name.startsWith('empty'))
      .map((members) => rejectedBody({ name: 'missing', members })),
  ];

  const open: readonly Vector[] = [
    ...each(LIMITS_IN_OTHER_SPELLINGS, (limit) => list({ limit }, SHARED)),
    ...each(LIMITS_OUT_OF_RANGE, (limit) => list({ limit }, SHARED)),
    ...each(OTHER_FILTERS, (status) => list({ status }, SHARED)),
    ...each(REPEATED_PARAMETERS, (parameters) => list({ parameters }, SHARED)),
    ...each(OTHER_PARAMETERS, (parameters) => list({ parameters, limit: 7 }, LIST)),
    ...each(OTHER_PARAMETERS, (parameters) => list({ parameters }, LIST)),
  ];
  const others: readonly Vector[] = each(all(INT64_IDS, OTHER_SPELLINGS, BEYOND_INT64, NO_INTEGERS), (id) => get({ id }));
  const clients: readonly Vector[] = [
    ...each(UNUSUAL_CLIENTS, (client): List => ({ op: 'list', client, limit: 5 })),
    ...each(UNUSUAL_CLIENTS, (client): Get => ({ op: 'get', client })),
    ...each(all(CLAIMS, UNDOCUMENTED_CLIENTS), (client): readonly Vector[] => [
      { op: 'list', client },
      { op: 'get', client },
    ]).flat(),
    ...each(OTHER_PATHS, (path): List => ({ op: 'list', path })),
    { op: 'get', parameters: 'id of another animal' },
  ];
  const reads = Array.from({ length: 24 }, (_unused, index) => get({ id: known === 0 ? 'known' : index % known }));
  const few: readonly List[] = [
    ...Array.from({ length: 18 }, () => list({})),
    ...[1, 2, 3, 5, 10, 19, 20, 21, 37, 50, 99, 100, 100].map((limit) => list({ limit })),
  ];

  const early = mixed(names(BARE_NAMES)).map((name, index) => create({ name, status: [quiet, 'none', loud[1] ?? quiet][index % 3] ?? quiet }));
  const firstPlain = ['none', ...PET_STATUSES, 'none', 'none', ...PET_STATUSES].map((status) => create({ status }));
  const twins: readonly Create[] = [
    ...each(NAMESAKES, (name) => create({ name })),
    ...each(NAMESAKES, (name) => create({ name })),
    ...each(ALIKE_NAMES, (name) => create({ name })),
  ];
  const categories = mixed(names(INT64_CATEGORIES));
  const odd: readonly Create[] = [...names(CHARACTER_NAMES), ...names(LONG_NAMES)].map((name, index) => {
    const category = categories[index];
    return create(category === undefined || index % 2 === 1 ? { name } : { name, category });
  });
  const left = categories.filter((_category, index) => index >= odd.length || index % 2 === 1).map((category) => create({ category }));
  const extras: readonly Create[] = [
    ...names(UNKNOWN_MEMBERS)
      .filter((name) => !name.startsWith('empty'))
      .map((members) => create({ members }, SHARED)),
    ...each(CLIENT_IDS, (members) => create({ members }, SHARED)),
    ...each(REPEATED_MEMBERS, (members) => create({ members, status: members === 'name twice' ? 'none' : 'pending' }, SHARED)),
    ...each(FRACTION_SPELLINGS, (category) => create({ category }, SHARED)),
    ...each(DAMAGED_TEXTS, (shape) => create({ shape }, SHARED)),
    ...each(all(JSON_TYPES_WITH_CHARSET, OTHER_TYPES), (type) => create({ type }, SHARED)),
    create({ parameters: 'fields' }, SHARED),
    create({ client: 'fields in headers and cookies' }, FORM),
    create({ framing: 'chunked' }, FORM),
    create({ space: 'before the last member' }, SHARED),
    create({ space: 'before the body' }, SHARED),
    create({ space: 'after the body' }, SHARED),
    ...each(UNUSUAL_CLIENTS, (client) => create({ client }, FORM)).slice(0, 3),
  ];
  const plain = ['none', ...PET_STATUSES, ...loud, 'none', 'none'].map((status) => create({ status }));

  const inTurn = (...rows: readonly Vector[]): Group => ({ how: 'in turn', rows });
  const together = (...rows: readonly Vector[]): Group => ({ how: 'together', rows });
  const spare = { op: 'create' } as const;
  const newest = { op: 'get', id: -1 } as const;
  const inherits: readonly Row[] = [
    inTurn(...TURNS_OF_STATUS.flatMap((status): Vector[] => [{ ...spare, status }, newest, spare, newest])),
    inTurn(...TURNS_OF_STATUS.flatMap((status): Vector[] => [{ ...spare, status, name: 'missing' }, spare, newest])),
    inTurn(...[1, 2, 3].flatMap((): Create[] => [spare, { ...spare, name: 'missing' }])),
    inTurn(
      ...(['category', 'shape', 'name', 'members'] as const).flatMap((dimension): Create[] => [
        { ...spare, status: quiet, ...{ category: { category: 'true' }, shape: { shape: 'cut in the name' }, name: { name: '42' }, members: { members: 'literal that is cut off' } }[dimension] },
        { ...spare, status: loud[0] ?? 'sold' },
      ]),
    ),
    ...[1, 2, 3].map((index) =>
      inTurn({ ...spare, status: loud[index % 2] ?? 'sold' }, { op: 'get', id: -1 }, { op: 'get', id: -1 }, { ...spare, ...[{ status: '"unknown"' }, { name: '42' }, { category: 'missing' }][index - 1] }, { op: 'get', id: -1 }),
    ),
    inTurn(...Array.from({ length: 7 }, (): Create => ({ ...spare, space: 'before the body', name: 'missing' })), spare),
  ];
  const widths = [2, 4, 8, 16].map((width) =>
    together(...Array.from({ length: width }, (_unused, index) => create({ status: ['none', ...PET_STATUSES][index % 4] ?? 'none' }))),
  );
  const rejectedToo = together(
    ...Array.from({ length: 8 }, (_unused, index): Create => (index % 2 === 0 ? { ...spare, status: loud[0] ?? 'sold' } : { ...spare, name: 'missing', status: quiet })),
  );
  const sameName = together({ ...spare, name: 'namesake' }, { ...spare, name: 'namesake' });
  const credentials = ['valid', 'none', 'like the key'];
  const crowds: readonly Row[] = [
    together(...Array.from({ length: 12 }, (_unused, index): List => ({ op: 'list', limit: 4, credential: credentials[index % 3] ?? 'valid' }))),
    together(...Array.from({ length: 12 }, (_unused, index): Get => ({ op: 'get', id: 0, credential: credentials[index % 3] ?? 'valid' }))),
    together(...Array.from({ length: 12 }, (_unused, index): List => ({ op: 'list', limit: index + 1 }))),
    together(...Array.from({ length: 12 }, (_unused, index): List => ({ op: 'list', limit: 100, status: PET_STATUSES[index % 3] ?? 'sold' }))),
    together(...Array.from({ length: 16 }, (_unused, index): Get => ({ op: 'get', id: index }))),
    together(...Array.from({ length: 16 }, (_unused, index): Vector => (index % 2 === 0 ? { op: 'get', id: index } : { op: 'list', limit: index + 2 }))),
    together(...Array.from({ length: 12 }, (_unused, index): Vector => (index % 3 === 0 ? { op: 'create' } : { op: 'list', limit: 100 }))),
  ];

  // Before and after a request with the key: on the connection, for the target, from the client.
  const clientsOf = [1, 2, 3, 4];
  const before: readonly Row[] = clientsOf.flatMap((client): Row[] => [
    inTurn({ op: 'list', credential: 'none', client, limit: 60 + client }, { op: 'get', credential: 'none', client, id: client }),
  ]);
  const without: readonly Row[] = [
    ...before,
    ...clientsOf.map((client) => inTurn({ op: 'list', client: client + 10, limit: 60 + client }, { op: 'get', client: client + 10, id: client })),
    ...clientsOf.map((client) => inTurn({ op: 'list', credential: 'none', client, limit: 70 + client }, { op: 'get', credential: 'none', client, id: client + 4 })),
    ...clientsOf.map((client) =>
      inTurn(
        { op: 'list', client, limit: 80 + client },
        { op: 'list', client: client + 20, credential: 'none', limit: 90 + client },
        { op: 'get', client, id: client },
        { op: 'get', client: client + 20, credential: 'none', id: client + 8 },
      ),
    ),
    ...clientsOf.map((client) =>
      inTurn(
        { op: 'list', client, credential: 'none', limit: 90 + client, connection: 'fresh' },
        { op: 'get', client, credential: 'none', id: client + 8, connection: 'fresh' },
      ),
    ),
    inTurn({ op: 'list' }, { op: 'list', credential: 'none' }, { op: 'list', credential: 'like the key' }, { op: 'get', credential: 'none' }),
    ...['none', ...loud].map((status) => inTurn({ ...spare, status }, { op: 'get', credential: 'none', id: -1 }, { op: 'list', credential: 'none' })),
    ...['none', ...loud].map((status, index) => inTurn({ ...spare, status }, { op: 'get', credential: 'none', id: -1, client: 30 + index, connection: 'fresh' })),
  ];

  type Operation = 'list' | 'get' | 'create';
  type Credentials = Readonly<Record<string, string | number>>;
  const operations = ['list', 'get', 'create'] as const;
  // With the key, they would succeed; what is wrong with them must not be seen without it.
  const right = {
    list: { limit: ['none', 'none', 5, 100], status: ['none', 'none', ...PET_STATUSES] },
    get: { id: [0, 1, 2, 3] },
    create: { status: [quiet] },
  };
  const wrong = {
    list: { limit: ['abc', '0', '101'], status: ['none', 'unknown'] },
    get: { id: ['63 bits', 'many', 'minus known', '2^31', '0', '2^63'] },
    create: { name: ['missing', '42'], status: [quiet, '"unknown"'], type: ['application/json', 'text/plain'] },
  };
  const refused = (op: Operation, row: Credentials, contexts: typeof right | typeof wrong): Vector => {
    const fillers = { ...contexts[op], connection: ['kept', 'fresh'], ...('client' in row ? {} : { client: CLIENT_VALUES }) };
    return fill({ op, ...row } as Vector, fillers);
  };
  const refusedAt = (op: Operation, row: Credentials): Vector => refused(op, row, right);
  const everywhere = (row: Credentials): readonly Vector[] => operations.map((op) => refusedAt(op, row));
  const oneOf = (row: Credentials, index: number): Vector => refusedAt(operations[index % 3] ?? 'list', row);
  const wrongAt = (row: Credentials, index: number): Vector => refused(operations[index % 3] ?? 'list', row, wrong);
  const credentialsOf = all(MISSING, UNRELATED, OTHER_SCHEMES, MALFORMED, NO_TOKENS, SCHEME_CASES, LARGE_TOKENS, NEAR_MISSES);
  const everyWrong: readonly Vector[] = [
    ...[...LIST_MISTAKES, ...names(REPEATED_PARAMETERS).map((parameters) => ({ parameters }))].map((row): List => ({ op: 'list', ...row, credential: 'none' })),
    ...each(all(OTHER_SPELLINGS, BEYOND_INT64, NO_INTEGERS), (id): Get => ({ op: 'get', id, credential: 'none' })),
    ...['0', '-1', '31 bits', '63 bits', 'largest int64'].map((id): Get => ({ op: 'get', id, credential: 'none' })),
    ...CREATE_MISTAKES.map((row): Create => ({ op: 'create', status: quiet, ...row, credential: 'none' })),
  ];
  const rejected: readonly Vector[] = [
    ...each(credentialsOf, (credential) => everywhere({ credential })).flat(),
    ...names(credentialsOf).map((credential, index) => wrongAt({ credential }, index)),
    ...everyWrong,
    ...names(ELSEWHERE)
      .filter((name) => /^(?:rarer|query parameter (?:access_token|api_key|apiKey|key)$|header (?:x-api-key|x-auth-token|proxy-authorization)$|cookie api_key$)/.test(name))
      .flatMap((credential) => everywhere({ credential })),
    ...names(ELSEWHERE)
      .filter((name) => !/^rarer/.test(name))
      .map((credential, index) => oneOf({ credential }, index)),
    ...each(IN_BODY, (credential): Create => ({ op: 'create', credential, status: quiet })),
    ...each(IN_BODY, (credential): Create => ({ op: 'create', credential, status: quiet, connection: 'fresh' })),
    ...each({ ...TRUSTED_CLIENTS, ...CLAIMS, ...UNDOCUMENTED_CLIENTS, ...UNUSUAL_CLIENTS }, (client) =>
      everywhere({ client, credential: 'none' }),
    ).flat(),
    ...[...names(OTHER_PATHS), 'empty query'].flatMap((path): Vector[] => [
      { op: 'list', path, credential: 'none' },
      { op: 'get', path, credential: 'none' },
      ...(/slash at the end|slashes at the start|capitals$/.test(path) ? [{ op: 'create', path, credential: 'none', status: quiet } as const] : []),
    ]),
    ...[...names(OTHER_PARAMETERS), 'status=sold&status=sold', 'limit[]=2'].map((parameters): List => ({ op: 'list', parameters, credential: 'none' })),
    ...[1, 2, 10, 19, 20, 21, 50, 99, 100].map((limit): List => ({ op: 'list', limit, credential: 'none' })),
    ...PET_STATUSES.flatMap((status): List[] => [
      { op: 'list', status, credential: 'none' },
      { op: 'list', status, limit: 100, credential: 'none' },
    ]),
    ...['none', ...PET_STATUSES].map((status): Create => ({ op: 'create', status, credential: 'none' })),
    ...Array.from({ length: 16 }, (_unused, id): Get => ({ op: 'get', id, credential: 'none' })),
    ...Array.from({ length: 6 }, (): Vector[] => operations.map((op) => refusedAt(op, { credential: 'none' }))).flat(),
  ];

  const creations = early.length + twins.length + odd.length + left.length + extras.length + plain.length + 71;
  const more = Array.from({ length: Math.max(0, FULL - size - creations) }, () => create({}));
  const middle = Math.floor(known / 2);
  const untouched: readonly Row[] = [
    ...[middle, middle + 1].map((id) => inTurn({ op: 'list', limit: 100 }, { op: 'get', id }, { op: 'list', limit: 100 })),
    ...[0, 3, 5].map((id) => inTurn({ op: 'get', id }, { op: 'get', id }, { op: 'get', id, client: 'gzip, deflate, or br' }, { op: 'get', id })),
  ];
  const closing: readonly Vector[] = [
    { op: 'list' },
    { op: 'list', limit: 20 },
    { op: 'list', limit: 100 },
    ...PET_STATUSES.flatMap((status): List[] => [
      { op: 'list', status },
      { op: 'list', status, limit: 100 },
      { op: 'list', status, limit: 20 },
    ]),
    { op: 'get', id: 0 },
    { op: 'get', id: 1 },
    { op: 'get', id: 2 },
  ];
  return [
    { title: 'what is there', rows: untouched, isInOrder: true },
    { title: 'a small store', rows: mixed<Row>([...invalid, ...open, ...others, ...clients, ...reads, ...few, ...early, ...firstPlain]), readsBack: true },
    { title: 'first look', rows: closing, settles: true },
    { title: 'growing', rows: mixed<Row>([...twins, ...odd, ...left, ...extras, ...plain, ...more, ...reads.slice(0, 10)]), readsBack: true },
    { title: 'one after the other', rows: inherits, isInOrder: true, readsBack: true },
    { title: 'at the same time', rows: [...widths, rejectedToo, sameName, ...crowds], isInOrder: true, readsBack: true },
    { title: 'a large store', rows: mixed<Row>([...LIMITS.map((limit) => list({ limit })), ...Array.from({ length: 18 }, () => list({})), ...closing]) },
    { title: 'without the key', rows: without, isInOrder: true },
    { title: 'rejected', rows: mixed<Row>(rejected) },
    { title: 'after a pause', rows: closing, pause: 1_100, isInOrder: true },
    { title: 'the end', rows: [...closing, ...mixed(closing)], readsAll: true, settles: true },
  ];
}
export const UNUSED = [FIELD_CLIENTS, FIELD_PARAMETERS, ID_PARAMETERS, OWN_CLIENTS];
