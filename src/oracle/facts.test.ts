import { describe, expect, test } from 'vitest';
import type { Sent } from '../session/vector.ts';
import { factsOf } from './facts.ts';

const KEY = 'pk-7Hq2XvR9sLmT4wZa';

const get = (target: string, more: Partial<Sent> = {}): Sent => ({
  method: 'GET',
  target,
  headers: [
    ['Accept', 'application/json'],
    ['User-Agent', 'test'],
    ['Authorization', `Bearer ${KEY}`],
  ],
  body: undefined,
  framing: 'length',
  connection: 'kept',
  ...more,
});

const post = (body: string, more: readonly (readonly [string, string])[] = [['Content-Type', 'application/json']]): Sent => ({
  ...get('/pets'),
  method: 'POST',
  body: new TextEncoder().encode(body),
  headers: [...get('/pets').headers, ...more],
});

const credentialOf = (...headers: readonly (readonly [string, string])[]) => factsOf(get('/pets', { headers }), KEY).credential;

describe('factsOf the credential', () => {
  test.each([
    [[['authorization', `Bearer ${KEY}`]], { kind: 'valid' }],
    [[['AUTHORIZATION', ` Bearer ${KEY}\t`]], { kind: 'valid' }],
    [[['authorization', `bearer ${KEY}`]], { kind: 'open', how: 'letter case of the scheme' }],
    [[], { kind: 'absent' }],
    [[['authorization', ' ']], { kind: 'absent' }],
    [[['authorization', KEY]], { kind: 'scheme' }],
    [[['authorization', `Bearer ${KEY}, Bearer wrong`]], { kind: 'malformed', by: 'token' }],
    [[['authorization', `Bearer: ${KEY}`]], { kind: 'malformed', by: 'scheme' }],
    [
      [
        ['authorization', 'Bearer wrong'],
        ['authorization', `Bearer ${KEY}`],
      ],
      { kind: 'malformed', by: 'token' },
    ],
    [
      [
        ['x-api-key', KEY],
        ['cookie', `theme=dark; token=${KEY}`],
      ],
      { kind: 'elsewhere', places: ['header', 'cookie'] },
    ],
    // It is the value of no parameter, cookie or header that services look at.
    [[['x-note', KEY]], { kind: 'absent' }],
  ] as const)('%j is %j', (headers, expected) => {
    expect(credentialOf(...headers)).toEqual(expected);
  });

  test('takes a key of few letters for itself only', () => {
    expect(factsOf(get('/pets?name=a&limit=5', { headers: [['cookie', 'data=1']] }), 'a').credential).toEqual({
      kind: 'elsewhere',
      places: ['query parameter'],
    });
    expect(factsOf(get('/pets?name=apple', { headers: [['cookie', 'data=1']] }), 'a').credential).toEqual({ kind: 'absent' });
  });
});

describe('factsOf the path', () => {
  test.each([
    ['/pets', 'listPets', 'documented'],
    ['/pets/', 'listPets', 'respelled'],
    ['/x/..;/pets', 'listPets', 'respelled'],
    ['/pets/7', 'getPet', 'documented'],
    ['/pets/many', 'getPet', 'documented'],
    ['/pets/%37', 'getPet', 'respelled'],
    ['/pets/7/', 'getPet', 'respelled'],
    ['/pets/7.json', 'getPet', 'respelled'],
    ['/%2570ets/7', 'getPet', 'respelled'],
  ])('%s is %s, %s', (target, operation, path) => {
    expect(factsOf(get(target), KEY)).toMatchObject({ operation, path });
  });
});

