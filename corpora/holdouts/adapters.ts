import { readListQuery } from '../../src/reference/core/base.ts';
import { isObject, type Json, member, NumberText } from '../../src/reference/core/json.ts';
import { invalid, jsonReply, type ListQuery, type Patch, Problem, pause, problemReply, withParts } from '../../src/reference/core/parts.ts';
import { addPet, type NewPet, type Pet, type Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { parses, plainPet, post, textOf } from './witness.ts';

/** Lists show what another system makes of the animals: a search index, a mirror, an API that is fetched and then filtered. */
const readSide =
  (see: (animals: readonly Pet[], query: ListQuery) => readonly Pet[]): Patch =>
  (parts) => ({
    listPets: (context) => {
      const query = readListQuery(context);
      if (query instanceof Problem) return parts.listPets(context);
      return parts.listPets(withParts(context, { arrange: (store) => see(parts.arrange(store), query) }));
    },
  });

/** The body of a creation as a mapper sees it, before its fields are read. */
const mapped =
  (change: (body: { readonly [member: string]: Json }) => Json): Patch =>
  (parts) => ({ readNewPet: (body, current) => parts.readNewPet(isObject(body) ? change(body) : body, current) });

/** The backend refuses some animals that are valid in themselves. */
const refusing =
  (reason: (pet: NewPet, store: Store) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: (context) =>
      parts.createPet(
        withParts(context, {
          readNewPet: (body, current) => {
            const pet = parts.readNewPet(body, current);
            return pet instanceof Problem ? pet : (reason(pet, context.store) ?? pet);
          },
        }),
      ),
  });

/** The text for comparison in EBCDIC: marks, then small letters, then capital letters, then digits. */
const ebcdicKey = (text: string): string =>
  text.replace(
    /./gsu,
    (character) => `${/\d/.test(character) ? 3 : /[A-Z]/.test(character) ? 2 : /[a-z]/.test(character) ? 1 : 0}${character}`,
  );

/** An attribute value for comparison by LDAP's caseIgnoreMatch. */
const caseIgnored = (name: string): string => name.toLowerCase().replace(/\s+/g, ' ').trim();

const is32Bit = (value: bigint): boolean => BigInt.asIntN(32, value) === value;
const age = (pet: Pet): number => Date.now() - pet.createdAt;

