import { faultsOf } from '../fault.ts';
import { announce } from '../helpers/announcements.ts';

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
