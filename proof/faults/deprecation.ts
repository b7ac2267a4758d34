import { type Parts, type Patch, Problem, withoutHeaders, withParts } from '../../src/reference/core/parts.ts';
import { FEW, faultsOf, WRITES } from './fault.ts';
import { filterBy } from './patches/animals.ts';
import { reject } from './patches/exchanges.ts';

/** Replaces headers of getPet. */
function announce(change: Readonly<Record<string, string>>): Patch {
  return (parts) => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(call.operation === 'getPet' ? change : {}) }),
  });
}

/** A removal that is not announced where it should be, or where it should not. */
export const deprecationAnnounced = faultsOf('deprecation.announced', {
  'deprecation-not-announced': [
    'getPet does not announce its removal.',
    (parts) => ({ headers: (given, reply, call) => withoutHeaders(parts.headers(given, reply, call), ['deprecation', 'sunset']) }),
  ],
  'deprecation-on-every-operation': [
    'Every operation is announced as deprecated.',
    (parts) => ({ headers: (given, reply, call) => parts.headers(given, reply, { ...call, operation: 'getPet' }) }),
  ],
});

/** A removal that is announced for another date. */
export const deprecationDateAgrees = faultsOf('deprecation.date-agrees', {
  'sunset-year-early': ['Sunset says 5 December 2029.', announce({ sunset: 'Wed, 05 Dec 2029 00:00:00 GMT' })],
  'sunset-year-late': ['Sunset says 5 December 2031.', announce({ sunset: 'Fri, 05 Dec 2031 00:00:00 GMT' })],
  'sunset-day-and-month-swapped': ['Sunset says 12 May 2030.', announce({ sunset: 'Sun, 12 May 2030 00:00:00 GMT' })],
  'sunset-in-the-past': ['Sunset says 1 January 2020.', announce({ sunset: 'Wed, 01 Jan 2020 00:00:00 GMT' })],
  'deprecated-after-sunset': [
    'Deprecation is dated 2031, after the removal.',
    announce({ deprecation: `@${Date.UTC(2031, 0, 1) / 1000}` }),
  ],
});

/** Announcements that clients cannot parse. */
export const deprecationHeadersWellFormed = faultsOf('deprecation.headers-well-formed', {
  'sunset-as-iso-date': ['Sunset is an ISO date.', announce({ sunset: '2030-12-05' })],
  'sunset-as-seconds': ['Sunset is a number of seconds.', announce({ sunset: String(Date.UTC(2030, 11, 5) / 1000) })],
  'sunset-as-structured-date': [
    'Sunset is a structured-field date like Deprecation.',
    announce({ sunset: `@${Date.UTC(2030, 11, 5) / 1000}` }),
  ],
  'deprecation-as-true': ['Deprecation is "true", as in the first drafts.', announce({ deprecation: 'true' })],
  'deprecation-as-http-date': ['Deprecation is an HTTP date.', announce({ deprecation: 'Wed, 01 Jan 2025 00:00:00 GMT' })],
  'deprecation-as-bare-seconds': ['Deprecation is a number without the @.', announce({ deprecation: String(Date.UTC(2025, 0, 1) / 1000) })],
});

/** A list that cannot stand in for getPet. */
export const deprecationReplacement = faultsOf('deprecation.replacement', {
  'filter-index-not-updated': [
    'The index of the filter is built once: a created animal is never found by status.',
    (parts) => {
      const started = Date.now();
      return filterBy((pet, _status, kept) => kept && pet.createdAt < started)(parts);
    },
    WRITES,
  ],
  'filter-answers-index-ids': [
    'The filtered list shows the ids of the search index instead of those of the animals.',
    (parts) => ({
      listPets: (context) => {
        const petRecord: Parts['petRecord'] = (pet, place) => parts.petRecord({ ...pet, id: pet.id + 1_000_000n }, place);
        return parts.listPets(context.call.query.has('status') ? withParts(context, { petRecord }) : context);
      },
    }),
    FEW,
  ],
});

function removed(status: number): Patch {
  return reject(({ call }) => (call.operation === 'getPet' ? new Problem(status, 'removed', 'Use GET /pets?status=') : undefined));
}

/** A removal that comes too early. */
export const deprecationStillWorks = faultsOf('deprecation.still-works', {
  'get-removed-with-410': ['getPet is already removed: 410.', removed(410)],
  'get-removed-with-501': ['getPet is already removed: 501.', removed(501)],
  'get-removed-with-405': ['getPet is already removed: 405.', removed(405)],
  'get-removed-with-404': ['getPet is already removed: 404 for every id.', removed(404), FEW],
  'get-removed-on-the-eve': [
    'getPet is removed on 4 December 2030, a day early.',
    reject(({ call, now }) =>
      call.operation === 'getPet' && now().getTime() >= Date.UTC(2030, 11, 4)
        ? new Problem(410, 'removed', 'getPet is removed')
        : undefined,
    ),
    { seedAnimals: 8, now: '2030-12-04T12:00:00Z' },
  ],
});