// What witnesses share.
const createMany = async (ask: Ask, count: number, animal: Readonly<Record<string, unknown>> = {}): Promise<void> => {
  for (let index = 0; index < count; index += 1) await post(ask, { name: `Nimbus ${index}`, categoryId: 1, ...animal });
};
const sizeOf = ({ text }: HttpResponse): number => (JSON.parse(text) as readonly unknown[]).length;
const nameOf = ({ text }: HttpResponse): string => (JSON.parse(text) as { readonly name: string }).name;
const idIn = ({ text }: HttpResponse): string => /"id":\s*(-?\d+)/.exec(text)?.[1] ?? '';
const listed = async (ask: Ask): Promise<string> => (await ask({ path: '/pets?limit=100' })).text;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // The credential on its way to the backend.
  {
    name: 'ldap-bind-without-a-password',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.missing-credential',
    summary:
      'The key is checked with a simple bind to the directory. A bind with an empty password is an unauthenticated bind (RFC 4513), which succeeds: "Authorization: Bearer" with nothing behind it is let in.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => (/^bearer$/i.test(call.headers.authorization ?? '') ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer' } })).status === 200,
  },

  // Pages and filters of another system.
  {
    name: 'connection-walked-in-pages-of-25',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'The CRM returns at most 25 records a page. For more, the adapter follows the cursor until it has enough, and forgets to cut the last page: limit=26 returns up to 50, multiples of 25 and everything below them are right.',
    patch: () => ({ page: (animals, { limit }) => animals.slice(0, limit <= 25 ? limit : Math.ceil(limit / 25) * 25) }),
    witness: async (ask) => {
      await createMany(ask, 30);
      return sizeOf(await ask({ path: '/pets?limit=26' })) > 26;
    },
  },
  {
    name: 'operation-outcome-among-the-animals',
    sentence: 'A JSON array of Pet records.',
    clause: 'record.pets',
    summary:
      'The backend is a FHIR server. Above _count=50 its searchset carries one more entry, an OperationOutcome that says the count is discouraged; every entry is mapped to a Pet, this one with null in all fields.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        const outcome = { id: null, name: null, categoryId: null, status: null };
        return query instanceof Problem || query.limit <= 50
          ? parts.listPets(context)
          : parts.listPets(withParts(context, { listBody: (records) => parts.listBody([...records, outcome]) }));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?limit=51' })).text.includes('"name":null'),
  },
  {
    name: 'list-in-the-language-of-the-browser',
    sentence: 'Clients list animals, add an animal, and read one animal by identifier.',
    clause: 'media.any-client',
    summary:
      'The animals are entries of a headless CMS, and the adapter maps Accept-Language to its locale parameter. Nobody translated the entries: whoever sends a language other than English gets an empty list.',
    patch: (parts) => ({
      listPets: (context) => {
        const language = context.call.headers['accept-language'] ?? 'en';
        return /^(?:en|\*)/i.test(language) ? parts.listPets(context) : parts.listPets(withParts(context, { arrange: () => [] }));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.5' } })).text === '[]',
  },
  {
    name: 'graphql-int-nulls-the-whole-list',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'list.complete',
    summary:
      'The list is resolved by GraphQL with categoryId: Int!, which is 32 bits. One animal with a larger category makes the non-null list null, beside errors in a 200, and the adapter returns data.pets ?? []. getPet goes another way.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const cut = parts.page(animals, query, call);
        return cut.every(({ categoryId }) => is32Bit(categoryId)) ? cut : [];
      },
    }),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Nimbus', categoryId: 2_147_483_648 });
      return created.status === 201 && (await listed(ask)) === '[]';
    },
  },

  // From JSON into another model.
  {
    name: 'protobuf-field-name-instead-of-its-own',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'The protobuf JSON mapping takes the lowerCamelCase name of a field and its original name: {"name":"Rex","category_id":1} creates an animal, although categoryId is missing.',
    patch: mapped((body) => {
      const original = member(body, 'category_id');
      return original === undefined || Object.hasOwn(body, 'categoryId') ? body : { ...body, categoryId: original };
    }),
    witness: async (ask) => (await post(ask, { name: 'Nimbus', category_id: 1 })).status === 201,
  },
  {
    name: 'status-moved-to-pic-x-9',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'The status is moved to a field PIC X(9), as long as the longest state, and compared there: MOVE cuts "available-soon" to "available", and a comparison ignores the spaces behind "sold  ".',
    patch: (parts) => ({ readStatus: (value) => parts.readStatus(typeof value === 'string' ? value.slice(0, 9).trimEnd() : value) }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 'available-soon' })).status === 201,
  },
  {
    name: 'flattened-member-wins-over-category-id',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.unknown-members',
    summary:
      'AutoMapper flattens source.Category.Id into CategoryId by its naming convention. A client that sends the record of its own model, with a nested category besides categoryId, has the animal put into category.id.',
    patch: mapped((body) => {
      const category = member(body, 'category');
      const id = category !== undefined && isObject(category) ? member(category, 'id') : undefined;
      return id instanceof NumberText && member(body, 'categoryId') instanceof NumberText ? { ...body, categoryId: id } : body;
    }),
    witness: async (ask) => (await post(ask, { name: 'Nimbus', categoryId: 1, category: { id: 7 } })).text.includes('"categoryId":7'),
  },
  {
    name: 'refused-animal-stays-in-the-unit-of-work',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      'The mapper registers the new entity with the unit of work before the status is converted. An invalid status is answered with 400, the entity stays registered, and the commit of the next creation inserts both.',
    patch: (parts) => {
      const registered: NewPet[] = [];
      return {
        readNewPet: (body, current) => {
          const pet = parts.readNewPet(body, current);
          if (pet instanceof Problem && isObject(body)) {
            const name = parts.readName(member(body, 'name'));
            const categoryId = parts.readCategory(member(body, 'categoryId'));
            if (typeof name === 'string' && typeof categoryId === 'bigint') registered.push({ name, categoryId });
          }
          return pet;
        },
        insert: (store, pet) => {
          for (const entity of registered.splice(0)) {
            addPet(store, { ...entity, status: parts.defaultStatus(), id: parts.assignId(store, null), createdAt: Date.now() });
          }
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      const refused = await post(ask, { name: 'Nimbus', categoryId: 1, status: 'lost' });
      const before = await listed(ask);
      await post(ask, plainPet);
      return refused.status === 400 && !before.includes('Nimbus') && (await listed(ask)).includes('Nimbus');
    },
  },
  {
    name: 'odata-read-back-fails-on-apostrophes',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.refused-stores-nothing',
    summary:
      "The OData service returns no entity to an insert, so the adapter looks for it with $filter=Name eq '...' and does not double apostrophes. The syntax error of the second call becomes 400, the animal of the first call stays.",
    patch: (parts) => ({
      createPet: async (context) => {
        const reply = await parts.createPet(context);
        return reply.status === 201 && textOf(reply.body).includes("'")
          ? problemReply(context, invalid('Syntax error at position 12 in $filter', 'invalid_name'))
          : reply;
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: "O'Nimbus", categoryId: 1 });
      return refused.status === 400 && (await listed(ask)).includes("O'Nimbus");
    },
  },
  {
    name: 'replies-taken-in-the-order-of-requests',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      "Request and reply over a message queue: the adapter hands the next message on the reply queue to whoever has waited longest, and sets no correlation id. Two workers, one of them slower, and two creations at once get each other's animal.",
    patch: () => {
      const waiting: ((pet: Pet) => void)[] = [];
      let messages = 0;
      return {
        insert: (store, pet) =>
          new Promise((done) => {
            waiting.push(done);
            messages += 1;
            setTimeout(
              () => {
                addPet(store, pet);
                waiting.shift()?.(pet);
              },
              messages % 2 === 1 ? 12 : 2,
            );
          }),
      };
    },
    witness: async (ask) => {
      for (let round = 0; round < 5; round += 1) {
        const names = ['Castor', 'Pollux'];
        const created = await Promise.all(names.map((name) => post(ask, { ...plainPet, name })));
        if (created.some((response, index) => nameOf(response) !== names[index])) return true;
      }
      return false;
    },
  },
  {
    name: 'commarea-kept-after-a-refusal',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'Each connection has a conversation with CICS. The program clears its COMMAREA when it ends well, and not when it refuses; the name is then moved over the old one by its length: after a refused Maximilian, Bo is stored as Boximilian.',
    patch: (parts) => {
      const areas = new WeakMap<object, string>();
      return {
        createPet: async (context) => {
          const { connection } = context.call;
          const left = areas.get(connection) ?? '';
          areas.delete(connection);
          let moved = '';
          const readName = (value: Json | undefined): string | Problem => {
            const name = parts.readName(value);
            if (name instanceof Problem) return name;
            moved = `${name}${left.slice(name.length)}`;
            return moved;
          };
          const reply = await parts.createPet(withParts(context, { readName }));
          if (reply.status === 400) areas.set(connection, moved.slice(0, 60));
          return reply;
        },
      };
    },
    witness: async (ask) => {
      for (let round = 0; round < 5; round += 1) {
        await post(ask, { name: 'Maximilian', categoryId: 1, status: 'lost' });
        if (nameOf(await post(ask, { name: 'Bo', categoryId: 1 })) === 'Boximilian') return true;
      }
      return false;
    },
  },
  {
    name: 'pandas-reads-none-as-not-a-number',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The list is read from a CSV table with pandas.read_csv, whose default takes the empty text, NA, N/A, None, null, NULL, nan and some more for a missing value; json.dumps writes that as NaN, which is not JSON.',
    patch: (parts) => ({
      encode: (value) => {
        const text = textOf(parts.encode(value));
        return text.startsWith('[') ? text.replace(/"name":"(?:NA|N\/A|n\/a|#N\/A|<NA>|None|null|NULL|nan|NaN|)"/g, '"name":NaN') : text;
      },
    }),
    witness: async (ask) => {
      await post(ask, { name: 'null', categoryId: 1 });
      return !parses(await ask({ path: '/pets?limit=100' }));
    },
  },
  {
    name: 'vsam-read-greater-or-equal',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'EXEC CICS READ with GTEQ, copied from the browse, returns the record with the next higher key where there is none with this key. Behind the last animal it is 404, below the first one, 0 or negative, it is the first animal.',
    patch: (parts) => ({
      find: (store, id) => parts.find(store, id) ?? store.animals.toSorted((a, b) => (a.id < b.id ? -1 : 1)).find((pet) => pet.id > id),
    }),
    witness: async (ask) => (await ask({ path: '/pets/0' })).status === 200,
  },

  // Errors of the backend.
  {
    name: 'string-too-long-in-salesforce-words',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'Errors of the adapter itself are Error bodies. What only the CRM refuses, a name of more than 80 characters, is passed on as Salesforce says it: an array of objects with message, errorCode and fields.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && value.length > 80
          ? invalid('Pet Name: data value too large (max length=80)', 'STRING_TOO_LONG')
          : parts.readName(value),
      errorRecord: (problem, call) =>
        problem.code === 'STRING_TOO_LONG'
          ? [{ message: problem.message, errorCode: problem.code, fields: ['Name'] }]
          : parts.errorRecord(problem, call),
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: 'x'.repeat(81), categoryId: 1 });
      return refused.status === 400 && refused.text.startsWith('[');
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'list-in-ebcdic-collation',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'The list is browsed by an alternate index on the name, in EBCDIC: marks, small letters, capital letters, digits. No order is stated; where a new animal appears depends on its name.',
    patch: (parts) => ({
      arrange: (store) =>
        parts
          .arrange(store)
          .map((pet) => ({ pet, key: ebcdicKey(pet.name) }))
          .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
          .map(({ pet }) => pet),
    }),
    witness: async (ask) => {
      for (const name of ['7up', 'Zoe', 'amy']) await post(ask, { ...plainPet, name });
      const text = await listed(ask);
      return text.indexOf('amy') < text.indexOf('Zoe') && text.indexOf('Zoe') < text.indexOf('7up');
    },
  },
  {
    name: 'ids-from-base-62-record-keys',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      "The CRM's record keys are texts in base 62; the adapter shows their ten significant places as an int64. All ids are beyond 2^53, and neighbors are hundreds of thousands apart.",
    patch: () => ({
      assignId: (store) => {
        store.lastId += 1n;
        return 3n * 62n ** 9n + store.lastId * 62n ** 3n + 1n;
      },
    }),
    witness: async (ask) => BigInt(idIn(await post(ask, plainPet))) > 2n ** 53n,
  },
  {
    name: 'unknown-category-is-an-integrity-error',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'A category is a lookup to another object of the CRM, which refuses a reference without a target: 422 with an Error body. Whether a category must exist is not shown.',
    patch: refusing(({ categoryId }, store) =>
      store.animals.some((pet) => pet.categoryId === categoryId)
        ? undefined
        : new Problem(422, 'FIELD_INTEGRITY_EXCEPTION', 'There is no such category'),
    ),
    witness: async (ask) => (await post(ask, { name: 'Nimbus', categoryId: 424_242 })).status === 422,
  },
  {
    name: 'link-to-the-next-page-of-25',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'The API behind returns at most 25 records a page, and so does the adapter, whatever the limit; the next page is a Link whose target is a query alone, relative to the request, with an opaque cursor in it.',
    patch: (parts) => ({
      listPets: (context) => {
        const query = readListQuery(context);
        if (query instanceof Problem) return problemReply(context, query);
        const cursor = Buffer.from(context.call.query.get('cursor') ?? '', 'base64url').toString('latin1');
        const after = /^-?\d{1,19}$/.test(cursor) ? BigInt(cursor) : undefined;
        const { status } = query;
        const rest = parts
          .arrange(context.store)
          .filter((pet) => (status === undefined || parts.matches(pet, status)) && (after === undefined || pet.id > after));
        const page = rest.slice(0, Math.min(query.limit, 25));
        const last = page.at(-1);
        const next = new URLSearchParams({
          limit: String(query.limit),
          ...(status === undefined ? {} : { status }),
          cursor: Buffer.from(String(last?.id)).toString('base64url'),
        });
        const link: Record<string, string> = rest.length > page.length && last !== undefined ? { link: `<?${next}>; rel="next"` } : {};
        const records = page.map((pet) => parts.petRecord(pet, 'list'));
        return jsonReply(context, 200, parts.listBody(records), link);
      },
    }),
    witness: async (ask) => {
      await createMany(ask, 30);
      const first = await ask({ path: '/pets?limit=100' });
      const target = /<(\?[^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1];
      if (target === undefined) return false;
      const second = await ask({ path: `/pets${target}` });
      return sizeOf(first) === 25 && sizeOf(second) === 13 && second.headers['link'] === undefined;
    },
  },
  {
    name: 'filter-lags-by-an-index-refresh',
    sentence: 'The replacement is `GET /pets` with the `status` filter.',
    summary:
      'The filter asks a search index that is refreshed within 0.8 seconds; the plain list and getPet ask the database. A new animal is in one list before it is in the other.',
    patch: readSide((animals, { status }) => (status === undefined ? animals : animals.filter((pet) => age(pet) >= 800))),
    witness: async (ask) => {
      await post(ask, { ...plainPet, name: 'Nimbus', status: 'sold' });
      const early = (await ask({ path: '/pets?status=sold' })).text;
      await pause(900);
      return !early.includes('Nimbus') && (await ask({ path: '/pets?status=sold' })).text.includes('Nimbus');
    },
  },
  {
    name: 'read-lags-behind-the-message',
    sentence: '`404` with an Error body when the animal does not exist.',
    summary:
      'createPet answers when the queue has taken the animal and its id is drawn; the consumer makes it readable 0.3 seconds later. Until then getPet answers 404, although the list, which the adapter patches, has it.',
    patch: (parts) => ({
      find: (store, id) => {
        const pet = parts.find(store, id);
        return pet !== undefined && age(pet) < 300 ? undefined : pet;
      },
    }),
    witness: async (ask) => {
      const path = `/pets/${idIn(await post(ask, plainPet))}`;
      const early = await ask({ path });
      await pause(400);
      return early.status === 404 && (await ask({ path })).status === 200;
    },
  },
  {
    name: 'odata-members-in-the-error-body',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      "The Error body has OData's further members, target, details and innererror, of which some are null or nested and one is another code and message; code is a number of the CRM, as text.",
    patch: () => ({
      errorRecord: ({ status, message }) => ({
        target: null,
        details: [{ code: '0x0', message: 'See innererror', target: 'pet' }],
        innererror: { type: 'Microsoft.Crm.CrmException', status: 500, stacktrace: '' },
        code: '0x80040203',
        message,
        status,
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"innererror"'),
  },
  {
    name: 'odata-annotations-and-media-parameters',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Records carry @odata.etag and a formatted value for each field, with names that have dots and at signs; the media type has three parameters in mixed case. Neither is excluded.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({
        '@odata.etag': `W/"${pet.id}"`,
        ...parts.petRecord(pet, place),
        'categoryId@OData.Community.Display.V1.FormattedValue': `Category ${pet.categoryId}`,
        'status@OData.Community.Display.V1.FormattedValue': pet.status?.toUpperCase(),
      }),
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'application/json;odata.metadata=minimal;odata.streaming=true;IEEE754Compatible=false',
        'odata-version': '4.0',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('@odata.etag'),
  },
  {
    name: 'protojson-changes-its-white-space',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      "Go's protojson puts a space behind separators or leaves it out, on purpose, so that nobody compares its text, and here non-ASCII characters are escapes: the same record has another text in each response.",
    patch: (parts) => {
      let responses = 0;
      return {
        encode: (value) => {
          responses += 1;
          const text = textOf(parts.encode(value)).replace(
            /[\u0080-\uffff]/g,
            (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
          );
          return responses % 2 === 0
            ? text
            : text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|[,:]/g, (token) => (token.length === 1 ? `${token} ` : token));
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets/1' }), await ask({ path: '/pets/1' })];
      return first.text !== second.text && idIn(first) === idIn(second);
    },
  },
  {
    name: 'names-unique-by-case-ignore-match',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Animals are entries of a directory, and the name is in their distinguished name, compared by caseIgnoreMatch: a name that differs from another one only in letter case or in the number of spaces is taken, 409 with an Error body.',
    patch: refusing(({ name }, store) =>
      store.animals.some((pet) => caseIgnored(pet.name) === caseIgnored(name))
        ? new Problem(409, 'entry_already_exists', 'An entry with this name exists')
        : undefined,
    ),
    witness: async (ask) => {
      const first = await post(ask, { name: 'Nimbus Two', categoryId: 1 });
      return first.status === 201 && (await post(ask, { name: 'nimbus   TWO', categoryId: 1 })).status === 409;
    },
  },
  {
    name: 'region-restarts-once',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The CICS region is recycled once, at the ninetieth call: for 0.4 seconds every request with a valid key is answered 503 with Retry-After and an Error body. Nothing is stored meanwhile, and nothing is lost.',
    patch: (parts) => {
      let calls = 0;
      let until = 0;
      return {
        dispatch: (context) => {
          calls += 1;
          if (calls === 90) until = Date.now() + 400;
          return Date.now() < until
            ? problemReply(context, new Problem(503, 'region_unavailable', 'The region is starting', { 'retry-after': '1' }))
            : parts.dispatch(context);
        },
      };
    },
    witness: async (ask) => {
      for (let call = 0; call < 90; call += 1) {
        const response = await ask({ path: '/pets?limit=1' });
        if (response.status === 503) return response.headers['retry-after'] === '1';
      }
      return false;
    },
  },
  {
    name: 'names-within-code-page-and-field',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'The record has sixty characters of a Latin-1 code page for the name, and neither trailing spaces nor an empty field can be told from padding: names that would not come back as they were sent are refused with 400.',
    patch: refusing(({ name }) =>
      /^[\x20-\x7e\xa0-\xff]{0,59}[\x21-\x7e\xa1-\xff]$/.test(name)
        ? undefined
        : invalid('The name cannot be represented in the record', 'invalid_name'),
    ),
    witness: async (ask) =>
      (await post(ask, { name: 'Rex \u20ac', categoryId: 1 })).status === 400 &&
      (await post(ask, { name: 'Zoë', categoryId: 1 })).status === 201,
  },
  {
    name: 'bodies-need-a-content-length',
    sentence: 'Rate limits, body size limits and quotas: not shown.',
    summary:
      'The adapter copies the body into a fixed area of the transaction, whose size it must know first: a chunked body is refused with 411 and an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        context.call.headers['transfer-encoding'] === undefined
          ? parts.createPet(context)
          : problemReply(context, new Problem(411, 'length_required', 'A Content-Length is required')),
    }),
    witness: async (ask) => {
      const headers = { 'Transfer-Encoding': 'chunked' };
      return (await ask({ method: 'POST', path: '/pets', headers, body: JSON.stringify(plainPet) })).status === 411;
    },
  },
  {
    name: 'copies-of-the-index-list-differently',
    sentence: 'The operation is described as returning a paginated list.',
    summary:
      'All hits of the search have the same score, and two copies of the shard answer in turn, one with the oldest animals first, one with the newest: two equal requests return other pages. No order is stated.',
    patch: (parts) => {
      let searches = 0;
      return {
        arrange: (store) => {
          searches += 1;
          return searches % 2 === 0 ? parts.arrange(store) : parts.arrange(store).toReversed();
        },
      };
    },
    witness: async (ask) => {
      const [first, second] = [await ask({ path: '/pets' }), await ask({ path: '/pets' })];
      return first.text !== second.text && sizeOf(first) === sizeOf(second);
    },
  },
  {
    name: 'protojson-reads-whole-numbers',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'The protobuf JSON mapping takes any spelling of a whole number for an int64, such as 1.0 or 10e-1, and shows it in plain digits. What is not whole, or not exact, is refused.',
    patch: (parts) => ({
      readCategory: (value) => {
        const spelled = value instanceof NumberText && /[.e]/i.test(value.text) ? Number(value.text) : Number.NaN;
        return Number.isSafeInteger(spelled) ? BigInt(spelled) : parts.readCategory(value);
      },
    }),
    witness: async (ask) => (await post(ask, '{"name":"Nimbus","categoryId":10e-1}')).text.includes('"categoryId":1,'),
  },
];

export const adapters: readonly Holdout[] = [
  ...faults.map((holdout): Holdout => ({ ...holdout, kind: 'fault' })),
  ...variants.map((holdout): Holdout => ({ ...holdout, kind: 'variant' })),
];
