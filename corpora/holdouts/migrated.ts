import { dropLastSlash, respelled } from '../../src/reference/core/incoming.ts';
import { integerLiteral, isObject, literal, member, NumberText, parseInteger } from '../../src/reference/core/json.ts';
import {
  type Context,
  invalid,
  type Parts,
  type Patch,
  Problem,
  problemReply,
  type Reply,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus, type NewPet, type Pet } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { plainPet, post, textOf } from './witness.ts';

/** Rewrites a response once it is made. */
const replied =
  (change: (reply: Reply, context: Context) => Reply): Patch =>
  (parts) => ({ handle: async (context) => change(await parts.handle(context), context) });

/** Changes members of the records that are shown. */
const shownAs =
  (change: (pet: Pet, place: Parameters<Parts['petRecord']>[1]) => Readonly<Record<string, unknown>>): Patch =>
  (parts) => ({ petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), ...change(pet, place) }) });

/** A second look at an animal to be created, with the store at hand. */
const alsoChecked =
  (check: (newPet: NewPet, stored: readonly Pet[]) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: (context) =>
      parts.createPet(
        withParts(context, {
          readNewPet: (body, current) => {
            const newPet = parts.readNewPet(body, current);
            return newPet instanceof Problem ? newPet : (check(newPet, context.store.animals) ?? newPet);
          },
        }),
      ),
  });

/** The animals that were there before the switch: only those of the migration have no time of creation. */
const isOld = ({ createdAt }: Pet): boolean => createdAt === 0;

/** The text as it was before somebody read its UTF-8 as Latin-1; the text itself if that did not happen. */
function repaired(text: string): string {
  if (/[\u0100-\uffff]/.test(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(text, 'latin1'));
  } catch {
    return text;
  }
}

/** What a converter without a schema makes of the text of an element. */
function guessed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  const digits = parseInteger(text);
  return digits === undefined ? text : integerLiteral(digits);
}

/** An int64 as JSON of protobuf has it, with its quotes taken off again by a regular expression. */
const unquoted = (value: bigint): unknown => (/^\d{1,18}$/.test(String(value)) ? literal(String(value)) : String(value));

// What witnesses share.
type Shown = { readonly id: number; readonly name?: unknown; readonly categoryId?: unknown; readonly status?: unknown };

const petOf = ({ text }: HttpResponse): Shown => JSON.parse(text) as Shown;
const petsOf = ({ text }: HttpResponse): readonly Shown[] => JSON.parse(text) as readonly Shown[];
const readOf = (ask: Ask, id: number): Promise<HttpResponse> => ask({ path: `/pets/${id}` });
/** How the list shows an animal. */
const listed = async (ask: Ask, id: number): Promise<Shown | undefined> =>
  petsOf(await ask({ path: '/pets?limit=100' })).find((pet) => pet.id === id);
const created = async (ask: Ask, members: Readonly<Record<string, unknown>>): Promise<Shown> => petOf(await post(ask, members));

/** Whether one of a few trials shows it: that requests share a connection, or meet, is not in our hands. */
async function sometimes(trial: () => Promise<boolean>): Promise<boolean> {
  for (let turn = 0; turn < 6; turn += 1) if (await trial()) return true;
  return false;
}

