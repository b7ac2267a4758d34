import { isObject, type Json, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Call,
  invalid,
  notFound,
  type Patch,
  Problem,
  problemReply,
  unauthorized,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type Pet, STATUSES, type Status } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, plainPet, post } from './witness.ts';

/** The value of a JSON number that is spelled as an integer. */
const integerOf = (value: Json | undefined): bigint | undefined => (value instanceof NumberText ? parseInteger(value.text) : undefined);

/** The value of the first parameter that has one of these names. */
const firstOf = (call: Call, names: readonly string[]): string | undefined => {
  const found = names.find((name) => call.query.has(name));
  return found === undefined ? undefined : (call.query.get(found) ?? undefined);
};

/** What similar interfaces call the size of a page, the wanted members, and the header of the key. */
const PAGE_SIZES = ['pageSize', 'page_size', 'per_page', 'page[size]', '$top', 'size'] as const;
const FIELD_MASKS = ['fields', 'fields[pets]', '$select', 'select'] as const;

/** The status behind a number of a protobuf enum, in which 0 is UNSPECIFIED. */
function statusByNumber(value: Json | undefined): Status | undefined {
  const number = integerOf(value);
  return number !== undefined && number >= 1n && number <= 3n ? STATUSES[Number(number) - 1] : undefined;
}

/** Readers of NewPet accept a changed body. */
const bodyReadAs =
  (change: (body: Json) => Json): Patch =>
  (parts) => ({ readNewPet: (body, current) => parts.readNewPet(change(body), current) });

// What witnesses share.
type Members = Readonly<Record<string, unknown>>;
const membersOf = ({ text }: HttpResponse): Members => JSON.parse(text) as Members;
const itemsOf = ({ text }: HttpResponse): readonly Members[] => JSON.parse(text) as readonly Members[];
const statusOf = async (response: Promise<HttpResponse>): Promise<number> => (await response).status;
const readBack = async (ask: Ask, created: HttpResponse): Promise<HttpResponse> => await ask({ path: `/pets/${idOf(created)}` });

