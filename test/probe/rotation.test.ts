import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CheckId } from '../../src/clause/clause.ts';
import { describeRequest } from '../../src/expect/expect.ts';
import { sendFor } from '../../src/judge/judge-check.ts';
import { createSmoke, resolveTarget } from '../../src/probe/create-smoke.ts';
import { openHistory } from '../../src/probe/history/history.ts';
import { NO_HISTORY } from '../../src/probe/history/no-history.ts';
import { sessionOptions } from '../../src/probe/judge-target.ts';
import { planSlices, rotatingChecks, SLICE, slicesOfRun } from '../../src/probe/rotation/plan.ts';
import { createRotation, type Rotation } from '../../src/probe/rotation/rotation.ts';
import type { Slice } from '../../src/probe/rotation/slice.ts';
import { coverageOf, dueSlices, keyOf, type Turn, type Turns } from '../../src/probe/rotation/turn.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { startReference } from '../../src/reference/server.ts';
import { openSession } from '../../src/session/open-session.ts';
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
const slices = planSlices(clauses, BUDGET);
const limits = { budget: BUDGET, nearMisses: false, now: 10 * DAY };

function turn(check: CheckId, given: Partial<Turn> = {}): readonly [string, Turn] {
  const { at = 9 * DAY, verdict = 'pass' } = given;
  const known: Turn = { check, at, verdict, requests: 5, confirmed: false, ...(verdict === 'pass' ? { passedAt: at } : {}), ...given };
  return [keyOf(known), known];
}

const FAILURE = { clause: 'record.pets', level: 'required', check: 'x', reason: 'schema', summary: 'x' } as const;

const keysOf = (due: readonly Slice[]): readonly string[] => due.map(({ key }) => key);

