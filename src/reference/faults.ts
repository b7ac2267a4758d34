// Five defects, each of another kind of report, to see what the suite says about a faulty server.

import type { CatalogClauseId } from '../clause/clause-ids.ts';
import type { Patch } from './core/parts.ts';

/** A defect that a team could ship: the conforming server with one small deviation. */
export type Fault = {
  /** The clause that it breaks. */
  readonly clause: CatalogClauseId;
  /** What was shipped, in one sentence. */
  readonly summary: string;
  readonly patch: Patch;
};

/** The faults by their names. */
export const FAULTS = {
  'authentication-missing': {
    clause: 'auth.missing-credential',
    summary: 'No operation checks for a credential.',
    patch: (parts) => ({
      authenticate: (call, key) => (call.headers.authorization === undefined ? undefined : parts.authenticate(call, key)),
    }),
  },
  'limit-plus-one': {
    clause: 'list.limit-maximum',
    summary: 'The list has one animal more than the limit: the look-ahead for the next page is not cut off.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, call.query.has('limit') ? { ...query, limit: query.limit + 1 } : query, call),
    }),
  },
  'filter-ignored': {
    clause: 'list.status-filter',
    summary: 'The status filter is ignored.',
    patch: () => ({ matches: () => true }),
  },
  'create-answers-200': {
    clause: 'create.success',
    summary: 'A creation returns 200.',
    patch: () => ({ createdStatus: () => 200 }),
  },
  'null-body-crashes': {
    clause: 'errors.no-server-error',
    summary: 'The body null crashes the server.',
    patch: (parts) => ({
      readNewPet: (body, all) => {
        if (body === null) throw new TypeError('the body is null');
        return parts.readNewPet(body, all);
      },
    }),
  },
} as const satisfies Readonly<Record<string, Fault>>;
