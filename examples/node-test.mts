// node --test examples/node-test.mts
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { createJudge, startReference } from '@petstore-conformance/cli';

// Your own server and its key stand here.
const server = await startReference({ apiKey: 'secret', seedAnimals: 7 });
const judge = createJudge({ baseUrl: server.baseUrl, apiKey: 'secret', depth: 'quick' });

// One run, which all tests share; it has deadlines of its own.
before(() => judge.finish());
after(() => server.close());

for (const clause of judge.clauses) {
  test(`${clause.id}: ${clause.requirement}`, async (context) => {
    const { verdict, note } = await clause.judge();
    assert.notEqual(verdict, 'fail', note);
    if (verdict === 'inconclusive') context.skip(note);
  });
}

test('the server is conformant', async () => {
  const { conclusion } = await judge.finish();
  assert.equal(conclusion.exitCode, 0, conclusion.headline);
});
