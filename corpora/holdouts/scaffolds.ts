import { sameKey } from '../../src/reference/core/base.ts';
import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import { isObject, type Json, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  notFound,
  Problem,
  pause,
  problemReply,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { type NewPet, STATUSES, type Store } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

const FIELDS = ['name', 'categoryId', 'status'] as const;
const LONG_PAGE = '/pets?limit=100';
const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** A member name as the field that it equals in lower case, if there is one. */
const fieldOf = (name: string): string => FIELDS.find((field) => field.toLowerCase() === name.toLowerCase()) ?? name;

/** The element of an array of one; anything else as it is. */
function unwrapped(value: Json | undefined): Json | undefined {
  return Array.isArray(value) && value.length === 1 ? (value as readonly Json[])[0] : value;
}

/** The five replacements that `escape` of validator.js makes in attributes and text. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#x27;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The categories of the animals that were there at the start: the rows of a categories table that nobody extends. */
const seededCategories = (store: Store): ReadonlySet<bigint> =>
  new Set(store.animals.filter(({ createdAt }) => createdAt === 0).map(({ categoryId }) => categoryId));

/** An integer that a double cannot hold, as text. */
const textIfUnsafe = (value: bigint, shown: unknown): unknown => (value > LARGEST_SAFE || value < -LARGEST_SAFE ? value.toString() : shown);

/** The name in a body that is a record. */
const nameIn = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Filters for authentication.
  {
    name: 'security-matcher-without-the-subpaths',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'Spring Security protects requestMatchers("/v1/pets") and permits the rest. The pattern does not cover /v1/pets/7, which anybody reads.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (call.operation === 'getPet' ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1', noKey: true })).status === 200,
  },
  {
    name: 'guard-takes-the-second-word',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.wrong-scheme',
    summary:
      "The scaffolded guard takes authorization.split(' ')[1]: nobody looks at the first word, so Basic and Token do as well, and a third word is ignored.",
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const token = call.headers.authorization?.split(' ')[1];
        return token !== undefined && sameKey(token, apiKey) ? undefined : parts.authenticate(call, apiKey);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: `Token ${KEY}` } })).status === 200,
  },
  {
    name: 'model-binding-before-the-guard',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'The request validator made from the interface description is mounted before the authentication middleware: strangers with a faulty body are told what is wrong with it.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call } = context;
        const rejection = parts.authenticate(call, context.apiKey);
        if (rejection === undefined || call.operation !== 'createPet') return await parts.handle(context);
        const bytes = await call.body();
        const body = bytes instanceof Problem ? bytes : parts.readBody(bytes, call);
        const read = body instanceof Problem ? body : parts.readNewPet(body, context.parts);
        return problemReply(context, read instanceof Problem ? read : rejection);
      },
    }),
    witness: async (ask) => (await post(ask, {}, {}, true)).status === 400,
  },
  {
    name: 'session-authentication-left-on',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.header-only',
    summary:
      'The default authentication classes of Django REST framework stayed in the settings: a request with the key logs in, and the session cookie alone is sufficient from then on.',
    patch: (parts) => {
      const sessions = new Set<string>();
      return {
        authenticate: (call, apiKey) => {
          const session = /(?:^|;\s*)sessionid=([^;]+)/.exec(call.headers.cookie ?? '')?.[1];
          return session !== undefined && sessions.has(session) ? undefined : parts.authenticate(call, apiKey);
        },
        headers: (given, reply, call) => {
          const made = parts.headers(given, reply, call);
          if (reply.status >= 300 || call.headers.cookie !== undefined) return made;
          const session = `s${sessions.size + 1}`;
          sessions.add(session);
          return { ...made, 'set-cookie': `sessionid=${session}; HttpOnly; Path=/` };
        },
      };
    },
    witness: async (ask) => {
      await ask({ path: '/pets' });
      return (await ask({ path: '/pets', noKey: true, headers: { Cookie: 'sessionid=s1' } })).status === 200;
    },
  },
  {
    name: 'token-guard-reads-the-query',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary: 'The token guard of Laravel looks for api_token in the query before it looks for a bearer credential, as its manual says.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (sameKey(call.query.get('api_token') ?? '', apiKey) ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => (await ask({ path: `/pets?api_token=${KEY}`, noKey: true })).status === 200,
  },

  // Lists.
  {
    name: 'first-enum-constant-is-falsy',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary: 'The generated enum counts from 0, and the handler says if (status): a filter by the first constant, available, is no filter.',
    patch: (parts) => ({
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status === STATUSES[0] ? undefined : status;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=available' })).text.includes('"sold"'),
  },
  {
    name: 'pageable-overrides-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.unknown-parameters',
    summary:
      'The resolver for Pageable takes over as soon as the query has a page. It knows size, not limit, and returns its 20 although limit says 2.',
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, call.query.has('page') ? { ...query, limit: 20 } : query, call),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=2&page=0' })) > 2,
  },
  {
    name: 'empty-list-is-no-content',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary: 'The scaffold ends with pets.isEmpty() ? noContent() : ok(pets): a filter that matches nothing gets 204 and no body.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        return reply.status === 200 && textOf(reply.body) === '[]'
          ? { status: 204, headers: withoutHeaders(reply.headers, ['content-type']), body: '' }
          : reply;
      },
    }),
    seedAnimals: 1,
    witness: async (ask) => (await ask({ path: '/pets?status=sold' })).status === 204,
  },
  {
    name: 'list-of-one-unwrapped',
    sentence: 'A JSON array of Pet records.',
    clause: 'record.pets',
    summary: 'WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED was switched on for another endpoint, in the mapper of all: a list of one is that animal.',
    patch: (parts) => ({ listBody: (records) => (records.length === 1 ? records[0] : parts.listBody(records)) }),
    witness: async (ask) => (await ask({ path: '/pets?limit=1' })).text.startsWith('{'),
  },
  {
    name: 'eager-category-is-an-inner-join',
    sentence: 'Keep only animals with this status',
    clause: 'list.complete',
    summary:
      'The entity joins its category eagerly, as a required relation: the query for lists becomes an inner join, and animals of categories without a row are never listed. A read by id does without the join.',
    patch: (parts) => ({
      arrange: (store) => {
        const known = seededCategories(store);
        return parts.arrange(store).filter(({ categoryId }) => known.has(categoryId));
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 987654 });
      return !(await ask({ path: LONG_PAGE })).text.includes(`"id":${idOf(created)},`);
    },
  },

  // Creations.
  {
    name: 'zero-values-omitted-by-omitempty',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary: 'The generated Go struct has omitempty everywhere: category 0 and an empty name are accepted, and missing in every response.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        if (pet.categoryId === 0n) delete record['categoryId'];
        if (pet.name === '') delete record['name'];
        return record;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 0 });
      return created.status === 201 && !created.text.includes('categoryId');
    },
  },
  {
    name: 'members-matched-in-any-letter-case',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'The decoder of the generated models (Go, and ASP.NET with its web defaults) matches names in any case: NAME is taken for name.',
    patch: (parts) => ({
      readNewPet: (body, current) =>
        parts.readNewPet(
          isObject(body) ? Object.fromEntries(Object.entries(body).map(([name, value]) => [fieldOf(name), value])) : body,
          current,
        ),
    }),
    witness: async (ask) => (await post(ask, { Name: 'Waldo', categoryId: 1 })).status === 201,
  },
  {
    name: 'missing-category-binds-to-zero',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary: '[Required] on a long that cannot be null is always satisfied: model binding leaves 0 where the body has no categoryId.',
    patch: (parts) => ({ readCategory: (value) => (value === undefined ? 0n : parts.readCategory(value)) }),
    witness: async (ask) => (await post(ask, { name: 'Waldo' })).status === 201,
  },
  {
    name: 'status-by-its-ordinal',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary: 'The enum converter of the framework reads numbers as ordinals unless told otherwise: status 2 creates a sold animal.',
    patch: (parts) => ({
      readStatus: (value) => parts.readStatus(value instanceof NumberText ? (STATUSES[Number(value.text)] ?? value) : value),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 2 })).text.includes('"sold"'),
  },
  {
    name: 'missing-status-serialized-as-null',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary: 'The response model declares status as optional with None, and the serializer writes what is not set: "status": null.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? null }),
    }),
    witness: async (ask) => (await post(ask)).text.includes('"status":null'),
  },
  {
    name: 'created-record-shows-the-constant',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.answer',
    summary:
      'Lists and reads go through the mapper, which takes getValue() of the enum. The action for creations maps by hand with name(): SOLD.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'create' ? { ...record, status: pet.status?.toUpperCase() } : record;
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 'sold' })).text.includes('"SOLD"'),
  },
  {
    name: 'reader-stops-after-the-object',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary: 'The message converter reads one value and leaves FAIL_ON_TRAILING_TOKENS off: what follows the object is not even looked at.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const whole = parts.readBody(bytes, call);
        if (!(whole instanceof Problem)) return whole;
        let end = bytes.indexOf(0x7d);
        for (let tries = 0; end >= 0 && tries < 20; tries += 1) {
          const value = parts.readBody(bytes.subarray(0, end + 1), call);
          if (!(value instanceof Problem)) return value;
          end = bytes.indexOf(0x7d, end + 1);
        }
        return whole;
      },
    }),
    witness: async (ask) => (await post(ask, `${JSON.stringify(plainPet)} trailing`)).status === 201,
  },
  {
    name: 'arrays-of-one-value-unwrapped',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.name-type',
    summary:
      'UNWRAP_SINGLE_VALUE_ARRAYS, copied from the configuration of another service: name ["Waldo"] and categoryId [1] are accepted.',
    patch: (parts) => ({
      readName: (value) => parts.readName(unwrapped(value)),
      readCategory: (value) => parts.readCategory(unwrapped(value)),
      readStatus: (value) => parts.readStatus(unwrapped(value)),
    }),
    witness: async (ask) => (await post(ask, { name: ['Waldo'], categoryId: 1 })).status === 201,
  },
  {
    name: 'params-merge-query-and-body',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary: 'params of Rails, or input() of Laravel, is query and body in one: a body without name is complete if the query has one.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return body instanceof Problem || !isObject(body) ? body : { ...Object.fromEntries(call.query), ...body };
      },
    }),
    witness: async (ask) => (await ask({ method: 'POST', path: '/pets?name=Waldo', body: '{"categoryId":1}' })).status === 201,
  },
  {
    name: 'sanitizer-escapes-names',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.answer',
    summary:
      "The scaffolded chain body('name').isString().escape() rewrites the body before the handler sees it: O'Hara becomes O&#x27;Hara.",
    patch: (parts) => ({ readName: (value) => parts.readName(typeof value === 'string' ? escaped(value) : value) }),
    witness: async (ask) => nameIn(await post(ask, { name: 'Salt & Pepper', categoryId: 1 })) === 'Salt &amp; Pepper',
  },
  {
    name: 'boolean-is-an-int-of-python',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary: 'The check isinstance(value, int) of the generated model holds for booleans: categoryId true is category 1.',
    patch: (parts) => ({ readCategory: (value) => (typeof value === 'boolean' ? BigInt(value) : parts.readCategory(value)) }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: true })).text.includes('"categoryId":1,'),
  },
  {
    name: 'messages-as-an-array',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary: 'The validation pipe of NestJS collects its messages in an array, which the exception filter passes on: message is no string.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const { code, message, status } = problem;
        const isValidation = code === 'invalid_name' || code === 'invalid_category' || code === 'invalid_status';
        return isValidation && call.operation === 'createPet' ? { code, message: [message], status } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => (await post(ask, {})).text.includes('"message":['),
  },
  {
    name: 'first-or-create-returns-the-older',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'A seeding task with firstOrCreate(name) was reused for the endpoint: with a name that is taken, the response is 201 and shows the older animal, and nothing is created.',
    patch: (parts) => ({
      insert: (store, pet) => store.animals.find(({ name }) => name === pet.name) ?? parts.insert(store, pet),
    }),
    witness: async (ask) => {
      const first = await post(ask, { name: 'Waldo', categoryId: 1 });
      const second = await post(ask, { name: 'Waldo', categoryId: 2 });
      return second.status === 201 && idOf(first) === idOf(second);
    },
  },
  {
    name: 'bound-model-in-a-field-of-the-singleton',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.independent',
    summary:
      'The controller keeps the bound model in a field, and the container makes one controller for all requests. The save waits for the database: by then the field may hold the animal of another request.',
    patch: (parts) => {
      let bound: NewPet | undefined;
      return {
        readNewPet: (body, current) => {
          const read = parts.readNewPet(body, current);
          if (!(read instanceof Problem)) bound = read;
          return read;
        },
        insert: async (store, pet) => {
          await pause(3);
          const { name, categoryId } = bound ?? pet;
          return await parts.insert(store, { ...pet, name, categoryId });
        },
      };
    },
    witness: async (ask) => {
      const names = Array.from({ length: 20 }, (_, index) => `Waldo ${index}`);
      const created = await Promise.all(names.map((name) => post(ask, { name, categoryId: 1 })));
      return created.some((response, index) => nameIn(response) !== names[index]);
    },
  },

  // Reads by id.
  {
    name: 'route-constraint-answers-without-a-body',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The route template is pets/{petId:int}, and int has 32 bits. A larger id matches no route: the framework answers 404 by itself, with no body, and the filter for errors never runs.',
    patch: (parts) => ({
      getPet: (context) => {
        const id = parseInteger(context.call.petId);
        return id === undefined || BigInt.asIntN(32, id) !== id ? { status: 404, headers: {}, body: '' } : parts.getPet(context);
      },
    }),
    witness: async (ask) => {
      const response = await ask({ path: '/pets/4294967296123' });
      return response.status === 404 && response.text === '';
    },
  },
  {
    name: 'path-parameter-cast-to-32-bits',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    clause: 'get.not-found',
    summary:
      'The generated stub takes an int64, the repository a u32, and the handler written by hand joins them with as: id 4294967297 reads animal 1.',
    patch: (parts) => ({ find: (store, id) => parts.find(store, BigInt.asUintN(32, id)) }),
    witness: async (ask) => (await ask({ path: '/pets/4294967297' })).status === 200,
  },
  {
    name: 'example-of-the-stub-for-unknown-animals',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The implementation returns Optional.empty() for an unknown id, and the default method of the generated interface takes over: 200 with the example of the description.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        return reply.status === 404 ? jsonReply(context, 200, { id: 0, name: 'string', categoryId: 0, status: 'available' }) : reply;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"name":"string"'),
  },
  {
    name: 'positive-annotation-on-the-path-parameter',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'Someone added @Positive to the parameter. It is an int64 without a minimum: for 0 and negative ids the response is 400, where the document has 404.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return !(id instanceof Problem) && id < 1n ? invalid('petId must be greater than 0', 'invalid_id') : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/0' })).status === 400,
  },
  {
    name: 'sunset-converted-from-local-midnight',
    sentence: 'The operation is deprecated and is scheduled for removal on 5 December 2030.',
    clause: 'deprecation.date-agrees',
    summary: 'The annotation has a local date. The filter takes midnight in Berlin and writes it in GMT: Sunset names 4 December.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const made = parts.headers(given, reply, call);
        return call.operation === 'getPet' ? { ...made, sunset: 'Wed, 04 Dec 2030 23:00:00 GMT' } : made;
      },
    }),
    witness: async (ask) => ((await ask({ path: '/pets/1' })).headers['sunset'] ?? '').includes('04 Dec'),
  },

  // Serializers and error handlers.
  {
    name: 'unsafe-integers-written-as-text',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary: 'A serializer for the front end writes integers beyond 2^53 as text, the others as numbers. No animal of the team has one.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return {
          ...record,
          id: textIfUnsafe(pet.id, record['id']),
          categoryId: textIfUnsafe(pet.categoryId, record['categoryId']),
        };
      },
    }),
    witness: async (ask) =>
      (await post(ask, '{"name":"Waldo","categoryId":9007199254740993}')).text.includes('"categoryId":"9007199254740993"'),
  },
  {
    name: 'code-is-a-number-as-in-the-template',
    sentence: '| code | string | yes | Machine-readable error code |',
    clause: 'errors.shape',
    summary:
      'The handler for what is not found came with the template, whose Error has code as int32. The other handlers were adapted, this one was not.',
    patch: (parts) => ({
      errorRecord: (problem, call) =>
        problem.status === 404
          ? { code: problem.status, message: problem.message, status: problem.status }
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"code":404'),
  },
  {
    name: 'browsable-page-for-browsers',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary: 'The browsable renderer of the framework is still among the defaults: a client whose Accept prefers text/html gets a page.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (!/^\s*text\/html\b/.test(context.call.headers.accept ?? '')) return reply;
        const body = `<!DOCTYPE html><title>Pets</title><pre>${escaped(textOf(reply.body))}</pre>`;
        return { ...reply, headers: { ...reply.headers, 'content-type': 'text/html; charset=utf-8' }, body };
      },
    }),
    witness: async (ask) => !parses(await ask({ path: '/pets', headers: { Accept: 'text/html,*/*;q=0.8' } })),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'zero-category-counts-as-missing',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'The tag binding:"required" of the generated struct refuses zero values: 400 for category 0, which no category has.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        return category === 0n ? invalid('CategoryId failed on the required tag', 'required') : category;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 0 })).status === 400,
  },
  {
    name: 'blank-names-refused',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: '@NotBlank and @Size(max = 40) on the generated model: names of spaces only, or of more than 40 characters, are 400.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' && (name.trim() === '' || name.length > 40)
          ? invalid('size must be between 1 and 40', 'Size')
          : name;
      },
    }),
    witness: async (ask) => (await post(ask, { name: '  ', categoryId: 1 })).status === 400,
  },
  {
    name: 'members-beyond-the-model-forbidden',
    sentence: 'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    summary: 'additionalProperties is false in the generated validator: any further member, id included, is 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const further = isObject(body) ? Object.keys(body).find((name) => !FIELDS.some((field) => field === name)) : undefined;
        return further === undefined ? parts.readNewPet(body, current) : invalid('There is a member that should not exist', 'whitelist');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, id: 5 })).status === 400,
  },
  {
    name: 'other-media-types-unsupported',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The action consumes application/json only: for anything else, or no Content-Type at all, the framework answers 415, as an Error.',
    patch: (parts) => ({
      createPet: (context) =>
        /^application\/json\s*(?:;|$)/i.test(context.call.headers['content-type'] ?? '')
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Content-Type must be application/json')),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'application/vnd.api+json' })).status === 415,
  },
  {
    name: 'slash-at-the-end-is-ignored',
    sentence: '`GET /pets/{petId}`',
    summary:
      'The router matches with or without a slash at the end, as older versions of the framework did: /pets/ is the list, /pets/7/ an animal.',
    patch: (parts) => ({
      dispatch: (context) => parts.dispatch({ ...context, call: respelled(context.call, dropLastSlash) ?? context.call }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1/' })).status === 200 && lengthOf(await ask({ path: '/pets/' })) === 8,
  },
  {
    name: 'query-binding-falls-back-to-defaults',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'The binder of the query drops what does not fit the type: with a limit or status that is not valid, the list is as without it.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit instanceof Problem ? 20 : limit;
      },
      parseStatus: (texts) => {
        const status = parts.parseStatus(texts);
        return status instanceof Problem ? undefined : status;
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=abc&status=eaten' })) === 8,
  },
  {
    name: 'route-pattern-without-letters',
    sentence: '`404` with an Error body when the animal does not exist.',
    summary:
      'The pattern of the route is /pets/<int:petId>: what is not an int64 matches no route, and gets the 404 of the router, as an Error.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('There is no such route') : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/abc' })).status === 404,
  },
  {
    name: 'snowflake-ids-with-gaps',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'The scaffold for ids takes snowflakes of 63 bits: beyond 2^53, and with gaps of 4096.',
    patch: (parts) => ({ assignId: (store, body) => 2n ** 62n + parts.assignId(store, body) * 4096n }),
    witness: async (ask) => idOf(await post(ask)) > LARGEST_SAFE,
  },
  {
    name: 'unset-status-left-out',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'The model has no default, and the serializer excludes what is not set: an animal created without a status shows none.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const created = await post(ask);
      return created.status === 201 && !created.text.includes('"status"');
    },
  },
  {
    name: 'error-attributes-of-the-framework-added',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The error attributes of Spring were kept and completed: timestamp, error, path and errors stand beside code, message and status.',
    patch: () => ({
      errorRecord: ({ code, message, status }, call) => ({
        ...{ timestamp: '2025-01-01T00:00:00.000+00:00', status, error: 'Rejected', path: call.target },
        ...{ code: code.toUpperCase(), message, errors: [{ field: null, defaultMessage: message }] },
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"timestamp"'),
  },
  {
    name: 'messages-in-the-language-of-the-client',
    sentence: '| message | string | yes | Human-readable description |',
    summary: 'The message source of the framework goes by Accept-Language: German clients read German, with umlauts; code stays the same.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const { code, status } = problem;
        const isGerman = /^de\b/i.test(call.headers['accept-language'] ?? '');
        return isGerman ? { code, message: 'Ungültige Anfrage: bitte prüfen', status } : parts.errorRecord(problem, call);
      },
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), vary: 'Accept-Language' }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999', headers: { 'Accept-Language': 'de-DE' } })).text.includes('Ungültige'),
  },
  {
    name: 'category-must-exist',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'belongs_to is required by default: "Category must exist" is 400 for every category beyond those of the first animals.',
    patch: (parts) => ({
      createPet: (context: Context) => {
        const known = seededCategories(context.store);
        const readCategory = (value: Json | undefined): bigint | Problem => {
          const category = parts.readCategory(value);
          return category instanceof Problem || known.has(category) ? category : invalid('Category must exist', 'category_missing');
        };
        return parts.createPet(withParts(context, { readCategory }));
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 987654 })).status === 400,
  },
  {
    name: 'newest-first-by-the-default-scope',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'The scaffolded model orders by -id: the newest animal comes first, and the older ones are beyond the page.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).toReversed() }),
    witness: async (ask) => {
      const created = await post(ask);
      return idOf(await ask({ path: '/pets?limit=1' })) === idOf(created);
    },
  },
  {
    name: 'indented-json-in-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The debug renderer indents by four, escapes everything beyond ASCII, and ends with a line break; the media type has a charset.',
    patch: (parts) => ({
      encode: (value) =>
        `${JSON.stringify(value, null, 4)}\n`.replace(
          /[\u007f-\uffff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
        ),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'Application/JSON; Charset="utf-8"' }),
    }),
    witness: async (ask) => {
      const { text } = await post(ask, { name: 'Zoë', categoryId: 1 });
      return text.includes('Zo\\u00eb') && text.endsWith('}\n');
    },
  },
];

/** Services generated from an interface description, or scaffolded by a framework. */
export const scaffolds: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
