// PETSTORE_BASE_URL=http://127.0.0.1:8080/v1 PETSTORE_API_KEY=secret npx vitest run examples/vitest.test.mts
import { createJudge, startReference } from '@petstore-conformance/cli';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Without an address, the built-in server is judged.
const { PETSTORE_BASE_URL, PETSTORE_API_KEY = 'secret' } = process.env;
const server = PETSTORE_BASE_URL === undefined ? await startReference({ apiKey: PETSTORE_API_KEY, seedAnimals: 7 }) : undefined;
const judge = createJudge({ baseUrl: PETSTORE_BASE_URL ?? server?.baseUrl ?? '', apiKey: PETSTORE_API_KEY, depth: 'quick' });

// One run, which all tests share; it has deadlines of its own.
beforeAll(() => judge.finish(), 0);
afterAll(() => server?.close());

for (const clause of judge.clauses) {
  test(`${clause.id}: ${clause.requirement}`, async (context) => {
    const { verdict, note } = await clause.judge();
    expect(verdict, note).not.toBe('fail');
    context.skip(verdict === 'inconclusive', note);
  });
}

test('the server is conformant', async () => {
  const { conclusion } = await judge.finish();
  expect(conclusion.exitCode, conclusion.headline).toBe(0);
});
