import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { judgeServer } from '../../src/library/judge.ts';
import { startReference } from '../../src/reference/server.ts';
import { startThreads } from '../support/few-threads.ts';

const KEY = 'k-few-threads-Zx81mPq';

async function judge(threads: number): Promise<RunRecord> {
  const service = await startReference({ apiKey: KEY, seedAnimals: 8 });
  const front = await startThreads(threads, Number(new URL(service.baseUrl).port));
  onTestFinished(async () => {
    await front.close();
    await service.close();
  });
  return judgeServer(`http://127.0.0.1:${(front.server.address() as AddressInfo).port}/v1`, { apiKey: KEY });
}

// Its idle connections took all threads: six requests timed out, and the run took two minutes.
test('a service with a thread for each connection and eight of them is judged as completely as any other', async () => {
  const { conclusion, clauses } = await judge(8);
  expect(clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive')).toEqual([]);
  expect(conclusion.exitCode).toBe(0);
});
