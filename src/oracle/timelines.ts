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
  type Aspect,
  addClearedClauses,
  CLAUSES_BY_SHAPE,
  PLACES,
  placesOfClause,
  type TimelineCase,
  UNUSUAL_VALUE_CLAUSES,
} from './contradiction-clauses.ts';
import {
  type Contradiction,
  type ContradictionClause,
  clauseOfChanges,
  clauseOfContradiction,
  type ExistenceEvidence,
  existenceEvidenceOf,
  findContradictions,
  hasChangedStatus,
  isReadBetween,
  LEAST_FOR_PATTERN,
  listsShowingExistence,
  type Observation,
  observeExistence,
  valuesOf,
} from './contradictions.ts';
import { describe, type Exchange, quoted } from './exchange.ts';
import type { Blame, Breach, CaseInTime, Rule } from './rule.ts';
import {
  limitIn,
  MANY,
  type ObservedAnimal,
  type Place,
  placeOf,
  type Snapshot,
  statusOf,
  type TimelineView,
  timelineViewOf,
  unusualFieldsOf,
} from './timeline-view.ts';
import { tooEarlyCases } from './too-early.ts';
import type { World } from './world.ts';

/** What an animal is judged with: all others, and what is constantly wrong with those that have no unusual value (`defectKey`). */
type JudgedAmong = { readonly view: TimelineView; readonly commonDefects: ReadonlySet<string> };
type Found = Contradiction & ContradictionClause & { readonly breach: Breach };

/** The response that shows the animal; where its URL is the same, when that was. */
function shownBy(right: Snapshot, wrong: Snapshot): string {
  if (describe(right.exchange) !== describe(wrong.exchange)) return `${describe(right.exchange)} shows it`;
  return right.exchange.at < wrong.exchange.at ? 'the same URL showed it before' : 'the same URL shows it later';
}

const MISSING: StatedKind = { place: 'animal', expected: 'shown', received: 'missing' };

function breachOf({ creation }: ObservedAnimal, about: Omit<Breach, 'shown'>, snapshots: readonly (Snapshot | undefined)[]): Breach {
  return {
    ...about,
    shown: [...new Set([creation, ...snapshots.map((snapshot) => snapshot?.exchange)])].filter((one) => one !== undefined),
  };
}

const holdingCases = (
  { id }: ObservedAnimal,
  seen: readonly Observation[],
  clauseOf: (place: Place) => ClauseId,
): readonly TimelineCase[] =>
  [...Map.groupBy(seen, ({ snapshot }) => snapshot.place)].flatMap(([place, all]) => {
    const [exchange, ...others] = all.map(({ snapshot }) => snapshot.exchange);
    return exchange === undefined ? [] : [{ clause: clauseOf(place), animal: id, exchange, others }];
  });

const repeated = (seen: readonly Observation[]): readonly Observation[] =>
  [...Map.groupBy(seen, ({ snapshot }) => snapshot.key).values()].filter(({ length }) => length > 1).flat();

const received = ({ snapshot: { place, size, exchange } }: Observation): string =>
  place === 'read'
    ? String(exchange.status)
    : size === 0
      ? 'an empty list'
      : `${size} other ${size === 1 ? 'animal' : 'animals'}, with room for more`;

/** All wrong exchanges and, for clauses about creations, the creation of the animal: what is wrong there may be the reason. */
const wrongExchangesOf = ({ creation }: ObservedAnimal, clause: ClauseId, wrongs: readonly Snapshot[]): readonly Exchange[] => [
  ...wrongs.map(({ exchange }) => exchange),
  ...(creation !== undefined && clause.startsWith('create.') ? [creation] : []),
];

/** One case per clause, because what is wrong with an animal in several requests has one reason. */
const oneCasePerClause = (animal: ObservedAnimal, aspect: Aspect, found: readonly Found[]): readonly TimelineCase[] =>
  [...Map.groupBy(found, ({ clause }) => clause)].flatMap(([clause, all]) => {
    const [first] = all;
    if (first === undefined) return [];
    const wrongs = all.flatMap((one) => one.wrongs.map(({ snapshot }) => snapshot));
    const { breach, shape, wrong, change } = first;
    const told = { clause, animal: animal.id, exchange: wrong.snapshot.exchange, breach, shape, aspect, wrongs };
    return [{ ...told, others: wrongExchangesOf(animal, clause, wrongs), ...(change === undefined ? {} : { change }) }];
  });

