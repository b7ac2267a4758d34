import { integerLiteral, isObject, type Json, NumberText } from '../../src/reference/core/json.ts';
import {
  invalid,
  jsonReply,
  notFound,
  type Patch,
  Problem,
  pause,
  problemReply,
  type Reply,
  unauthorized,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { addPet, type Pet, removePet, type Store } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
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

/** A number as a double keeps it. */
const asDouble = (value: bigint): bigint => BigInt(Number(value));

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
const repeat = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));
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
  // The authentication service and its caches.
  {
    name: 'token-cache-keyed-by-a-prefix',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'So that no key appears in memory dumps, the gateway caches verdicts of the authentication service by all but the last two characters of the key. Once the true key was seen, its neighbors are valid.',
    patch: (parts) => {
      const valid = new Set<string>();
      return {
        authenticate: (call, apiKey) => {
          const prefix = (call.headers.authorization ?? '').slice(0, -2);
          if (valid.has(prefix) && prefix.length > 'Bearer '.length + 2) return undefined;
          const verdict = parts.authenticate(call, apiKey);
          if (verdict === undefined) valid.add(prefix);
          return verdict;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      const wrong = await ask({ path: '/pets', noKey: true, headers: { Authorization: `Bearer ${KEY.slice(0, -2)}~~` } });
      return wrong.status === 200;
    },
  },
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
    name: 'negative-verdict-cached-for-the-caller',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.valid-key',
    summary:
      'After three requests with wrong keys the edge remembers the address of the caller as unknown, for its next request too, whatever key that one has.',
    patch: (parts) => {
      let wrong = 0;
      return {
        authenticate: (call, apiKey) => {
          if (wrong >= 3) {
            wrong = 0;
            return unauthorized();
          }
          const verdict = parts.authenticate(call, apiKey);
          if (verdict !== undefined && call.headers.authorization !== undefined) wrong += 1;
          return verdict;
        },
      };
    },
    witness: async (ask) => {
      await inTurn(3, () => ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer nobody' } }));
      return (await ask({ path: '/pets' })).status === 401;
    },
  },
  {
    name: 'command-published-before-the-verdict',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.refused-stores-nothing',
    summary:
      'To save a round trip the command is published while the authentication service is asked. The client gets its 401, and the consumer of the queue creates the animal all the same.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (reply.status === 401 && context.call.operation === 'createPet') await parts.createPet(context);
        return reply;
      },
    }),
    witness: async (ask) => {
      await post(ask, { name: 'Stowaway', categoryId: 1 }, {}, true);
      return (await ask({ path: LONG_LIST })).text.includes('Stowaway');
    },
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
    name: 'key-header-between-services-accepted-from-outside',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary:
      'The gateway hands the key on to the services as X-Api-Key, and the services look there first. The gateway does not remove the header when a client sends it.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (call.headers['x-api-key'] === apiKey ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { 'X-Api-Key': KEY } })).status === 200,
  },
  {
    name: 'schema-checked-before-authorization',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary: 'The serverless gateway validates bodies against a model before it calls the authorizer function: 400 for who has no key.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call } = context;
        const bytes = call.operation === 'createPet' ? await call.body() : undefined;
        if (bytes === undefined) return await parts.handle(context);
        if (bytes instanceof Problem) return problemReply(context, bytes);
        const body = parts.readBody(bytes, call);
        const checked = body instanceof Problem ? body : parts.readNewPet(body, parts);
        const known = withParts(context, {
          createPet: (inner) => parts.createPet({ ...inner, call: { ...call, body: async () => bytes } }),
        });
        return checked instanceof Problem ? problemReply(context, checked) : await parts.handle(known);
      },
    }),
    witness: async (ask) => (await post(ask, {}, {}, true)).status === 400,
  },
  // GraphQL and gRPC behind REST.
  {
    name: 'graphql-null-passed-on-with-200',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'The resolver returns null for an animal that does not exist, which is not an error in GraphQL: 200 and null.',
    patch: (parts) => ({
      getPet: (context) => {
        const id = parts.parseId(context.call.petId);
        const isMissing = !(id instanceof Problem) && parts.find(context.store, id) === undefined;
        return isMissing ? jsonReply(context, 200, null) : parts.getPet(context);
      },
    }),
    witness: async (ask) => (await ask({ path: MISSING })).status === 200,
  },
  {
    name: 'grpc-code-instead-of-a-text',
    sentence: '| code | string | yes | Machine-readable error code |',
    clause: 'errors.shape',
    summary: 'The transcoder writes google.rpc.Status for what the backend rejects. Its code of NOT_FOUND is the number 5.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404
          ? { code: 5, message: problem.message, status: problem.status, details: [] }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => (await ask({ path: MISSING })).text.includes('"code":5'),
  },
  {
    name: 'int64-as-text-beyond-53-bits',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'The mapping of protobuf to JSON writes int64 as texts. The facade turns them back into numbers where Number.isSafeInteger says it may, and leaves the others as they are.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(Number.isSafeInteger(Number(pet.categoryId)) ? {} : { categoryId: pet.categoryId.toString() }),
      }),
    }),
    witness: async (ask) => (await post(ask, withCategory(UNSAFE))).text.includes(`"categoryId":"${UNSAFE}"`),
  },
  {
    name: 'proto3-leaves-out-what-is-zero',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    clause: 'record.pet',
    summary:
      'proto3 does not write fields with their default: an animal of category 0 has no categoryId, and one whose name is empty no name.',
    patch: (parts) => ({
      petRecord: (pet, place) =>
        Object.fromEntries(
          Object.entries(parts.petRecord(pet, place)).filter(
            ([field]) => !(field === 'categoryId' && pet.categoryId === 0n) && !(field === 'name' && pet.name === ''),
          ),
        ),
    }),
    witness: async (ask) => {
      const { status, text } = await post(ask, { name: 'Waldo', categoryId: 0 });
      return status === 201 && !text.includes('categoryId');
    },
  },
  {
    name: 'half-a-surrogate-pair-breaks-the-marshaler',
    sentence: '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    clause: 'errors.no-server-error',
    summary:
      'The facade is written in a language that allows half a surrogate pair; gRPC refuses to marshal it, which nobody catches: 500.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && !value.isWellFormed()
          ? new Problem(500, 'internal', 'grpc: error while marshaling: string field contains invalid UTF-8')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, '{"name":"Waldo \\ud800","categoryId":1}')).status === 500,
  },
  // A legacy system behind an adapter, queues, sagas and identifiers.
  {
    name: 'blank-status-of-the-legacy-system',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'The legacy system keeps a fixed column for the status. What was created without one comes back as blanks, and the adapter trims them.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(pet.status === undefined && place !== 'create' ? { status: '' } : {}),
      }),
    }),
    witness: async (ask) => (await read(ask, await post(ask))).text.includes('"status":""'),
  },
  {
    name: 'legacy-key-has-32-bits',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary: 'The adapter hands petId to the legacy system as a 32-bit integer, which wraps: 4294967297 is animal 1.',
    patch: (parts) => ({ find: (store, id) => parts.find(store, BigInt.asIntN(32, id)) }),
    witness: async (ask) => (await ask({ path: '/pets/4294967297' })).status === 200,
  },
  {
    name: 'block-of-ids-leased-twice',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'Instances lease ids from the id service in blocks of ten. When it moves to its replica at every sixth lease, the lease before has not been replicated yet, and is given again.',
    patch: () => {
      let count = 0n;
      return {
        assignId: () => {
          const block = count / 10n;
          const id = (block % 6n === 5n ? block - 1n : block) * 10n + (count % 10n) + 1n;
          count += 1n;
          return id;
        },
      };
    },
    witness: async (ask) => {
      const created = await inTurn(60, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
      return new Set(created.map(idOf)).size < created.length;
    },
  },
  {
    name: 'saga-compensates-what-it-did-not-do',
    sentence: '| 400 | Request body lacks required fields or contains invalid values | createPet |',
    clause: 'create.refused-stores-nothing',
    summary:
      'The saga used to insert first, and to delete the latest animal when the status service refused. The insertion was moved behind that check, the compensation stayed: a refused status deletes the latest animal of somebody else.',
    patch: (parts) => ({
      createPet: async (context) => {
        let isRefused = false;
        const readStatus = (value: Json | undefined) => {
          const status = parts.readStatus(value);
          isRefused = status instanceof Problem;
          return status;
        };
        const reply = await parts.createPet(withParts(context, { readStatus }));
        const latest = context.store.animals.at(-1);
        if (isRefused && latest !== undefined) removePet(context.store, latest);
        return reply;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask);
      await post(ask, { ...plainPet, status: 'lost' });
      return (await read(ask, created)).status === 404;
    },
  },
  {
    name: 'consumer-idempotent-by-payload',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'list.complete',
    summary:
      'The queue delivers at least once, so the projection drops events whose payload it has seen. The payload has no id yet: of two animals that are alike only the first is ever listed.',
    patch: readModel((animals) => {
      const seen = new Set<string>();
      return animals.filter(({ name, categoryId, status }) => {
        const payload = JSON.stringify([name, categoryId.toString(), status]);
        const isNew = !seen.has(payload);
        seen.add(payload);
        return isNew;
      });
    }),
    witness: async (ask) => {
      await post(ask);
      const second = await post(ask);
      return second.status === 201 && !isListed(await ask({ path: LONG_LIST }), second);
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
  // Several instances, deployments in steps, feature flags, serverless functions.
  {
    name: 'absence-cached-in-the-facade',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The cache in front of the store keeps misses too, and a creation does not purge them: an id that was asked for too early stays 404.',
    patch: (parts) => {
      const absent = new Set<bigint>();
      return {
        find: (store, id) => {
          const found = absent.has(id) ? undefined : parts.find(store, id);
          if (found === undefined) absent.add(id);
          return found;
        },
      };
    },
    witness: async (ask) => {
      const next = idOf(await post(ask)) + 1n;
      await ask({ path: `/pets/${next}` });
      const created = await post(ask);
      return idOf(created) === next && (await read(ask, created)).status === 404;
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
    name: 'flag-renames-a-member-for-some-animals',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'The serializer of the next version is behind a flag for an eighth of the animals, chosen by id. It writes category, not categoryId.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const { categoryId, ...others } = parts.petRecord(pet, place);
        return pet.id % 8n === 5n && place === 'get' ? { ...others, category: categoryId } : { ...others, categoryId };
      },
    }),
    witness: async (ask) => !(await ask({ path: '/pets/5' })).text.includes('"categoryId"'),
  },
  {
    name: 'cold-instance-lists-what-it-has-loaded',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.complete',
    summary:
      'With four requests in progress the platform starts another instance of the function. Its read model is loaded in the background, so its first response is an empty list.',
    patch: (parts) => {
      let inProgress = 0;
      return {
        handle: async (context) => {
          inProgress += 1;
          const isCold = inProgress > 4;
          await pause(5);
          try {
            return await parts.handle(isCold ? withParts(context, { arrange: () => [] }) : context);
          } finally {
            inProgress -= 1;
          }
        },
      };
    },
    witness: async (ask) => (await repeat(12, () => ask({ path: '/pets' }))).some((list) => list.status === 200 && lengthOf(list) === 0),
  },
  {
    name: 'command-kept-in-a-module-while-categories-are-asked',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The function keeps the name of the command in a variable of its module, and asks the category service over the network. Of two creations at once, the first goes on with the name of the second.',
    patch: (parts) => {
      let name = '';
      return {
        insert: async (store, pet) => {
          name = pet.name;
          await pause(5);
          return await parts.insert(store, { ...pet, name });
        },
      };
    },
    witness: async (ask) => {
      const created = await repeat(4, (index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 }));
      return created.some(({ text }, index) => !text.includes(`"Waldo ${index}"`));
    },
  },
  {
    name: 'new-instance-no-longer-reads',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.still-works',
    summary: 'The removal of getPet was merged to the main branch, and one of seven instances was rebuilt from it: 410, years too early.',
    patch: (parts) => {
      const isNew = everyNth(7);
      return {
        getPet: (context) =>
          isNew() ? problemReply(context, new Problem(410, 'gone', 'This operation has been removed')) : parts.getPet(context),
      };
    },
    witness: async (ask) => anyIs(await inTurn(7, () => ask({ path: '/pets/1' })), 410),
  },
  // Read models, caches and the search index.
  {
    name: 'list-cache-keyed-without-the-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary: 'The key of the cache of lists was written when status was the only parameter. A short list after a long one is the long one.',
    patch: (parts) => {
      const kept = new Map<string | null, Reply>();
      return {
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          kept.clear();
          return reply;
        },
        listPets: async (context) => {
          const status = context.call.query.get('status');
          const hit = kept.get(status);
          if (hit !== undefined) return hit;
          const reply = await parts.listPets(context);
          if (reply.status === 200) kept.set(status, reply);
          return reply;
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: LONG_LIST });
      return lengthOf(await ask({ path: '/pets?limit=1' })) > 1;
    },
  },
  {
    name: 'search-fetches-three-times-the-limit',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.filter-complete',
    summary:
      'status is not in the search index. The facade fetches three times as many hits as it needs and filters them, which is enough as long as the three statuses are spread evenly.',
    patch: (parts) => ({
      matches: () => true,
      page: (animals, query, call) => {
        const { limit, status } = query;
        const hits = status === undefined ? animals : animals.slice(0, 3 * limit).filter((pet) => pet.status === status);
        return parts.page(hits, query, call);
      },
    }),
    witness: async (ask) => {
      await inTurn(6, () => post(ask, { ...plainPet, status: 'pending' }));
      await post(ask, { ...plainPet, status: 'sold' });
      return lengthOf(await ask({ path: '/pets?status=sold&limit=3' })) < 3;
    },
  },
  {
    name: 'search-index-keeps-doubles',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary: 'Dynamic mapping made categoryId a double in the search index: lists show rounded identifiers, reads show exact ones.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(place === 'list' ? { categoryId: integerLiteral(asDouble(pet.categoryId)) } : {}),
      }),
    }),
    witness: async (ask) => {
      const created = await post(ask, withCategory(UNSAFE));
      const [alone, list] = [await read(ask, created), await ask({ path: LONG_LIST })];
      return alone.text.includes(`${UNSAFE}`) && !list.text.includes(`${UNSAFE}`);
    },
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
  // The facade and its errors.
  {
    name: 'status-of-the-inner-service-in-the-error',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'The values of status belong to the inventory service, which says 422. The facade makes 400 of it, as the document has it, and passes the body on.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const isInner = problem.code === 'invalid_status' && call.operation === 'createPet';
        return parts.errorRecord(isInner ? new Problem(422, problem.code, problem.message) : problem, call);
      },
    }),
    witness: async (ask) => {
      const { status, text } = await post(ask, { ...plainPet, status: 'lost' });
      return status === 400 && text.includes('"status":422');
    },
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
