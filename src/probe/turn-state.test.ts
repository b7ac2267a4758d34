import { describe, expect, test } from 'vitest';
import type { Consent } from '../plan/choose.ts';
import { EndlessPlan } from '../plan/endless-plan.ts';
import type { Row } from '../plan/row.ts';
import type { Vector } from '../session/vector.ts';
import {
  coverageIn,
  type FailingRow,
  NO_TURN,
  nextTurn,
  startOf,
  stateAfter,
  type TurnLimits,
  type TurnPlan,
  type TurnSent,
  type TurnState,
  turnAlone,
  turnStateIn,
} from './turn-state.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_800_000_000_000;
const lists = (count: number, from = 1): readonly Row[] =>
  Array.from({ length: count }, (_unused, place) => ({ op: 'list', limit: place + from }));

/** Known values: limits, and near misses of the API key. */
function consentsOf({ op, credential, ...rest }: Vector): readonly Consent[] {
  if (op === 'create') return ['write'];
  if ('limit' in rest && rest.limit === 'gone') throw new Error('there is no value "gone"');
  return credential === 'nearly' ? ['near miss'] : credential === 'in the query' ? ['intrusive'] : [];
}

const planOf = (rows: readonly Row[]): TurnPlan => ({
  reads: new EndlessPlan(() => rows),
  nearMisses: new EndlessPlan(() => [1, 2, 3].map((limit) => ({ op: 'list', limit, credential: 'nearly' }))),
  consentsOf,
});
const PLAN = planOf([...lists(30), { how: 'in turn', rows: [{ op: 'list' }, { op: 'list' }, { op: 'list' }, { op: 'list' }] }]);

const limitsAt = (now = NOW, more: Partial<TurnLimits> = {}): TurnLimits => ({ budget: 8, nearMisses: false, now, ...more });
const NOTHING: TurnSent = { rows: 0, nearMisses: 0, failing: [], passed: [], broken: new Set(), conditions: [] };
const failingOf = (row: Row, more: Partial<FailingRow> = {}): FailingRow => ({
  row,
  clause: 'list.success',
  confirmed: true,
  at: NOW,
  ...more,
});

/** The state after so many runs, each of which sends all of its turn, and what they sent. */
function afterRuns(runs: number, { limits = limitsAt(), plan = PLAN, from = startOf(plan, 0), every = 60_000 } = {}) {
  let state: TurnState = from;
  const sent: (readonly Row[])[] = [];
  for (let run = 0; run < runs; run += 1) {
    const at = { ...limits, now: limits.now + run * every };
    const planned = nextTurn(state, at, plan);
    sent.push([...planned.failing.map(({ row }) => row), ...planned.nearMisses, ...planned.rows]);
    const all = { ...NOTHING, rows: planned.rows.length, nearMisses: planned.nearMisses.length };
    state = stateAfter(state, { planned, sent: all, limits: at, plan });
  }
  return { state, sent };
}

describe('the turns of a target', () => {
  test('go on where the last one ended, and begin again after the last row', () => {
    const { sent } = afterRuns(5);
    expect(sent.flat().slice(0, 31)).toEqual(PLAN.reads.order(0));
    expect(sent.flat().slice(31)).toEqual(PLAN.reads.order(1).slice(0, sent.flat().length - 31));
  });

  test('leave to the next run what a run did not send', () => {
    const state = startOf(PLAN, 0);
    const planned = nextTurn(state, limitsAt(), PLAN);
    const after = stateAfter(state, { planned, sent: { ...NOTHING, rows: 3 }, limits: limitsAt(), plan: PLAN });
    expect(nextTurn(after, limitsAt(), PLAN).rows[0]).toEqual(planned.rows[3]);
  });

  test('begin anew where the plan is another one', () => {
    const other = planOf(lists(20, 50));
    expect(nextTurn(afterRuns(2).state, limitsAt(), other).rows[0]).toEqual({ op: 'list', limit: 50 });
  });

  test('pass over rows that need more requests than a run has', () => {
    const { sent } = afterRuns(20, { limits: limitsAt(NOW, { budget: 3 }) });
    expect(sent.flat().filter((row) => 'how' in row)).toEqual([]);
    expect(sent.flat().length).toBeGreaterThan(40);
  });
});

describe('rows that failed', () => {
  const [SEEN, KNOWN] = [
    failingOf({ op: 'list', limit: 7 }, { confirmed: false }),
    failingOf({ op: 'list', limit: 8 }, { clause: 'list.order' }),
  ];

  test('come first, those that were seen once before all others', () => {
    const state = { ...startOf(PLAN, 0), failing: [KNOWN, SEEN] };
    expect(nextTurn(state, limitsAt(), PLAN).failing).toEqual([SEEN, KNOWN]);
  });

  test('take at most half of the budget once they are known, those first that were sent longest ago', () => {
    const all = lists(6).map((row, place) => failingOf(row, { at: NOW - place }));
    const { failing, rows } = nextTurn({ ...startOf(PLAN, 0), failing: all }, limitsAt(), PLAN);
    expect(failing).toEqual(all.slice(2).toReversed());
    expect(rows.length).toBe(4);
  });

  test('stay until they pass, and are one of each clause', () => {
    const state = { ...startOf(PLAN, 0), failing: [KNOWN, SEEN] };
    const sentAs = (sent: Partial<TurnSent>) =>
      stateAfter(state, { planned: NO_TURN, sent: { ...NOTHING, ...sent }, limits: limitsAt(), plan: PLAN }).failing;
    expect(sentAs({})).toEqual([KNOWN, SEEN]);
    expect(sentAs({ passed: [KNOWN] })).toEqual([SEEN]);
    const again = { ...SEEN, confirmed: true };
    expect(sentAs({ failing: [again] })).toEqual([KNOWN, again]);
  });

  test('are not sent if they do more than read, or this version has no such values', () => {
    const failing = [{ op: 'create' }, { op: 'list', credential: 'in the query' }, { op: 'list', limit: 'gone' }].map((row) =>
      failingOf(row as Row),
    );
    expect(nextTurn({ ...startOf(PLAN, 0), failing }, limitsAt(NOW, { nearMisses: true }), PLAN).failing).toEqual([]);
  });
});

