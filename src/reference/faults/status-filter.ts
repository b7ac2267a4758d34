import type { Parts } from '../core/parts.ts';
import { isStatus, type Pet, type Status } from '../core/pet.ts';
import { invalid, Problem } from '../core/problem.ts';
import { crowd, type Fault, fault, few, writing } from './fault.ts';
import { crash, every, isProblem } from './helpers.ts';

const accepted = 'list.status-accepted';
const filter = 'list.status-filter';
const complete = 'list.filter-complete';

function refuseStatus(refused: Status, problem: () => Problem): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ parseStatus: (texts) => (texts[0] === refused ? problem() : parts.parseStatus(texts)) });
}

/** The filter keeps what it should, and more or less. */
function match(judge: (pet: Pet, status: Status, kept: boolean) => boolean): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ matches: (pet, status) => judge(pet, status, parts.matches(pet, status)) });
}

/** Status filters that refuse or keep the wrong animals. */
export const statusFilterFaults: readonly Fault[] = [
  fault(
    'status-available-refused',
    accepted,
    'status=available is refused: the default has no filter.',
    refuseStatus('available', () => invalid('status must be pending or sold')),
  ),
  fault(
    'status-pending-refused',
    accepted,
    'status=pending is refused: the enum of the query was written by hand.',
    refuseStatus('pending', () => invalid('status must be available or sold')),
  ),
  fault(
    'status-sold-refused',
    accepted,
    'status=sold is refused.',
    refuseStatus('sold', () => invalid('status must be available or pending')),
  ),
  fault(
    'status-sold-not-found',
    accepted,
    'status=sold answers 404: sold animals live in an archive.',
    refuseStatus('sold', () => new Problem(404, 'not_found', 'There are no sold animals')),
  ),
  fault('status-sold-crashes', 'errors.no-server-error', 'status=sold crashes on the archive table.', refuseStatus('sold', crash)),
  fault('status-needs-upper-case', accepted, 'The filter wants AVAILABLE, PENDING, SOLD.', () => ({
    parseStatus: ([text]) => {
      const status = text?.toLowerCase();
      if (text === undefined) return undefined;
      return text === text.toUpperCase() && isStatus(status) ? status : invalid('status is unknown');
    },
  })),
  fault('status-refused-with-limit', 'list.filter-with-limit', 'limit and status together are refused.', (parts) => ({
    listPets: (context) =>
      context.call.query.has('limit') && context.call.query.has('status')
        ? parts.listPets({ ...context, parts: { ...context.parts, parseStatus: () => invalid('limit and status exclude each other') } })
        : parts.listPets(context),
  })),
  fault(
    'filter-ignored',
    filter,
    'status is not looked at.',
    match(() => true),
    few,
  ),
  fault(
    'filter-ignored-with-limit',
    'list.filter-with-limit',
    'With a limit the status filter is not looked at.',
    (parts) => ({
      listPets: (context) =>
        context.call.query.has('limit')
          ? parts.listPets({ ...context, parts: { ...context.parts, matches: () => true } })
          : parts.listPets(context),
    }),
    few,
  ),
  fault(
    'filter-ignored-without-limit',
    filter,
    'The status filter works only together with a limit.',
    (parts) => ({
      listPets: (context) =>
        context.call.query.has('limit')
          ? parts.listPets(context)
          : parts.listPets({ ...context, parts: { ...context.parts, matches: () => true } }),
    }),
    few,
  ),
  fault(
    'filter-negated',
    filter,
    'The filter keeps what it should leave out.',
    match((_pet, _status, kept) => !kept),
    few,
  ),
  fault(
    'filter-pending-gives-sold',
    filter,
    'status=pending gives sold animals: two constants are swapped.',
    match((pet, status, kept) => (status === 'pending' ? pet.status === 'sold' : kept)),
    few,
  ),
  fault(
    'filter-available-gives-not-sold',
    filter,
    'status=available gives pending animals too: it asks for "not sold".',
    match((pet, status, kept) => (status === 'available' ? pet.status !== 'sold' : kept)),
    few,
  ),
  fault(
    'filter-sold-gives-not-available',
    filter,
    'status=sold gives pending animals too.',
    match((pet, status, kept) => (status === 'sold' ? pet.status !== 'available' : kept)),
    few,
  ),
  fault(
    'filter-keeps-animals-without-status',
    filter,
    'Animals without status pass each filter.',
    () => ({
      defaultStatus: () => undefined,
      matches: (pet, status) => pet.status === undefined || pet.status === status,
    }),
    few,
  ),
  fault(
    'filter-leaks-every-fifth',
    filter,
    'Every fifth animal of the store passes each filter.',
    (parts) => ({
      matches: (pet, status) => pet.id % 5n === 0n || parts.matches(pet, status),
    }),
    few,
  ),
  fault(
    'filter-leaks-last-of-page',
    filter,
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
        return parts.listPets({ ...context, parts: { ...context.parts, page } });
      },
    }),
    crowd,
  ),
  fault(
    'filter-sometimes-ignored',
    filter,
    'Every fifth filtered list is not filtered.',
    (parts) => {
      const ignores = every(5);
      return {
        listPets: (context) =>
          context.call.query.has('status') && ignores()
            ? parts.listPets({ ...context, parts: { ...context.parts, matches: () => true } })
            : parts.listPets(context),
      };
    },
    few,
  ),
  fault(
    'filter-remembers-last',
    filter,
    'The filter is kept in the session: a filtered list shows what the one before asked for.',
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
    few,
  ),
];

