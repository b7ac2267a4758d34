// Lists whose limit or status is rejected, ignored, or misread.

import { type Call, invalid, type ListQuery, type Parts, type Patch, Problem, withParts } from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, type Status } from '../../src/reference/core/store.ts';
import { FEW, FULL_PAGE, faultsOf, LARGE_STORE, needing, shipped } from './fault.ts';
import { filterBy, filterIgnored, forget, hasUnknownParameter } from './patches/animals.ts';
import { isProblem, onEveryNth, reject } from './patches/exchanges.ts';

/** Whether both limit and status are present, and this one comes first. */
function comesFirst({ query }: Call, name: 'limit' | 'status'): boolean {
  const names = [...query.keys()];
  return names.length > 1 && names[0] === name;
}

function comesLast(call: Call, name: 'limit' | 'status'): boolean {
  return comesFirst(call, name === 'limit' ? 'status' : 'limit') && call.query.has(name);
}

/** Pages by a number other than the requested one. */
function pageByQuery(change: (query: ListQuery, call: Call) => number): Patch {
  return (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: change(query, call) }, call) });
}

/** Limits and filters that work alone but not together. */
export const listFilterWithLimit = faultsOf('list.filter-with-limit', {
  'limit-ignored-with-filter': [
    'With a status filter the limit is ignored: the list has 20 animals.',
    pageByQuery(({ status, limit }) => (status === undefined ? limit : 20)),
    LARGE_STORE,
  ],
  'limit-plus-one-with-filter': [
    'With a status filter the list has one animal more than the limit.',
    pageByQuery(({ status, limit }, call) => (status === undefined || !call.query.has('limit') ? limit : limit + 1)),
    LARGE_STORE,
  ],
  'limit-33-with-sold-gives-34': [
    'limit=33 with status=sold returns 34 animals: a special case for the sales report.',
    pageByQuery(({ status, limit }) => (status === 'sold' && limit === 33 ? 34 : limit)),
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

/** Rejects limits that are allowed. */
function rejectLimit(condition: (limit: number, text: string) => boolean): Patch {
  return (parts) => ({
    parseLimit: (texts) => {
      const limit = parts.parseLimit(texts);
      const [text] = texts;
      return typeof limit === 'number' && text !== undefined && condition(limit, text)
        ? invalid(`limit must not be ${text}`, 'invalid_limit')
        : limit;
    },
  });
}

/** Limits from 1 to 100 that are rejected. */
export const listLimitAccepted = faultsOf('list.limit-accepted', {
  'every-limit-refused': ['Query values are strings, and the schema expects an integer: every limit is rejected.', rejectLimit(() => true)],
  'limit-1-refused': ['limit=1 is rejected: the check says > 1.', rejectLimit((limit) => limit === 1)],
  'limit-100-refused': ['limit=100 is rejected: the check says < 100.', rejectLimit((limit) => limit === 100)],
  'limit-over-50-refused': ['Limits over 50 are rejected.', rejectLimit((limit) => limit > 50)],
  'limit-below-5-refused': ['Limits below 5 are rejected.', rejectLimit((limit) => limit < 5)],
  'limit-64-refused': ['limit=64 is rejected: a fencepost error in a table of page sizes.', rejectLimit((limit) => limit === 64)],
  'limit-13-refused': ['limit=13 is rejected.', rejectLimit((limit) => limit === 13)],
  'limit-not-multiple-of-5-refused': [
    'Only the page sizes of the web console (multiples of 5) are accepted.',
    rejectLimit((limit) => limit % 5 !== 0),
  ],
  'limit-compared-as-text': ['limit is compared as a string, so "2" is greater than "100".', rejectLimit((_limit, text) => text > '100')],
  'limit-of-all-refused': [
    'A list without a status is rejected where the limit is exactly the number of animals: the next page is looked for beyond the last one.',
    reject(({ call, store }) =>
      call.operation === 'listPets' && !call.query.has('status') && Number(call.query.get('limit')) === store.animals.length
        ? invalid('there is no next page', 'invalid_limit')
        : undefined,
    ),
    { seedAnimals: 8 },
  ],
  'limit-always-refused': [
    'The validator expects a number and gets the string of the query: every limit is rejected.',
    rejectLimit(() => true),
  ],
});

const DEFAULT_LIMIT = 20;

function defaultLimit(limit: number): Patch {
  return (parts) => ({ parseLimit: (texts) => (texts.length === 0 ? limit : parts.parseLimit(texts)) });
}

/** Lists without a limit that do not have twenty animals. */
export const listLimitDefault = faultsOf(needing(LARGE_STORE, 'list.limit-default'), {
  'default-limit-10': ['The default is 10 instead of 20.', defaultLimit(10)],
  'default-limit-21': ['A list without a limit has 21 animals.', defaultLimit(21)],
  'default-limit-25': ['The default is 25.', defaultLimit(25)],
  'default-limit-50': ['The default is 50.', defaultLimit(50)],
  'default-limit-100': ['The default is the maximum.', defaultLimit(100)],
  'default-limit-none': ['Without a limit the list has all animals.', defaultLimit(1e9)],
  'default-limit-15': ['The default is 15.', defaultLimit(15)],
  'default-limit-missing-with-filter': [
    'With a status filter the default limit is forgotten: the list has all matching animals.',
    (parts) => ({
      page: (animals, query, call) => (query.status !== undefined && !call.query.has('limit') ? animals : parts.page(animals, query, call)),
    }),
  ],
  'default-limit-100-with-filter': [
    'With a status filter the default limit is 100.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === undefined || call.query.has('limit') ? query : { ...query, limit: 100 }, call),
    }),
  ],
  'default-limit-10-with-pending': [
    'A special case for the waiting list: with status=pending the default is 10.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === 'pending' && !call.query.has('limit') ? { ...query, limit: 10 } : query, call),
    }),
    FULL_PAGE,
  ],
  'limit-stays-for-ever': [
    'The page size is a module constant that is only ever set: lists without a limit use the last one.',
    (parts) => {
      let kept = DEFAULT_LIMIT;
      return {
        page: (animals, query, call) => {
          if (call.query.has('limit')) kept = query.limit;
          return parts.page(animals, { ...query, limit: kept }, call);
        },
      };
    },
    FULL_PAGE,
  ],
});

