import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CheckId } from '../../src/clause/clause.ts';
import { createSmoke } from '../../src/probe/create-smoke.ts';
import { openHistory } from '../../src/probe/history/history.ts';
import { NO_HISTORY } from '../../src/probe/history/no-history.ts';
import { continuedAfter, rotatingChecks } from '../../src/probe/rotation/plan.ts';
import { createRotation, type Rotation } from '../../src/probe/rotation/rotation.ts';
import { coverageOf, dueChecks, nextPart, type Turn, type Turns } from '../../src/probe/rotation/turn.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { startReference } from '../../src/reference/server.ts';
import { clauses } from '../../suites/index.ts';
import { probeClauses } from '../../suites/probe.ts';
import { ownFolder } from '../support/own-folder.ts';
import { KEY } from './keys.ts';

const DAY = 86_400_000;
const BUDGET = 20;
/** A budget with which a check of a hundred requests takes only a few turns. */
const ROOMY = 60;
/** Generated cases differ in what they ask: an estimate may be that much too small. */
const MOST_OVER = 1.6;
const checks = rotatingChecks(clauses);
const limits = { budget: BUDGET, nearMisses: false, now: 10 * DAY };

function turn(check: CheckId, given: Partial<Turn> = {}): readonly [CheckId, Turn] {
  const { at = 9 * DAY, verdict = 'pass' } = given;
  return [check, { check, at, verdict, requests: 5, confirmed: false, ...(verdict === 'pass' ? { passedAt: at } : {}), ...given }];
}

const idsOf = (due: ReturnType<typeof dueChecks>): readonly string[] => due.map(({ check }) => check.id);