/** Filters that leave matching animals out. */
export const filterCompleteFaults: readonly Fault[] = [
  fault(
    'filter-after-page',
    complete,
    'The page is cut first and filtered then.',
    (parts) => ({
      matches: () => true,
      page: (animals, query, call) => {
        const { status } = query;
        const shown = parts.page(animals, query, call);
        return status === undefined ? shown : shown.filter((pet) => parts.matches(pet, status));
      },
    }),
    crowd,
  ),
  fault(
    'filter-searches-first-100',
    complete,
    'The filter looks at the first hundred animals only.',
    (parts) => ({
      listPets: (context) =>
        context.call.query.has('status')
          ? parts.listPets({ ...context, parts: { ...context.parts, arrange: (store) => parts.arrange(store).slice(0, 100) } })
          : parts.listPets(context),
    }),
    { ...crowd, writes: true },
  ),
  fault(
    'filter-drops-last-match',
    complete,
    'The last matching animal is left out.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.slice(0, -1), query, call),
    }),
    few,
  ),
  fault(
    'filter-drops-first-match',
    complete,
    'The first matching animal is left out.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.slice(1), query, call),
    }),
    few,
  ),
  fault(
    'filter-gives-one-match',
    complete,
    'The filter stops at the first match.',
    (parts) => ({
      page: (animals, query, call) => parts.page(query.status === undefined ? animals : animals.slice(0, 1), query, call),
    }),
    few,
  ),
  fault(
    'filter-sold-is-empty',
    complete,
    'status=sold gives an empty list.',
    match((_pet, status, kept) => status !== 'sold' && kept),
    few,
  ),
  fault(
    'filter-pending-is-empty',
    complete,
    'status=pending gives an empty list.',
    match((_pet, status, kept) => status !== 'pending' && kept),
    few,
  ),
  fault(
    'filter-always-empty',
    complete,
    'The filter compares a text with an enum object: nothing is ever equal.',
    match(() => false),
    few,
  ),
  fault(
    'filter-misses-default-status',
    complete,
    'An animal whose status was left out shows available, but status=available does not find it.',
    (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? 'available' }),
    }),
    writing,
  ),
  fault(
    'filter-index-not-updated',
    'deprecation.replacement',
    'The index behind the filter is built once: a created animal is never found by status.',
    (parts) => {
      const started = Date.now();
      return match((pet, _status, kept) => kept && pet.createdAt < started)(parts);
    },
    writing,
  ),
  fault(
    'filter-answers-index-ids',
    'deprecation.replacement',
    'The filtered list shows the ids of the search index instead of those of the animals.',
    (parts) => ({
      listPets: (context) =>
        context.call.query.has('status')
          ? parts.listPets({
              ...context,
              parts: {
                ...context.parts,
                petRecord: (pet, place) => parts.petRecord({ ...pet, id: pet.id + 1_000_000n }, place),
              },
            })
          : parts.listPets(context),
    }),
    few,
  ),
];
