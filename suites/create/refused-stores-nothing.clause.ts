import type { Breach, ClauseId } from '../../src/clause/clause.ts';
import { isSettled, viewOf } from '../../src/oracle/view.ts';
import { type Case, type Event, eventOf, type World } from '../../src/oracle/world.ts';
import type { NewPetInput, PetView } from '../../src/schema/pet.ts';
import { describeRequest, isRejected, statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { LEAST_REJECTION } from '../../src/wire/statuses.ts';
import {
  HUGE_CATEGORIES,
  type InvalidBody,
  MISSING_CATEGORIES,
  MISSING_NAMES,
  NO_OBJECTS,
  NULL_STATUSES,
  TRAILING_BODIES,
  WRONG_CATEGORIES,
  WRONG_NAMES,
  WRONG_STATUSES,
} from '../cases/invalid-bodies.ts';
import { defineRules } from '../define.ts';
import { sendNewPet } from '../stimuli/creations.ts';
import { largeLists } from '../stimuli/lists.ts';
import { oncePerSession } from '../stimuli/sending.ts';
import { describeBody, returnedId, showName } from './creations.ts';

type Judgement = 'not-applicable' | 'holds' | Breach;

function shownIn({ intent, pet, pets }: Event): readonly PetView[] | undefined {
  if (intent.operation === 'createPet') return undefined;
  return pets ?? (pet === undefined ? undefined : [pet]);
}

function judgeNames(event: Event, { known: { refusedNames, created } }: World): Judgement {
  const shown = shownIn(event);
  if (shown === undefined || !refusedNames.values().some(({ number }) => number < event.number)) return 'not-applicable';
  for (const { id, name } of shown) {
    const rejection = name === undefined ? undefined : refusedNames.get(name);
    // An animal that was created with 201 and now shows this name was renamed, which is not judged here.
    if (rejection === undefined || created.has(String(id))) continue;
    return {
      summary: `${describeRequest(event.exchange)} shows animal ${id}, ${showName(name)}, although its creation (${describeBody(rejection)}) was rejected with ${statusOf(rejection)}`,
      expected: ['no animal from a rejected creation'],
      received: `animal ${id}, ${showName(name)}`,
      failureKinds: [{ place: 'animal', expected: 'not stored', received: 'stored' }],
      exchanges: [rejection, event.exchange],
      origin: rejection,
    };
  }
  return 'holds';
}

const FEW = 2;

/** What services call an animal without a name. */
const NO_NAMES: readonly (string | undefined)[] = [undefined, '', 'null', 'undefined', 'None', 'Unnamed', 'unnamed', '42', '0'];

const isNameless = ({ name }: Pick<PetView, 'name'>): boolean => NO_NAMES.includes(name);

const NAME_CLAUSES: readonly (string | undefined)[] = ['create.name-required', 'create.name-type', 'create.body-object'];

function rejectsNameless({ intent, exchange }: Event): boolean {
  return intent.body === 'invalid' && intent.credential === 'valid' && NAME_CLAUSES.includes(intent.bodyClause) && isRejected(exchange);
}

/** Whether a body without a usable name was accepted, or one with a name like those that services give such animals. */
function isNamelessCreation({ intent, status = 0 }: Event): boolean {
  const lacksName = intent.body === 'invalid' && NAME_CLAUSES.includes(intent.bodyClause);
  return status < LEAST_REJECTION && (lacksName || (intent.sent !== undefined && isNameless(intent.sent)));
}

type Between = { readonly before: Event; readonly rejection: Event; readonly after: Event };

/** For each list, the latest one like it before which a body without a name was sent that was rejected by then. */
function betweenLists(events: readonly Event[]): readonly Between[] {
  const lists = events.filter(({ pets, intent }) => pets !== undefined && intent.credential === 'valid' && intent.undocumented !== true);
  const alike = Map.groupBy(lists, ({ exchange }) => exchange.request.query);
  const rejections = events.filter(rejectsNameless).sort((one, other) => one.sent - other.sent);
  return lists.flatMap((after) => {
    const rejection = rejections.findLast(({ done }) => done <= after.sent);
    const before = alike.get(after.exchange.request.query)?.findLast(({ done }) => rejection !== undefined && done <= rejection.sent);
    return before === undefined || rejection === undefined ? [] : [{ before, rejection, after }];
  });
}

/**
 * Between two lists, rejected bodies without a name leave no animal without a name. Two or more that no creation explains are not a coincidence; where
 * animals that have a name are shown without one, that says nothing.
 */
function judgeNameless({ events, known: { created } }: World): readonly Case[] {
  const posts = events.filter(({ intent }) => intent.operation === 'createPet');
  const accepted = new Set(posts.flatMap(({ status = 0, exchange }) => (status < LEAST_REJECTION ? (returnedId(exchange) ?? []) : [])));
  const firstShown = new Map<bigint, number>();
  for (const { pets = [], number } of events) for (const { id } of pets) firstShown.set(id, Math.min(number, firstShown.get(id) ?? number));
  return betweenLists(events).map(({ before, rejection, after }): Case => {
    const nameless = (after.pets ?? []).filter(isNameless);
    const isOwn = ({ id }: PetView): boolean => created.has(String(id));
    const fresh = nameless.filter((pet) => !isOwn(pet) && !accepted.has(String(pet.id)) && (firstShown.get(pet.id) ?? 0) > before.number);
    // Creations whose responses were lost may have left some, too, and so may accepted ones whose animals no list shows under the id of the response.
    const isUnseen = ({ pet }: Event): boolean => pet === undefined || !firstShown.has(pet.id);
    const mayHaveLeft = (post: Event): boolean => post.response === undefined || (isNamelessCreation(post) && isUnseen(post));
    const lost = posts.filter((post) => post.number < after.number && mayHaveLeft(post)).length;
    const [first] = fresh;
    if (first === undefined || fresh.length < FEW + lost || nameless.some(isOwn)) return { event: after };
    return {
      event: after,
      breach: {
        summary: `a creation rejected with ${rejection.status} was stored as animal ${first.id}, ${showName(first.name)}`,
        expected: ['no animal from a rejected creation'],
        received: `${fresh.length} animals without a name that no creation explains`,
        failureKinds: [{ place: 'animal', expected: 'not stored', received: 'stored' }],
        exchanges: [before.exchange, rejection.exchange, after.exchange],
      },
    };
  });
}

/** An animal that a part of this run read twice, and did not find right after creations that were rejected: nothing has shown it since. */
function judgeLoss(event: Event, world: World): Judgement {
  const { events, known } = world;
  const { intent, status, number } = event;
  const animal = known.created.get(String(intent.petId));
  if (intent.operation !== 'getPet' || intent.credential !== 'valid' || animal === undefined) return 'not-applicable';
  const reads = (viewOf(world).reads.get(animal.id) ?? []).map((look) => look.event).filter((one) => one.number <= number);
  const last = reads.findLastIndex((one) => one.pet?.id === animal.id && one !== event);
  const [earlier, seen, first = event] = [reads[last - 1], reads[last], reads[last + 1]];
  // The animal stays without a rejection in between: what loses it otherwise is not judged here.
  if (earlier?.pet?.id !== animal.id || seen === undefined) return 'not-applicable';
  if (earlier.asker !== seen.asker || first.asker !== seen.asker) return 'not-applicable';
  const rejected = events.filter(
    (one) =>
      one.asker === seen.asker &&
      one.intent.body === 'invalid' &&
      isRejected(one.exchange) &&
      one.sent >= seen.done &&
      one.done <= first.sent,
  );
  if (rejected.length === 0) return 'not-applicable';
  if (event.pet?.id === animal.id) return 'holds';
  // What lags shows it again.
  const isSeen = (one: Event): boolean => one.number > number && shownIn(one)?.some(({ id }) => id === animal.id) === true;
  if (status !== 404 || !isSettled({ since: animal.createdAt }, event, world) || events.some(isSeen)) return 'not-applicable';
  return {
    summary: `animal ${animal.id} (${showName(animal.sent.name)}) was created and read, then disappeared right after other creations were rejected`,
    expected: [`200 with animal ${animal.id}`],
    received: '404',
    failureKinds: [{ place: 'animal', expected: 'shown', received: 'missing' }],
    exchanges: [animal.exchange, seen.exchange, ...rejected.map(({ exchange }) => exchange), event.exchange],
  };
}

const NAMED: readonly (readonly [ClauseId, readonly InvalidBody[]])[] = [
  ['create.category-required', MISSING_CATEGORIES.slice(0, FEW)],
  ['create.category-type', WRONG_CATEGORIES.slice(0, FEW)],
  ['create.category-range', HUGE_CATEGORIES.slice(0, 1)],
  ['create.status-invalid', [...WRONG_STATUSES.slice(0, FEW), ...NULL_STATUSES]],
  ['create.body-object', NO_OBJECTS.slice(1, 1 + FEW)],
  ['create.body-json', TRAILING_BODIES.slice(0, 1)],
];

/** Bodies whose name is missing or not a string: only new animals without a name reveal whether they were stored. */
const NAMELESS: readonly (readonly [ClauseId, readonly InvalidBody[]])[] = [
  ['create.name-required', MISSING_NAMES.slice(0, FEW)],
  ['create.name-type', WRONG_NAMES.slice(0, FEW)],
];

async function sendRejected(s: Session, table: typeof NAMED): Promise<unknown> {
  const rows = table.flatMap(([clause, bodies]) => bodies.map((row) => ({ clause, row })));
  return s.all(rows, async ({ clause, row }) =>
    s.api.create(row.body(await s.fixtures.plain()), { domain: 'invalid', clause, note: row.what }),
  );
}

const ATTEMPTS = 5;
const MOST_READ = 3;

const REJECTED: readonly (readonly [ClauseId, (valid: NewPetInput) => unknown])[] = [
  ['create.status-invalid', (valid) => ({ ...valid, status: 'unknown' })],
  ['create.category-required', ({ categoryId: _categoryId, ...others }) => others],
  ['create.name-required', ({ name: _name, ...others }) => others],
];

async function isShown(s: Session, id: bigint): Promise<boolean> {
  return eventOf(await s.api.get(id)).pet?.id === id;
}

/**
 * Creates an animal, reads it twice, sends creations that are rejected, and reads it again. Read twice, because what is lost by reading it, or by
 * itself, is not lost by a rejection; several times, because a service that removes the newest animal may have received another one in between.
 */
const provokeLoss = oncePerSession(async (s: Session): Promise<void> => {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const id = await createOne(s);
    if (id === undefined || !(await isShown(s, id)) || !(await isShown(s, id))) return;
    await s.all(REJECTED, async ([clause, invalid]) =>
      s.api.create({ value: invalid(await s.fixtures.plain()) }, { domain: 'invalid', clause }),
    );
    if (!(await isShown(s, id))) return;
  }
});

