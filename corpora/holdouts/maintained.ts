import { isObject } from '../../src/reference/core/json.ts';
import { type Call, invalid, jsonReply, type Parts, Problem, problemReply, type Reply, withParts } from '../../src/reference/core/parts.ts';
import { isStatus } from '../../src/reference/core/store.ts';
import type { Holdout, HttpResponse } from './holdout.ts';
import { idOf, lengthOf, parses, plainPet, post, textOf } from './witness.ts';

type Row = Omit<Holdout, 'kind'>;

/** A page of HTML, as a component in front of the service writes it. */
const htmlPage = (status: number, title: string): Reply => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!DOCTYPE html><html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>`,
});
const valueIn = ({ text }: HttpResponse, name: string): unknown => (JSON.parse(text) as Record<string, unknown>)[name];
const idsIn = ({ text }: HttpResponse): readonly string[] => [...text.matchAll(/"id":\s*(-?\d+)/g)].map(([, id = '']) => id);
const inTurn = async <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  for (let index = 0; index < count; index += 1) done.push(await one(index));
  return done;
};

const credentialFaults: readonly Row[] = [];

const listFaults: readonly Row[] = [
  {
    name: 'limit-compared-as-text',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    clause: 'list.limit-maximum',
    summary:
      'A port to JavaScript took min(limit, total) of two texts: 9 is more than 40, so limit=9 returns all 40, as far as a page goes.',
    patch: (parts) => ({
      page: (animals, query, call) => {
        const exceeds = String(query.limit) > String(animals.length);
        return parts.page(animals, exceeds ? { ...query, limit: Math.min(animals.length, 100) } : query, call);
      },
    }),
    seedAnimals: 40,
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=9' })) > 9,
  },
];

const creationFaults: readonly Row[] = [
  {
    name: 'id-blocks-of-two-sizes',
    sentence: 'Unique identifier assigned by the service on creation; never supplied by the client',
    clause: 'create.id-assigned',
    summary:
      'Two nodes take blocks of ids from one sequence (hi/lo). A tuning changed the block size of one of them from 10 to 8, so their blocks overlap.',
    patch: () => {
      let high = 0n;
      let turn = 0;
      const nodes = [10n, 8n].map((size) => ({ size, high: 0n, low: size }));
      return {
        assignId: () => {
          const node = nodes[turn % nodes.length] ?? { size: 10n, high: 0n, low: 10n };
          turn += 1;
          if (node.low === node.size) {
            high += 1n;
            node.high = high;
            node.low = 0n;
          }
          const id = node.high * node.size + node.low;
          node.low += 1n;
          return id;
        },
      };
    },
    witness: async (ask) => {
      const ids = (await inTurn(30, () => post(ask))).map((created) => String(idOf(created)));
      return new Set(ids).size < ids.length;
    },
  },
];

const readingFaults: readonly Row[] = [];

const errorFaults: readonly Row[] = [
  {
    name: 'log-decorator-adds-a-second-status',
    sentence: '| status | integer | yes | The HTTP status code of the response |',
    clause: 'media.well-formed',
    summary:
      'Monitoring wanted "status":"error" in every error log. The log and the response share a serializer, and so 404 bodies have status twice.',
    patch: (parts) => ({
      encode: (value) => {
        const text = textOf(parts.encode(value));
        return text.startsWith('{"code":"not_found"') ? `${text.slice(0, -1)},"status":"error"}` : text;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/987654' })).text.match(/"status"/g)?.length === 2,
  },
  {
    name: 'firewall-answers-odd-names',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    clause: 'errors.shape',
    summary:
      'After an audit a web application firewall inspects bodies. What looks like SQL, a script or a path upwards is 403 with a page of HTML.',
    patch: (parts) => ({
      createPet: async (context) => {
        const bytes = await context.call.body();
        const text = bytes instanceof Problem ? '' : textOf(bytes);
        const isSuspect = /<\s*\w+|'\s*(?:or|--|;)|\bselect\b|\.\.\/|\$\{/i.test(text);
        return isSuspect ? htmlPage(403, 'Request blocked') : await parts.createPet(context);
      },
    }),
    witness: async (ask) => {
      const refused = await post(ask, { name: "Robert'; DROP TABLE pets", categoryId: 1 });
      return refused.status === 403 && !parses(refused);
    },
  },
];

/** A number that spreads over int64: odd factors are invertible, so no two counts collide. */
const scattered = (count: bigint): bigint => BigInt.asIntN(64, count * 0x9e3779b97f4a7c15n);

/** How many animals the cursor skips. */
const skippedBy = ({ query }: Call): number => Number(/^c(\d{1,6})$/.exec(query.get('cursor') ?? '')?.[1] ?? '0');

const variants: readonly Row[] = [
  {
    name: 'ids-from-a-hash-over-int64',
    sentence: '| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |',
    summary: 'After an audit ids must not be guessable: the counter is multiplied modulo 2^64, and every other id is negative.',
    patch: (parts) => ({ assignId: (store, body) => scattered(parts.assignId(store, body)) }),
    witness: async (ask) => {
      const ids = await inTurn(4, async () => idOf(await post(ask)));
      return ids.some((id) => id < 0n) && ids.some((id) => id > 2n ** 60n);
    },
  },
  {
    name: 'status-unknown-until-inspected',
    sentence: 'If status is omitted on creation, the default is not stated.',
    summary: 'Since a new requirement an animal has no status until someone inspects it: the member is absent, and no filter finds it.',
    patch: () => ({ defaultStatus: () => undefined }),
    witness: async (ask) => !(await post(ask)).text.includes('"status"'),
  },
  {
    name: 'limit-read-leniently-and-clamped',
    sentence: 'A `limit` outside 1 to 100 violates the declared bounds; the resulting response is not stated.',
    summary: 'An old client sends limit=0 and limit=1000. What is outside is the nearest bound, and what is no number is the default.',
    patch: () => ({
      parseLimit: (texts) => {
        const limit = Number.parseInt(texts[0] ?? '20', 10);
        return Number.isNaN(limit) ? 20 : Math.min(Math.max(limit, 1), 100);
      },
    }),
    seedAnimals: 30,
    witness: async (ask) =>
      lengthOf(await ask({ path: '/pets?limit=-5' })) === 1 && lengthOf(await ask({ path: '/pets?limit=all' })) === 20,
  },
  {
    name: 'unknown-status-finds-nothing',
    sentence: '| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |',
    summary: 'The check of the filter was dropped as dead code. The query runs with whatever text was sent, and no animal has that status.',
    patch: (parts) => ({
      listPets: (context) => {
        const texts = context.call.query.getAll('status');
        const isKnown = texts.length === 0 || texts.some(isStatus);
        return isKnown ? parts.listPets(context) : jsonReply(context, 200, context.parts.listBody([]));
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets?status=lost' });
      return list.status === 200 && lengthOf(list) === 0;
    },
  },
  {
    name: 'last-of-repeated-parameters-wins',
    sentence: '| limit | integer | minimum 1, maximum 100 | 20 | Maximum number of animals returned |',
    summary:
      'A new router keeps parameters in a map: the last limit and the last status count, where the previous router refused repetition.',
    patch: (parts) => ({
      parseLimit: (texts) => parts.parseLimit(texts.slice(-1)),
      parseStatus: (texts) => parts.parseStatus(texts.slice(-1)),
    }),
    witness: async (ask) => lengthOf(await ask({ path: '/pets?limit=5&limit=2' })) === 2,
  },
  {
    name: 'newest-first-with-links',
    sentence: 'The parameters and fields that select a later page: not shown.',
    summary:
      'The mobile app wants new animals on top. Lists are in descending order of creation, and a Link header and an opaque cursor name the next page.',
    patch: (parts) => ({
      arrange: (store) => parts.arrange(store).toReversed(),
      page: (animals, query, call) => parts.page(animals.slice(skippedBy(call)), query, call),
      listPets: async (context) => {
        const { call } = context;
        let next: number | undefined;
        const page: Parts['page'] = (animals, query, asked) => {
          const end = skippedBy(asked) + query.limit;
          next = end < animals.length ? end : undefined;
          return context.parts.page(animals, query, asked);
        };
        const reply = await parts.listPets(withParts(context, { page }));
        if (reply.status !== 200 || next === undefined) return reply;
        const query = new URLSearchParams(call.query);
        query.set('cursor', `c${next}`);
        return { ...reply, headers: { ...reply.headers, link: `</v1/pets?${query}>; rel="next"` } };
      },
    }),
    witness: async (ask) => {
      const list = await ask({ path: '/pets?limit=2' });
      const ids = idsIn(list).map(BigInt);
      return list.headers['link'] !== undefined && (ids[0] ?? 0n) > (ids[1] ?? 0n);
    },
  },
  {
    name: 'escaped-and-indented-json',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'A client in COBOL cannot read UTF-8, so everything beyond ASCII is escaped; a debugging aid indents every body with tabs and ends it with a line feed.',
    patch: () => ({
      encode: (value) => {
        const asEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;
        return `\r\n${JSON.stringify(value, null, '\t').replace(/[^\0-~]/g, asEscape)}\n`;
      },
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).text.includes('Zo\\u00EB'),
  },
  {
    name: 'media-type-in-capitals-and-with-parameters',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'A framework writes Application/JSON with a charset and a version, as an old client expects, and every response tells the build.',
    patch: (parts) => ({
      headers: (given, reply, call) => ({
        ...parts.headers(given, reply, call),
        'content-type': 'Application/JSON ; Charset="UTF-8"; v=1',
        server: 'PetServer/1.0 (merged; rebuilt)',
        'x-api-version': '2.7.13',
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['content-type']?.startsWith('Application/JSON') === true,
  },
  {
    name: 'unreadable-path-ids-are-404',
    sentence: '`petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The route got a pattern of digits: what does not match, or is too large, is not a path of this service, with its own code and message.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? new Problem(404, 'route.unmatched', `No route for ${JSON.stringify(text)}`) : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/rex' })).status === 404,
  },
  {
    name: 'unknown-members-refused',
    sentence: 'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    summary: 'The audit demanded forbidNonWhitelisted: any member beyond the three is 400, id included.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const extra = isObject(body) ? Object.keys(body).find((name) => !['name', 'categoryId', 'status'].includes(name)) : undefined;
        return extra === undefined
          ? parts.readNewPet(body, current)
          : invalid(`property ${JSON.stringify(extra)} should not exist`, 'unknown_member');
      },
    }),
    witness: async (ask) => (await post(ask, { ...plainPet, color: 'red' })).status === 400,
  },
  {
    name: 'bodies-of-other-media-types-refused',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'After the review only application/json without parameters is read. With charset=utf-8, +json or none it is 415, with an Error body.',
    patch: (parts) => ({
      createPet: (context) =>
        context.call.headers['content-type'] === 'application/json'
          ? parts.createPet(context)
          : problemReply(context, new Problem(415, 'unsupported_media_type', 'Send application/json')),
    }),
    witness: async (ask) => (await post(ask, plainPet, { 'Content-Type': 'application/json; charset=utf-8' })).status === 415,
  },
  {
    name: 'conservative-names-only',
    sentence: 'Length, character and uniqueness rules of name: not shown.',
    summary:
      'Label printers of the stores know Latin letters, digits and few signs: other names, long ones, empty ones, and ones with blanks at an end are 400.',
    patch: (parts) => ({
      readName: (value) =>
        typeof value === 'string' && !/^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,38}[A-Za-z0-9])?$/.test(value)
          ? invalid('name cannot be printed on a label', 'name.not_printable')
          : parts.readName(value),
    }),
    witness: async (ask) => (await post(ask, { name: 'Zoë', categoryId: 1 })).status === 400,
  },
  {
    name: 'everything-chunked-in-small-pieces',
    sentence: 'Response headers of any operation: not shown.',
    summary:
      'Streaming was introduced for a long list. Every body is chunked, in pieces of 7 bytes that split letters, and no length is sent.',
    patch: () => ({
      send: (reply, outgoing) => {
        outgoing.writeHead(reply.status, reply.headers);
        const bytes = Buffer.from(reply.body);
        for (let start = 0; start < bytes.length; start += 7) outgoing.write(bytes.subarray(start, start + 7));
        outgoing.end();
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets' })).headers['transfer-encoding'] === 'chunked',
  },
  {
    name: 'errors-in-japanese-with-details',
    sentence: 'The set of values of `code`, and statuses other than those above: not shown.',
    summary:
      'The service was sold to Japan: messages are translated whatever Accept-Language says, codes are URNs, and monitoring added an instance and a list of causes.',
    patch: () => ({
      errorRecord: ({ code, status }) => ({
        instance: `urn:pets:error:${status}`,
        causes: [],
        status,
        message: 'リクエストを処理できません 🐾',
        code: `urn:pets:${code.replaceAll('_', '-')}`,
      }),
    }),
    witness: async (ask) => String(valueIn(await ask({ path: '/pets/987654' }), 'code')).startsWith('urn:'),
  },
];

/** Services that many people have changed over years: fixes, requirements, caches, audits, translations, migrations, upgrades and merges. */
export const maintained: readonly Holdout[] = [
  ...[...credentialFaults, ...listFaults, ...creationFaults, ...readingFaults, ...errorFaults].map(
    (fault): Holdout => ({ kind: 'fault', ...fault }),
  ),
  ...variants.map((variant): Holdout => ({ kind: 'variant', ...variant })),
];
