import { describe, expect, test } from 'vitest';
import { lookupFor } from './connection.ts';
import { addressFor, DIRECT, type Route, routeFault } from './route.ts';

const AT = 'https://pets.test/v1';

describe('routeFault', () => {
  test.for<[what: string, route: Partial<Route>, baseUrl: string]>([
    ['nothing', {}, AT],
    ['an address', { resolve: ['pets.test:443:10.0.0.7'] }, AT],
    ['an IPv6 address', { resolve: ['PETS.test:443:[::1]'], family: 6 }, AT],
    ['entries for other hosts as well', { resolve: ['other.test:443:10.0.0.7', 'pets.test:443:10.0.0.8'] }, AT],
    ['the same address twice', { resolve: ['pets.test:443:10.0.0.7', 'pets.test:443:10.0.0.7'] }, AT],
    ['a family', { family: 4 }, 'http://127.0.0.1/v1'],
    ['a socket', { unixSocket: '/run/pets.sock' }, 'http://localhost/v1'],
    ['a certificate through a proxy', { cert: 'a', key: 'b', proxy: 'http://proxy.test:3128' }, AT],
  ])('finds nothing wrong with %s', ([, route, baseUrl]) => {
    expect(routeFault({ ...DIRECT, ...route }, baseUrl)).toBeUndefined();
  });

  const proxy = 'http://user:PASSWORD@proxy.test:3128';
  test.for<[route: Partial<Route>, option: string, words: string]>([
    [{ resolve: ['pets.test:443'] }, 'resolve', '"pets.test:443" is not HOST:PORT:ADDRESS'],
    [{ resolve: ['pets.test:443:other.test'] }, 'resolve', 'is not HOST:PORT:ADDRESS'],
    [{ resolve: ['*:443:10.0.0.7'] }, 'resolve', 'is not HOST:PORT:ADDRESS'],
    [{ resolve: ['pets.test:443:10.0.0.7,10.0.0.8'] }, 'resolve', 'is not HOST:PORT:ADDRESS'],
    [{ resolve: ['pets.test:99999:10.0.0.7'] }, 'resolve', 'is not HOST:PORT:ADDRESS'],
    [{ resolve: ['pets.test:80:10.0.0.7'] }, 'resolve', 'names another host or port than the service, which is at pets.test:443'],
    [
      { resolve: ['pets.test:443:10.0.0.7', 'pets.test:443:10.0.0.8'] },
      'resolve',
      'names both 10.0.0.7 and 10.0.0.8 for pets.test:443; name one, since each is judged by itself',
    ],
    [{ resolve: ['pets.test:443:10.0.0.7'], family: 6 }, 'family', 'the service is at 10.0.0.7, which is not an IPv6 address'],
    [{ resolve: ['pets.test:443:10.0.0.7'], proxy }, 'resolve', 'the proxy proxy.test:3128 connects to the service, and not this process'],
    [{ unixSocket: '/run/x', proxy }, 'unixSocket', 'the proxy proxy.test:3128 connects to the service'],
    [{ family: 4, proxy }, 'family', 'the proxy proxy.test:3128 connects to the service'],
    [{ unixSocket: '/run/x', resolve: ['pets.test:443:10.0.0.7'] }, 'unixSocket', 'a socket has no IP address: remove resolve'],
    [{ unixSocket: '/run/x', family: 4 }, 'unixSocket', 'a socket has no IP address: remove family'],
    [{ unixSocket: `/run/${'x'.repeat(120)}` }, 'unixSocket', 'the path has 125 bytes; a socket has at most 10'],
    [{ key: 'b' }, 'key', 'is the private key of a client certificate: name that with cert'],
  ])('says of %j what is wrong', ([route, option, words]) => {
    const fault = routeFault({ ...DIRECT, ...route }, AT);
    expect(fault?.option).toBe(option);
    expect(fault?.text).toContain(words);
    expect(fault?.text).not.toContain('PASSWORD');
  });

  test('says of what fits no address with that scheme or host what is wrong', () => {
    expect(routeFault({ ...DIRECT, cert: 'a', key: 'b' }, 'http://pets.test/v1')?.text).toContain('the base URL is http://');
    expect(routeFault({ ...DIRECT, family: 4 }, 'http://[::1]/v1')?.text).toBe('the service is at ::1, which is not an IPv4 address');
    const address = routeFault({ ...DIRECT, resolve: ['10.0.0.1:80:10.0.0.7'] }, 'http://10.0.0.1/v1');
    expect(address?.text).toContain('the service is named by its address, 10.0.0.1:80');
  });
});

test('addressFor is about the host and port of an address alone', () => {
  const resolve = ['pets.test:443:10.0.0.7', 'pets.test:8443:[fd00::7]'];
  const of = (address: string): string | undefined => addressFor({ resolve }, new URL(address));
  expect(of('https://pets.test/v1')).toBe('10.0.0.7');
  expect(of('https://pets.test:8443/v1')).toBe('fd00::7');
  expect(of('http://pets.test/v1')).toBeUndefined();
  expect(of('https://other.test/v1')).toBeUndefined();
});

/** What a lookup of a name finds: the addresses, or the error. */
function found(route: Pick<Route, 'resolve' | 'family'>, name: string): Promise<unknown> {
  return new Promise((resolve) =>
    lookupFor(route, new URL(AT))(name, { all: true }, (error, addresses) => resolve(error === null ? addresses : error.code)),
  );
}

test('lookupFor asks nobody for a name with an address, and says where a name has none of the family', async () => {
  expect(await found({ resolve: ['pets.test:443:10.0.0.7'], family: undefined }, 'pets.test')).toEqual([
    { address: '10.0.0.7', family: 4 },
  ]);
  // A name of IPv4 that every resolver knows without asking.
  expect(await found({ resolve: [], family: 4 }, '127.1')).toEqual([{ address: '127.0.0.1', family: 4 }]);
  expect(await found({ resolve: [], family: 6 }, '127.1')).toBe('NO_ADDRESS_OF_FAMILY');
  expect(await found({ resolve: [], family: 6 }, 'nowhere.invalid')).not.toBe('NO_ADDRESS_OF_FAMILY');
});
