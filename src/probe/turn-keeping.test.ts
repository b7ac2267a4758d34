import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { EndlessPlan } from '../plan/endless-plan.ts';
import type { Row } from '../plan/row.ts';
import type { SampleFailure } from './failure.ts';
import { TurnKeeping, type TurnKeepingParts, type TurnTarget } from './turn-keeping.ts';
import type { FailingRow, TurnSent } from './turn-state.ts';
import { createTurnTable, TURN_STATES_SCHEMA } from './turn-table.ts';

const ROWS = Array.from({ length: 40 }, (_unused, place): Row => ({ op: 'list', limit: place + 1 }));
const TARGET: TurnTarget = { name: 'production', budget: 8, nearMisses: false };
const FAILURE: SampleFailure = {
  clause: 'list.order',
  level: 'advised',
  reason: 'assertion',
  summary: 'GET /pets is in no order',
};
const NOTHING: TurnSent = { rows: 0, nearMisses: 0, failing: [], passed: [], broken: new Set(), conditions: [] };

/** The history of a monitor, with this file. */
function openHistory(live: DatabaseSync) {
  live.exec(TURN_STATES_SCHEMA);
  const table = createTurnTable();
  let isReadable = true;
  const history: TurnKeepingParts['history'] = {
    keepTurnState: table.keepTurnState,
    turnState: (target) => (isReadable ? table.turnState(live, target) : undefined),
    onSetAside: () => undefined,
  };
  return {
    history,
    flush() {
      table.write(live);
      table.written();
      expect(table.isEmpty()).toBe(true);
    },
    setReadable: (next: boolean) => {
      isReadable = next;
    },
  };
}

const keepingOf = (history: TurnKeepingParts['history']) =>
  new TurnKeeping({
    history,
    planOf: () => ({ reads: new EndlessPlan(() => ROWS), nearMisses: new EndlessPlan(() => []), consentsOf: () => [] }),
    wall: () => 1_800_000_000_000,
  });

const rowsOf = (keeping: ReturnType<typeof keepingOf>, target = TARGET): readonly Row[] => keeping.next(target)?.planned.rows ?? [];

function takeNext(keeping: ReturnType<typeof keepingOf>, sent: Partial<TurnSent> = {}): readonly Row[] {
  const turn = keeping.next(TARGET);
  if (turn === undefined) return [];
  keeping.keep(TARGET, turn, { sent: { ...NOTHING, rows: turn.planned.rows.length, ...sent }, failures: [FAILURE] });
  return turn.planned.rows;
}

describe('the turns of a monitor', () => {
  test('go on after a restart, with what failed and what was said of it', () => {
    const live = new DatabaseSync(':memory:');
    const { history, flush } = openHistory(live);
    const failing: FailingRow = { row: { op: 'list', limit: 3 }, clause: 'list.order', confirmed: true, at: 1_800_000_000_000 };
    expect(takeNext(keepingOf(history), { failing: [failing] })).toEqual(ROWS.slice(0, 8));
    flush();
    const again = keepingOf(openHistory(live).history);
    expect(again.next(TARGET)?.planned).toEqual({ failing: [{ ...failing, failure: FAILURE }], nearMisses: [], rows: ROWS.slice(8, 15) });
    expect(again.failuresNotAsked(TARGET, NOTHING)).toEqual([{ ...failing, failure: FAILURE }]);
    expect(again.failuresNotAsked(TARGET, { failing: [failing], passed: [] })).toEqual([]);
    expect(again.coverage(TARGET)).toMatchObject({ of: 40, met: 8, failing: ['list.order'] });
  });

  test('are not written over what the file has, as long as that cannot be read', () => {
    const live = new DatabaseSync(':memory:');
    const { history, flush, setReadable } = openHistory(live);
    takeNext(keepingOf(history));
    flush();
    const later = keepingOf(history);
    setReadable(false);
    takeNext(later);
    setReadable(true);
    expect(rowsOf(later)).toEqual(ROWS.slice(8, 16));
  });

  test('begin anew where the file has something else', () => {
    const live = new DatabaseSync(':memory:');
    const { history } = openHistory(live);
    live.prepare('INSERT INTO turn_state (target, json) VALUES (?, ?)').run('production', '{"cursor":1}');
    expect(rowsOf(keepingOf(history))).toEqual(ROWS.slice(0, 8));
  });

  test('are none without a budget, and alone without near misses', () => {
    const keeping = keepingOf(openHistory(new DatabaseSync(':memory:')).history);
    expect(keeping.next({ ...TARGET, budget: 0 })).toBeUndefined();
    expect(keeping.alone({ ...TARGET, nearMisses: true })).toMatchObject({ nearMisses: false, planned: { nearMisses: [], failing: [] } });
  });
});