const LOST = 'lost';

/** What may be wrong with other animals as well: a value in a place, or that animals of this status are missing from a place. */
const defectKey = (animal: ObservedAnimal, what: 'existence' | Field, place: Place): string =>
  [what, place, ...(what === 'existence' && place !== 'list' ? [statusOf(animal)] : [])].join();

function unusualClauseOf({ creation }: ObservedAnimal, what: 'existence' | Field, { world }: TimelineView): ClauseId | undefined {
  const fields = creation === undefined ? [] : unusualFieldsOf(creation, world);
  const field = what === 'existence' ? fields[0] : fields.find((one) => one === what);
  return field === undefined ? undefined : UNUSUAL_VALUE_CLAUSES[field];
}

/** What is wrong in these cases, of animals that have no unusual value, and in which places: constantly, or that they are missing. */
const commonDefectsIn = (cases: readonly TimelineCase[], { animals }: TimelineView): ReadonlySet<string> =>
  new Set(
    cases.flatMap(({ animal: id = 0n, shape, field, wrongs = [] }): readonly string[] => {
      const animal = animals.get(id);
      // Where lists omit any animal at times, they omit unusual ones, too.
      if (animal === undefined || shape === 'gone' || (shape === 'flapping' && field !== undefined)) return [];
      // For an animal that others created, it is not known which of two places is wrong.
      const places = shape === 'disagreeing' && animal.creation === undefined ? PLACES : wrongs.map(({ place }) => place);
      return [...(shape === 'lost' ? [LOST] : []), ...places.map((place) => defectKey(animal, field ?? 'existence', place))];
    }),
  );

function lostCase(
  animal: ObservedAnimal,
  { seen, first }: { readonly seen: readonly Observation[]; readonly first: Observation },
  { view, commonDefects }: JudgedAmong,
): readonly TimelineCase[] {
  const places = [...new Set(seen.map(({ snapshot }) => snapshot.place))];
  const listed = seen.find(({ snapshot }) => snapshot.place === 'list') ?? seen.find(({ snapshot }) => snapshot.place === 'filtered');
  const wrong = listed ?? first;
  const unusual = unusualClauseOf(animal, 'existence', view);
  // If animals without an unusual value are affected as well, their cases report it.
  if (
    unusual !== undefined &&
    (commonDefects.has(LOST) || places.some((place) => commonDefects.has(defectKey(animal, 'existence', place))))
  )
    return [];
  // If it is missing from several places, the whole animal is, which list.complete reports.
  const clause = unusual ?? CLAUSES_BY_SHAPE.existence.lost[places.length > 1 ? 'list' : wrong.snapshot.place];
  const where = `${describe(wrong.snapshot.exchange)} ${listed === undefined ? `returned ${received(wrong)}` : 'omits it despite having room'}`;
  const about = {
    summary: `animal ${animal.id} was created with 201, but ${where}, and nothing else shows it`,
    ...{ expected: [`animal ${animal.id} within the consistency window`], received: received(wrong), failureKinds: [MISSING] },
  };
  const wrongs = seen.map(({ snapshot }) => snapshot);
  const breach = breachOf(animal, about, [wrong.snapshot]);
  return [
    {
      clause,
      animal: animal.id,
      exchange: wrong.snapshot.exchange,
      others: wrongExchangesOf(animal, clause, wrongs),
      breach,
      shape: 'lost',
      wrongs,
    },
  ];
}

