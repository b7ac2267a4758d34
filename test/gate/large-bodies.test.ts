import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder, runProgram } from '../support/program.ts';

test.each([
  ['pet-with-photo', 'the body is larger than 2097152 bytes'],
  ['pet-with-many-tags', 'the body exceeds a limit of the suite: it has more than 50000 members and items'],
])('a conforming service whose bodies exceed what a run keeps or reads is not accused: %s', async (variant, reason) => {
  const cwd = ownFolder();
  const { code } = await runProgram(['run', '--reference', '--variant', variant, '--seed', '7'], { cwd });
  expect(code).toBe(0);
  const { animals, clauses, notices } = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  expect(animals.created.length).toBeGreaterThan(30);
  expect(clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(notices.join('\n')).toContain(`are not judged: ${reason}`);
});
