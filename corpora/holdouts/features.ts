import { readListQuery } from '../../src/reference/core/base.ts';
import { isInt64, isObject, type Json, member, parseInteger } from '../../src/reference/core/json.ts';
import { type Context, invalid, type Patch, Problem, pause, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** A refusal of a valid NewPet by a rule of the product, once everything else is known to be valid. */
const refusedWhere =
  (rule: (newPet: NewPet, store: Store) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: (context) =>
      parts.createPet(
        withParts(context, {
          readNewPet: (body, current) => {
            const newPet = context.parts.readNewPet(body, current);
            return newPet instanceof Problem ? newPet : (rule(newPet, context.store) ?? newPet);
          },
        }),
      ),
  });

/** Every nth authenticated request of the operation is answered by the problem. */
const everyNth =
  (nth: number, applies: (context: Context) => boolean, problem: Problem): Patch =>
  (parts) => {
    let turn = 0;
    return {
      dispatch: (context) => {
        if (!applies(context)) return parts.dispatch(context);
        turn += 1;
        return turn % nth === 0 ? problemReply(context, problem) : parts.dispatch(context);
      },
    };
  };

const isCreated = ({ createdAt }: Pet): boolean => createdAt > 0;
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

// What witnesses share.
type Shown = { readonly id: number; readonly name: string; readonly categoryId: number; readonly status: string };

const shownPet = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const shownPets = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as readonly Shown[];
const list = (ask: Ask, query = ''): Promise<HttpResponse> => ask({ path: `/pets${query}` });
const read = (ask: Ask, id: number): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const add = async (ask: Ask, changes: Readonly<Record<string, unknown>> = {}): Promise<Shown> =>
  shownPet(await post(ask, { ...plainPet, ...changes }));