function existenceCases(
  animal: ObservedAnimal,
  evidence: ExistenceEvidence,
  among: JudgedAmong & { readonly areManyGone: boolean },
): readonly TimelineCase[] {
  const { view, commonDefects, areManyGone } = among;
  const all = observeExistence(animal, view, evidence);
  const right = all.filter(({ isRight }) => isRight);
  // Other clients may remove what they added, but not many animals; one that is seen again was there all the time.
  const seen = animal.creation === undefined && !areManyGone ? all.slice(0, all.findLastIndex(({ isRight }) => isRight) + 1) : all;
  const unusual = unusualClauseOf(animal, 'existence', view);
  const [first] = seen;
  if (animal.creation !== undefined && first !== undefined && right.length === 0) return lostCase(animal, { seen, first }, among);
  const found = findContradictions(seen, view.world, 'existence').flatMap((one): Found[] => {
    const { snapshot } = one.wrong;
    // An unusual value does not make an animal come and go. Plain animals show that for lists; a read is about this animal alone.
    const odd = one.shape === 'missing' || snapshot.place !== 'read' ? unusual : undefined;
    if (odd !== undefined && (one.shape !== 'missing' || commonDefects.has(defectKey(animal, 'existence', snapshot.place)))) return [];
    const isRead = snapshot.place === 'read';
    const what = isRead ? `returned ${received(one.wrong)} for an animal that exists` : `omits animal ${animal.id} despite having room`;
    const where = one.right === undefined ? '' : `; ${shownBy(one.right.snapshot, snapshot)}`;
    const expected = [isRead ? '200 with the animal' : `animal ${animal.id} in the list`];
    const about = {
      summary: `${describe(snapshot.exchange)} ${what}${where}`,
      expected,
      received: received(one.wrong),
      failureKinds: [MISSING],
    };
    const owner = odd === undefined ? clauseOfContradiction('existence', one, animal.id, view) : { clause: odd };
    return [{ ...one, ...owner, breach: breachOf(animal, about, [one.right?.snapshot, snapshot]) }];
  });
  const held = holdingCases(animal, right, (place) => unusual ?? CLAUSES_BY_SHAPE.existence.missing[place]);
  // The animal was there before: the same request has shown it more than once.
  const again = holdingCases(animal, repeated(right), (place) => CLAUSES_BY_SHAPE.existence[place === 'read' ? 'gone' : 'flapping'][place]);
  const replaced = unusual === undefined ? replacementCases(animal, right, found, view.world) : [];
  return [...oneCasePerClause(animal, 'existence', found), ...held, ...again, ...replaced];
}

/** Whether the replacement of getPet, a list with its status and nothing else, finds an animal that reads show; once getPet may be removed, any animal. */
function replacementCases(
  animal: ObservedAnimal,
  right: readonly Observation[],
  found: readonly Found[],
  { run }: World,
): readonly TimelineCase[] {
  if (!mayBeRemoved(run.now) && animal.snapshots.every(({ place }) => place !== 'read')) return [];
  const clause = 'deprecation.replacement';
  const isAlone = ({ snapshot }: Observation): boolean => snapshot.place === 'filtered' && limitIn(snapshot.exchange) === undefined;
  const left = found.filter(({ shape, wrong }) => shape === 'missing' && isAlone(wrong)).map((one) => ({ ...one, clause }) as const);
  return [...oneCasePerClause(animal, 'existence', left), ...holdingCases(animal, right.filter(isAlone), () => clause)];
}

