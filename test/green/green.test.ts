import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { conclusionsOf, judgeService, type ServiceRun, smokeService } from './judge-service.ts';
import { stoppingAfter, WAYS, type Way } from './stopping.ts';

/** Of an unstopped run, the part within which a service stops: the last requests may be those that nothing comes after. */
const WITHIN = 0.9;
const LONG = 300_000;
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

function expectNoGreen(run: ServiceRun | undefined, what: string): void {
  if (run === undefined) return;
  const { plain, waived } = conclusionsOf(run);
  expect(plain.exitCode, what).not.toBe(0);
  expect(waived.exitCode, `${what}, everything that failed waived: ${waived.headline}`).not.toBe(0);
}

const NEVER = Number.POSITIVE_INFINITY;

describe('a service that stops being itself', () => {
  test('is never green in a run of the gate, with waivers or without', { timeout: LONG }, async () => {
    const whole = await judging(NEVER, 'is silent', (baseUrl) => judgeService(baseUrl, { timeout: 10_000 }));
    const { plain } = conclusionsOf(whole);
    expect(plain, plain.reasons.join('; ')).toMatchObject({ exitCode: 0 });
    const stops = fc.record({ part: fc.double({ min: 0, max: WITHIN, noNaN: true }), way: fc.constantFrom(...ways) });
    const stopped = fc.asyncProperty(stops, async ({ part, way }) => {
      const requests = Math.floor(part * whole.requests);
      const run = await judging(requests, way, (baseUrl) => judgeService(baseUrl, { timeout: 1_000, consistencyWindow: 200 }));
      expectNoGreen(run, `${way} after ${requests} of ${whole.requests} requests`);
    });
    await fc.assert(stopped, settings(7));
  });

  test('is never green in a smoke run, with waivers or without', { timeout: LONG }, async () => {
    const whole = await judging(NEVER, 'is silent', (baseUrl) => smokeService(baseUrl, 10_000));
    if (whole === undefined) throw new Error('the unstopped run did not come to its end');
    expect(conclusionsOf(whole).plain.headline).toMatch(/^conformant: .* a selection without createPet$/);
    const stops = fc.record({ requests: fc.integer({ min: 0, max: Math.floor(WITHIN * whole.requests) }), way: fc.constantFrom(...ways) });
    const stopped = fc.asyncProperty(stops, async ({ requests, way }) => {
      const run = await judging(requests, way, (baseUrl) => smokeService(baseUrl, 700));
      expectNoGreen(run, `${way} after ${requests} of ${whole.requests} requests`);
    });
    await fc.assert(stopped, settings(60));
  });
});