async function service(options: { faults?: string[]; variants?: string[]; animals?: number } = {}) {
  const { faults = [], variants = [], animals = 30 } = options;
  const server = await startReference({ apiKey: KEY, faults, variants, ...(variants.length === 0 ? { seedAnimals: animals } : {}) });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

/** One scheduled run of the monitor, without its clock. */
async function runOnce(baseUrl: string, rotation: Rotation, budget = BUDGET): Promise<Sample> {
  const target = { name: 'staging', baseUrl, apiKey: () => KEY, rotation: { budget, nearMisses: false } };
  const smoke = createSmoke(target, { clauses: probeClauses, version: '0', rotation: rotation.of(target) });
  const { sample } = await smoke.run();
  rotation.keep(sample);
  return sample;
}

const rotationOf = (): Rotation => createRotation({ clauses, history: NO_HISTORY, wall: () => Date.now() });

describe('The checks that rotate', () => {
  test('They are those that only read and judge, and are not part of every run.', () => {
    const expected = clauses.flatMap((clause) =>
      clause.level === 'open' ? [] : clause.checks.filter(({ effect, smoke }) => effect === 'read' && !smoke).map(({ id }) => id),
    );
    expect(checks.map(({ check }) => check.id).toSorted()).toEqual(expected.toSorted());
  });

  test('Each says about how many requests it sends.', { timeout: 60_000 }, async () => {
    const baseUrl = await service();
    const rotation = rotationOf();
    for (let runs = 0; runs < 2; runs += 1) await runOnce(baseUrl, rotation, 1_000);
    const turns = rotation.of({ name: 'staging' }).turns;
    const planned = checks.filter(({ nearMiss }) => !nearMiss);
    const over = planned.flatMap(({ check, requests }) => {
      const sent = turns.get(check.id)?.requests;
      return sent === undefined || sent > MOST_OVER * requests ? [`${check.id}: planned ${requests}, sent ${sent}`] : [];
    });
    expect(over).toEqual([]);
  });
});

describe('Whose turn it is', () => {
  test('Failures come first, those seen once before those that are confirmed; then what was never judged; then what was judged longest ago.', () => {
    const failure = { clause: 'record.pets', level: 'required', check: 'x', reason: 'schema', summary: 'x' } as const;
    const turns: Turns = new Map([
      turn('record.pets/lists', { at: 8 * DAY }),
      turn('list.limit-maximum/small', { at: 9 * DAY, verdict: 'fail', failure, confirmed: true }),
      turn('record.pet/get', { at: 9 * DAY, verdict: 'fail', failure }),
      turn('errors.shape/list-and-get', { at: 7 * DAY }),
    ]);
    const due = idsOf(dueChecks(checks, turns, limits));
    expect(due.slice(0, 2)).toEqual(['record.pet/get', 'list.limit-maximum/small']);
    expect(due.slice(-2)).toEqual(['errors.shape/list-and-get', 'record.pets/lists']);
  });

  test('A check that takes more than a run may send takes its turn in parts, again after a failure, else the next one.', () => {
    const ids = idsOf(dueChecks(checks, new Map(), limits));
    expect(ids).toContain('list.limit-maximum/each-limit');
    const one = checks.find(({ check }) => check.id === 'list.limit-maximum/each-limit');
    const failure = { clause: 'list.limit-maximum', level: 'required', check: 'x', reason: 'schema', summary: 'x' } as const;
    const partAfter = (given?: Partial<Turn>) =>
      one && nextPart(one, new Map(given === undefined ? [] : [turn(one.check.id, given)]), BUDGET);
    const of = partAfter()?.of ?? 0;
    expect(of * BUDGET).toBeGreaterThanOrEqual(one?.requests ?? Number.POSITIVE_INFINITY);
    expect([partAfter(), partAfter({ part: 0 }), partAfter({ part: of - 1 }), partAfter({ part: 2, verdict: 'fail', failure })]).toEqual(
      [0, 1, 0, 2].map((part) => ({ part, of })),
    );
  });

  test('A check that took more than a run may send is left out, and so are near misses of the key unless they are asked for, once a day.', () => {
    const ids = idsOf(dueChecks(checks, new Map(), limits));
    expect(ids).not.toContain('auth.wrong-key/generated-near-misses');
    expect(idsOf(dueChecks(checks, new Map([turn('record.pets/lists', { requests: BUDGET + 1 })]), limits))).not.toContain(
      'record.pets/lists',
    );
    const asked = { ...limits, nearMisses: true };
    expect(idsOf(dueChecks(checks, new Map(), asked))).toContain('auth.wrong-key/generated-near-misses');
    const today = new Map([turn('auth.wrong-key/generated-near-misses', { at: limits.now - DAY + 1 })]);
    expect(idsOf(dueChecks(checks, today, asked))).not.toContain('auth.wrong-key/generated-near-misses');
    const yesterday = new Map([turn('auth.wrong-key/generated-near-misses', { at: limits.now - DAY })]);
    expect(idsOf(dueChecks(checks, yesterday, asked))).toContain('auth.wrong-key/generated-near-misses');
  });

  test('Coverage counts what passed within a day, and what a run may not send.', () => {
    const turns: Turns = new Map([
      turn('record.pets/lists', { at: limits.now - DAY + 1 }),
      turn('record.pet/get', { at: limits.now - DAY }),
      turn('errors.shape/list-and-get', { at: limits.now, verdict: 'not-applicable' }),
    ]);
    const coverage = coverageOf(checks, turns, limits);
    expect(coverage).toMatchObject({ passed: 1, notApplicable: 1, failing: [] });
    expect(coverage.of + coverage.leftOut).toBe(checks.length);
    expect(coverage.leftOut).toBe(checks.filter(({ nearMiss }) => nearMiss).length);
  });

  test('A run that knows nothing of earlier ones goes on where they would have come to.', () => {
    const starts = [0, 1, 2, 3].map((day) => continuedAfter(day, BUDGET, checks)[0]?.check.id);
    expect(new Set(starts).size).toBe(4);
    expect(starts[0]).toBe(checks[0]?.check.id);
    expect(idsOf(continuedAfter(7, BUDGET, checks)).toSorted()).toEqual(
      idsOf(checks.filter(({ requests }) => requests <= BUDGET)).toSorted(),
    );
  });
});

describe('createRotation', () => {
  test('Turns that can not be read at the start are known as soon as they can; those that were had since then stand.', () => {
    const failure = { clause: 'record.pets', level: 'required', check: 'record.pets/lists', reason: 'schema', summary: 'x' } as const;
    const [first, failing] = turn('record.pets/lists', { verdict: 'fail', failure, confirmed: true });
    const [second, old] = turn('list.limit-accepted/boundaries', { at: 1 });
    const [, recent] = turn('list.limit-accepted/boundaries', { at: 2 });
    let stored: ReadonlyMap<typeof first, typeof failing> | undefined;
    const history = { turns: () => stored, keepTurns: () => undefined, onSetAside: () => undefined };
    const rotation = createRotation({ clauses, history, wall: () => 0 });
    rotation.keep({ target: 'staging', rotation: [recent] });
    expect([...rotation.of({ name: 'staging' }).turns.values()]).toEqual([recent]);
    stored = new Map([
      [first, failing],
      [second, old],
    ]);
    const { turns } = rotation.of({ name: 'staging' });
    expect([turns.get(first), turns.get(second), turns.size]).toEqual([failing, recent, 2]);
  });
});

describe('A target over many runs', () => {
  test('A failure of a check that no longer fits the budget does not stand forever.', async () => {
    const baseUrl = await service();
    const failure = { clause: 'record.pets', level: 'required', check: 'record.pets/lists', reason: 'schema', summary: 'x' } as const;
    const [check, failing] = turn('record.pets/lists', { verdict: 'fail', failure, confirmed: true, requests: 2 });
    const rotation = createRotation({
      clauses,
      history: { turns: () => new Map([[check, failing]]), keepTurns: () => undefined, onSetAside: () => undefined },
      wall: () => Date.now(),
    });
    expect(await runOnce(baseUrl, rotation, 2)).toMatchObject({ verdict: 'pass', failures: [] });
    expect(rotation.of({ name: 'staging' }).turns.get(check)).toMatchObject({ verdict: 'inconclusive', requests: 3 });
  });

  test('No run sends more than its budget, and in the end all have passed.', { timeout: 120_000 }, async () => {
    const baseUrl = await service();
    const rotation = rotationOf();
    const plain = await createSmoke({ baseUrl, apiKey: () => KEY }, { clauses: probeClauses, version: '0' }).run();
    const target = { name: 'staging', rotation: { budget: ROOMY, nearMisses: false } };
    const samples: Sample[] = [];
    const isDone = (): boolean => {
      const { of, passed, notApplicable } = rotation.coverage(target);
      const undecided = [...rotation.of(target).turns.values()].filter(({ verdict }) => verdict === 'inconclusive').length;
      return passed + notApplicable + undecided >= of;
    };
    while (!isDone() && samples.length < 80) samples.push(await runOnce(baseUrl, rotation, ROOMY));
    expect(isDone()).toBe(true);
    expect(samples.filter(({ verdict }) => verdict !== 'pass')).toEqual([]);
    expect(Math.max(...samples.map(({ requests }) => requests))).toBeLessThanOrEqual(plain.sample.requests + ROOMY);
    expect(rotation.coverage(target).passed).toBeGreaterThan(0.8 * rotation.coverage(target).of);
  });

  test('A failure is confirmed, stays in every run until the check passes again, and survives a restart.', {
    timeout: 60_000,
  }, async () => {
    const broken = await service({ faults: ['key-wildcard-accepted'] });
    const mended = await service();
    const folder = ownFolder();
    const open = () =>
      openHistory({
        file: join(folder, 'history.db'),
        rawDays: 30,
        rollupDays: 400,
        maxBytes: 1e9,
        now: Date.now,
        onProblem: (problem) => expect.unreachable(problem),
      });
    const history = open();
    const rotation = createRotation({ clauses, history, wall: () => Date.now() });
    let sample = await runOnce(broken, rotation);
    for (let runs = 0; sample.verdict !== 'fail' && runs < 10; runs += 1) sample = await runOnce(broken, rotation);
    expect(sample).toMatchObject({ verdict: 'fail', clause: 'auth.wrong-key' });
    expect(await runOnce(broken, rotation)).toMatchObject({ verdict: 'fail', clause: 'auth.wrong-key' });
    history.close();

    const again = open();
    onTestFinished(() => again.close());
    const restarted = createRotation({ clauses, history: again, wall: () => Date.now() });
    const [failing] = [...restarted.of({ name: 'staging' }).turns.values()].filter(({ failure }) => failure !== undefined);
    expect(failing).toMatchObject({ confirmed: true, failure: { clause: 'auth.wrong-key' } });
    expect(await runOnce(mended, restarted)).toMatchObject({ verdict: 'pass', failures: [] });
    expect(restarted.coverage({ name: 'staging', rotation: { budget: BUDGET, nearMisses: false } }).failing).toEqual([]);
  });

  test.for(['list-and-get-lag', 'other-clients-create', 'other-client-removes'])(
    'The conforming variant %s is never failed.',
    { timeout: 120_000 },
    async (variant) => {
      const baseUrl = await service({ variants: [variant] });
      const rotation = rotationOf();
      for (let runs = 0; runs < 20; runs += 1) {
        const { verdict, note } = await runOnce(baseUrl, rotation);
        expect(['pass', 'degraded'], note).toContain(verdict);
      }
    },
  );
});
