// When each broken clause is broken: by asking again in halves, or by what all broken cases have and no right one.

import type { ClauseId } from '../clause/clause.ts';
import { type CasesByClause, casesOf, explainBreaches, type JudgedCase } from '../oracle/blame.ts';
import type { Exchange } from '../oracle/exchange.ts';
import { KINDS_OF_REQUESTS } from '../oracle/exchange-attributes.ts';
import type { Clause } from '../oracle/rule.ts';
import { loadOf } from '../oracle/standing.ts';
import { nameIn, type World } from '../oracle/world.ts';
import {
  dimensionsOf,
  type Narrowed,
  narrow,
  type Outcome,
  type Range,
  type Search,
  type TableKnowledge,
  valueIn,
  without,
} from '../plan/halve.ts';
import { type Group, isGroup, type Row, vectorsOf } from '../plan/row.ts';
import { tell, tellNeeded } from '../plan/tell.ts';
import { isPack } from '../session/compose.ts';
import type { Sent, ValueName, Vector } from '../session/vector.ts';
import { type Asking, type Condition, type Count, type Ended, type Found, type Subject, shownWith, TRIES } from './condition.ts';
import {
  animalCases,
  type CountedCase,
  countOf,
  FEW,
  isBroken,
  knownOf,
  NEARLY,
  NOTHING,
  passingCondition,
  recurringCondition,
  type Sentence,
  sentence,
  toldCondition,
} from './told-conditions.ts';

/** So many requests of a run, and so many rounds of them: the history is judged once a round. */
const [MOST_ASKED, MOST_ROUNDS] = [200, 20];

const casesIn = (clauses: readonly Clause[], world: World): CasesByClause => explainBreaches(casesOf(clauses, world), world);

/** Clauses that judge what was created, so that the creation is what is asked again. */
const isOfCreations = (clause: ClauseId): boolean => clause.startsWith('create.');

function subjectsOf(clause: ClauseId, cases: CasesByClause, world: World): readonly Subject[] {
  const made = new Map<number, Subject>();
  const all = cases.get(clause) ?? [];
  // What another clause explains is neither broken nor right here.
  const explained = new Set(all.flatMap(({ explainedBy, exchange }) => (explainedBy === undefined ? [] : [exchange.number])));
  const note = (exchange: Exchange, broken: boolean): void => {
    if (broken || (!made.has(exchange.number) && !explained.has(exchange.number)))
      made.set(exchange.number, { exchange, isBroken: broken });
  };
  for (const one of all) {
    if (one.explainedBy !== undefined) continue;
    const birth = one.animal === undefined || !isOfCreations(clause) ? undefined : world.animals.get(one.animal)?.creation;
    if (birth !== undefined) note(birth, isBroken(one));
    else for (const exchange of [one.exchange, ...(one.others ?? [])]) note(exchange, isBroken(one));
  }
  return [...made.values()];
}

type Start = { readonly exchange: Exchange; readonly vector: Vector; readonly group: Group | undefined };

/** Of the rows that failed, the one that names the fewest values, and of these the last. */
function startOf(clause: ClauseId, subjects: readonly Subject[], { vectorOf, groupOf }: Asking): Start | undefined {
  const rows = subjects.flatMap(({ exchange, isBroken: broken }): readonly Start[] => {
    const { sent } = exchange;
    const vector = broken ? vectorOf(sent) : undefined;
    return vector === undefined || vector.raw !== undefined ? [] : [{ exchange, vector, group: groupOf(sent) }];
  });
  // What is asked again about a creation is the creation; of all else, what leaves no animal.
  const size = ({ vector, group }: (typeof rows)[number]): number =>
    dimensionsOf(vector).length + (group === undefined ? 0 : 0.5) + ((vector.op === 'create') === isOfCreations(clause) ? 0 : MOST_ASKED);
  return rows.toReversed().toSorted((one, other) => size(one) - size(other))[0];
}

