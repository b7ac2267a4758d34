import type { Call, Parts } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault } from './fault.ts';
import { refuse } from './helpers.ts';

const dateAgrees = 'deprecation.date-agrees';
const wellFormed = 'deprecation.headers-well-formed';

function announce(name: string, clause: string, summary: string, change: Readonly<Record<string, string>>): Fault {
  const replace = (parts: Parts): Partial<Parts> => ({
    headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), ...(call.operation === 'getPet' ? change : {}) }),
  });
  return fault(name, clause, summary, replace);
}

function without(headers: Record<string, string>, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
}

function removed(status: number): (parts: Parts) => Partial<Parts> {
  const isGet = (call: Call) => call.operation === 'getPet';
  return (parts) => refuse(parts, ({ call }) => (isGet(call) ? new Problem(status, 'removed', 'Use GET /pets?status=') : undefined));
}

/** A removal that comes too early or is announced wrongly, and a base address without its version. */
export const deprecationFaults: readonly Fault[] = [
  fault('get-removed-with-410', 'deprecation.still-works', 'getPet is removed already: 410.', removed(410)),
  fault('get-removed-with-501', 'deprecation.still-works', 'getPet is removed already: 501.', removed(501)),
  fault('get-removed-with-405', 'deprecation.still-works', 'getPet is removed already: 405.', removed(405)),
  fault('get-removed-with-404', 'deprecation.still-works', 'getPet is removed already: 404 for every id.', removed(404), {
    seedAnimals: 8,
  }),
  fault(
    'get-removed-on-the-eve',
    'deprecation.still-works',
    'getPet is removed on 4 December 2030, a day early.',
    (parts) =>
      refuse(parts, ({ call, now }) =>
        call.operation === 'getPet' && now().getTime() >= Date.UTC(2030, 11, 4)
          ? new Problem(410, 'removed', 'getPet is removed')
          : undefined,
      ),
    { seedAnimals: 8, now: '2030-12-04T12:00:00Z' },
  ),
  announce('sunset-year-early', dateAgrees, 'Sunset says 5 December 2029.', { sunset: 'Wed, 05 Dec 2029 00:00:00 GMT' }),
  announce('sunset-year-late', dateAgrees, 'Sunset says 5 December 2031.', { sunset: 'Fri, 05 Dec 2031 00:00:00 GMT' }),
  announce('sunset-day-and-month-swapped', dateAgrees, 'Sunset says 12 May 2030.', { sunset: 'Sun, 12 May 2030 00:00:00 GMT' }),
  announce('sunset-in-the-past', dateAgrees, 'Sunset says 1 January 2020.', { sunset: 'Wed, 01 Jan 2020 00:00:00 GMT' }),
  announce('deprecated-after-sunset', dateAgrees, 'Deprecation is dated 2031, after the removal.', {
    deprecation: `@${Date.UTC(2031, 0, 1) / 1000}`,
  }),
  announce('sunset-as-iso-date', wellFormed, 'Sunset is an ISO date.', { sunset: '2030-12-05' }),
  announce('sunset-as-seconds', wellFormed, 'Sunset is a number of seconds.', { sunset: String(Date.UTC(2030, 11, 5) / 1000) }),
  announce('sunset-as-structured-date', wellFormed, 'Sunset is a structured-field date like Deprecation.', {
    sunset: `@${Date.UTC(2030, 11, 5) / 1000}`,
  }),
  announce('deprecation-as-true', wellFormed, 'Deprecation is "true", as in the first drafts.', { deprecation: 'true' }),
  announce('deprecation-as-http-date', wellFormed, 'Deprecation is an HTTP date.', { deprecation: 'Wed, 01 Jan 2025 00:00:00 GMT' }),
  announce('deprecation-as-bare-seconds', wellFormed, 'Deprecation is a number without the @.', {
    deprecation: String(Date.UTC(2025, 0, 1) / 1000),
  }),
  fault('deprecation-not-announced', 'deprecation.announced', 'getPet says nothing of its removal.', (parts) => ({
    headers: (given, reply, call) => without(parts.headers(given, reply, call), ['deprecation', 'sunset']),
  })),
  fault('deprecation-on-every-operation', 'deprecation.announced', 'Every operation is announced as deprecated.', (parts) => ({
    headers: (given, reply, call) => parts.headers(given, reply, { ...call, operation: 'getPet' }),
  })),
  { ...fault('base-path-without-version', 'versioning.base-path', 'The base address ends in /api.', () => ({})), basePath: '/api' },
  { ...fault('base-path-other-version', 'versioning.base-path', 'The base address ends in /v2.', () => ({})), basePath: '/v2' },
  { ...fault('base-path-empty', 'versioning.base-path', 'The base address has no path.', () => ({})), basePath: '' },
];