/** More than any store contains. */
const ALL = 1e9;

/** Pages by a number other than the requested one. */
function pageByGivenLimit(change: (limit: number) => number): Patch {
  return (parts) => ({
    page: (animals, query, call) =>
      call.query.has('limit') ? parts.page(animals, { ...query, limit: change(query.limit) }, call) : parts.page(animals, query, call),
  });
}

/** Lists that are longer than their limit. */
export const listLimitMaximum = faultsOf(needing(LARGE_STORE, 'list.limit-maximum'), {
  'limit-ignored': ['limit is ignored: always 20.', pageByGivenLimit(() => 20)],
  'limit-ignored-and-all-given': ['A given limit is ignored: the list has all animals.', pageByGivenLimit(() => ALL)],
  'limit-plus-one': shipped('limit-plus-one'),
  'limit-100-gives-101': ['limit=100 returns 101 animals.', pageByGivenLimit((limit) => (limit === 100 ? 101 : limit))],
  'limit-100-gives-all': ['limit=100 is treated as "no limit".', pageByGivenLimit((limit) => (limit === 100 ? ALL : limit))],
  'limit-over-50-gives-all': [
    'A limit over 50 counts as no limit: the list has all animals.',
    pageByGivenLimit((limit) => (limit > 50 ? ALL : limit)),
  ],
  'limit-1-gives-default': ['limit=1 is read as true, and the default applies.', pageByGivenLimit((limit) => (limit === 1 ? 20 : limit))],
  'limit-1-gives-two': ['limit=1 returns two animals.', pageByGivenLimit((limit) => Math.max(2, limit))],
  'limit-rounded-up-to-10': [
    'Pages consist of chunks of ten: limit=11 returns 20 animals.',
    pageByGivenLimit((limit) => Math.ceil(limit / 10) * 10),
  ],
  'limit-at-least-5': ['The storage engine returns at least five rows.', pageByGivenLimit((limit) => Math.max(5, limit))],
  'limit-at-least-20': [
    'The limit raises the page size but never lowers it below the default.',
    pageByGivenLimit((limit) => Math.max(20, limit)),
  ],
  'limit-sometimes-ignored': [
    'Every sixth list with a limit ignores it.',
    onEveryNth(6, (isTurn) => pageByGivenLimit((limit) => (isTurn() ? ALL : limit))),
  ],
  'limit-99-gives-100': ['limit=99 returns 100 animals.', pageByGivenLimit((limit) => (limit === 99 ? 100 : limit))],
  'limit-counts-per-status': [
    'The limit applies to each of the three partitions, not to their union.',
    (parts) => ({
      page: (animals, query) =>
        ['available', 'pending', 'sold'].flatMap((status) => animals.filter((pet) => pet.status === status).slice(0, query.limit)),
      parseLimit: (texts) => (texts.length === 0 ? 6 : parts.parseLimit(texts)),
    }),
  ],
  'limit-ignored-beside-unknown-parameter': [
    'An unknown parameter keeps the binder from binding the query at all: the default limit applies.',
    forget('limit', hasUnknownParameter),
  ],
});

