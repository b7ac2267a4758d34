import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LIST_PATHS, readPaths } from '../../suites/auth/missing-credential.clause.ts';
import { TRUSTED_HEADERS } from '../../suites/cases/trusted-headers.ts';
import { sessionOptions } from '../../test/prove/judge-reference.ts';
import { listed, posted, read } from '../../test/support/exchange-samples.ts';
import { NO_CREDENTIAL } from '../session/client/sending.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import { type Exchange, USER_AGENT } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { createResending, foreignPart } from './resend.ts';

const BASE = 'http://127.0.0.1:9/v1';
const RESPONSE = { status: 200, body: [] };
/** Sent with every request of the samples. */
const ACCEPT = [
  ['accept', 'application/json'],
  ['user-agent', USER_AGENT],
];

const CONTENT_TYPE = [['content-type', 'application/json']] as const;
/** Those of a creation. */
const JSON_BODY = [...ACCEPT, ...CONTENT_TYPE];

let open: OpenSession;
beforeAll(async () => {
  // Nothing is sent, so no server is needed.
  open = await openSession(sessionOptions(BASE));
});
afterAll(() => open.session.close());

/** The call of the API when a recorded exchange is sent again, and whether it was complete. */
async function asked(recorded: Exchange, changes: Partial<RedactedExchange> = {}) {
  const calls: unknown[] = [];
  const note =
    (operation: string) =>
    async (...args: readonly unknown[]): Promise<Exchange> => {
      const [, { spelling, ...options } = {}] = args as [unknown, { spelling?: () => string }?];
      calls.push(spelling === undefined ? [operation, ...args] : [operation, { raw: spelling() }, options]);
      return listed({}, RESPONSE);
    };
  const api = { ...open.session.api, list: note('list'), get: note('get'), create: note('create') };
  const draft = async () => ({ name: 'fresh', categoryId: 1n });
  const session: Session = { ...open.session, api, fixtures: { ...open.session.fixtures, draft } };
  const { request } = recorded;
  const headers = request.method === 'POST' ? [...request.headers, ...CONTENT_TYPE] : request.headers;
  const sent = open.redact({ ...recorded, request: { ...request, headers } });
  const whole = await createResending(session, { baseUrl: BASE, prefix: 'conformance' }).send({ ...sent, ...changes });
  return { whole, calls };
}

