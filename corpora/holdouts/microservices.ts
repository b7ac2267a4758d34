import { isObject, NumberText } from '../../src/reference/core/json.ts';
import {
  invalid,
  jsonReply,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, type Pet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

/** A counter that says so at every n-th call: what a balancer in turn does to one of n instances. */
function everyNth(n: number): () => boolean {
  let count = 0;
  return () => {
    count += 1;
    return count % n === 0;
  };
}

/** Changes what a list shows of the animals, and nothing else: a read model of its own. */
const readModel =
  (project: (animals: readonly Pet[], store: Store) => readonly Pet[]): Patch =>
  (parts) => ({ arrange: (store) => project(parts.arrange(store), store) });

/** Changes an animal after its creation has been answered: the 201 shows the command, later reads show the record. */
const storedAs =
  (change: (pet: Pet) => Pet): Patch =>
  () => ({
    insert: (store, pet) => {
      addPet(store, change(pet));
      return pet;
    },
  });

/** The text after form decoding; as it is, if that fails. */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** An animal without its status. */
const withoutStatus = ({ status: _status, ...pet }: Pet): Pet => pet;

// What witnesses share.
const LONG_LIST = '/pets?limit=100';
const MISSING = '/pets/999999';
const UNSAFE = 9007199254740993n;
const read = (ask: Ask, created: HttpResponse): Promise<HttpResponse> => ask({ path: `/pets/${idOf(created)}` });
const isListed = (list: HttpResponse, created: HttpResponse): boolean => list.text.includes(`"id":${idOf(created)},`);
const anyIs = (responses: readonly HttpResponse[], status: number): boolean => responses.some((response) => response.status === status);
/** A creation whose digits are not to be lost. */
const withCategory = (category: bigint): string => `{"name":"Waldo","categoryId":${category}}`;
/** Requests one after the other. */
async function inTurn(count: number, one: (index: number) => Promise<HttpResponse>): Promise<HttpResponse[]> {
  const responses: HttpResponse[] = [];
  for (let index = 0; index < count; index += 1) responses.push(await one(index));
  return responses;
}

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'circuit-breaker-of-authentication-fails-open',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'The client of the authentication service counts every 401 as a failure of that service. After six in a row its breaker opens, and while it is open four calls pass unchecked, because availability went first.',
    patch: (parts) => {
      let failures = 0;
      return {
        authenticate: (call, apiKey) => {
          if (failures >= 6) {
            failures += 1;
            if (failures > 9) failures = 0;
            return undefined;
          }
          const verdict = parts.authenticate(call, apiKey);
          failures = verdict === undefined ? 0 : failures + 1;
          return verdict;
        },
      };
    },
    witness: async (ask) => anyIs(await inTurn(8, () => ask({ path: '/pets', noKey: true })), 200),
  },
  {
    name: 'edge-cache-in-front-of-the-authorizer',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.every-request',
    summary:
      'Filtered lists are cached at the edge by their target. A creation purges them, so nobody saw stale data; nobody saw either that a hit never reaches the authorizer.',
    patch: (parts) => {
      const kept = new Map<string, Reply>();
      return {
        handle: async (context) => {
          const { operation, query, target } = context.call;
          if (operation === 'createPet') kept.clear();
          const isCached = operation === 'listPets' && query.has('status');
          const hit = isCached ? kept.get(target) : undefined;
          if (hit !== undefined) return hit;
          const reply = await parts.handle(context);
          if (operation === 'createPet') kept.clear();
          if (isCached && reply.status === 200) kept.set(target, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets?status=sold' });
      return (await ask({ path: '/pets?status=sold', noKey: true })).status === 200;
    },
  },
  {
    name: 'message-form-decoded-by-the-consumer',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'create.round-trip',
    summary:
      'The message broker carries the command as a form. The producer sends JSON in it without encoding, the consumer decodes: a plus becomes a space, %41 an A. The 201 is built from the request.',
    patch: storedAs((pet) => ({ ...pet, name: formDecoded(pet.name) })),
    witness: async (ask) => (await read(ask, await post(ask, { name: 'Rex+Mia', categoryId: 1 }))).text.includes('"Rex Mia"'),
  },
  {
    name: 'retry-recognized-by-the-head-of-the-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The mesh retries creations, so the command service answers a body that it has seen as it did before. To be fast it compares the first 48 bytes only, which a long name fills.',
    patch: (parts) => {
      const answered = new Map<string, Reply>();
      return {
        createPet: async (context) => {
          const bytes = await context.call.body();
          if (bytes instanceof Problem) return problemReply(context, bytes);
          const head = bytes.byteLength < 48 ? undefined : Buffer.from(bytes).toString('latin1', 0, 48);
          const before = head === undefined ? undefined : answered.get(head);
          if (before !== undefined) return before;
          const reply = await parts.createPet({ ...context, call: { ...context.call, body: async () => bytes } });
          if (head !== undefined && reply.status === 201) answered.set(head, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      const name = 'Waldo'.repeat(10);
      await post(ask, { name, categoryId: 1 });
      return (await post(ask, { name: `${name} II`, categoryId: 2 })).text.includes(`"${name}"`);
    },
  },
  {
    name: 'old-instance-knows-limits-to-fifty',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary:
      'The rollout that raised the maximum from 50 to 100 stopped at two of three instances: every third list with a higher limit is 400.',
    patch: (parts) => {
      const isOld = everyNth(3);
      return {
        parseLimit: (texts) => {
          const limit = parts.parseLimit(texts);
          return isOld() && typeof limit === 'number' && limit > 50 ? invalid('limit must be at most 50', 'invalid_limit') : limit;
        },
      };
    },
    witness: async (ask) => anyIs(await inTurn(3, () => ask({ path: LONG_LIST })), 400),
  },
  {
    name: 'one-instance-coerces-types',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.category-type',
    summary: 'One of four instances still runs with the option that coerces types: there a categoryId may be a text of digits.',
    patch: (parts) => {
      const isLax = everyNth(4);
      return {
        readCategory: (value) =>
          parts.readCategory(
            isLax() && typeof value === 'string' && /^\d{1,18}$/.test(value) ? new NumberText(String(BigInt(value))) : value,
          ),
      };
    },
    witness: async (ask) => anyIs(await inTurn(4, () => post(ask, { name: 'Waldo', categoryId: '1' })), 201),
  },
  {
    name: 'snapshot-older-than-the-status',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'get.repeatable',
    summary:
      'An animal is rebuilt from its events, and at its third read from a snapshot. The snapshot was taken between the event of the creation and that of the status: it is available, whatever it was.',
    patch: (parts) => {
      const reads = new Map<bigint, number>();
      return {
        find: (store, id) => {
          const found = parts.find(store, id);
          const count = (reads.get(id) ?? 0) + 1;
          reads.set(id, count);
          return found !== undefined && count % 3 === 0 ? { ...found, status: 'available' } : found;
        },
      };
    },
    witness: async (ask) => new Set((await inTurn(3, () => ask({ path: '/pets/2' }))).map(({ text }) => text)).size > 1,
  },
  {
    name: 'page-for-browsers-from-the-ingress',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary: 'The ingress replaces error bodies by its own page when the client accepts HTML, for every service behind it.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (reply.status < 400 || !(context.call.headers.accept ?? '').includes('text/html')) return reply;
        const body = `<html><body><h1>${reply.status}</h1><hr>ingress</body></html>`;
        return { ...reply, headers: { ...reply.headers, 'content-type': 'text/html' }, body };
      },
    }),
    witness: async (ask) => {
      const { headers } = await ask({ path: MISSING, headers: { Accept: 'text/html,*/*;q=0.8' } });
      return headers['content-type'] === 'text/html';
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'read-model-a-moment-behind',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'Lists are a projection, 400 milliseconds behind the events. A read goes to the events: the new animal is found at once, and listed soon.',
    patch: readModel((animals) => animals.filter(({ createdAt }) => createdAt + 400 <= Date.now())),
    witness: async (ask) => {
      const created = await post(ask);
      const [list, alone] = [await ask({ path: LONG_LIST }), await read(ask, created)];
      await pause(500);
      return alone.status === 200 && !isListed(list, created) && isListed(await ask({ path: LONG_LIST }), created);
    },
  },
  {
    name: 'ids-of-two-instances-near-the-edge',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'The id service puts the number of the instance in high bits: ids have 19 digits, and jump back and forth as the instances take turns.',
    patch: () => {
      let count = 0n;
      return {
        assignId: () => {
          count += 1n;
          return 2n ** 62n + (count % 2n) * 2n ** 61n + count * 4099n;
        },
      };
    },
    witness: async (ask) => {
      const [first, second, third] = (await inTurn(3, () => post(ask))).map(idOf);
      if (first === undefined || second === undefined || third === undefined) return false;
      return first > 2n ** 62n && first < second !== second < third;
    },
  },
  {
    name: 'order-of-the-shard-that-answers-first',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'A list is put together from two shards, in the order in which they answer: every other list begins with the other one.',
    patch: (parts) => {
      const isTurned = everyNth(2);
      return {
        arrange: (store) => {
          const animals = parts.arrange(store);
          const shard = (rest: bigint) => animals.filter(({ id }) => BigInt.asUintN(1, id) === rest);
          return isTurned() ? [...shard(1n), ...shard(0n)] : [...shard(0n), ...shard(1n)];
        },
      };
    },
    witness: async (ask) => new Set((await inTurn(2, () => ask({ path: '/pets' }))).map(idOf)).size === 2,
  },
  {
    name: 'categories-that-the-category-service-knows',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'The category service is asked for each creation, and knows only categories that animals have had from the beginning: 422 for others.',
    patch: (parts) => ({
      createPet: (context) => {
        const known = new Set(context.store.animals.map(({ categoryId }) => categoryId));
        const readNewPet: typeof parts.readNewPet = (body, current) => {
          const newPet = parts.readNewPet(body, current);
          const isUnknown = !(newPet instanceof Problem) && !known.has(newPet.categoryId);
          return isUnknown ? new Problem(422, 'unknown_category', 'The category does not exist') : newPet;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => (await post(ask, withCategory(UNSAFE))).status === 422 && (await post(ask)).status === 201,
  },
  {
    name: 'typename-of-graphql-in-every-record',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary: 'The facade passes __typename on, in animals and errors, and the name of the operation with errors.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ __typename: 'Pet', ...parts.petRecord(pet, place) }),
      errorRecord: ({ code, message, status }, { operation }) => ({ __typename: 'Error', path: [operation], code, message, status }),
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/1' })).text.includes('"__typename":"Pet"') &&
      (await ask({ path: MISSING })).text.includes('"path":["getPet"]'),
  },
  {
    name: 'status-decided-by-the-workflow',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'A 201 shows what the command had. A workflow then gives an animal without a status the status pending, which every later read shows.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      insert: async (store, pet) => {
        await parts.insert(store, { ...pet, status: pet.status ?? 'pending' });
        return pet.status === undefined ? withoutStatus(pet) : pet;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return !created.text.includes('"status"') && (await read(ask, created)).text.includes('"pending"');
    },
  },
  {
    name: 'idempotency-key-honored',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Who repeats a creation with the same Idempotency-Key and body gets the first response again, marked as replayed. Another body is 409.',
    patch: (parts) => {
      const answered = new Map<string, { readonly body: string; readonly reply: Reply }>();
      return {
        createPet: async (context) => {
          const key = context.call.headers['idempotency-key'];
          const bytes = await context.call.body();
          if (bytes instanceof Problem) return problemReply(context, bytes);
          const once = { ...context, call: { ...context.call, body: async () => bytes } };
          if (typeof key !== 'string') return await parts.createPet(once);
          const body = textOf(bytes);
          const before = answered.get(key);
          if (before === undefined) {
            const reply = await parts.createPet(once);
            if (reply.status === 201) answered.set(key, { body, reply });
            return reply;
          }
          if (before.body !== body)
            return problemReply(context, new Problem(409, 'key_reused', 'The Idempotency-Key belongs to another body'));
          return { ...before.reply, headers: { ...before.reply.headers, 'idempotent-replayed': 'true' } };
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = await inTurn(2, () => post(ask, plainPet, { 'Idempotency-Key': 'k1' }));
      return first !== undefined && second !== undefined && idOf(first) === idOf(second);
    },
  },
  {
    name: 'gateway-knows-its-parameters',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary: 'The gateway rejects every query parameter that its route does not list, on all three operations, with 400.',
    patch: (parts) => ({
      dispatch: (context) => {
        const { operation, query } = context.call;
        const known = operation === 'listPets' ? ['limit', 'status'] : [];
        const unknown = [...query.keys()].find((name) => !known.includes(name));
        return unknown === undefined
          ? parts.dispatch(context)
          : problemReply(context, invalid('Unknown query parameter', 'unknown_parameter'));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?page=2' })).status === 400 && (await ask({ path: '/pets/1?x=1' })).status === 400,
  },
  {
    name: 'limit-forgiven-by-the-search-service',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'The search service clamps integers to 1 and 100, takes the default for anything else, and the last one of several.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const text = texts.at(-1) ?? '20';
        return /^-?\d{1,9}$/.test(text) ? Math.min(100, Math.max(1, Number(text))) : parts.parseLimit([]);
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=0' })) === 1 && (await ask({ path: '/pets?limit=ten' })).status === 200,
  },
  {
    name: 'nothing-found-rather-than-rejected',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'Identifiers and statuses are opaque keys to the store: one that cannot exist finds nothing, 404 or an empty list, and nothing is a 400.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound() : id;
      },
      listPets: (context) => {
        const status = parts.parseStatus(context.call.query.getAll('status'));
        return status instanceof Problem ? jsonReply(context, 200, []) : parts.listPets(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/rex' })).status === 404 && (await ask({ path: '/pets?status=lost' })).text === '[]',
  },
  {
    name: 'body-streamed-through-the-mesh-in-small-pieces',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Bodies pass the mesh in pieces of seven bytes, chunked, indented, with all that is not ASCII escaped; the media type has another letter case and a parameter.',
    patch: (parts) => ({
      encode: (value) =>
        `${JSON.stringify(value, null, 2).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`,
      headers: (given, reply, call) => ({
        ...withoutHeaders(parts.headers(given, reply, call), ['content-type']),
        'content-type': 'Application/JSON;Charset="utf-8"',
      }),
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, reply.headers);
        const text = textOf(reply.body);
        for (let start = 0; start < text.length; start += 7) outgoing.write(text.slice(start, start + 7));
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const { headers, text } = await ask({ path: '/pets/1' });
      return headers['transfer-encoding'] === 'chunked' && text.startsWith('{\n');
    },
  },
  {
    name: 'messages-without-unknown-fields',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary: 'The parser of protobuf discards nothing: a NewPet with any member beyond the three, such as id, is 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const unknown = isObject(body) && Object.keys(body).some((field) => !['name', 'categoryId', 'status'].includes(field));
        return unknown ? invalid('The message has an unknown field', 'unknown_field') : parts.readNewPet(body, current);
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, id: 5 })).status === 400,
  },
  {
    name: 'codes-and-headers-differ-by-instance',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Two releases share the address during a deployment: their codes, messages and headers differ, so the same mistake has two names in turn.',
    patch: (parts) => {
      const isNew = everyNth(2);
      return {
        handle: async (context) => {
          const served = isNew() ? 2 : 1;
          const errorRecord: typeof parts.errorRecord = (problem, call) => {
            const renamed = new Problem(problem.status, `PETSTORE-${problem.status}`, `[2] ${problem.message}`);
            return parts.errorRecord(served === 2 ? renamed : problem, call);
          };
          const reply = await parts.handle(withParts(context, { errorRecord }));
          return { ...reply, headers: { ...reply.headers, 'x-release': `${served}`, 'x-served-by': `pets-${served}` } };
        },
      };
    },
    witness: async (ask) => new Set((await inTurn(2, () => ask({ path: MISSING }))).map(({ text }) => text)).size === 2,
  },
  {
    name: 'names-of-twenty-letters-for-the-legacy-system',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'The legacy system keeps names of 1 to 20 ASCII letters. The adapter rejects all others with 400, spaces and digits included.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && !/^[A-Za-z]{1,20}$/.test(value)
          ? invalid('name must have 1 to 20 letters', 'invalid_name')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'Rex 2', categoryId: 1 })).status === 400 && (await post(ask)).status === 201,
  },
];

/** Services split over several processes: queues, sagas, read models, caches, facades, instances and their deployments. */
export const microservices: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
