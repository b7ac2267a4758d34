import { Halt, haltAt, haltInconclusive } from '../clause/halt.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '../clause/limits.ts';
import { createdView, type NewPetInput, type PetView, petViews } from '../schema/pet.ts';
import { type Exchange, isSuccess, PET_STATUSES, type PetStatus } from '../wire/exchange.ts';
import { isJsonObject } from '../wire/json.ts';
import { BAD_REQUEST, LEAST_SERVER_ERROR, UNAUTHORIZED } from '../wire/statuses.ts';
import type { ListParameters } from './client/api.ts';
import { type Equivalent, equivalentsOf } from './client/equivalent.ts';
import { NO_CREDENTIAL } from './client/sending.ts';
import { createNames, isNameOfEarlierRun, type NameForm, otherFormOf } from './names.ts';
import { isRejected, judgeable, petOf, petsOf, statusOf } from './read-exchange.ts';
import type { Creation, Fixtures, Session } from './session.ts';
import { type KnownAnimal, knownStatus } from './state/run-state.ts';

const GUESSED_CATEGORIES = [1n, 2n, 3n, 0n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 100n, 1000n];
const LISTED_CATEGORIES = 40;
/** Statuses by which a service may reject a category that does not exist: the document does not name one. */
const CATEGORY_REJECTIONS: readonly number[] = [400, 404, 409, 422];
const CANDIDATES = 3;
/** A limit that no other list without the API key uses. */
const CONTRASTED = 9;
const SHOWN_CATEGORIES = 5;
const LONGEST_MESSAGE = 120;

const OTHER_LISTS: readonly ListParameters[] = [
  { limit: DEFAULT_LIMIT },
  { limit: LARGEST_LIMIT },
  ...PET_STATUSES.map((status) => ({ status })),
];

function isReadable({ outcome }: Exchange): boolean {
  if (outcome.kind === 'failed' || outcome.answer.status !== 200 || !outcome.answer.json.ok) return false;
  const { value } = outcome.answer.json;
  return Array.isArray(value) && (value.length === 0 || petViews(value).some((view) => view !== undefined));
}

/** A success of a creation that departs from the document: in its status, or because no animal can be read from it. */
function isOtherSuccess({ outcome }: Exchange): boolean {
  if (outcome.kind === 'failed') return false;
  const { status, json } = outcome.answer;
  return isSuccess(status) && (status !== 201 || !json.ok || createdView(json.value) === undefined);
}

function isClientError(exchange: Exchange): boolean {
  return isRejected(exchange) && (statusOf(exchange) ?? LEAST_SERVER_ERROR) < LEAST_SERVER_ERROR;
}

/** The service's reason for a rejection: the message of an Error body, or else the start of the body. */
function messageIn({ outcome }: Exchange): string {
  if (outcome.kind === 'failed') return '';
  const { json, text = '' } = outcome.answer;
  const message = json.ok && isJsonObject(json.value) ? json.value['message'] : undefined;
  const said = (typeof message === 'string' ? message : text).replace(/\s+/g, ' ').trim();
  return said.length > LONGEST_MESSAGE ? `${said.slice(0, LONGEST_MESSAGE).toWellFormed()}…` : said;
}

type CategoryRejection = { readonly categoryId: bigint; readonly exchange: Exchange };

/**
 * Says that creations were rejected whatever their category, in the words of the service: only if these are about categories, configuring
 * one may help.
 */
