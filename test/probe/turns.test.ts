import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import { History } from '../../src/probe/history.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { NO_CLAUSES, suiteWith } from '../../src/probe/suite.ts';
import type { Target } from '../../src/probe/target.ts';
import { TurnKeeping, type TurnTarget } from '../../src/probe/turn-keeping.ts';
import { ownFolder } from '../support/program.ts';
import { KEY, memoryHistory } from './samples.ts';

const SUITE = suiteWith(NO_CLAUSES);
const TARGET: TurnTarget = { name: 'staging', budget: 20, nearMisses: false };
/** A target that only asks about the limits of lists. */
const ONLY = 'list.limit-accepted';
const ASKED: TurnTarget = { ...TARGET, only: new Set([ONLY]) };
const LIMITS: Run = { target: ASKED, more: { only: [ONLY] } };

async function service(options: { faults?: string[]; variants?: string[] } = {}) {
  const { faults = [], variants = [] } = options;
  const server = await startReference({ apiKey: KEY, faults, variants, ...(variants.length === 0 ? { seedAnimals: 30 } : {}) });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const keepingOf = (history = memoryHistory()): TurnKeeping => new TurnKeeping({ planOf: SUITE.planOf, history, wall: () => Date.now() });

type Run = { readonly target?: TurnTarget; readonly more?: Partial<Target> };

/** One scheduled run of the monitor, without its clock. */
async function runOnce(baseUrl: string, keeping: TurnKeeping, { target = TARGET, more = {} }: Run = {}): Promise<Sample> {
  const turn = keeping.next(target);
  const { sample, run } = await createSmoke(
    // All turns are within a part of the deadline.
    { name: target.name, baseUrl, apiKey: () => KEY, deadline: 600_000, ...more },
    { version: '0', standing: (sent) => keeping.failuresNotAsked(target, sent), ...(turn === undefined ? {} : { turn }) },
  ).run();
  if (turn !== undefined && run?.sent !== undefined) keeping.keep(target, turn, { sent: run.sent, failures: sample.failures });
  return sample;
}

async function runUntilFailed(baseUrl: string, keeping: TurnKeeping, run: Run = LIMITS): Promise<Sample> {
  let sample = await runOnce(baseUrl, keeping, run);
  for (let runs = 1; sample.verdict !== 'fail' && runs < 60; runs += 1) sample = await runOnce(baseUrl, keeping, run);
  return sample;
}

describe('A target over many runs', () => {
  test('No run sends more than its budget, and each goes on where the last one ended.', async () => {
    const baseUrl = await service();
    const keeping = keepingOf();
    for (let runs = 1; runs <= 8; runs += 1) {
      const { verdict, note, requests } = await runOnce(baseUrl, keeping);
      expect(verdict, note).toBe('pass');
      expect(requests).toBeLessThanOrEqual(18 + TARGET.budget);
    }
    expect(keeping.coverage(TARGET).met).toBeGreaterThan(60);
  });

  test('A failure is confirmed, stays in every run until its requests pass again, and survives a restart.', async () => {
    const broken = await service({ faults: ['limit-13-refused'] });
    const mended = await service();
    const folder = ownFolder();
    const open = () =>
      new History({
        file: join(folder, 'history.db'),
        maxBytes: 1e9,
        now: Date.now,
        onProblem: (problem) => expect.unreachable(problem),
      });
    const history = open();
    const keeping = keepingOf(history);
    const first = await runUntilFailed(broken, keeping);
    expect(first).toMatchObject({ verdict: 'fail', clause: ONLY });
    expect(await runOnce(broken, keeping, LIMITS)).toMatchObject({ verdict: 'fail', clause: ONLY });
    expect(keeping.coverage(ASKED).failing).toContain(ONLY);
    history.close();

    const again = open();
    onTestFinished(() => again.close());
    const restarted = keepingOf(again);
    expect(restarted.coverage(ASKED).failing).toContain(ONLY);
    expect(restarted.failuresNotAsked(ASKED, { failing: [], passed: [] })).toMatchObject([{ failure: { clause: ONLY } }]);
    expect(await runOnce(mended, restarted, LIMITS)).toMatchObject({ verdict: 'pass', failures: [] });
    expect(restarted.coverage(ASKED).failing).toEqual([]);
  });

  test('What an earlier run has confirmed fails the runs that do not ask about it again.', async () => {
    const broken = await service({ faults: ['limit-13-refused'] });
    const mended = await service();
    const keeping = keepingOf();
    await runUntilFailed(broken, keeping);
    const { sample } = await createSmoke(
      { name: ASKED.name, only: [ONLY], baseUrl: mended, apiKey: () => KEY },
      { version: '0', standing: (sent) => keeping.failuresNotAsked(ASKED, sent) },
    ).run();
    expect(sample).toMatchObject({ verdict: 'fail', clause: ONLY, failures: [{ clause: ONLY }] });
  });

  test('A failure does not stay whose requests are beyond the budget, or whose clause is no longer selected.', async () => {
    const baseUrl = await service({ faults: ['limit-13-refused'] });
    const keeping = keepingOf();
    await runUntilFailed(baseUrl, keeping);
    const standing = (change: Partial<TurnTarget>) => keeping.failuresNotAsked({ ...ASKED, ...change }, { failing: [], passed: [] }).length;
    expect(standing({})).toBe(1);
    expect(standing({ budget: 0 })).toBe(0);
    expect(standing({ only: new Set(['list.success']) })).toBe(0);
  });

  test('A failure that is waived leaves the target healthy, and is forgotten.', async () => {
    const baseUrl = await service({ faults: ['limit-13-refused'] });
    const keeping = keepingOf();
    await runUntilFailed(baseUrl, keeping);
    const waivers = [{ id: ONLY, reason: 'known', expires: '2999-12-31' }];
    expect(await runOnce(baseUrl, keeping, { target: ASKED, more: { waivers } })).toMatchObject({ verdict: 'pass', failures: [] });
    expect(keeping.coverage(ASKED).failing).toEqual([]);
  });

  test.for(['list-and-get-lag', 'other-clients-create', 'other-client-removes'])(
    'The conforming variant %s is never failed.',
    async (variant) => {
      const baseUrl = await service({ variants: [variant] });
      const keeping = keepingOf();
      for (let runs = 0; runs < 20; runs += 1) {
        const { verdict, note } = await runOnce(baseUrl, keeping);
        expect(['pass', 'degraded'], note).toContain(verdict);
      }
    },
  );
});