const faults: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'google-error-for-foreign-schemes',
    sentence: '| status | integer | yes | The HTTP status code of the response |',
    clause: 'auth.wrong-scheme',
    summary:
      "Google's error model has the same three members: code, message, status. The author of the check for the scheme wrote it from memory, with code 401 and status UNAUTHENTICATED, for Basic, Digest and a bare key.",
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const { authorization } = call.headers;
        const isForeign = problem.status === 401 && authorization !== undefined && !/^bearer\b/i.test(authorization);
        return isForeign ? { code: 401, message: problem.message, status: 'UNAUTHENTICATED' } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) =>
      membersOf(await ask({ path: '/pets', headers: { Authorization: 'Basic dXNlcjpwYXNz' } }))['status'] === 'UNAUTHENTICATED',
  },
  {
    name: 'bare-list-hides-the-sold',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.complete',
    summary:
      'Common sense: nobody wants to see sold animals unless asked. The list without any parameter leaves them out; as soon as there is one, even limit alone, the list is complete.',
    patch: (parts) => ({
      listPets: (context) => {
        const unsold = withParts(context, { arrange: (store) => parts.arrange(store).filter(({ status }) => status !== 'sold') });
        return parts.listPets(context.call.query.size === 0 ? unsold : context);
      },
    }),
    witness: async (ask) => {
      const [bare, limited] = [await ask({ path: '/pets' }), await ask({ path: '/pets?limit=20' })];
      return !bare.text.includes('"sold"') && limited.text.includes('"sold"');
    },
  },
  {
    name: 'page-size-outranks-limit',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'A shared paging library knows the names of Google AIP, JSON:API, OData and Spring, and reads limit as the oldest alias. If one of the others is present with a number from 1 to 100, limit is ignored.',
    patch: (parts) => ({
      listPets: (context) => {
        const size = firstOf(context.call, PAGE_SIZES);
        const isUsable = size !== undefined && /^(?:[1-9]\d?|100)$/.test(size);
        return parts.listPets(isUsable ? withParts(context, { parseLimit: () => Number(size) }) : context);
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=2&page_size=5' })) === 5,
  },
  {
    name: 'field-mask-drops-required-members',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'record.pets',
    summary:
      'Sparse fieldsets were taken over from JSON:API and OData: fields or $select keeps the named members and id, so name and categoryId, which every Pet has to have, are missing.',
    patch: (parts) => ({
      listPets: (context) => {
        const mask = firstOf(context.call, FIELD_MASKS);
        if (mask === undefined) return parts.listPets(context);
        const kept = new Set(['id', ...mask.split(',')]);
        const petRecord = (pet: Pet): Record<string, unknown> =>
          Object.fromEntries(Object.entries(parts.petRecord(pet, 'list')).filter(([name]) => kept.has(name)));
        return parts.listPets(withParts(context, { petRecord }));
      },
    }),
    witness: async (ask) => !(await ask({ path: '/pets?fields=name' })).text.includes('"categoryId"'),
  },
  {
    name: 'json-suffix-type-taken-from-accept',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'Since every +json type "is application/json", the first that the client accepts, such as application/hal+json or application/problem+json, is sent back as Content-Type, with an unchanged body.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const type = /application\/[\w.-]+\+json/i.exec(call.headers.accept ?? '')?.[0];
        return { ...parts.headers(given, reply, call), ...(type === undefined ? {} : { 'content-type': type }) };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', headers: { Accept: 'application/hal+json, application/json' } })).headers['content-type'] ===
      'application/hal+json',
  },
  {
    name: 'status-by-enum-number',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'The JSON mapping of protobuf also reads enums by number. The generated service takes 1, 2 and 3 for available, pending and sold, in the order of the document; 0 is UNSPECIFIED and refused.',
    patch: (parts) => ({ readStatus: (value) => statusByNumber(value) ?? parts.readStatus(value) }),
    witness: async (ask) => membersOf(await post(ask, { ...plainPet, status: 2 }))['status'] === 'pending',
  },
  {
    name: 'array-of-one-is-a-new-pet',
    sentence: 'Request body (required, `application/json`): NewPet.',
    clause: 'create.body-object',
    summary:
      'An older version had bulk creation. Its clients still wrap the animal in an array, so an array with exactly one NewPet is read as that NewPet; any other array is 400.',
    patch: bodyReadAs((body) => {
      const [only, ...others] = Array.isArray(body) ? (body as readonly Json[]) : [];
      return only !== undefined && others.length === 0 ? only : body;
    }),
    witness: async (ask) => (await statusOf(post(ask, [plainPet]))) === 201,
  },

  // What records show.
  {
    name: 'default-status-left-out-of-the-201',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The serializer of creations leaves out members that have their default (Include.NON_DEFAULT), and the entity defaults to available. A client that sent available does not get it back; reads and lists show it.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'create' && pet.status === 'available' ? { ...record, status: undefined } : record;
      },
    }),
    witness: async (ask) => !('status' in membersOf(await post(ask, { ...plainPet, status: 'available' }))),
  },
  {
    name: 'missing-status-read-as-null',
    sentence: '| status | string | enum PetStatus | no | Availability status |',
    clause: 'record.pet',
    summary:
      '"Pet has every field of NewPet" was read as: every member is always there. An animal that was created without a status has none in the 201 and in lists, but null, which is no PetStatus, when it is read.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({
        ...parts.petRecord(pet, place),
        ...(place === 'get' && pet.status === undefined ? { status: null } : {}),
      }),
    }),
    witness: async (ask) => membersOf(await readBack(ask, await post(ask)))['status'] === null,
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'categories-count-from-one',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'No category has a number below 1: a categoryId of 0 or less is 400, and nothing is stored.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = integerOf(value);
        return category !== undefined && category < 1n
          ? invalid('There is no such category', 'unknown_category')
          : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await statusOf(post(ask, { name: 'Waldo', categoryId: 0 }))) === 400,
  },
  {
    name: 'limit-coerced-into-its-bounds',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'As Google AIP recommends for sizes of pages, a limit above 100 is 100 and one below 1 is 1. Whatever is no integer is the default; of several the last counts.',
    patch: () => ({
      parseLimit: (texts) => {
        const text = texts.at(-1) ?? '';
        return /^[+-]?\d+$/.test(text) ? Math.min(100, Math.max(1, Number(text))) : 20;
      },
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=abc&limit=-7' })) === 1,
  },
  {
    name: 'no-animal-has-an-unknown-status',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary: 'The document lists no 400 for listPets: a filter that is not a PetStatus matches nothing, and the list is empty.',
    patch: (parts) => ({
      listPets: (context) => {
        const isUnknown = context.call.query.getAll('status').some((text) => !isStatus(text));
        return parts.listPets(isUnknown ? withParts(context, { parseStatus: () => undefined, arrange: () => [] }) : context);
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?status=lost' })).text === '[]',
  },
  {
    name: 'status-decided-after-the-201',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'The shop decides on the status of an animal that came without one: the 201 shows none, since none was sent, and from then on the animal is pending.',
    patch: (parts) => ({
      defaultStatus: () => undefined,
      insert: async (store, pet) => {
        await parts.insert(store, { ...pet, status: pet.status ?? 'pending' });
        return pet;
      },
    }),
    witness: async (ask) => {
      const created = await post(ask);
      return !('status' in membersOf(created)) && membersOf(await readBack(ask, created))['status'] === 'pending';
    },
  },
  {
    name: 'closed-schema-of-new-pet',
    sentence: 'never supplied by the client',
    summary: 'NewPet was generated with additionalProperties: false: any member beyond the three, id included, is 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        const known = ['name', 'categoryId', 'status'];
        const isOpen = isObject(body) && Object.keys(body).some((name) => !known.includes(name));
        return isOpen && !(read instanceof Problem) ? invalid('There are unknown properties', 'unknown_property') : read;
      },
    }),
    witness: async (ask) => (await statusOf(post(ask, { ...plainPet, tags: [] }))) === 400,
  },
  {
    name: 'codes-are-addresses-with-fragments',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'Error is a subset of several standards at once: code is an absolute URI, and title, detail and an errors array of JSON:API, with a text as status, come along.',
    patch: () => ({
      errorRecord: ({ code, message, status }) => ({
        errors: [{ status: String(status), code, title: message, source: null }],
        title: message,
        detail: '',
        code: `urn:petstore:problem:${code}#${status}`,
        message,
        status,
      }),
    }),
    witness: async (ask) => String(membersOf(await ask({ path: '/pets/999999' }))['code']).startsWith('urn:'),
  },
  {
    name: 'anything-that-is-no-id-is-not-found',
    sentence: '| 404 | The requested resource cannot be found | getPet |',
    summary: 'The document lists no 400 for getPet: a petId that is no integer, or not within int64, is 404 like any other unknown animal.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('No animal has this id') : id;
      },
    }),
    witness: async (ask) => (await statusOf(ask({ path: '/pets/Rex' }))) === 404,
  },
  {
    name: 'lists-in-the-order-of-the-enum',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'Lists show the sold animals first, then pending, then available, each with the newest first: the reverse of the enum.',
    patch: (parts) => {
      const rank = ({ status }: Pet): number => (status === undefined ? -1 : STATUSES.indexOf(status));
      return {
        arrange: (store) =>
          parts
            .arrange(store)
            .toReversed()
            .toSorted((one, other) => rank(other) - rank(one)),
      };
    },
    witness: async (ask) => {
      const [first, ...others] = itemsOf(await ask({ path: '/pets' }));
      return first?.['status'] === 'sold' && others.at(-1)?.['status'] === 'available';
    },
  },
  {
    name: 'names-taken-within-a-category',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A name is unique within its category: the second animal of that name is 400 there, and 201 in another category.',
    patch: (parts) => ({
      createPet: (context) => {
        const readNewPet: typeof parts.readNewPet = (body, current) => {
          const read = parts.readNewPet(body, current);
          if (read instanceof Problem) return read;
          const isTaken = context.store.animals.some(({ name, categoryId }) => name === read.name && categoryId === read.categoryId);
          return isTaken ? invalid('The category has an animal of this name', 'name_taken') : read;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => {
      await post(ask);
      return (await statusOf(post(ask))) === 400;
    },
  },
  {
    name: 'only-the-plain-media-type',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Taken by the letter: a creation has to be application/json, with any parameters and in any letter case. Other types and none at all are 415, with Accept-Post.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const type = (call.headers['content-type'] ?? '').replace(/;.*$/s, '').trim().toLowerCase();
        const refusal = new Problem(415, 'unsupported_media_type', 'Send application/json', { 'accept-post': 'application/json' });
        return type === 'application/json' ? parts.readBody(bytes, call) : refusal;
      },
    }),
    witness: async (ask) => (await statusOf(post(ask, plainPet, { 'Content-Type': 'text/plain' }))) === 415,
  },
  {
    name: 'unknown-parameters-refused-everywhere',
    sentence: '- Query parameters (all optional):',
    summary:
      'As OData demands for names it does not know: any query parameter that the document does not show is 400 with an Error body, for reads and creations too. The key is checked first.',
    patch: (parts) => ({
      dispatch: (context) => {
        const { operation, query } = context.call;
        const known = operation === 'listPets' ? ['limit', 'status'] : [];
        const isUnknown = operation !== 'unknown' && [...query.keys()].some((name) => !known.includes(name));
        return isUnknown ? problemReply(context, invalid('There are unknown parameters', 'unknown_parameter')) : parts.dispatch(context);
      },
    }),
    witness: async (ask) => (await statusOf(ask({ path: '/pets/1?verbose=1' }))) === 400,
  },
  {
    name: 'headers-reduced-to-the-necessary',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'None is shown, so hardly any is sent: nothing announces the removal of getPet. The challenge of a 401 stays, in its shortest form.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const { status, code, message } = unauthorized();
        const rejection = parts.authenticate(call, apiKey);
        return rejection === undefined ? undefined : new Problem(status, code, message, { 'www-authenticate': 'Bearer' });
      },
      headers: (given, reply, call) => withoutHeaders(parts.headers(given, reply, call), ['deprecation', 'sunset']),
    }),
    witness: async (ask) => !('sunset' in (await ask({ path: '/pets/1' })).headers),
  },
];

/** Services by people who read the document hastily, or with the habits of another interface in mind. */
export const readings: readonly Holdout[] = [
  ...faults.map((fault): Holdout => ({ kind: 'fault', ...fault })),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
