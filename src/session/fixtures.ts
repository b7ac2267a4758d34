import { Halt, haltInconclusive } from '../clause/halt.ts';
import { answerOf, CLAUSE, petOf, petsOf, statusOf } from '../expect/expect.ts';
import type { PetStatus } from '../wire/exchange.ts';
import { PET_STATUSES } from '../wire/exchange.ts';
import { type KnownAnimal, knownStatus } from './knowledge.ts';
import { createNames } from './names.ts';
import type { NewPetInput, PetView } from './pet.ts';
import type { Fixtures, Session } from './session.ts';

const FULL_STORE = 101;
const GUESSED_CATEGORIES = [1n, 2n, 3n, 0n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 100n, 1000n];
const LISTED_CATEGORIES = 40;
const CANDIDATES = 3;
/** Animals of each status in a full store: one more than a page of the default size shows. */
const LEAST_OF_STATUS = 21;
/** Animals beyond a full store that may be created so that each status has enough. */
const MOST_BEYOND = 8;

/** What fixtures are made with: a session that has none yet. */
export type FixtureBase = Omit<Session, 'fixtures'> & {
  readonly random: () => number /** Animals that may still be created. */;
  readonly room: () => number;
};

/** Makes a thing once; whoever asks later gets the same thing or the same halt. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** As `once`, for each key. */
function oncePer<Key, Value>(make: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const made = new Map<Key, Promise<Value>>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
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

/** Statuses for the animals that are missing, the rarest first; a few more where that gives each status enough. */
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

export function createFixtures(base: FixtureBase): Fixtures {
  const { api, knowledge, options } = base;
  const nextName = createNames({ prefix: options.namePrefix, tag: options.runTag });

  const category = once(async (): Promise<bigint> => {
    const [configured] = options.categoryIds;
    if (configured !== undefined) return configured;
    await api.list({ limit: 100 });
    const listed = [...new Set([...knowledge.seen.values()].map(({ categoryId }) => categoryId))].slice(0, LISTED_CATEGORIES);
    // A category that a listed animal has may have been closed since.
    for (const candidate of new Set([...listed, ...GUESSED_CATEGORIES])) {
      const tried = await api.create({ value: { name: nextName(), categoryId: candidate } }, { domain: 'unusual' });
      // Anything but a refusal of the value is for create.success to judge, with this category.
      if (statusOf(tried) !== 400) return candidate;
    }
    return listed[0] ?? haltInconclusive('no category that the service accepts was found; --category-id names one');
  });

  const plain = async (status?: PetStatus): Promise<NewPetInput> => {
    const categoryId = await category();
    return { name: nextName(), categoryId, ...(status === undefined ? {} : { status }) };
  };

  const create = async (status?: PetStatus): Promise<KnownAnimal> => {
    const exchange = await api.create({ value: await plain(status) }, { domain: 'plain' });
    const known = knowledge.created.get(String(petOf(exchange).id));
    if (known === undefined || known.exchange !== exchange)
      haltInconclusive('the service gave one id to two animals', 'create.id-assigned' as typeof CLAUSE.pet);
    return known;
  };

  const firstList = once(() => api.list());
  const firstFiltered = oncePer((status: PetStatus) => api.list({ status }));
  const firstRead = oncePer((id: bigint) =>
    base.poll(
      () => api.get(id),
      // A store that lags says 404, and nothing else becomes right by waiting.
      (exchange) => statusOf(exchange) !== 404,
    ),
  );
  const readable = async (id: bigint): Promise<PetView> => petOf(await firstRead(id));

  const admitted = once(async () => {
    const first = await firstList();
    const status = answerOf(first).status;
    if (status === 401 || status === 403) haltInconclusive(`GET /pets with the key answered ${status}`, CLAUSE.validKey);
    const pets = petsOf(first);
    if (pets.length > 0) return { exchange: first, pets };
    if (options.readOnly) haltInconclusive('the store shows no animal, and a read-only run creates none');
    await create();
    const exchange = await base.poll(
      () => api.list(),
      (later) => statusOf(later) === 200 && petsOf(later).length > 0,
    );
    const shown = petsOf(exchange);
    if (shown.length === 0) haltInconclusive('the list stays empty after an animal was created', 'list.complete' as typeof CLAUSE.pets);
    return { exchange, pets: shown };
  });

  const existing = once(async (): Promise<PetView> => {
    const { pets } = await admitted();
    return firstThatWorks(spread(pets, CANDIDATES), (pet) => readable(pet.id));
  });

  const listed = once(async (): Promise<readonly PetView[]> => {
    await admitted();
    const exchanges = await base.all([{ limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))], (query) =>
      api.list(query),
    );
    const pets = new Map<string, PetView>();
    for (const exchange of exchanges) {
      if (statusOf(exchange) === 200) for (const pet of petsOf(exchange)) pets.set(String(pet.id), pet);
    }
    return [...pets.values()];
  });

  const makers = Object.fromEntries(
    PET_STATUSES.map((status) => [
      status,
      once(async (): Promise<PetView> => {
        const found = (await listed().catch(() => [])).filter((pet) => pet.status === status);
        if (found.length > 0) return firstThatWorks(found.slice(0, CANDIDATES), (pet) => readable(pet.id));
        if (options.readOnly) haltInconclusive(`the store shows no animal that is ${status}, and a read-only run creates none`);
        return readable((await create(status)).id);
      }),
    ]),
  ) as Record<PetStatus, () => Promise<PetView>>;

  const many = once(async (): Promise<number> => {
    await listed();
    const animals = (): ReadonlyMap<string, PetStatus | undefined> =>
      new Map([
        ...[...knowledge.created].map(([id, animal]) => [id, knownStatus(animal)] as const),
        ...[...knowledge.seen].map(([id, { status }]) => [id, status] as const),
      ]);
    const known = (): number => animals().size;
    const missing = Math.max(0, FULL_STORE - known());
    if (missing > 0 && options.readOnly)
      haltInconclusive(`the store shows ${known()} animals; more than 100 are needed, and a read-only run creates none`);
    if (missing > base.room()) {
      haltInconclusive(
        `the store shows ${known()} animals; more than 100 are needed, and the write budget has room for ${base.room()}; --max-creates raises it`,
      );
    }
    const [first, ...others] = rarestFirst([...animals().values()], missing).slice(0, base.room());
    if (first !== undefined) {
      // One first: a service that does not create is not asked a hundred times.
      await create(first);
      await base.all(others, (status) => create(status));
      await base.poll(
        () => api.list({ limit: 100 }),
        (exchange) => statusOf(exchange) === 200 && petsOf(exchange).length >= 100,
      );
    }
    return known();
  });

  return {
    admitted,
    firstList,
    firstFiltered,
    firstRead,
    existing,
    category,
    plain,
    create,
    many,
    withStatus: (status) => makers[status](),
    async absentId() {
      for (;;) {
        const id = BigInt(1_000_000_000 + Math.floor(base.random() * 1_100_000_000));
        if (!knowledge.seen.has(String(id)) && !knowledge.created.has(String(id))) return id;
      }
    },
    async sample(most) {
      const pets = await listed();
      const own = [...knowledge.created.values()]
        .map((animal) => animal.answered)
        .filter((pet) => !pets.some((other) => other.id === pet.id));
      return spread([...pets, ...own], most);
    },
  };
}
