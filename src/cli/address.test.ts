import { describe, expect, test } from 'vitest';
import { parseBaseUrl, parsePingUrl, resolveProxy, systemProxy } from './address.ts';

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

describe('resolveProxy', () => {
  const ADDRESS = 'https://api.example.com/v1';

  test.each(['foo', 'foo/bar', 'socks5://foo:1080', 'http://', 'u:PASSWORD@'])('rejects %s without repeating it', (named) => {
    const error = expect.objectContaining({
      name: 'UsageError',
      message: expect.stringMatching(/^--proxy is not an HTTP proxy such as (?!.*PASS)/),
    });
    expect(() => resolveProxy(named, ADDRESS, {})).toThrow(error);
  });

  test('takes addresses with a scheme, and with a port those without', () => {
    expect(resolveProxy('http://proxy', ADDRESS, {})).toBe('http://proxy');
    expect(resolveProxy('proxy:3128', ADDRESS, {})).toBe('http://proxy:3128');
    expect(resolveProxy(undefined, ADDRESS, { HTTPS_PROXY: 'proxy:3128' })).toBe('http://proxy:3128');
    expect(resolveProxy('none', ADDRESS, { HTTPS_PROXY: 'proxy:3128' })).toBeUndefined();
    expect(() => resolveProxy(undefined, ADDRESS, { HTTPS_PROXY: 'foo' })).toThrow('the proxy of the environment is not an HTTP proxy');
  });
});

const HTTPS = 'https://api.example.com/v1';
const BOTH = { HTTPS_PROXY: 'http://secure:1', http_proxy: 'http://plain:2' };

test.each([
  ['nothing is named', HTTPS, {}, undefined],
  ['the address is https', HTTPS, BOTH, 'http://secure:1'],
  ['the address is http', 'http://api.example.com/v1', BOTH, 'http://plain:2'],
  ['only ALL_PROXY is named', HTTPS, { ALL_PROXY: 'http://all:3' }, 'http://all:3'],
  ['the address is this machine', 'http://127.0.0.1:80/v1', BOTH, undefined],
  ['the address is this machine by name', 'http://localhost/v1', BOTH, undefined],
  ['the host is exempt', HTTPS, { ...BOTH, NO_PROXY: 'other.org, api.example.com' }, undefined],
  ['its domain is exempt', HTTPS, { ...BOTH, no_proxy: '.example.com' }, undefined],
  ['its domain is exempt without a dot', HTTPS, { ...BOTH, no_proxy: 'Example.com' }, undefined],
  ['everything is exempt', HTTPS, { ...BOTH, NO_PROXY: '*' }, undefined],
  ['its port is exempt', HTTPS, { ...BOTH, NO_PROXY: 'api.example.com:443' }, undefined],
  ['another port is exempt', HTTPS, { ...BOTH, NO_PROXY: 'api.example.com:8443' }, 'http://secure:1'],
  ['a host with a similar name is exempt', HTTPS, { ...BOTH, NO_PROXY: 'ample.com' }, 'http://secure:1'],
])('systemProxy, when %s', (_case, address, environment, wanted) => {
  expect(systemProxy(address, environment)).toBe(wanted);
});
