import type { ClauseId } from '../../src/clause/clause.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { mayBeRemoved } from '../../src/clause/removal.ts';
import { eventOf } from '../../src/oracle/world.ts';
import type { NewPetInput, PetView } from '../../src/schema/pet.ts';
import { type CallOptions, type CreateBody, type CreateOptions, createMeeting } from '../../src/session/client/api.ts';
import { EQUIVALENTS } from '../../src/session/client/equivalent.ts';
import { isRejected, statusOf } from '../../src/session/read-exchange.ts';
import type { Creation, Session } from '../../src/session/session.ts';
import { type Exchange, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { BAD_REQUEST, LEAST_REJECTION } from '../../src/wire/statuses.ts';
import { type UnusualName, VERY_LONG_NAMES, withName } from '../cases/unusual-names.ts';
import { ignoringHalts, oncePerSession } from './sending.ts';

export async function sendNewPet(
  s: Session,
  sent: NewPetInput,
  domain: 'plain' | 'unusual' = 'plain',
  options: CallOptions = {},
): Promise<Creation> {
  return { sent, exchange: await s.api.create({ value: sent }, { ...options, domain }) };
}

/** The places besides the body where frameworks look for parameters. */
export function membersElsewhere(members: Readonly<Record<string, string>>): Required<Pick<CallOptions, 'rawQuery' | 'headers'>> {
  const pairs = Object.entries(members).map(([name, value]) => [name, encodeURIComponent(value)] as const);
  const cookies = pairs.map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    rawQuery: pairs.map(([name, value]) => `${name}=${value}`).join('&'),
    headers: [
      ...pairs.map(([name, value]) => [name.toLowerCase(), value] as const),
      ...pairs.map(([name, value]) => [`x-${name.toLowerCase()}`, value] as const),
      ['cookie', cookies],
    ],
  };
}

/** Whether a plain NewPet is still accepted: sent once, at the first call. */
export const stillCreates = oncePerSession(
  async (s) => statusOf((await sendNewPet(s, await s.fixtures.plain('available'))).exchange) === 201,
);

const UNPROCESSABLE = 422;

/** Sends the exact name of an animal again, once: whether that gets the status which an unusual name got. */
const repeatsName = oncePerSession(async (s): Promise<void> => {
  const [first] = [...s.knowledge.created.values()].filter(({ plain }) => plain);
  if (first !== undefined) await s.api.create({ value: first.sent }, { domain: 'open' });
});

/** Creates an animal and, if the 201 shows it, reads it: by its id or, once getPet may be removed, from a list. */
export async function createAndRead(s: Session, value: NewPetInput, options: CreateOptions): Promise<readonly Exchange[]> {
  const creation = await s.api.create({ value }, options);
  const { pet } = eventOf(creation);
  if (pet === undefined) return [creation];
  const isGone = mayBeRemoved(s.options.now);
  const { status = pet.status } = value;
  return [creation, await (isGone ? s.api.list({ limit: LARGEST_LIMIT, ...(status === undefined ? {} : { status }) }) : s.api.get(pet.id))];
}

const IN_TURN = ['pending', 'sold', undefined] as const;

/** A status for each row, so that no filtered list outgrows the largest page. */
export function statusInTurn(index: number): PetStatus | undefined {
  return IN_TURN.at(index % IN_TURN.length);
}

/**
 * Creates an animal with an unusual value and reads it. If it is rejected with a status other than 400, a plain NewPet follows, once per
 * run: the history then shows whether the service still creates animals.
 */
export async function createUnusual(
  s: Session,
  value: NewPetInput,
  options: Pick<CreateOptions, 'note' | 'spelling' | 'meeting'> = {},
): Promise<readonly Exchange[]> {
  const exchanges = await createAndRead(s, value, { ...options, domain: 'unusual' });
  const status = exchanges[0] === undefined ? undefined : statusOf(exchanges[0]);
  if (status !== undefined && status >= LEAST_REJECTION && status !== BAD_REQUEST) await stillCreates(s);
  // The name may be equal to another one once it is folded.
  if (status === UNPROCESSABLE) await repeatsName(s);
  return exchanges;
}

export function spelledAs({ what, spelling }: UnusualName): Pick<CreateOptions, 'note' | 'spelling'> {
  return { note: `with ${what}`, ...(spelling === undefined ? {} : { spelling }) };
}

/** Creates an animal with each of the names, as `createUnusual`; where what it begins and ends with is rejected, without that. */
export async function createNamed(s: Session, names: readonly UnusualName[]): Promise<readonly Exchange[]> {
  const createOne = async (row: UnusualName, index: number): Promise<readonly Exchange[]> => {
    const exchanges = await createUnusual(s, withName(await s.fixtures.plain(statusInTurn(index)), row), spelledAs(row));
    const isRejectedName = exchanges[0] !== undefined && statusOf(exchanges[0]) === BAD_REQUEST;
    return row.within !== undefined && isRejectedName ? [...exchanges, ...(await createOne(row.within, index))] : exchanges;
  };
  return (await s.all(s.portion(names), createOne)).flat();
}

/**
 * The fraction of the deadline within which the shortest of the very long names must be accepted: the longest one has six times as many
 * bytes.
 */
const SHARE = 1 / 12;

/** Very long names, the shortest first: the others are not sent if they would exceed the deadline. */
export async function createVeryLong(s: Session): Promise<void> {
  const [creation] = await createNamed(s, VERY_LONG_NAMES.slice(0, 1));
  if (creation === undefined || statusOf(creation) !== 201) return;
  if (creation.timings.duration > s.options.timeout * SHARE)
    haltInconclusive('a name of 16,384 letters takes so long that longer ones would exceed the deadline', 'service');
  await createNamed(s, VERY_LONG_NAMES.slice(1));
  // An index may reject a value that the store accepts.
  await s.all(['pending', 'sold'], (status) => s.api.list({ status, limit: LARGEST_LIMIT }));
}

