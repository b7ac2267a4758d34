import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CheckId } from '../../src/clause/clause.ts';
import { sendFor } from '../../src/judge/check.ts';
import { openHistory } from '../../src/probe/history.ts';
import { sessionOptions } from '../../src/probe/judge-target.ts';
import { FIRST_ROUND } from '../../src/probe/rotation/first-round.ts';
import { createRotation, type Rotation } from '../../src/probe/rotation/rotation.ts';
import {
  coverageOf,
  dueKinds,
  NEVER,
  rotatingChecks,
  rowsOfTurn,
  type Turn,
  type Turning,
  type Turns,
  turning,
  turningOfRun,
} from '../../src/probe/rotation/turns.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { createSmoke, resolveTarget } from '../../src/probe/smoke.ts';
import { startReference } from '../../src/reference/server.ts';
import { openSession } from '../../src/session/open-session.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import type { Portion } from '../../src/session/run-size.ts';
import { clauses } from '../../suites/index.ts';
import { probeClauses } from '../../suites/probe.ts';
import { ownFolder } from '../support/program.ts';
import { KEY, memoryHistory } from './samples.ts';

const DAY = 86_400_000;
const BUDGET = 20;
/** A budget with which a check of a hundred requests needs only a few turns. */
const ROOMY = 60;
/** A budget that is enough for the longest table twice. */
const WHOLE = 250;
/** Rows that are sent at once. */
const PART = 6;
/** Checks that no run with the usual budget can send. */
const LARGE: readonly CheckId[] = ['list.read-only/animals-stay'];
/** Generated cases send different requests: an estimate may be too small by this factor. */
const MOST_OVER = 1.6;
const kinds = turning(clauses);
const limits = { budget: BUDGET, nearMisses: false, now: 10 * DAY };

function turn(check: CheckId, given: Partial<Turn> = {}): readonly [CheckId, Turn] {
  const { at = 9 * DAY, verdict = 'pass' } = given;
  const known: Turn = { check, at, verdict, requests: 5, confirmed: false, ...(verdict === 'pass' ? { passedAt: at } : {}), ...given };
  return [check, known];
}

const FAILURE = { clause: 'record.pets', level: 'required', check: 'x', reason: 'schema', summary: 'x' } as const;

const idsOf = (due: readonly Turning[]): readonly CheckId[] => due.map(({ check }) => check.id);

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

/**
 * What these parts of a kind send in one session, by request line and credential, in addition to what every session begins with. Absent ids
 * are drawn again each time.
 */
async function requestsOf({ check }: Turning, portions: readonly Portion[]): Promise<readonly string[]> {
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
  for (const portion of portions) {
    open.takePortion(portion);
    await sendFor(check, { open });
  }
  return sent;
}

const rotationOf = (): Rotation => createRotation({ clauses, history: memoryHistory(), wall: () => Date.now() });

describe('The checks that rotate', () => {
  test('They only read and are not part of every run, and what each sends was measured.', () => {
    const expected = clauses.flatMap((clause) =>
      clause.checks.filter(({ effect, smoke }) => effect === 'read' && !smoke).map(({ id }) => id),
    );
    expect(idsOf(kinds).toSorted()).toEqual(expected.toSorted());
    expect(rotatingChecks(clauses).map(({ check }) => check.id)).toEqual(expected);
    expect([...new Set(FIRST_ROUND.map(([id]) => id))].toSorted(), 'add a line to src/probe/rotation/first-round.ts').toEqual(
      expected.toSorted(),
    );
  });

  test('Each states the approximate number of its requests, and the rows of its table.', async () => {
    const baseUrl = await service();
    const rotation = rotationOf();
    await runOnce(baseUrl, rotation, 5_000);
    const { turns } = rotation.of(targetOf(BUDGET));
    const over = kinds.flatMap(({ check: { id }, requests, rows, nearMiss }) => {
      const turn = turns.get(id);
      const isRight = turn !== undefined && turn.requests <= MOST_OVER * requests + 1 && turn.rows === rows;
      return nearMiss || isRight ? [] : [`${id}: ${rows} rows and ${requests} requests, sent ${turn?.rows} and ${turn?.requests}`];
    });
    expect(over).toEqual([]);
  });

  test.for(kinds.filter(({ rows }) => rows > 1).map((one) => [one.check.id, one] as const))(
    'The parts of %s together send what it sends as a whole.',
    async ([, one]) => {
      const portions = Array.from({ length: Math.ceil(one.rows / PART) }, (_unused, part) => ({ from: part * PART, most: PART }));
      const [whole, parts] = await Promise.all([requestsOf(one, [{ from: 0, most: one.rows }]), requestsOf(one, portions)]);
      expect(new Set(parts)).toEqual(new Set(whole));
    },
  );

  test('No row of a table takes more than a run may send.', () => {
    expect(kinds.filter(({ requests, rows }) => requests > rows * BUDGET).map(({ check }) => check.id)).toEqual(LARGE);
  });
});

