import { describe, expect, test } from 'vitest';
import { compose } from '../../suites/tables/tables.ts';
import { needsAnimal, placeOfKey, type RawRequest, rawVector, readRaw } from './raw.ts';
import type { ComposeContext } from './vector.ts';

const KEY = 'pk-7Hq2XvR9sLmT4wZa';
const CONTEXT: ComposeContext = { apiKey: KEY, seed: 1, rowNumber: 3, runTag: 'test', categoryId: 8n, knownIds: [5n, 6n], cookies: [] };
const GET: RawRequest = { method: 'GET', target: '/pets/{petId}?expand=owner' };
const POST: RawRequest = { method: 'POST', target: '/pets', body: '{"name":"{name}é","categoryId":{categoryId},"tags":["{odd}"]}' };

describe('a request that is written out', () => {
  test('is a row of its operation, which has all of it', () => {
    expect(rawVector(GET)).toEqual({ op: 'get', raw: expect.any(String) });
    expect(['/pets', '/pets?limit=2', '/'].map((target) => rawVector({ method: 'GET', target }).op)).toEqual(['list', 'list', 'list']);
    expect(rawVector({ ...GET, method: 'POST' }).op).toBe('create');
    expect(readRaw(rawVector(POST).raw ?? '')).toEqual({ ...POST, headers: {} });
  });

  test('has the key in Authorization, and its own headers in place of the usual ones', () => {
    const headers = { 'X-Tenant': 'acme', 'User-Agent': 'house/1' };
    expect(compose(rawVector({ ...GET, headers }), CONTEXT)).toEqual({
      ...{ method: 'GET', target: '/pets/5?expand=owner', body: undefined, framing: 'length', connection: 'kept' },
      headers: [
        ['accept', 'application/json'],
        ['authorization', `Bearer ${KEY}`],
        ['X-Tenant', 'acme'],
        ['User-Agent', 'house/1'],
      ],
    });
  });

  test('has a name of the run and an accepted category in its body', () => {
    const { headers, body } = compose(rawVector(POST), CONTEXT);
    expect(Buffer.from(body ?? []).toString()).toMatch(/^\{"name":"ConformanceTest[A-Za-z]+é","categoryId":8,"tags":\["\{odd\}"\]\}$/);
    expect(headers).toContainEqual(['content-type', 'application/json']);
    const xml = rawVector({ ...POST, headers: { 'content-type': 'application/xml' } });
    expect(compose(xml, CONTEXT).headers.filter(([name]) => name === 'content-type')).toEqual([['content-type', 'application/xml']]);
  });

  test('needs an animal if it names one', () => {
    expect([GET, POST].map((one) => needsAnimal(rawVector(one)))).toEqual([true, false]);
  });
});

test.for<readonly [text: string, raw: Partial<RawRequest>, place: string | undefined]>([
  ['nowhere', { headers: { 'x-key': 'mine' } }, undefined],
  ['percent-encoded in the target', { target: `/pets?k=%70${KEY.slice(1)}` }, 'in its target'],
  ['in a header', { headers: { 'x-api-key': KEY } }, 'in the header x-api-key'],
  ['as the name of a header', { headers: { [KEY]: '1' } }, 'in the header [key]'],
  ['in Base64 in the body', { body: JSON.stringify({ auth: Buffer.from(`:${KEY}`).toString('base64') }) }, 'in its body'],
])('placeOfKey finds the key %s', ([, raw, place]) => {
  expect(placeOfKey({ method: 'POST', target: '/pets', ...raw }, KEY)).toBe(place);
});

test('placeOfKey finds a short key where it is a credential, and not in a word', () => {
  const short = 'secret';
  expect(placeOfKey({ method: 'GET', target: '/pets?api_key=secret' }, short)).toBe('in its target');
  expect(placeOfKey({ method: 'GET', target: '/secretary' }, short)).toBeUndefined();
});
