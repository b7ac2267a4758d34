// What all exchanges together show about one animal. Its existence, name, category, and status are observed over time in lists, lists with a status, and
// reads. Nothing in the interface changes them, so the shape of the contradictions names the clause that is broken.

import type { ClauseId } from '../clause/clause.ts';
import type { StatedKind } from '../clause/failure-kind.ts';
import { mayBeRemoved } from '../clause/removal.ts';
import { FIELDS, type Field } from '../schema/pet.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import { cleanText } from '../wire/redact.ts';
import {
  type Contradiction,
  causeOf,
  contradictions,
  existenceOf,
  hasChangedStatus,
  isReadBetween,
  type Observation,
  type Owner,
  ownerOf,
  SEVERAL,
  type Telling,
  tellingIn,
  tellingOf,
  valuesOf,
} from './contradictions.ts';
import { describe, type Exchange, quoted } from './exchange.ts';
import { owedSights } from './owed.ts';
import type { Blame, Breach, Rule } from './rule.ts';
import { type Aspect, clearCases, OWNERS, PLACES, placesOf, type TimelineCase, UNUSUAL } from './shapes.ts';
import { type Look, limitIn, MANY, type Place, placeOf, statusOf, unusualFieldsOf, type View, viewOf, type Watched } from './view.ts';
import type { World } from './world.ts';

/** What an animal is judged with: all others, and what is constantly wrong with those that have no unusual value (`usualKey`). */
type Beside = { readonly view: View; readonly usual: ReadonlySet<string> };
type Found = Contradiction & Owner & { readonly breach: Breach };

/** The response that shows the animal; where its URL is the same, when that was. */
function shownBy(right: Look, wrong: Look): string {
  if (describe(right.exchange) !== describe(wrong.exchange)) return `${describe(right.exchange)} shows it`;
  return right.exchange.at < wrong.exchange.at ? 'the same URL showed it before' : 'the same URL shows it later';
}

const MISSING: StatedKind = { place: 'animal', expected: 'shown', received: 'missing' };

function breachOf({ birth }: Watched, about: Omit<Breach, 'shown'>, looks: readonly (Look | undefined)[]): Breach {
  return { ...about, shown: [...new Set([birth, ...looks.map((look) => look?.exchange)])].filter((one) => one !== undefined) };
}

/** The cases that hold: one for each place in which the animal was seen as it should be. */
const holding = ({ id }: Watched, seen: readonly Observation[], clauseOf: (place: Place) => ClauseId): readonly TimelineCase[] =>
  [...Map.groupBy(seen, ({ look }) => look.place)].flatMap(([place, all]) => {
    const [exchange, ...others] = all.map(({ look }) => look.exchange);
    return exchange === undefined ? [] : [{ clause: clauseOf(place), animal: id, exchange, others }];
  });

const repeated = (seen: readonly Observation[]): readonly Observation[] =>
  [...Map.groupBy(seen, ({ look }) => look.key).values()].filter(({ length }) => length > 1).flat();

const received = ({ look: { place, size, exchange } }: Observation): string =>
  place === 'read'
    ? String(exchange.status)
    : size === 0
      ? 'an empty list'
      : `${size} other ${size === 1 ? 'animal' : 'animals'}, with room for more`;

/** All wrong exchanges and, for clauses about creations, the creation of the animal: what is wrong there may be the reason. */
const othersOf = ({ birth }: Watched, clause: ClauseId, wrongs: readonly Look[]): readonly Exchange[] => [
  ...wrongs.map(({ exchange }) => exchange),
  ...(birth !== undefined && clause.startsWith('create.') ? [birth] : []),
];

