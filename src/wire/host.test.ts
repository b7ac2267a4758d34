import { describe, expect, test } from 'vitest';
import { hostOf, isSameHost } from './host.ts';

describe('hostOf', () => {
  test.for([
    'http://localhost:8080/v1',
    'http://LOCALHOST.:8080/v1',
    'http://api.localhost:8080/v1',
    'http://127.0.0.2:8080/v1',
    'http://127.1:8080/v1',
    'http://2130706433:8080/v1',
    'http://0x7f.1:8080/v1',
    'http://0.0.0.0:8080/v1',
    'http://[::1]:8080/v1',
    'http://[::]:8080/v1',
    'http://[::ffff:127.0.0.1]:8080/v1',
    'http://[0:0:0:0:0:ffff:7f00:1]:8080/v1',
  ])('%s is this machine.', (address) => {
    expect(hostOf(address)).toBe(hostOf('http://127.0.0.1:8080/v2'));
  });

  test('Others are themselves, in one spelling.', () => {
    expect(hostOf('https://Petstore.Example.com./v1')).toBe(hostOf('https://petstore.example.com/v2'));
    expect(hostOf('http://[::ffff:192.0.2.7]/v1')).toBe(hostOf('http://192.0.2.7/v1'));
    for (const address of [
      'http://127.0.0.1:8081/v1',
      'http://localhost.example:8080/v1',
      'http://128.0.0.1:8080/v1',
      'http://[fe80::1]:8080/v1',
    ])
      expect(hostOf(address)).not.toBe(hostOf('http://127.0.0.1:8080/v1'));
    expect(hostOf('no address')).toBeUndefined();
  });
});

describe('isSameHost', () => {
  test('Ports count, and what can not be resolved is not the same.', async () => {
    expect(await isSameHost('http://localhost:1/v1', 'http://[::ffff:127.0.0.1]:1/v2')).toBe(true);
    expect(await isSameHost('http://localhost:1/v1', 'http://127.0.0.1:2/v1')).toBe(false);
    expect(await isSameHost('http://petstore.invalid:1/v1', 'http://127.0.0.1:1/v1')).toBe(false);
    expect(await isSameHost('http://petstore.invalid:1/v1', 'http://PETSTORE.invalid:1/v2')).toBe(true);
  });
});
