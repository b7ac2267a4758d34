// npx mocha examples/mocha.test.mjs
import assert from 'node:assert/strict';
import { createJudge, startReference } from '@petstore-conformance/cli';

// Your own server and its key stand here.
const server = await startReference({ apiKey: 'secret', seedAnimals: 7 });
const judge = createJudge({ baseUrl: server.baseUrl, apiKey: 'secret', depth: 'quick' });

describe('the pet store', () => {
  // One run, which all tests share; it has deadlines of its own.
  before(async function () {
    this.timeout(0);
    await judge.finish();
  });
  after(() => server.close());

  for (const clause of judge.clauses) {
    it(`${clause.id}: ${clause.requirement}`, async function () {
      const { verdict, note } = await clause.judge();
      assert.notEqual(verdict, 'fail', note);
      if (verdict === 'inconclusive') this.skip();
    });
  }

  it('is conformant', async () => {
    const { conclusion } = await judge.finish();
    assert.equal(conclusion.exitCode, 0, conclusion.headline);
  });
});
