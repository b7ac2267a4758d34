import { INT64_RANGE, isInt64, isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import { type Context, invalid, type Parts, Problem, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet, STATUSES } from '../../src/reference/core/store.ts';
import type { Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

type Members = { readonly [member: string]: Json };

const INT32_RANGE = { smallest: -(2n ** 31n), largest: 2n ** 31n - 1n } as const;
const FIELDS = ['name', 'categoryId', 'status'] as const;

/** The members except one. */
const without = (members: Members, dropped: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => name !== dropped));

/** The text up to the end of its first object, which is all that a stream decoder reads. */
function firstObject(text: string): string {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}]/gs)) {
    if (token === '{') depth += 1;
    if (token === '}') depth -= 1;
    if (token === '}' && depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

/** The members with the names of the fields, whatever the letter case they were sent in. */
function foldMembers(members: Members): Members {
  const canonical = (name: string) => FIELDS.find((field) => field.toLowerCase() === name.toLowerCase()) ?? name;
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [canonical(name), value]));
}

/** What JToken makes of a text that looks like a date and time, once it is a text again. */
function afterDateParsing(text: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z?$/.exec(text) ?? [];
  return year === undefined ? text : `${month}/${day}/${year} ${time}`;
}

/** The characters that validator.js escapes. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;', '/': '&#x2F;', '\\': '&#x5C;', '`': '&#96;' },
};
const escapeHtml = (text: string): string => text.replace(/[&<>"'/\\`]/g, (character) => ENTITIES[character] ?? character);

/** What is wrong with the body of a creation, if anything. */
async function bodyProblem({ call, parts }: Context): Promise<Problem | undefined> {
  const bytes = await call.body();
  const body = bytes instanceof Problem ? bytes : parts.readBody(bytes, call);
  const read = body instanceof Problem ? body : parts.readNewPet(body, parts);
  return read instanceof Problem ? read : undefined;
}

/** An animal whose status is shown as null. */
function withNullStatus(newPet: NewPet): NewPet {
  const kept: NewPet & Pick<Pet, 'raw'> = { ...newPet, raw: { status: null } };
  return kept;
}

/** The code unit as JSON can spell it in ASCII. */
const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** A server error as the catch-all handler writes it. */
const serverError = (): Problem => new Problem(500, 'internal_error', 'Something went wrong');

/** Refuses a category after it has been read. */
const categoryExcept =
  (isRefused: (category: bigint) => boolean, refuse: () => Problem) =>
  (parts: Parts): Partial<Parts> => ({
    readCategory: (value) => {
      const category = parts.readCategory(value);
      return typeof category === 'bigint' && isRefused(category) ? refuse() : category;
    },
  });

