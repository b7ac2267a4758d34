import { expect, onTestFinished, test } from 'vitest';
import { failureOf } from '../../src/probe/failure.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { startReference } from '../../src/reference/server.ts';
import { probeClauses } from '../../suites/probe.ts';
import { KEY } from './samples.ts';

test('The first failure of a run has the exchange, and a command that shows it again, without the key; the others have neither.', async () => {
  const server = await startReference({ apiKey: KEY, seedAnimals: 30, faults: ['limit-plus-one', 'missing-animal-bad-request'] });
  onTestFinished(() => server.close());
  const { sample, run } = await createSmoke({ baseUrl: server.baseUrl, apiKey: () => KEY }, { clauses: probeClauses, version: '0' }).run();
  const [first, second, ...others] = sample.failures;
  expect([first?.clause, second?.clause].toSorted()).toEqual(['get.not-found', 'list.limit-maximum']);
  expect(first?.command).toContain(`-H "authorization: Bearer $PETSTORE_API_KEY" '${server.baseUrl}/pets`);
  expect(first?.exchange).toContain('GET /v1/pets');
  for (const one of [second, ...others]) expect([one?.exchange, one?.command, one?.condition]).toEqual([undefined, undefined, undefined]);
  expect(JSON.stringify(sample)).not.toContain(KEY);

  const broken = run?.record.checks.find(({ clause }) => clause === 'list.limit-maximum');
  if (broken === undefined) throw new Error('a broken check is needed');
  // A run that shows when a clause is broken says it in the words of reports.
  const contrast = { when: 'with limit=13', unit: 'response', there: { broken: 3, of: 3 }, elsewhere: { broken: 0, of: 57 } } as const;
  expect(failureOf({ ...broken, contrast }, 'required').condition).toBe('only with limit=13: 3 of 3 responses; otherwise 0 of 57');
  const [finding] = broken.findings;
  if (finding === undefined) throw new Error('a finding is needed');
  const long = { ...finding, exchanges: finding.exchanges.map((one) => ({ ...one, curl: `curl -sS -i '${'x'.repeat(2_000)}'` })) };
  // Cut, it would do something else.
  expect(failureOf({ ...broken, findings: [long] }, 'required').command).toBeUndefined();
});