/** So long a pause is asked again at most, in milliseconds; and so rarely others are as long, where it is unusual. */
const [LONGEST_PAUSE, RARELY] = [3_000, 0.05];

/** For how long nothing was sent before a request, if that is unusual among those that are right. */
function unusualPause(exchange: Exchange, subjects: readonly Subject[], world: World): number | undefined {
  const { idle } = loadOf(exchange, world);
  const right = subjects.filter((one) => !one.isBroken);
  const asLong = right.filter((one) => loadOf(one.exchange, world).idle >= idle);
  return idle <= LONGEST_PAUSE && asLong.length <= RARELY * right.length ? idle : undefined;
}

/** The longest name that is fine below the shortest one that is not. */
function knownLengths(subjects: readonly Subject[]): readonly [right: number, wrong: number] | undefined {
  const kinds = new Set(subjects.flatMap(({ exchange, isBroken: wrong }) => (wrong ? [exchange.facts.body?.kind] : [])));
  const lengths = (broken: boolean): readonly number[] =>
    subjects.flatMap(({ exchange, isBroken: wrong }) => {
      const body = exchange.facts.body;
      const sent = body === undefined || body.kind === 'invalid' ? undefined : body.sent;
      return sent === undefined || wrong !== broken || !kinds.has(body?.kind) ? [] : [sent.name.length];
    });
  const [right, wrong] = [Math.max(...lengths(false)), Math.min(...lengths(true))];
  return Number.isFinite(right) && Number.isFinite(wrong) && right < wrong ? [right, wrong] : undefined;
}

type Searching = {
  readonly clause: ClauseId;
  search: Search<Narrowed>;
  asked: readonly Row[];
  found: Narrowed | undefined;
  /** In whose company the request failed, which is asked if it does not fail alone. */
  group: Group | undefined;
  readonly knowledge: TableKnowledge;
};

function begin(one: Searching, row: Row): void {
  one.search = narrow(row, one.knowledge);
  proceed(one, []);
}

function proceed(one: Searching, outcomes: readonly Outcome[]): void {
  const next = one.search.next(outcomes);
  if (next.done !== true) {
    one.asked = next.value;
    return;
  }
  const { group } = one;
  one.group = undefined;
  if (next.value.kind === 'comes and goes' && group !== undefined) begin(one, group);
  else one.found = next.value;
}

/** What is broken, and what may explain it: the other clauses hold in each round as they did before. */
function judgedInRounds(clauses: readonly Clause[], cases: CasesByClause): readonly Clause[] {
  const broken = clauses.filter(({ id }) => cases.get(id)?.some(({ breach }) => breach !== undefined));
  const blamed = broken.flatMap(({ rules }) => rules.flatMap(({ blame }) => [...(blame?.after ?? []), ...(blame?.simpler?.clauses ?? [])]));
  return clauses.filter((clause) => broken.includes(clause) || blamed.includes(clause.id));
}

/** Asks what all searches want, round by round, each row twice, and judges the history once a round. */
async function searchAll(all: readonly Searching[], clauses: readonly Clause[], asking: Asking): Promise<void> {
  let left = MOST_ASKED;
  const askTwice = async (row: Row): Promise<readonly (ReadonlySet<number> | undefined)[]> => {
    // What is created is read and listed.
    const cost = TRIES * vectorsOf(row).reduce((sum, { op }) => sum + (op === 'create' ? 3 : 1), 0);
    if (cost > left) return [undefined];
    left -= cost;
    const tries: (ReadonlySet<number> | undefined)[] = [];
    for (let index = 0; index < TRIES; index += 1) {
      const numbers = await asking.ask(row);
      tries.push(numbers === undefined ? undefined : new Set(numbers));
    }
    return tries;
  };
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const open = all.filter(({ found }) => found === undefined);
    if (open.length === 0) return;
    const tries = new Map<string, readonly (ReadonlySet<number> | undefined)[]>();
    for (const row of open.flatMap(({ asked }) => asked)) {
      const key = JSON.stringify(row);
      if (!tries.has(key)) tries.set(key, await askTwice(row));
    }
    const world = asking.now();
    const cases = casesIn(clauses, world);
    for (const one of open) {
      const outcomes = one.asked.map((row) => outcomeOf(tries.get(JSON.stringify(row)) ?? [undefined], cases.get(one.clause) ?? [], world));
      proceed(one, outcomes);
    }
  }
}