// What witnesses share.
const created = ({ status }: HttpResponse): boolean => status === 201;
const objectIn = ({ text }: HttpResponse): Readonly<Record<string, unknown>> => JSON.parse(text) as Record<string, unknown>;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Coercion.
  {
    name: 'ajv-unwraps-an-array-for-name',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.name-type',
    summary:
      'coerceTypes: "array" was set so that a query parameter could be sent once or twice. The same Ajv validates bodies, and unwraps ["Rex"] for the string name.',
    patch: (parts) => ({
      readName: (value) => parts.readName(Array.isArray(value) && value.length === 1 ? (value as readonly Json[])[0] : value),
    }),
    witness: async (ask) => created(await post(ask, { ...plainPet, name: ['Waldo'] })),
  },
  {
    name: 'jackson-reads-a-status-by-its-ordinal',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'Jackson reads enums from integers by default (FAIL_ON_NUMBERS_FOR_ENUMS is off): status 2 is sold. Nobody tested a number, since 3 is properly refused.',
    patch: (parts) => ({
      readStatus: (value) =>
        value instanceof NumberText && /^[0-2]$/.test(value.text) ? STATUSES[Number(value.text)] : parts.readStatus(value),
    }),
    witness: async (ask) => objectIn(await post(ask, { ...plainPet, status: 2 }))['status'] === 'sold',
  },
  {
    name: 'laravel-turns-an-empty-status-into-none',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.status-invalid',
    summary:
      'The global middleware TrimStrings and ConvertEmptyStringsToNull run before the rule nullable|in:available,pending,sold: a blank status passes as if it had been omitted.',
    patch: (parts) => ({
      readStatus: (value) => (typeof value === 'string' && value.trim() === '' ? undefined : parts.readStatus(value)),
    }),
    witness: async (ask) => created(await post(ask, { ...plainPet, status: '' })),
  },
  {
    name: 'strong-parameters-drop-a-structured-status',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.status-invalid',
    summary:
      'permit(:name, :categoryId, :status) lets only scalars through. An array or an object as status is dropped in silence before the validation sees it, and 201 shows the default.',
    patch: (parts) => ({
      readStatus: (value) => parts.readStatus(value !== undefined && (Array.isArray(value) || isObject(value)) ? undefined : value),
    }),
    witness: async (ask) => created(await post(ask, { ...plainPet, status: ['sold'] })),
  },
  {
    name: 'class-validator-optional-keeps-null',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'create.status-invalid',
    summary:
      '@IsOptional() skips the other decorators for null as well as for undefined. The null is saved, shown in every response, and no filter finds the animal.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body) || member(body, 'status') !== null) return parts.readNewPet(body, current);
        const read = parts.readNewPet(without(body, 'status'), current);
        return read instanceof Problem ? read : withNullStatus(read);
      },
      matches: (pet, status) => pet.raw?.['status'] !== null && parts.matches(pet, status),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: null })).text.includes('"status":null'),
  },
  {
    name: 'go-zero-value-for-a-missing-category',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'The struct has CategoryID int64, not a pointer, and validate:"required" was removed because it refused category 0. A body without categoryId now creates an animal of category 0; null is refused by the schema at the gateway.',
    patch: (parts) => ({ readCategory: (value) => (value === undefined ? 0n : parts.readCategory(value)) }),
    witness: async (ask) => (await post(ask, { name: 'Waldo' })).text.includes('"categoryId":0'),
  },
  {
    name: 'encoding-json-takes-members-in-any-case',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'encoding/json matches members to struct fields without regard to letter case: {"Name": …, "CATEGORYID": …} is a complete NewPet.',
    patch: (parts) => ({ readNewPet: (body, current) => parts.readNewPet(isObject(body) ? foldMembers(body) : body, current) }),
    witness: async (ask) => created(await post(ask, { Name: 'Waldo', categoryId: 1 })),
  },
  {
    name: 'go-decoder-stops-after-the-first-value',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'create.body-json',
    summary:
      'json.NewDecoder(r.Body).Decode(&pet) reads one value of a stream and leaves the rest: a NewPet followed by anything, even by a second NewPet, is 201.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const read = parts.readBody(bytes, call);
        return read instanceof Problem ? parts.readBody(Buffer.from(firstObject(textOf(bytes))), call) : read;
      },
    }),
    witness: async (ask) => created(await post(ask, '{"name":"Waldo","categoryId":1} trailing')),
  },
  {
    name: 'serde-struct-from-a-sequence',
    sentence: 'Request body (required, `application/json`): NewPet.',
    clause: 'create.body-object',
    summary:
      'derive(Deserialize) also implements visit_seq, so serde_json fills the struct from an array in the order of its fields: ["Rex", 1] and ["Rex", 1, "sold"] create animals.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const [name, categoryId, status, ...rest]: readonly Json[] = Array.isArray(body) ? (body as readonly Json[]) : [];
        if (name === undefined || categoryId === undefined || rest.length > 0) return parts.readNewPet(body, current);
        return parts.readNewPet({ name, categoryId, ...(status === undefined ? {} : { status }) }, current);
      },
    }),
    witness: async (ask) => created(await post(ask, ['Waldo', 1])),
  },
  {
    name: 'defaults-assigned-over-a-prototype',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.name-required',
    summary:
      'Before yup validates, the body is merged into the defaults by target[key] = body[key]. A member __proto__ becomes the prototype, and yup finds the required fields there.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const inherited = isObject(body) ? member(body, '__proto__') : undefined;
        const merged = inherited !== undefined && isObject(inherited) && isObject(body) ? { ...inherited, ...body } : body;
        return parts.readNewPet(merged, current);
      },
    }),
    witness: async (ask) => created(await post(ask, '{"__proto__":{"name":"Waldo","categoryId":1}}')),
  },
  {
    name: 'remove-additional-strips-a-branch-of-any-of',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The body is anyOf NewPet and an import record {id, name, categoryId} with additionalProperties: false. With removeAdditional, Ajv deletes status from any body that has an id, and goes on with what is left.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const isImport = isObject(body) && member(body, 'id') !== undefined;
        return parts.readNewPet(isImport ? without(body, 'status') : body, current);
      },
    }),
    witness: async (ask) => {
      const reply = await post(ask, { ...plainPet, status: 'sold', id: 777 });
      return created(reply) && objectIn(reply)['status'] !== 'sold';
    },
  },
  {
    name: 'member-named-has-own-property-crashes',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'errors.no-server-error',
    summary:
      'The whitelist of the validation pipe calls value.hasOwnProperty(key) on the parsed body. A body with a member of that name is a TypeError: 500.',
    patch: (parts) => ({
      readNewPet: (body, current) =>
        isObject(body) && member(body, 'hasOwnProperty') !== undefined ? serverError() : parts.readNewPet(body, current),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, hasOwnProperty: 1 })).status === 500,
  },

  // Ranges of integers.
  {
    name: 'ajv-formats-int64-has-no-range',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-range',
    summary:
      'The format int64 of ajv-formats is Number.isInteger, because a double cannot tell. 9223372036854775808 and 1 with thirty zeros pass, and a numeric column keeps them.',
    patch: (parts) => ({
      readCategory: (value) => {
        const text = value instanceof NumberText && /^-?\d+$/.test(value.text) ? value.text : '0';
        const isLarge = Number.isInteger(Number(text)) && !isInt64(BigInt(text));
        return isLarge ? BigInt(Number(text)) : parts.readCategory(value);
      },
    }),
    witness: async (ask) => created(await post(ask, `{"name":"Waldo","categoryId":${INT64_RANGE.largest + 1n}}`)),
  },
  {
    name: 'ecto-integer-column-is-32-bit',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'errors.no-server-error',
    summary:
      'cast/3 accepts any integer for the type :integer, but the migration created a column of 32 bits. Postgrex raises an ArgumentError when it encodes a larger one: 500.',
    patch: categoryExcept(
      (category) => category < INT32_RANGE.smallest || category > INT32_RANGE.largest,
      () => serverError(),
    ),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: 2 ** 31 })).status === 500,
  },
  {
    name: 'zod-refuses-unsafe-ids-in-the-path',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The path is z.coerce.number().int(), and since Zod 4 int() accepts safe integers only. An id of more than 53 bits, which is a fine int64, is 400 instead of 404.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        if (id instanceof Problem || Number.isSafeInteger(Number(id))) return id;
        return invalid('Too big: expected int to be <=9007199254740991', 'too_big');
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/9007199254740993' })).status === 400,
  },
  {
    name: 'limit-exclusively-between',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary:
      'FluentValidation has InclusiveBetween and ExclusiveBetween. The latter was picked from the completion list: limit=1 and limit=100 are 400.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const limit = parts.parseLimit(texts);
        return limit === 1 || limit === 100 ? invalid("'Limit' must be between 1 and 100 (exclusive).", 'ExclusiveBetween') : limit;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=100' })).status === 400,
  },

  // Lists.
  {
    name: 'filter-pattern-remembers-its-position',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-accepted',
    summary:
      'The filter is checked by a shared /^(available|pending|sold)$/g. test() leaves lastIndex at the end of a match, so every second filtered list is 400, and a retry succeeds.',
    patch: (parts) => {
      const pattern = /^(?:available|pending|sold)$/g;
      return {
        parseStatus: (texts) => {
          const [text] = texts;
          const matches = text === undefined || pattern.test(text);
          return matches ? parts.parseStatus(texts) : invalid('status must match the pattern', 'invalid_status');
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets?status=sold' }), await ask({ path: '/pets?status=sold' })];
      return first.status === 200 && second.status === 400;
    },
  },
  {
    name: 'filtered-list-without-the-default-limit',
    sentence: '| limit parameter default | listPets | 20 |',
    clause: 'list.limit-default',
    summary:
      'The query is a union of two models, with status and without. Only the second one repeats limit: int = 20; the first has limit: int | None = None, and SQL knows no LIMIT then.',
    patch: (parts) => ({
      page: (animals, query, call) => (query.status !== undefined && !call.query.has('limit') ? animals : parts.page(animals, query, call)),
    }),
    seedAnimals: 90,
    witness: async (ask) => lengthOf(await ask({ path: '/pets?status=available' })) > 20,
  },
  {
    name: 'committee-parses-the-body-of-a-get',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'The request validator parses whatever declares Content-Type: application/json. Clients that set the header on every request get 400 for a GET, since nothing is not JSON.',
    patch: (parts) => ({
      dispatch: (context) => {
        const { method, headers } = context.call;
        const isEmpty = (headers['content-length'] ?? '0') === '0' && headers['transfer-encoding'] === undefined;
        const isParsed = method === 'GET' && isEmpty && /json/i.test(headers['content-type'] ?? '');
        return isParsed
          ? problemReply(context, invalid("Request body wasn't valid JSON: unexpected end of input", 'bad_request'))
          : parts.dispatch(context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'Content-Type': 'application/json' } })).status === 400,
  },
  {
    name: 'serializer-told-that-names-are-safe',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'fast-json-stringify got format: "unsafe" for name in the schema of the list, which skips escaping for speed. One name with a quotation mark or a backslash breaks every list that shows it.',
    patch: (parts) => ({
      encode: (value) => {
        const text = parts.encode(value);
        return Array.isArray(value) ? textOf(text).replace(/\\(["\\])/g, '$1') : text;
      },
    }),
    witness: async (ask) => {
      await post(ask, { ...plainPet, name: 'Waldo "Wally" W' });
      return !parses(await ask({ path: '/pets?limit=100' }));
    },
  },
  {
    name: 'response-validation-needs-a-longer-name',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'errors.no-server-error',
    summary:
      'The schema of responses got minLength: 1 for name, the one of requests did not. An empty name is 201 at the creation, which is not validated, and from then on 500 wherever it is shown.',
    patch: (parts) => {
      const isShown = (pets: readonly (Pet | undefined)[]): boolean => pets.some((pet) => pet?.name === '');
      return {
        listPets: async (context) => {
          let broken = false;
          const page: Parts['page'] = (animals, query, call) => {
            const shown = parts.page(animals, query, call);
            broken = isShown(shown);
            return shown;
          };
          const reply = await parts.listPets(withParts(context, { page }));
          return broken ? problemReply(context, serverError()) : reply;
        },
        getPet: (context) => {
          const id = context.parts.parseId(context.call.petId);
          const pet = typeof id === 'bigint' ? parts.find(context.store, id) : undefined;
          return isShown([pet]) ? problemReply(context, serverError()) : parts.getPet(context);
        },
      };
    },
    witness: async (ask) => {
      const reply = await post(ask, { ...plainPet, name: '' });
      return created(reply) && (await ask({ path: `/pets/${idOf(reply)}` })).status === 500;
    },
  },

  // Records and errors.
  {
    name: 'go-omits-an-empty-category',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'record.pet',
    summary:
      'The response shares its struct with PATCH of another area, where every tag has omitempty. An animal of category 0 has no categoryId, and one with an empty name has no name.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return {
          ...record,
          name: pet.name === '' ? undefined : record['name'],
          categoryId: pet.categoryId === 0n ? undefined : record['categoryId'],
        };
      },
    }),
    witness: async (ask) => {
      const reply = await post(ask, { ...plainPet, categoryId: 0 });
      return created(reply) && !reply.text.includes('"categoryId"');
    },
  },
  {
    name: 'transcoding-omits-the-first-status',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'create.answer',
    summary:
      'The service is gRPC behind a JSON gateway without EmitUnpopulated. AVAILABLE is 0 in the enum, so an animal that was created as available has no status, although the filter finds it.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...(pet.status === 'available' ? { status: undefined } : {}) }),
    }),
    witness: async (ask) => {
      const reply = await post(ask, { ...plainPet, status: 'available' });
      return created(reply) && !reply.text.includes('"status"');
    },
  },
  {
    name: 'newtonsoft-parses-dates-in-names',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'The body is read to a JObject, whose DateParseHandling turns texts like 2024-05-01T10:00:00Z into DateTime. ToString() writes them as 05/01/2024 10:00:00.',
    patch: (parts) => ({ readName: (value) => parts.readName(typeof value === 'string' ? afterDateParsing(value) : value) }),
    witness: async (ask) => objectIn(await post(ask, { ...plainPet, name: '2024-05-01T10:00:00Z' }))['name'] === '05/01/2024 10:00:00',
  },
  {
    name: 'express-validator-escapes-names',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.unusual-names',
    summary:
      "body('name').isString().escape() was copied from a tutorial. Tom & Jerry is stored and shown as Tom &amp; Jerry, and O'Malley as O&#x27;Malley.",
    patch: (parts) => ({ readName: (value) => parts.readName(typeof value === 'string' ? escapeHtml(value) : value) }),
    witness: async (ask) => objectIn(await post(ask, { ...plainPet, name: 'Tom & Jerry' }))['name'] === 'Tom &amp; Jerry',
  },
  {
    name: 'validation-pipe-has-a-list-of-messages',
    sentence: '| message | string | yes | Human-readable description |',
    clause: 'errors.shape',
    summary:
      'An exception filter of Nest copies response.message. For errors of the ValidationPipe that is an array of texts, one per constraint; for every other exception it is a text.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const isField = /^invalid_(?:name|category|status)$/.test(problem.code) && call.operation === 'createPet';
        return isField ? { code: 'Bad Request', message: [problem.message], status: 400 } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => Array.isArray(objectIn(await post(ask, { name: 'Waldo' }))['message']),
  },
  {
    name: 'openapi-validator-writes-its-own-query-errors',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'Errors of bodies go through the error handler. Queries are checked by the validator of the router, which answers by itself: {message, errors: [{path, message, errorCode}]}.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        if (call.operation !== 'listPets' || problem.status !== 400) return parts.errorRecord(problem, call);
        const path = problem.code === 'invalid_limit' ? '/query/limit' : '/query/status';
        return { message: `request${path} is invalid`, errors: [{ path, message: problem.message, errorCode: 'openapi.validation' }] };
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=0' })).text.includes('openapi.validation'),
  },
  {
    name: 'body-validated-before-the-credential',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'The schema validation was registered as a preValidation hook, authentication as a preHandler. A creation without a key is 401 only if its body is valid, and 400 otherwise.',
    patch: (parts) => ({
      handle: async (context) => {
        const { call, apiKey } = context;
        const isStranger = call.operation === 'createPet' && context.parts.authenticate(call, apiKey) !== undefined;
        const problem = isStranger ? await bodyProblem(context) : undefined;
        return problem === undefined ? await parts.handle(context) : problemReply(context, problem);
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo' }, {}, true)).status === 400,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'go-required-refuses-zero-values',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'validate:"required" of Go means not the zero value: category 0 and the empty name are 400.',
    patch: (parts) => ({
      ...categoryExcept(
        (category) => category === 0n,
        () => invalid("Field validation for 'CategoryID' failed on the 'required' tag", 'required'),
      )(parts),
      readName: (value) =>
        value === '' ? invalid("Field validation for 'Name' failed on the 'required' tag", 'required') : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: 0 })).status === 400,
  },
  {
    name: 'content-type-looked-up-as-text',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'The request validator looks the Content-Type up in the content of the operation, as text: with charset=utf-8 it is 415.',
    patch: (parts) => ({
      createPet: (context) =>
        context.call.headers['content-type'] === 'application/json'
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'unsupported media type')),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'application/json; charset=utf-8' })).status === 415,
  },
  {
    name: 'zod-catch-forgives-every-query',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'Both parameters end in .catch(): any invalid limit is 20, any invalid status filters nothing, and no list is ever refused.',
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
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=nonsense&status=nonsense' })) === 8,
  },
  {
    name: 'default-encoder-of-dotnet',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      "The default JavaScriptEncoder escapes everything outside ASCII, and < > & ' + as well: \\u0026. It is the same JSON, and charset=utf-8 is declared.",
    patch: (parts) => ({
      encode: (value) => textOf(parts.encode(value)).replace(/[^ -~]|[<>&'+]/g, unicodeEscape),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'content-type': 'application/json; charset=utf-8' }),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, name: 'Zoë & Jerry' })).text.includes('"Zo\\u00EB \\u0026 Jerry"'),
  },
  {
    name: 'nothing-additional-allowed',
    sentence: 'Each animal has a name, a category reference and an availability status.',
    summary: 'additionalProperties: false and strict queries: an unknown member, an id, or an unknown parameter of a list is 400.',
    patch: (parts) => ({
      dispatch: (context) => {
        const { query, operation } = context.call;
        const unknown = [...query.keys()].find((name) => name !== 'limit' && name !== 'status');
        return unknown === undefined || operation !== 'listPets'
          ? parts.dispatch(context)
          : problemReply(context, invalid('Unknown query parameter', 'unknown_parameter'));
      },
      readNewPet: (body, current) => {
        const known: readonly string[] = FIELDS;
        const hasOthers = isObject(body) && Object.keys(body).some((name) => !known.includes(name));
        return hasOthers ? invalid('must NOT have additional properties', 'additionalProperties') : parts.readNewPet(body, current);
      },
    }),
    witness: async (ask) =>
      (await post(ask, { ...plainPet, color: 'red' })).status === 400 && (await ask({ path: '/pets?page=1' })).status === 400,
  },
  {
    name: 'errors-with-the-details-of-ajv',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'code is the failed keyword in capitals, message has several lines, and an array of details with members of its own (status among them) follows.',
    patch: () => ({
      errorRecord: ({ code, message, status }, { operation }) => ({
        errors: [{ instancePath: `/${operation}`, keyword: code, params: { status: null, code: 0 }, message: null }],
        status,
        message: `1 error:\n\t- ${message}`,
        code: `ERR_${code.toUpperCase()}`,
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"instancePath"'),
  },
  {
    name: 'exists-rule-for-categories',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'The rule exists:categories,id refuses an int64 that no category has with 422, while what is no int64 is 400. There are categories up to 99999.',
    patch: categoryExcept(
      (category) => category < 1n || category > 99_999n,
      () => new Problem(422, 'unprocessable', 'The selected category id is invalid.'),
    ),
    witness: async (ask) => (await post(ask, { ...plainPet, categoryId: 100_000 })).status === 422,
  },
  {
    name: 'unique-constraint-on-folded-names',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'unique_constraint on a citext column: a name that is taken, in whatever letter case, is 400.',
    patch: (parts) => {
      const taken = new Set<string>();
      const fold = (name: string): string => name.normalize('NFC').toLowerCase();
      return {
        readName: (value) =>
          typeof value === 'string' && taken.has(fold(value)) ? invalid('name has already been taken', 'taken') : parts.readName(value),
        insert: (store, pet) => {
          taken.add(fold(pet.name));
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => created(await post(ask)) && (await post(ask, { ...plainPet, name: 'WALDO' })).status === 400,
  },
  {
    name: 'python-integers-in-the-path',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The converter is int() of Python, which permits blanks around, a sign, padding, and underscores between digits: /pets/0_7 is animal 7.',
    patch: (parts) => ({
      parseId: (text) => {
        const trimmed = text.trim();
        const id = /^[+-]?\d+(?:_\d+)*$/.test(trimmed) && trimmed.length < 99 ? BigInt(trimmed.replace(/[_+]/g, '')) : undefined;
        return id !== undefined && isInt64(id) ? id : parts.parseId(text);
      },
    }),
    witness: async (ask) => idOf(await ask({ path: '/pets/0_7' })) === 7n,
  },
  {
    name: 'filter-of-several-statuses',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'The validator deserializes status with style: form. status=sold,pending, and status twice, keep the animals that have any of these.',
    patch: (parts) => ({
      listPets: (context) => {
        const words = context.call.query.getAll('status').flatMap((text) => text.split(','));
        const [first] = words;
        if (words.length < 2 || !isStatus(first) || !words.every(isStatus)) return parts.listPets(context);
        const matches = ({ status }: Pet): boolean => status !== undefined && words.includes(status);
        return parts.listPets(withParts(context, { parseStatus: () => first, matches }));
      },
    }),
    witness: async (ask) => {
      const { text } = await ask({ path: '/pets?status=sold,pending' });
      return text.includes('"sold"') && text.includes('"pending"') && !text.includes('"available"');
    },
  },
  {
    name: 'default-of-the-column-not-read-back',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'The changeset has no status, and the default of the column is not read back: 201 shows none, while reads and lists show pending.',
    patch: (parts) => ({
      createPet: (context) => {
        let isDefault = false;
        return parts.createPet(
          withParts(context, {
            defaultStatus: () => {
              isDefault = true;
              return 'pending';
            },
            petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...(isDefault ? { status: undefined } : {}) }),
          }),
        );
      },
    }),
    witness: async (ask) => {
      const reply = await post(ask);
      return !reply.text.includes('"status"') && (await ask({ path: `/pets/${idOf(reply)}` })).text.includes('"pending"');
    },
  },
  {
    name: 'jackson-indented-and-sorted',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'INDENT_OUTPUT and SORT_PROPERTIES_ALPHABETICALLY: bodies have many lines, with CR LF and blanks before the colon, and id comes after categoryId.',
    patch: (parts) => ({
      encode: (value) =>
        JSON.stringify(value, undefined, 2)
          .replace(/^( *"(?:[^"\\]|\\.)*"): /gm, '$1 : ')
          .replaceAll('\n', '\r\n'),
      petRecord: (pet, place) => {
        const members = Object.entries(parts.petRecord(pet, place));
        return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
      },
    }),
    witness: async (ask) => /^\{\r\n {2}"categoryId" : \d/.test((await ask({ path: '/pets/1' })).text),
  },
];

/** Services whose bodies, queries and paths are checked by a validation library or a schema tool. */
export const validators: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