function allRejected(rejections: readonly CategoryRejection[]): string {
  const messages = [...new Set(rejections.map(({ exchange }) => messageIn(exchange)))];
  const tried = rejections.map(({ categoryId }) => categoryId);
  const hidden = tried.length - SHOWN_CATEGORIES;
  const categories = `${tried.slice(0, SHOWN_CATEGORIES).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
  const said = messages[0] === '' ? '' : ` ${JSON.stringify(messages[0])}`;
  const rejected = `the service rejected every plain creation with ${BAD_REQUEST}${said} (categories tried: ${categories})`;
  return messages.some((message) => /categor/i.test(message)) ? `${rejected}; name a category that exists with --category-id` : rejected;
}

/** The dependencies of fixtures: a session without fixtures. */
type FixtureBase = Omit<Session, 'fixtures'> & {
  /** The command that repeats a request, without the key. */
  readonly commandOf: (exchange: Exchange) => string;
  readonly random: () => number;
  readonly nameForm: { current: NameForm };
  readonly room: () => number;
  /** Whether so many requests fit into the time of the run, together with others. */
  readonly hasTimeFor: (requests: number) => boolean;
};

const always = (): boolean => true;

function createPreparations() {
  const forgetting: (() => void)[] = [];
  return {
    /** Creates a value once; later callers get the same value or the same halt. What `lasts` is kept when all else is forgotten. */
    once<Value>(make: () => Promise<Value>, lasts: (value: Value) => boolean = () => false): () => Promise<Value> {
      let made: Promise<Value> | undefined;
      let isLasting = false;
      forgetting.push(() => {
        if (!isLasting) made = undefined;
      });
      return () => {
        if (made === undefined) {
          made = make();
          made.then(
            (value) => {
              isLasting = lasts(value);
            },
            () => undefined,
          );
        }
        return made;
      };
    },
    oncePer<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
      const made = new Map<Key, Promise<Value>>();
      forgetting.push(() => made.clear());
      return (key) => {
        const value = made.get(key) ?? make(key);
        made.set(key, value);
        return value;
      };
    },
    forget(): void {
      for (const one of forgetting) one();
    },
  };
}

async function unlessHalted<Value>(made: Promise<Value>): Promise<Value | undefined> {
  try {
    return await made;
  } catch (error) {
    if (error instanceof Halt) return undefined;
    throw error;
  }
}

async function firstThatWorks<Item, Value>(items: readonly Item[], attempt: (item: Item) => Promise<Value>): Promise<Value> {
  let halt: unknown;
  for (const item of items) {
    try {
      return await attempt(item);
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
      halt = error;
    }
  }
  throw halt;
}

function spread<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from({ length: most }, (_unused, index) => items[Math.round((index * (items.length - 1)) / Math.max(1, most - 1))]).filter(
    (item) => item !== undefined,
  );
}

/** The preconditions of a session, and how to make them anew: after an outage, what was made in it says nothing. */
/** Fixtures, and what their owner needs in addition to the checks. */
export type OwnedFixtures = Fixtures & {
  readonly forget: () => void;
  /** Animals that were created because the store had too few: a next run finds them there. */
  readonly madeForLack: () => number;
};

export function createFixtures(base: FixtureBase): OwnedFixtures {
  const { api, knowledge, options } = base;
  const { once, oncePer, forget } = createPreparations();
  const nextOf = createNames({ tag: options.runTag });
  const nextName = (): string => nextOf(base.nameForm.current);
  let triesOtherForm = true;

  /** A creation with that category. If it is rejected, and the animals of the service share another letter case, one in that case, which the run keeps if it is accepted. */
  const tryCreation = async (categoryId: bigint): Promise<Exchange> => {
    const send = (name: string): Promise<Exchange> => api.create({ value: { name, categoryId } }, { domain: 'unusual' });
    const own = nextName();
    const first = await send(own);
    const other = triesOtherForm ? formOfListed() : undefined;
    if (other === undefined || statusOf(first) !== BAD_REQUEST) return first;
    const name = nextOf(other);
    const second = await send(name);
    if (!isSuccess(statusOf(second))) return first;
    triesOtherForm = false;
    base.nameForm.current = other;
    base.notice(
      `The service rejects names like ${own}, and its animals have names in ${other} case, so created animals have names like ${name}`,
    );
    return second;
  };

  const formOfListed = (): NameForm | undefined =>
    otherFormOf(
      [...knowledge.seen.values()].flatMap(({ name }) => (name === undefined || isNameOfEarlierRun(name, options.runTag) ? [] : [name])),
    );

  const category = once(async (): Promise<bigint> => {
    const [configured] = options.categoryIds;
    if (configured === undefined || knowledge.seen.size === 0) await looked({ limit: LARGEST_LIMIT });
    if (configured !== undefined) {
      if (formOfListed() !== undefined) await tryCreation(configured);
      return configured;
    }
    const listed = [...new Set([...knowledge.seen.values()].flatMap(({ categoryId }) => categoryId ?? []))].slice(0, LISTED_CATEGORIES);
    // The category of a listed animal may have been removed since.
    let otherwise: bigint | undefined;
    const rejections: CategoryRejection[] = [];
    for (const candidate of new Set([...listed, ...GUESSED_CATEGORIES])) {
      const tried = await tryCreation(candidate);
      const status = statusOf(tried) ?? 0;
      // create.success judges anything but a rejection of the value, with this category.
      if (!CATEGORY_REJECTIONS.includes(status)) return candidate;
      rejections.push({ categoryId: candidate, exchange: tried });
      if (status !== BAD_REQUEST) otherwise ??= candidate;
    }
    // If every category is rejected differently than documented, the category is hardly the reason: create.success judges that too.
    const judged = listed[0] ?? otherwise;
    if (judged !== undefined) return judged;
    const [first] = rejections;
    if (first !== undefined) base.notice(`Try a plain creation, as the service rejected it:\n${base.commandOf(first.exchange)}`);
    return haltInconclusive(allRejected(rejections), 'circumstance');
  }, always);

  const plain = async (status?: PetStatus): Promise<NewPetInput> => {
    const categoryId = await category();
    return { name: nextName(), categoryId, ...(status === undefined ? {} : { status }) };
  };

  const firstCreations = once(
    async (): Promise<readonly Creation[]> => {
      const creations: Creation[] = [];
      for (const status of [undefined, ...PET_STATUSES]) {
        const sent = await plain(status);
        creations.push({ sent, exchange: await api.create({ value: sent }, { domain: 'plain' }) });
      }
      return creations;
    },
    (creations) => creations.some(({ exchange }) => statusOf(exchange) === 201),
  );

  const creatable = async (): Promise<readonly Creation[]> => {
    const creations = await firstCreations();
    if (creations.some(({ exchange }) => statusOf(exchange) === 201)) return creations;
    for (const { exchange } of creations) judgeable(exchange);
    const [first] = creations;
    if (first === undefined) throw new Error('there are first creations');
    return haltAt(first.exchange, 'no plain animal could be created');
  };

  const draft = async (status?: PetStatus): Promise<NewPetInput> =>
    (await unlessHalted(plain(status))) ?? { name: nextName(), categoryId: 1n, ...(status === undefined ? {} : { status }) };

  const create = async (status?: PetStatus, equivalent?: Equivalent): Promise<KnownAnimal> => {
    const send = async (): Promise<Exchange> => api.create({ value: await plain(status) }, { ...equivalent, domain: 'plain' });
    const first = await send();
    // Created again if the response departs from the document: two of a kind confirm the departure.
    const exchange = isOtherSuccess(first) ? await send() : first;
    const known = knowledge.created.get(String(petOf(exchange).id));
    if (known === undefined || known.exchange !== exchange) haltAt(exchange, 'the service assigned the same id to two animals');
    return known;
  };

  let madeForLack = 0;
  const createForLack = async (status?: PetStatus, equivalent?: Equivalent): Promise<KnownAnimal> => {
    const animal = await create(status, equivalent);
    madeForLack += 1;
    return animal;
  };

  /** A list that others judge: undefined if nothing was sent or there was no response. */
  const looked = (query: ListParameters): Promise<Exchange | undefined> => unlessHalted(api.list(query));
  const firstList = once(() => api.list());
  const firstFiltered = oncePer((status: PetStatus) => api.list({ status }));
  const firstRead = oncePer((id: bigint) =>
    base.poll(
      () => api.get(id),
      // A store that lags returns 404, and waiting helps with nothing else.
      (exchange) => statusOf(exchange) !== 404,
    ),
  );
  const readable = async (id: bigint): Promise<PetView> => petOf(await firstRead(id));

  /** The first readable list: without parameters or, because the service may require or reject one, with them. */
  const readableList = async (): Promise<Exchange> => {
    const first = await firstList();
    const status = statusOf(first);
    if (status === 401 || status === 403) haltAt(first, `GET /pets with the API key returned ${status}`);
    if (isReadable(first)) return first;
    // Requested again: two of a kind confirm how lists depart from the document.
    await looked({});
    if (isReadable(first)) return first;
    for (const query of OTHER_LISTS) {
      const other = await looked(query);
      if (other !== undefined && isReadable(other)) return other;
    }
    return first;
  };

  const admitted = once(async () => {
    const first = await readableList();
    const pets = petsOf(first);
    if (pets.length > 0) return { exchange: first, pets };
    if (options.readOnly) haltInconclusive('the store shows no animal, and a read-only run creates none', 'choice');
    await createForLack();
    const exchange = await base.poll(
      () => api.list(),
      (later) => statusOf(later) === 200 && petsOf(later).length > 0,
    );
    const shown = petsOf(exchange);
    if (shown.length === 0) haltAt(exchange, 'the list stays empty after an animal was created');
    return { exchange, pets: shown };
  });

  /** Whether plain NewPets get anything but a rejection; a rejected key, or a missing response, is for other clauses to judge. */
  const creates = once(async (): Promise<boolean> => {
    const creations = options.readOnly ? undefined : await unlessHalted(firstCreations());
    return creations?.some(({ exchange }) => !isRejected(exchange) || statusOf(exchange) === UNAUTHORIZED) ?? false;
  });

  const emptyStore = once(async (): Promise<Exchange | undefined> => {
    const list = await unlessHalted(readableList());
    if (list === undefined || !isReadable(list) || petsOf(list).length > 0 || (await creates())) return undefined;
    // A different list: a cache that ignores credentials would return the response to the key.
    const without = await unlessHalted(api.list({ limit: CONTRASTED }, { credential: NO_CREDENTIAL }));
    return without !== undefined && isClientError(without) ? list : undefined;
  });

  const recognized = once(async (): Promise<readonly PetView[]> => {
    try {
      return (await admitted()).pets;
    } catch (error) {
      // If no list can be read, a created animal shows that there is a pet store.
      if (!(error instanceof Halt) || options.readOnly) throw error;
      const created = await create().catch(() => {
        throw error;
      });
      // A service that responds to each creation with an animal of another name is not a pet store.
      if (created.answered.name !== created.sent.name) throw error;
      return [created.answered];
    }
  });

  const existing = once(async (): Promise<PetView> => {
    const pets = await recognized();
    return firstThatWorks(spread(pets, CANDIDATES), (pet) => readable(pet.id));
  });

  /** The largest lists; in a frugal run only the unfiltered one if it has room, because it then shows everything. */
  const largest = async (): Promise<readonly (Exchange | undefined)[]> => {
    const filtered = PET_STATUSES.map((status) => ({ limit: LARGEST_LIMIT, status }));
    if (options.frugal !== true) return base.all([{ limit: LARGEST_LIMIT }, ...filtered], looked);
    const all = await looked({ limit: LARGEST_LIMIT });
    const hasRoom = all !== undefined && isReadable(all) && petsOf(all).length < LARGEST_LIMIT;
    return hasRoom ? [all] : [all, ...(await base.all(filtered, looked))];
  };

  const recognizedAndIn = async (ask: () => Promise<readonly (Exchange | undefined)[]>): Promise<readonly PetView[]> => {
    const known = await recognized();
    const shown = (await ask()).flatMap((list) => (list !== undefined && isReadable(list) ? petsOf(list) : []));
    return [...new Map([...known, ...shown].map((pet) => [String(pet.id), pet])).values()];
  };

  const listed = once(() => recognizedAndIn(largest));

  /** The animals of the first lists: enough for most purposes of a frugal run. */
  const firstShown = once(() => recognizedAndIn(() => base.all(PET_STATUSES, (status) => unlessHalted(firstFiltered(status)))));

  const shownUnless = async (enough: (pets: readonly PetView[]) => boolean): Promise<readonly PetView[]> => {
    const first = options.frugal === true ? await firstShown() : [];
    return enough(first) ? first : listed();
  };

  const makers = Object.fromEntries(
    PET_STATUSES.map((status) => [
      status,
      once(async (): Promise<PetView> => {
        const isWanted = (pet: PetView): boolean => pet.status === status;
        const found = (await shownUnless((pets) => pets.some(isWanted)).catch(() => [])).filter(isWanted);
        if (found.length > 0) return firstThatWorks(found.slice(0, CANDIDATES), (pet) => readable(pet.id));
        if (options.readOnly) haltInconclusive(`the store shows no animal that is ${status}, and a read-only run creates none`, 'choice');
        return readable((await createForLack(status)).id);
      }),
    ]),
  ) as Record<PetStatus, () => Promise<PetView>>;

  const many = once(async (): Promise<number> => {
    await listed();
    return fillStore(base, createForLack);
  }, always);

  return {
    forget,
    madeForLack: () => madeForLack,
    admitted,
    recognized,
    firstList,
    firstFiltered,
    firstRead,
    existing,
    category,
    plain,
    firstCreations,
    creatable,
    draft,
    emptyStore,
    async refusesCreations() {
      const creations = options.readOnly ? undefined : await unlessHalted(firstCreations());
      // Any other rejection may be due to the category, whatever else is wrong with a body: the document does not say whether it must
      // exist.
      if (creations?.some(({ exchange }) => statusOf(exchange) !== BAD_REQUEST)) return false;
      return (await unlessHalted(recognized())) !== undefined || (await emptyStore()) !== undefined;
    },
    create: (status) => create(status),
    many,
    withStatus: (status) => makers[status](),
    async absentId() {
      for (;;) {
        const id = BigInt(1_000_000_000 + Math.floor(base.random() * 1_100_000_000));
        if (!knowledge.seen.has(String(id)) && !knowledge.created.has(String(id))) return id;
      }
    },
    async sample(most) {
      const pets = await shownUnless((first) => first.length >= most);
      const own = [...knowledge.created.values()]
        .map((animal) => animal.answered)
        .filter((pet) => !pets.some((other) => other.id === pet.id));
      return spread([...pets, ...own], most);
    },
  };
}

const FULL_STORE = 101;
const AT_A_TIME = 16;
/** The number of animals of each status in a full store: one more than a page of the default size. */
const LEAST_OF_STATUS = 21;
/** The number of animals beyond a full store that may be created so that each status has enough. */
const MOST_BEYOND = 8;

/** Statuses for the missing animals, the rarest first; a few more if that gives each status enough. */
function rarestFirst(known: readonly (PetStatus | undefined)[], missing: number): readonly PetStatus[] {
  const counts = PET_STATUSES.map((status) => ({ status, count: known.filter((one) => one === status).length }));
  const lacking = counts.reduce((sum, { count }) => sum + Math.max(0, LEAST_OF_STATUS - count), 0);
  const size = lacking <= missing + MOST_BEYOND ? Math.max(missing, lacking) : missing;
  return Array.from({ length: size }, () => {
    const rarest = counts.reduce((one, other) => (other.count < one.count ? other : one));
    rarest.count += 1;
    return rarest.status;
  });
}

/**
 * Creates animals until more than a page of them, and enough of each status, are known; returns the number known then. Halts if the run may
 * not create that many.
 */
async function fillStore(
  { api, knowledge, options, all, poll, room, hasTimeFor }: FixtureBase,
  create: (status: PetStatus, equivalent: Equivalent) => Promise<unknown>,
): Promise<number> {
  const equivalent = equivalentsOf('creation', options.seed);
  let turn = 0;
  const createNext = (status: PetStatus): Promise<unknown> => {
    turn += 1;
    return create(status, equivalent(turn));
  };
  const statuses = (): readonly (PetStatus | undefined)[] => [
    ...new Map([
      ...[...knowledge.created].map(([id, animal]) => [id, knownStatus(animal)] as const),
      ...[...knowledge.seen].map(([id, { status }]) => [id, status] as const),
    ]).values(),
  ];
  const known = statuses().length;
  const missing = FULL_STORE - known;
  if (missing > 0 && options.readOnly)
    haltInconclusive(`the store shows ${known} animals; more than 100 are needed, and a read-only run creates none`, 'choice');
  if (missing > room()) {
    haltInconclusive(
      `the store shows ${known} animals; more than 100 are needed, and the write budget has room for ${room()}; --max-creates raises it`,
      'choice',
    );
  }
  if (missing > 0 && !hasTimeFor(missing)) {
    haltInconclusive(
      `the store shows ${known} animals; more than 100 are needed, and the deadline leaves no time to create ${missing} at the rate that the service allows`,
      'circumstance',
    );
  }
  const wanted = (): readonly PetStatus[] => {
    const now = statuses();
    return rarestFirst(now, Math.max(0, FULL_STORE - now.length)).slice(0, room());
  };
  let left = wanted().length;
  if (left === 0) return known;
  // One first: a service that does not create should not get a hundred requests. Then a few at a time, because other checks create animals
  // too.
  for (let next = wanted().slice(0, 1); next.length > 0; next = wanted().slice(0, Math.min(AT_A_TIME, left))) {
    await all(next, createNext);
    left -= next.length;
  }
  await poll(
    () => api.list({ limit: LARGEST_LIMIT }),
    (exchange) => statusOf(exchange) === 200 && petsOf(exchange).length >= LARGEST_LIMIT,
  );
  return statuses().length;
}