const INVALID_BODY = 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values';
const CREATED = 'Success: `201`, body is the created Pet, including the assigned `id`.';
const ENUM = 'A string with exactly these allowed values: `available`, `pending`, `sold`.';
const SHOWN = 'Success: `200`, body is a Pet.';
const CATEGORY = '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |';

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Gateways that moved.
  {
    name: 'route-by-query-without-its-key-check',
    sentence: 'All three require the bearer credential.',
    clause: 'auth.every-request',
    summary:
      'For the pilot of the new list, Envoy got one more route that matches when both limit and status are in the query. ext_authz is switched on per route (typed_per_filter_config), and this route was copied from the health check.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        call.operation === 'listPets' && call.query.has('limit') && call.query.has('status') ? undefined : parts.authenticate(call, apiKey),
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets?limit=5&status=sold', noKey: true })).status === 200 &&
      (await ask({ path: '/pets?status=sold', noKey: true })).status === 401,
  },
  {
    name: 'error-handler-found-the-xml-mapper',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'media.json',
    summary:
      'The upgrade to Spring Boot 3 pulled in jackson-dataformat-xml. The controllers say produces = application/json, the @RestControllerAdvice does not: whoever lists application/xml in Accept, as browsers do, gets errors in XML.',
    patch: replied((reply, { call }) => {
      if (reply.status < 400 || !/application\/xml/i.test(call.headers.accept ?? '')) return reply;
      const { code, message, status } = JSON.parse(textOf(reply.body)) as Record<'code' | 'message' | 'status', unknown>;
      return {
        ...reply,
        headers: { ...reply.headers, 'content-type': 'application/xml' },
        body: `<Error><code>${String(code)}</code><message>${String(message)}</message><status>${String(status)}</status></Error>`,
      };
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets/999999', headers: { Accept: 'text/html,application/xml;q=0.9,*/*;q=0.8' } })).text.startsWith('<Error>'),
  },

  // Two stores behind one facade.
  {
    name: 'thread-local-left-on-the-old-store',
    sentence: SHOWN,
    clause: 'get.success',
    summary:
      'A Spring AbstractRoutingDataSource takes the store from a ThreadLocal, which validation sets to the old store for its lookup and clears on the last line instead of in finally. After a rejected creation the reads of that connection see the frozen old store, until one creation gets through.',
    patch: (parts) => {
      const leaked = new WeakSet<object>();
      const frozen: Partial<Parts> = {
        arrange: (store) => parts.arrange(store).filter(isOld),
        find: (store, id) => {
          const pet = parts.find(store, id);
          return pet !== undefined && isOld(pet) ? pet : undefined;
        },
      };
      const routed = (context: Context) => (leaked.has(context.call.connection) ? withParts(context, frozen) : context);
      return {
        listPets: (context) => parts.listPets(routed(context)),
        getPet: (context) => parts.getPet(routed(context)),
        createPet: async (context) => {
          const reply = await parts.createPet(context);
          if (reply.status === 400) leaked.add(context.call.connection);
          else leaked.delete(context.call.connection);
          return reply;
        },
      };
    },
    witness: (ask) =>
      sometimes(async () => {
        const { id } = await created(ask, plainPet);
        await post(ask, {});
        return (await readOf(ask, id)).status === 404;
      }),
  },
  {
    name: 'dual-write-breaker-opens-on-a-long-name',
    sentence: SHOWN,
    clause: 'get.success',
    summary:
      'Creations go to the new store (text) and to the old one (VARCHAR(255)), from which getPet still reads. A longer name makes the old write fail: a job repairs that row, but the Resilience4j breaker stays open for the next five writes, whose fallback does nothing. They are listed, and cannot be read.',
    patch: (parts) => {
      const unwritten = new Set<bigint>();
      let skips = 0;
      return {
        insert: (store, pet) => {
          if (skips > 0) {
            skips -= 1;
            unwritten.add(pet.id);
          } else if (pet.name.length > 255) skips = 5;
          return parts.insert(store, pet);
        },
        find: (store, id) => (unwritten.has(id) ? undefined : parts.find(store, id)),
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'a'.repeat(256), categoryId: 1 });
      const { id } = await created(ask, plainPet);
      return (await readOf(ask, id)).status === 404 && (await listed(ask, id)) !== undefined;
    },
  },
  {
    name: 'queue-replies-taken-without-correlation',
    sentence: CREATED,
    clause: 'create.answer',
    summary:
      'The facade talks to the mainframe over IBM MQ, and takes the next message of the reply queue without a selector on the correlation id. One request at a time gets its own reply; of two at once, each gets the animal of the other.',
    patch: (parts) => {
      const consumers: ((pet: Pet) => void)[] = [];
      return {
        insert: async (store, pet) => {
          const stored = await parts.insert(store, pet);
          return new Promise<Pet>((done) => {
            consumers.push(done);
            setTimeout(() => consumers.pop()?.(stored), 20);
          });
        },
      };
    },
    witness: (ask) =>
      sometimes(async () => {
        const names = ['Castor', 'Pollux'];
        const pets = await Promise.all(names.map((name) => created(ask, { name, categoryId: 1 })));
        return pets.some(({ name }, index) => name !== names[index]);
      }),
  },

  // Lists.
  {
    name: 'proto3-leaves-category-zero-out-of-lists',
    sentence: CATEGORY,
    clause: 'record.pet',
    summary:
      'Behind the REST facade is protobuf now. EmitUnpopulated is set for the marshaler of single messages and was forgotten for that of the list: a categoryId of 0 is the default of proto3, and is left out there.',
    patch: shownAs(({ categoryId }, place) => (place === 'list' && categoryId === 0n ? { categoryId: undefined } : {})),
    witness: async (ask) => {
      const pet = await created(ask, { name: 'Zero', categoryId: 0 });
      const shown = await listed(ask, pet.id);
      return pet.categoryId === 0 && shown !== undefined && shown.categoryId === undefined;
    },
  },
  {
    name: 'view-keeps-the-width-of-the-old-column',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'get.agrees-with-list',
    summary:
      'name was widened from NVARCHAR(50) to NVARCHAR(400) in SQL Server. The list reads from a view with CAST(name AS NVARCHAR(50)), which nobody refreshed: it shows the first 50 characters.',
    patch: shownAs(({ name }, place) => (place === 'list' ? { name: [...name].slice(0, 50).join('') } : {})),
    witness: async (ask) => {
      const { id, name } = await created(ask, { name: 'n'.repeat(60), categoryId: 1 });
      return petOf(await readOf(ask, id)).name === name && (await listed(ask, id))?.name === 'n'.repeat(50);
    },
  },
  {
    name: 'null-status-read-two-ways',
    sentence: ENUM,
    clause: 'get.agrees-with-list',
    summary:
      "An omitted status is NULL. The old read path shows it as available (the default of the entity), the new list as COALESCE(status, 'pending'), as the migration script proposed: one animal has two statuses at once, and the filter follows the list.",
    patch: (parts) => ({
      defaultStatus: () => undefined,
      petRecord: (pet, place) => ({ ...parts.petRecord(pet, place), status: pet.status ?? (place === 'list' ? 'pending' : 'available') }),
      matches: (pet, status) => (pet.status ?? 'pending') === status,
    }),
    witness: async (ask) => {
      const { id, status } = await created(ask, { name: 'Waldo', categoryId: 1 });
      return status === 'available' && petOf(await readOf(ask, id)).status === 'available' && (await listed(ask, id))?.status === 'pending';
    },
  },

  // Identifiers.
  {
    name: 'save-merges-into-an-existing-animal',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.success',
    summary:
      'The new Spring Data controller binds the entity itself, and save() merges where an animal with that id exists: the creation overwrites it. An id that is free is ignored, as the team had tested.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const given = isObject(body) ? member(body, 'id') : undefined;
        const id = given instanceof NumberText ? parseInteger(given.text) : undefined;
        return id !== undefined && store.byId.has(id) ? id : parts.assignId(store, body);
      },
      insert: (store, pet) => {
        const existing = store.byId.get(pet.id);
        return existing === undefined ? parts.insert(store, pet) : Object.assign(existing, pet);
      },
    }),
    witness: async (ask) => {
      const { id } = await created(ask, { ...plainPet, name: 'Usurper', id: 1 });
      return id === 1 && petOf(await readOf(ask, 1)).name === 'Usurper';
    },
  },

  // Bodies.
  {
    name: 'large-categories-take-unknown-statuses',
    sentence: INVALID_BODY,
    clause: 'create.success',
    summary:
      'Categories from 1000 on belong to the new service. Its JSON is parsed with ignoringUnknownFields() of protobuf, which also ignores enum values that it does not know: status "lost" is stored with the default there, and is 400 for all smaller categories.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body)) return parts.readNewPet(body, current);
        const { status, ...rest } = body;
        const category = parts.readCategory(member(body, 'categoryId'));
        const isNew = typeof category === 'bigint' && category >= 1000n;
        return parts.readNewPet(isNew && typeof status === 'string' && !isStatus(status) ? rest : body, current);
      },
    }),
    witness: async (ask) =>
      (await post(ask, { name: 'Waldo', categoryId: 5000, status: 'lost' })).status === 201 &&
      (await post(ask, { name: 'Waldo', categoryId: 5, status: 'lost' })).status === 400,
  },

  // Values on their way through another format.
  {
    name: 'xml-converter-guesses-types-of-names',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'record.pet',
    summary:
      'getPet is still SOAP inside; the facade turns its XML into JSON with XML.toJSONObject of org.json, which guesses types: an animal called 4711 or true has a number or a boolean as its name.',
    patch: shownAs(({ name }, place) => (place === 'get' ? { name: guessed(name) } : {})),
    witness: async (ask) => {
      const { id, name } = await created(ask, { name: '4711', categoryId: 1 });
      return name === '4711' && petOf(await readOf(ask, id)).name === 4711;
    },
  },
  {
    name: 'protobuf-numbers-unquoted-by-a-pattern',
    sentence: CATEGORY,
    clause: 'create.unusual-categories',
    summary:
      'JSON of protobuf writes int64 as a string. The facade removes the quotes with "(\\d{1,18})", which covers every id in use; a negative category or one of nineteen digits stays a string.',
    patch: shownAs(({ id, categoryId }) => ({ id: unquoted(id), categoryId: unquoted(categoryId) })),
    witness: async (ask) => (await created(ask, { name: 'Waldo', categoryId: -7 })).categoryId === '-7',
  },
  {
    name: 'empty-text-is-null-in-oracle',
    sentence: 'Pet has every field of NewPet, with the same required rules',
    clause: 'record.pet',
    summary:
      'MySQL kept an empty name. Oracle stores the empty string as NULL: the creation is shown from the entity in memory and is fine, every later read has "name":null.',
    patch: shownAs(({ name }, place) => (place !== 'create' && name === '' ? { name: null } : {})),
    witness: async (ask) => {
      const { id, name } = await created(ask, { name: '', categoryId: 1 });
      return name === '' && petOf(await readOf(ask, id)).name === null;
    },
  },
  {
    name: 'repair-of-old-encodings-left-on',
    sentence: CREATED,
    clause: 'create.answer',
    summary:
      'The move from latin1 to UTF-8 had left names such as "MÃ¼ller", and a hook in the model (as ftfy does) repairs what looks like UTF-8 read as Latin-1. It was never removed: a client that means these characters gets others back.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' ? repaired(name) : name;
      },
    }),
    witness: async (ask) => (await created(ask, { name: 'Ã¼', categoryId: 1 })).name === 'ü',
  },
];

const PROTO_FIELDS = new Set(['name', 'categoryId', 'status']);

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'ids-of-two-merged-databases',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary:
      'Two stores were merged. So that their ids cannot clash, those of one were negated, and the other got Snowflake ids beyond 2^62. New animals alternate between both.',
    patch: (parts) => ({
      assignId: (store, body) => {
        const turn = parts.assignId(store, body);
        return turn % 2n === 0n ? -turn : 2n ** 62n + turn * 4096n + 1n;
      },
    }),
    witness: async (ask) => {
      const { text } = await ask({ path: '/pets' });
      return text.includes('"id":-2,') && /"id":46116860184\d{8},/.test(text);
    },
  },
  {
    name: 'trailing-slash-as-before-spring-six',
    sentence: 'Method and path: `GET /pets`',
    summary:
      'Spring Boot 3 no longer matches a trailing slash. Old clients send one, so a UrlHandlerFilter takes it off in front of everything else, authentication included.',
    patch: (parts) => ({
      handle: (context) => parts.handle({ ...context, call: respelled(context.call, dropLastSlash) ?? context.call }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/' })).status === 200 && (await ask({ path: '/pets/', noKey: true })).status === 401,
  },
  {
    name: 'errors-carry-the-old-soap-fault',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The contract adapter keeps what support staff search for: the return code of the transaction as code (text of digits), a German message with umlauts, and the SOAP fault as further members.',
    patch: (parts) => ({
      errorRecord: ({ code, status }) => ({
        fault: { faultcode: 'soap:Client', faultactor: null, detail: [{ reason: code }] },
        message: `Verarbeitung zurückgewiesen – Rückgabewert ${status}`,
        status,
        code: `${status}0012`,
      }),
      headers: (given, reply, call) => parts.headers({ ...given, 'x-backend': 'CICS' }, reply, call),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('"code":"4040012"'),
  },
  {
    name: 'every-second-response-from-another-one',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'A canary at 50 %, turn by turn. Both services conform, and agree in nothing else: the new one lists the newest first, indents its JSON, orders members by name, and words its errors differently.',
    patch: (parts) => {
      let turns = 0;
      const fresh: Partial<Parts> = {
        arrange: (store) => parts.arrange(store).toReversed(),
        petRecord: (pet, place) => Object.fromEntries(Object.entries(parts.petRecord(pet, place)).sort(([a], [b]) => (a < b ? -1 : 1))),
        errorRecord: ({ code, status }) => ({ status, message: `The request could not be processed (${code})`, code: code.toUpperCase() }),
        encode: (value) => JSON.stringify(value, null, 2),
        headers: (given, reply, call) =>
          parts.headers({ ...given, 'content-type': 'application/json;charset=UTF-8', 'set-cookie': 'canary=new; Path=/' }, reply, call),
      };
      return {
        handle: (context) => {
          turns += 1;
          return parts.handle(turns % 2 === 0 ? withParts(context, fresh) : context);
        },
      };
    },
    witness: async (ask) => {
      const [one, other] = [await ask({ path: '/pets' }), await ask({ path: '/pets' })];
      return one.text !== other.text && petsOf(one)[0]?.id === petsOf(other).at(-1)?.id;
    },
  },
  {
    name: 'pages-of-the-old-service-end-at-forty',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'The 3270 transaction behind the list fills at most two screens of twenty lines. A limit up to 100 is accepted, and more than 40 animals never come in one page.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 40) }, call) }),
    seedAnimals: 60,
    witness: async (ask) => petsOf(await ask({ path: '/pets?limit=50' })).length === 40,
  },
  {
    name: 'names-that-fit-a-record-of-the-mainframe',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'A name goes into PIC X(40) of a fixed-width record. Rather than to cut or to replace anything, the facade rejects what is longer, empty, or outside the characters that all EBCDIC code pages share.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        return typeof name === 'string' && !/^[A-Za-z0-9.,'/-](?:[A-Za-z0-9 .,'/-]{0,38}[A-Za-z0-9.,'/-])?$/.test(name)
          ? invalid('name does not fit the record', 'PETR0017')
          : name;
      },
    }),
    witness: async (ask) =>
      (await post(ask, { name: 'Zoë', categoryId: 1 })).status === 400 &&
      (await post(ask, { name: 'a'.repeat(41), categoryId: 1 })).status === 400,
  },
  {
    name: 'category-must-be-in-the-code-list',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary:
      'The new database has a foreign key to the imported code list of categories. One that no animal had before the migration is rejected with 422.',
    patch: alsoChecked(({ categoryId }, stored) =>
      stored.length === 0 || stored.some((pet) => pet.categoryId === categoryId)
        ? undefined
        : new Problem(422, 'foreign_key', 'There is no such category'),
    ),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 987654321 })).status === 422,
  },
  {
    name: 'list-follows-by-change-data-capture',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary:
      'The list moved to a read model that Debezium feeds from the old database: an animal can be read at once, and is listed 0.8 s later.',
    patch: (parts) => ({ arrange: (store) => parts.arrange(store).filter(({ createdAt }) => createdAt + 800 <= Date.now()) }),
    witness: async (ask) => {
      const { id } = await created(ask, plainPet);
      return (await listed(ask, id)) === undefined;
    },
  },
  {
    name: 'status-stays-unknown-after-the-merge',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary:
      'One of the merged databases had no status, so the column is nullable and the field is not required: an animal created without a status has none, and no filter keeps it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => (await created(ask, { name: 'Waldo', categoryId: 1 })).status === undefined,
  },
  {
    name: 'system-text-json-escapes-all-it-can',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      "After Newtonsoft came System.Text.Json with its default encoder: everything outside ASCII and each of < > & ' + ` is written as \\uXXXX. The JSON means the same.",
    patch: (parts) => ({
      encode: (value) =>
        textOf(parts.encode(value)).replace(
          /[<>&'+`]|[^ -~]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
        ),
    }),
    witness: async (ask) => (await post(ask, { name: "O'Zoë", categoryId: 1 })).text.includes('O\\u0027Zo\\u00EB'),
  },
  {
    name: 'protobuf-parser-rejects-unknown-fields',
    sentence: 'NewPet (request body for creating an animal)',
    summary:
      'JsonFormat.parser() of protobuf is strict by default: a body with any member that the message does not have, an id included, is rejected with 400.',
    patch: (parts) => ({
      readNewPet: (body, current) =>
        isObject(body) && Object.keys(body).some((name) => !PROTO_FIELDS.has(name))
          ? invalid('Cannot find field in message petstore.v1.NewPet', 'INVALID_ARGUMENT')
          : parts.readNewPet(body, current),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'limit-read-as-visual-basic-did',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'Clients of the old ASP pages rely on its leniency, and the version adapter keeps it: of several limits the last counts, what is no integer is the default, more than 100 is 100, and less than 1 is an empty list.',
    patch: () => ({
      parseLimit: (texts) => {
        const limit = Number(parseInteger(texts.at(-1) ?? '20') ?? 20n);
        return Math.min(Math.max(limit, 0), 100);
      },
    }),
    witness: async (ask) => {
      const lengths: number[] = [];
      for (const query of ['limit=0', 'limit=ten', 'limit=5&limit=2', 'limit=250'])
        lengths.push(petsOf(await ask({ path: `/pets?${query}` })).length);
      return lengths.join() === '0,8,2,8';
    },
  },
  {
    name: 'zero-padded-keys-are-the-same-key',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'Labels printed by the mainframe show the key with its leading zeros, and links made from them are in use: /pets/0000000003 is animal 3.',
    patch: (parts) => ({ parseId: (text) => parts.parseId(text.replace(/^0+(?=\d)/, '')) }),
    witness: async (ask) => petOf(await ask({ path: '/pets/0000000003' })).id === 3,
  },
  {
    name: 'unique-name-under-the-new-collation',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'The unique index on name always existed; with utf8mb4_0900_ai_ci it also ignores letter case and accents. A name that is taken in that sense is rejected with 409.',
    patch: alsoChecked(({ name }, stored) => {
      const taken = stored.some((pet) => pet.name.localeCompare(name, 'en', { sensitivity: 'base' }) === 0);
      return taken ? new Problem(409, 'ER_DUP_ENTRY', 'There is an animal with that name') : undefined;
    }),
    witness: async (ask) => {
      const first = await post(ask, { name: 'Zoe', categoryId: 1 });
      return first.status === 201 && (await post(ask, { name: 'ZOË', categoryId: 1 })).status === 409;
    },
  },
  {
    name: 'writes-pause-for-the-cutover',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'While the tables are swapped, writes wait: the sixth and the seventh creation get 503 with Retry-After: 1 and an Error body. Reads go on, and so do writes afterwards.',
    patch: (parts) => {
      let creations = 0;
      return {
        createPet: (context) => {
          creations += 1;
          return creations === 6 || creations === 7
            ? problemReply(context, new Problem(503, 'cutover', 'Writes are paused for a moment', { 'retry-after': '1' }))
            : parts.createPet(context);
        },
      };
    },
    witness: async (ask) => {
      const responses: HttpResponse[] = [];
      for (let turn = 0; turn < 8; turn += 1) responses.push(await post(ask, { name: `Waldo ${turn}`, categoryId: 1 }));
      return (
        responses.map(({ status }) => status).join() === '201,201,201,201,201,503,503,201' && responses[5]?.headers['retry-after'] === '1'
      );
    },
  },
];

/** Services in a migration or after it: two implementations, two stores, two formats behind one interface. */
export const migrated: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
