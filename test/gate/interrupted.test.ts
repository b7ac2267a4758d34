import { expect, test } from 'vitest';
import { ownFolder, startProgram } from '../support/program.ts';
import { junitIn, KEY, recordIn, serve } from './judged-service.ts';

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s in the middle of a run is exit %i, with reports that are complete for what was judged', async (signal, expected) => {
  const cwd = ownFolder();
  const baseUrl = await serve({ variants: ['latency-400-ms'] });
  const { child, ended } = startProgram(['run', '--base-url', baseUrl], { cwd, env: { PETSTORE_API_KEY: KEY } });
  const { promise: underWay, resolve } = Promise.withResolvers<void>();
  // Without a terminal, a line of progress is printed every five seconds. It counts what was sent: from ten requests on, the first contact
  // has its responses.
  child.stderr?.on('data', (text: string) => / [1-9]\d+ requests/.test(text) && resolve());
  await Promise.race([underWay, ended]);
  child.kill(signal);
  expect(await ended).toMatchObject({ code: expected, signal: null });
  const record = recordIn(cwd);
  expect(record).toMatchObject({ interrupted: true, conclusion: { exitCode: expected } });
  expect(record.operations.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(0);
  expect(record.clauses.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(record.clauses.some(({ note }) => note.includes('interrupted'))).toBe(true);
  expect(Number(junitIn(cwd)['@_tests'])).toBeGreaterThanOrEqual(record.clauses.length);
});

test('a second SIGINT ends the run at once', async () => {
  const baseUrl = await serve({ variants: ['latency-400-ms'] });
  const { child, ended } = startProgram(['run', '--base-url', baseUrl], { env: { PETSTORE_API_KEY: KEY } });
  child.stderr?.once('data', () => {
    child.kill('SIGINT');
    child.kill('SIGINT');
  });
  expect((await ended).code).toBe(130);
});

test('a closed stdout ends neither the run nor the reports', async () => {
  const cwd = ownFolder();
  const { child, ended } = startProgram(['run', '--reference', '--only', 'versioning.*'], { cwd });
  child.stdout?.destroy();
  expect((await ended).code).toBe(0);
  expect(recordIn(cwd).conclusion.exitCode).toBe(0);
});
