import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/support/judge-samples.ts';
import type { ClauseId } from '../clause/clause.ts';
import type { PartRecord } from '../clause/part-record.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { settleRecords, unreportedDepartures } from './settle-records.ts';

const waiting = (id: string, blockedBy: ClauseId): PartRecord => ({ ...sampleRecord(id, 'inconclusive'), why: 'waits', blockedBy });
const RECOGNIZED = { recognized: true, lockedOut: false, outage: [] };

function rejected(id: string, ...statuses: readonly number[]): PartRecord {
  const findings = statuses.map((status) => {
    const response = { kind: 'answered', status, headers: [], body: undefined, size: 0 } as const;
    return { summary: 'rejected', expected: [], received: '', exchanges: [{ answer: response } as unknown as RedactedExchange] };
  });
  return { ...sampleRecord(id, 'fail'), findings };
}

describe('settleRecords', () => {
  test('leaves a check that waits for a clause which failed, or which this run does not judge', () => {
    const records = [
      sampleRecord('list.success/a', 'fail'),
      waiting('get.success/a', 'list.success'),
      waiting('get.success/b', 'record.pets'),
    ];
    expect(settleRecords(records, RECOGNIZED)).toEqual(records);
  });

  test('names the clause at the end of the chain', () => {
    const records = [
      sampleRecord('create.success/a', 'fail'),
      waiting('create.round-trip/a', 'create.success'),
      waiting('get.durable/a', 'create.round-trip'),
    ];
    expect(settleRecords(records, RECOGNIZED)[2]).toMatchObject({ why: 'waits', blockedBy: 'create.success' });
  });

  test('names no clause if none failed', () => {
    const [, settled] = settleRecords([sampleRecord('list.success/a', 'pass'), waiting('get.success/a', 'list.success')], RECOGNIZED);
    expect(settled).toMatchObject({ verdict: 'inconclusive', why: 'circumstance' });
    expect(settled).not.toHaveProperty('blockedBy');
  });

  test('passes nothing if the service was never recognized as a pet store', () => {
    const records = [
      sampleRecord('list.success/a', 'pass'),
      sampleRecord('list.order/a', 'observed'),
      sampleRecord('get.success/a', 'fail'),
    ];
    expect(settleRecords(records, { ...RECOGNIZED, recognized: false }).map(({ verdict }) => verdict)).toEqual([
      'inconclusive',
      'inconclusive',
      'fail',
    ]);
  });

  test('leaves undecided what only shows that the API key is permanently rejected', () => {
    const [key, mixed, other] = settleRecords(
      [rejected('auth.valid-key/a', 401, 401), rejected('auth.valid-key/b', 401, 403), rejected('auth.wrong-key/a', 401)],
      { ...RECOGNIZED, lockedOut: true },
    );
    expect(key).toMatchObject({ verdict: 'inconclusive', why: 'service', findings: [] });
    expect([mixed?.verdict, other?.verdict]).toEqual(['fail', 'fail']);
  });

  test('counts what an outage leaves of an invariant in the words of the invariant', () => {
    const record = (exchanges: readonly number[]): PartRecord => ({
      ...sampleRecord('media.json/all', 'fail'),
      cases: exchanges.map((exchange) => ({ summary: `number ${exchange}`, exchange })),
      evidence: { judged: 9, broken: exchanges.length },
    });
    const settle = (one: PartRecord): PartRecord | undefined => settleRecords([one], { ...RECOGNIZED, outage: [3, 4] })[0];
    expect(settle(record([1, 2, 3, 4]))).toMatchObject({ verdict: 'fail', note: 'number 1 (2 of 7 exchanges)' });
    expect(settle(record([3, 4]))).toMatchObject({ verdict: 'pass', note: '7 exchanges judged, none of which breaks it' });
  });

  test('leaves an intermittently rejected key red', () => {
    expect(settleRecords([rejected('auth.valid-key/a', 401)], RECOGNIZED)[0]?.verdict).toBe('fail');
  });
});

test('unreportedDepartures names what is read through and no clause reports', () => {
  const departure = { place: 'list', clause: 'record.pets', description: 'lists are read from "items"' } as const;
  expect(unreportedDepartures([sampleRecord('record.pets/a', 'fail')], [departure])).toEqual([]);
  expect(unreportedDepartures([sampleRecord('get.success/a', 'pass')], [departure])).toEqual([]);
  expect(unreportedDepartures([sampleRecord('record.pets/a', 'pass')], [departure])).toEqual([
    'record.pets does not report what is read through: lists are read from "items"',
  ]);
  // A clause that failed explains the cases, and therefore the departure.
  const explained = { ...sampleRecord('record.pets/a', 'inconclusive'), blockedBy: 'media.json' } as const;
  expect(unreportedDepartures([explained], [departure])).toEqual([]);
  expect(unreportedDepartures([sampleRecord('record.pets/a', 'inconclusive')], [departure])).toHaveLength(1);
  // Nor is it unreported where a list with fewer parameters explains the status.
  const both = { place: 'emptyList', clause: 'list.filter-with-limit', description: 'lists without animals with status 206' } as const;
  const passed = sampleRecord('list.filter-with-limit/a', 'pass');
  expect(unreportedDepartures([passed, sampleRecord('list.success/a', 'fail')], [both])).toEqual([]);
  expect(unreportedDepartures([passed, sampleRecord('list.success/a', 'pass')], [both])).toHaveLength(1);
});
