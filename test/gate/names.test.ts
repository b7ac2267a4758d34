import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const QUICK = ['run', '--reference', '--depth', 'quick', '--seed', '7'];

async function judged(args: readonly string[]): Promise<{ code: number | null; record: RunRecord }> {
  const cwd = ownFolder();
  const { code } = await runProgram([...QUICK, ...args], { cwd });
  return { code, record: JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord };
}

test.each([
  ['name-capital-first', [], /^Conformance[A-Za-z]{9}/, undefined],
  ['name-lower-case', [], /^conformance[a-z]{9}/, 'lower'],
  ['name-upper-case', ['--category-id', '3'], /^CONFORMANCE[A-Z]{9}/, 'upper'],
])('a service that rejects names in another letter case than its own is conformant: %s', async (variant, args, named, form) => {
  const { code, record } = await judged(['--variant', variant, ...args]);
  expect(code).toBe(0);
  const { animals, notices, clauses } = record;
  expect(clauses.find(({ id }) => id === 'create.success')?.verdict).toBe('pass');
  expect(animals.created.filter(({ name }) => named.test(name)).length).toBeGreaterThan(20);
  const learned = notices.filter((notice) => notice.startsWith('The service rejects names like Conformance'));
  expect(learned).toEqual(form === undefined ? [] : [expect.stringContaining(`in ${form} case, so created animals have names like `)]);
});

test('a service that changes the letter case of names is broken by what it stores, although most names have one capital', async () => {
  const { code, record } = await judged(['--fault', 'stored-name-title-case']);
  expect(code).toBe(1);
  const failed = record.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(failed.toSorted()).toEqual(['create.round-trip', 'record.same-animal']);
});
