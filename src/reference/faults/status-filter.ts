import type { Parts } from '../core/parts.ts';
import { isStatus, type Pet, type Status } from '../core/pet.ts';
import { invalid, Problem } from '../core/problem.ts';
import { crowd, type Fault, fault, few } from './fault.ts';
import { crash, every, isProblem } from './helpers.ts';

const accepted = 'list.status-accepted';
const filter = 'list.status-filter';
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
