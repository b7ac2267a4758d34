import type { Parts } from '../core/parts.ts';
import { invalid } from '../core/problem.ts';
import { crowd, type Fault, fault, few } from './fault.ts';
import { crash, every } from './helpers.ts';

const accepted = 'list.limit-accepted';
const maximum = 'list.limit-maximum';
const byDefault = 'list.limit-default';

/** Refuses limits that are allowed. */
function refuseLimit(condition: (limit: number, text: string) => boolean): (parts: Parts) => Partial<Parts> {
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

/** Pages by another number than was asked for. */
function pageBy(change: (limit: number) => number): (parts: Parts) => Partial<Parts> {
  return (parts) => ({
    page: (animals, query, call) =>
      call.query.has('limit') ? parts.page(animals, { ...query, limit: change(query.limit) }, call) : parts.page(animals, query, call),
  });
}

/** Another default. */
function defaultLimit(limit: number): (parts: Parts) => Partial<Parts> {
  return (parts) => ({ parseLimit: (texts) => (texts.length === 0 ? limit : parts.parseLimit(texts)) });
}

/** Limits from 1 to 100 that are refused. */
export const limitAcceptedFaults: readonly Fault[] = [
  fault(
    'limit-1-refused',
    accepted,
    'limit=1 is refused: the check says > 1.',
    refuseLimit((limit) => limit === 1),
  ),
  fault(
    'limit-100-refused',
    accepted,
    'limit=100 is refused: the check says < 100.',
    refuseLimit((limit) => limit === 100),
  ),
  fault(
    'limit-over-50-refused',
    accepted,
    'Limits over 50 are refused.',
    refuseLimit((limit) => limit > 50),
  ),
  fault(
    'limit-below-5-refused',
    accepted,
    'Limits below 5 are refused.',
    refuseLimit((limit) => limit < 5),
  ),
  fault(
    'limit-64-refused',
    accepted,
    'limit=64 is refused: a fence post in a table of page sizes.',
    refuseLimit((limit) => limit === 64),
  ),
  fault(
    'limit-13-refused',
    accepted,
    'limit=13 is refused.',
    refuseLimit((limit) => limit === 13),
  ),
  fault(
    'limit-not-multiple-of-5-refused',
    accepted,
    'Only the page sizes of the web console (multiples of 5) are accepted.',
    refuseLimit((limit) => limit % 5 !== 0),
  ),
  fault(
    'limit-compared-as-text',
    accepted,
    'limit is compared as text, so that "2" is above "100".',
    refuseLimit((_limit, text) => text > '100'),
  ),
  fault(
    'limit-always-refused',
    accepted,
    'The validator wants a number and gets the text of the query: every limit is refused.',
    refuseLimit(() => true),
  ),
  fault('limit-1-crashes', 'errors.no-server-error', 'limit=1 crashes: a page of one is no array.', (parts) => ({
    parseLimit: (texts) => (texts[0] === '1' ? crash() : parts.parseLimit(texts)),
  })),
];

/** Lists that are longer than asked for, with and without limit. */
export const limitFaults: readonly Fault[] = [
  fault(
    'limit-ignored',
    maximum,
    'limit is not looked at: always 20.',
    pageBy(() => 20),
    crowd,
  ),
  fault(
    'limit-ignored-and-all-given',
    maximum,
    'limit is not looked at when given: all animals come.',
    pageBy(() => 1e9),
    crowd,
  ),
  fault(
    'limit-plus-one',
    maximum,
    'One animal more than asked for: the look-ahead for the next page is not cut off.',
    pageBy((limit) => limit + 1),
    crowd,
  ),
  fault(
    'limit-100-gives-101',
    maximum,
    'limit=100 gives 101 animals.',
    pageBy((limit) => (limit === 100 ? 101 : limit)),
    crowd,
  ),
  fault(
    'limit-100-gives-all',
    maximum,
    'limit=100 is taken for "no limit".',
    pageBy((limit) => (limit === 100 ? 1e9 : limit)),
    crowd,
  ),
  fault(
    'limit-over-50-gives-all',
    maximum,
    'The limit column is a signed byte with room up to 50: above it no limit holds.',
    pageBy((limit) => (limit > 50 ? 1e9 : limit)),
    crowd,
  ),
  fault(
    'limit-1-gives-default',
    maximum,
    'limit=1 is taken for true, and the default holds.',
    pageBy((limit) => (limit === 1 ? 20 : limit)),
    crowd,
  ),
  fault(
    'limit-1-gives-two',
    maximum,
    'limit=1 gives two animals.',
    pageBy((limit) => Math.max(2, limit)),
    crowd,
  ),
  fault(
    'limit-rounded-up-to-10',
    maximum,
    'Pages come in chunks of ten: limit=11 gives 20.',
    pageBy((limit) => Math.ceil(limit / 10) * 10),
    crowd,
  ),
  fault(
    'limit-at-least-5',
    maximum,
    'The storage engine gives at least five rows.',
    pageBy((limit) => Math.max(5, limit)),
    crowd,
  ),
  fault(
    'limit-at-least-20',
    maximum,
    'The limit raises the page size but never lowers it below the default.',
    pageBy((limit) => Math.max(20, limit)),
    crowd,
  ),
  fault(
    'limit-sometimes-ignored',
    maximum,
    'Every sixth list with a limit ignores it.',
    (parts) => {
      const ignores = every(6);
      return pageBy((limit) => (ignores() ? 1e9 : limit))(parts);
    },
    crowd,
  ),
  fault(
    'limit-99-gives-100',
    maximum,
    'limit=99 gives 100 animals.',
    pageBy((limit) => (limit === 99 ? 100 : limit)),
    crowd,
  ),
  fault(
    'limit-counts-per-status',
    maximum,
    'The limit holds for each of the three partitions, not for their union.',
    (parts) => ({
      page: (animals, query) =>
        ['available', 'pending', 'sold'].flatMap((status) => animals.filter((pet) => pet.status === status).slice(0, query.limit)),
      parseLimit: (texts) => (texts.length === 0 ? 6 : parts.parseLimit(texts)),
    }),
    crowd,
  ),
  fault(
    'limit-exclusive',
    'list.complete',
    'One animal less than asked for: the last of the page is cut off.',
    (parts) => ({
      page: (animals, query, call) => parts.page(animals, query, call).slice(0, -1),
    }),
    few,
  ),
  fault('default-limit-10', byDefault, 'The default is 10 instead of 20.', defaultLimit(10), crowd),
  fault('default-limit-21', byDefault, 'The default gives 21 animals.', defaultLimit(21), crowd),
  fault('default-limit-25', byDefault, 'The default is 25.', defaultLimit(25), crowd),
  fault('default-limit-50', byDefault, 'The default is 50.', defaultLimit(50), crowd),
  fault('default-limit-100', byDefault, 'The default is the maximum.', defaultLimit(100), crowd),
  fault('default-limit-none', byDefault, 'Without limit all animals come.', defaultLimit(1e9), crowd),
  fault('default-limit-15', byDefault, 'The default is 15.', defaultLimit(15), crowd),
  fault(
    'default-limit-missing-with-filter',
    byDefault,
    'With a status filter the default limit is forgotten: all matching animals come.',
    (parts) => ({
      page: (animals, query, call) => (query.status !== undefined && !call.query.has('limit') ? animals : parts.page(animals, query, call)),
    }),
    crowd,
  ),
  fault(
    'default-limit-100-with-filter',
    byDefault,
    'With a status filter the default limit is 100.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === undefined || call.query.has('limit') ? query : { ...query, limit: 100 }, call),
    }),
    crowd,
  ),
  fault(
    'limit-ignored-with-filter',
    'list.filter-with-limit',
    'With a status filter the limit is ignored: 20 animals come.',
    (parts) => ({
      page: (animals, query, call) => parts.page(animals, query.status === undefined ? query : { ...query, limit: 20 }, call),
    }),
    crowd,
  ),
  fault(
    'limit-plus-one-with-filter',
    'list.filter-with-limit',
    'With a status filter one animal more than asked for comes.',
    (parts) => ({
      page: (animals, query, call) =>
        parts.page(animals, query.status === undefined || !call.query.has('limit') ? query : { ...query, limit: query.limit + 1 }, call),
    }),
    crowd,
  ),
];