/** One case per clause, because what is wrong with an animal in several requests has one reason. */
const casesBy = (animal: Watched, aspect: Aspect, found: readonly Found[]): readonly TimelineCase[] =>
  [...Map.groupBy(found, ({ clause }) => clause)].flatMap(([clause, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const wrongs = all.flatMap((one) => one.wrongs.map(({ look }) => look));
    const { breach, shape, wrong, gap } = first;
    const told = { clause, animal: animal.id, exchange: wrong.look.exchange, breach, shape, aspect, wrongs };
    return [{ ...told, others: othersOf(animal, clause, wrongs), ...(gap === undefined ? {} : { gap }) }];
  });

const LOST = 'lost';

/** What may be wrong with other animals as well: a value in a place, or that animals of this status are missing from a place. */
const usualKey = (animal: Watched, what: 'existence' | Field, place: Place): string =>
  [what, place, ...(what === 'existence' && place !== 'list' ? [statusOf(animal)] : [])].join();

function unusualClauseOf({ birth }: Watched, what: 'existence' | Field, { world }: View): ClauseId | undefined {
  const fields = birth === undefined ? [] : unusualFieldsOf(birth, world);
  const field = what === 'existence' ? fields[0] : fields.find((one) => one === what);
  return field === undefined ? undefined : UNUSUAL[field];
}

/** What is wrong in these cases, of animals that have no unusual value, and in which places: constantly, or that they are missing. */
const usualIn = (cases: readonly TimelineCase[], { animals }: View): ReadonlySet<string> =>
  new Set(
    cases.flatMap(({ animal: id = 0n, shape, field, wrongs = [] }): readonly string[] => {
      const animal = animals.get(id);
      // Where lists omit any animal at times, they omit unusual ones, too.
      if (animal === undefined || shape === 'gone' || (shape === 'flapping' && field !== undefined)) return [];
      // For an animal that others created, it is not known which of two places is wrong.
      const places = shape === 'disagreeing' && animal.birth === undefined ? PLACES : wrongs.map(({ place }) => place);
      return [...(shape === 'lost' ? [LOST] : []), ...places.map((place) => usualKey(animal, field ?? 'existence', place))];
    }),
  );

function lostCase(
  animal: Watched,
  { seen, first }: { readonly seen: readonly Observation[]; readonly first: Observation },
  { view, usual }: Beside,
): readonly TimelineCase[] {
  const places = [...new Set(seen.map(({ look }) => look.place))];
  const listed = seen.find(({ look }) => look.place === 'list') ?? seen.find(({ look }) => look.place === 'filtered');
  const wrong = listed ?? first;
  const unusual = unusualClauseOf(animal, 'existence', view);
  // If animals without an unusual value are affected as well, their cases report it.
  if (unusual !== undefined && (usual.has(LOST) || places.some((place) => usual.has(usualKey(animal, 'existence', place))))) return [];
  // If it is missing from several places, the whole animal is, which list.complete reports.
  const clause = unusual ?? OWNERS.existence.lost[places.length > 1 ? 'list' : wrong.look.place];
  const where = `${describe(wrong.look.exchange)} ${listed === undefined ? `returned ${received(wrong)}` : 'omits it despite having room'}`;
  const about = {
    summary: `animal ${animal.id} was created with 201, but ${where}, and nothing else shows it`,
    ...{ expected: [`animal ${animal.id} within the consistency window`], received: received(wrong), failureKinds: [MISSING] },
  };
  const wrongs = seen.map(({ look }) => look);
  const breach = breachOf(animal, about, [wrong.look]);
  return [
    { clause, animal: animal.id, exchange: wrong.look.exchange, others: othersOf(animal, clause, wrongs), breach, shape: 'lost', wrongs },
  ];
}

function existenceCases(animal: Watched, telling: Telling, beside: Beside & { readonly manyGone: boolean }): readonly TimelineCase[] {
  const { view, usual, manyGone } = beside;
  const all = existenceOf(animal, view, telling);
  const right = all.filter(({ isRight }) => isRight);
  // Other clients may remove what they added, but not many animals; one that is seen again was there all the time.
  const seen = animal.birth === undefined && !manyGone ? all.slice(0, all.findLastIndex(({ isRight }) => isRight) + 1) : all;
  const unusual = unusualClauseOf(animal, 'existence', view);
  const [first] = seen;
  if (animal.birth !== undefined && first !== undefined && right.length === 0) return lostCase(animal, { seen, first }, beside);
  const found = contradictions(seen, view.world, 'existence').flatMap((one): Found[] => {
    const { look } = one.wrong;
    // An unusual value does not make an animal come and go. Plain animals show that for lists; a read is about this animal alone.
    const odd = one.shape === 'missing' || look.place !== 'read' ? unusual : undefined;
    if (odd !== undefined && (one.shape !== 'missing' || usual.has(usualKey(animal, 'existence', look.place)))) return [];
    const isRead = look.place === 'read';
    const what = isRead ? `returned ${received(one.wrong)} for an animal that exists` : `omits animal ${animal.id} despite having room`;
    const where = one.right === undefined ? '' : `; ${shownBy(one.right.look, look)}`;
    const expected = [isRead ? '200 with the animal' : `animal ${animal.id} in the list`];
    const about = {
      summary: `${describe(look.exchange)} ${what}${where}`,
      expected,
      received: received(one.wrong),
      failureKinds: [MISSING],
    };
    const owner = odd === undefined ? ownerOf('existence', one, animal.id, view) : { clause: odd };
    return [{ ...one, ...owner, breach: breachOf(animal, about, [one.right?.look, look]) }];
  });
  const held = holding(animal, right, (place) => unusual ?? OWNERS.existence.missing[place]);
  // The animal was there before: the same request has shown it more than once.
  const again = holding(animal, repeated(right), (place) => OWNERS.existence[place === 'read' ? 'gone' : 'flapping'][place]);
  const replaced = unusual === undefined ? replacementCases(animal, right, found, view.world) : [];
  return [...casesBy(animal, 'existence', found), ...held, ...again, ...replaced];
}

/** Whether the replacement of getPet, a list with its status and nothing else, finds an animal that reads show; once getPet may be removed, any animal. */
function replacementCases(
  animal: Watched,
  right: readonly Observation[],
  found: readonly Found[],
  { run }: World,
): readonly TimelineCase[] {
  if (!mayBeRemoved(run.now) && animal.looks.every(({ place }) => place !== 'read')) return [];
  const clause = 'deprecation.replacement';
  const isAlone = ({ look }: Observation): boolean => look.place === 'filtered' && limitIn(look.exchange) === undefined;
  const left = found.filter(({ shape, wrong }) => shape === 'missing' && isAlone(wrong)).map((one) => ({ ...one, clause }) as const);
  return [...casesBy(animal, 'existence', left), ...holding(animal, right.filter(isAlone), () => clause)];
}

/** Whether the animal was read before each change of what a list shows: then reads have changed it, although a list shows that. */
function isOfReads({ look }: Observation, seen: readonly Observation[], world: World, animal: bigint): boolean {
  const same = seen.filter((one) => one.look.key === look.key);
  const changes = same.flatMap((one, index) => {
    const before = same[index - 1];
    return before === undefined || before.value === one.value
      ? []
      : [isReadBetween(world, animal, before.look.exchange, one.look.exchange)];
  });
  return look.place !== 'read' && changes.length > 0 && changes.every(Boolean);
}

const LONGEST_SHOWN = 60;

/** A value as part of a sentence; of a long wrong name, also how many characters at its beginning are right. */
function shownValue(field: Field, value: unknown, truth: unknown = value): string {
  if (value === undefined) return `no ${field}`;
  if (typeof value !== 'string') return `${field} ${String(value)}`;
  const whole = `${field} ${cleanText(quoted(value.slice(0, LONGEST_SHOWN)))}`;
  const right = String(truth);
  if (value.length <= LONGEST_SHOWN && right.length <= LONGEST_SHOWN) return whole;
  let at = 0;
  while (at < value.length && value[at] === right[at]) at += 1;
  return `${whole}… of ${value.length} characters${value === truth ? '' : `, of which the first ${at} agree`}`;
}

function valueCases(animal: Watched, field: Field, { view, usual }: Beside): readonly TimelineCase[] {
  const { sent, birth } = animal;
  const values = valuesOf(animal, field);
  const [first] = values;
  if (first === undefined) return [];
  const returned = birth?.read.pet?.gaps.includes(field) === true ? undefined : birth?.read.pet?.[field];
  const isShown = (known: unknown): boolean => values.some(({ value }) => value === known);
  // create.answer judges a 201 that does not show what was sent: later responses may then show either value.
  const isKnown =
    sent?.[field] !== undefined && (returned === sent[field] || isShown(sent[field]) || (returned !== undefined && !isShown(returned)));
  const truth = isKnown ? sent?.[field] : first.value;
  const seen = values.map(({ look, value }): Observation => ({ look, value, isRight: value === truth }));
  const right = seen.filter(({ isRight }) => isRight);
  const isRead = ({ look }: Observation): boolean => look.place === 'read';
  const agreeing = right.some(isRead) && !right.every(isRead) ? right : [];
  const unusual = unusualClauseOf(animal, field, view);
  const held = [
    ...holding(animal, isKnown ? right : [], (place) => unusual ?? OWNERS.value.missing[place]),
    ...holding(animal, agreeing, (place) => OWNERS.value.disagreeing[place]),
    ...holding(animal, repeated(right), (place) => OWNERS.value.flapping[place]),
  ];
  const found = contradictions(seen, view.world, 'value');
  // The document shows no transitions of the status: an animal of other clients may change it once.
  if (field === 'status' && sent === undefined && found.every(({ shape }) => shape === 'gone')) return held;
  const broken = found.flatMap((one): Found[] => {
    const { wrong } = one;
    // Either lists or reads show it right: they disagree, whatever was sent.
    const elsewhere = one.shape === 'missing' ? right.find((other) => isRead(other) !== isRead(wrong)) : undefined;
    const shaped: Contradiction = elsewhere === undefined ? one : { ...one, shape: 'disagreeing', right: elsewhere };
    const created = isKnown ? `, but was created with ${shownValue(field, truth)}` : '';
    const beside =
      shaped.right === undefined ? created : `, but ${shownValue(field, shaped.right.value)} in ${describe(shaped.right.look.exchange)}`;
    const summary = `animal ${animal.id} has ${shownValue(field, wrong.value, truth)} in ${describe(wrong.look.exchange)}${beside}`;
    const kind = { place: field, expected: 'the value of the animal', received: wrong.value === undefined ? 'missing' : 'another value' };
    const about = { summary, expected: [shownValue(field, truth)], received: shownValue(field, wrong.value, truth), failureKinds: [kind] };
    const byReads = shaped.shape === 'flapping' && isOfReads(wrong, seen, view.world, animal.id);
    const isUnusual = unusual !== undefined && (shaped.shape === 'missing' || shaped.shape === 'disagreeing');
    if (isUnusual && usual.has(usualKey(animal, field, wrong.look.place))) return [];
    const named = isUnusual ? unusual : byReads ? OWNERS.value.flapping.read : undefined;
    const owner = named === undefined ? ownerOf('value', shaped, animal.id, view) : { clause: named };
    return [{ ...shaped, ...owner, breach: breachOf(animal, about, [shaped.right?.look, wrong.look]) }];
  });
  return [...casesBy(animal, 'value', broken).map((one) => ({ ...one, field })), ...held];
}

const isBroken = ({ breach }: TimelineCase): boolean => breach !== undefined;
const areReads = (looks: readonly Look[]): boolean => looks.length > 0 && looks.every(({ place }) => place === 'read');

/** The statuses of which lists without a status show no animal of the run and omit several: what a list with such a status omits, it omits for the same reason. */
function unlistedStatuses(cases: readonly TimelineCase[], { animals }: View): ReadonlySet<PetStatus> {
  const statusesOf = (all: readonly TimelineCase[]): readonly PetStatus[] =>
    all.flatMap(({ animal: id = 0n }) => {
      const animal = animals.get(id);
      return animal?.birth === undefined ? [] : (statusOf(animal) ?? []);
    });
  const listed = cases.filter(({ clause }) => clause === OWNERS.existence.missing.list);
  // A list with repeated or unreadable ids does not show which animals it omits.
  const tells = ({ wrongs = [] }: TimelineCase): boolean =>
    wrongs.some(({ place, shown, size }) => place === 'list' && shown.size === size);
  const shown = new Set(statusesOf(listed.filter((one) => !isBroken(one))));
  const counts = Map.groupBy(statusesOf(listed.filter((one) => isBroken(one) && tells(one))), (status) => status);
  return new Set([...counts].flatMap(([status, { length }]) => (length < SEVERAL || shown.has(status) ? [] : [status])));
}

/** The fields that reads show wrong, and lists right, for several animals: reads of an animal that no list shows are wrong in the same way. */
function misreadFields(cases: readonly TimelineCase[]): ReadonlySet<Field> {
  const wrong = cases.filter((one) => one.shape === 'disagreeing' && isBroken(one) && areReads(one.wrongs ?? []));
  const counts = Map.groupBy(wrong, ({ field }) => field);
  return new Set(FIELDS.filter((field) => (counts.get(field)?.length ?? 0) >= SEVERAL));
}

/** Whether a read shows the animal after a list has begun to omit it, and its status is the one of before: it is not gone, but left out. */
function isStillRead({ aspect, animal: id = 0n, exchange, wrongs = [] }: TimelineCase, view: View): boolean {
  const isRead = ({ place, shown, exchange: { at } }: Look): boolean => place === 'read' && at > exchange.done && shown.has(id);
  return (
    aspect === 'existence' &&
    wrongs.every(({ place }) => place !== 'read') &&
    !hasChangedStatus(id, view) &&
    view.animals.get(id)?.looks.some(isRead) === true
  );
}

const ofStaleLists: readonly ClauseId[] = [OWNERS.existence.missing.list, OWNERS.existence.missing.filtered];

const timelinesIn = oncePerObject((world: World): ReadonlyMap<ClauseId, readonly TimelineCase[]> => {
  const view = viewOf(world);
  const lists = [...tellingIn(view)];
  const animals = [...view.animals.values()];
  const isGone = (animal: Watched): boolean =>
    animal.birth === undefined && existenceOf(animal, view, { lists, full: [] }).at(-1)?.isRight === false;
  const manyGone = animals.filter(isGone).length >= MANY;
  const casesOf = (animal: Watched, known: ReadonlySet<string>): readonly TimelineCase[] => {
    const beside = { view, manyGone, usual: known };
    return [...existenceCases(animal, tellingOf(animal, view), beside), ...FIELDS.flatMap((field) => valueCases(animal, field, beside))];
  };
  const isUnusual = ({ birth }: Watched): boolean => birth !== undefined && unusualFieldsOf(birth, world).length > 0;
  const plain = animals.filter((animal) => !isUnusual(animal)).flatMap((animal) => casesOf(animal, new Set()));
  const usual = usualIn(plain, view);
  const cases = [...plain, ...animals.filter(isUnusual).flatMap((animal) => casesOf(animal, usual))];
  const cause = causeOf(cases.flatMap(({ gap }) => gap ?? []));
  const [unlisted, misread] = [unlistedStatuses(cases, view), misreadFields(cases)];
  const ownerNow = (one: TimelineCase): ClauseId => {
    const { clause, shape, field, wrongs = [] } = one;
    if (shape === 'gone' && !ofStaleLists.includes(clause))
      return cause === OWNERS.existence.gone.list && isStillRead(one, view) ? OWNERS.existence.missing[placeOf(one.exchange)] : cause;
    if (!isBroken(one)) return clause;
    if (shape === 'missing' && field !== undefined && misread.has(field) && areReads(wrongs)) return OWNERS.value.disagreeing.read;
    const animal = clause === OWNERS.existence.missing.filtered ? view.animals.get(one.animal ?? 0n) : undefined;
    const status = animal?.birth === undefined ? undefined : statusOf(animal);
    return status !== undefined && unlisted.has(status) ? OWNERS.existence.missing.list : clause;
  };
  return Map.groupBy(
    clearCases(
      cases.map((one) => ({ ...one, clause: ownerNow(one) })),
      view,
    ),
    ({ clause }) => clause,
  );
});

export const timelineCases = (world: World, clause: ClauseId): readonly TimelineCase[] => timelinesIn(world).get(clause) ?? [];

/** The rule of a clause that a shape names. */
export const timeline = (clause: ClauseId, blame: Blame): Rule => ({
  ...{ layer: 'history', blame },
  judgeAll: (world) => [
    ...timelineCases(world, clause),
    ...owedSights(world).filter(({ exchange }) => placesOf(clause).includes(placeOf(exchange))),
  ],
});
