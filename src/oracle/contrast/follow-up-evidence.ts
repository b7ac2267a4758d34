// What follow-up requests show: they were sent to find out when a clause is broken, the same request many times, after other requests and together with them.
import type { Event } from '../world.ts';
import { type CircumstanceKind, circumstance, ordinal } from './circumstance.ts';
import { ALONE } from './company.ts';
import { type Condition, conditionsIn, countOf, type Unit } from './conditions.ts';
import type { Contrast } from './contrast.ts';

/** The `asker` of follow-up requests: of a request that is sent again because its response was wrong, and of those sent before it or together with it. Verdicts ignore both. */
export const FOLLOW_UP = { again: 'deciding/again', company: 'deciding/company' } as const;

/** Whether it was sent to find out when a clause is broken. */
export const isFollowUp = ({ asker }: Pick<Event, 'asker'>): boolean => asker === FOLLOW_UP.again || asker === FOLLOW_UP.company;

/** Circumstances that differ on purpose among requests that are sent again. All others differ by chance. */
const VARIED: readonly string[] = [
  'connection',
  'turn on the connection',
  'response before',
  'operation before',
  'filter before',
  'status before',
  'rejection before',
  'same before',
  'under way',
  'idle',
];
/** Circumstances that differ among the lists that are sent, too. */
const PARAMETERS: readonly string[] = [
  'limit',
  'limit given',
  'status',
  'status given',
  'both given',
  'query',
  'room',
  'exact',
  'animals of the list',
  'parity of limit',
];

const IDLE = 'idle';
const TURN = 'turn';
/** The shortest pause that counts, in milliseconds. */
const LEAST_PAUSE = 50;
const LEAST_BROKEN = 2;
const LEAST_GOOD = 4;
/** The minimum share of the broken responses for which the circumstance must be known. */
const LEAST_KNOWN = 0.5;
/** The minimum share of the responses that were broken before, and whose circumstance is known, that must agree. */
const LEAST_AGREEING = 2 / 3;

const ANOTHER = circumstance('before', 'filter before', 'right after another request than a list with a status');

/** The unit with only the circumstances that differ on purpose: if the request before is known, it is also known which requests it was not. */
function variedOnly(unit: Unit, names: readonly string[]): Unit {
  const varied = [...unit.circumstances].filter(([of]) => names.includes(of));
  const known = unit.circumstances.has('response before') ? [[ANOTHER.of, ANOTHER] as const] : [];
  return { ...unit, circumstances: new Map([...known, ...varied]) };
}

/** Milliseconds without any request before it. */
const idleBefore = ({ circumstances }: Unit): number => circumstances.get(IDLE)?.scale?.value ?? 0;

const brokenIn = (units: readonly Unit[]): readonly Unit[] => units.filter(({ broken }) => broken);

/** Whether all that is broken is there, and nothing else, as far as it is known. */
function tells(units: readonly Unit[], { of, holds }: Condition): boolean {
  const { there, elsewhere } = countOf(units, { holds });
  const all = brokenIn(units).length;
  const isPause = of !== IDLE || units.every((unit) => idleBefore(unit) >= LEAST_PAUSE || holds(unit) !== true);
  return (
    isPause &&
    there.broken >= Math.max(LEAST_BROKEN, LEAST_KNOWN * all) &&
    there.broken === there.of &&
    elsewhere.broken === 0 &&
    elsewhere.of >= LEAST_GOOD
  );
}

/** Whether a unit was sent after a pause: of those that others overlap, nobody knows. */
function isPaused(unit: Unit): boolean | undefined {
  return unit.circumstances.get('under way')?.says === ALONE ? idleBefore(unit) >= LEAST_PAUSE : undefined;
}

/** Whether the responses of the run agree, as far as it is known of them. Which pause is long enough is not known. */
function agrees(before: readonly Unit[], { of, holds }: Condition): boolean {
  const isThere = of === IDLE ? isPaused : holds;
  const known = brokenIn(before).filter((unit) => isThere(unit) !== undefined);
  return known.filter(isThere).length >= LEAST_AGREEING * known.length;
}

/** So many intervals of a series must be the same. */
const LEAST_INTERVALS = 3;

/** That every nth of those that were sent one after the other is broken. */
function everySoMany(again: readonly Unit[]): Contrast | undefined {
  const inOrder = again.toSorted((a, b) => a.event.number - b.event.number);
  // What comes right after another one: nothing else was sent in between.
  const end = inOrder.findIndex(({ event }, place) => place > 0 && event.number !== (inOrder[place - 1]?.event.number ?? 0) + 1);
  const series = end === -1 ? inOrder : inOrder.slice(0, end);
  const places = series.flatMap(({ broken }, place) => (broken ? [place] : []));
  const [first, second] = places;
  const broken = series.find((unit) => unit.broken);
  if (first === undefined || second === undefined || broken === undefined) return undefined;
  const length = second - first;
  const isRegular = places.every((place, index) => place === first + index * length) && series.length - (places.at(-1) ?? 0) <= length;
  if (length < 2 || first >= length || places.length <= LEAST_INTERVALS || !isRegular) return undefined;
  return {
    when: `every ${ordinal(length)} time`,
    there: { broken: places.length, of: places.length },
    elsewhere: { broken: 0, of: series.length - places.length },
    ...{ unit: 'response', broken: broken.event, twin: undefined, asked: true },
  };
}

/** So many must be good before what was broken in the first few requests is told so. */
const LEAST_GOOD_LATER = 20;
const MOST_EARLY = 3;

