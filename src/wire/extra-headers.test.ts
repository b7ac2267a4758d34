import { describe, expect, test } from 'vitest';
import { USER_AGENT } from './exchange.ts';
import { extraFor, headerNameFault, headerValueFault, variableOfHeader, withExtra } from './extra-headers.ts';

const USUAL = [
  ['accept', 'application/json'],
  ['user-agent', USER_AGENT],
  ['authorization', 'Bearer k'],
] as const;

describe('withExtra', () => {
  test('adds headers, and replaces the usual ones', () => {
    expect(withExtra(USUAL, [])).toBe(USUAL);
    expect(
      withExtra(USUAL, [
        ['X-Tenant', 'a'],
        ['User-Agent', 'mine/1'],
      ]),
    ).toEqual([
      ['accept', 'application/json'],
      ['authorization', 'Bearer k'],
      ['X-Tenant', 'a'],
      ['User-Agent', 'mine/1'],
    ]);
  });

  test('leaves out a header that the request sends itself, or leaves out itself', () => {
    const extra = [
      ['User-Agent', 'mine/1'],
      ['X-Api-Key', 'gateway'],
      ['Accept', 'application/vnd.pets+json'],
    ] as const;
    expect(
      extraFor(
        [
          ['x-api-key', 'k'],
          ['accept', 'text/html'],
          ['user-agent', 'Mozilla/5.0'],
        ],
        extra,
      ),
    ).toEqual([]);
    expect(extraFor([['authorization', 'Bearer k']], extra).map(([name]) => name)).toEqual(['X-Api-Key']);
  });

  test('puts cookies together', () => {
    expect(withExtra([['cookie', 'theme=dark']], [['Cookie', 'CF_Authorization=x']])).toEqual([
      ['Cookie', 'CF_Authorization=x; theme=dark'],
    ]);
  });
});

test.for([
  ['Authorization', 'it holds the API key'],
  ['Proxy-Authorization', 'give its login in its address'],
  ['HOST', 'it follows from the base URL'],
  ['Content-Type', 'it belongs to each request itself'],
  ['transfer-encoding', 'it belongs to each request itself'],
  ['X-HTTP-Method-Override', 'it may change the method of a request'],
  ['If-None-Match', 'it changes which responses are right'],
  ['traceparent', 'it is another one in each request'],
  ['X Y', 'it has characters that none has'],
  ['X-Ü', 'it has characters that none has'],
] as const)('headerNameFault says why %s is not added', ([name, words]) => {
  expect(headerNameFault(name)).toContain(words);
});

test('headerNameFault and headerValueFault take what HTTP takes', () => {
  for (const name of ['CF-Access-Client-Secret', 'User-Agent', 'Cookie', 'X_Y', 'constructor'])
    expect(headerNameFault(name)).toBeUndefined();
  expect(headerValueFault('Basic YTpi, and "more"')).toBeUndefined();
  expect(headerValueFault('')).toBe('is empty');
  expect(headerValueFault('secret\r\nX: y')).toBe("can't stand in a header (character 7 of 12 is U+000D)");
});

test('variableOfHeader is a name that a shell knows', () => {
  expect(variableOfHeader('CF-Access-Client-Secret')).toBe('HEADER_CF_ACCESS_CLIENT_SECRET');
  expect(variableOfHeader("x.y!'")).toMatch(/^HEADER_\w+$/);
});