describe('factsOf the id', () => {
  test.each([
    ['9223372036854775807', { kind: 'int64', value: 2n ** 63n - 1n }],
    ['-9223372036854775808', { kind: 'int64', value: -(2n ** 63n) }],
    ['9223372036854775808', { kind: 'outside int64' }],
    ['-0', { kind: 'spelled', value: 0n }],
    ['007', { kind: 'spelled', value: 7n }],
    ['7.0', { kind: 'spelled', value: 7n }],
    ['7.5', { kind: 'no integer' }],
    ['0x7', { kind: 'no integer' }],
    ['%FF', { kind: 'no integer' }],
  ])('%s is %o', (segment, id) => {
    expect(factsOf(get(`/pets/${segment}`), KEY).id).toEqual(id);
  });
});

describe('factsOf the body', () => {
  const NAME = 'ConformanceAbcAaaa';

  test.each([
    [`{"name":"${NAME}","categoryId":1}`, { kind: 'plain', sent: { name: NAME, categoryId: 1n } }],
    [`{"name":"${NAME}","categoryId":-0}`, { kind: 'plain', sent: { name: NAME, categoryId: 0n } }],
    [`{"name":"${NAME}","categoryId":9223372036854775807,"status":"sold"}`, { kind: 'plain', sent: { categoryId: 2n ** 63n - 1n } }],
    ['{"name":"null","categoryId":1}', { kind: 'unusual' }],
    [`{"name":"${NAME}","categoryId":10e-1}`, { kind: 'open', why: 'integer spelled as a fraction', sent: { categoryId: 1n } }],
    [`{"name":"${NAME}","categoryId":1e18}`, { kind: 'open', why: 'integer spelled as a fraction' }],
    [`{"name":"${NAME}","categoryId":1,"x":1}`, { kind: 'open', why: 'other members' }],
    [`{"name":"${NAME}","categoryId":1,"id":null}`, { kind: 'open', why: 'id' }],
    [`{"name":"${NAME}","name":"other","categoryId":1}`, { kind: 'open', why: 'repeated member' }],
    [`{"name":"${NAME}\\udc00","categoryId":1}`, { kind: 'open', why: 'encoding' }],
    [`{"name":"${NAME}","categoryId":9223372036854775808}`, { kind: 'invalid', clause: 'create.category-range', name: NAME }],
    [`{"name":"${NAME}","categoryId":1.0000000000000000001}`, { kind: 'open', why: 'integer spelled as a fraction' }],
    [`{"name":"${NAME}","categoryId":9007199254740992.5}`, { kind: 'open', why: 'integer spelled as a fraction' }],
    [`{"name":"${NAME}","categoryId":1e-400}`, { kind: 'open', why: 'integer spelled as a fraction' }],
    [`{"name":"${NAME}","categoryId":9223372036854775808.5}`, { kind: 'invalid', clause: 'create.category-type' }],
    [`{"name":"${NAME}","categoryId":1,"status":null}`, { kind: 'invalid', clause: 'create.status-invalid' }],
    ['{"__proto__":{"name":"x"},"categoryId":1}', { kind: 'invalid', clause: 'create.name-required' }],
    ['{"status":1,"categoryId":"x","name":2}', { kind: 'invalid', clause: 'create.name-type' }],
    ['[]', { kind: 'invalid', clause: 'create.body-object' }],
    ['1', { kind: 'invalid', clause: 'create.body-object' }],
    ['', { kind: 'invalid', clause: 'create.body-json' }],
    ['{', { kind: 'invalid', clause: 'create.body-json' }],
    ['\ufeff{}', { kind: 'open', why: 'encoding' }],
  ])('%s is %o', (body, expected) => {
    expect(factsOf(post(body), KEY).body).toMatchObject(expected);
  });

  test('is open where the media type is not JSON, or is said twice', () => {
    expect(factsOf(post('{', []), KEY).body).toEqual({ kind: 'open', why: 'media type' });
    const twice = [
      ['Content-Type', 'application/json'],
      ['Content-Type', 'text/plain'],
    ] as const;
    expect(factsOf(post('{}', twice), KEY).body).toEqual({ kind: 'open', why: 'media type' });
  });
});