/** That it was broken in the first requests of its kind and in none since, nor when it was asked again. */
function earlyIn(again: readonly Unit[], before: readonly Unit[]): Contrast | undefined {
  if (again.length < LEAST_GOOD_LATER || again.some(({ broken }) => broken)) return undefined;
  const broken = brokenIn(before);
  const [first] = broken;
  const early = conditionsIn(before).find((condition) => {
    const { there } = countOf(before, condition);
    return condition.of === TURN && there.broken === broken.length && there.of === there.broken;
  });
  const isEarly = broken.every(({ circumstances }) => (circumstances.get(TURN)?.scale?.value ?? Number.POSITIVE_INFINITY) <= MOST_EARLY);
  if (early === undefined || first === undefined || !isEarly) return undefined;
  return { when: early.says, ...countOf(before, early), unit: 'response', broken: first.event, twin: undefined };
}

/** The simplest condition on one of these circumstances that tells. So few requests make several values of one by chance. */
function contrastAmong(again: readonly Unit[], names: readonly string[], before: readonly Unit[]): Contrast | undefined {
  const units = again.map((unit) => variedOnly(unit, names));
  const [condition] = conditionsIn(units)
    .filter((one) => one.chosen <= 1 && tells(units, one) && agrees(before, one))
    .toSorted((a, b) => a.rank - b.rank || a.chosen - b.chosen);
  const [broken] = brokenIn(units);
  if (condition === undefined || broken === undefined) return undefined;
  return { when: condition.says, ...countOf(units, condition), unit: 'response', broken: broken.event, twin: undefined, asked: true };
}

const urlOf = ({ event: { exchange } }: Unit): string => `${exchange.request.path}?${exchange.request.query}`;

const headersOf = ({ event: { exchange } }: Unit): string =>
  exchange.request.headers
    .filter(([name]) => name.toLowerCase() !== 'traceparent')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** What the parameters tell, where the one request is broken whatever comes before it: of a single one that is broken, each may be the reason. */
function contrastByParameters(again: readonly Unit[], before: readonly Unit[]): Contrast | undefined {
  const broken = new Set(brokenIn(again).map(urlOf));
  return broken.size < LEAST_BROKEN ? undefined : contrastAmong(again, PARAMETERS, before);
}

/** `header user-agent: curl` says of the same header what `header user-agent` does. */
const FACET = /: .*$/;
/** What was sent as a parameter is the parameter, whether the document settles it or not. */
const RAW = /^raw /;
const BOTH = new Intl.ListFormat('en-US', { type: 'conjunction' });
/** Of headers that are named together. */
const SAID_HEADERS = 3;
const WITH_HEADER = 'with the header ';

/** `with the headers forwarded, x-forwarded-host, and 5 others`. */
function together(says: readonly string[]): string {
  const [only = ''] = says;
  if (says.length === 1) return only;
  const names = says.map((one) => one.slice(WITH_HEADER.length));
  const hidden = names.length - SAID_HEADERS;
  return `with the headers ${BOTH.format(hidden > 1 ? [...names.slice(0, SAID_HEADERS), `${hidden} others`] : names)}`;
}

const credentialOf = ({ event }: Unit): string => event.intent.credential;

/** What is in a request: all else was another when it was sent again. */
const OF_REQUEST: readonly CircumstanceKind[] = ['body', 'parameters', 'headers'];

/**
 * What is in the one request that is broken, and in no other, where it is broken again each time: told where it was sent on purpose, or where there is
 * one such thing alone.
 */
function contrastByRequest(same: readonly Unit[], before: readonly Unit[]): Contrast | undefined {
  const broken = brokenIn(before);
  const [first] = broken;
  if (first === undefined || same.length < LEAST_GOOD) return undefined;
  // What is rejected for its credential is not looked at.
  const credential = credentialOf(first);
  const alike = before.filter((unit) => credentialOf(unit) === credential);
  const own = conditionsIn(alike).filter((condition) => {
    const { there, elsewhere } = countOf(alike, condition);
    const isPlain = OF_REQUEST.includes(condition.kind) && condition.background === undefined && condition.chosen === 0;
    return isPlain && there.broken === broken.length && there.of === there.broken && elsewhere.of >= LEAST_GOOD;
  });
  const things = [...Map.groupBy(own, ({ of }) => of.replace(FACET, '').replace(RAW, '')).values()].flatMap(
    ([condition]) => condition ?? [],
  );
  const onPurpose = things.find(({ purpose }) => purpose);
  // Headers that were sent together are named together.
  const areHeaders = things.every(({ says }) => says.startsWith(WITH_HEADER));
  const [condition, ...others] = onPurpose !== undefined ? [onPurpose] : things.length === 1 || areHeaders ? things : [];
  if (condition === undefined) return undefined;
  const { there, elsewhere } = countOf([...alike, ...same], condition);
  return {
    when: together([condition, ...others].map(({ says }) => says)),
    there,
    elsewhere,
    unit: 'response',
    broken: first.event,
    twin: undefined,
    asked: true,
  };
}

/**
 * When a clause is broken, as the requests that were sent again tell; `before`: the responses of the run. Undefined where they do not tell, or the
 * run contradicts them.
 */
export function contrastOfFollowUps(again: readonly Unit[], before: readonly Unit[]): Contrast | undefined {
  const [first] = again.toSorted((a, b) => a.event.number - b.event.number);
  if (first === undefined) return undefined;
  // Of requests with headers of their own the plain one is sent as well.
  const same = again.filter((unit) => urlOf(unit) === urlOf(first) && headersOf(unit) === headersOf(first));
  if (same.every(({ broken }) => broken)) return contrastByParameters(again, before) ?? contrastByRequest(same, before);
  return contrastAmong(same, VARIED, before) ?? everySoMany(same) ?? earlyIn(same, before);
}