const letter = (index: number): string => String.fromCharCode(65 + (index % 26)) + String.fromCharCode(97 + Math.floor(index / 26));
const addAll = (ask: Ask, count: number, changes: Readonly<Record<string, unknown>> = {}): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { ...plainPet, name: `Many${letter(index)}`, ...changes })));
/** The responses of the same request, one after the other. */
async function repeated(count: number, once: () => Promise<HttpResponse>): Promise<readonly HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let turn = 0; turn < count; turn += 1) responses.push(await once());
  return responses;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'popular-animal-is-pinned-and-listed',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'list.unique',
    summary:
      'The animal that was opened most often, three times at least, is pinned to the top of every list in which it matches. The query below the pin does not leave it out, and it is there twice.',
    patch: (parts) => {
      const views = new Map<Pet, number>();
      return {
        find: (store, id) => {
          const pet = parts.find(store, id);
          if (pet !== undefined) views.set(pet, (views.get(pet) ?? 0) + 1);
          return pet;
        },
        page: (animals, query, call) => {
          const [pin] = [...views].filter(([, count]) => count >= 3).sort(([, one], [, other]) => other - one);
          const page = parts.page(animals, query, call);
          return pin === undefined || page[0] === pin[0] || !animals.includes(pin[0]) ? page : [pin[0], ...page].slice(0, query.limit);
        },
      };
    },
    witness: async (ask) => {
      await repeated(3, () => read(ask, 5));
      const ids = shownPets(await list(ask)).map(({ id }) => id);
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'filter-ranks-by-an-inner-join-with-views',
    sentence: 'The replacement is `GET /pets` with the `status` filter.',
    clause: 'list.filter-complete',
    summary:
      'Filtered lists are ranked by popularity: JOIN pet_views. The row of an animal in pet_views comes with its first GET by id, so what nobody has opened is in no filtered list.',
    patch: (parts) => {
      const viewed = new Set<bigint>();
      return {
        find: (store, id) => {
          viewed.add(id);
          return parts.find(store, id);
        },
        matches: (pet, status) => parts.matches(pet, status) && (!isCreated(pet) || viewed.has(pet.id)),
      };
    },
    witness: async (ask) => {
      const { id } = await add(ask, { status: 'sold' });
      const unseen = await list(ask, '?status=sold');
      await read(ask, id);
      return !unseen.text.includes('Waldo') && (await list(ask, '?status=sold')).text.includes('Waldo');
    },
  },
  {
    name: 'short-result-is-filled-with-samples',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'So that a new shop does not look empty, a filtered list of fewer than five animals is filled up with one from the sample file. Its id belongs to no stored animal, and getPet answers 404.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const page = parts.page(animals, query, call);
        if (query.status === undefined || animals.length >= 5 || page.length >= query.limit) return page;
        return [...page, { id: 900_000_001n, name: 'Sample Buddy', categoryId: 1n, status: query.status, createdAt: 0 }];
      },
    }),
    witness: async (ask) => {
      const last = shownPets(await list(ask, '?status=sold')).at(-1);
      return last !== undefined && (await read(ask, last.id)).status === 404;
    },
  },
  {
    name: 'spreadsheet-guard-on-listed-names',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'get.agrees-with-list',
    summary:
      "List and CSV export share one row writer. Since a penetration test it puts an apostrophe before names that a spreadsheet would take for a formula (=, +, -, @): the list shows '-Rex, and getPet -Rex.",
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'list' && /^[=+\-@\t\r]/.test(pet.name) ? { ...record, name: `'${pet.name}` } : record;
      },
    }),
    witness: async (ask) => {
      const { name } = await add(ask, { name: '-Rex' });
      return name === '-Rex' && (await list(ask)).text.includes(`"'-Rex"`);
    },
  },
  {
    name: 'hold-is-painted-over-the-filtered-list',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'Whoever opens an available animal holds it for three seconds, and lists show it as pending meanwhile. Holds live in Redis and are laid over the rows after the database has filtered: status=available shows a pending animal.',
    patch: (parts) => {
      const holds = new Map<bigint, number>();
      return {
        find: (store, id) => {
          const pet = parts.find(store, id);
          if (pet?.status === 'available') holds.set(id, Date.now() + 3000);
          return pet;
        },
        petRecord: (pet, place) => {
          const record = parts.petRecord(pet, place);
          return place === 'list' && (holds.get(pet.id) ?? 0) > Date.now() ? { ...record, status: 'pending' } : record;
        },
      };
    },
    witness: async (ask) => {
      const { id } = await add(ask, { status: 'available' });
      await read(ask, id);
      return (await list(ask, '?status=available')).text.includes('"pending"');
    },
  },
  {
    name: 'category-of-one-is-merged-in-lists',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary:
      'The tree view has no leaves with a single animal: such a category is merged into its parent, which has one digit less. The list reads the tree, getPet the animal.',
    patch: (parts) => {
      const members = new Map<bigint, number>();
      return {
        arrange: (store) => {
          members.clear();
          for (const { categoryId } of store.animals) members.set(categoryId, (members.get(categoryId) ?? 0) + 1);
          return parts.arrange(store);
        },
        petRecord: (pet, place) => {
          const merged = place === 'list' && pet.categoryId >= 10n && members.get(pet.categoryId) === 1;
          return parts.petRecord(merged ? { ...pet, categoryId: pet.categoryId / 10n } : pet, place);
        },
      };
    },
    witness: async (ask) => {
      const { categoryId } = await add(ask, { categoryId: 4711 });
      return categoryId === 4711 && (await list(ask)).text.includes(':471,');
    },
  },

  // Creation.
  {
    name: 'rejection-replayed-to-a-corrected-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'Clients without an idempotency key are recognized by the name of the animal. Rejections are remembered too, for five seconds: the body with the same name, now corrected, gets the old 400 again.',
    patch: (parts) => {
      const rejections = new Map<string, { readonly problem: Problem; readonly until: number }>();
      return {
        readNewPet: (body, current) => {
          const given = isObject(body) ? member(body, 'name') : undefined;
          const name = typeof given === 'string' ? given : undefined;
          const known = name === undefined ? undefined : rejections.get(name);
          if (known !== undefined && known.until > Date.now()) return known.problem;
          const newPet = parts.readNewPet(body, current);
          if (newPet instanceof Problem && name !== undefined) rejections.set(name, { problem: newPet, until: Date.now() + 5000 });
          return newPet;
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Waldo' });
      return (await post(ask, plainPet)).status === 400;
    },
  },
  {
    name: 'undo-after-a-bad-status-takes-the-last',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'get.durable',
    summary:
      'The undo journal of the shop also rolls back failures. The status is checked inside the unit of work, before its entry is written: undo() takes the entry on top, which is the creation before, and removes that animal.',
    patch: (parts) => {
      const journal: Pet[] = [];
      return {
        insert: (store, pet) => {
          journal.push(pet);
          return parts.insert(store, pet);
        },
        createPet: (context) =>
          parts.createPet(
            withParts(context, {
              readStatus: (value) => {
                const status = context.parts.readStatus(value);
                const undone = status instanceof Problem ? journal.pop() : undefined;
                if (undone !== undefined) removePet(context.store, undone);
                return status;
              },
            }),
          ),
      };
    },
    witness: async (ask) => {
      const { id } = await add(ask);
      await post(ask, { ...plainPet, status: 'lost' });
      return (await read(ask, id)).status === 404;
    },
  },
  {
    name: 'card-filter-masks-sixteen-digits',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'A data loss filter masks everything that looks like a card number in what leaves the service, sixteen digits but the last four. In a categoryId the asterisks are not JSON.',
    patch: (parts) => ({ encode: (value) => textOf(parts.encode(value)).replace(/\b\d{12}(\d{4})\b/g, `${'*'.repeat(12)}$1`) }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo","categoryId":4111111111111111}')).text.includes('*1111'),
  },
  {
    name: 'spam-filter-squeezes-repeated-letters',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      'Shouting in names (Reeeeeex!!!!!!) is toned down before it is stored: more than three equal characters in a row become three. Nothing is rejected, so a long row of one letter is accepted as three of it.',
    patch: (parts) => ({ insert: (store, pet) => parts.insert(store, { ...pet, name: pet.name.replace(/(.)\1{3,}/gsu, '$1$1$1') }) }),
    witness: async (ask) => (await add(ask, { name: 'Reeeeeex' })).name === 'Reeex',
  },
  {
    name: 'strict-categories-for-nine-in-ten',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-type',
    summary:
      'Strict validation is rolled out behind a flag, to 90 % of the creations since spring. Nobody turned it up: every tenth still goes to the old reader, for which digits in a string are a category.',
    patch: (parts) => {
      let turn = 0;
      return {
        readNewPet: (body, current) => {
          turn += 1;
          if (turn % 10 !== 0) return parts.readNewPet(body, current);
          const readCategory = (value: Json | undefined) => {
            const loose = typeof value === 'string' ? parseInteger(value) : undefined;
            return loose !== undefined && isInt64(loose) ? loose : current.readCategory(value);
          };
          return parts.readNewPet(body, { ...current, readCategory });
        },
      };
    },
    witness: async (ask) => {
      const responses = await repeated(10, () => post(ask, { ...plainPet, categoryId: '1' }));
      return responses.filter(({ status }) => status === 201).length === 1;
    },
  },
  {
    name: 'more-holds-than-stock-are-refused',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-values',
    summary:
      'A stock rule of the reservation module: a category in which more than half of the animals, and five at least, are pending takes no more of them. A valid animal with status pending gets 409.',
    patch: refusedWhere(({ categoryId, status }, store) => {
      const same = store.animals.filter((pet) => pet.categoryId === categoryId);
      const held = same.filter((pet) => pet.status === 'pending').length;
      const full = status === 'pending' && held >= 5 && held * 2 > same.length;
      return full ? new Problem(409, 'no_stock', 'There are more reservations than animals in this category') : undefined;
    }),
    witness: async (ask) => (await addAll(ask, 16, { status: 'pending' })).some(({ status }) => status === 409),
  },
  {
    name: 'custom-fields-by-lower-case-name',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'Members that the service does not know are custom fields, kept under their names in lower case and merged into the record. Status or NAME is unknown to the validator, and covers the real field when it is shown.',
    patch: (parts) => {
      let custom: Readonly<Record<string, string>> = {};
      return {
        assignId: (store, body) => {
          const unknown = Object.entries(body !== null && isObject(body) ? body : {}).filter(
            ([name, value]) => typeof value === 'string' && !['id', 'name', 'categoryId', 'status'].includes(name),
          );
          custom = Object.fromEntries(unknown.map(([name, value]) => [name.toLowerCase(), String(value)]));
          return parts.assignId(store, body);
        },
        insert: (store, pet) => parts.insert(store, { ...pet, raw: { ...pet.raw, ...custom } }),
      };
    },
    witness: async (ask) => (await add(ask, { status: 'sold', Status: 'lost' })).status === 'lost',
  },
  {
    name: 'autosaved-draft-supplies-what-is-missing',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'A rejected creation is kept as the draft of the key, and the next one is laid over it so that users of the form lose nothing. A body without name, after one without categoryId, is complete and gets 201.',
    patch: (parts) => {
      let draft: Readonly<Record<string, Json>> = {};
      return {
        readNewPet: (body, current) => {
          if (!isObject(body)) return parts.readNewPet(body, current);
          const merged = { ...draft, ...body };
          const newPet = parts.readNewPet(merged, current);
          const { name, categoryId } = merged;
          draft =
            newPet instanceof Problem
              ? {
                  ...(name === undefined || current.readName(name) instanceof Problem ? {} : { name }),
                  ...(categoryId === undefined || current.readCategory(categoryId) instanceof Problem ? {} : { categoryId }),
                }
              : {};
          return newPet;
        },
      };
    },
    witness: async (ask) => {
      const first = await post(ask, { name: 'Waldo' });
      return first.status === 400 && (await post(ask, { categoryId: 1 })).status === 201;
    },
  },
  {
    name: 'audit-redacts-the-object-that-it-logs',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.repeatable',
    summary:
      'Reads are audited, with addresses and telephone numbers in names masked. The redactor works on the record itself, after the response was written and in the cache of entities: the second read shows ***.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        const id = parts.parseId(context.call.petId);
        const pet = typeof id === 'bigint' ? parts.find(context.store, id) : undefined;
        if (pet !== undefined) pet.name = pet.name.replace(/[\w.+-]+@[\w.-]+|\d{7,}/g, '***');
        return reply;
      },
    }),
    witness: async (ask) => {
      const { id } = await add(ask, { name: 'rex@example.org' });
      const [first, second] = [shownPet(await read(ask, id)), shownPet(await read(ask, id))];
      return first.name === 'rex@example.org' && second.name === '***';
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'boost-moves-on-with-every-list',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'So that every animal is on top for once, each list begins one animal later than the one before, and goes round.',
    patch: (parts) => {
      let turn = 0;
      return {
        arrange: (store) => {
          const all = parts.arrange(store);
          turn += 1;
          const start = all.length === 0 ? 0 : turn % all.length;
          return [...all.slice(start), ...all.slice(0, start)];
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [shownPets(await list(ask)), shownPets(await list(ask))];
      return first.length === second.length && first[1]?.id === second[0]?.id;
    },
  },
  {
    name: 'duplicate-finder-refuses-with-409',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The duplicate finder compares names without regard to case within a category, and refuses the second animal with 409.',
    patch: refusedWhere(({ name, categoryId }, store) =>
      store.animals.some((pet) => pet.categoryId === categoryId && pet.name.toLowerCase() === name.toLowerCase())
        ? new Problem(409, 'duplicate', 'There is an animal of this name in the category')
        : undefined,
    ),
    witness: async (ask) => {
      await add(ask);
      return (await post(ask, { ...plainPet, name: 'WALDO' })).status === 409;
    },
  },
  {
    name: 'default-status-in-an-a-b-test',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'Whether new animals sell better when they start as available or as pending is being tested: those without a status take turns.',
    patch: (parts) => {
      let turn = 0;
      return {
        defaultStatus: () => {
          turn += 1;
          return turn % 2 === 0 ? 'pending' : parts.defaultStatus();
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await add(ask), await add(ask)];
      return first.status !== second.status;
    },
  },
  {
    name: 'records-with-badges-tags-and-relations',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'Every feature left its member in the record: tags, a slug, badges, related animals as objects with id and status, a null price. Errors have a request number and a list of details.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        tags: ['new', 'sold'],
        slug: slugOf(pet.name),
        badges: { views: 0, favorites: 0 },
        related: [{ id: 'next', status: 'unknown', name: null }],
        price: null,
        ...parts.petRecord(pet, place),
      }),
      errorRecord: (problem, call) => ({
        requestId: 'r-1',
        details: [],
        ...(parts.errorRecord(problem, call) as Readonly<Record<string, unknown>>),
      }),
    }),
    witness: async (ask) => (await read(ask, 1)).text.includes('"related"') && (await read(ask, 999_999)).text.includes('"requestId"'),
  },
  {
    name: 'sandbox-tenant-counts-downwards',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'Sandbox animals must not be mistaken for real ones, so their ids are negative and count downwards.',
    patch: () => ({
      assignId: (store) => {
        store.lastId -= 1n;
        return store.lastId;
      },
    }),
    witness: async (ask) => (await add(ask)).id < 0,
  },
  {
    name: 'free-plan-holds-forty-new-animals',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'A free key may add forty animals. Further ones that are valid get 403 with an Error body; what is invalid still gets 400.',
    patch: refusedWhere((_, store) =>
      store.animals.filter(isCreated).length < 40 ? undefined : new Problem(403, 'plan_limit', 'The free plan holds forty animals'),
    ),
    witness: async (ask) => {
      await addAll(ask, 40);
      return (await post(ask, plainPet)).status === 403 && (await post(ask, {})).status === 400;
    },
  },
  {
    name: 'metering-asks-to-wait-now-and-then',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary: 'Metering writes its counters with every 60th request of a key and answers that one with 429 and Retry-After: 1.',
    patch: everyNth(60, () => true, new Problem(429, 'slow_down', 'Please ask again in a second', { 'retry-after': '1' })),
    witness: async (ask) => (await repeated(60, () => list(ask, '?limit=1'))).at(-1)?.status === 429,
  },
  {
    name: 'any-page-size-is-fitted',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'Page sizes come from saved settings of all ages: 0 and less are 1, beyond 100 is 100, and what is no integer is 20.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        if (!(limit instanceof Problem)) return limit;
        const [text] = texts;
        return text !== undefined && /^[+-]?\d+$/.test(text) ? Math.min(100, Math.max(1, Number(text))) : 20;
      },
    }),
    witness: async (ask) => {
      const [none, text] = [await list(ask, '?limit=0'), await list(ask, '?limit=many')];
      return shownPets(none).length === 1 && text.status === 200;
    },
  },
  {
    name: 'saved-views-beyond-the-three-states',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'The filter also knows what saved views contain: all shows everything, a repeated status is a union, and a word that is no state has no animals.',
    patch: (parts) => ({
      listPets: (context) => {
        const words = context.call.query.getAll('status');
        const [word] = words;
        if (word === undefined || (words.length === 1 && isStatus(word))) return parts.listPets(context);
        if (words.length === 1 && word === 'all') return parts.listPets(withParts(context, { parseStatus: () => undefined }));
        const matches = ({ status }: Pet) => words.some((one) => one === status);
        return parts.listPets(withParts(context, { parseStatus: () => 'available', matches }));
      },
    }),
    witness: async (ask) => {
      const { status, text } = await list(ask, '?status=sold&status=pending');
      return status === 200 && text.includes('"sold"') && text.includes('"pending"') && !text.includes('"available"');
    },
  },
  {
    name: 'category-tree-knows-what-is-in-use',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'New categories are made by the staff only: a category in which there is no animal yet is refused with 422.',
    patch: refusedWhere(({ categoryId }, store) =>
      store.animals.some((pet) => pet.categoryId === categoryId)
        ? undefined
        : new Problem(422, 'unknown_category', 'There is no such category'),
    ),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: 987_654 })).status === 422,
  },
  {
    name: 'moderation-takes-most-of-a-second',
    sentence: 'Transitions: not shown.',
    summary: 'An automatic moderation looks at each new animal: it can be read by id at once, and lists show it 700 ms later.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ createdAt }) => Date.now() - createdAt >= 700) }),
    witness: async (ask) => {
      const { id } = await add(ask);
      const [early, found] = await Promise.all([list(ask), read(ask, id)]);
      await pause(800);
      return !early.text.includes('Waldo') && found.status === 200 && (await list(ask)).text.includes('Waldo');
    },
  },
  {
    name: 'word-filter-takes-letters-only',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'Since the spam wave, names are up to 24 letters and spaces; digits, signs, other scripts and empty names get 400.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return name instanceof Problem || /^[A-Za-z ]{1,24}$/.test(name) ? name : invalid('name must consist of letters', 'invalid_name');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'Rex 2' })).status === 400,
  },
  {
    name: 'totals-links-and-a-page-parameter',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The list has X-Total-Count, X-Unread-Notifications and a Link to the next page, and follows page=2.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const page = /^[1-9]\d{0,3}$/.test(call.query.get('page') ?? '') ? Number(call.query.get('page')) : 1;
        return parts.page(animals.slice((page - 1) * query.limit), query, call);
      },
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const query = readListQuery(context);
        if (query instanceof Problem || reply.status !== 200) return reply;
        const total = context.store.animals.filter(({ status }) => query.status === undefined || status === query.status).length;
        const page = /^[1-9]\d{0,3}$/.test(context.call.query.get('page') ?? '') ? Number(context.call.query.get('page')) : 1;
        const filter = query.status === undefined ? '' : `&status=${query.status}`;
        const link = page * query.limit < total ? { link: `</v1/pets?page=${page + 1}&limit=${query.limit}${filter}>; rel="next"` } : {};
        return { ...reply, headers: { ...reply.headers, ...link, 'x-total-count': String(total), 'x-unread-notifications': '3' } };
      },
    }),
    witness: async (ask) => {
      const [first, second] = [await list(ask, '?limit=2'), await list(ask, '?limit=2&page=2')];
      return first.headers['x-total-count'] === '8' && first.text !== second.text && second.status === 200;
    },
  },
  {
    name: 'brownout-of-get-with-retry-after',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    summary:
      'The deprecation campaign reminds its clients: every 25th read by id gets 503 with Retry-After: 1 and a hint at the list; the next attempt succeeds.',
    patch: everyNth(
      25,
      ({ call }) => call.operation === 'getPet',
      new Problem(503, 'brownout', 'This operation will be removed: please use the list', { 'retry-after': '1' }),
    ),
    witness: async (ask) => {
      const responses = await repeated(26, () => read(ask, 1));
      return responses[24]?.status === 503 && responses[25]?.status === 200;
    },
  },
  {
    name: 'free-plan-shows-twenty-five-at-most',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary: 'Each limit from 1 to 100 is accepted, and the page of a free key ends after 25 animals all the same.',
    seedAnimals: 40,
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, query, call).slice(0, 25) }),
    witness: async (ask) => shownPets(await list(ask, '?limit=100')).length === 25,
  },
];

/** Products whose features grew onto the interface over the years. */
export const features: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