function rejectStatus(rejected: Status, problem: () => Problem): Patch {
  return (parts) => ({ parseStatus: (texts) => (texts[0] === rejected ? problem() : parts.parseStatus(texts)) });
}

/** Status filters that are rejected. */
export const listStatusAccepted = faultsOf('list.status-accepted', {
  'status-available-refused': [
    'status=available is rejected: as the default, it has no filter.',
    rejectStatus('available', () => invalid('status must be pending or sold')),
  ],
  'status-pending-refused': [
    'status=pending is rejected: the enum of the query was written by hand.',
    rejectStatus('pending', () => invalid('status must be available or sold')),
  ],
  'status-sold-refused': ['status=sold is rejected.', rejectStatus('sold', () => invalid('status must be available or pending'))],
  'status-sold-not-found': [
    'status=sold returns 404: sold animals live in an archive.',
    rejectStatus('sold', () => new Problem(404, 'not_found', 'There are no sold animals')),
  ],
  'status-needs-upper-case': [
    'The filter expects AVAILABLE, PENDING, SOLD.',
    () => ({
      parseStatus: ([text]) => {
        const status = text?.toLowerCase();
        if (text === undefined) return undefined;
        return text === text.toUpperCase() && isStatus(status) ? status : invalid('status is unknown');
      },
    }),
  ],
});

/** Filters that keep the wrong animals. */
export const listStatusFilter = faultsOf(needing(FEW, 'list.status-filter'), {
  'list-cache-ignores-query': [
    'Lists are cached for a second by path, without the query.',
    (parts) => {
      let kept: { until: number; page: readonly Pet[] } | undefined;
      return {
        page: (animals, query, call) => {
          if (kept === undefined || kept.until < Date.now()) kept = { until: Date.now() + 1000, page: parts.page(animals, query, call) };
          return kept.page.slice(0, query.limit);
        },
      };
    },
  ],
  'status-ignored-beside-unknown-parameter': [
    'An unknown parameter keeps the binder from binding the query at all: the status filter is ignored.',
    forget('status', hasUnknownParameter),
    LARGE_STORE,
  ],
  'filter-ignored': shipped('filter-ignored'),
  'filter-ignored-without-limit': ['The status filter works only together with a limit.', filterIgnored((query) => !query.has('limit'))],
  'filter-negated': ['The filter keeps what it should omit.', filterBy((_pet, _status, kept) => !kept)],
  'filter-pending-gives-sold': [
    'status=pending returns sold animals: two constants are swapped.',
    filterBy((pet, status, kept) => (status === 'pending' ? pet.status === 'sold' : kept)),
  ],
  'filter-available-gives-not-sold': [
    'status=available returns pending animals too: the query asks for "not sold".',
    filterBy((pet, status, kept) => (status === 'available' ? pet.status !== 'sold' : kept)),
  ],
  'filter-sold-gives-not-available': [
    'status=sold returns pending animals too.',
    filterBy((pet, status, kept) => (status === 'sold' ? pet.status !== 'available' : kept)),
  ],
  'filter-keeps-animals-without-status': [
    'Animals without a status pass every filter.',
    () => ({ defaultStatus: () => undefined, matches: (pet, status) => pet.status === undefined || pet.status === status }),
  ],
  'filter-leaks-every-fifth': [
    'Every fifth animal of the store passes every filter.',
    filterBy((pet, _status, kept) => kept || pet.id % 5n === 0n),
  ],
  'filter-leaks-last-of-page': [
    'The last animal of a full page is not filtered: it comes from the look-ahead.',
    (parts) => ({
      listPets: (context) => {
        const { store } = context;
        const page: Parts['page'] = (animals, query, call) => {
          const shown = parts.page(animals, query, call);
          const stranger = store.animals.find((pet) => pet.status !== query.status);
          const full = query.status !== undefined && shown.length === query.limit && stranger !== undefined;
          return full ? [...shown.slice(0, -1), stranger] : shown;
        };
        return parts.listPets(withParts(context, { page }));
      },
    }),
    LARGE_STORE,
  ],
  'filter-sometimes-ignored': [
    'Every fifth list with a status filter is not filtered.',
    onEveryNth(5, (isTurn) => filterIgnored((query) => query.has('status') && isTurn())),
  ],
  'filter-remembers-last': [
    'The filter is kept in the session: a filtered list uses the filter of the previous one.',
    (parts) => {
      let last: Status | undefined;
      return {
        parseStatus: (texts) => {
          const status = parts.parseStatus(texts);
          if (isProblem(status) || status === undefined) return status;
          const shown = last ?? status;
          last = status;
          return shown;
        },
      };
    },
  ],
});