/** Lists all animals; where some of this run's are missing from lists and reads, sends what may have removed them once more, and looks. */
async function look(s: Session, known = [...s.knowledge.created.values()]): Promise<void> {
  const lists = await largeLists(s);
  const listed = new Set(lists.flatMap((list) => (eventOf(list).pets ?? []).map(({ id }) => id)));
  const missing = known.filter(({ id }) => !listed.has(id)).slice(-MOST_READ);
  const shown = await s.all(missing, ({ id }) => isShown(s, id));
  if (shown.includes(false)) await provokeLoss(s);
}

const MOST_BETWEEN = 24;

async function createOne(s: Session): Promise<bigint | undefined> {
  const id = returnedId((await sendNewPet(s, await s.fixtures.plain())).exchange);
  return id === undefined ? undefined : BigInt(id);
}

function idsBetween(from: bigint, to: bigint, isKnown: (id: bigint) => boolean): readonly bigint[] {
  const gap = to - from - 1n;
  if (gap < 1n || gap > BigInt(MOST_BETWEEN * 2)) return [];
  const ids = Array.from({ length: Number(gap) }, (_unused, index) => from + 1n + BigInt(index));
  return ids.filter((id) => !isKnown(id)).slice(0, MOST_BETWEEN);
}

async function sendNamed(s: Session): Promise<void> {
  const { created } = s.knowledge;
  const known = [...created.values()];
  const before = await createOne(s);
  await sendRejected(s, NAMED);
  const after = await createOne(s);
  if (before !== undefined && after !== undefined)
    await s.all(
      idsBetween(before, after, (id) => created.has(String(id))),
      (id) => s.api.get(id),
    );
  await look(s, known);
}

