import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { judgeServer } from '../../src/library/judge.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import { KEY, serve } from './judged-service.ts';

const judged = async (service: Parameters<typeof serve>[0], more: Partial<SessionOptions> = {}): Promise<RunRecord> =>
  judgeServer(await serve(service), { apiKey: KEY, depth: 'quick', seed: 7, ...more });

test.each([
  ['name-capital-first', {}, /^Conformance[A-Za-z]{9}/, undefined],
  ['name-lower-case', {}, /^conformance[a-z]{9}/, 'lower'],
  ['name-upper-case', { categoryIds: [3n] }, /^CONFORMANCE[A-Z]{9}/, 'upper'],
])('a service that rejects names in another letter case than its own is conformant: %s', async (variant, more, named, form) => {
  const { conclusion, animals, notices, clauses } = await judged({ variants: [variant] }, more);
  expect(conclusion.exitCode).toBe(0);
  expect(clauses.find(({ id }) => id === 'create.success')?.verdict).toBe('pass');
  expect(animals.created.filter(({ name }) => named.test(name)).length).toBeGreaterThan(20);
  const learned = notices.filter((notice) => notice.startsWith('The service rejects names like Conformance'));
  expect(learned).toEqual(form === undefined ? [] : [expect.stringContaining(`in ${form} case, so created animals have names like `)]);
});

test('a service that changes the letter case of names is broken by what it stores, although most names have one capital', async () => {
  const { conclusion, clauses } = await judged({ faults: ['stored-name-title-case'] });
  expect(conclusion.exitCode).toBe(1);
  const failed = clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed.toSorted()).toEqual(['create.round-trip', 'record.same-animal']);
});
