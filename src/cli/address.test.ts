import { describe, expect, test } from 'vitest';
import { parseBaseUrl, parsePingUrl, resolveProxy } from './address.ts';

const parse = (text: string, key?: string) => parseBaseUrl(text, { what: 'the base URL', key });

describe('parseBaseUrl', () => {
  test.each([
    ['https://staging.example.com/v1', 'https://staging.example.com/v1'],
    ['http://127.0.0.1:4100/v1//', 'http://127.0.0.1:4100/v1'],
    ['HTTP://[::1]:80', 'http://[::1]'],
  ])('takes %s as %s', (text, address) => {
    expect(parse(text)).toBe(address);
  });

  test.each([
    ['localhost:4100/v1', 'http://localhost:4100/v1'],
    ['127.0.0.1:4100/v1', 'http://127.0.0.1:4100/v1'],
    ['[::1]:4100/v1', 'http://[::1]:4100/v1'],
    ['localhost', 'http://localhost'],
    ['shop:8080/v1', 'http://shop:8080/v1'],
    ['staging.example.com/v1', 'https://staging.example.com/v1'],
    ['staging.example.com:8443/v1', 'https://staging.example.com:8443/v1'],
  ])('suggests for %s: %s', (text, meant) => {
    expect(() => parse(text)).toThrow(`the base URL has no scheme; did you mean ${meant}?`);
  });

  test.each([
    ['a key', 'sk_live_51HabcdefGHIJKLMNOP', undefined, 'sk_live_51H'],
    ['a key that looks like a host', 'abcdefgh.ijklmnop', 'abcdefgh.ijklmnop', 'abcdefgh'],
    ['a token of three parts', `eyJhbGciOiJIUzI1NiJ9.${'a'.repeat(80)}.${'b'.repeat(43)}`, undefined, 'eyJhbGciOi'],
    ['a password', 'http://u:PASSWORD@127.0.0.1:99999/v1', undefined, 'PASSWORD'],
    ['a password with signs', 'http://u:PASS/WO#RD@host:99999/v1', undefined, 'PASS'],
    ['a password before a host without scheme', 'u:PASSWORD@127.0.0.1:4100/v1', undefined, 'PASSWORD'],
    ['a password in an address that is one', 'http://u:PASSWORD@127.0.0.1/v1', undefined, 'PASSWORD'],
    ['a password without a user name', 'http://:PASSWORD@127.0.0.1/v1', undefined, 'PASSWORD'],
    ['an empty login', 'http://@127.0.0.1/v1', undefined, '@'],
    ['a query', 'http://127.0.0.1/v1?key=SECRET', undefined, 'SECRET'],
    ['a path of what is no URL', 'ht!tp://x/SECRET', undefined, 'SECRET'],
    ['the known key in a host', 'http://abcdefghijkl:x/', 'abcdefghijkl', 'abcdefgh'],
    ['a word', 'production', undefined, 'produ'],
  ])('never repeats %s', (_what, text, key, secret) => {
    expect(() => parse(text, key)).toThrow(expect.objectContaining({ name: 'UsageError', message: expect.not.stringContaining(secret) }));
  });

  test('rejects other schemes', () => {
    expect(() => parse('ftp://x/v1')).toThrow('the base URL is "ftp://x…"; only http: and https: can be judged');
  });
});

test('parsePingUrl never repeats what it rejects', () => {
  expect(() => parsePingUrl('hc.example.com/SECRET')).toThrow(expect.objectContaining({ message: expect.not.stringContaining('SECRET') }));
  expect(parsePingUrl('https://hc.example.com/x')).toBe('https://hc.example.com/x');
});

test.each([
  ['https://hc.example.com/SECRET#x', 'the address has a fragment'],
  ['https://@hc.example.com/SECRET', 'the address has an empty login'],
  ['https://u:%E0%A4%A@hc.example.com/SECRET', 'the address has a login that is not percent-encoded'],
])('parsePingUrl rejects %s, of which a part would be dropped', (text, problem) => {
  expect(() => parsePingUrl(text)).toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(problem) }));
});

describe('resolveProxy', () => {
  const ADDRESS = 'https://api.example.com/v1';

  test.each(['foo', 'foo/bar', 'socks5://foo:1080', 'http://', 'u:PASSWORD@'])('rejects %s without repeating it', (named) => {
    const error = expect.objectContaining({
      name: 'UsageError',
      message: expect.stringMatching(/^--proxy is not an HTTP proxy such as (?!.*PASS)/),
    });
    expect(() => resolveProxy(named, ADDRESS, {})).toThrow(error);
  });

  test.each([
    ['a fragment', 'http://proxy:3128/#x', 'has a query or a fragment'],
    ['a query', 'http://proxy:3128/?x', 'has a query or a fragment'],
    ['an empty login', 'http://@proxy:3128', 'has an empty login'],
    ['a login that can be no header', 'http://a%3Ab:PASSWORD@proxy:3128', 'has a user name with a colon'],
    ['a login that is not percent-encoded', 'u:100%@proxy:3128', 'has a login that is not percent-encoded'],
  ])('rejects %s', (_what, named, problem) => {
    expect(() => resolveProxy(named, ADDRESS, {})).toThrow(`--proxy ${problem}`);
    expect(() => resolveProxy(undefined, ADDRESS, { HTTPS_PROXY: named })).toThrow(`the proxy of the environment ${problem}`);
  });

  test('takes addresses with a scheme, and with a port those without', () => {
    expect(resolveProxy('http://proxy', ADDRESS, {})).toBe('http://proxy');
    expect(resolveProxy('proxy:3128', ADDRESS, {})).toBe('http://proxy:3128');
    expect(resolveProxy(undefined, ADDRESS, { HTTPS_PROXY: 'proxy:3128' })).toBe('http://proxy:3128');
    expect(resolveProxy('none', ADDRESS, { HTTPS_PROXY: 'proxy:3128' })).toBeUndefined();
    expect(() => resolveProxy(undefined, ADDRESS, { HTTPS_PROXY: 'foo' })).toThrow('the proxy of the environment is not an HTTP proxy');
  });
});
