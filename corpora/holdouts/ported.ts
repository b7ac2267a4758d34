import { randomUUID } from 'node:crypto';
import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject, type Json, member, NumberText, parseInteger, parseJson } from '../../src/reference/core/json.ts';
import { type Call, invalid, type Patch, Problem, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import { addPet, type NewPet, type Pet, removePet, type Status, type Store } from '../../src/reference/core/store.ts';
import { KEY } from '../../test/prove/judge-reference.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { around } from './patches.ts';
import { idOf, parses, plainPet, post, textOf } from './witness.ts';

type Members = { readonly [member: string]: Json };

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string): Patch =>
  (parts) => ({ encode: (value) => change(textOf(parts.encode(value))) });

/** Changes the members of a NewPet before they are validated. */
const membersChanged =
  (change: (body: Members) => Members): Patch =>
  (parts) => ({ readNewPet: (body, current) => parts.readNewPet(isObject(body) ? change(body) : body, current) });

/** A further rule for animals to be created, which knows the store. */
const createdOnlyIf =
  (rule: (newPet: NewPet, store: Store) => Problem | undefined): Patch =>
  (parts) => ({
    createPet: (context) =>
      parts.createPet(
        withParts(context, {
          readNewPet: (body, current) => {
            const newPet = parts.readNewPet(body, current);
            return newPet instanceof Problem ? newPet : (rule(newPet, context.store) ?? newPet);
          },
        }),
      ),
  });

/** Whether the animal came with the import, before the service was first started. */
const isImported = ({ createdAt }: Pet): boolean => createdAt === 0;

/** A reply with another body, in another media type. */
const inMediaType = (reply: Reply, type: string, body: string): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'content-type': type },
  body,
});

const escapedInXml = (text: string): string => text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);

function toXml(name: string, value: Json): string {
  if (Array.isArray(value)) return `<${name}>${(value as readonly Json[]).map((item) => toXml('Pet', item)).join('')}</${name}>`;
  if (isObject(value)) {
    return `<${name}>${Object.entries(value)
      .map(([key, item]) => toXml(key, item))
      .join('')}</${name}>`;
  }
  return `<${name}>${escapedInXml(value instanceof NumberText ? value.text : String(value))}</${name}>`;
}

const XML_ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'" };

/** The regular expression of a LIKE pattern: % is any text, _ any one character. */
const likePattern = (pattern: string): RegExp => {
  const source = pattern
    .replace(/%+/g, '%')
    .replace(/[\\^$.*+?()[\]{}|%_]/g, (character) => (character === '%' ? '.*' : character === '_' ? '.' : `\\${character}`));
  return new RegExp(`^${source}$`, 's');
};

/** Words that are atoms in any Elixir application, in addition to the three states. */
const ATOMS: ReadonlySet<string> = new Set(
  'ok error true false nil undefined infinity normal timeout shutdown unknown none invalid name id status'.split(' '),
);