const USUAL = { needs: ['creation'], effect: 'write', accepts: 'createPet' } as const;

export const createRefusedStoresNothing = defineRules({
  id: 'create.refused-stores-nothing',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'implied',
  derivation:
    'The document lists 400 as a failure of createPet, as opposed to the success "body is the created Pet". A creation that failed has created nothing and changed nothing.',
  requirement: 'A rejected creation stores no animal, whatever the reason (even one that the document leaves open), and removes none.',
  likelyCause:
    'Validation runs after the insert, the transaction is not rolled back, or the rollback undoes more than the rejected creation.',
  rules: [
    { layer: 'history', judge: judgeNames },
    { layer: 'history', judgeAll: judgeNameless },
    { layer: 'history', judge: judgeLoss },
  ],
  sent: [
    {
      ...USUAL,
      id: 'named',
      title: 'Rejected bodies with a name leave no animal with that name',
      step: 'write',
      send: sendNamed,
    },
    {
      ...USUAL,
      id: 'nameless',
      title: 'Rejected bodies without a name leave no nameless animal',
      step: 'write',
      async send(s) {
        await largeLists(s);
        await sendRejected(s, NAMELESS);
        await largeLists(s);
      },
    },
    {
      ...USUAL,
      id: 'at-the-end',
      title: 'At the end of the run, the lists show no name of a rejected creation',
      step: 'final',
      send: (s) => look(s),
    },
  ],
  met: [
    {
      id: 'every-response',
      title: 'No list and no read shows an animal from a rejected creation',
      accepts: 'createPet',
    },
  ],
});
