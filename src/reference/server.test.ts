import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReferenceServer, startReference, UnknownFaultError } from './server.ts';

const apiKey = 'key-of-the-test';
const authorization = `Bearer ${apiKey}`;

let server: ReferenceServer;

beforeAll(async () => {
  server = await startReference({ apiKey, seedAnimals: 120 });
});

afterAll(() => server.close());

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; text: string; headers: Headers }> {
  const response = await fetch(server.baseUrl + path, { headers: { authorization }, ...init });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

function create(body: string): Promise<{ status: number; text: string; headers: Headers }> {
  return ask('/pets', { method: 'POST', body });
}

describe('listPets', () => {
  test.each([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=20', 20],
    ['?limit=100', 100],
    ['?limit=3&status=sold', 3],
  ])('gives as many animals as asked for: %s', async (query, count) => {
    const { status, text } = await ask(`/pets${query}`);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveLength(count);
  });

  test.each(['available', 'pending', 'sold'])('keeps only animals that are %s', async (wanted) => {
    const { text } = await ask(`/pets?status=${wanted}&limit=100`);
    const statuses = new Set((JSON.parse(text) as { status: string }[]).map(({ status }) => status));
    expect([...statuses]).toEqual([wanted]);
  });

  test.each(['limit=0', 'limit=101', 'limit=abc', 'limit=', 'limit=1&limit=2', 'status=lost', 'status='])(
    'rejects %s with an Error',
    async (query) => {
      const { status, text } = await ask(`/pets?${query}`);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toEqual({ code: expect.any(String), message: expect.any(String), status: 400 });
    },
  );
});

describe('createPet', () => {
  test.each(['9007199254740993', '9223372036854775807', '-9223372036854775808', '0', '-1'])(
    'keeps every digit of category %s',
    async (category) => {
      const created = await create(`{"name":"Rex","categoryId":${category}}`);
      expect(created.status).toBe(201);
      expect(created.text).toContain(`"categoryId":${category},`);
      const { id } = JSON.parse(created.text) as { id: number };
      expect((await ask(`/pets/${id}`)).text).toBe(created.text);
    },
  );

  test.each(['\u0000', '', '  a  ', '👩‍👩‍👧', 'e\u0301', '__proto__', 'constructor', '\u202eabc', 'x'.repeat(5000)])(
    'keeps the name %j',
    async (name) => {
      const { status, text } = await create(JSON.stringify({ name, categoryId: 1 }));
      expect(status).toBe(201);
      expect((JSON.parse(text) as { name: string }).name).toBe(name);
    },
  );

  test('ignores the id and other members of the client', async () => {
    const { text } = await create('{"id":1,"__proto__":{"name":"x"},"name":"Rex","categoryId":1,"more":[{}]}');
    expect((JSON.parse(text) as { id: number }).id).toBeGreaterThan(120);
  });

  test.each([
    '',
    'x',
    'null',
    'true',
    '1',
    '"x"',
    '[]',
    '{}',
    '{"name":"x"}',
    '{"categoryId":1}',
    '{"name":null,"categoryId":1}',
    '{"name":1,"categoryId":1}',
    '{"name":"x","categoryId":"1"}',
    '{"name":"x","categoryId":1.5}',
    '{"name":"x","categoryId":true}',
    '{"name":"x","categoryId":9223372036854775808}',
    '{"name":"x","categoryId":-9223372036854775809}',
    '{"name":"x","categoryId":1e400}',
    '{"name":"x","categoryId":NaN}',
    '{"name":"x","categoryId":1,"status":"SOLD"}',
    '{"name":"x","categoryId":1,"status":null}',
    '{"name":"x","categoryId":1}x',
    '{"name":"x","categoryId":1',
    '\ufeff{"name":"x","categoryId":1}',
    '['.repeat(50_000),
  ])('rejects the body %# and stores nothing', async (body) => {
    const before = (await ask('/pets?limit=100&status=available')).text;
    const { status, text } = await create(body);
    expect(status).toBe(400);
    expect(JSON.parse(text)).toMatchObject({ status: 400 });
    expect((await ask('/pets?limit=100&status=available')).text).toBe(before);
  });
});

describe('getPet', () => {
  test('returns the requested animal and announces its removal', async () => {
    const { status, text, headers } = await ask('/pets/7');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ id: 7 });
    expect(headers.get('sunset')).toBe('Thu, 05 Dec 2030 00:00:00 GMT');
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
  });

  test.each([
    ['9223372036854775807', 404],
    ['-9223372036854775808', 404],
    ['0', 404],
    ['9223372036854775808', 400],
    ['abc', 400],
    ['%zz', 400],
    ['1%2f2', 400],
  ])('responds to %s with %i and an Error', async (id, wanted) => {
    const { status, text } = await ask(`/pets/${id}`);
    expect(status).toBe(wanted);
    expect(JSON.parse(text)).toMatchObject({ status: wanted });
  });
});

describe('authentication', () => {
  const wrong = [
    '',
    'Bearer',
    `Bearer ${apiKey}x`,
    `Bearer ${apiKey.slice(0, -1)}`,
    `Bearer ${apiKey.toUpperCase()}`,
    apiKey,
    `Basic ${apiKey}`,
  ];
  test.each(wrong)('rejects %j before anything else', async (value) => {
    for (const path of ['/pets', '/pets?limit=abc', '/pets/1', '/pets/99999', '/pets/abc']) {
      const { status, headers } = await ask(path, { headers: { authorization: value } });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect((await ask('/pets', { method: 'POST', body: 'x', headers: { authorization: value } })).status).toBe(401);
  });

  test('accepts the key only from the header', async () => {
    const headers = { 'x-api-key': apiKey, cookie: `api_key=${apiKey}` };
    expect((await ask(`/pets?api_key=${apiKey}&access_token=${apiKey}`, { headers })).status).toBe(401);
  });
});

describe('startReference', () => {
  test('names near matches of an unknown fault', async () => {
    await expect(startReference({ apiKey, faults: ['limit-plus-two'] })).rejects.toThrow(UnknownFaultError);
    await expect(startReference({ apiKey, faults: ['limit-plus-two'] })).rejects.toThrow('limit-plus-one');
  });

  test('closes at once although a connection is kept alive', async () => {
    const other = await startReference({ apiKey });
    await (await fetch(`${other.baseUrl}/pets`, { headers: { authorization } })).text();
    await other.close();
    await expect(fetch(`${other.baseUrl}/pets`)).rejects.toThrow();
  });

  test('responds to unknown paths with an Error', async () => {
    const { status, text } = await ask('/orders');
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ status: 404 });
  });
});
