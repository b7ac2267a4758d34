import { expect, test } from 'vitest';
import { systemProxy } from './system-proxy.ts';

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
