// npx vitest run examples/vitest.test.ts
import { createJudge, startReference } from '@petstore-conformance/cli';
import { afterAll, describe, expect, test } from 'vitest';

// Your own server and its key stand here.
const server = await startReference({ apiKey: 'secret', seedAnimals: 7 });
const judge = createJudge({ baseUrl: server.baseUrl, apiKey: 'secret', depth: 'quick' });

afterAll(() => server.close());

describe('the pet store', () => {
  for (const part of judge.parts) {
    test(part.id, async (context) => {
      const { verdict, note } = await part.judge();
      expect(verdict, note).not.toBe('fail');
      context.skip(verdict === 'inconclusive', note);
    });
  }

  test('is conformant', async () => {
    const { conclusion } = await judge.finish();
    expect(conclusion.exitCode, conclusion.headline).toBe(0);
  });
});
