import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { startReference } from '../../src/reference/server.ts';
import { startThreads } from '../support/few-threads.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-few-threads-Zx81mPq';

async function judge(threads: number): Promise<{ readonly code: number | null; readonly record: RunRecord }> {
  const service = await startReference({ apiKey: KEY, seedAnimals: 8 });
  const front = await startThreads(threads, Number(new URL(service.baseUrl).port));
  onTestFinished(async () => {
    await front.close();
    await service.close();
  });
  const cwd = ownFolder();
  const baseUrl = `http://127.0.0.1:${(front.server.address() as AddressInfo).port}/v1`;
  const { code } = await runProgram(['run', '--base-url', baseUrl, '--reporter', 'json'], { cwd, env: { PETSTORE_API_KEY: KEY } });
  return { code, record: JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord };
}

// Its idle connections took all threads: six requests timed out, and the run took two minutes.
test('a service with a thread for each connection and eight of them is judged as completely as any other', async () => {
  const { code, record } = await judge(8);
  expect(record.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')).toEqual([]);
  expect(code).toBe(0);
});