describe('resend', () => {
  test.each<[string, Exchange, readonly unknown[]]>([
    ['a list', listed({}, RESPONSE), ['list', {}, { headers: ACCEPT }]],
    ['its parameters', listed({ limit: 5, status: 'sold' }, RESPONSE), ['list', { limit: '5', status: 'sold' }, { headers: ACCEPT }]],
    [
      'another parameter after its own',
      listed({ limit: 5 }, RESPONSE, { rawQuery: 'page=2' }),
      ['list', { limit: '5' }, { headers: ACCEPT, rawQuery: 'page=2' }],
    ],
    ['another parameter alone, and none', listed({}, RESPONSE, { rawQuery: '&&&' }), ['list', {}, { headers: ACCEPT, rawQuery: '&&&' }]],
    [
      'a parameter that is there twice, and another one',
      listed({ limit: 5 }, RESPONSE, { rawQuery: 'limit=6&page=2' }),
      ['list', {}, { headers: ACCEPT, rawQuery: 'limit=5&limit=6&page=2' }],
    ],
    [
      'a parameter that is there twice',
      listed({ limit: 5 }, RESPONSE, { rawQuery: 'limit=6' }),
      ['list', {}, { headers: ACCEPT, rawQuery: 'limit=5&limit=6' }],
    ],
    ['a question mark in the query', listed({ status: 'a?b' }, RESPONSE), ['list', { status: 'a?b' }, { headers: ACCEPT }]],
    ['a read', read(7n, RESPONSE), ['get', '7', { headers: ACCEPT }]],
    ['an encoded id', read('%F0%9F%90%B6', RESPONSE), ['get', '🐶', { headers: ACCEPT }]],
    [
      'a refused credential',
      listed({}, RESPONSE, { credential: NO_CREDENTIAL }),
      ['list', {}, { headers: ACCEPT, credential: { note: NO_CREDENTIAL.note, standing: 'refused', headers: [] } }],
    ],
    [
      'a body in chunks',
      { ...posted('[]', RESPONSE), request: { ...posted('[]', RESPONSE).request, chunked: true } },
      ['create', { raw: '[]' }, { headers: JSON_BODY, chunked: true, domain: 'open' }],
    ],
    ['a body of another kind', posted('[]', RESPONSE), ['create', { raw: '[]' }, { headers: JSON_BODY, domain: 'open' }]],
    ['a body that is null', posted('null', RESPONSE), ['create', { raw: 'null' }, { headers: JSON_BODY, domain: 'open' }]],
    [
      'a body that only speaks of a cut',
      posted('"… (12 more characters) "', RESPONSE),
      ['create', { raw: '"… (12 more characters) "' }, { headers: JSON_BODY, domain: 'open' }],
    ],
    ['a body that is no JSON', posted('{', RESPONSE), ['create', { raw: '{' }, { headers: JSON_BODY, domain: 'open' }]],
    [
      'a body without a name',
      posted({ categoryId: 1 }, RESPONSE),
      ['create', { raw: '{"categoryId":1}' }, { headers: JSON_BODY, domain: 'open' }],
    ],
    ['a name of its own', posted({ name: 'rex' }, RESPONSE), ['create', { raw: '{"name":"rex"}' }, { headers: JSON_BODY, domain: 'open' }]],
    [
      'a fresh name for one that is used up',
      posted({ name: 'conformanceProveAbcd', categoryId: 1 }, { status: 201, body: {} }),
      ['create', { raw: '{"name":"fresh","categoryId":1}' }, { headers: JSON_BODY, domain: 'plain' }],
    ],
    [
      'an unusual name with what is unusual in it',
      posted({ name: 'conformanceProveAbcd üx', categoryId: 1 }, { status: 201, body: {} }),
      ['create', { raw: '{"name":"fresh üx","categoryId":1}' }, { headers: JSON_BODY, domain: 'unusual' }],
    ],
    [
      'a name that is not of the run as it was',
      posted({ name: 'conformance üx', categoryId: 1 }, { status: 201, body: {} }),
      ['create', { raw: '{"name":"conformance üx","categoryId":1}' }, { headers: JSON_BODY, domain: 'unusual' }],
    ],
    [
      'what is no NewPet as open',
      posted({ name: 'conformanceProveAbcd' }, { status: 400, body: {} }),
      ['create', { raw: '{"name":"fresh"}' }, { headers: JSON_BODY, domain: 'open' }],
    ],
    [
      'what has more members as open',
      posted({ name: 'conformanceProveAbcd', categoryId: 1, age: 2 }, { status: 201, body: {} }),
      ['create', { raw: '{"name":"fresh","categoryId":1,"age":2}' }, { headers: JSON_BODY, domain: 'open' }],
    ],
    [
      'what was refused, or got no response, so that it may be',
      posted({ name: 'conformanceProveAbcd', categoryId: 1 }, 'timeout'),
      ['create', { raw: '{"name":"fresh","categoryId":1}' }, { headers: JSON_BODY, domain: 'unusual' }],
    ],
  ])('sends %s', async (_case, exchange, wanted) => {
    expect(await asked(exchange)).toEqual({ whole: true, calls: [wanted] });
  });

  test('sends bytes that no text shows, with a fresh name among them', async () => {
    const bytes = Buffer.from('{"name":"conformanceProveAbcd\xff"}', 'latin1');
    const { calls } = await asked(posted({}, RESPONSE), { requestBody: bytes.toString(), requestBytes: bytes.toString('base64') });
    const raw = Buffer.from('{"name":"fresh\xff"}', 'latin1');
    expect(calls).toEqual([['create', { raw }, { headers: JSON_BODY, domain: 'open' }]]);
  });

  test('sends text that a report escapes as what it is', async () => {
    const sent = { name: 'conformanceProveAbcd\u202ex', categoryId: 1 };
    const bytes = Buffer.from(JSON.stringify(sent));
    const { calls } = await asked(posted(sent, RESPONSE), { requestBody: 'escaped', requestBytes: bytes.toString('base64') });
    const raw = JSON.stringify({ ...sent, name: 'fresh\u202ex' });
    expect(calls).toEqual([['create', { raw }, { headers: JSON_BODY, domain: 'unusual' }]]);
  });

  test('sends a name that was used twice twice, also in other letter case', async () => {
    const names: string[] = [];
    let count = 0;
    const draft = async () => {
      count += 1;
      return { name: `Fresh${count}`, categoryId: 1n };
    };
    const create: Session['api']['create'] = async (_body, { spelling = String }) => {
      names.push(String(JSON.parse(spelling('')).name));
      return listed({}, RESPONSE);
    };
    const session: Session = { ...open.session, api: { ...open.session.api, create }, fixtures: { ...open.session.fixtures, draft } };
    const resending = createResending(session, { baseUrl: BASE, prefix: 'conformance' });
    for (const name of [
      'conformanceProveAbcd',
      'conformanceProveAbce!',
      'CONFORMANCEPROVEABCD',
      'conformanceproveabcd',
      'conformanceProveAbcd',
    ]) {
      const exchange = posted({ name, categoryId: 1 }, RESPONSE);
      const headers = [...exchange.request.headers, ...CONTENT_TYPE];
      await resending.send(open.redact({ ...exchange, request: { ...exchange.request, headers } }));
    }
    expect(names).toEqual(['Fresh1', 'Fresh2!', 'FRESH1', 'fresh1', 'Fresh1']);
  });

  test('leaves open what a body with two names says, and a body without a media type', async () => {
    const twice = '{"name":"rex","categoryId":1,"name":"max"}';
    expect((await asked(posted(twice, RESPONSE))).calls).toEqual([['create', { raw: twice }, { headers: JSON_BODY, domain: 'open' }]]);
    const plain = { name: 'rex', categoryId: 1 };
    const requestHeaders = ACCEPT.map(([name = '', value = '']) => [name, value] as const);
    const options = { headers: ACCEPT, without: ['content-type'], domain: 'open' };
    expect((await asked(posted(plain, RESPONSE), { requestHeaders })).calls).toEqual([['create', { raw: JSON.stringify(plain) }, options]]);
  });

  test('sends no body if there was none', async () => {
    const { calls } = await asked(posted({}, RESPONSE), { requestBody: undefined });
    expect(calls).toEqual([['create', { raw: undefined }, { headers: JSON_BODY, domain: 'open' }]]);
  });

  test('sends the headers of the request, without the usual ones that it lacks', async () => {
    const kept = [
      ['user-agent', 'x'],
      ['accept-encoding', 'gzip'],
      ['x-api-key', 'other'],
    ] as const;
    const requestHeaders = [['authorization', 'Bearer [key]'], ...kept] as const;
    expect(await asked(listed({}, RESPONSE), { requestHeaders })).toEqual({
      whole: true,
      calls: [['list', {}, { headers: kept, without: ['accept'], vague: true }]],
    });
  });

  test.each<[string, string, boolean]>([
    ['x-request-id', 'a', false],
    ['cache-control', 'no-cache', false],
    ['accept', 'text/html, */*;q=0.1', false],
    ['accept', 'text/html', true],
    ['origin', 'https://shop.example', true],
  ])('lets a service reject a client with %s: %s only if it may: %s', async (name, value, isVague) => {
    const requestHeaders = [
      ...ACCEPT.map(([own = '', sent = '']) => [own, sent] as const).filter(([own]) => own !== name),
      [name, value] as const,
    ];
    const { calls } = await asked(listed({}, RESPONSE), { requestHeaders });
    expect(calls).toEqual([['list', {}, { headers: requestHeaders, ...(isVague ? { vague: true } : {}) }]]);
  });

  test('sends a wrong credential as it was', async () => {
    const wrong = ['authorization', 'Bearer wrong'] as const;
    const usual = [
      ['accept', 'text/html'],
      ['user-agent', 'x'],
    ] as const;
    const { calls } = await asked(listed({}, RESPONSE, { credential: NO_CREDENTIAL }), { requestHeaders: [...usual, wrong] });
    const credential = { note: NO_CREDENTIAL.note, standing: 'refused', headers: [wrong] };
    expect(calls).toEqual([['list', {}, { headers: usual, credential }]]);
  });

  test.each<[string, Exchange, Partial<RedactedExchange>]>([
    ['a key in another header', listed({}, RESPONSE), { requestHeaders: [['x-api-key', '[key]']] }],
    [
      'a key under another scheme',
      listed({}, RESPONSE, { credential: NO_CREDENTIAL }),
      { requestHeaders: [['authorization', 'Basic [key]']] },
    ],
    ['a key in the address', listed({}, RESPONSE), { url: `${BASE}/pets?token=[key]` }],
    ['a cut address', listed({}, RESPONSE), { url: `${BASE}/pets?x=a… (12 more characters)` }],
    ['a cut body', posted({}, RESPONSE), { requestBody: '{"name":"a… (12 more characters)' }],
    ['another server', listed({}, RESPONSE), { url: 'http://127.0.0.1:8/v1/pets' }],
  ])('leaves out what the report does not contain: %s', async (_case, exchange, changes) => {
    expect(await asked(exchange, changes)).toEqual({ whole: false, calls: [] });
  });
});

