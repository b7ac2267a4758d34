// All that can be sent: for each operation its dimensions, and for each dimension its values.

import { createComposer, valuesOf } from '../../src/session/compose.ts';
import type { SharedTables, Tables, Vector } from '../../src/session/vector.ts';
import { ESCAPES, FRAMING, MEMBERS, ORDER, SHAPE, SPACE, TYPE } from './bodies.ts';
import { CATEGORIES } from './categories.ts';
import { CLIENTS, CONNECTIONS, CREATE_CLIENTS, FIELDS } from './clients.ts';
import { CREDENTIALS } from './credentials.ts';
import { IDS } from './ids.ts';
import { CREATE_PARAMETERS, FILTER, GET_PARAMETERS, LIMIT, PARAMETERS, QUERY } from './lists.ts';
import { NAMES } from './names.ts';
import { PATHS } from './paths.ts';
import { BODY_STATUS } from './statuses.ts';

const SHARED: SharedTables = { credential: CREDENTIALS, client: CLIENTS, fields: FIELDS, connection: CONNECTIONS, path: PATHS };

export const TABLES: Tables = {
  list: { ...SHARED, limit: LIMIT, status: FILTER, parameters: PARAMETERS, query: QUERY },
  get: { ...SHARED, id: IDS, parameters: GET_PARAMETERS },
  create: {
    ...SHARED,
    client: CREATE_CLIENTS,
    name: NAMES,
    category: CATEGORIES,
    status: BODY_STATUS,
    members: MEMBERS,
    order: ORDER,
    escapes: ESCAPES,
    space: SPACE,
    shape: SHAPE,
    type: TYPE,
    framing: FRAMING,
    parameters: CREATE_PARAMETERS,
  },
};

export const compose = createComposer(TABLES);

/** Since which versions of the suite there are the values that a row names. */
export const versionsOf = (vector: Vector): readonly string[] => valuesOf(TABLES, vector).map(([, { since }]) => since);