describe('Whose turn it is', () => {
  test('Failures come first, those seen once before confirmed ones; then what was never judged; then what was judged longest ago.', () => {
    const turns: Turns = new Map([
      turn('record.pets/lists', { at: 8 * DAY }),
      turn('list.limit-maximum/small', { at: 9 * DAY, verdict: 'fail', failure: FAILURE, confirmed: true }),
      turn('record.pet/get', { at: 9 * DAY, verdict: 'fail', failure: FAILURE }),
      turn('errors.shape/list-and-get', { at: 7 * DAY }),
    ]);
    const due = idsOf(dueKinds(kinds, turns, limits));
    expect(due.slice(0, 2)).toEqual(['record.pet/get', 'list.limit-maximum/small']);
    expect(due.slice(-2)).toEqual(['errors.shape/list-and-get', 'record.pets/lists']);
  });

  test('A first turn that the end of a run has cut off keeps its place; the rest of a table has its own, or waits until all kinds have had a turn.', () => {
    const perTurn = PART;
    const tables = kinds.filter(({ nearMiss, requests, rows }) => !nearMiss && requests / rows <= 1 && rows > PART);
    const begun = (next: number, some = tables): Turns => new Map(some.map(({ check }) => turn(check.id, { next, due: NEVER })));
    const due = (turns: Turns) => idsOf(dueKinds(kinds, turns, { ...limits, perTurn }));
    const fresh = due(new Map());
    expect(due(begun(PART - 1))).toEqual(fresh);
    expect(tables.map((one) => rowsOfTurn(one, begun(PART - 1), { perTurn, left: 2 * PART }))).toEqual(tables.map(() => 1));
    const placed = tables.filter(({ rest }) => rest !== undefined);
    expect(placed.length).toBeGreaterThan(0);
    expect(tables.length).toBeGreaterThan(placed.length);
    for (const one of tables) {
      const { rest = kinds.length } = one;
      const before = new Set(idsOf(kinds.filter((_kind, place) => place < rest)));
      const others = fresh.filter((id) => id !== one.check.id);
      const expected = [...others.filter((id) => before.has(id)), one.check.id, ...others.filter((id) => !before.has(id))];
      expect(due(begun(PART, [one]))).toEqual(expected);
    }
  });

  test('What took more than a run may send waits for a day; near misses of the key wait until they are allowed, and then for a day.', () => {
    const id = 'auth.wrong-key/near-misses-on-list';
    const nearTurn = (given: Partial<Turn>) => new Map([turn(id, given)]);
    const due = (turns: Turns, asked = limits) => idsOf(dueKinds(kinds, turns, asked));
    expect(due(new Map())).not.toContain(id);
    const large = (at: number) => new Map([turn('record.pets/lists', { at, requests: BUDGET + 1 })]);
    expect(due(large(limits.now - DAY + 1))).not.toContain('record.pets/lists');
    expect(due(large(limits.now - DAY))).toContain('record.pets/lists');
    const asked = { ...limits, nearMisses: true };
    expect(due(new Map(), asked)).toContain(id);
    expect(due(nearTurn({ at: limits.now - DAY + 1 }), asked)).not.toContain(id);
    expect(due(nearTurn({ at: limits.now - DAY + 1, next: 6 }), asked), 'the rest of its table').toContain(id);
    expect(due(nearTurn({ at: limits.now - DAY }), asked)).toContain(id);
  });

  test('Coverage counts the checks that passed within a day, and what a run may not send.', () => {
    const turns: Turns = new Map([
      turn('record.pets/lists', { at: limits.now - DAY + 1 }),
      turn('record.pet/get', { at: limits.now - DAY }),
      turn('errors.shape/list-and-get', { at: limits.now, verdict: 'not-applicable' }),
      turn('list.limit-maximum/each-limit', { at: limits.now, next: 6, passedAt: limits.now - DAY }),
    ]);
    const coverage = coverageOf(kinds, turns, limits);
    expect(coverage).toMatchObject({ passed: 1, notApplicable: 1, failing: [] });
    const judging = rotatingChecks(clauses).filter(({ clause }) => clause.level !== 'open');
    expect(coverage.of + coverage.leftOut).toBe(judging.length);
    const left = kinds.filter(({ nearMiss, requests, rows }) => nearMiss || requests > BUDGET * rows);
    expect(coverage.leftOut).toBe(left.length);
    const failing = new Map([...turns, turn('record.pet/get', { verdict: 'fail', failure: FAILURE })]);
    expect(coverageOf(kinds, failing, limits).failing).toEqual(['record.pet/get']);
  });
});

