// What follow-up requests show: they were sent to find out when a clause is broken, the same request many times, after other requests and together with them.
import type { Event } from '../world.ts';
import { type CircumstanceKind, circumstance, ordinal } from './circumstance.ts';
import { ALONE, FULL } from './company.ts';
import { type Condition, conditionsIn, countOf, FACET, together, type Unit, WITH_HEADER } from './conditions.ts';
import type { Contrast } from './contrast.ts';
import { OPEN_STATUS, WITHOUT_STATUS } from './of-request.ts';

/**
 * The `asker` of follow-up requests: of a request that is sent again because its response was wrong, of those sent before it or together with it, and of
 * creations with parts of a name. Verdicts ignore all of them.
 */
export const FOLLOW_UP = { again: 'deciding/again', company: 'deciding/company', name: 'deciding/name' } as const;

export const isFollowUp = ({ asker }: Pick<Event, 'asker'>): boolean => Object.values<string | undefined>(FOLLOW_UP).includes(asker);

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
const LEAST_KNOWN = 0.5;
const LEAST_AGREEING = 2 / 3;

const ANOTHER = circumstance('before', 'filter before', 'right after another request than a list with a status');

/** The unit with only the circumstances that differ on purpose: if the request before is known, it is also known which requests it was not. */
function variedOnly(unit: Unit, names: readonly string[]): Unit {
  const varied = [...unit.circumstances].filter(([of]) => names.includes(of));
  const known = unit.circumstances.has('response before') ? [[ANOTHER.of, ANOTHER] as const] : [];
  return { ...unit, circumstances: new Map([...known, ...varied]) };
}

/** Milliseconds without any request before it. */
export const idleBefore = ({ circumstances }: Unit): number => circumstances.get(IDLE)?.scale?.value ?? 0;

const brokenIn = (units: readonly Unit[]): readonly Unit[] => units.filter(({ broken }) => broken);

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

/** Whether a unit was sent after a pause; undefined if other requests overlap it. */
function isPaused(unit: Unit): boolean | undefined {
  return unit.circumstances.get('under way')?.says === ALONE ? idleBefore(unit) >= LEAST_PAUSE : undefined;
}

/** Whether the responses of the run agree, as far as is known. Any pause counts, because it is not known which one is long enough. */
function agrees(before: readonly Unit[], { of, holds }: Condition): boolean {
  const isThere = of === IDLE ? isPaused : holds;
  const known = brokenIn(before).filter((unit) => isThere(unit) !== undefined);
  return known.filter(isThere).length >= LEAST_AGREEING * known.length;
}

const LEAST_INTERVALS = 3;

