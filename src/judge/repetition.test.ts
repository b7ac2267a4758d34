import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/clauses/index.ts';
import { AGAIN } from '../../suites/plan/again.ts';
import { error, history, pet } from '../../test/support/history.ts';
import { judgeHistory } from '../oracle/verdicts.ts';
import type { Row } from '../plan/row.ts';
import { vectorsOf } from '../plan/row.ts';
import type { Sent, Vector } from '../session/vector.ts';
import { type Again, againOf, NOT_EACH_TIME, NOT_REPEATED } from './again.ts';
import { repeatBrokenRows } from './repetition.ts';

const READ: Vector = { op: 'get', id: 0, client: 'curl' };

const ANNOUNCED = [
  ['content-type', 'application/json'],
  ['sunset', 'Thu, 05 Dec 2030 00:00:00 GMT'],
] as const;

/** What a run that has seen a read fail keeps of it, if the repetitions of that read fail like this. */
async function kept(failing: readonly boolean[], mostRequests = 80): Promise<Again | undefined> {
  const run = history();
  const [vectors, left] = [new Map<Sent, Vector>(), [...failing]];
  const send = (vector: Vector, isWrong: boolean): void => {
    if (vector.op === 'list') run.add({}, { status: 200, body: [pet(1)] });
    else run.add({ target: '/pets/1' }, isWrong ? error(500) : { status: 200, body: pet(1), headers: ANNOUNCED });
    vectors.set(run.last().sent, vector);
  };
  send({ op: 'list' }, false);
  send(READ, true);
  const told = { vectorOf: (sent: Sent) => vectors.get(sent), groupOf: () => undefined };
  const verdicts = judgeHistory(clauses, run.now()).filter(({ clause }) => clause.id === 'errors.no-server-error');
  const choice = { consents: new Set([]), creations: 0, requests: mostRequests, isThorough: false, seed: 1 };
  const again = await repeatBrokenRows(againOf({ ...told, verdicts, world: run.now() }, clauses), {
    ...{ ...told, clauses, mostRequests, now: run.now },
    rowsFor: (some) => [
      ...AGAIN.opening,
      ...AGAIN.planOf(some)({ size: 1, rarestStatus: 'sold', known: 1 }, choice).phases.flatMap(({ rows }): readonly Row[] => rows),
    ],
    send: async (rows) => {
      for (const vector of rows.flatMap(vectorsOf)) send(vector, vector === READ && left.shift() === true);
    },
  });
  return again[0];
}

describe('rehearse', () => {
  test('clears the doubt about what is broken each time', async () => {
    expect(await kept([true, true])).toEqual({ clause: 'errors.no-server-error', rows: [READ], musts: expect.anything() });
  });

  test.each([
    ['the first time', [true, false]],
    ['the second time', [false, true]],
    ['not at all', [false, false]],
  ])('leaves undecided what is broken %s', async (_title, failing) => {
    expect((await kept(failing))?.doubt).toBe(NOT_EACH_TIME);
  });

  test('says that there was no request left', async () => {
    expect((await kept([true, true], 10))?.doubt).toBe(NOT_REPEATED);
  });
});
