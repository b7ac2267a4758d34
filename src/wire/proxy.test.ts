import { expect, test } from 'vitest';
import { environmentProxy, systemProxy } from './proxy.ts';

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
  ['a range of addresses is exempt', 'http://10.96.0.7:4803/v1', { ...BOTH, NO_PROXY: '10.96.0.0/12' }, undefined],
  ['another range of addresses is exempt', 'http://10.112.0.7:4803/v1', { ...BOTH, NO_PROXY: '10.96.0.0/12' }, 'http://plain:2'],
  ['a range of IPv6 addresses is exempt', 'https://[fd12::7]/v1', { ...BOTH, NO_PROXY: 'x,fd00::/8' }, undefined],
  ['a range of IPv6 addresses in brackets is exempt', 'https://[fd12::7]/v1', { ...BOTH, NO_PROXY: '[fd00::]/8' }, undefined],
  ['another range of IPv6 addresses is exempt', 'https://[fe80::7]/v1', { ...BOTH, NO_PROXY: 'fd00::/8' }, 'http://secure:1'],
  ['all IPv4 addresses are exempt', 'http://8.8.8.8/v1', { ...BOTH, NO_PROXY: '0.0.0.0/0' }, undefined],
  ['all IPv4 addresses are exempt, and the address is a name', HTTPS, { ...BOTH, NO_PROXY: '0.0.0.0/0' }, 'http://secure:1'],
  ['a range that is none is exempt', 'http://10.96.0.7/v1', { ...BOTH, NO_PROXY: '10.96.0.0/33,10.96/12,/8' }, 'http://plain:2'],
  ['its IPv6 address is exempt, spelled otherwise', 'https://[fd12::7]/v1', { ...BOTH, NO_PROXY: 'fd12:0:0::7' }, undefined],
  ['its IPv6 address is exempt with its port', 'https://[fd12::7]/v1', { ...BOTH, NO_PROXY: '[fd12::7]:443' }, undefined],
  ['a host with a similar name is exempt', HTTPS, { ...BOTH, NO_PROXY: 'ample.com' }, 'http://secure:1'],
])('systemProxy, when %s', (_case, address, environment, wanted) => {
  expect(systemProxy(address, environment)).toBe(wanted);
});

test('environmentProxy names the environment for a proxy that can not be used, and does not repeat its password', () => {
  expect(environmentProxy(HTTPS, { HTTPS_PROXY: 'proxy:3128' })).toBe('http://proxy:3128');
  const error = expect.objectContaining({ message: expect.stringMatching(/^the proxy of the environment (?!.*PASS)/) });
  for (const text of ['socks5://u:PASSWORD@proxy:1080', 'http://a%3Ab:PASSWORD@proxy:3128'])
    expect(() => environmentProxy(HTTPS, { HTTPS_PROXY: text })).toThrow(error);
});
