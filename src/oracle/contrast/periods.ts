// Broken responses that come at regular intervals, whatever is asked: a counter of the server, one of several instances, a pool.

import type { Event, World } from '../world.ts';
import { ordinal } from './circumstance.ts';
import type { Unit } from './conditions.ts';
import type { Contrast } from './contrast.ts';
import { ERROR, METHODS } from './of-request.ts';

/** Where each second or third request is broken, chance makes intervals as regular. */
const LEAST_PERIOD = 5;
const MOST_PERIOD = 120;
/**
 * Requests that overlap change places on their way: so far may one be from where it would have come, at most as a part of the period. The fewer places,
 * the more an interval proves.
 */
const PLACES_OFF = [1, 2, 3, 4, 6, 8, 12];
const MOST_OFF = 0.2;
const LEAST_REGULAR = 0.85;
const RARELY = 0.05;
/** Half a period fits as well, but then half of its requests are not broken. */
const LEAST_KEPT = 0.6;
const MOST_CHANCE = 0.001;

/** `off`: how far intervals are from its multiples, as a part of it: the root of the mean square. */
type Period = { readonly length: number; readonly chance: number; readonly off: number };

/** The probability that chance alone makes this many intervals multiples of the period, over all that are tried. */
function chanceOf(hits: number, all: number, share: number): number {
  let chance = 0;
  let ways = 1;
  for (let count = 0; count <= all; count += 1) {
    if (count > 0) ways = (ways * (all - count + 1)) / count;
    if (count >= hits) chance += ways * share ** count * (1 - share) ** (all - count);
  }
  return chance * (MOST_PERIOD - LEAST_PERIOD) * PLACES_OFF.length;
}

/** The period of these places in the order of requests: those that nobody judged, or that were broken otherwise, are gaps. */
function periodOf(places: readonly number[]): Period | undefined {
  const intervals = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  // One that overtakes others makes one interval shorter than all.
  const shortest = intervals.toSorted((a, b) => a - b)[Math.floor(RARELY * intervals.length)] ?? 0;
  const lengths = Array.from({ length: MOST_PERIOD - LEAST_PERIOD }, (_unused, index) => LEAST_PERIOD + index);
  const periods = lengths.flatMap((length) => {
    const offs = intervals.map((interval) => Math.abs(interval - length * Math.max(1, Math.round(interval / length))));
    const off = Math.sqrt(offs.reduce((sum, one) => sum + one ** 2, 0) / Math.max(1, offs.length)) / length;
    return PLACES_OFF.filter((most) => most === 1 || most <= MOST_OFF * length).map((most): Period => {
      const regular = offs.filter((one) => one <= most);
      const isPeriod = regular.length >= LEAST_REGULAR * intervals.length && length <= shortest + 2 * most;
      return { length, off, chance: isPeriod ? chanceOf(regular.length, intervals.length, Math.min(1, (2 * most + 1) / length)) : 1 };
    });
  });
  // What fits a period fits its half as well.
  const [best] = periods
    .filter(({ chance }) => chance <= MOST_CHANCE)
    .toSorted((a, b) => Math.round(100 * a.off) - Math.round(100 * b.off) || b.length - a.length);
  return best;
}

/** About every nth request is broken: counted among all, those of the operation, or those of it for which the document requires the same outcome. */
export function everyNthIn(units: readonly Unit[], { events }: World, isRejected: (event: Event) => boolean): Contrast | undefined {
  const broken = units.filter((unit) => unit.broken);
  const [first] = broken;
  if (first === undefined) return undefined;
  const numbers = new Set(broken.map(({ event }) => event.number));
  const bySending = events.toSorted((a, b) => a.sent - b.sent || a.number - b.number);
  const { operation } = first.event.intent;
  const isError = first.circumstances.get('rejection')?.says === ERROR;
  const own = new Set(
    units.filter(({ circumstances }) => (circumstances.get('rejection')?.says === ERROR) === isError).map(({ event }) => event),
  );
  const ofOperation = broken.every(({ event }) => event.intent.operation === operation);
  const counted: readonly (readonly [of: string, is: (event: Event) => boolean])[] = [
    ...(ofOperation
      ? [
          [`${isError ? 'invalid' : 'valid'} ${METHODS[operation]}`, (event: Event) => own.has(event)] as const,
          [
            `${isError ? 'invalid' : 'valid'} ${METHODS[operation]}`,
            (event: Event) => event.intent.operation === operation && isRejected(event) === isError,
          ] as const,
          [METHODS[operation], (event: Event) => event.intent.operation === operation] as const,
        ]
      : []),
    ...(isError ? [['invalid request', isRejected] as const] : []),
    ['request', () => true],
  ];
  const periods = counted.flatMap(([of, is]) => {
    const all = bySending.filter(is);
    const places = all.flatMap(({ number }, place) => (numbers.has(number) ? [place] : []));
    const period = periodOf(places);
    const judged = all.filter((event) => own.has(event)).length;
    return period === undefined || places.length * period.length < LEAST_KEPT * judged ? [] : [{ of, ...period }];
  });
  // The narrowest count comes first.
  const [regular] = periods;
  if (regular === undefined) return undefined;
  return {
    when: `about every ${ordinal(regular.length)} ${regular.of}`,
    there: { broken: broken.length, of: broken.length },
    elsewhere: { broken: 0, of: units.length - broken.length },
    ...{ unit: 'response', broken: first.event, twin: undefined },
  };
}