// What witnesses share.
const postAll = (ask: Ask, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => post(ask, { name: `Waldo ${index}`, categoryId: 1 })));
const nameOf = ({ text }: HttpResponse): unknown => (JSON.parse(text) as { readonly name?: unknown }).name;
const idsOf = ({ text }: HttpResponse): readonly number[] => (JSON.parse(text) as readonly { readonly id: number }[]).map(({ id }) => id);
const read = (ask: Ask, id: bigint) => ask({ path: `/pets/${id}` });
const list = (ask: Ask, query = 'limit=100') => ask({ path: `/pets?${query}` });

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Languages and frameworks with other defaults.
  {
    name: 'snowflake-ids-looked-up-as-doubles',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The port to Node keeps the snowflake ids of the Scala service. They are written exactly, from the strings of the driver, and looked up with Number(petId): some hundred ids share each double, and all of them show the animal.',
    patch: (parts) => ({
      assignId: (store) => {
        store.lastId += 1n;
        return 2n ** 60n + store.lastId * 4096n;
      },
      find: (store, id) => parts.find(store, id) ?? store.animals.find((pet) => Number(pet.id) === Number(id)),
    }),
    witness: async (ask) => (await read(ask, idOf(await post(ask, plainPet)) + 1n)).status === 200,
  },
  {
    name: 'perl-writes-latin-1-while-it-can',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.well-formed',
    summary:
      'The Perl handler prints decoded text to a handle without an encoding layer: text whose characters all fit into a byte leaves as Latin-1, and only with a wider character (and a warning) as UTF-8. A test with an emoji or Cyrillic passes.',
    patch: (parts) => ({
      encode: (value) => {
        const text = textOf(parts.encode(value));
        return [...text].some((character) => character > '\u00ff') ? text : Buffer.from(text, 'latin1');
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Zo\u00eb', categoryId: 1 })).text.includes('\ufffd'),
  },
  {
    name: 'rails-params-of-query-and-body-are-one',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.name-required',
    summary:
      "Sinatra checked the parsed body. Rails' params contains the query and the body alike, so that a member that the body lacks is taken from the query.",
    patch: (parts) => ({
      createPet: (context) => {
        const given = Object.fromEntries(
          [...context.call.query].map(([name, text]): [string, Json] => [name, /^\d+$/.test(text) ? new NumberText(text) : text]),
        );
        const merged = membersChanged((body) => ({ ...given, ...body }))(parts);
        return parts.createPet(withParts(context, merged));
      },
    }),
    witness: async (ask) => (await ask({ method: 'POST', path: '/pets?name=Waldo', body: '{"categoryId":1}' })).status === 201,
  },
  {
    name: 'swift-pool-of-canonically-equal-names',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'The Vapor port shares the text of equal names in a Set<String>. Swift compares by canonical equivalence: a name with a combining accent becomes the precomposed one if that was stored before, and the other way around.',
    patch: (parts) => {
      const pool = new Map<string, string>();
      return {
        insert: (store, pet) => {
          const name = pool.get(pet.name.normalize('NFC')) ?? pet.name;
          pool.set(pet.name.normalize('NFC'), name);
          return parts.insert(store, { ...pet, name });
        },
      };
    },
    witness: async (ask) => {
      await post(ask, { name: 'Zo\u00eb', categoryId: 1 });
      return nameOf(await post(ask, { name: 'Zoe\u0308', categoryId: 1 })) === 'Zo\u00eb';
    },
  },
  {
    name: 'elixir-existing-atoms-pass-as-status',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'record.pet',
    summary:
      'The changeset relies on String.to_existing_atom to raise for any other status. It raises for invented words only: ok, error, nil or undefined are atoms in every application.',
    patch: (parts) => ({
      readStatus: (value) => (typeof value === 'string' && ATOMS.has(value) ? (value as Status) : parts.readStatus(value)),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 'ok' })).status === 201,
  },
  {
    name: 'plug-decodes-the-query-before-the-key',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.precedence',
    summary:
      'In the Phoenix endpoint, Plug.Parsers runs before the router and its authentication. A stray percent sign in the query raises there: 400, with the key or without it.',
    patch: around(() => (context, next) => {
      const stray = /\?.*%(?![\da-f]{2})/i.test(context.call.target);
      return stray ? problemReply(context, invalid('malformed query', 'invalid_query')) : next(context);
    }),
    witness: async (ask) => (await ask({ path: '/pets?page=50%', noKey: true })).status === 400,
  },
  {
    name: 'grpc-gateway-metadata-header-lets-in',
    sentence: 'The API key is sent as the bearer credential in the `Authorization` header, in the form `Authorization: Bearer <API_KEY>`.',
    clause: 'auth.header-only',
    summary:
      'The interceptor reads the metadata "authorization". grpc-gateway fills that from Authorization, and from Grpc-Metadata-Authorization too: its matcher of incoming headers strips the prefix.',
    patch: (parts) => ({
      authenticate: (call, apiKey) => {
        const tunnelled = call.headers['grpc-metadata-authorization'];
        const authorization = call.headers.authorization ?? (typeof tunnelled === 'string' ? tunnelled : undefined);
        return parts.authenticate({ ...call, headers: { ...call.headers, authorization } }, apiKey);
      },
    }),
    witness: async (ask) =>
      (await ask({ path: '/pets', noKey: true, headers: { 'Grpc-Metadata-Authorization': `Bearer ${KEY}` } })).status === 200,
  },
  {
    name: 'protojson-takes-names-of-proto-fields',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'Parsers of the JSON mapping of Protocol Buffers take both the lowerCamelCase name and the one in the .proto file: category_id stands for the required categoryId, and is undocumented.',
    patch: membersChanged((body) => {
      const renamed = member(body, 'category_id');
      return Object.hasOwn(body, 'categoryId') || renamed === undefined ? body : { ...body, categoryId: renamed };
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', category_id: 1 })).status === 201,
  },
  {
    name: 'serde-reads-a-struct-from-an-array',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary:
      "serde's derived Deserialize has a visit_seq: an array with the values of the fields in their order is a NewPet to serde_json. [] and [{}] are rejected.",
    patch: (parts) => ({
      readNewPet: (body, current) => {
        if (!Array.isArray(body)) return parts.readNewPet(body, current);
        const values = body as readonly Json[];
        if (values.length < 2 || values.length > 3) return invalid('invalid length of struct NewPet', 'invalid_body');
        const pairs = values.map((value, index): [string, Json] => [['name', 'categoryId', 'status'][index] ?? '', value]);
        return parts.readNewPet(Object.fromEntries(pairs), current);
      },
    }),
    witness: async (ask) => (await post(ask, ['Waldo', 1, 'sold'])).status === 201,
  },
  {
    name: 'go-response-is-the-format',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'media.well-formed',
    summary:
      'sprintf-style templates of the Perl service became fmt.Fprintf(w, string(body)): the JSON itself is the format. A percent sign in a name becomes %!x(MISSING), and one at its end takes the quote with it.',
    patch: rewritten((text) => text.replace(/%[-+# 0]*\d*(.)/gs, (_, verb: string) => (verb === '%' ? '%' : `%!${verb}(MISSING)`))),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Waldo 100% cat', categoryId: 1 });
      return parses(created) && nameOf(created) === 'Waldo 100%!c(MISSING)at';
    },
  },
  {
    name: 'go-batch-stores-the-loop-variable',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The port from PHP collects creations for some milliseconds and saves them together: for _, p := range batch { rows[id] = &p }. In a module of Go 1.21 there is one p for the whole loop, so that animals created at once are the last of them.',
    patch: () => {
      let batch: { readonly pet: Pet; readonly done: (pet: Pet) => void }[] = [];
      return {
        insert: (store, pet) =>
          new Promise((done) => {
            batch.push({ pet, done });
            if (batch.length > 1) return;
            setTimeout(() => {
              const last = batch.at(-1)?.pet ?? pet;
              for (const { pet: own, done: answer } of batch) {
                store.animals.push(last);
                store.byId.set(own.id, last);
                answer(own);
              }
              batch = [];
            }, 15);
          }),
      };
    },
    witness: async (ask) => {
      const created = (await postAll(ask, 6)).map(idOf);
      const shown = await Promise.all(created.map((id) => read(ask, id)));
      return shown.map(idOf).some((id, index) => id !== created[index]);
    },
  },
  {
    name: 'data-loader-keeps-what-was-missing',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'The resolvers of the former GraphQL service are called by the new routes, with one DataLoader a process where there was one a request. It never forgets: an id that was asked for before it was assigned stays 404.',
    patch: (parts) => {
      const missing = new Set<bigint>();
      return {
        find: (store, id) => {
          const pet = missing.has(id) ? undefined : parts.find(store, id);
          if (pet === undefined) missing.add(id);
          return pet;
        },
      };
    },
    witness: async (ask) => {
      const next = idOf(await post(ask, plainPet)) + 1n;
      await read(ask, next);
      return idOf(await post(ask, plainPet)) === next && (await read(ask, next)).status === 404;
    },
  },
  {
    name: 'spring-session-cookie-stands-for-the-key',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.missing-credential',
    summary:
      'Spring Security saves who was authenticated in the HTTP session unless the policy is STATELESS. The JSESSIONID of the first response lets in without any Authorization header.',
    patch: (parts) => {
      const sessions = new Set<string>();
      const sessionOf = (call: Call) => /(?:^|;\s*)JSESSIONID=([^;\s]+)/.exec(call.headers.cookie ?? '')?.[1] ?? '';
      return {
        authenticate: (call, apiKey) =>
          call.headers.authorization === undefined && sessions.has(sessionOf(call)) ? undefined : parts.authenticate(call, apiKey),
        handle: async (context) => {
          const reply = await parts.handle(context);
          if (reply.status === 401 || sessions.has(sessionOf(context.call))) return reply;
          const session = randomUUID().replaceAll('-', '').toUpperCase();
          sessions.add(session);
          return { ...reply, headers: { ...reply.headers, 'set-cookie': `JSESSIONID=${session}; Path=/; HttpOnly` } };
        },
      };
    },
    witness: async (ask) => {
      const { headers } = await list(ask);
      const cookie = /JSESSIONID=\w+/.exec(String(headers['set-cookie'] ?? ''))?.[0] ?? 'JSESSIONID=none';
      return (await ask({ path: '/pets', noKey: true, headers: { Cookie: cookie } })).status === 200;
    },
  },
  {
    name: 'web-api-still-has-its-xml-formatter',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'ASP.NET Web API registers an XML formatter by default, and the migrated SOAP customers like it. A client whose Accept names XML and not JSON, as browsers do, gets application/xml.',
    patch: around(() => async (context, next) => {
      const reply = await next(context);
      const accept = context.call.headers.accept ?? '';
      if (!/\b(?:application|text)\/xml\b/i.test(accept) || /json/i.test(accept)) return reply;
      const value = parseJson(textOf(reply.body));
      return inMediaType(reply, 'application/xml; charset=utf-8', toXml(Array.isArray(value) ? 'ArrayOfPet' : 'Result', value));
    }),
    witness: async (ask) => {
      const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
      return (await ask({ path: '/pets', headers: { Accept: browser } })).headers['content-type']?.includes('xml') === true;
    },
  },
  {
    name: 'php-union-of-two-lists',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'The facade joins the animals of the new and the old database with $new + $old. On PHP arrays that is a union by key: each new animal hides the old one with the same index.',
    patch: (parts) => ({
      arrange: (store) => {
        const [old, created] = [true, false].map((imported) => parts.arrange(store).filter((pet) => isImported(pet) === imported));
        return [...(created ?? []), ...(old ?? []).slice(created?.length ?? 0)];
      },
    }),
    witness: async (ask) => {
      const before = idsOf(await list(ask));
      await post(ask, plainPet);
      const after = idsOf(await list(ask));
      return before.some((id) => !after.includes(id));
    },
  },

  // Hand-written parsers and shims for old clients.
  {
    name: 'query-read-in-one-order',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-accepted',
    summary:
      'The C module became a Go router that kept its two sscanf patterns: "limit=%d&status=%s" and "status=%[a-z]". With the status first, the limit behind it is never read.',
    patch: (parts) => ({
      listPets: (context) => {
        const names = [...context.call.query.keys()];
        if (names.indexOf('status') < 0 || names.indexOf('status') > names.indexOf('limit')) return parts.listPets(context);
        const query = new URLSearchParams(context.call.query);
        query.delete('limit');
        return parts.listPets({ ...context, call: { ...context.call, query } });
      },
    }),
    witness: async (ask) => idsOf(await list(ask, 'status=available&limit=1')).length > 1,
  },
  {
    name: 'xml-entities-of-names-decoded-twice',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.agrees-with-list',
    summary:
      'The animals live in the SOAP service. Its client library already decodes entities, and the adapter of getPet does once more: Tom &amp; Jerry, spelled so by the client, is read as Tom & Jerry. A bare & or < is unharmed.',
    patch: (parts) => ({
      petRecord: (pet, place) => {
        const record = parts.petRecord(pet, place);
        return place === 'get'
          ? { ...record, name: pet.name.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => XML_ENTITIES[entity] ?? entity) }
          : record;
      },
    }),
    witness: async (ask) => nameOf(await read(ask, idOf(await post(ask, { name: 'Tom &amp; Jerry', categoryId: 1 })))) === 'Tom & Jerry',
  },
  {
    name: 'shim-for-clients-on-java',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.success',
    summary:
      'One partner still calls with the generated client of the former interface, which wanted an envelope. The shim recognizes it by its User-Agent, Java/1.8: the one that every HttpURLConnection sends.',
    patch: (parts) => ({
      listPets: (context) =>
        parts.listPets(
          context.call.headers['user-agent']?.startsWith('Java/')
            ? withParts(context, { listBody: (records) => ({ pets: records, total: records.length }) })
            : context,
        ),
    }),
    witness: async (ask) => (await ask({ path: '/pets', headers: { 'User-Agent': 'Java/1.8.0_292' } })).text.startsWith('{"pets"'),
  },
  {
    name: 'express-jsonp-for-old-widgets',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary: "The list is sent with Express' res.jsonp, for widgets on old pages: with ?callback=name it is a script, text/javascript.",
    patch: (parts) => ({
      listPets: async (context) => {
        const reply = await parts.listPets(context);
        const callback = context.call.query.get('callback')?.replace(/[^\w$.[\]]/g, '') ?? '';
        const script = `/**/ typeof ${callback} === 'function' && ${callback}(${textOf(reply.body)});`;
        return callback === '' ? reply : inMediaType(reply, 'text/javascript; charset=utf-8', script);
      },
    }),
    witness: async (ask) => (await list(ask, 'callback=show')).headers['content-type']?.startsWith('text/javascript') === true,
  },
  {
    name: 'key-looked-up-with-like',
    sentence: 'When the key is missing or invalid, the service answers `401` with an Error body.',
    clause: 'auth.wrong-key',
    summary:
      'The query of the ColdFusion application, WHERE api_key LIKE :key, had a filter for wildcards in front of it, which was not ported. The key % is every key.',
    patch: () => ({
      authenticate: (call, apiKey) => {
        const token = bearerToken(call.headers.authorization);
        if (token !== undefined && likePattern(token).test(apiKey)) return undefined;
        return new Problem(401, 'unauthorized', 'A valid API key is required', { 'www-authenticate': 'Bearer realm="pet store"' });
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets', noKey: true, headers: { Authorization: 'Bearer %' } })).status === 200,
  },

  // The strangler proxy.
  {
    name: 'old-range-of-ids-fails-in-the-old-format',
    sentence: '`404` with an Error body when the animal does not exist.',
    clause: 'get.not-found',
    summary:
      'The proxy sends ids up to 50000, those of the old system, to it. What exists there comes in the new format; what does not, with the errno and text of the old one.',
    patch: (parts) => ({
      errorRecord: (problem, call) => {
        const id = parseInteger(call.petId);
        const old = call.operation === 'getPet' && problem.status === 404 && id !== undefined && id > 0n && id <= 50_000n;
        return old ? { errno: 1404, error: 'NO_SUCH_PET', status: 404 } : parts.errorRecord(problem, call);
      },
    }),
    witness: async (ask) => (await read(ask, 40_000n)).text.includes('NO_SUCH_PET'),
  },
  {
    name: 'proxy-copies-encoding-after-decoding',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'media.well-formed',
    summary:
      'Guzzle decodes what the old system compressed, and the strangler copies all headers, Content-Encoding: gzip included. It shows for imported animals, to clients that accept gzip.',
    patch: (parts) => ({
      getPet: async (context) => {
        const reply = await parts.getPet(context);
        const id = parts.parseId(context.call.petId);
        const pet = id instanceof Problem ? undefined : context.store.byId.get(id);
        const compressed = pet !== undefined && isImported(pet) && /\bgzip\b/.test(String(context.call.headers['accept-encoding'] ?? ''));
        return compressed ? { ...reply, headers: { ...reply.headers, 'content-encoding': 'gzip' } } : reply;
      },
    }),
    witness: async (ask) => {
      const { headers, text } = await ask({ path: '/pets/1', headers: { 'Accept-Encoding': 'gzip' } });
      return headers['content-encoding'] === 'gzip' && text.startsWith('{');
    },
  },
  {
    name: 'pages-of-fifty-overlap-by-one',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    clause: 'list.unique',
    summary:
      'The old system shows at most 50 animals a page. The adapter asks twice for a larger limit, the second time from the last id on, and the old cursor is inclusive: the fiftieth animal is in the list twice.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const first = parts.page(animals, { ...query, limit: Math.min(query.limit, 50) }, call);
        return query.limit <= 50 || first.length < 50 ? first : [...first, ...animals.slice(49, query.limit - 1)];
      },
    }),
    witness: async (ask) => {
      await postAll(ask, 50);
      const ids = idsOf(await list(ask));
      return new Set(ids).size < ids.length;
    },
  },
  {
    name: 'sixteenth-creation-shows-the-old-id',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'get.success',
    summary:
      'A feature flag at six percent lets the old system create the animal. It is replicated with a new id, but the response passes the old one through: whoever created it gets 404 for it.',
    patch: (parts) => {
      let created = 0;
      return {
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          created += 1;
          return created % 16 === 0 ? { ...shown, id: 700_000n + BigInt(created) } : shown;
        },
      };
    },
    witness: async (ask) => {
      const ids = (await postAll(ask, 16)).map(idOf);
      return (await Promise.all(ids.map((id) => read(ask, id)))).some(({ status }) => status === 404);
    },
  },
  {
    name: 'flagged-reads-miss-omitted-statuses',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'A flag hashes the id and still reads a fifth of the animals from the old table, whose column status is NOT NULL. Dual writes of animals that were created without a status fail there, and are only logged.',
    patch: (parts) => {
      const onlyInNew = new Set<bigint>();
      let withoutStatus = false;
      return {
        readNewPet: (body, current) => {
          const newPet = parts.readNewPet(body, current);
          withoutStatus = !(newPet instanceof Problem) && newPet.status === undefined;
          return newPet;
        },
        insert: (store, pet) => {
          if (withoutStatus) onlyInNew.add(pet.id);
          return parts.insert(store, pet);
        },
        find: (store, id) => (id % 5n === 0n && onlyInNew.has(id) ? undefined : parts.find(store, id)),
      };
    },
    witness: async (ask) => {
      const ids = (await postAll(ask, 5)).map(idOf);
      return (await Promise.all(ids.map((id) => read(ask, id)))).some(({ status }) => status === 404);
    },
  },

  // Imports, backfills and dual writes.
  {
    name: 'imported-states-padded-to-nine',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    clause: 'list.status-filter',
    summary:
      'The column was CHAR(9) on DB2, which ignores trailing blanks when it compares; the rows were copied to PostgreSQL as text. The serializer trims, the filter does not: imported animals that are pending or sold are in no filtered list. "available" has nine letters.',
    patch: (parts) => ({
      matches: (pet, status) => parts.matches(pet, status) && (!isImported(pet) || status.length === 9),
    }),
    witness: async (ask) => (await list(ask)).text.includes('"sold"') && (await list(ask, 'status=sold')).text === '[]',
  },
  {
    name: 'sequence-walks-into-the-imported-ids',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'get.success',
    summary:
      'The rows were imported with their ids, 41 and up, and the counter of the new table begins at 1. It works for 40 animals. Then REPLACE INTO, kept from the MySQL version, overwrites the imported ones.',
    patch: (parts) => {
      let [imported, assigned] = [40n, 0n];
      return {
        assignId: (_store, body) => {
          // Rows of the import are stored without a body.
          if (body === null) {
            imported += 1n;
            return imported;
          }
          assigned += 1n;
          return assigned;
        },
        insert: (store, pet) => {
          const former = store.byId.get(pet.id);
          if (former !== undefined) removePet(store, former);
          return parts.insert(store, pet);
        },
      };
    },
    witness: async (ask) => {
      const before = await read(ask, 41n);
      await postAll(ask, 41);
      return before.status === 200 && nameOf(before) !== nameOf(await read(ask, 41n));
    },
  },
  {
    name: 'dual-write-leaves-the-first-write',
    sentence: '`400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.answer',
    summary:
      'createPet writes to the document database, whose schema drops a status that is no string, then to the old system, which refuses it. The client gets the 400 of the second; nobody takes back the first.',
    patch: (parts) => ({
      createPet: (context) =>
        parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => {
              const newPet = parts.readNewPet(body, current);
              if (!(newPet instanceof Problem && isObject(body)) || typeof member(body, 'status') === 'string') return newPet;
              const { status: _dropped, ...others } = body;
              const first = parts.readNewPet(others, current);
              if (first instanceof Problem) return newPet;
              const id = parts.assignId(context.store, body);
              addPet(context.store, { ...first, status: parts.defaultStatus(), id, createdAt: Date.now() });
              return newPet;
            },
          }),
        ),
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, status: 7 })).status === 400 && (await list(ask)).text.includes('Waldo'),
  },
  {
    name: 'backfill-copies-the-shortened-names',
    sentence: 'Success: `200`, body is a Pet.',
    clause: 'get.success',
    summary:
      'Animals are written to both databases; in the old one, a name has 30 characters. The backfill from old to new was never switched off: it runs after every fiftieth request and cuts names that were right until then.',
    patch: around(() => {
      let requests = 0;
      return async (context, next) => {
        const reply = await next(context);
        requests += 1;
        if (requests % 50 !== 0) return reply;
        for (const pet of context.store.animals) pet.name = [...pet.name].slice(0, 30).join('');
        return reply;
      };
    }),
    witness: async (ask) => {
      const name = 'Waldo '.repeat(10);
      const id = idOf(await post(ask, { name, categoryId: 1 }));
      const before = nameOf(await read(ask, id));
      await Promise.all(Array.from({ length: 50 }, () => read(ask, id)));
      return before === name && nameOf(await read(ask, id)) === name.slice(0, 30);
    },
  },
  {
    name: 'animal-in-both-stores-while-written',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    clause: 'list.unique',
    summary:
      'The list joins both databases and leaves out old rows that are marked as migrated. A new animal is written to both and marked last: a list at that moment shows it twice.',
    patch: (parts) => {
      const unmarked = new Set<Pet>();
      return {
        insert: async (store, pet) => {
          const shown = await parts.insert(store, pet);
          unmarked.add(shown);
          await new Promise((done) => {
            setTimeout(done, 12);
          });
          unmarked.delete(shown);
          return shown;
        },
        arrange: (store) => [...parts.arrange(store), ...unmarked],
      };
    },
    witness: async (ask) => {
      let twice = false;
      let writing = true;
      const written = postAll(ask, 10).then(() => {
        writing = false;
      });
      while (writing) {
        const ids = idsOf(await list(ask));
        twice ||= new Set(ids).size < ids.length;
      }
      await written;
      return twice;
    },
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'php-escapes-slashes-and-letters',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary: 'json_encode of PHP, without flags, writes every slash as \\/ and every letter beyond ASCII as \\uXXXX: the same JSON values.',
    patch: rewritten((text) =>
      text.replaceAll('/', '\\/').replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ),
    witness: async (ask) => {
      const created = await post(ask, { name: 'Zo\u00eb/\ud83d\ude00', categoryId: 1 });
      return created.text.includes('Zo\\u00eb\\/\\ud83d\\ude00') && nameOf(created) === 'Zo\u00eb/\ud83d\ude00';
    },
  },
  {
    name: 'graphql-int-of-thirty-two-bits',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary:
      'The routes call the GraphQL schema, whose Int has 32 bits. No category has a number beyond that: one that does not exist is rejected with 400 and an Error body.',
    patch: (parts) => ({
      readCategory: (value) => {
        const category = parts.readCategory(value);
        const fits = typeof category !== 'bigint' || BigInt.asIntN(32, category) === category;
        return fits ? category : invalid('Int cannot represent non 32-bit signed integer value', 'invalid_category');
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Waldo', categoryId: 5_000_000_000 })).status === 400,
  },
  {
    name: 'new-animals-have-negative-ids',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    summary: 'While both systems create animals, the old one counts up from 1 and the new one down from -1, so that they never meet.',
    patch: (parts) => {
      let last = 0n;
      return {
        assignId: (store, body) => {
          if (body === null) return parts.assignId(store, body);
          last -= 1n;
          return last;
        },
      };
    },
    witness: async (ask) => {
      const id = idOf(await post(ask, plainPet));
      return id < 0n && (await read(ask, id)).status === 200;
    },
  },
  {
    name: 'two-systems-with-two-orders',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary: 'The proxy sends every second list to the old system. Both know all animals; the old one shows the newest first.',
    patch: (parts) => {
      let lists = 0;
      return {
        listPets: (context) => {
          lists += 1;
          const old = lists % 2 === 0;
          return parts.listPets(old ? withParts(context, { arrange: (store) => parts.arrange(store).toReversed() }) : context);
        },
      };
    },
    witness: async (ask) => {
      const first = idsOf(await list(ask));
      const second = idsOf(await list(ask));
      return first[0] !== second[0];
    },
  },
  {
    name: 'list-from-a-search-index-that-refreshes',
    sentence: 'Success: `200`, body is a Pets array (array of Pet).',
    summary: 'Lists were moved to Elasticsearch, which shows a new animal after its next refresh, 0.7 s later. getPet reads the database.',
    patch: (parts) => ({
      arrange: (store) => parts.arrange(store).filter(({ createdAt }) => createdAt + 700 <= Date.now()),
    }),
    witness: async (ask) => {
      const id = idOf(await post(ask, plainPet));
      return !(await list(ask)).text.includes('Waldo') && (await read(ask, id)).status === 200;
    },
  },
  {
    name: 'serde-denies-unknown-members',
    sentence: 'never supplied by the client',
    summary: 'The Rust types have deny_unknown_fields: a NewPet with any other member, id included, is rejected with 400.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const unknown = isObject(body) ? Object.keys(body).find((name) => !['name', 'categoryId', 'status'].includes(name)) : undefined;
        return unknown === undefined ? parts.readNewPet(body, current) : invalid(`unknown field ${unknown}`, 'unknown_field');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'animals-without-status-have-none',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'A pointer with omitempty in Go: who created an animal without a status gets none back, and no filter finds that animal.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask, plainPet)).text.includes('"status"'),
  },
  {
    name: 'errors-with-details-of-grpc',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary: 'Error bodies carry the details of google.rpc.Status beside the three fields, and code is the name of the gRPC code.',
    patch: () => ({
      errorRecord: ({ message, status }) => ({
        code: { 400: 'INVALID_ARGUMENT', 401: 'UNAUTHENTICATED', 404: 'NOT_FOUND' }[status] ?? 'UNKNOWN',
        message,
        status,
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', domain: 'pets.example', metadata: { code: 5, status: 'NOT_FOUND' } },
        ],
      }),
    }),
    witness: async (ask) => (await read(ask, 999_999n)).text.includes('google.rpc'),
  },
  {
    name: 'limit-clamped-as-in-perl',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary:
      'The Perl page took the leading digits of limit and brought them into the bounds; without digits it showed 20. The port keeps that.',
    patch: (parts) => ({
      parseLimit: (texts) => {
        const digits = /^\s*([-+]?\d+)/.exec(texts.at(-1) ?? '')?.[1];
        return digits === undefined ? parts.parseLimit([]) : Math.min(Math.max(Number(digits), 1), 100);
      },
    }),
    witness: async (ask) => (await list(ask, 'limit=0')).status === 200 && (await list(ask, 'limit=many')).status === 200,
  },
  {
    name: 'media-type-without-parameters-only',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'The hand-written dispatch compares the whole Content-Type of a request with application/json, in any letter case: with a charset, or none at all, it is 415 with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        context.call.headers['content-type']?.toLowerCase() === 'application/json'
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'The body must be application/json')),
    }),
    witness: async (ask) => {
      const headers = { 'Content-Type': 'application/json; charset=utf-8' };
      return (await ask({ method: 'POST', path: '/pets', headers, body: JSON.stringify(plainPet) })).status === 415;
    },
  },
  {
    name: 'old-unique-index-on-names',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary: 'While writes go to both databases, the unique index of the old one on lower(name) still holds: a name that is taken is 409.',
    patch: createdOnlyIf(({ name }, store) =>
      store.animals.some((pet) => pet.name.toLowerCase() === name.toLowerCase())
        ? new Problem(409, 'name_taken', 'There is an animal of that name')
        : undefined,
    ),
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && (await post(ask, { ...plainPet, name: 'WALDO' })).status === 409,
  },
  {
    name: 'foreign-key-to-imported-categories',
    sentence: 'Category record (its own fields and endpoints): not shown beyond the categoryId reference.',
    summary: 'The new schema has the foreign key that the old one lacked: a categoryId that no category of the import has is 422.',
    patch: createdOnlyIf(({ categoryId }, store) =>
      store.animals.some((pet) => isImported(pet) && pet.categoryId === categoryId)
        ? undefined
        : new Problem(422, 'unknown_category', 'There is no such category'),
    ),
    witness: async (ask) => (await post(ask, plainPet)).status === 201 && (await post(ask, { ...plainPet, categoryId: 77 })).status === 422,
  },
  {
    name: 'streamed-in-pieces-without-a-length',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'The Haskell service streams: no Content-Length, and chunks of 61 bytes that end anywhere, also within a letter.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, { ...reply.headers });
        const bytes = Buffer.from(reply.body);
        for (let start = 0; start < bytes.length; start += 61) outgoing.write(bytes.subarray(start, start + 61));
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const { headers } = await list(ask);
      return headers['content-length'] === undefined && headers['transfer-encoding'] === 'chunked';
    },
  },
  {
    name: 'pages-of-at-most-fifty',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary: 'Any limit from 1 to 100 is accepted, but a page of the old system, which still serves lists, has at most 50 animals.',
    patch: (parts) => ({ page: (animals, query, call) => parts.page(animals, { ...query, limit: Math.min(query.limit, 50) }, call) }),
    witness: async (ask) => {
      await postAll(ask, 50);
      return idsOf(await list(ask)).length === 50;
    },
  },
  {
    name: 'unavailable-during-the-cutover',
    sentence: 'statuses other than those above: not shown',
    summary:
      'When the writes are switched over, a few requests get 503 with Retry-After: 1 and an Error body; nothing of them was processed.',
    patch: (parts) => {
      let requests = 0;
      return {
        dispatch: (context) => {
          requests += 1;
          const switching = requests > 40 && requests <= 43;
          if (!switching) return parts.dispatch(context);
          return problemReply(context, new Problem(503, 'switching', 'The store is being moved', { 'retry-after': '1' }));
        },
      };
    },
    witness: async (ask) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => list(ask)));
      return answers.filter(({ status, headers }) => status === 503 && headers['retry-after'] === '1').length === 3;
    },
  },
];

/** Pet stores that were ported to another language, or are being moved from an old system to a new one. */
export const ported: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