async function service(options: { faults?: string[]; variants?: string[]; animals?: number } = {}) {
  const { faults = [], variants = [], animals = 30 } = options;
  const server = await startReference({ apiKey: KEY, faults, variants, ...(variants.length === 0 ? { seedAnimals: animals } : {}) });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

const targetOf = (budget: number) => ({ name: 'staging', rotation: { budget, nearMisses: false } });

/** One scheduled run of the monitor, without its clock. */
async function runOnce(baseUrl: string, rotation: Rotation, budget = BUDGET): Promise<Sample> {
  // All turns are within a part of the deadline.
  const target = { ...targetOf(budget), baseUrl, apiKey: () => KEY, deadline: 600_000 };
  const smoke = createSmoke(target, { clauses: probeClauses, version: '0', rotation: rotation.of(target) });
  const { sample } = await smoke.run();
  rotation.keep(sample);
  return sample;
}

/** What these slices send in one session, by line and credential, besides what every session begins with. Absent ids are drawn anew each time. */
async function requestsOfSlices(own: readonly Slice[]): Promise<readonly string[]> {
  const baseUrl = await service();
  const target = resolveTarget({ baseUrl, apiKey: () => KEY });
  const open = await openSession(sessionOptions(target, new Date()));
  onTestFinished(() => open.session.close());
  const sent: string[] = [];
  await open.start();
  await open.session.fixtures.recognized();
  open.recorder.onExchange((exchange) =>
    sent.push(`${describeRequest(exchange).replace(/\d{10}$/, 'absent')} ${exchange.request.intent.credentialNote}`),
  );
  for (const { check, portion } of own) {
    open.takePortion(portion);
    await sendFor(check, { open });
  }
  return sent;
}

const rotationOf = (): Rotation => createRotation({ clauses, history: NO_HISTORY, wall: () => Date.now() });

describe('The checks that rotate', () => {
  test('They are those that only read and are not part of every run; each has all of its slices, and each slice a key of its own.', () => {
    const expected = clauses.flatMap((clause) =>
      clause.checks.filter(({ effect, smoke }) => effect === 'read' && !smoke).map(({ id }) => id),
    );
    const byCheck = Map.groupBy(slices, ({ check }) => check.id);
    expect([...byCheck.keys()].toSorted()).toEqual(expected.toSorted());
    expect(rotatingChecks(clauses).map(({ check }) => check.id)).toEqual(expected);
    for (const own of byCheck.values())
      expect(own.map(({ portion }) => portion)).toEqual(own.map((_slice, part) => ({ part, of: own.length })));
    expect(new Set(keysOf(slices)).size).toBe(slices.length);
  });

  test('Each says about how many requests it sends.', async () => {
    const baseUrl = await service();
    const rotation = rotationOf();
    await runOnce(baseUrl, rotation, 5_000);
    const { turns } = rotation.of(targetOf(BUDGET));
    const over = slices.flatMap(({ key, requests, nearMiss }) => {
      const sent = turns.get(key)?.requests;
      return nearMiss || (sent !== undefined && sent <= MOST_OVER * requests) ? [] : [`${key}: planned ${requests}, sent ${sent}`];
    });
    expect(over).toEqual([]);
  });

  test.for(slices.filter(({ portion: { part, of } }) => of > 1 && part === 0))(
    'The slices of $key together judge what the check judges as a whole.',
    async (first) => {
      const own = slices.filter(({ check }) => check === first.check);
      const [whole, parts] = await Promise.all([requestsOfSlices([{ ...first, portion: { part: 0, of: 1 } }]), requestsOfSlices(own)]);
      expect(new Set(parts)).toEqual(new Set(whole));
    },
  );

  test('Only a check that can not be cut takes more than a slice, and none more than a run may send, but the property of any order.', () => {
    const large = slices.filter(({ requests }) => requests > BUDGET).map(({ check }) => check.id);
    expect(large).toEqual(['list.read-only/any-order']);
  });
});

describe('Whose turn it is', () => {
  test('Failures come first, those seen once before those that are confirmed; then what was never judged; then what was judged longest ago.', () => {
    const turns: Turns = new Map([
      turn('record.pets/lists', { at: 8 * DAY }),
      turn('list.limit-maximum/small', { at: 9 * DAY, verdict: 'fail', failure: FAILURE, confirmed: true }),
      turn('record.pet/get', { at: 9 * DAY, verdict: 'fail', failure: FAILURE }),
      turn('errors.shape/list-and-get', { at: 7 * DAY }),
    ]);
    const due = keysOf(dueSlices(slices, turns, limits));
    expect(due.slice(0, 2)).toEqual(['record.pet/get', 'list.limit-maximum/small']);
    expect(due.slice(-2)).toEqual(['errors.shape/list-and-get', 'record.pets/lists']);
  });

  test('Slices of a check take turns of their own, in their order; while one of them fails, the others wait.', () => {
    const id = 'list.limit-maximum/each-limit';
    const own = (turns: Turns) => dueSlices(slices, turns, limits).flatMap(({ check, portion }) => (check.id === id ? [portion.part] : []));
    const of = own(new Map()).length;
    const inOrder = Array.from({ length: of }, (_unused, part) => part);
    expect(own(new Map())).toEqual(inOrder);
    expect(of * SLICE).toBeGreaterThanOrEqual(100);
    expect(own(new Map([turn(id, { portion: { part: 0, of } })]))).toEqual([...inOrder.slice(1), 0]);
    expect(own(new Map([turn(id, { portion: { part: 2, of }, verdict: 'fail', failure: FAILURE })]))).toEqual([2]);
  });

  test('A small budget makes slices smaller.', () => {
    const cut = (budget: number) => planSlices(clauses, budget).filter(({ check }) => check.id === 'list.limit-maximum/each-limit').length;
    expect(cut(3)).toBeGreaterThan(cut(SLICE));
    expect(cut(SLICE)).toBe(cut(BUDGET));
  });

  test('A slice that took more than a run may send waits for a day; near misses of the key wait until they are asked for, and then for a day.', () => {
    const near = slices.find(({ check }) => check.id === 'auth.wrong-key/generated-near-misses');
    const nearTurn = (at: number) => new Map(near === undefined ? [] : [turn(near.check.id, { at, portion: near.portion })]);
    const keys = keysOf(dueSlices(slices, new Map(), limits));
    expect(near).toBeDefined();
    expect(keys).not.toContain(near?.key);
    const large = (at: number) => keysOf(dueSlices(slices, new Map([turn('record.pets/lists', { at, requests: BUDGET + 1 })]), limits));
    expect(large(limits.now - DAY + 1)).not.toContain('record.pets/lists');
    expect(large(limits.now - DAY)).toContain('record.pets/lists');
    const asked = { ...limits, nearMisses: true };
    expect(keysOf(dueSlices(slices, new Map(), asked))).toContain(near?.key);
    expect(keysOf(dueSlices(slices, nearTurn(limits.now - DAY + 1), asked))).not.toContain(near?.key);
    expect(keysOf(dueSlices(slices, nearTurn(limits.now - DAY), asked))).toContain(near?.key);
  });

  test('Coverage counts the checks that passed within a day, with all of their slices, and what a run may not send.', () => {
    const whole = 'list.limit-maximum/each-limit';
    const of = slices.filter(({ check }) => check.id === whole).length;
    const parts = Array.from({ length: of }, (_unused, part) => turn(whole, { at: limits.now, portion: { part, of } }));
    const turns: Turns = new Map([
      turn('record.pets/lists', { at: limits.now - DAY + 1 }),
      turn('record.pet/get', { at: limits.now - DAY }),
      turn('errors.shape/list-and-get', { at: limits.now, verdict: 'not-applicable' }),
      ...parts.slice(1),
    ]);
    const coverage = coverageOf(slices, turns, limits);
    expect(coverage).toMatchObject({ passed: 1, notApplicable: 1, failing: [] });
    expect(coverageOf(slices, new Map([...turns, ...parts]), limits).passed).toBe(2);
    const judging = rotatingChecks(clauses).filter(({ clause }) => clause.level !== 'open');
    expect(coverage.of + coverage.leftOut).toBe(judging.length);
    const left = slices.filter(({ nearMiss, requests }) => nearMiss || requests > BUDGET).map(({ check }) => check.id);
    expect(coverage.leftOut).toBe(new Set(left).size);
    const failing = new Map([...turns, turn(whole, { portion: { part: 0, of }, verdict: 'fail', failure: FAILURE })]);
    expect(coverageOf(slices, failing, limits).failing).toEqual([whole]);
  });
});

describe('Runs that know nothing of earlier ones', () => {
  const due = (budget: number) => dueSlices(planSlices(clauses, budget), new Map(), { ...limits, budget });

  /** The keys of what a run takes where each slice sends so many times what was planned. */
  function takenBy(run: number, budget: number, cost: number): readonly string[] {
    let left = budget;
    const taken: string[] = [];
    for (const { key, requests } of slicesOfRun(run, budget, due(budget))) {
      if (requests > left) continue;
      left -= requests * cost;
      if (left < 0) break;
      taken.push(key);
    }
    return taken;
  }

  test.for([
    ...[20, 109, 218, 231, 250, 545].flatMap((budget) => [0.7, 1, 1.5, 2].map((cost) => ({ budget, cost, stride: 1 }))),
    ...[2, 5, 7, 15, 60].flatMap((stride) => [20, 109, 250].map((budget) => ({ budget, cost: 1.5, stride }))),
  ])(
    'Within a budget of $budget, each slice at $cost times its plan and a run every $stride, they come by every slice.',
    ({ budget, cost, stride }) => {
      const wanted = new Set(due(budget).flatMap(({ key, requests }) => (requests * cost <= budget ? [key] : [])));
      const planned = due(budget).reduce((sum, { requests }) => sum + requests, 0);
      // One after the other with what the earlier ones had left out; those that know nothing of each other overlap.
      const fewest = Math.ceil((planned * cost) / budget);
      const left = new Set(wanted);
      let runs = 0;
      for (; left.size > 0 && runs < 16 * fewest; runs += 1)
        for (const key of takenBy(20_780 + runs * stride, budget, cost)) left.delete(key);
      expect([...left]).toEqual([]);
      if (stride === 1) expect(runs).toBeLessThanOrEqual(4 * fewest);
    },
  );
});

describe('createRotation', () => {
  test('Turns that can not be read at the start are known as soon as they can; those that were had since then stand.', () => {
    const [first, failing] = turn('record.pets/lists', { verdict: 'fail', failure: FAILURE, confirmed: true });
    const [second, old] = turn('list.limit-accepted/boundaries', { at: 1 });
    const [, recent] = turn('list.limit-accepted/boundaries', { at: 2 });
    let stored: ReadonlyMap<typeof first, typeof failing> | undefined;
    const history = { turns: () => stored, keepTurns: () => undefined, onSetAside: () => undefined };
    const rotation = createRotation({ clauses, history, wall: () => 0 });
    rotation.keep({ target: 'staging', rotation: [recent] });
    expect([...rotation.of(targetOf(BUDGET)).turns.values()]).toEqual([recent]);
    stored = new Map([
      [first, failing],
      [second, old],
    ]);
    const { turns } = rotation.of(targetOf(BUDGET));
    expect([turns.get(first), turns.get(second), turns.size]).toEqual([failing, recent, 2]);
  });
});

describe('A target over many runs', () => {
  const knowing = (stored: Turns): Rotation =>
    createRotation({
      clauses,
      history: { turns: () => stored, keepTurns: () => undefined, onSetAside: () => undefined },
      wall: () => Date.now(),
    });

  test('A failure of a check that no longer fits the budget does not stand forever.', async () => {
    const baseUrl = await service();
    const [check, failing] = turn('list.read-only/repeated', { verdict: 'fail', failure: FAILURE, confirmed: true, requests: SLICE });
    const rotation = knowing(new Map([[check, failing]]));
    expect(await runOnce(baseUrl, rotation, SLICE)).toMatchObject({ verdict: 'pass', failures: [] });
    expect(rotation.of(targetOf(SLICE)).turns.get(check)).toMatchObject({ verdict: 'inconclusive', requests: SLICE + 1 });
  });

  test('What took more than a whole budget on a bad day of the service is judged again a day later.', async () => {
    const baseUrl = await service();
    const now = Date.now();
    const others = slices.map(({ check, portion }) => turn(check.id, { portion, at: now }));
    const [key, tooLarge] = turn('record.pets/lists', { at: now - DAY, verdict: 'inconclusive', requests: BUDGET + 1 });
    const rotation = knowing(new Map([...others, [key, tooLarge]]));
    await runOnce(baseUrl, rotation);
    expect(rotation.of(targetOf(BUDGET)).turns.get(key)).toMatchObject({ verdict: 'pass' });
  });

  test('No run sends more than its budget, and in the end all have passed.', async () => {
    const baseUrl = await service();
    const rotation = rotationOf();
    const plain = await createSmoke({ baseUrl, apiKey: () => KEY }, { clauses: probeClauses, version: '0' }).run();
    const target = targetOf(ROOMY);
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

  test('A failure is confirmed, stays in every run until the check passes again, and survives a restart.', async () => {
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
    const [failing] = [...restarted.of(targetOf(BUDGET)).turns.values()].filter(({ failure }) => failure !== undefined);
    expect(failing).toMatchObject({ confirmed: true, failure: { clause: 'auth.wrong-key' } });
    expect(await runOnce(mended, restarted)).toMatchObject({ verdict: 'pass', failures: [] });
    expect(restarted.coverage(targetOf(BUDGET)).failing).toEqual([]);
  });

  test('What binds is told before what is advised.', async () => {
    const baseUrl = await service({ faults: ['curl-forbidden'] });
    const rotation = rotationOf();
    let sample = await runOnce(baseUrl, rotation);
    for (let runs = 1; sample.verdict === 'pass' && runs < 20; runs += 1) sample = await runOnce(baseUrl, rotation);
    expect(await runOnce(baseUrl, rotation)).toMatchObject({ verdict: 'fail', clause: 'auth.valid-key' });
  });

  test.for(['list-and-get-lag', 'other-clients-create', 'other-client-removes'])(
    'The conforming variant %s is never failed.',
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