describe('near misses of the API key', () => {
  const nearIn = (rows: readonly Row[]): readonly Row[] => rows.filter((row) => 'credential' in row);

  test('are sent only where they are allowed, each once a day', () => {
    expect(nearIn(afterRuns(100).sent.flat())).toEqual([]);
    const limits = limitsAt(NOW, { nearMisses: true });
    const { sent } = afterRuns(60, { limits, every: HOUR });
    const runsOf = (limit: number): readonly number[] =>
      sent.flatMap((rows, run) => (nearIn(rows).some((row) => 'limit' in row && row.limit === limit) ? [run] : []));
    for (const limit of [1, 2, 3]) {
      const runs = runsOf(limit);
      expect(runs.length).toBe(3);
      expect(runs.slice(1).every((run, place) => run - (runs[place] ?? 0) >= 24)).toBe(true);
    }
  });

  test('are sent again a day after they failed', () => {
    const state = { ...startOf(PLAN, 0), failing: [failingOf({ op: 'list', credential: 'nearly' })] };
    const dueAt = (now: number, nearMisses = true) => nextTurn(state, limitsAt(now, { nearMisses }), PLAN).failing.length;
    expect([dueAt(NOW + HOUR), dueAt(NOW + DAY), dueAt(NOW + DAY, false)]).toEqual([0, 1, 0]);
  });
});

test('a run after one that has found something keeps half of its budget for questions, once for each clause', () => {
  const broken = new Set(['list.order'] as const);
  const after = (state: TurnState, sent: Partial<TurnSent>): TurnState =>
    stateAfter(state, { planned: NO_TURN, sent: { ...NOTHING, broken, ...sent }, limits: limitsAt(), plan: PLAN });
  const found = after(startOf(PLAN, 0), {});
  expect(nextTurn(found, limitsAt(), PLAN).rows.length).toBe(4);
  const asked = after(found, { conditions: [{ clause: 'list.order', condition: 'only with limit=3' }] });
  expect(asked.asked).toEqual([{ clause: 'list.order', condition: 'only with limit=3' }]);
  expect(nextTurn(after(asked, {}), limitsAt(), PLAN).rows.length).toBe(8);
  expect(after(asked, { broken: new Set() }).asked).toEqual([]);
});

test('coverage is what the last day has met', () => {
  const limits = limitsAt();
  const first = afterRuns(2);
  expect(coverageIn(first.state, limits, PLAN)).toMatchObject({ of: 31, met: first.sent.flat().length, failing: [], leftOut: 3 });
  expect(coverageIn(first.state, { ...limits, now: NOW + 3 * DAY }, PLAN).met).toBe(0);
  expect(coverageIn(afterRuns(100).state, limits, PLAN).met).toBe(31);
  expect(coverageIn(first.state, { ...limits, budget: 3, nearMisses: true }, PLAN)).toMatchObject({ of: 30, leftOut: 1 });
  expect(coverageIn({ ...first.state, failing: [failingOf({ op: 'list' })] }, limits, PLAN).failing).toEqual(['list.success']);
});

test('runs that know nothing of each other begin far apart', () => {
  const rows = Array.from({ length: 8 }, (_unused, run) => turnAlone(run, limitsAt(), PLAN).rows);
  expect(new Set(rows.flat()).size).toBe(31);
  expect(turnAlone(3, limitsAt(NOW, { nearMisses: true }), PLAN).nearMisses.length).toBe(2);
});

describe('a state in a file', () => {
  const state: TurnState = {
    ...afterRuns(3).state,
    failing: [failingOf({ how: 'together', rows: [{ op: 'get', id: '=7' }] }), failingOf({ op: 'list', client: ['gzip', 'traced'] })],
    asked: [{ clause: 'list.order', condition: '' }],
  };

  test('is what it was', () => {
    expect(turnStateIn(JSON.stringify(state))).toEqual(state);
  });

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
    ['another value', '[1]'],
    ['a cursor without a number', JSON.stringify({ ...state, cursor: { plan: 'x', seed: 1 } })],
    ['a row that creates', JSON.stringify({ ...state, failing: [failingOf({ op: 'create' })] })],
    ['a group without rows', JSON.stringify({ ...state, failing: [{ ...failingOf({ op: 'list' }), row: { how: 'in turn' } }] })],
  ])('is none: %s', (_what, text) => {
    expect(turnStateIn(text)).toBeUndefined();
  });
});
