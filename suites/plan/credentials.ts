// Requests without the API key.

import type { Entry, Row } from '../../src/plan/row.ts';
import type { ValueName, Vector } from '../../src/session/vector.ts';
import { PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { CLAIMS, CLIENTS, TRUSTED_CLIENTS, TRUSTED_WRITERS, UNDOCUMENTED_CLIENTS, UNUSUAL_CLIENTS } from '../tables/clients.ts';
import {
  COMMON_ELSEWHERE,
  CREDENTIALS,
  IN_BODY,
  LARGE_TOKENS,
  MALFORMED_SCHEMES,
  MALFORMED_TOKENS,
  MISSING,
  NEAR_MISSES,
  NO_TOKENS,
  OTHER_SCHEMES,
  RARER_ELSEWHERE,
  SCHEME_CASES,
  UNRELATED,
} from '../tables/credentials.ts';
import { OTHER_PARAMETERS, REPEATED_PARAMETERS } from '../tables/lists.ts';
import { EMPTY_QUERY, OTHER_PATHS, REWRITTEN_PATHS } from '../tables/paths.ts';
import { all, CLIENT_VALUES, type Create, each, type Get, inTurn, type Kit, type List, names, times } from './kit.ts';

const OPERATIONS = ['list', 'get', 'create'] as const;
/** A request has room for the key at some twenty places. */
const ROOM = 3;
/** Without the API key, only rules that name a client which services may trust judge its requests: it has rows of its own. */
const CLIENTS_WITHOUT_KEY = CLIENT_VALUES.filter((name) => !names(TRUSTED_CLIENTS).includes(name));
type Values = Readonly<Record<string, ValueName>>;
const none = { credential: 'none' } as const;

/** With the key, they would be rejected for another reason, which must not be seen without it. */
const LISTS_IN_ERROR: readonly Omit<List, 'op'>[] = [
  ...[{ limit: 'abc' }, { limit: '0' }, { limit: '101' }, { limit: 'empty' }],
  ...[{ status: 'unknown' }, { status: 'SOLD' }, { status: 'empty' }, { status: 'not UTF-8' }, { limit: '1.5', status: 'unknown' }],
  ...names(REPEATED_PARAMETERS).map((parameters) => ({ parameters })),
];
const CREATIONS_IN_ERROR: readonly Omit<Create, 'op'>[] = [
  ...[{ name: 'missing' }, { category: 'missing' }, { name: '42' }, { category: 'true' }, { status: '"unknown"' }],
  ...[{ shape: 'no body' }, { shape: 'cut in the name' }, { shape: 'empty array' }, { shape: 'word' }, { category: '1e19' }],
  ...[{ type: 'text/plain' }, { type: 'none' }, { members: 'id of an animal' }, { framing: 'chunked' }],
];
const IDS_IN_ERROR = [
  ...['2^63', 'many', '1.5', 'percent', 'not UTF-8', 'plus sign', 'padded with a zero', '300 digits', '500 letters', 'null'],
  ...['0', '-1', '31 bits', '63 bits', 'largest int64'],
];
const IN_ERROR = {
  list: { limit: ['abc', '0', '101'], status: ['none', 'unknown'] },
  get: { id: ['63 bits', 'many', 'minus known', '2^31', '0', '2^63'] },
  create: { name: ['missing', '42'], type: ['application/json', 'text/plain'] },
};

const statusAt = (index: number): PetStatus => PET_STATUSES[index % PET_STATUSES.length] ?? 'sold';

/** Requests without the key before and after one with it: on the connection, for the target, from the client. */
function carriedOver({ otherStatuses }: Kit): readonly Row[] {
  const clients = [1, 2, 3, 4];
  const statuses = ['none', ...otherStatuses];
  return [
    ...clients.map((client) => inTurn({ op: 'list', ...none, client, limit: 60 + client }, { op: 'get', ...none, client, id: client })),
    ...clients.map((client) =>
      inTurn({ op: 'list', client: client + 10, status: statusAt(client) }, { op: 'get', client: client + 10, id: client }),
    ),
    ...clients.map((client) =>
      inTurn({ op: 'list', ...none, client, status: statusAt(client) }, { op: 'get', ...none, client, id: client + 4 }),
    ),
    ...clients.map((client) =>
      inTurn(
        { op: 'list', client, limit: 80 + client },
        { op: 'list', client: client + 20, ...none, limit: 90 + client },
        { op: 'get', client, id: client },
        { op: 'get', client: client + 20, ...none, id: client + 8 },
      ),
    ),
    ...clients.map((client) =>
      inTurn(
        { op: 'list', client, ...none, limit: 90 + client, connection: 'fresh' },
        { op: 'get', client, ...none, id: client + 8, connection: 'fresh' },
      ),
    ),
    inTurn({ op: 'list' }, { op: 'list', ...none }, { op: 'list', credential: 'like the key' }, { op: 'get', ...none }),
    ...statuses.map((status) => inTurn({ op: 'create', status }, { op: 'get', ...none, id: -1 }, { op: 'list', ...none })),
    ...statuses.map((status, index) =>
      inTurn({ op: 'create', status }, { op: 'get', ...none, id: -1, client: 30 + index, connection: 'fresh' }),
    ),
  ];
}

export function credentials(kit: Kit): readonly Entry[] {
  const { fill, rarestStatus } = kit;
  const phase = 'rejected';
  const right = {
    list: { limit: ['none', 'none', 5, 100], status: ['none', 'none', ...PET_STATUSES] },
    get: { id: [0, 1, 2, 3] },
    create: { status: [rarestStatus] },
  };
  const refused = (op: (typeof OPERATIONS)[number], row: Values, contexts: typeof right | typeof IN_ERROR): Vector =>
    fill({ op, ...(op === 'create' ? { status: rarestStatus } : {}), ...row } as Vector, {
      ...contexts[op],
      connection: ['kept', 'fresh', 'young'],
      ...('client' in row ? {} : { client: CLIENTS_WITHOUT_KEY }),
    });
  const everywhere = (row: Values): readonly Vector[] => OPERATIONS.map((op) => refused(op, row, right));
  const oneOf = (row: Values, index: number, contexts: typeof right | typeof IN_ERROR): Vector =>
    refused(OPERATIONS[index % OPERATIONS.length] ?? 'list', row, contexts);
  const tokens = all(UNRELATED, NEAR_MISSES, NO_TOKENS, LARGE_TOKENS);
  const schemes = all(OTHER_SCHEMES, MALFORMED_SCHEMES, SCHEME_CASES);
  return [
    { phase: 'before and after the key', least: 8, for: ['auth.every-request', 'auth.missing-credential'], rows: carriedOver(kit) },
    { ...{ phase, least: 3, for: ['auth.wrong-key'] }, rows: each(tokens, (credential) => everywhere({ credential })).flat() },
    { ...{ phase, for: ['auth.wrong-key'] }, rows: each(MALFORMED_TOKENS, (credential) => everywhere({ credential })).flat() },
    {
      ...{ phase, least: 3, for: ['auth.wrong-scheme'] },
      rows: names(schemes).flatMap((credential) =>
        everywhere({ credential }).filter(({ op }) => op !== 'list' || !names(SCHEME_CASES).includes(credential)),
      ),
    },
    {
      ...{ phase, least: 3, for: ['auth.header-only'] },
      rows: [
        ...each(COMMON_ELSEWHERE, (credential, index) => oneOf({ credential }, index, right)),
        ...OPERATIONS.flatMap((op) =>
          kit.packs(CREDENTIALS, names(RARER_ELSEWHERE), ROOM, 1).map((credential) => refused(op, { credential }, right)),
        ),
        ...each(IN_BODY, (credential): Create => ({ op: 'create', credential, status: rarestStatus })),
      ],
    },
    {
      ...{ phase, least: 3, for: ['auth.missing-credential', 'auth.refused-stores-nothing', 'auth.challenge'] },
      rows: [
        ...each(MISSING, (credential) => everywhere({ credential })).flat(),
        ...[1, 20, 100].map((limit): List => ({ op: 'list', limit, ...none })),
        ...PET_STATUSES.flatMap((status): List[] => [
          { op: 'list', status, ...none },
          { op: 'list', status, limit: 100, ...none },
        ]),
        ...['none', ...PET_STATUSES].map((status): Create => ({ op: 'create', status, ...none })),
        ...times(6, (id): Get => ({ op: 'get', id, ...none })),
        ...times(2, () => everywhere(none)).flat(),
        ...[...names(OTHER_PARAMETERS), 'status=sold&status=sold', 'limit[]=2'].map(
          (parameters): List => ({ op: 'list', parameters, ...none }),
        ),
      ],
    },
    {
      ...{ phase, for: ['auth.missing-credential'] },
      // What a service may trust, and what it may reject: each on each operation, in different company.
      rows: OPERATIONS.flatMap((op) =>
        [names(all(UNDOCUMENTED_CLIENTS, CLAIMS, TRUSTED_CLIENTS, TRUSTED_WRITERS)), names(UNUSUAL_CLIENTS)]
          .flatMap((clients) => kit.packs(CLIENTS, clients, 3, 1))
          .map((client) => refused(op, { client, ...none }, right)),
      ),
    },
    {
      ...{ phase, for: ['auth.missing-credential'] },
      rows: [
        ...names(all(REWRITTEN_PATHS, OTHER_PATHS, EMPTY_QUERY)).flatMap((path): Vector[] => [
          { op: 'list', path, ...none },
          { op: 'get', path, ...none },
        ]),
        ...each(REWRITTEN_PATHS, (path): Create => ({ op: 'create', path, ...none, status: rarestStatus })),
      ],
    },
    {
      ...{ phase, least: 3, for: ['auth.precedence'] },
      rows: [
        ...names(all(MISSING, tokens, MALFORMED_TOKENS, schemes))
          .filter((_name, index) => index % 2 === 0)
          .map((credential, index) => oneOf({ credential }, index, IN_ERROR)),
        ...LISTS_IN_ERROR.map((row): List => ({ op: 'list', ...row, ...none })),
        ...IDS_IN_ERROR.map((id): Get => ({ op: 'get', id, ...none })),
        ...CREATIONS_IN_ERROR.map((row): Create => ({ op: 'create', status: rarestStatus, ...row, ...none })),
      ],
    },
  ];
}
