import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { isObject, type Json, literal, member, NumberText } from '../../src/reference/core/json.ts';
import {
  type Call,
  type Context,
  invalid,
  notFound,
  type Parts,
  type Patch,
  Problem,
  problemReply,
  type Reply,
  withoutHeaders,
  withParts,
} from '../../src/reference/core/parts.ts';
import { isStatus } from '../../src/reference/core/store.ts';
import type { Ask, Holdout, HttpResponse } from './holdout.ts';

/** The text of a request header; empty if it was not sent. */
function headerOf(call: Call, name: string): string {
  const value = call.headers[name];
  return typeof value === 'string' ? value : (value ?? []).join(', ');
}

/** Other parts for the requests that the condition selects. */
const forRequests =
  (selected: (call: Call) => boolean, changes: (parts: Parts, call: Call) => Partial<Parts>): Patch =>
  (parts) => ({
    handle: (context) => parts.handle(selected(context.call) ? withParts(context, changes(parts, context.call)) : context),
  });

/** Replaces complete responses. */
const repliesChanged =
  (change: (reply: Reply, context: Context) => Reply): Patch =>
  (parts) => ({ handle: async (context) => change(await parts.handle(context), context) });

/** The media type of every response, by the request. */
const typed =
  (choose: (call: Call, made: string) => string): Patch =>
  (parts) => ({
    headers: (given, reply, call) => {
      const made = parts.headers(given, reply, call);
      return { ...made, 'content-type': choose(call, made['content-type'] ?? 'application/json') };
    },
  });

/** Media types or codings of a header, without their parameters, in the order sent. */
const namesIn = (header: string): readonly string[] =>
  header
    .split(',')
    .map((item) => (item.split(';')[0] ?? '').trim().toLowerCase())
    .filter((name) => name !== '');

/** Whether the request accepts gzip: it is named, and not with a weight of zero. */
const acceptsGzip = (call: Call): boolean =>
  headerOf(call, 'accept-encoding')
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim().toLowerCase()))
    .some(([coding, ...parameters]) => coding === 'gzip' && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text)));

const bytesOf = (body: string | Uint8Array): Buffer => Buffer.from(body);

/** A form as the object that a framework makes of it; digits become numbers. */
function formMembers(text: string): Json | undefined {
  const form = new URLSearchParams(text);
  if (!form.has('name') || !form.has('categoryId')) return undefined;
  return Object.fromEntries([...form].map(([name, value]) => [name, /^-?[1-9]\d*$/.test(value) ? new NumberText(value) : value]));
}

/** The number that two halves of 32 bits make, as Long.js does; a half that is missing is 0. */
function fromHalves(value: { readonly [member: string]: Json }): NumberText {
  const half = (name: string): bigint => {
    const found = member(value, name);
    return found instanceof NumberText && /^-?\d{1,10}$/.test(found.text) ? BigInt(found.text) : 0n;
  };
  return new NumberText(BigInt.asIntN(64, (half('high') << 32n) | BigInt.asUintN(32, half('low'))).toString());
}

// What witnesses share.
type Headers = Readonly<Record<string, string>>;
const list = (ask: Ask, headers: Headers = {}): Promise<HttpResponse> => ask({ path: '/pets?limit=100', headers });
const create = (ask: Ask, body: unknown, headers: Headers = {}, path = '/pets'): Promise<HttpResponse> =>
  ask({ method: 'POST', path, headers, body: typeof body === 'string' ? body : JSON.stringify(body) });
const waldo = { name: 'Waldo', categoryId: 1 } as const;
const created = async (ask: Ask, body: unknown, headers: Headers = {}): Promise<boolean> =>
  (await create(ask, body, headers)).status === 201;
const openTo = async (ask: Ask, headers: Headers): Promise<boolean> => (await ask({ path: '/pets', noKey: true, headers })).status === 200;
const itemsIn = ({ text }: HttpResponse): number => (JSON.parse(text) as readonly unknown[]).length;
const nameIn = ({ text }: HttpResponse): string => (JSON.parse(text) as { readonly name: string }).name;

