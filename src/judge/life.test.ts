import { describe, expect, test } from 'vitest';
import { sessionOptions } from '../../proof/judge-reference.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { error, history, KEY, NAME, pet } from '../../test/support/history.ts';
import type { ClauseId } from '../clause/clause.ts';
import type { ReportedLife } from '../clause/clause-record.ts';
import { judgeHistory } from '../oracle/verdicts.ts';
import { redactionOf } from './findings.ts';
import { lifeOf } from './life.ts';

type Run = ReturnType<typeof history>;
const redaction = redactionOf(sessionOptions('http://localhost/v1'));

function life(run: Run, id: ClauseId): ReportedLife | undefined {
  const world = run.now();
  const { broken = [] } = judgeHistory(clauses, world).find(({ clause }) => clause.id === id) ?? {};
  return lifeOf(broken, world, redaction);
}

const create = (run: Run, id: number, name = NAME): void =>
  run.add({ body: { name, categoryId: 3, status: 'sold' } }, { status: 201, body: pet(id, { name }) });
const list = (run: Run, ...ids: readonly number[]): void => run.add({}, { status: 200, body: ids.map((id) => pet(id)) });
const read = (run: Run, id: number, more = {}): void => run.add({ target: `/pets/${id}` }, { status: 200, body: pet(id, more) });

/** The list omits animal 2, which a read and lists with its status show. */
function omitting(): Run {
  const run = history();
  create(run, 1);
  create(run, 2, 'ConformanceTestBbbb');
  for (let turn = 0; turn < 3; turn += 1) list(run, 1);
  read(run, 2, { name: 'ConformanceTestBbbb' });
  return run;
}

describe('lifeOf', () => {
  test('has the creation and each response that tells of the animal, in order', () => {
    expect(life(omitting(), 'list.complete')).toEqual({
      id: '2',
      sent: { name: '"ConformanceTestBbbb"', categoryId: '3', status: '"sold"' },
      sights: [
        { place: 'creation', exchange: 2, asked: 'POST /pets', status: 201, at: 1_000, shows: 'the animal' },
        { place: 'list', exchange: 3, asked: 'GET /pets', status: 200, at: 2_000, shows: 'no animal', isWrong: true },
        { place: 'list', exchange: 4, asked: 'GET /pets', status: 200, at: 3_000, shows: 'no animal', isWrong: true },
        { place: 'list', exchange: 5, asked: 'GET /pets', status: 200, at: 4_000, shows: 'no animal', isWrong: true },
        { place: 'read', exchange: 6, asked: 'GET /pets/2', status: 200, at: 5_000, shows: 'the animal' },
      ],
      of: 5,
    });
  });

  test('says which member has another value than was sent', () => {
    const run = history();
    create(run, 1);
    list(run, 1);
    for (let turn = 0; turn < 2; turn += 1) read(run, 1, { status: 'available' });
    const { sights = [] } = life(run, 'get.agrees-with-list') ?? {};
    expect(sights.map(({ shows }) => shows)).toEqual(['the animal', 'the animal', 'another value', 'another value']);
    expect(sights[2]).toMatchObject({ other: { member: 'status', sent: '"sold"', shown: '"available"' }, isWrong: true });
  });

  test('keeps the first, the last, and each change of each place, and says for how many each stands', () => {
    const run = history();
    create(run, 1);
    for (let turn = 0; turn < 100; turn += 1) {
      if (turn === 50) run.add({ target: '/pets/1' }, error(404));
      else read(run, 1);
    }
    const { sights = [], of } = life(run, 'get.durable') ?? {};
    expect([of, sights.length]).toEqual([101, 20]);
    expect(sights.reduce((sum, { times = 1 }) => sum + times, 0)).toBe(101);
    expect(sights.filter(({ isWrong }) => isWrong).map(({ exchange, status }) => [exchange, status])).toEqual([[52, 404]]);
    expect([sights[1]?.exchange, sights.at(-1)?.exchange]).toEqual([2, 101]);
  });

  test('has at most forty, those of the beginning and of the end', () => {
    const run = history();
    create(run, 1);
    for (let turn = 0; turn < 100; turn += 1) {
      if (turn % 2 === 1) run.add({ target: '/pets/1' }, error(404));
      else read(run, 1);
    }
    const { sights = [] } = life(run, 'get.durable') ?? {};
    expect(sights.length).toBe(40);
    expect([sights[0]?.exchange, sights.at(-1)?.exchange]).toEqual([1, 101]);
  });

  test('is of no clause that is broken without an animal, and of none that holds', () => {
    expect(life(omitting(), 'list.success')).toBeUndefined();
    const run = history();
    list(run, 1);
    run.add({ target: '/pets?limit=7' }, error(400));
    expect(life(run, 'list.limit-accepted')).toBeUndefined();
  });

  test('shows no key, and no more of a value than its beginning', () => {
    const run = history();
    const name = `${'n'.repeat(55)}${KEY}${'n'.repeat(100)}`;
    create(run, 1);
    create(run, 2, name);
    for (let turn = 0; turn < 3; turn += 1) list(run, 1);
    run.add({ target: '/pets/2' }, { status: 200, body: pet(2, { name: `${name} ${KEY}` }) });
    const told = [...clauses].flatMap(({ id }) => life(run, id) ?? []);
    expect(told.length).toBeGreaterThan(0);
    expect(JSON.stringify(told)).not.toContain(KEY.slice(0, 8));
    expect(told.flatMap(({ sent }) => sent?.name ?? []).every(({ length }) => length <= 60)).toBe(true);
  });
});
