import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import { startReference } from '../../proof/server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { conformingUntil, message } from '../hostile/attacker.ts';
import { judgeService, type ServiceRun, smokeService, waiversFor } from './judge-service.ts';
import { stoppingAfter, WAYS, type Way } from './stopping.ts';

/** The fraction of an unstopped run within which a service stops: nothing may follow the last requests. */
const WITHIN = 0.9;
const ways = Object.keys(WAYS) as Way[];
const settings = (numRuns: number) => ({ numRuns, seed: 20261122, endOnFailure: true });

async function judging<Value>(requests: number, way: Way, judge: (baseUrl: string) => Promise<Value>): Promise<Value> {
  const server = await stoppingAfter(requests, way);
  try {
    return await judge(server.baseUrl);
  } finally {
    await server.close();
  }
}

function expectNoGreen(record: RunRecord | undefined, what: string): void {
  if (record !== undefined) expect(record.conclusion.exitCode, `${what}: ${record.conclusion.headline}`).not.toBe(0);
}

/** Judges a reference server with that variant as the gate does. */
async function judgeVariant(variant: string): Promise<ServiceRun> {
  const server = await startReference({ variants: [variant], apiKey: KEY });
  try {
    return await judgeService(server.baseUrl, { timeout: 10_000 });
  } finally {
    await server.close();
  }
}

const NEVER = Number.POSITIVE_INFINITY;

describe('a service that stops being itself', () => {
  test('is never green in a run of the gate, with waivers or without', async () => {
    const whole = await judging(NEVER, 'is silent', (baseUrl) => judgeService(baseUrl, { timeout: 10_000 }));
    const { conclusion } = whole.plain;
    expect(conclusion, conclusion.reasons.join('; ')).toMatchObject({ exitCode: 0 });
    // A service that is silent from the first request on could not be reached.
    const stops = fc.record({ requests: fc.integer({ min: 1, max: Math.floor(WITHIN * whole.requests) }), way: fc.constantFrom(...ways) });
    const stopped = fc.asyncProperty(stops, async ({ requests, way }) => {
      const run = await judging(requests, way, (baseUrl) => judgeService(baseUrl, { timeout: 1_000, consistencyWindow: 200 }));
      const what = `${way} after ${requests} of ${whole.requests} requests`;
      expectNoGreen(run.plain, what);
      expectNoGreen(run.waived, `${what}, everything that failed waived`);
    });
    await fc.assert(stopped, settings(6));
  });

  test('is never green in a smoke run, with waivers or without', async () => {
    const whole = await judging(NEVER, 'is silent', (baseUrl) => smokeService(baseUrl, 10_000));
    if (whole === undefined) throw new Error('the unstopped run did not come to its end');
    expect(whole.conclusion).toMatchObject({ exitCode: 0, headline: expect.stringMatching(/^conformant: /) });
    const sent = whole.operations.reduce((sum, operation) => sum + operation.requests, 0);
    const stops = fc.record({ requests: fc.integer({ min: 0, max: Math.floor(WITHIN * sent) }), way: fc.constantFrom(...ways) });
    const stopped = fc.asyncProperty(stops, async ({ requests, way }) => {
      const what = `${way} after ${requests} of ${sent} requests`;
      const plain = await judging(requests, way, (baseUrl) => smokeService(baseUrl, 700));
      expectNoGreen(plain, what);
      if (plain === undefined) return;
      const waived = await judging(requests, way, (baseUrl) => smokeService(baseUrl, 700, waiversFor(plain)));
      expectNoGreen(waived, `${what}, everything that failed waived`);
    });
    await fc.assert(stopped, settings(60));
  });
});

describe('a service that creates a limited number of animals', () => {
  // Before anything else about a POST is checked, after the body, and even before the key.
  test.each(['quota-of-30-forbids', 'storage-for-30-creations', 'creations-have-a-quota'])('is green: %s', async (variant) => {
    const run = await judgeVariant(variant);
    const { clauses, conclusion } = run.plain;
    const { exitCode, headline, reasons } = conclusion;
    expect({ exitCode, reasons }, headline).toEqual({ exitCode: 0, reasons: [] });
    const cut = clauses.flatMap(({ musts }) => musts.filter(({ why }) => why === 'circumstance'));
    expect(cut.length).toBeGreaterThan(0);
  });

  test('is green if it was judged, which the headline says first, if the quota leaves much undecided', async () => {
    let creations = 0;
    const body = JSON.stringify({ code: 'full', message: 'The storage is full', status: 507 });
    const server = await conformingUntil(
      ({ socket, method, headers }, genuine) => {
        const isCreation = method === 'POST' && headers['authorization'] === `Bearer ${KEY}`;
        if (isCreation && creations >= 8) return void socket.write(message('507 Insufficient Storage', body));
        if (isCreation) creations += 1;
        genuine();
      },
      { apiKey: KEY, seedAnimals: 8 },
    );
    const run = await judgeService(server.baseUrl, { timeout: 10_000 }).finally(() => server.close());
    const { exitCode, headline } = run.plain.conclusion;
    expect(exitCode, headline).toBe(0);
    expect(headline).toMatch(/^conformant where judged: \d+ of \d+ clauses, .*; the service accepts no more creations after \d \(507\)$/);
  });

  test('cannot be judged if it creates none: the API key may be read-only', async () => {
    const body = JSON.stringify({ code: 'forbidden', message: 'This key only reads', status: 403 });
    const server = await conformingUntil(
      ({ socket, method, headers }, genuine) => {
        if (method === 'POST' && headers['authorization'] === `Bearer ${KEY}`) socket.write(message('403 Forbidden', body));
        else genuine();
      },
      { apiKey: KEY, seedAnimals: 8 },
    );
    const run = await judgeService(server.baseUrl, { timeout: 10_000 }).finally(() => server.close());
    const { exitCode, reasons } = run.plain.conclusion;
    expect(exitCode).toBe(3);
    expect(reasons[0]).toBe('createPet never worked in this run: the service rejects every creation (403): the API key may be read-only');
  });
});