const MOST_CATEGORIES = 4;

/** Categories that the service is known to accept: configured ones, those of listed animals, or the one that fixtures found. */
export const acceptedCategories = oncePerSession(async (s): Promise<readonly bigint[]> => {
  const first = await s.fixtures.category();
  if (s.options.categoryIds.length > 0) return s.options.categoryIds.slice(0, MOST_CATEGORIES);
  const listed = [...s.knowledge.seen.values()].flatMap(({ categoryId }) => categoryId ?? []);
  return [...new Set([first, ...listed])].slice(0, MOST_CATEGORIES);
});

export type Batch = {
  /** Ids known before, as digits. */
  readonly before: ReadonlySet<string>;
  readonly creations: readonly Creation[];
};

const BATCH = 16;
/**
 * The number of creations in `inAnyCompany` that have further headers of common clients, from the one that the seed chooses on: the batch
 * uses the others.
 */
const IN_COMPANY = 7;

/**
 * Sixteen animals of all statuses and several categories, created concurrently: first as many at the same moment as may be in flight, then
 * each of the others as soon as one of these is done.
 */
export const concurrentBatch = oncePerSession(async (s): Promise<Batch> => {
  // The animals that the batch is compared with are created before it, sequentially.
  await s.fixtures.firstCreations();
  await ignoringHalts(() => s.fixtures.sample(1));
  const before = new Set([...s.knowledge.seen.keys(), ...s.knowledge.created.keys()]);
  const categories = await acceptedCategories(s);
  const inputs = await Promise.all(
    Array.from({ length: BATCH }, (_unused, index) => s.fixtures.plain(PET_STATUSES[index % PET_STATUSES.length])),
  );
  const together = Math.min(BATCH, s.options.concurrency);
  const meeting = createMeeting(together);
  const { read } = EQUIVALENTS;
  const besides = (index: number) =>
    index < read.length - IN_COMPANY ? read[(s.options.seed + IN_COMPANY + index) % read.length] : undefined;
  const creations = await s.all(inputs, (input, index) => {
    const categoryId = categories[index % categories.length] ?? input.categoryId;
    // A category other than the one that fixtures found may be unavailable by now; 400 is correct then.
    const domain = categoryId === input.categoryId ? 'plain' : 'unusual';
    return sendNewPet(s, { ...input, categoryId }, domain, { ...besides(index), ...(index < together ? { meeting } : {}) });
  });
  return { before, creations };
});

const EVERY = Number.MAX_SAFE_INTEGER;

/**
 * The animals to judge lists against: more than 100 where the suite may write, otherwise those that exist. The sixteen that
 * create.independent needs are created first, so that they count. Halts when there are no animals at all.
 */
export const largeStore = oncePerSession(async (s: Session): Promise<readonly PetView[]> => {
  if (!s.options.readOnly) {
    await ignoringHalts(() => concurrentBatch(s));
    await ignoringHalts(() => s.fixtures.many());
  }
  return s.fixtures.sample(EVERY);
});

const ONE_OF_EACH_KIND: readonly (readonly [ClauseId, (valid: NewPetInput) => CreateBody])[] = [
  ['create.body-json', () => ({ raw: '{' })],
  ['create.body-object', () => ({ value: [] })],
  ['create.name-required', ({ categoryId }) => ({ value: { categoryId } })],
  ['create.name-type', ({ categoryId }) => ({ value: { name: 1, categoryId } })],
  ['create.category-required', ({ name }) => ({ value: { name } })],
  ['create.category-type', ({ name, categoryId }) => ({ value: { name, categoryId: String(categoryId) } })],
  ['create.category-range', ({ name }) => ({ value: { name, categoryId: 2n ** 63n } })],
  ['create.status-invalid', ({ name, categoryId }) => ({ value: { name, categoryId, status: 'unknown' } })],
];

/** Forms of a request that a service may reject as such; where it reads the body, it validates it as any other. */
const FORMS_OF_UPLOADS: readonly CallOptions[] = [{ chunked: true }, { headers: [['content-type', 'application/json; charset=utf-8']] }];

const firstRejections = oncePerSession(async (s): Promise<void> => {
  await s.fixtures.firstCreations();
  // Each has its own name: if one of them is stored, its name is not mistaken for another's.
  const send = async ([clause, bodyOf]: (typeof ONE_OF_EACH_KIND)[number], form: CallOptions = {}): Promise<Exchange> =>
    s.api.create(bodyOf(await s.fixtures.plain()), { ...form, domain: 'invalid', clause });
  const usual = await s.all(ONE_OF_EACH_KIND, async (kind) => ({ kind, exchange: await send(kind) }));
  // What is stored in the usual form is reported for that, and other forms would leave more animals.
  const rejected = usual.filter(({ exchange }) => isRejected(exchange));
  await s.all(
    FORMS_OF_UPLOADS.flatMap((form) => rejected.map(({ kind }) => ({ form, kind }))),
    ({ form, kind }) => send(kind, form),
  );
});

/**
 * Waits until a few animals have been created and an invalid body of each kind has been sent, whatever the result: a quota that runs out
 * later then hides neither. For checks that send many other POSTs.
 */
export async function afterFirstRejections(s: Session): Promise<void> {
  await ignoringHalts(() => firstRejections(s));
}
