import { expect, test } from 'vitest';
import { addressesNearby, otherScheme } from './addresses-nearby.ts';

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/v1'],
  ['https://pets.example/api', 'https://pets.example/api/v1'],
  ['https://pets.example/v1/v1', 'https://pets.example/v1'],
  ['https://pets.example/v1/pets', 'https://pets.example/v1'],
  ['https://pets.example/v2', 'https://pets.example/v1'],
  ['https://pets.example/v1', 'https://pets.example'],
])('addressesNearby tries for %s also %s, and never the address itself', (baseUrl, meant) => {
  expect(addressesNearby(baseUrl)).toContain(meant);
  expect(addressesNearby(baseUrl)).not.toContain(baseUrl);
});

test('otherScheme changes the scheme alone', () => {
  expect(otherScheme('http://http.example:80/v1')).toBe('https://http.example:80/v1');
  expect(otherScheme('https://pets.example/v1')).toBe('http://pets.example/v1');
});
