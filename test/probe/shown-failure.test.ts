import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import { failureOf } from '../../src/probe/failure.ts';
import { findingList } from '../../src/probe/http/page-parts.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { KEY, memoryHistory } from './samples.ts';

test('A run with a key that is rejected shows the rejection and how to see it again, on the page of its target too.', async () => {
  const server = await startReference({ apiKey: KEY, seedAnimals: 30 });
  onTestFinished(() => server.close());
  const { sample } = await createSmoke({ baseUrl: server.baseUrl, apiKey: () => 'wrong-7Tq' }, { version: '0' }).run();
  expect([sample.verdict, sample.reason, sample.failures]).toEqual(['fail', 'status', []]);
  expect(sample.shown?.exchange).toMatch(/^GET \/v1\/pets\S*\n\(with the API key\)\n\n401\n/);
  const history = memoryHistory();
  history.add(sample);
  const { shown } = history.lastFailure(sample.target) ?? {};
  expect(shown).toEqual(sample.shown);
  for (const hidden of [false, true]) {
    const page = String(findingList(sample, { public: hidden }));
    expect([page.includes('401'), page.includes('$PETSTORE_API_KEY')]).toEqual([!hidden, !hidden]);
  }
  expect(JSON.stringify(sample)).not.toContain('wrong-7Tq');
});

test('The first failure of a run has the exchange, and a command that shows it again, without the key; the others have neither.', async () => {
  const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['limit-plus-one', 'missing-animal-bad-request'] });
  onTestFinished(() => server.close());
  const { sample, run } = await createSmoke({ baseUrl: server.baseUrl, apiKey: () => KEY }, { version: '0' }).run();
  const [first, second, ...others] = sample.failures;
  expect([first?.clause, second?.clause].toSorted()).toEqual(['get.not-found', 'list.limit-maximum']);
  expect(first?.command).toContain(`-H "authorization: Bearer $PETSTORE_API_KEY" '${server.baseUrl}/pets`);
  expect(first?.exchange).toContain('GET /v1/pets');
  for (const one of [second, ...others]) expect([one?.exchange, one?.command, one?.condition]).toEqual([undefined, undefined, undefined]);
  expect(JSON.stringify(sample)).not.toContain(KEY);

  const broken = run?.record.clauses.find(({ id }) => id === 'list.limit-maximum');
  if (broken === undefined) throw new Error('a broken clause is needed');
  // A run that shows when a clause is broken says it in the words of reports.
  const contrast = { when: 'with limit=13', unit: 'response', there: { broken: 3, of: 3 }, elsewhere: { broken: 0, of: 57 } } as const;
  expect(failureOf({ ...broken, contrast }).condition).toBe('only with limit=13: 3 of 3 responses; otherwise 0 of 57');
  const [finding] = broken.findings;
  if (finding === undefined) throw new Error('a finding is needed');
  const long = { ...finding, exchanges: finding.exchanges.map((one) => ({ ...one, curl: `curl -sS -i '${'x'.repeat(2_000)}'` })) };
  // Cut, it would do something else.
  expect(failureOf({ ...broken, findings: [long] }).command).toBeUndefined();
});
