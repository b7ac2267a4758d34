import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import { isObject, type Json } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  jsonReply,
  notFound,
  Problem,
  problemReply,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import type { Store } from '../../src/reference/core/store.ts';
import type { Holdout } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

const FIELDS = ['name', 'categoryId', 'status'] as const;
const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/** The element of an array of one; anything else as it is. */
function unwrapped(value: Json | undefined): Json | undefined {
  return Array.isArray(value) && value.length === 1 ? (value as readonly Json[])[0] : value;
}

/** The categories of the animals that were there at the start: the rows of a categories table that nobody extends. */
const seededCategories = (store: Store): ReadonlySet<bigint> =>
  new Set(store.animals.filter(({ createdAt }) => createdAt === 0).map(({ categoryId }) => categoryId));

const faults: readonly Omit<Holdout, 'kind'>[] = [
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
