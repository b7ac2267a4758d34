import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { type Intent, listed, posted, redactExchange } from '../../test/support/exchange-samples.ts';
import { USER_AGENT } from './exchange.ts';
import { swapAlike } from './key-spellings.ts';
import { createRedactor, REDACTED } from './redact.ts';
import { curlAgain } from './redacted-exchange.ts';

const KEY = 'q7/Zk+W=&<T"x\'9%p2F~b:V;c@K#h!M?(J)';
const redact = createRedactor(KEY);

const sent = listed({ status: 200, body: [], headers: [['set-cookie', 'session=abc123; HttpOnly; Path=/']] });

describe('redactExchange', () => {
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
    [`Bearer ${KEY.slice(0, -1)}`, '"authorization: Bearer ${PETSTORE_API_KEY%?}"'],
    [`$(id) ${KEY}`, `'authorization: $(id) '"$PETSTORE_API_KEY"`],
    [` Bearer  ${KEY} `, '"authorization:  Bearer  $PETSTORE_API_KEY "'],
  ])('writes the API key as a variable in the header: %s', (value, header) => {
    expect(showWith([['authorization', value]], 'refused').curl).toContain(`-H ${header}`);
  });

  const PLAIN = 'sk-Test_0Zk5x-q7B2oI9_p2F';
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  test.each([
    ['the key', PLAIN],
    ['white space around the header', `  Bearer ${PLAIN} \t`],
    ['a character more', `Bearer ${PLAIN}b`],
    ['a character less', `Bearer ${PLAIN.slice(0, -1)}`],
    ['without its first character', `Bearer ${PLAIN.slice(1)}`],
    ['the first half', `Bearer ${PLAIN.slice(0, 12)}`],
    ['its last character changed', `Bearer ${PLAIN.slice(0, -1)}x`],
    ['its middle changed', `Bearer ${PLAIN.slice(0, 12)}-${PLAIN.slice(13)}`],
    ['eight of its characters and others', `Bearer ${PLAIN.slice(0, 8)}#other`],
    ['its letter case swapped', `Bearer ${PLAIN.replace(/[a-z]/gi, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()))}`],
    ['twice', `Bearer ${PLAIN}${PLAIN}`],
    ['in base64', `Bearer ${base64(PLAIN)}`],
    ['as the Basic password', `Basic ${base64(`api:${PLAIN}`)}`],
    ['as the Basic user name', `Basic ${base64(`${PLAIN}:`)}`],
    ['without punctuation', `Bearer ${PLAIN.replace(/\W|_/g, '')}`],
    ['reversed', `Bearer ${[...PLAIN].reverse().join('')}`],
    ['look-alikes swapped', `Bearer ${swapAlike(PLAIN)}`],
    ['- and _ swapped', `Bearer ${PLAIN.replace(/[-_]/g, (one) => (one === '-' ? '_' : '-'))}`],
    ['percent-encoded', `Bearer ${[...Buffer.from(PLAIN)].map((byte) => `%${byte.toString(16)}`).join('')}`],
    ['in quotes', `Bearer "${PLAIN}"`],
  ])('writes a command that sends what was sent, and holds no part of the key: %s', async (_what, value) => {
    const options = { baseUrl: 'http://127.0.0.1:9/v1', redact: createRedactor(PLAIN), apiKey: PLAIN };
    const headers = [
      ['Authorization', value],
      ['x-api-key', PLAIN],
    ] as const;
    const intent = { ...sent.request.intent, credential: 'refused' } as const;
    const shown = redactExchange({ ...sent, request: { ...sent.request, headers, intent, query: `api_key=${PLAIN}&limit=1` } }, options);
    expect(options.redact(shown.curl)).toBe(shown.curl);
    expect(shown.curl).not.toContain(REDACTED);
    expect(curlAgain(shown)).toBe(shown.curl);
    // What curl would get is printed instead.
    const command = shown.curl.replace(/^curl /, String.raw`printf '%s\0' `);
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, PETSTORE_API_KEY: PLAIN } });
    expect(stdout.split('\0')).toEqual(
      expect.arrayContaining([`Authorization: ${value}`, `x-api-key: ${PLAIN}`, `http://127.0.0.1:9/v1/pets?api_key=${PLAIN}&limit=1`]),
    );
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

  test.each([
    ['2,000 nested arrays', '['.repeat(2_000) + ']'.repeat(2_000), 'x'],
    ['a name of 1,000 letters after a quote', `{"name":"it's ${'a'.repeat(1_000)}"}`, 'x'],
    ['a token of 500 letters', '{}', 'x'.repeat(500)],
    ['what is a command, were it not quoted', `'"$(printf ${'['.repeat(300)}"'$(id)`, 'x'],
  ])('writes a short command that sends %s', async (_what, body, token) => {
    const { request } = posted({ name: 'x', categoryId: 1n }, { status: 400 });
    const headers = [['Authorization', `Bearer ${token}`]] as const;
    const intent = { ...request.intent, credential: 'refused' } as const;
    const shown = redactExchange(
      { ...sent, request: { ...request, intent, body, headers } },
      { baseUrl: 'http://127.0.0.1:9/v1', redact, apiKey: KEY },
    );
    expect(curlAgain(shown)).toBe(shown.curl);
    expect(shown.curl.length).toBeLessThan(350);
    // What curl would get is printed instead.
    const { stdout } = await promisify(execFile)('sh', ['-c', shown.curl.replace(/^curl /, String.raw`printf '%s\0' `)]);
    expect(stdout.split('\0')).toEqual(expect.arrayContaining([`Authorization: Bearer ${token}`, body]));
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

describe('the way to the service in a command', () => {
  const options = {
    ...{
      baseUrl: 'http://pets.test/v1',
      redact,
      apiKey: KEY,
      resolve: ['pets.test:80:[::1]'],
      family: 6 as const,
      unixSocket: "/run/it's here",
    },
    ...{ cert: '/etc/client.pem', key: '/etc/client key.pem' },
    headers: [
      ['CF-Access-Client-Secret', 'Zk81-ppQ7x-9wTr'],
      ['User-Agent', 'mine/1'],
    ],
  } as const;
  const headers = [
    ['accept', 'application/json'],
    ['user-agent', USER_AGENT],
  ] as const;
  const shown = redactExchange({ ...sent, request: { ...sent.request, headers } }, options);

  test('is what the run did, with the values of headers in variables', async () => {
    expect(shown.curl).not.toMatch(/Zk81|mine\/1/);
    const command = shown.curl.replace(/^curl /, String.raw`printf '%s\0' `);
    const variables = { HEADER_CF_ACCESS_CLIENT_SECRET: 'one', HEADER_USER_AGENT: 'two' };
    const { stdout } = await promisify(execFile)('sh', ['-c', command], { env: { ...process.env, ...variables } });
    expect(stdout.split('\0').slice(0, -1)).toEqual([
      ...['-sS', '-i', '-6', '--resolve', 'pets.test:80:[::1]', '--unix-socket', "/run/it's here"],
      ...['--cert', '/etc/client.pem', '--key', '/etc/client key.pem', '-H', 'accept: application/json'],
      ...['-H', 'CF-Access-Client-Secret: one', '-H', 'User-Agent: two', 'http://pets.test/v1/pets'],
    ]);
  });

  test('is rebuilt from a file as it was, without anything that a shell would run', () => {
    expect(curlAgain(shown)).toBe(shown.curl);
    const [begin = '', rest = ''] = shown.curl.split('--cert');
    const evil = ['$(id)', '"$(id)"', '`id`', "'x'; id; #"].map((word) =>
      curlAgain({ ...shown, curl: `${begin}--cert ${word} --cert${rest}` }),
    );
    expect(evil.join('\n')).not.toMatch(/id\b(?=[;)`])/);
    const variable = shown.curl.replace('$HEADER_USER_AGENT', '$AWS_SECRET_ACCESS_KEY');
    expect(curlAgain({ ...shown, curl: variable })).not.toContain('AWS');
  });

  test('leaves out a header that the request is about', () => {
    const about = redactExchange({ ...sent, request: { ...sent.request, headers: [['user-agent', 'Mozilla/5.0']] } }, options);
    expect(about.curl).toContain(
      "-H 'user-agent: Mozilla/5.0' -H 'accept:' -H \"CF-Access-Client-Secret: $HEADER_CF_ACCESS_CLIENT_SECRET\"",
    );
    expect(about.curl).not.toContain('HEADER_USER_AGENT');
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
