import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_HEADER } from '../../suites/cases/no-header.ts';
import { listed, posted, read } from '../../test/exchange-samples.ts';
import { sessionOptions } from '../../test/prove/judge-reference.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { resend } from './resend.ts';

const BASE = 'http://127.0.0.1:9/v1';
const ANSWER = { status: 200, body: [] };

let open: OpenSession;
beforeAll(async () => {
  // Nothing is sent: no server is needed.
  open = await openSession(sessionOptions(BASE));
});
afterAll(() => open.session.close());

/** What is asked of the interface when a recorded exchange is sent again, and whether it was whole. */
async function asked(recorded: Exchange, changes: Partial<RedactedExchange> = {}) {
  const calls: unknown[] = [];
  const note =
    (operation: string) =>
    async (...args: readonly unknown[]): Promise<Exchange> => {
      calls.push([operation, ...args]);
      return listed({}, ANSWER);
    };
  const api = { ...open.session.api, list: note('list'), get: note('get'), create: note('create') };
  const plain = async () => ({ name: 'fresh', categoryId: 1n });
  const session: Session = { ...open.session, api, fixtures: { ...open.session.fixtures, plain } };
  const whole = await resend({ ...open.redact(recorded), ...changes }, session, { baseUrl: BASE, prefix: 'conformance' });
  return { whole, calls };
}

describe('resend', () => {
  test.each<[string, Exchange, readonly unknown[]]>([
    ['a list', listed({}, ANSWER), ['list', {}, { headers: [] }]],
    ['its parameters', listed({ limit: 5, status: 'sold' }, ANSWER), ['list', { limit: '5', status: 'sold' }, { headers: [] }]],
    ['another parameter', listed({ limit: 5 }, ANSWER, { rawQuery: 'page=2' }), ['list', {}, { headers: [], rawQuery: 'limit=5&page=2' }]],
    [
      'a parameter that is there twice',
      listed({ limit: 5 }, ANSWER, { rawQuery: 'limit=6' }),
      ['list', {}, { headers: [], rawQuery: 'limit=5&limit=6' }],
    ],
    ['a question mark in the query', listed({ status: 'a?b' }, ANSWER), ['list', { status: 'a?b' }, { headers: [] }]],
    ['a read', read(7n, ANSWER), ['get', '7', { headers: [] }]],
    ['an encoded id', read('%F0%9F%90%B6', ANSWER), ['get', '🐶', { headers: [] }]],
    [
      'a refused credential',
      listed({}, ANSWER, { credential: NO_HEADER }),
      ['list', {}, { headers: [], credential: { note: NO_HEADER.note, standing: 'refused', headers: [] } }],
    ],
    [
      'a body in chunks',
      { ...posted('[]', ANSWER), request: { ...posted('[]', ANSWER).request, chunked: true } },
      ['create', { raw: '[]' }, { headers: [], chunked: true, domain: 'open' }],
    ],
    ['a body of another kind', posted('[]', ANSWER), ['create', { raw: '[]' }, { headers: [], domain: 'open' }]],
    ['a body that is null', posted('null', ANSWER), ['create', { raw: 'null' }, { headers: [], domain: 'open' }]],
    [
      'a body that only speaks of a cut',
      posted('"… (12 more characters) "', ANSWER),
      ['create', { raw: '"… (12 more characters) "' }, { headers: [], domain: 'open' }],
    ],
    ['a body that is no JSON', posted('{', ANSWER), ['create', { raw: '{' }, { headers: [], domain: 'open' }]],
    ['a body without a name', posted({ categoryId: 1 }, ANSWER), ['create', { raw: '{"categoryId":1}' }, { headers: [], domain: 'open' }]],
    ['a name of its own', posted({ name: 'rex' }, ANSWER), ['create', { raw: '{"name":"rex"}' }, { headers: [], domain: 'open' }]],
    [
      'a fresh name for one that is used up',
      posted({ name: 'conformanceAbc', categoryId: 1 }, { status: 201, body: {} }),
      ['create', { raw: '{"name":"fresh","categoryId":1}' }, { headers: [], domain: 'plain' }],
    ],
    [
      'an unusual name as open',
      posted({ name: 'conformance üx' }, { status: 201, body: {} }),
      ['create', { raw: '{"name":"fresh"}' }, { headers: [], domain: 'open' }],
    ],
    [
      'what was refused as open',
      posted({ name: 'conformanceAbc' }, { status: 400, body: {} }),
      ['create', { raw: '{"name":"fresh"}' }, { headers: [], domain: 'open' }],
    ],
    [
      'what got no answer as open',
      posted({ name: 'conformanceAbc' }, 'timeout'),
      ['create', { raw: '{"name":"fresh"}' }, { headers: [], domain: 'open' }],
    ],
  ])('sends %s', async (_case, exchange, wanted) => {
    expect(await asked(exchange)).toEqual({ whole: true, calls: [wanted] });
  });

  test('sends no body for none', async () => {
    const { calls } = await asked(posted({}, ANSWER), { requestBody: undefined });
    expect(calls).toEqual([['create', { raw: undefined }, { headers: [], domain: 'open' }]]);
  });

  test('sends the headers of the request, but for those that the client sets', async () => {
    const kept = [
      ['accept', 'text/html'],
      ['x-api-key', 'other'],
    ] as const;
    const requestHeaders = [['user-agent', 'x'], ['accept-encoding', 'gzip'], ['authorization', 'Bearer [key]'], ...kept] as const;
    expect(await asked(listed({}, ANSWER), { requestHeaders })).toEqual({ whole: true, calls: [['list', {}, { headers: kept }]] });
  });

  test('sends a wrong credential as it was', async () => {
    const wrong = ['authorization', 'Bearer wrong'] as const;
    const accept = ['accept', 'text/html'] as const;
    const { calls } = await asked(listed({}, ANSWER, { credential: NO_HEADER }), { requestHeaders: [accept, wrong] });
    const credential = { note: NO_HEADER.note, standing: 'refused', headers: [wrong] };
    expect(calls).toEqual([['list', {}, { headers: [accept], credential }]]);
  });

  test.each<[string, Exchange, Partial<RedactedExchange>]>([
    ['a key in another header', listed({}, ANSWER), { requestHeaders: [['x-api-key', '[key]']] }],
    ['a key under another scheme', listed({}, ANSWER, { credential: NO_HEADER }), { requestHeaders: [['authorization', 'Basic [key]']] }],
    ['a key in the address', listed({}, ANSWER), { url: `${BASE}/pets?token=[key]` }],
    ['a cut address', listed({}, ANSWER), { url: `${BASE}/pets?x=a… (12 more characters)` }],
    ['a cut body', posted({}, ANSWER), { requestBody: '{"name":"a… (12 more characters)' }],
    ['another server', listed({}, ANSWER), { url: 'http://127.0.0.1:8/v1/pets' }],
  ])('leaves out what the report does not hold: %s', async (_case, exchange, changes) => {
    expect(await asked(exchange, changes)).toEqual({ whole: false, calls: [] });
  });
});