const faults: readonly Omit<Holdout, 'kind'>[] = [
  // Who is let in.
  {
    name: 'check-continue-listener-skips-the-key',
    sentence: 'Every operation requires authentication (see Authentication).',
    clause: 'auth.missing-credential',
    summary:
      "HttpClient of the .NET Framework sends Expect: 100-continue with every POST, and Node hands such requests to a 'checkContinue' listener. Ours calls the router itself, past the middleware that checks the key.",
    patch: (parts) => ({
      authenticate: (call, apiKey) => (/^100-continue$/i.test(headerOf(call, 'expect')) ? undefined : parts.authenticate(call, apiKey)),
    }),
    witness: async (ask) => {
      const sent = await ask({
        method: 'POST',
        path: '/pets',
        noKey: true,
        headers: { Expect: '100-continue' },
        body: JSON.stringify(waldo),
      });
      return sent.status === 201;
    },
  },
  {
    name: 'preflight-headers-need-no-key',
    sentence: 'The requirement applies globally, to every operation.',
    clause: 'auth.missing-credential',
    summary:
      'A browser sends no key with a preflight, so the filter lets preflights pass. It recognizes one by Origin and Access-Control-Request-Method, and never looks at the method: a GET with both is a preflight too.',
    patch: (parts) => ({
      authenticate: (call, apiKey) =>
        headerOf(call, 'origin') !== '' && headerOf(call, 'access-control-request-method') !== ''
          ? undefined
          : parts.authenticate(call, apiKey),
    }),
    witness: (ask) => openTo(ask, { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' }),
  },
  {
    name: 'errors-are-200-for-xmlhttprequest',
    sentence: 'The `status` field of the body equals the HTTP status code.',
    clause: 'errors.status-agrees',
    summary:
      'The old jQuery front end shows an alert for every failed request, and its team asked for 200 with an Error body instead. The shim goes by X-Requested-With: XMLHttpRequest, which Axios setups and Dojo send as well.',
    patch: repliesChanged((reply, { call }) =>
      reply.status >= 400 && /^xmlhttprequest$/i.test(headerOf(call, 'x-requested-with')) ? { ...reply, status: 200 } : reply,
    ),
    witness: (ask) => openTo(ask, { 'X-Requested-With': 'XMLHttpRequest' }),
  },

  // How a request is framed.
  {
    name: 'chunked-upload-escapes-the-enum',
    sentence: 'A string with exactly these allowed values: `available`, `pending`, `sold`.',
    clause: 'create.status-invalid',
    summary:
      'The validator of request bodies begins with if (!req.headers["content-length"]) return next(). Fetch with a stream, Go with an io.Reader and OkHttp with an unknown length send chunks: then nobody looks at the status.',
    patch: (parts) => ({
      createPet: (context) => {
        if (headerOf(context.call, 'content-length') !== '') return parts.createPet(context);
        let unchecked: string | undefined;
        return parts.createPet(
          withParts(context, {
            readStatus: (value) => {
              if (typeof value !== 'string' || isStatus(value)) return parts.readStatus(value);
              unchecked = value;
              return undefined;
            },
            insert: (store, pet) => parts.insert(store, unchecked === undefined ? pet : { ...pet, raw: { status: unchecked } }),
          }),
        );
      },
    }),
    witness: (ask) => created(ask, { ...waldo, status: 'lost' }, { 'Transfer-Encoding': 'chunked' }),
  },
  {
    name: 'charset-parameter-escapes-the-schema',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary:
      'Schemas are registered for "application/json" and looked up with the whole header. StringContent of .NET and Retrofit add a charset: no schema is found, and the lenient data binder turns "1" into a category.',
    patch: forRequests(
      (call) => headerOf(call, 'content-type').includes(';'),
      (parts) => ({
        readCategory: (value) =>
          parts.readCategory(typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value) ? new NumberText(value) : value),
      }),
    ),
    witness: (ask) => created(ask, { name: 'Waldo', categoryId: '1' }, { 'Content-Type': 'application/json; charset=utf-8' }),
  },
  {
    name: 'java-h2c-upgrade-loses-the-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'errors.no-server-error',
    summary:
      'java.net.http.HttpClient offers an upgrade to h2c with its requests. The ASGI server refuses the upgrade and goes on with HTTP/1.1, but its parser stopped at the head: the application reads no body, and json.loads fails unhandled.',
    patch: (parts) => ({
      createPet: (context) =>
        /\bh2c\b/i.test(headerOf(context.call, 'upgrade'))
          ? problemReply(context, new Problem(500, 'internal_error', 'Expecting value: line 1 column 1 (char 0)'))
          : parts.createPet(context),
    }),
    witness: async (ask) => {
      const headers = {
        Connection: 'Upgrade, HTTP2-Settings',
        Upgrade: 'h2c',
        'HTTP2-Settings': 'AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA',
      };
      return (await create(ask, waldo, headers)).status === 500;
    },
  },
  {
    name: 'accept-copied-into-content-type',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    clause: 'media.json',
    summary:
      'The helper of the Lua gateway sets Content-Type to the first item of Accept, because "the client knows what it wants". The generated SDKs ask for application/json; curl, fetch and requests ask for */* and get just that.',
    patch: typed((call, made) => namesIn(headerOf(call, 'accept'))[0] ?? made),
    witness: async (ask) => (await list(ask, { Accept: '*/*' })).headers['content-type'] === '*/*',
  },

  // Bodies as some clients write them.
  {
    name: 'stringified-twice-parsed-twice',
    sentence: 'Request body (required, `application/json`): NewPet.',
    clause: 'create.body-object',
    summary:
      'Many front ends call JSON.stringify before Axios does it again, and the body is a JSON string that contains JSON. The server parses until it has something else than a string: such a string creates an animal.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return typeof body === 'string' ? parts.readBody(Buffer.from(body), call) : body;
      },
    }),
    witness: (ask) => created(ask, JSON.stringify(JSON.stringify(waldo))),
  },
  {
    name: 'form-of-curl-under-the-type-of-json',
    sentence: 'Failures: `400` with an Error body when the body is missing required fields or contains invalid values',
    clause: 'create.body-json',
    summary:
      'People write curl -H "Content-Type: application/json" -d name=Rex -d categoryId=1. When the JSON parser fails, the body is tried as a form before it is rejected, and name=Rex&categoryId=1 is an animal.',
    patch: (parts) => ({
      readBody: (bytes, call) => {
        const body = parts.readBody(bytes, call);
        return body instanceof Problem ? (formMembers(Buffer.from(bytes).toString('utf8')) ?? body) : body;
      },
    }),
    witness: (ask) => created(ask, 'name=Waldo&categoryId=1'),
  },
  {
    name: 'category-object-of-the-sample-petstore',
    sentence: '`name` and `categoryId` must be present.',
    clause: 'create.category-required',
    summary:
      'Clients generated from the well-known sample of OpenAPI send "category": {"id": 1, "name": "Dogs"}. The alias was never taken out: without a categoryId, category.id is taken.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        if (!isObject(body) || member(body, 'categoryId') !== undefined) return parts.readNewPet(body, current);
        const category = member(body, 'category');
        const id = category !== undefined && isObject(category) ? member(category, 'id') : undefined;
        return parts.readNewPet(id === undefined ? body : { ...body, categoryId: id }, current);
      },
    }),
    witness: (ask) => created(ask, { name: 'Waldo', category: { id: 1, name: 'Dogs' } }),
  },
  {
    name: 'long-js-object-is-a-category',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    clause: 'create.category-type',
    summary:
      'Clients with protobuf.js write an int64 as a Long object, {"low": 1, "high": 0, "unsigned": false}. Long.fromValue on the server reads it, and takes any other object for 0: {} is a category.',
    patch: (parts) => ({
      readCategory: (value) => parts.readCategory(value !== undefined && isObject(value) ? fromHalves(value) : value),
    }),
    witness: (ask) => created(ask, { name: 'Waldo', categoryId: {} }),
  },
  {
    name: 'names-unescaped-once-more',
    sentence: "| name | string | - | yes | The animal's name |",
    clause: 'create.unusual-names',
    summary:
      'One release of the Android app escaped texts before Moshi escaped them again. Since then the server resolves \\n, \\t, \\" and \\\\ in names once more: who sends a real backslash loses it.',
    patch: (parts) => ({
      readName: (value) => {
        const name = parts.readName(value);
        const meaning: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
        return name instanceof Problem ? name : name.replace(/\\([ntr"\\/])/g, (_, letter: string) => meaning[letter] ?? letter);
      },
    }),
    witness: async (ask) => nameIn(await create(ask, { name: 'C:\\pets\\\\new', categoryId: 1 })) !== 'C:\\pets\\\\new',
  },
  {
    name: 'query-parameters-bind-before-the-body',
    sentence: 'Success: `201`, body is the created Pet, including the assigned `id`.',
    clause: 'create.answer',
    summary:
      'An interceptor of the OkHttp SDK appends its default parameters to every request. The model binder on the server looks at the query first and at the body then: POST /pets?status=available overrules the status of the body.',
    patch: (parts) => ({
      createPet: (context) => {
        const bound = [...context.call.query].filter(([name]) => name === 'name' || name === 'status');
        return parts.createPet(
          withParts(context, {
            readNewPet: (body, current) => parts.readNewPet(isObject(body) ? { ...body, ...Object.fromEntries(bound) } : body, current),
          }),
        );
      },
    }),
    witness: async (ask) =>
      (await create(ask, { ...waldo, status: 'sold' }, {}, '/pets?limit=20&status=available')).text.includes('"available"'),
  },
];

const variants: readonly Omit<Holdout, 'kind'>[] = [
  {
    name: 'links-built-from-the-host',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary: 'Hypermedia clients find _links with the address of each animal, made of the Host header, in every record.',
    patch: (parts) => ({
      handle: (context) =>
        parts.handle(
          withParts(context, {
            petRecord: (pet, place) => ({
              _links: { self: { href: `http://${headerOf(context.call, 'host')}/v1/pets/${pet.id}` } },
              ...parts.petRecord(pet, place),
            }),
          }),
        ),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('"_links"'),
  },
  {
    name: 'gzip-for-everyone-who-accepts-it',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Every body, the shortest error too, is compressed when the request accepts gzip, and is plain when it does not.',
    patch: repliesChanged((reply, { call }) => {
      const headers = { ...reply.headers, vary: 'Accept-Encoding' };
      if (!acceptsGzip(call)) return { ...reply, headers };
      return { ...reply, headers: { ...headers, 'content-encoding': 'gzip' }, body: gzipSync(bytesOf(reply.body)) };
    }),
    witness: async (ask) => (await list(ask, { 'Accept-Encoding': 'gzip' })).headers['content-encoding'] === 'gzip',
  },
  {
    name: 'errors-padded-past-friendly-pages',
    sentence: 'All requests and responses that have a body use the media type `application/json`.',
    summary:
      'Internet Explorer replaced error bodies below 512 bytes with a page of its own. Errors still begin with an empty line and end with spaces up to 600 bytes: insignificant whitespace of JSON.',
    patch: repliesChanged((reply) =>
      reply.status < 400 ? reply : { ...reply, body: `\r\n${bytesOf(reply.body).toString('utf8')}`.padEnd(600, ' ') },
    ),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.endsWith('   '),
  },
  {
    name: 'json-encode-escapes-all-but-ascii',
    sentence: 'The service is a pet store catalogue interface over HTTP with JSON bodies.',
    summary: 'json_encode of PHP without flags: slashes have a backslash, and whatever is not ASCII is written as \\u with four digits.',
    patch: (parts) => ({
      encode: (value) =>
        bytesOf(parts.encode(value))
          .toString('utf8')
          .replace(/\//g, '\\/')
          .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
    }),
    witness: async (ask) => (await create(ask, { name: 'Zoë/Max', categoryId: 1 })).text.includes('Zo\\u00eb\\/Max'),
  },
  {
    name: 'early-hints-before-lists',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'For browsers, the list is preceded by an interim response 103 with a Link to the style sheet of the catalogue page.',
    patch: (parts) => {
      const link = '</assets/catalogue.css>; rel=preload; as=style';
      return {
        send: (reply, outgoing, call) => {
          if (call.operation !== 'listPets') return parts.send(reply, outgoing, call);
          outgoing.writeEarlyHints({ link });
          return parts.send({ ...reply, headers: { ...reply.headers, link } }, outgoing, call);
        },
      };
    },
    witness: async (ask) => (await list(ask)).headers['link']?.includes('rel=preload') === true,
  },
  {
    name: 'server-timing-in-the-trailers',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Responses come in chunks without a length, and end with a Server-Timing trailer that the developer tools of browsers show.',
    patch: () => ({
      send: (reply, outgoing) => {
        const body = bytesOf(reply.body);
        const middle = Math.floor(body.length / 2);
        outgoing.writeHead(reply.status, { ...reply.headers, trailer: 'Server-Timing' });
        outgoing.write(body.subarray(0, middle));
        outgoing.write(body.subarray(middle));
        outgoing.addTrailers({ 'Server-Timing': 'db;dur=1.2' });
        outgoing.end();
      },
    }),
    witness: async (ask) => (await list(ask)).headers['trailer'] === 'Server-Timing',
  },
  {
    name: 'undeclared-query-parameters-rejected',
    sentence: '- Query parameters (all optional):',
    summary: 'A strict validator rejects query parameters that the description does not declare, so that typing errors in SDKs are found.',
    patch: (parts) => ({
      listPets: (context) => {
        const undeclared = [...context.call.query.keys()].find((name) => name !== 'limit' && name !== 'status');
        if (undeclared === undefined) return parts.listPets(context);
        return problemReply(context, invalid(`There is no query parameter ${undeclared}`, 'unknown_parameter'));
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets?_=1700000000000' })).status === 400,
  },
  {
    name: 'undeclared-members-are-422',
    sentence: 'statuses other than those above: not shown.',
    summary:
      'A NewPet that is valid but for a member that the description does not name, a client-supplied id included, is rejected with 422.',
    patch: (parts) => ({
      readNewPet: (body, current) => {
        const read = parts.readNewPet(body, current);
        if (read instanceof Problem || !isObject(body)) return read;
        const undeclared = Object.keys(body).find((name) => !['name', 'categoryId', 'status'].includes(name));
        return undeclared === undefined ? read : new Problem(422, 'unknown_member', 'The body has a member that is not declared');
      },
    }),
    witness: async (ask) => (await create(ask, { ...waldo, photoUrls: [] })).status === 422,
  },
  {
    name: 'fifty-a-page-and-a-next-link',
    sentence: 'The parameters and fields that select a later page: not shown.',
    seedAnimals: 60,
    summary: 'Pagination helpers of the SDKs follow Link: rel="next" with a cursor. A page has at most fifty animals, whatever the limit.',
    patch: (parts) => ({
      listPets: async (context) => {
        const { call } = context;
        const cursor = Number(/^\d{1,6}$/.exec(call.query.get('cursor') ?? '')?.[0] ?? 0);
        let next: number | undefined;
        const reply = await parts.listPets(
          withParts(context, {
            page: (animals, query) => {
              const end = cursor + Math.min(query.limit, 50);
              next = end < animals.length ? end : undefined;
              return animals.slice(cursor, end);
            },
          }),
        );
        if (next === undefined) return reply;
        const query = new URLSearchParams(call.query);
        query.set('cursor', String(next));
        return { ...reply, headers: { ...reply.headers, link: `<${call.target.replace(/\?.*$/, '')}?${query}>; rel="next"` } };
      },
    }),
    witness: async (ask) => itemsIn(await list(ask)) === 50,
  },
  {
    name: 'problem-details-beside-the-error',
    sentence: 'Errors are returned as an Error body (fields code, message, status) with `application/json`.',
    summary:
      'Kiota and Spring clients look for problem details: type, title, detail, instance and an errors object stand beside the three fields.',
    patch: (parts) => ({
      errorRecord: (problem, call) => ({
        ...{ type: 'about:blank', title: problem.code, detail: problem.message, instance: call.target.replace(/\?.*$/, ''), errors: {} },
        ...{ code: problem.code, message: problem.message, status: parts.errorStatus(problem, call) },
      }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/999999' })).text.includes('about:blank'),
  },
  {
    name: 'route-of-digits-only',
    sentence: 'Path parameter: `petId`, required, integer, format int64: identifier of the animal.',
    summary:
      'The route is /pets/:petId(-?\\d+) as in the Express router: what is not an integer, or not an int64, is 404 like any unknown path.',
    patch: (parts) => ({
      parseId: (text) => {
        const id = parts.parseId(text);
        return id instanceof Problem ? notFound('There is nothing at this address') : id;
      },
    }),
    witness: async (ask) => (await ask({ path: '/pets/rex' })).status === 404,
  },
  {
    name: 'byte-order-mark-of-powershell-skipped',
    sentence: 'Request body (required, `application/json`): NewPet.',
    summary:
      'Invoke-RestMethod with a file of PowerShell 5, and StreamWriter of .NET, send a byte order mark before the JSON. RFC 8259 allows a parser to ignore it, and this one does, also at the start of an invalid body.',
    patch: (parts) => ({
      readBody: (bytes, call) =>
        parts.readBody(bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes, call),
    }),
    witness: (ask) => created(ask, `\ufeff${JSON.stringify(waldo)}`),
  },
  {
    name: 'entity-tags-for-the-cache-of-okhttp',
    sentence: 'Response headers of any operation: not shown.',
    summary: 'Each 200 has an ETag made of its bytes. A GET that brings just this tag in If-None-Match is answered with 304 and no body.',
    patch: (parts) => ({
      handle: async (context) => {
        const reply = await parts.handle(context);
        if (reply.status !== 200) return reply;
        const etag = `"${createHash('sha256').update(reply.body).digest('base64url').slice(0, 22)}"`;
        const headers = { ...reply.headers, etag, 'cache-control': 'private, no-cache' };
        if (headerOf(context.call, 'if-none-match') !== etag) return { ...reply, headers };
        return { status: 304, headers: withoutHeaders(headers, ['content-type']), body: '' };
      },
      send: (reply, outgoing, call) => {
        if (reply.status !== 304) return parts.send(reply, outgoing, call);
        outgoing.writeHead(304, reply.headers);
        outgoing.end();
      },
    }),
    witness: async (ask) => {
      const { etag } = (await ask({ path: '/pets/1' })).headers;
      return etag !== undefined && (await ask({ path: '/pets/1', headers: { 'If-None-Match': etag } })).status === 304;
    },
  },
  {
    name: 'whole-numbers-of-dart-and-lua',
    sentence: '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    summary: 'Dart and Lua clients write a whole number as 1.0, R writes 1e0. Both are read as 1, by their digits, and shown as 1.',
    patch: (parts) => ({
      readCategory: (value) => {
        const whole = value instanceof NumberText ? /^(-?\d{1,30})(?:\.0{1,30})?(?:e[+-]?0{1,3})?$/i.exec(value.text)?.[1] : undefined;
        return parts.readCategory(whole === undefined ? value : new NumberText(whole === '-0' ? '0' : whole));
      },
    }),
    witness: async (ask) => (await create(ask, '{"name":"Waldo","categoryId":1.0}')).text.includes('"categoryId":1,'),
  },
  {
    name: 'leftover-members-of-the-first-sdk',
    sentence: 'Pet has every field of NewPet, with the same required rules, plus:',
    summary:
      'SDKs of the first version read version, tags and a price: each record still has these, with a null, an empty array and a fraction.',
    patch: (parts) => ({
      petRecord: (pet, place) => ({ version: null, tags: [], price: literal('1.50e1'), ...parts.petRecord(pet, place) }),
    }),
    witness: async (ask) => (await ask({ path: '/pets/1' })).text.includes('"price":1.50e1'),
  },
];

/** Services whose defects show with particular clients, or come from code that adapts to clients. */
export const clients: readonly Holdout[] = [
  ...faults.map((fault) => ({ ...fault, kind: 'fault' as const })),
  ...variants.map((variant) => ({ ...variant, kind: 'variant' as const })),
];
