// The deprecation of getPet, its replacement, and the version in the base address.

import { GONE_STATUSES, mayBeRemoved, REMOVED_STATUSES } from '../../src/clause/removal.ts';
import { describe, describeReceived, type Exchange, hasKey, headersOf, isDocumented } from '../../src/oracle/exchange.ts';
import { hasSucceeded } from '../../src/oracle/mechanisms.ts';
import type { Breach, Case, JudgedClause, Rule } from '../../src/oracle/rule.ts';
import { standingOf } from '../../src/oracle/standing.ts';
import { timeline } from '../../src/oracle/timelines.ts';
import type { World } from '../../src/oracle/world.ts';
import { AFTER } from './after.ts';

/** The time in milliseconds since the epoch, or what is wrong with the form; `time` too if an older form states one. */
type DateReading = { readonly time?: number; readonly problem?: string };
type Announcement = { readonly name: 'deprecation' | 'sunset'; readonly shown: string } & DateReading;

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const IMF_FIXDATE = /^([A-Z][a-z]{2}), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
/** RFC 9651, section 3.3.7: a Date is `@` and an integer of seconds; parameters may follow. */
const STRUCTURED_DATE = /^@(-?\d{1,15})(?:;.*)?$/;

/** An IMF-fixdate (RFC 9110, section 5.6.7), its weekday and calendar checked. */
function readSunset(text: string): DateReading {
  const [, weekday, day, month = '', year, hours, minutes, seconds] = IMF_FIXDATE.exec(text) ?? [];
  if (weekday === undefined) return { problem: 'is not an IMF-fixdate such as "Thu, 05 Dec 2030 00:00:00 GMT"' };
  const time = Date.UTC(Number(year), MONTHS.indexOf(month), Number(day), Number(hours), Number(minutes), Number(seconds));
  // A date that does not exist reads differently once it is formatted again.
  const written = MONTHS.includes(month) ? new Date(time).toUTCString() : '';
  if (written.slice(3) !== text.slice(3)) return { problem: 'names a date or time that does not exist' };
  return written.startsWith(weekday) ? { time } : { problem: `says ${weekday}, but that date is a ${written.slice(0, 3)}`, time };
}

/** RFC 9745, section 2.1: a structured date. Drafts allowed `true` and HTTP-dates. */
function readDeprecation(text: string): DateReading {
  const seconds = STRUCTURED_DATE.exec(text)?.[1];
  return seconds === undefined
    ? { ...readSunset(text), problem: 'is not a structured date such as "@1735689600"' }
    : { time: Number(seconds) * 1000 };
}

const READERS = { deprecation: readDeprecation, sunset: readSunset };

/** A header that is sent more than once is malformed. */
function announcementsOf({ response }: Exchange): readonly Announcement[] {
  return (['deprecation', 'sunset'] as const).flatMap((name) => {
    const values = response === undefined ? [] : headersOf(response, name);
    const [first] = values;
    if (first === undefined) return [];
    const reading = values.length > 1 ? { problem: `was sent ${values.length} times` } : READERS[name](first);
    return [{ name, shown: `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${values.join(' and ')}`, ...reading }];
  });
}

const ANNOUNCED: Rule = {
  layer: 'values',
  judge(exchange) {
    if (!hasKey(exchange) || !hasSucceeded(exchange)) return undefined;
    const announced = announcementsOf(exchange);
    const isGet = exchange.facts.operation === 'getPet';
    if (announced.length > 0 === isGet) return 'holds';
    const received = announced.map(({ shown }) => shown).join(', ');
    return isGet
      ? {
          summary:
            'getPet does not announce its removal: it sends neither a Deprecation nor a Sunset header, such as Sunset: Thu, 05 Dec 2030 00:00:00 GMT',
          expected: ['Deprecation: @ followed by a Unix time in seconds', 'Sunset: Thu, 05 Dec 2030 00:00:00 GMT'],
          received: 'neither header',
          failureKinds: [{ place: 'headers', expected: 'an announcement of the removal', received: 'missing' }],
        }
      : {
          summary: `${describe(exchange)} is not deprecated, but announces a removal: ${received}`,
          expected: ['no Deprecation and no Sunset header'],
          received,
          failureKinds: [{ place: 'headers', expected: 'no announcement', received: 'an announcement' }],
        };
  },
};

/** The document names a day and no time zone: it is 5 December 2030 somewhere on Earth from 10:00 UTC on the day before to 12:00 UTC on the day after. */
const [FIRST_MOMENT, LAST_MOMENT] = [Date.UTC(2030, 11, 4, 10), Date.UTC(2030, 11, 6, 12)];

function dateProblem({ name, time = 0 }: Announcement): Pick<Breach, 'summary' | 'expected' | 'failureKinds'> | undefined {
  if (name === 'sunset')
    return time < FIRST_MOMENT || time > LAST_MOMENT
      ? {
          summary: 'announces a different removal date',
          expected: ['5 December 2030', 'no Sunset header'],
          failureKinds: [{ place: 'header Sunset', expected: 'the date of the removal', received: 'another date' }],
        }
      : undefined;
  return time > LAST_MOMENT
    ? {
        summary: 'dates the deprecation after the removal',
        expected: ['a date no later than 5 December 2030', 'no Deprecation header'],
        failureKinds: [{ place: 'header Deprecation', expected: 'a date before the removal', received: 'a later date' }],
      }
    : undefined;
}

