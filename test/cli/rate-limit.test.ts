import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { startFront } from '../support/front.ts';
import { situationsOf } from '../support/judge-samples.ts';
import { ownFolder, runProgram } from '../support/program.ts';

const KEY = 'k-rate-limit-Zx81mPq';
const SECOND = 1_000;

/**
 * A gateway that accepts this many requests per second, asks others to retry at a date three seconds ahead, and counts. Its first second
 * lasts until it is full: requests are rejected even on a slow machine.
 */
async function startGateway(size: number) {
  const counts = { accepted: 0, rejected: 0 };
  let window = 0;
  let used = 0;
  const gateway = await startFront({
    service: { apiKey: KEY, seedAnimals: 8 },
    instead(_asked, response) {
      const now = Date.now();
      const current = Math.floor(now / SECOND);
      if (counts.rejected > 0 && current !== window) [window, used] = [current, 0];
      used += 1;
      if (used <= size) {
        counts.accepted += 1;
        return false;
      }
      counts.rejected += 1;
      const headers = { 'content-type': 'application/json', 'retry-after': new Date(now + 3 * SECOND).toUTCString() };
      response.writeHead(429, headers).end('{"code":"too_many_requests","message":"Too many requests"}');
      return true;
    },
  });
  onTestFinished(() => gateway.close());
  return { baseUrl: gateway.baseUrl, counts };
}

test('a deadline that is too short for the rate that the service allows cuts the cases, and not the end of the run', async () => {
  // About 500 of the 980 requests of a run that only reads.
  const { baseUrl } = await startGateway(30);
  const cwd = ownFolder();
  const args = ['run', '--base-url', baseUrl, '--read-only', '--deadline', '25', '--reporter', 'json'];
  const { code, stderr } = await runProgram(args, { cwd, env: { PETSTORE_API_KEY: KEY } });
  const record = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  const { interrupted } = record;
  const situations = situationsOf(record);
  expect({ code, interrupted }).toEqual({ code: 0, interrupted: false });
  expect(stderr).toMatch(/the service limits the rate: about [\d,]+ requests at [\d.]+ per second take about [\d.]+ (?:s|min)/);
  const ofTime = situations.filter(({ note }) => note === 'the time to send it (--deadline)');
  expect(ofTime.length).toBeGreaterThan(0);
  expect(ofTime.every(({ verdict, why }) => verdict === 'inconclusive' && why === 'choice')).toBe(true);
  expect(situations.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(60);
});

test('a service that limits the request rate is judged completely, and the progress says what the run waits for', async () => {
  const { baseUrl, counts } = await startGateway(30);
  const cwd = ownFolder();
  const args = ['run', '--base-url', baseUrl, '--depth', 'quick', '--only', 'list.filter*', '--reporter', 'json'];
  const { code, stderr } = await runProgram(args, { cwd, env: { PETSTORE_API_KEY: KEY } });
  const record = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  const { notices } = record;
  expect(situationsOf(record).filter(({ verdict }) => verdict === 'inconclusive' || verdict === 'fail')).toEqual([]);
  expect(code).toBe(0);
  expect(notices.join('\n')).toMatch(/\d+ responses asked to wait/);
  expect(stderr).toMatch(/the service (?:asks to wait|limits their rate) \(429\)/);
  // As many as are in flight at first, and a few when the rate is probed.
  expect(counts.rejected).toBeGreaterThan(0);
  expect(counts.rejected).toBeLessThan(0.1 * counts.accepted);
});
