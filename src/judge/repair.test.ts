import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { conclude, type Ending } from './conclusion.ts';
import { type Repair, recordsOfRepair } from './repair.ts';

const [UNIQUE, ORDER, ADVISED] = ['list.unique', 'list.order', 'auth.challenge'] as const satisfies readonly ClauseId[];

function record(id: ClauseId, verdict: ClauseRecord['verdict']): ClauseRecord {
  return {
    ...{ id, chapter: 'list-pets', section: 'List animals', requirement: 'an animal once', likelyCause: 'a join', note: 'seen' },
    level: id === ADVISED ? 'advised' : 'required',
    ...{ verdict, musts: [{ title: 'lists', verdict, note: 'seen' }], observations: [], findings: [] },
  };
}

const NOTHING: Repair = { repaired: [], broken: [], newlyBroken: [], undecided: [] };

function concluded(repair: Partial<Repair>, clauses: readonly ClauseRecord[], changes: Partial<Ending> = {}) {
  const { exitCode, headline, reasons } = conclude({
    ...{ clauses, repair: { ...NOTHING, ...repair }, now: new Date('2026-11-21'), strict: false, interrupted: undefined },
    evidence: { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: [] },
    ...{ internalErrors: [], unreachable: undefined, staleWaivers: [], ...changes },
  });
  return [exitCode, headline, reasons] as const;
}

describe('a run that sends again what was broken ends', () => {
  test('green if all of it holds', () => {
    expect(concluded({ repaired: [UNIQUE, ORDER] }, [record(UNIQUE, 'pass'), record(ORDER, 'pass')])).toEqual([
      0,
      'conformant where judged: the 2 clauses that failed then hold now',
      [],
    ]);
  });

  test('green, with a warning, if only advice fails still', () => {
    expect(concluded({ repaired: [UNIQUE], broken: [ADVISED] }, [record(ADVISED, 'fail'), record(UNIQUE, 'pass')])).toEqual([
      0,
      'conformant where judged, with 1 warning: 1 of the 2 clauses that failed then holds now',
      [ADVISED],
    ]);
  });

  test('red if some of it fails still, or if something else does', () => {
    expect(concluded({ repaired: [UNIQUE], broken: [ORDER] }, [record(UNIQUE, 'pass'), record(ORDER, 'fail')])).toEqual([
      1,
      'not conformant: 1 clause broken; 1 of the 2 clauses that failed then fails still',
      [ORDER],
    ]);
    const undecided = [{ clause: UNIQUE, reason: `${ORDER} is broken, which may hide it`, hiddenBy: ORDER }];
    expect(concluded({ newlyBroken: [ORDER], undecided }, [record(UNIQUE, 'inconclusive'), record(ORDER, 'fail')])).toEqual([
      1,
      'not conformant: 1 clause broken; what failed then was not seen to fail again',
      [ORDER],
    ]);
  });

  test('undecided, with the reasons', () => {
    const undecided = [{ clause: ORDER, reason: 'not met: lists (an animal)' }];
    expect(concluded({ repaired: [UNIQUE], undecided }, [record(UNIQUE, 'pass'), record(ORDER, 'inconclusive')])).toEqual([
      3,
      'could not be judged: it is undecided whether 1 of the 2 clauses that failed then holds now; run the whole suite',
      [`${ORDER}: not met: lists (an animal)`],
    ]);
  });

  test('green if only what a waiver covers may hide it', () => {
    const undecided = [{ clause: UNIQUE, reason: `${ORDER} is broken, which may hide it`, hiddenBy: ORDER }];
    const [exitCode, headline] = concluded({ newlyBroken: [ORDER], undecided }, [record(UNIQUE, 'pass'), record(ORDER, 'waived')]);
    expect(exitCode).toBe(0);
    expect(headline).toBe('conformant but for 1 waived clause where judged: the clause that failed then holds now');
  });

  test('as any other run does if it was interrupted', () => {
    expect(concluded({ broken: [ORDER] }, [record(ORDER, 'fail')], { interrupted: 'SIGINT' })[0]).toBe(130);
  });
});

test('its record has what was broken, by the situations that were sent again, and what is broken now', () => {
  const [lists, others] = [
    { title: 'lists', verdict: 'pass', note: 'seen' },
    { title: 'other lists', verdict: 'inconclusive', why: 'circumstance', note: 'an animal' },
  ] as const;
  const own = { rows: [{ op: 'list' }], musts: ['lists'] };
  const again = [
    { clause: UNIQUE, ...own },
    { clause: ORDER, ...own },
  ];
  const records = [
    { ...record(UNIQUE, 'pass'), musts: [lists, others] },
    { ...record(ORDER, 'fail'), again: { rows: [], musts: [] } },
    record(ADVISED, 'fail'),
    record('list.success', 'pass'),
  ];
  const repair = { ...NOTHING, broken: [ORDER], undecided: [{ clause: UNIQUE, reason: 'not sent each time' }] };
  expect(recordsOfRepair(records, { again, repair })).toEqual([
    { ...record(UNIQUE, 'inconclusive'), why: 'choice', note: 'not sent each time', musts: [lists], again: own },
    { ...record(ORDER, 'fail'), again: own },
    record(ADVISED, 'fail'),
  ]);
});

test('its record says for what a clause waits that holds but for another one', () => {
  const again = [{ clause: UNIQUE, rows: [{ op: 'list' }], musts: ['lists'] }] as const;
  const undecided = [{ clause: UNIQUE, reason: `${ORDER} is broken, which may hide it`, hiddenBy: ORDER }];
  const [waiting] = recordsOfRepair([record(UNIQUE, 'pass')], { again, repair: { ...NOTHING, newlyBroken: [ORDER], undecided } });
  expect(waiting).toMatchObject({ verdict: 'inconclusive', why: 'waits', blockedBy: ORDER, note: `${ORDER} is broken, which may hide it` });
});

test.each([
  ['ends the doubt of then if it was broken each time', undefined, undefined],
  ['keeps the doubt of then if it was not', 'not each time', 'not each time'],
])('its record of what is broken still %s', (_case, now, kept) => {
  const before = { rows: [{ op: 'list' }], musts: ['lists'], doubt: 'not each time' };
  const seen = {
    rows: [{ op: 'list' }, { op: 'list', limit: 3 }],
    musts: ['lists', 'limits'],
    ...(now === undefined ? {} : { doubt: now }),
  };
  const [still] = recordsOfRepair([{ ...record(UNIQUE, 'fail'), again: seen }], {
    again: [{ clause: UNIQUE, ...before }],
    repair: { ...NOTHING, broken: [UNIQUE] },
  });
  expect(still?.again).toEqual(kept === undefined ? seen : before);
});