describe('a list at another address', () => {
  test.each([
    ['an empty query', '/pets?', { path: '/pets?' }],
    ['another path', '/pets;v=1', { path: '/pets;v=1' }],
    ['another parameter first', '/pets?page_limit=50', { rawQuery: 'page_limit=50' }],
  ])('is sent there: %s', async (_case, path, options) => {
    const { calls } = await asked(listed({}, RESPONSE), { url: `${BASE}${path}` });
    expect(calls).toEqual([['list', {}, { headers: ACCEPT, ...options }]]);
  });

  test('leaves open there what a request without the key gets', async () => {
    const { calls } = await asked(listed({}, RESPONSE, { credential: NO_CREDENTIAL }), { url: `${BASE}/pets;v=1` });
    expect(calls).toMatchObject([['list', {}, { path: '/pets;v=1', credential: { standing: 'open' } }]]);
  });

  test('has its parameters after others that came first', async () => {
    const { calls } = await asked(listed({}, RESPONSE), { url: `${BASE}/pets?page_limit=50&limit=2` });
    expect(calls).toEqual([['list', { limit: '2' }, { headers: ACCEPT, leadingQuery: 'page_limit=50' }]]);
  });
});

describe('foreignPart', () => {
  const foreign = (exchange: Exchange, changes: Partial<RedactedExchange> = {}): string | undefined =>
    foreignPart({ ...open.redact(exchange), ...changes }, BASE);

  test('finds nothing in what the suite sends to bypass a router or a proxy', () => {
    const headers = TRUSTED_HEADERS.flatMap((group) => group.headers);
    expect(headers.map((header) => foreign(listed({}, RESPONSE), { requestHeaders: [header] }))).toEqual(headers.map(() => undefined));
    const paths = [...LIST_PATHS, ...readPaths(12n)];
    expect(paths.map((path) => foreign(read(7n, RESPONSE), { url: `${BASE}${path}` }))).toEqual(paths.map(() => undefined));
  });

  test.each(['%FF', '1%C3%28'])('finds nothing in the segment %s, which is sent as it is', async (segment) => {
    const url = `${BASE}/pets/${segment}`;
    expect(foreign(read(7n, RESPONSE), { url })).toBeUndefined();
    const { whole, calls } = await asked(read(7n, RESPONSE), { url });
    expect([whole, calls]).toEqual([true, [['get', segment, expect.objectContaining({ segment })]]]);
  });

  test.each<[Exchange, Partial<RedactedExchange>, string]>([
    [listed({}, RESPONSE), { requestHeaders: [['host', 'evil.example']] }, 'the header host: evil.example'],
    [listed({}, RESPONSE), { requestHeaders: [['cookie', 'admin=1']] }, 'the header cookie: admin=1'],
    [listed({}, RESPONSE), { requestHeaders: [['Cookie', 'admin=1']] }, 'the header Cookie: admin=1'],
    [listed({}, RESPONSE), { requestHeaders: [['x-http-method-override', 'DELETE']] }, 'the header x-http-method-override: DELETE'],
    [listed({}, RESPONSE), { requestHeaders: [['x-original-url', '/admin']] }, 'the header x-original-url: /admin'],
    [listed({}, RESPONSE), { requestHeaders: [['accept', 'a\r\nx: y']] }, 'the header accept: a\r\nx: y'],
    [listed({}, RESPONSE), { method: 'DELETE' }, 'the method DELETE'],
    [listed({}, RESPONSE), { url: `${BASE}/pets?_method=DELETE` }, 'the parameter _method'],
    [read(7n, RESPONSE), { url: `${BASE}/pets/%E0%A4%A` }, 'the path /pets/%E0%A4%A'],
    [read(7n, RESPONSE), { url: `${BASE}/admin/pets/7` }, 'the path /admin/pets/7'],
    ...['/../../purge', '/%2e%2e/%2E./purge', '/..%2f..%2fadmin', '/..;/..;/stop', '/..%5cadmin', '/%252e%252e%252fadmin', '../admin'].map(
      (rest): [Exchange, Partial<RedactedExchange>, string] => [
        listed({}, RESPONSE),
        { url: `${BASE}/pets${rest}` },
        `the path /pets${rest}`,
      ],
    ),
  ])('names what no run sends', async (exchange, changes, part) => {
    expect(foreign(exchange, changes)).toBe(part);
    expect(await asked(exchange, changes)).toEqual({ whole: false, calls: [] });
  });
});

test.each(['/pets/..', '/pets//7', '/pets/%2E%2E', '/pets/'])(
  'resend leaves out a read at %s, which would be a different request',
  async (path) => {
    expect(await asked(read(7n, RESPONSE), { url: `${BASE}${path}` })).toEqual({ whole: false, calls: [] });
  },
);
