import { integerLiteral, type Json, literal, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import { type Context, invalid, type Patch, Problem, pause, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import { addPet, type Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { parses, plainPet, post, textOf } from './witness.ts';

/** Rewrites the text of an operation's successful responses. */
const successRewritten =
  (operation: 'listPets' | 'createPet' | 'getPet', change: (text: string, context: Context) => string): Patch =>
  (parts) => ({
    [operation]: async (context: Context): Promise<Reply> => {
      const reply = await parts[operation](context);
      return reply.status >= 300 ? reply : { ...reply, body: change(textOf(reply.body), context) };
    },
  });

/** Thousands with commas, as a number format for people prints them. */
const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',');

const escapedForHtml = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** JSON text wrapped in a feed, as far as a client that expects JSON can tell. */
const asFeed = (json: string): string => `<?xml version="1.0" encoding="utf-8"?><feed>${escapedForHtml(json)}</feed>`;

/** The members of a form as JSON; a category of digits becomes a number. */
function formAsJson(text: string): Json {
  const entries = [...new URLSearchParams(text)].map(([name, value]): [string, Json] => [
    name,
    name === 'categoryId' && parseInteger(value) !== undefined ? new NumberText(value) : value,
  ]);
  return Object.fromEntries(entries);
}

/** The same JSON with a line for each member, escaped slashes, and nothing but ASCII. */
function indentedAscii(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g) ?? [];
  const spaced = tokens.map((token) => (/^[{[,]$/.test(token) ? `${token}\r\n\t` : token === ':' ? ' : ' : token)).join('');
  return spaced.replace(/\//g, '\\/').replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// What witnesses share.
type Shown = { readonly id: number; readonly name: string; readonly categoryId: number; readonly status?: unknown };
const petOf = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const petsOf = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as Shown[];
const read = (ask: Ask, id: number | string): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
const list = (ask: Ask, query = 'limit=100'): Promise<HttpResponse> => ask({ path: `/pets?${query}` });
const letters = (index: number): string => `Waldo${String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26))}`;
const postAtOnce = (ask: Ask, count: number, status = 'available'): Promise<readonly HttpResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { name: letters(index), categoryId: 1, status })));

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Keys.
  {
    name: 'sap-session-cookie-instead-of-the-key',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header',
    clause: 'auth.header-only',
    summary:
      'SAP Gateway opens a stateful session on the first request with the key and sets SAP_SESSIONID. From then on the cookie alone logs a request on.',
    patch: (parts) => {
      const session = 'SAP_SESSIONID_PRD_100=c2Vzc2lvbi1vZi10aGUtcGV0LXN0b3Jl';
      return {
        authenticate: (call, apiKey) => (call.headers.cookie?.includes(session) === true ? undefined : parts.authenticate(call, apiKey)),
        headers: (given, reply, call) => {
          const made = parts.headers(given, reply, call);
          return reply.status === 401 ? made : { ...made, 'set-cookie': `${session}; path=/; HttpOnly` };
        },
      };
    },
    witness: async (ask) => {
      const given = String((await list(ask)).headers['set-cookie'] ?? '').split(';')[0] ?? '';
      return (await ask({ path: '/pets', noKey: true, headers: { Cookie: given } })).status === 200;
    },
  },

  // What a creation leaves behind.
  {
    name: 'airtable-upsert-merges-on-name',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'To survive retries the automation uses performUpsert with fieldsToMergeOn name and categoryId: a second Rex of the same category overwrites the status of the first and is announced with 201 and the id of the first.',
    patch: (parts) => ({
      insert: (store, pet) => {
        const same = store.animals.find(({ name, categoryId }) => name === pet.name && categoryId === pet.categoryId);
        if (same === undefined) return parts.insert(store, pet);
        same.status = pet.status;
        return same;
      },
    }),
    witness: async (ask) => {
      const first = await post(ask, { ...plainPet, status: 'available' });
      const second = await post(ask, { ...plainPet, status: 'sold' });
      return second.status === 201 && petOf(first).id === petOf(second).id;
    },
  },
  {
    name: 'vtl-escapes-apostrophes-in-json',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      "The mapping template of createPet prints $util.escapeJavaScript($input.path('$.name')), which is for JavaScript: an apostrophe becomes \\', an escape that JSON does not have. AWS documents the replaceAll that was forgotten.",
    patch: successRewritten('createPet', (text) => text.replace(/'/g, "\\'")),
    witness: async (ask) => {
      const created = await post(ask, { name: "Rex O'Malley", categoryId: 1 });
      return created.status === 201 && !parses(created);
    },
  },
  {
    name: 'lua-module-keeps-the-last-body',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary:
      'The OpenResty script declares local body at the top of its module, and a module is loaded once a worker: a POST without a body finds that of an earlier one, and creates its animal again.',
    patch: (parts) => {
      let body: Uint8Array = new Uint8Array();
      return {
        readBody: (bytes, call) => {
          if (bytes.byteLength > 0) body = bytes;
          return parts.readBody(body, call);
        },
      };
    },
    witness: async (ask) => {
      await post(ask, plainPet);
      return (await post(ask, '')).status === 201;
    },
  },

  // Several at once.
  {
    name: 'node-red-pet-in-flow-context',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      "The function node before the database does flow.set('pet', msg.payload), the one behind it flow.get('pet'). The context belongs to the flow and not to the message: of two creations at once, both store and show the later animal.",
    patch: () => {
      let current: Pet | undefined;
      return {
        insert: async (store, pet) => {
          current = pet;
          await pause(15);
          const mixed: Pet = { ...(current ?? pet), id: pet.id };
          addPet(store, mixed);
          return mixed;
        },
      };
    },
    witness: async (ask) => new Set((await postAtOnce(ask, 6)).map((response) => petOf(response).name)).size < 6,
  },

  // Lists.
  {
    name: 'sap-gateway-lists-atom-when-asked',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.any-client',
    summary:
      'SAP Gateway negotiates the format of an entity set: a client that sends Accept: application/xml or application/atom+xml gets 200 and a feed.',
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const wanted = /^\s*(?:application\/(?:atom\+)?xml|text\/xml)\b/i.test(context.call.headers.accept ?? '');
        return reply.status !== 200 || !wanted
          ? reply
          : { ...reply, headers: { ...reply.headers, 'content-type': 'application/atom+xml;type=feed' }, body: asFeed(textOf(reply.body)) };
      },
    }),
    witness: async (ask) => !parses(await ask({ path: '/pets', headers: { Accept: 'application/xml' } })),
  },
  {
    name: 'n8n-first-item-for-every-item',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'get.agrees-with-list',
    summary:
      "The Edit Fields node at the end of the list takes the category from another branch, with $('Get pets').first().json.categoryId instead of .item: all animals of a page show the category of the first.",
    patch: (parts) => ({
      listBody: (records) => {
        const [first] = records as readonly Readonly<Record<string, unknown>>[];
        return parts.listBody(
          records.map((record) => ({ ...(record as Readonly<Record<string, unknown>>), categoryId: first?.['categoryId'] })),
        );
      },
    }),
    witness: async (ask) => {
      const before = petsOf(await list(ask, 'limit=1'))[0]?.categoryId ?? 0;
      const { id, categoryId } = petOf(await post(ask, { name: 'WaldoOther', categoryId: before + 1 }));
      return petsOf(await list(ask)).find((pet) => pet.id === id)?.categoryId === before && categoryId !== before;
    },
  },
  {
    name: 'liquid-compares-limit-as-text',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'The Liquid map of the integration account keeps rows while the index is not above the limit, and a limit from the query is a string, so that both are compared as text: of many animals, limit=2 keeps the tenth to the nineteenth too, and limit=10 only the first and the tenth. The default is a number.',
    patch: (parts) => ({
      page: (animals, query, call) =>
        call.query.has('limit') ? animals.filter((_, index) => String(index + 1) <= String(query.limit)) : parts.page(animals, query, call),
    }),
    witness: async (ask) => {
      await postAtOnce(ask, 12);
      return petsOf(await list(ask, 'limit=2')).length > 2 && petsOf(await list(ask, 'limit=3')).length > 3;
    },
  },

  // Reading one animal.
  {
    name: 'freemarker-groups-thousands',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'media.well-formed',
    summary:
      'pet.ftl prints ${pet.categoryId} without ?c: FreeMarker formats numbers for people, and a category above 999 is written as 1,000. The list and the creation go through Jackson.',
    patch: successRewritten('getPet', (text) => text.replace(/(?<="categoryId":-?)\d{4,}/g, grouped)),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo', categoryId: 1000 });
      return parses(created) && !parses(await read(ask, petOf(created).id));
    },
  },

  // Across operations.
  {
    name: 'camel-returns-the-headers-it-got',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.any-client',
    summary:
      'A Camel route answers with the headers of the message, and those of the request are still among them: a GET with a Content-Type of its own, as some HTTP libraries send, gets its animals under that media type.',
    patch: (parts) => ({
      headers: (given, reply, call) => {
        const made = parts.headers(given, reply, call);
        const type = call.headers['content-type'];
        return type === undefined ? made : { ...made, 'content-type': type };
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', headers: { 'Content-Type': 'text/plain' } })).headers['content-type'] === 'text/plain',
  },
  {
    name: 'node-red-escapes-the-stored-object',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'get.durable',
    summary:
      'The list shares its flow with a dashboard and escapes names for HTML. The objects of the memory context are references: each list escapes the stored names once more, & to &amp; to &amp;amp;.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const shown = parts.page(animals, query, call);
        for (const pet of shown) pet.name = escapedForHtml(pet.name);
        return shown;
      },
    }),
    witness: async (ask) => {
      const { id } = petOf(await post(ask, { name: 'Salt & Pepper', categoryId: 1 }));
      const before = petOf(await read(ask, id)).name;
      await list(ask);
      await list(ask);
      return before === 'Salt & Pepper' && petOf(await read(ask, id)).name === 'Salt &amp;amp; Pepper';
    },
  },
  {
    name: 'sheet-id-is-the-row-number',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'get.durable',
    summary:
      'The id column is =ROW()-1, and a trigger of the Google sheet sorts it by name after each append: a new animal moves the ids of all that come after it in the alphabet.',
    patch: () => ({
      insert: (store, pet) => {
        addPet(store, pet);
        store.animals.sort((a, b) => (a.name < b.name ? -1 : a.name === b.name ? 0 : 1));
        store.byId.clear();
        for (const [index, animal] of store.animals.entries()) {
          animal.id = BigInt(index + 1);
          store.byId.set(animal.id, animal);
        }
        return pet;
      },
    }),
    witness: async (ask) => {
      const { id, name } = petOf(await post(ask, { name: 'Waldo', categoryId: 1 }));
      await post(ask, { name: 'Aaron', categoryId: 1 });
      return petOf(await read(ask, id)).name !== name;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'sap-number-ranges-of-two-servers',
    sentence: 'Unique identifier assigned by the service on creation',
    summary:
      'Two application servers buffer intervals of one number range and take turns: ids jump between 4000000000000 and 7000000000000 and are neither dense nor ascending.',
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return store.lastId % 2n === 0n ? 4_000_000_000_000n + store.lastId : 7_000_000_000_000n - store.lastId;
      },
    }),
    witness: async (ask) => {
      const ids = [petOf(await post(ask, plainPet)).id, petOf(await post(ask, plainPet)).id, petOf(await post(ask, plainPet)).id];
      return ids.some((id, index) => index > 0 && id < (ids[index - 1] ?? 0));
    },
  },
  {
    name: 'node-red-reverses-the-list-in-place',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'The flow shows the newest first with reverse(), which turns the stored array itself: every second list is in the order of creation. The order is not stated.',
    patch: (parts) => ({
      arrange: (store) => {
        store.animals.reverse();
        return parts.arrange(store);
      },
    }),
    witness: async (ask) => {
      const first = petsOf(await list(ask)).map(({ id }) => id);
      const second = petsOf(await list(ask)).map(({ id }) => id);
      return first.join() === second.toReversed().join() && first.join() !== second.join();
    },
  },
  {
    name: 'json-server-filters-by-any-member',
    sentence: 'Query parameters (all optional)',
    summary:
      'json-server takes every unknown query parameter as a filter on a member of that name: ?name=Rex finds Rex, and ?verbose=1 finds nothing, as no animal has such a member.',
    patch: (parts) => ({
      listPets: (context) => {
        const wanted = [...context.call.query].filter(([name]) => name !== 'limit' && name !== 'status');
        const texts = (pet: Pet): Readonly<Record<string, string>> => ({
          id: `${pet.id}`,
          name: pet.name,
          categoryId: `${pet.categoryId}`,
        });
        const arrange: typeof parts.arrange = (store) =>
          parts.arrange(store).filter((pet) => wanted.every(([name, value]) => new Map(Object.entries(texts(pet))).get(name) === value));
        return parts.listPets(withParts(context, { arrange }));
      },
    }),
    witness: async (ask) => (await list(ask, 'verbose=1')).text === '[]',
  },
  {
    name: 'postgrest-refuses-unknown-parameters',
    sentence: 'Query parameters (all optional)',
    summary:
      'PostgREST reads each parameter as a filter and answers 400 and PGRST100 to one that it cannot parse. Only limit and status get through.',
    patch: (parts) => ({
      listPets: (context) => {
        const unknown = [...context.call.query.keys()].find((name) => name !== 'limit' && name !== 'status');
        return unknown === undefined
          ? parts.listPets(context)
          : problemReply(context, invalid(`failed to parse filter (${unknown})`, 'PGRST100'));
      },
    }),
    witness: async (ask) => (await list(ask, 'verbose=1')).status === 400,
  },
  {
    name: 'salesforce-duplicate-rule-blocks',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'A duplicate rule blocks records with the name and category of another: 409 and DUPLICATES_DETECTED, and nothing is stored.',
    patch: (parts) => ({
      createPet: (context) => {
        const readNewPet: typeof parts.readNewPet = (body, current) => {
          const pet = parts.readNewPet(body, current);
          if (pet instanceof Problem) return pet;
          const taken = context.store.animals.some(({ name, categoryId }) => name === pet.name && categoryId === pet.categoryId);
          return taken ? new Problem(409, 'DUPLICATES_DETECTED', 'Use one of these records?') : pet;
        };
        return parts.createPet(withParts(context, { readNewPet }));
      },
    }),
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && (await post(ask, plainPet)).status === 409,
  },
  {
    name: 'odoo-category-must-be-in-use',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'categoryId is a Many2one field: a category that is not among those of the stock is refused with 422, before the status of the new animal is looked at.',
    patch: (parts) => ({
      createPet: (context) => {
        const readCategory: typeof parts.readCategory = (value) => {
          const category = parts.readCategory(value);
          if (category instanceof Problem || context.store.animals.some(({ categoryId }) => categoryId === category)) return category;
          return new Problem(
            422,
            'odoo.exceptions.MissingError',
            `Record does not exist or has been deleted (product.category(${category},))`,
          );
        };
        return parts.createPet(withParts(context, { readCategory }));
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 987654321 })).status === 422,
  },
  {
    name: 'zapier-hook-takes-forms',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'The hook also takes application/x-www-form-urlencoded, as no-code tools send it, and answers in JSON. Anything else is JSON.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        call.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
          ? formAsJson(Buffer.from(bytes).toString('utf8'))
          : parts.readBody(bytes, call),
    }),
    witness: async (ask) => {
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      return (await ask({ method: 'POST', path: '/pets', headers, body: 'name=Waldo&categoryId=1' })).status === 201;
    },
  },
  {
    name: 'xslt-prints-indented-ascii',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'xml-to-json with indent prints a line for each member with CRLF and tabs, a blank before each colon, \\/ for a slash, and escapes for all that is not ASCII.',
    patch: (parts) => ({ encode: (value) => indentedAscii(textOf(parts.encode(value))) }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Rexé/é', categoryId: 1 });
      return petOf(created).name === 'Rexé/é' && created.text.includes('Rex\\u00e9\\/\\u00e9') && created.text.includes('\r\n\t');
    },
  },
  {
    name: 'dynamics-annotates-records',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus',
    summary:
      'Dataverse adds annotations to each record: an etag, a label of the status, a version number beyond 2^53, nulls. Errors have an inner error. None of them is a stated field.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        '@odata.etag': `W/"${pet.id}"`,
        ...parts.petRecord(pet, place),
        'status@OData.Community.Display.V1.FormattedValue': (pet.status ?? '').toUpperCase(),
        versionnumber: integerLiteral(9_007_199_254_740_993n + pet.id),
        exchangerate: literal('1.0000000000'),
        _ownerid_value: null,
        Pet_Orders: [],
      }),
      errorRecord: (problem, call) => ({
        ...(parts.errorRecord(problem, call) as Readonly<Record<string, unknown>>),
        innererror: { code: -2147220969, status: 'Error', message: null },
      }),
    }),
    witness: async (ask) => (await read(ask, 1)).text.includes('@odata.etag'),
  },
  {
    name: 'firestore-leaves-absent-fields-out',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'A document has the fields that were written: an animal that was created without status has none, and no value of the filter finds it. The plain list does.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'WaldoBare', categoryId: 1 });
      return created.status === 201 && !created.text.includes('"status"') && (await list(ask)).text.includes('WaldoBare');
    },
  },
  {
    name: 'search-index-behind-the-cms',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    summary:
      'Lists come from the search index of the CMS, which a webhook updates 700 ms after an entry is stored. Reading by id goes to the database.',
    patch: (parts) => ({
      arrange: (store) => {
        const indexed = Date.now() - 700;
        return parts.arrange(store).filter(({ createdAt }) => createdAt <= indexed);
      },
    }),
    witness: async (ask) => {
      const { id } = petOf(await post(ask, plainPet));
      const missing = !petsOf(await list(ask)).some((pet) => pet.id === id);
      await pause(900);
      return missing && petsOf(await list(ask)).some((pet) => pet.id === id);
    },
  },
  {
    name: 'directus-limit-minus-one-is-all',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'In Directus limit=-1 asks for everything, here at most a hundred. Larger limits are cut to a hundred, 0 gives an empty list, and what is no number is ignored.',
    patch: () => ({
      parseLimit: (texts) => {
        const limit = parseInteger(texts.at(-1) ?? '');
        if (limit === undefined) return 20;
        return limit >= 0n && limit <= 100n ? Number(limit) : 100;
      },
    }),
    witness: async (ask) => (await list(ask, 'limit=0')).text === '[]' && petsOf(await list(ask, 'limit=-1')).length >= 8,
  },
  {
    name: 'airtable-view-of-several-statuses',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary:
      'The formula is OR({status}="...") over all values of the parameter: several statuses are united, and one that no animal can have gives an empty list instead of an error.',
    patch: (parts) => ({
      listPets: (context) => {
        const wanted = context.call.query.getAll('status');
        if (wanted.length === 0) return parts.listPets(context);
        const arrange: typeof parts.arrange = (store) =>
          parts.arrange(store).filter(({ status }) => status !== undefined && wanted.includes(status));
        return parts.listPets(withParts(context, { arrange, parseStatus: () => undefined }));
      },
    }),
    witness: async (ask) => {
      const several = await list(ask, 'status=sold&status=pending&limit=100');
      if (several.status !== 200) return false;
      const shown = new Set(petsOf(several).map(({ status }) => status));
      return shown.size === 2 && (await list(ask, 'status=lost')).text === '[]';
    },
  },
  {
    name: 'contentful-title-rules',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'The content type limits titles: one to forty characters, letters, digits, blanks and a few marks of Latin text. Every other name is a validation error, 400.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return name instanceof Problem || /^[\p{Script=Latin}\d .,'_-]{1,40}$/u.test(name)
          ? name
          : invalid('name does not match the pattern', 'regexp');
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Rex <3', categoryId: 1 })).status === 400,
  },
  {
    name: 'strapi-pages-of-thirty',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'api.rest.maxLimit is thirty: limits up to 100 are accepted, and a page never holds more than thirty animals. A header tells how many there are.',
    seedAnimals: 45,
    patch: (parts) => ({
      page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 30) }, call),
      headers: (given, reply, call) => ({ ...parts.headers(given, reply, call), 'x-page-size-limit': '30' }),
    }),
    witness: async (ask) => petsOf(await list(ask)).length === 30,
  },
];

/** Services that are put together from products: workflow engines, headless CMS, back ends as a service, spreadsheets, ERP, bridges. */
export const lowcode: readonly Holdout[] = [
  ...faults.map((row): Holdout => ({ ...row, kind: 'fault' })),
  ...variants.map((row): Holdout => ({ ...row, kind: 'variant' })),
];