describe('Runs that know nothing of earlier ones', () => {
  /** The rows, by kind and number, that a run sends if each costs this many times what was measured. */
  function takenBy(run: number, budget: number, cost: number): readonly string[] {
    let left = budget;
    const taken: string[] = [];
    for (const { check, from = 0, requests, rows } of turningOfRun(run, budget, wanted(budget)))
      for (let row = from; row < rows && left > 0; row += 1) {
        if (row === from && requests / rows > left) break;
        left -= (requests / rows) * cost;
        if (left >= 0) taken.push(`${check.id} ${row}`);
      }
    return taken;
  }

  const wanted = (budget: number) => dueKinds(kinds, new Map(), { ...limits, budget });

  test.for([
    ...[20, 109, 218, 231, 250, 545].flatMap((budget) => [0.7, 1, 1.5, 2].map((cost) => ({ budget, cost, stride: 1 }))),
    ...[2, 5, 7, 15, 60].flatMap((stride) => [20, 109, 250].map((budget) => ({ budget, cost: 1.5, stride }))),
  ])(
    'Within a budget of $budget, each request at $cost times what was measured, and a run every $stride, they send everything.',
    ({ budget, cost, stride }) => {
      const sendable = wanted(budget).filter(({ requests, rows }) => (requests / rows) * cost <= budget);
      const planned = wanted(budget).reduce((sum, { requests }) => sum + requests, 0);
      // One after the other, each with what the earlier ones left; runs that know nothing about each other overlap.
      const fewest = Math.ceil((planned * cost) / budget);
      const left = new Set(sendable.flatMap(({ check, rows }) => Array.from({ length: rows }, (_unused, row) => `${check.id} ${row}`)));
      let runs = 0;
      for (; left.size > 0 && runs < 16 * fewest; runs += 1)
        for (const key of takenBy(20_780 + runs * stride, budget, cost)) left.delete(key);
      expect([...left]).toEqual([]);
      if (stride === 1) expect(runs).toBeLessThanOrEqual(4 * fewest);
    },
  );
});

describe('createRotation', () => {
  test('Turns that cannot be read at the start are known as soon as they can; later ones take precedence.', () => {
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

  test('A failure of a check that no longer fits the budget does not stay permanently.', async () => {
    const baseUrl = await service();
    const small = 6;
    const [check, failing] = turn('list.read-only/repeated', { verdict: 'fail', failure: FAILURE, confirmed: true, requests: small });
    const rotation = knowing(new Map([[check, failing]]));
    expect(await runOnce(baseUrl, rotation, small)).toMatchObject({ verdict: 'pass', failures: [] });
    expect(rotation.of(targetOf(small)).turns.get(check)).toMatchObject({ verdict: 'inconclusive', requests: small + 1 });
  });

  test('A table is sent from where its last turn ended; what failed is sent again until it passes; then it has passed as a whole.', async () => {
    const id = 'auth.missing-credential/trusted-headers';
    const only = createRotation({ clauses, history: memoryHistory(), wall: () => Date.now() });
    const target = { ...targetOf(BUDGET), only: ['auth.missing-credential'] };
    const known = () => only.of(target).turns.get(id);
    const run = async (baseUrl: string) => {
      const smoke = createSmoke(
        { ...target, baseUrl, apiKey: () => KEY, deadline: 600_000 },
        {
          clauses: probeClauses,
          version: '0',
          rotation: { ...only.of(target), kinds: only.of(target).kinds.filter(({ check }) => check.id === id) },
        },
      );
      only.keep((await smoke.run()).sample);
    };
    const right = await service();
    await run(right);
    const { next = 0, rows = 0 } = known() ?? {};
    expect(rows).toBeGreaterThan(1);
    expect([next, known()?.passedAt]).toEqual([rows, undefined]);
    await run(await service({ faults: ['authentication-missing-on-list'] }));
    expect(known()).toMatchObject({ verdict: 'fail', next });
    for (let runs = 0; runs < 5 && known()?.passedAt === undefined; runs += 1) await run(right);
    expect(known()).toMatchObject({ verdict: 'pass', next: 0, passedAt: expect.any(Number) });
  });

  test('A failure stays if its requests are not repeated within a run; the next run confirms it.', async () => {
    const baseUrl = await service({ faults: ['limit-13-refused'] });
    const id = 'list.limit-accepted/each-limit';
    const rotation = rotationOf();
    const target = targetOf(WHOLE);
    const run = async () => {
      const source = rotation.of(target);
      const some = { ...source, kinds: source.kinds.filter(({ check }) => check.id === id) };
      const given = { ...target, baseUrl, apiKey: () => KEY, deadline: 600_000 };
      const { sample } = await createSmoke(given, { clauses: probeClauses, version: '0', rotation: some }).run();
      rotation.keep(sample);
      return sample;
    };
    expect(await run()).toMatchObject({ verdict: 'degraded' });
    expect(rotation.of(target).turns.get(id)).toMatchObject({ verdict: 'fail', confirmed: false });
    expect(await run()).toMatchObject({ verdict: 'fail', clause: 'list.limit-accepted' });
  });

  test('What took more than a whole budget on a bad day of the service is judged again a day later.', async () => {
    const baseUrl = await service();
    const now = Date.now();
    const others = kinds.map(({ check }) => turn(check.id, { at: now }));
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

  test('Binding clauses are reported before advised ones.', async () => {
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
