// NODE_OPTIONS=--experimental-vm-modules npx jest --rootDir examples jest.test.mjs
import { createJudge, startReference } from '@petstore-conformance/cli';

// Your own server and its key stand here.
const server = await startReference({ apiKey: 'secret', seedAnimals: 7 });
const judge = createJudge({ baseUrl: server.baseUrl, apiKey: 'secret', depth: 'quick' });

// One run, which all tests share; it has deadlines of its own.
beforeAll(() => judge.finish(), 600_000);
afterAll(() => server.close());

describe('the pet store', () => {
  for (const clause of judge.clauses) {
    // Jest knows no test that is skipped while it runs: what is inconclusive passes here, and counts in the verdict on the whole.
    test(`${clause.id}: ${clause.requirement}`, async () => {
      const { verdict, note } = await clause.judge();
      if (verdict === 'fail') throw new Error(note);
    });
  }

  test('is conformant', async () => {
    const { conclusion } = await judge.finish();
    expect(conclusion).toMatchObject({ exitCode: 0 });
  });
});