/** Whether the animal was read before each change of what a list shows: then reads have changed it, although a list shows that. */
function isOfReads({ snapshot }: Observation, seen: readonly Observation[], world: World, animal: bigint): boolean {
  const same = seen.filter((one) => one.snapshot.key === snapshot.key);
  const changes = same.flatMap((one, index) => {
    const before = same[index - 1];
    return before === undefined || before.value === one.value
      ? []
      : [isReadBetween(world, animal, before.snapshot.exchange, one.snapshot.exchange)];
  });
  return snapshot.place !== 'read' && changes.length > 0 && changes.every(Boolean);
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

function valueCases(animal: ObservedAnimal, field: Field, { view, commonDefects }: JudgedAmong): readonly TimelineCase[] {
  const { sent, creation } = animal;
  const values = valuesOf(animal, field);
  const [first] = values;
  if (first === undefined) return [];
  const returned = creation?.read.pet?.gaps.includes(field) === true ? undefined : creation?.read.pet?.[field];
  const isShown = (known: unknown): boolean => values.some(({ value }) => value === known);
  // create.answer judges a 201 that does not show what was sent: later responses may then show either value.
  const isKnown =
    sent?.[field] !== undefined && (returned === sent[field] || isShown(sent[field]) || (returned !== undefined && !isShown(returned)));
  const truth = isKnown ? sent?.[field] : first.value;
  const seen = values.map(({ snapshot, value }): Observation => ({ snapshot, value, isRight: value === truth }));
  const right = seen.filter(({ isRight }) => isRight);
  const isRead = ({ snapshot }: Observation): boolean => snapshot.place === 'read';
  const agreeing = right.some(isRead) && !right.every(isRead) ? right : [];
  const unusual = unusualClauseOf(animal, field, view);
  const held = [
    ...holdingCases(animal, isKnown ? right : [], (place) => unusual ?? CLAUSES_BY_SHAPE.value.missing[place]),
    ...holdingCases(animal, agreeing, (place) => CLAUSES_BY_SHAPE.value.disagreeing[place]),
    ...holdingCases(animal, repeated(right), (place) => CLAUSES_BY_SHAPE.value.flapping[place]),
  ];
  const found = findContradictions(seen, view.world, 'value');
  // The document shows no transitions of the status: an animal of other clients may change it once.
  if (field === 'status' && sent === undefined && found.every(({ shape }) => shape === 'gone')) return held;
  const broken = found.flatMap((one): Found[] => {
    const { wrong } = one;
    // Either lists or reads show it right: they disagree, whatever was sent.
    const elsewhere = one.shape === 'missing' ? right.find((other) => isRead(other) !== isRead(wrong)) : undefined;
    const shaped: Contradiction = elsewhere === undefined ? one : { ...one, shape: 'disagreeing', right: elsewhere };
    const created = isKnown ? `, but was created with ${shownValue(field, truth)}` : '';
    const beside =
      shaped.right === undefined
        ? created
        : `, but ${shownValue(field, shaped.right.value)} in ${describe(shaped.right.snapshot.exchange)}`;
    const summary = `animal ${animal.id} has ${shownValue(field, wrong.value, truth)} in ${describe(wrong.snapshot.exchange)}${beside}`;
    const kind = { place: field, expected: 'the value of the animal', received: wrong.value === undefined ? 'missing' : 'another value' };
    const about = { summary, expected: [shownValue(field, truth)], received: shownValue(field, wrong.value, truth), failureKinds: [kind] };
    const isByReads = shaped.shape === 'flapping' && isOfReads(wrong, seen, view.world, animal.id);
    const isUnusual = unusual !== undefined && (shaped.shape === 'missing' || shaped.shape === 'disagreeing');
    if (isUnusual && commonDefects.has(defectKey(animal, field, wrong.snapshot.place))) return [];
    const named = isUnusual ? unusual : isByReads ? CLAUSES_BY_SHAPE.value.flapping.read : undefined;
    const owner = named === undefined ? clauseOfContradiction('value', shaped, animal.id, view) : { clause: named };
    return [{ ...shaped, ...owner, breach: breachOf(animal, about, [shaped.right?.snapshot, wrong.snapshot]) }];
  });
  return [...oneCasePerClause(animal, 'value', broken).map((one) => ({ ...one, field })), ...held];
}

const isBroken = ({ breach }: TimelineCase): boolean => breach !== undefined;
const areReads = (snapshots: readonly Snapshot[]): boolean => snapshots.length > 0 && snapshots.every(({ place }) => place === 'read');

/** The statuses of which lists without a status show no animal of the run and omit several: what a list with such a status omits, it omits for the same reason. */
function unlistedStatuses(cases: readonly TimelineCase[], { animals }: TimelineView): ReadonlySet<PetStatus> {
  const statusesOf = (all: readonly TimelineCase[]): readonly PetStatus[] =>
    all.flatMap(({ animal: id = 0n }) => {
      const animal = animals.get(id);
      return animal?.creation === undefined ? [] : (statusOf(animal) ?? []);
    });
  const listed = cases.filter(({ clause }) => clause === CLAUSES_BY_SHAPE.existence.missing.list);
  // A list with repeated or unreadable ids does not show which animals it omits.
  const tells = ({ wrongs = [] }: TimelineCase): boolean =>
    wrongs.some(({ place, shown, size }) => place === 'list' && shown.size === size);
  const shown = new Set(statusesOf(listed.filter((one) => !isBroken(one))));
  const counts = Map.groupBy(statusesOf(listed.filter((one) => isBroken(one) && tells(one))), (status) => status);
  return new Set([...counts].flatMap(([status, { length }]) => (length < LEAST_FOR_PATTERN || shown.has(status) ? [] : [status])));
}

/** The fields that reads show wrong, and lists right, for several animals: reads of an animal that no list shows are wrong in the same way. */
function misreadFields(cases: readonly TimelineCase[]): ReadonlySet<Field> {
  const wrong = cases.filter((one) => one.shape === 'disagreeing' && isBroken(one) && areReads(one.wrongs ?? []));
  const counts = Map.groupBy(wrong, ({ field }) => field);
  return new Set(FIELDS.filter((field) => (counts.get(field)?.length ?? 0) >= LEAST_FOR_PATTERN));
}

/** Whether a read shows the animal after a list has begun to omit it, and its status is the one of before: it is not gone, but left out. */
function isStillRead({ aspect, animal: id = 0n, exchange, wrongs = [] }: TimelineCase, view: TimelineView): boolean {
  const isRead = ({ place, shown, exchange: { at } }: Snapshot): boolean => place === 'read' && at > exchange.done && shown.has(id);
  return (
    aspect === 'existence' &&
    wrongs.every(({ place }) => place !== 'read') &&
    !hasChangedStatus(id, view) &&
    view.animals.get(id)?.snapshots.some(isRead) === true
  );
}

const ofStaleLists: readonly ClauseId[] = [CLAUSES_BY_SHAPE.existence.missing.list, CLAUSES_BY_SHAPE.existence.missing.filtered];

const timelinesIn = oncePerObject((world: World): ReadonlyMap<ClauseId, readonly TimelineCase[]> => {
  const view = timelineViewOf(world);
  const lists = [...listsShowingExistence(view)];
  const animals = [...view.animals.values()];
  const isGone = (animal: ObservedAnimal): boolean =>
    animal.creation === undefined && observeExistence(animal, view, { lists, full: [] }).at(-1)?.isRight === false;
  const areManyGone = animals.filter(isGone).length >= MANY;
  const casesOf = (animal: ObservedAnimal, known: ReadonlySet<string>): readonly TimelineCase[] => {
    const among = { view, areManyGone, commonDefects: known };
    return [
      ...existenceCases(animal, existenceEvidenceOf(animal, view), among),
      ...FIELDS.flatMap((field) => valueCases(animal, field, among)),
    ];
  };
  const isUnusual = ({ creation }: ObservedAnimal): boolean => creation !== undefined && unusualFieldsOf(creation, world).length > 0;
  const plain = animals.filter((animal) => !isUnusual(animal)).flatMap((animal) => casesOf(animal, new Set()));
  const commonDefects = commonDefectsIn(plain, view);
  const cases = [...plain, ...animals.filter(isUnusual).flatMap((animal) => casesOf(animal, commonDefects))];
  const clauseOfAll = clauseOfChanges(cases.flatMap(({ change }) => change ?? []));
  const [unlisted, misread] = [unlistedStatuses(cases, view), misreadFields(cases)];
  const ownerNow = (one: TimelineCase): ClauseId => {
    const { clause, shape, field, wrongs = [] } = one;
    if (shape === 'gone' && !ofStaleLists.includes(clause))
      return clauseOfAll === CLAUSES_BY_SHAPE.existence.gone.list && isStillRead(one, view)
        ? CLAUSES_BY_SHAPE.existence.missing[placeOf(one.exchange)]
        : clauseOfAll;
    if (!isBroken(one)) return clause;
    if (shape === 'missing' && field !== undefined && misread.has(field) && areReads(wrongs))
      return CLAUSES_BY_SHAPE.value.disagreeing.read;
    const animal = clause === CLAUSES_BY_SHAPE.existence.missing.filtered ? view.animals.get(one.animal ?? 0n) : undefined;
    const status = animal?.creation === undefined ? undefined : statusOf(animal);
    return status !== undefined && unlisted.has(status) ? CLAUSES_BY_SHAPE.existence.missing.list : clause;
  };
  return Map.groupBy(
    addClearedClauses(
      cases.map((one) => ({ ...one, clause: ownerNow(one) })),
      view,
    ),
    ({ clause }) => clause,
  );
});

export const timelineCases = (world: World, clause: ClauseId): readonly TimelineCase[] => timelinesIn(world).get(clause) ?? [];

/** The rule of a clause that a shape names. */
export function timeline(clause: ClauseId, blame: Blame): Rule {
  const early = (world: World): readonly CaseInTime[] =>
    tooEarlyCases(world).filter(({ exchange }) => placesOfClause(clause).includes(placeOf(exchange)));
  return { layer: 'history', blame, early, judgeAll: (world) => [...timelineCases(world, clause), ...early(world)] };
}
