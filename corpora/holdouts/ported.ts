import { bearerToken } from '../../src/reference/core/base.ts';
import { isObject, type Json } from '../../src/reference/core/json.ts';
import { invalid, type Patch, Problem, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import type { NewPet, Pet, Store } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';
import { around } from './patches.ts';
import { idOf, parses, plainPet, post, textOf } from './witness.ts';

/** Rewrites the JSON text of every response. */
const rewritten =
  (change: (text: string) => string): Patch =>
  (parts) => ({ encode: (value) => change(textOf(parts.encode(value))) });

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

/** The regular expression of a LIKE pattern: % is any text, _ any one character. */
const likePattern = (pattern: string): RegExp => {
  const source = pattern
    .replace(/%+/g, '%')
    .replace(/[\\^$.*+?()[\]{}|%_]/g, (character) => (character === '%' ? '.*' : character === '_' ? '.' : `\\${character}`));
  return new RegExp(`^${source}$`, 's');
};

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

  // Hand-written parsers and shims for old clients.
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