const DATE_AGREES: Rule = {
  layer: 'values',
  judge(exchange) {
    const dated = exchange.facts.operation === 'getPet' ? announcementsOf(exchange).filter(({ time }) => time !== undefined) : [];
    const wrong = dated.find((one) => dateProblem(one) !== undefined);
    const problem = wrong === undefined ? undefined : dateProblem(wrong);
    if (wrong === undefined || problem === undefined) return dated.length === 0 ? undefined : 'holds';
    return { ...problem, summary: `${describe(exchange)} ${problem.summary}: ${wrong.shown}`, received: wrong.shown };
  },
};

const WELL_FORMED: Rule = {
  layer: 'values',
  judge(exchange) {
    const announced = announcementsOf(exchange);
    const wrong = announced.find(({ problem }) => problem !== undefined);
    if (wrong === undefined) return announced.length === 0 ? undefined : 'holds';
    const expected = [
      'Deprecation: @ followed by a Unix time in seconds (RFC 9745)',
      'Sunset: an IMF-fixdate (RFC 8594)',
      'neither header',
    ];
    const place = wrong.name === 'sunset' ? 'header Sunset' : 'header Deprecation';
    return {
      summary: `${describe(exchange)} sent a header that ${wrong.problem}: ${wrong.shown}`,
      ...{ expected, received: wrong.shown },
      failureKinds: [{ place, expected: 'a date as its RFC writes it', received: 'another form' }],
    };
  },
};

const removedEarly = (exchange: Exchange, { run }: World): Breach => ({
  summary: `${describe(exchange)} returned ${exchange.status} for a listed animal on ${run.now.toISOString().slice(0, 10)}, before the removal on 5 December 2030`,
  expected: ['200 with a Pet'],
  received: describeReceived(exchange),
});

const isReadOfKnown = (exchange: Exchange, world: World): boolean =>
  hasKey(exchange) && isDocumented(exchange) && standingOf(exchange, world).asksForKnownAnimal;

/** Until the date, a read of an existing animal returns it; from then on, it may say that the operation is gone. get.success judges single missing animals. */
const STILL_WORKS: Rule = {
  layer: 'status',
  judge(exchange, _standing, world) {
    const status = exchange.read.response?.status ?? 0;
    if (!isReadOfKnown(exchange, world)) return undefined;
    if (status === 200) return 'holds';
    if (mayBeRemoved(world.run.now)) return REMOVED_STATUSES.includes(status) ? 'holds' : undefined;
    return GONE_STATUSES.includes(status) ? removedEarly(exchange, world) : undefined;
  },
};

/** Until the date: where every read of animals that lists still show returns 404, getPet looks removed. */
function allMissing(world: World): readonly Case[] {
  const reads = world.exchanges.filter((one) => isReadOfKnown(one, world));
  if (mayBeRemoved(world.run.now) || reads.some(({ status }) => status !== 404)) return [];
  const isListedLater = ({ facts: { id }, at }: Exchange): boolean =>
    id?.kind === 'int64' && world.exchanges.some((later) => later.at > at && later.read.pets?.some((pet) => pet.id === id.value));
  const [exchange, ...others] = reads.filter(isListedLater);
  return exchange === undefined ? [] : [{ exchange, others, breach: removedEarly(exchange, world) }];
}

const BASE_PATH: Rule = {
  layer: 'values',
  judge({ read: { pets = [] } }, _standing, { run }) {
    if (pets.length === 0) return undefined;
    const { pathname } = new URL(run.baseUrl);
    if (/\/v1$/.test(pathname)) return 'holds';
    const summary = `the path of the base address is ${pathname}; expected it to end in /v1`;
    const failureKinds = [{ place: 'base path', expected: '/v1 at its end', received: 'another path' }];
    return { summary, expected: ['a path whose last segment is /v1'], received: `path ${pathname}`, failureKinds };
  },
};

const any = (title: string) => [{ title, meets: () => true }];

export const deprecation: readonly JudgedClause[] = [
  { id: 'versioning.base-path', rules: [BASE_PATH], must: any('lists') },
  {
    id: 'deprecation.announced',
    rules: [ANNOUNCED],
    must: [{ title: 'reads', accepts: 'getPet', meets: ({ exchange }) => exchange.facts.operation === 'getPet' }],
  },
  {
    id: 'deprecation.date-agrees',
    rules: [DATE_AGREES],
    must: [
      {
        title: 'dates',
        meets: ({ exchange }) => exchange.facts.operation === 'getPet',
        absent: 'getPet sends no Deprecation or Sunset header with a date',
      },
    ],
  },
  { id: 'deprecation.headers-well-formed', rules: [WELL_FORMED], must: any('headers') },
  {
    id: 'deprecation.replacement',
    rules: [timeline('deprecation.replacement', { after: AFTER['deprecation.replacement'] })],
    must: any('lists with a status'),
  },
  {
    id: 'deprecation.still-works',
    rules: [STILL_WORKS, { layer: 'history', judgeAll: allMissing, blame: { after: AFTER['deprecation.still-works'] } }],
    must: any('reads of known animals'),
  },
];
