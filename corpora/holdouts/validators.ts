import { isInt64, isObject, type Json, member } from '../../src/reference/core/json.ts';
import { invalid, type Parts, Problem, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet } from '../../src/reference/core/store.ts';
import type { Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post, textOf } from './witness.ts';

type Members = { readonly [member: string]: Json };
const FIELDS = ['name', 'categoryId', 'status'] as const;

/** The members except one. */
const without = (members: Members, dropped: string): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => name !== dropped));

/** An animal whose status is shown as null. */
function withNullStatus(newPet: NewPet): NewPet {
  const kept: NewPet & Pick<Pet, 'raw'> = { ...newPet, raw: { status: null } };
  return kept;
}

/** The code unit as JSON can spell it in ASCII. */
const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

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