function everyNthAgain(again: readonly Unit[]): Contrast | undefined {
  const inOrder = again.toSorted((a, b) => a.event.number - b.event.number);
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

/** The minimum number of good repetitions before a report says that only the first few requests were broken. */
const LEAST_GOOD_LATER = 20;
const MOST_EARLY = 3;

/** The first requests of their kind were broken, and none since, including the follow-ups. */
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

/** Lists without a status, and those with one, are the lists that an animal with that status is in: what is wrong is the animal. */
const isOfAnimal = ({ says }: Condition): boolean => says !== WITHOUT_STATUS && says.includes(WITHOUT_STATUS);

/** The simplest separating condition on one of these circumstances, with one value: so few requests share several values by chance. */
function contrastAmong(again: readonly Unit[], names: readonly string[], before: readonly Unit[]): Contrast | undefined {
  const units = again.map((unit) => variedOnly(unit, names));
  const [condition] = conditionsIn(units)
    .filter((one) => one.chosen <= 1 && !isOfAnimal(one) && tells(units, one) && agrees(before, one))
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

/** Where an animal is missing, full lists prove nothing. */
const OF_LENGTH: readonly string[] = ['room', 'exact', 'animals of the list'];

/** A condition on parameters, for a request that is broken whatever comes before it. With a single broken list, any of its parameters may be the reason. */
function contrastByParameters(again: readonly Unit[], before: readonly Unit[], areAnimals: boolean): Contrast | undefined {
  const broken = new Set(brokenIn(again).map(urlOf));
  if (broken.size < LEAST_BROKEN) return undefined;
  if (!areAnimals) return contrastAmong(again, PARAMETERS, before);
  const telling = again.filter((unit) => unit.broken || unit.circumstances.get('room')?.says !== FULL);
  const names = PARAMETERS.filter((of) => !OF_LENGTH.includes(of));
  return contrastAmong(telling, names, before);
}

/** The minimum number of good responses with a header, or without it: it was changed on purpose, and nothing else. */
const LEAST_OF_HEADER = 2;
const SUCCESS = 2;
const dueStatusSays = ({ circumstances }: Unit): string | undefined => circumstances.get('due')?.says;

const classOf = ({ event: { status = 0 } }: Unit): number => Math.floor(status / 100);

/**
 * Whether a right response is what was asked for: with the due status or, where the document leaves that open, as successful as a broken one may be. Who
 * rejects a request without some header is not right about the rest.
 */
function isComparable(unit: Unit, broken: readonly Unit[]): boolean {
  if (unit.broken) return true;
  if (dueStatusSays(unit) !== OPEN_STATUS) return unit.circumstances.has('response');
  return classOf(unit) === SUCCESS || broken.some((one) => classOf(one) === classOf(unit));
}

function contrastByHeader(all: readonly Unit[], before: readonly Unit[]): Contrast | undefined {
  const isOfHeader = (of: string): boolean => of.startsWith('header ');
  const again = all.filter((unit) => isComparable(unit, brokenIn(all)));
  const units = again.map((unit) => ({ ...unit, circumstances: new Map([...unit.circumstances].filter(([of]) => isOfHeader(of))) }));
  const [broken] = brokenIn(units);
  const [condition] = conditionsIn(units)
    .filter((one) => {
      const { there, elsewhere } = countOf(units, one);
      const isExact = there.of === there.broken && there.broken >= LEAST_OF_HEADER && elsewhere.broken === 0;
      return isExact && elsewhere.of >= LEAST_OF_HEADER && one.chosen <= 1 && agrees(before, one);
    })
    .toSorted((a, b) => a.rank - b.rank || a.chosen - b.chosen);
  if (condition === undefined || broken === undefined) return undefined;
  return { when: condition.says, ...countOf(units, condition), unit: 'response', broken: broken.event, twin: undefined, asked: true };
}

/** `raw limit` is about the same parameter as `limit`, whether the document settles its value or not. */
const RAW = /^raw /;
const kindOf = ({ event, circumstances }: Unit): string => `${event.intent.credential} ${circumstances.get('rejection')?.says}`;

/** Circumstances in the request itself: all others changed when it was sent again. */
const OF_REQUEST: readonly CircumstanceKind[] = ['body', 'parameters', 'headers'];

/**
 * What only the broken request has, if it is broken again each time: named if it was sent on purpose, or if it is the only such thing.
 */
function contrastByRequest(same: readonly Unit[], before: readonly Unit[]): Contrast | undefined {
  const broken = brokenIn(before);
  const [first] = broken;
  if (first === undefined || same.length < LEAST_GOOD) return undefined;
  // What is rejected, for its credential or otherwise, does not count for what is not.
  const kind = kindOf(first);
  const alike = before.filter((unit) => kindOf(unit) === kind);
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
 * When a clause is broken, according to the follow-up requests. `before`: the responses of the run. `areAnimals`: what is wrong are animals, whatever response
 * shows it. Undefined if they do not show it, or if the run contradicts them.
 */
export function contrastOfFollowUps(
  again: readonly Unit[],
  before: readonly Unit[],
  { areAnimals = false }: { readonly areAnimals?: boolean } = {},
): Contrast | undefined {
  const [first] = again.toSorted((a, b) => a.event.number - b.event.number);
  if (first === undefined) return undefined;
  // It is also sent with other headers; as it was, it is most often one of the wrong ones.
  const ofUrl = again.filter((unit) => urlOf(unit) === urlOf(first));
  const wrong = new Set(brokenIn(before).map(headersOf));
  const groups = [...Map.groupBy(ofUrl, headersOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const [, same] = groups.find(([headers]) => wrong.has(headers)) ?? groups[0] ?? ['', []];
  if (same.every(({ broken }) => broken))
    return contrastByHeader(ofUrl, before) ?? contrastByParameters(again, before, areAnimals) ?? contrastByRequest(same, before);
  return contrastAmong(same, VARIED, before) ?? everyNthAgain(same) ?? earlyIn(same, before);
}
