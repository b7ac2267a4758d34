import { faultsOf } from '../fault.ts';
import { announce } from '../helpers/announcements.ts';

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