function outcomeOf(tries: readonly (ReadonlySet<number> | undefined)[], cases: readonly JudgedCase[], { animals }: World): Outcome {
  if (tries.some((one) => one === undefined)) return 'unasked';
  const isOn = ({ exchange, others = [], animal }: JudgedCase, numbers: ReadonlySet<number> | undefined): boolean => {
    const birth = animal === undefined ? undefined : animals.get(animal)?.creation;
    return [exchange, ...others, ...(birth === undefined ? [] : [birth])].some(({ number }) => numbers?.has(number) === true);
  };
  const told = cases.filter(({ explainedBy }) => explainedBy === undefined);
  const failing = tries.filter((numbers) => told.some((one) => one.breach !== undefined && isOn(one, numbers))).length;
  if (failing > 0) return failing === tries.length ? 'fails' : 'mixed';
  return tries.every((numbers) => told.some((one) => isOn(one, numbers))) ? 'right' : 'mute';
}

const headerIn = ({ headers }: Sent, wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
const isAbsent = (named: ValueName | undefined): boolean => named === undefined || named === 'none';

/** Whether a request has what is usual. */
function isUsual(what: string, vector: Vector, sent: Sent): boolean {
  if (what === 'Accept') return headerIn(sent, 'accept') === 'application/json';
  if (what === 'Accept-Encoding') return headerIn(sent, 'accept-encoding') === undefined;
  return isAbsent(valueIn(vector, what)) || valueIn(vector, what) === 'kept' || valueIn(vector, what) === 'name first';
}

/** A text behind the plain name. */
const behindIn = (named: ValueName | undefined): string | undefined =>
  typeof named === 'string' && named.startsWith('=>') ? String(JSON.parse(named.slice(2))) : undefined;

/** Where a text of a name has to be. */
type Place = 'anywhere' | 'at the end';

type Failing = Extract<Narrowed, { kind: 'fails' }>;

/** Whether a request meets the condition that was found for another one. */
function meets(
  { vector, sent }: { readonly vector: Vector; readonly sent: Sent },
  { failing, ranges, usual, kinds }: Failing,
  { knowledge: { headersOf, patternOf, usualHeader }, place }: { readonly knowledge: TableKnowledge; readonly place: Place },
): boolean {
  if (isGroup(failing) || vector.op !== failing.op) return false;
  const has = (dimension: string): boolean => {
    const [named, own] = [valueIn(failing, dimension), valueIn(vector, dimension)];
    if (dimension === 'client') {
      const isKind = kinds.includes('client');
      const isSo = (name: string, value: string, sentValue: string): boolean =>
        isKind ? sentValue !== usualHeader(name) : sentValue === value;
      return headersOf(failing).every(([name, value]) => isSo(name, value, headerIn(sent, name.toLowerCase()) ?? ''));
    }
    const pattern = kinds.includes(dimension) ? patternOf(dimension, named ?? '') : undefined;
    if (pattern !== undefined) return pattern.test(nameIn(sent) ?? '');
    if (kinds.includes(dimension)) return !isAbsent(own);
    const range = ranges[dimension];
    if (range !== undefined && dimension === 'limit') return typeof own === 'number' && isInRange(own, range);
    if (range !== undefined && dimension === 'name') return isInRange(nameIn(sent)?.length ?? 0, range);
    // A text behind the plain name, wherever it is in another one.
    const text = dimension === 'name' ? behindIn(named) : undefined;
    if (text !== undefined) return (place === 'at the end' ? nameIn(sent)?.endsWith(text) : nameIn(sent)?.includes(text)) === true;
    const wanted = isPack(named) ? named : [named];
    return wanted.every((one) => own === one || (isPack(own) && own.some((each) => each === one)));
  };
  // What fails with the key says nothing about a request without it.
  const isWithKey = failing.credential !== undefined || vector.credential === undefined || vector.credential === 'valid';
  return isWithKey && dimensionsOf(failing).every(has) && usual.every((what) => isUsual(what, vector, sent));
}

function isInRange(value: number, range: Range): boolean {
  switch (range.kind) {
    case 'least':
      return value >= range.value;
    case 'most':
      return value <= range.value;
    case 'odd':
    case 'even':
      return value % 2 === range.value % 2;
    case 'any':
      return true;
    case 'exactly':
      return value === range.value;
    default:
      return range satisfies never;
  }
}

/** What was found by asking in company: how often a request was in it that was sent for another reason is not known. */
function inCompany(clause: ClauseId, { failing, right, company }: Extract<Narrowed, { kind: 'company' }>): Found {
  // A second round has confirmed it.
  const of = 2 * TRIES;
  const [broken, otherwise] = [
    { broken: of, of },
    { broken: 0, of },
  ];
  const condition = `Only ${company}: ${of} of ${of}; alone 0 of ${of}`;
  return { clause, by: 'halving', unit: 'response', condition, when: company, failing, right, broken, otherwise, isAsked: true };
}

/** Whether what was found is a condition, and not that each request fails. */
const isSome = (found: Narrowed | undefined): boolean =>
  found?.kind === 'fails' && (isGroup(found.failing) || dimensionsOf(found.failing).length + found.usual.length > 0);

/** What was found by asking, in words, with how often it is so. */
function halvedCondition(clause: ClauseId, found: Failing, subjects: readonly Subject[], asking: Asking): Found {
  const { wording, vectorOf } = asking;
  const { failing, right, ranges, usual, kinds } = found;
  const base = { clause, failing, right, by: 'halving', unit: 'response', inside: subjects } as const;
  if (isGroup(failing)) {
    const rows = failing.rows.length;
    const broken = countOf(subjects);
    const text =
      failing.how === 'together' ? `with ${rows - 1} other requests under way` : `in ${rows} requests one after another on a connection`;
    if (rows < 2) return { ...base, by: 'silence', condition: '', when: undefined, broken, otherwise: NOTHING };
    return { ...base, condition: `Only ${text}`, when: text, broken, otherwise: NOTHING };
  }
  const knowledge = wording.knowledge(() => undefined);
  const insideOf = (row: Vector, place: Place): readonly Subject[] =>
    subjects.filter(({ exchange: { sent } }) => {
      const vector = vectorOf(sent);
      return vector !== undefined && meets({ vector, sent }, { ...found, failing: row }, { knowledge, place });
    });
  // What was not asked alone, because the animals of the run were used up, is no condition if all that lacks it is broken, too: company before values.
  const inOrder = [...knowledge.fillers, 'status', ...dimensionsOf(failing)].filter((one, index, all) => all.indexOf(one) === index);
  const least = inOrder.reduce((row, dimension) => {
    const less = without(row, dimension);
    return dimensionsOf(less).length > 0 && insideOf(less, 'anywhere').every((one) => one.isBroken) ? less : row;
  }, failing);
  const texts = [
    ...dimensionsOf(least).map((dimension) =>
      kinds.includes(dimension)
        ? wording.kindText(failing, dimension)
        : wording.valueText(failing, dimension, valueIn(failing, dimension) ?? '', ranges[dimension]),
    ),
    ...usual.map(wording.usualText),
  ];
  const said = (place: Place): Sentence => {
    const inside = insideOf(least, place);
    const outside = subjects.filter((one) => !inside.includes(one));
    return sentence(
      place === 'anywhere' ? texts : texts.map((text) => text.replace(/in the name$/, 'at the end of the name')),
      inside,
      outside,
    );
  };
  const anywhere = said('anywhere');
  // What is broken at the end of a name is not broken wherever it is.
  const isAtEnd =
    behindIn(valueIn(failing, 'name')) !== undefined && !kinds.includes('name') && anywhere.broken.broken < NEARLY * anywhere.broken.of;
  return { ...base, ...(isAtEnd ? said('at the end') : anywhere) };
}

/** So many values fit into a sentence. */
const MOST_VALUES = 6;
const alternatives = new Intl.ListFormat('en-US', { type: 'disjunction' });

/** Several values of one dimension, if each fails whatever else a request has, and nothing without one of them does. */
function oneOfCondition(clause: ClauseId, found: Failing, subjects: readonly Subject[], { wording, vectorOf }: Asking): Found | undefined {
  const { failing, right, ranges, usual, kinds } = found;
  if (isGroup(failing)) return undefined;
  const [dimension = '', ...more] = dimensionsOf(failing);
  if (more.length + usual.length + kinds.length + Object.keys(ranges).length > 0) return undefined;
  const namedIn = ({ exchange: { sent } }: Subject): ValueName | undefined => {
    const vector = vectorOf(sent);
    return vector?.op === failing.op ? valueIn(vector, dimension) : undefined;
  };
  const keyOf = (named: ValueName | undefined): string => JSON.stringify(named ?? null);
  const values = new Map(
    [valueIn(failing, dimension), ...subjects.filter((one) => one.isBroken).map(namedIn)].map((one) => [keyOf(one), one]),
  );
  const named = [...values.values()].filter((one) => one !== undefined);
  const inside = subjects.filter((one) => values.has(keyOf(namedIn(one))));
  if (named.length < Math.max(2, values.size) || named.length > MOST_VALUES || !inside.every((one) => one.isBroken)) return undefined;
  const outside = subjects.filter((one) => !inside.includes(one));
  const texts = named.map((one) => wording.valueText({ ...failing, [dimension]: one }, dimension, one));
  const ends = texts.every((text) => text.startsWith(WITH)) ? texts.map((text) => text.slice(WITH.length)) : texts;
  const said = `${ends === texts ? '' : WITH}${alternatives.format(ends)}`;
  return { clause, failing, right, by: 'halving', unit: 'response', ...sentence([said], inside, outside) };
}

const WITH = 'with ';

/** Whether an id is that of one animal: which one is no condition where others fail too. */
const isKnownId = (named: ValueName | undefined): boolean =>
  typeof named === 'number' || (typeof named === 'string' && named.startsWith('='));
/** Whether what fails without a condition is the exception: one value of several. */
const isRare = (inside: Count, otherwise: Count): boolean =>
  otherwise.of >= FEW && 2 * otherwise.broken < otherwise.of && otherwise.broken < inside.broken;
const NONE = { broken: NOTHING, otherwise: NOTHING };

/**
 * Asks when each clause is broken, and returns what tells its condition, with the counts of that moment. Nothing is asked for a clause that is not broken.
 */
export async function conditionsOf(broken: readonly ClauseId[], asking: Asking): Promise<() => readonly Condition[]> {
  if (broken.length === 0) return () => [];
  const { wording } = asking;
  const before = asking.now();
  const cases = casesIn(asking.clauses, before);
  const searches = broken.flatMap((clause): Searching[] => {
    const subjects = subjectsOf(clause, cases, before);
    const start = startOf(clause, subjects, asking);
    if (start === undefined) return [];
    const pause = unusualPause(start.exchange, subjects, before);
    const knowledge = wording.knowledge((dimension) => (dimension === 'name' ? knownLengths(subjects) : undefined), pause);
    const one: Searching = {
      clause,
      knowledge,
      search: narrow(start.vector, knowledge),
      asked: [],
      found: undefined,
      group: start.group,
    };
    proceed(one, []);
    return [one];
  });
  await searchAll(searches, judgedInRounds(asking.clauses, cases), asking);
  return () => {
    const world = asking.now();
    const ended: Ended = { world, cases: casesIn(asking.clauses, world), asking };
    return broken.map((clause) => shownWith(foundFor(clause, searches.find((one) => one.clause === clause)?.found, ended), ended));
  };
}

function foundFor(clause: ClauseId, found: Narrowed | undefined, { world, cases, asking }: Ended): Found {
  const subjects = subjectsOf(clause, cases, world);
  // A creation stands for its animal, which several responses show.
  const isOfAnimals = isOfCreations(clause) && cases.get(clause)?.some(({ animal }) => animal !== undefined) === true;
  const unit = isOfAnimals ? 'animal' : 'response';
  const halved = found?.kind === 'fails' ? ({ ...halvedCondition(clause, found, subjects, asking), unit } as const) : undefined;
  const isTelling = halved !== undefined && isSome(found) && halved.broken.broken > 0;
  const isSharp = isTelling && halved.otherwise.broken === 0;
  if (isTelling && halved.otherwise.of < FEW && halved.broken.broken === halved.broken.of) return halved;
  if (isSharp && halved.broken.broken >= NEARLY * halved.broken.of && halved.otherwise.of >= FEW) return halved;
  if (found?.kind === 'company') return inCompany(clause, found);
  const counted = subjects.map(
    (subject): CountedCase => ({
      known: knownOf(
        subject,
        asking.clauses.find(({ id }) => id === clause),
        world,
        asking.vectorOf,
      ),
      isBroken: subject.isBroken,
      subject,
    }),
  );
  const ofAnimals = animalCases(cases.get(clause) ?? [], world);
  const tellBy = (look: typeof tell): Found | undefined => {
    const ofRequests = toldCondition(clause, counted, { asking, unit, look });
    // Which operation it is says less than which animals.
    const isKind = ofRequests?.predicates?.every(({ name }) => KINDS_OF_REQUESTS.has(name)) !== false;
    return (isKind ? toldCondition(clause, ofAnimals, { asking, unit: 'animal', look }) : undefined) ?? ofRequests;
  };
  const told = tellBy(tell);
  if (told !== undefined) return told;
  if (isSharp && halved.otherwise.of >= FEW) return halved;
  const oneOf = found?.kind === 'fails' && isTelling ? oneOfCondition(clause, found, subjects, asking) : undefined;
  if (oneOf !== undefined) return { ...oneOf, unit };
  // One value of several that fail.
  const { broken: inside, otherwise } = halved ?? NONE;
  const isOfAnimal =
    halved?.failing !== undefined && !isGroup(halved.failing) && halved.failing.op === 'get' && isKnownId(halved.failing.id);
  if (isTelling && !isOfAnimal && inside.broken === inside.of && isRare(inside, otherwise)) return halved;
  const silence: Found = {
    ...{ clause, condition: '', when: undefined, by: 'silence', unit: 'response', failing: undefined, right: undefined },
    ...{ broken: countOf(subjects), otherwise: NOTHING },
  };
  const isGone = found?.kind === 'comes and goes' && found.outcome === 'right';
  const passing = isGone ? passingCondition(clause, subjects) : undefined;
  if (passing !== undefined) return { ...passing, isGone: true };
  const recurring = recurringCondition(clause, subjects, asking.wording);
  if (recurring !== undefined) return recurring;
  const needed = tellBy(tellNeeded);
  if (needed !== undefined) return { ...needed, ...(isGone ? { isGone: true } : {}) };
  if (found?.kind === 'comes and goes' && found.outcome !== 'mute')
    return {
      ...silence,
      condition: `comes and goes: ${found.outcome === 'mixed' ? 1 : 0} of ${TRIES} when it was sent again`,
      failing: found.asked,
      ...(isGone ? { isGone: true } : {}),
    };
  return halved !== undefined && !isSome(found) ? halved : silence;
}
