import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { listed, posted } from '../../test/support/exchange-samples.ts';
import { type Intent, USER_AGENT } from './exchange.ts';
import { createRedactor, REDACTED } from './redact.ts';
import { curlAgain, redactExchange } from './redacted-exchange.ts';

const KEY = 'q7/Zk+W=&<T"x\'9%p2F~b:V;c@K#h!M?(J)';
const redact = createRedactor(KEY);

describe('redactExchange', () => {
  const sent = listed({}, { status: 200, body: [], headers: [['set-cookie', 'session=abc123; HttpOnly; Path=/']] });
  const showWith = (headers: readonly (readonly [string, string])[], credential: Intent['credential'] = 'valid') => {
    const request = { ...sent.request, headers, intent: { ...sent.request.intent, credential } };
    return redactExchange({ ...sent, request }, { baseUrl: 'http://127.0.0.1:9/v1', redact, apiKey: KEY });
  };

  test('hides the values of cookies, sent and set: a session is worth as much as a key', () => {
    const { answer: response, curl, requestHeaders } = showWith([['Cookie', `theme=dark; session=abc123; key=${KEY}`]]);
    expect(requestHeaders).toEqual([['cookie', `theme=[cookie]; session=[cookie]; key=${REDACTED}`]]);
    expect(response).toMatchObject({ headers: [['set-cookie', 'session=[cookie]; HttpOnly; Path=/']] });
    expect(curl).not.toContain('abc123');
  });

  test('writes a curl line that accepts what the request accepted', () => {
    expect(showWith([]).curl).toContain("-H 'accept:' -H 'user-agent:'");
    expect(
      showWith([
        ['accept', '*/*'],
        ['accept-encoding', 'gzip'],
        ['user-agent', ''],
      ]).curl,
    ).toMatch(/-H 'accept: \*\/\*' -H 'accept-encoding: gzip' --compressed -H 'user-agent;' '/);
    expect(showWith([['user-agent', USER_AGENT]]).curl).not.toContain('user-agent');
  });

  test.each([
    [KEY, '"authorization: $PETSTORE_API_KEY"'],
    [`Bearer Bearer ${KEY}`, '"authorization: Bearer Bearer $PETSTORE_API_KEY"'],
    [`Bearer ${KEY}x`, '"authorization: Bearer ${PETSTORE_API_KEY}x"'],
    [`Bearer ${KEY.slice(0, -1)}`, "'authorization: Bearer [key]'"],
    [`$(id) ${KEY}`, "'authorization: $(id) [key]'"],
  ])('writes the API key as a variable wherever all of it stands in the header: %s', (value, header) => {
    expect(showWith([['authorization', value]], 'refused').curl).toContain(`-H ${header}`);
  });

  test.each<readonly [string, string | Uint8Array]>([
    ['bytes that are no UTF-8', Buffer.from('{"name":"caf\xe9 100% \\ \'x\'"}', 'latin1')],
    ['a NUL', '{"name":"a\u0000b"}'],
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0x7d])],
  ])('writes a command that sends the same bytes: %s', async (_what, body) => {
    const { request } = posted({ name: 'x', categoryId: 1n }, { status: 400 });
    const shown = redactExchange({ ...sent, request: { ...request, body } }, { baseUrl: 'http://127.0.0.1:9/v1', redact, apiKey: KEY });
    expect(curlAgain(shown)).toBe(shown.curl);
    // What curl would read is printed instead.
    const command = shown.curl.replace(/curl .*/, 'base64 -w 0');
    const { stdout } = await promisify(execFile)('sh', ['-c', command]);
    expect(Buffer.from(stdout, 'base64')).toEqual(Buffer.from(body));
  });

  test('keeps no bytes that may hold the API key', () => {
    const { request } = posted({ name: 'x', categoryId: 1n }, { status: 400 });
    const body = Buffer.from(`\xff${KEY}`, 'latin1');
    const shown = redactExchange({ ...sent, request: { ...request, body } }, { baseUrl: 'http://127.0.0.1:9/v1', redact, apiKey: KEY });
    expect(shown.requestBytes).toBeUndefined();
    expect(shown.partial).toBe(true);
  });

  test('rebuilds the same curl line from its parts, whatever the file has instead', () => {
    const ours = [
      showWith([['authorization', `Basic ${KEY}`]]),
      showWith([['AUTHORIZATION', `Bearer ${KEY}`]]),
      showWith([['Authorization', 'Bearer other']]),
      showWith([['accept', '*/*']]),
      showWith([['ACCEPT-LANGUAGE', 'de']]),
    ];
    // A name is spelled as it was sent: if that makes the difference, nothing else shows it.
    expect(ours.at(-1)?.curl).toContain("-H 'ACCEPT-LANGUAGE: de'");
    expect(ours.map(curlAgain)).toEqual(ours.map(({ curl }) => curl));
    const [one] = ours;
    if (one === undefined) throw new Error('there is one');
    const curl = `${one.curl}; touch /tmp/pwned`;
    expect(curlAgain({ ...one, curl })).toBe(one.curl);
    expect(curlAgain({ ...one, curl, method: 'GET; rm -rf .', url: "http://127.0.0.1:9/'; id; '" })).toMatch(
      /^curl -sS -i -X 'GET; rm -rf \.' .* 'http:\/\/127\.0\.0\.1:9\/'\\''; id; '\\'''$/,
    );
  });
});

describe('redactExchange with a short key', () => {
  const exchange = posted(
    { name: 'k true name', categoryId: 1 },
    { status: 401, body: { code: 'k', message: 'Bearer k is wrong, k', status: 1 } },
  );

  test.each(['k', '1', 'name', 'true', 'pets', 'a+b'])('hides %s where it is used as a credential, and nowhere else', (key) => {
    const headers = [
      ['content-type', 'application/json'],
      ['Authorization', `Token ${key}`],
      ['X-Api-Key', key],
      ['cookie', `a=${key}`],
    ] as const;
    const request = { ...exchange.request, headers, query: `limit=1&api_key=${key}` };
    const shown = redactExchange({ ...exchange, request }, { baseUrl: 'http://127.0.0.1:9/v1', redact: createRedactor(key) });
    expect(shown.requestHeaders).toEqual([
      ['content-type', 'application/json'],
      ['authorization', `Token ${REDACTED}`],
      ['x-api-key', REDACTED],
      ['cookie', 'a=[key]'],
    ]);
    expect(shown.url).toBe(`http://127.0.0.1:9/v1/pets?limit=1&api_key=${REDACTED}`);
    expect(shown.requestBody).toBe('{"name":"k true name","categoryId":1}');
    const message = key === 'k' ? `Bearer ${REDACTED} is wrong, k` : 'Bearer k is wrong, k';
    expect(shown.answer).toMatchObject({ body: `{"code":"k","message":"${message}","status":1}` });
  });
});
