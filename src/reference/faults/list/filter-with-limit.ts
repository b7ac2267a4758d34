import type { Call, ListQuery, Patch } from '../../core/parts.ts';
import { invalid } from '../../core/problem.ts';
import { withParts } from '../../core/with-parts.ts';
import { FEW, faultsOf, LARGE_STORE } from '../fault.ts';
import { filterIgnored, forget } from '../helpers/lists.ts';

/** Whether both limit and status are present, and this one comes first. */
function comesFirst({ query }: Call, name: 'limit' | 'status'): boolean {
  const names = [...query.keys()];
  return names.length > 1 && names[0] === name;
}

function comesLast(call: Call, name: 'limit' | 'status'): boolean {
  return comesFirst(call, name === 'limit' ? 'status' : 'limit') && call.query.has(name);
}

/** Pages by a number other than the requested one. */
function pageBy(change: (query: ListQuery, call: Call) => number): Patch {
  return (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: change(query, call) }, call) });
}

/** Limits and filters that work alone but not together. */
export const listFilterWithLimit = faultsOf('list.filter-with-limit', {
  'limit-ignored-with-filter': [
    'With a status filter the limit is ignored: the list has 20 animals.',
    pageBy(({ status, limit }) => (status === undefined ? limit : 20)),
    LARGE_STORE,
  ],
  'limit-plus-one-with-filter': [
    'With a status filter the list has one animal more than the limit.',
    pageBy(({ status, limit }, call) => (status === undefined || !call.query.has('limit') ? limit : limit + 1)),
    LARGE_STORE,
  ],
  'limit-33-with-sold-gives-34': [
    'limit=33 with status=sold returns 34 animals: a special case for the sales report.',
    pageBy(({ status, limit }) => (status === 'sold' && limit === 33 ? 34 : limit)),
    LARGE_STORE,
  ],
  'limit-ignored-behind-status': [
    'The query is split at the first ampersand only: a limit after the status is ignored.',
    forget('limit', (call) => comesLast(call, 'limit')),
    LARGE_STORE,
  ],
  'limit-ignored-before-status': [
    'Each parameter restarts the query builder: a limit before the status is lost.',
    forget('limit', (call) => comesFirst(call, 'limit')),
    LARGE_STORE,
  ],
  'status-ignored-behind-limit': [
    'The query is split at the first ampersand only: a status after the limit is ignored.',
    forget('status', (call) => comesLast(call, 'status')),
    LARGE_STORE,
  ],
  'status-ignored-before-limit': [
    'Each parameter restarts the query builder: a status before the limit is lost.',
    forget('status', (call) => comesFirst(call, 'status')),
    LARGE_STORE,
  ],
  'status-refused-with-limit': [
    'limit and status together are rejected.',
    (parts) => ({
      listPets: (context) => {
        const { query } = context.call;
        const parseStatus = () => invalid('limit and status exclude each other');
        return parts.listPets(query.has('limit') && query.has('status') ? withParts(context, { parseStatus }) : context);
      },
    }),
  ],
  'filter-ignored-with-limit': ['With a limit the status filter is ignored.', filterIgnored((query) => query.has('limit')), FEW],
});
