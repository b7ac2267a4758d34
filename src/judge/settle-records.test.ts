import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/judge-samples.ts';
import type { ClauseId } from '../clause/clause.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { settleRecords } from './settle-records.ts';

function rejected(id: string, ...statuses: readonly number[]): CheckRecord {
  const findings = statuses.map((status) => {
    const answer = { kind: 'answered', status, headers: [], body: undefined, size: 0 } as const;
    return { summary: 'rejected', expected: [], received: '', exchanges: [{ answer } as unknown as RedactedExchange] };
  });
  return { ...sampleRecord(id, 'fail'), findings };
}

const settle = (records: readonly CheckRecord[], changes: { recognized?: boolean; lockedOut?: boolean } = {}) =>
  settleRecords(records, { recognized: true, lockedOut: false, ...changes });

describe('settleRecords', () => {
  test('lets nothing pass that no pet store answered', () => {
    const records = [
      sampleRecord('list.success/a', 'pass'),
      sampleRecord('list.order/a', 'observed'),
      sampleRecord('get.success/a', 'fail'),
    ];
    expect(settle(records, { recognized: false }).map(({ verdict, why }) => [verdict, why])).toEqual([
      ['inconclusive', 'circumstance'],
      ['inconclusive', 'circumstance'],
      ['fail', undefined],
    ]);
  });

  test('names the clause that failed in the end, and none where nothing did', () => {
    const waiting = (id: string, blockedBy: string): CheckRecord => ({
      ...sampleRecord(id, 'inconclusive'),
      why: 'waits',
      blockedBy: blockedBy as ClauseId,
    });
    const chain = [
      waiting('a.a/x', 'b.b'),
      waiting('b.b/x', 'c.c'),
      sampleRecord('c.c/x', 'fail'),
      waiting('d.d/x', 'e.e'),
      sampleRecord('e.e/x', 'pass'),
    ];
    const [first, second, , fourth] = settle(chain);
    expect([first?.blockedBy, second?.blockedBy]).toEqual(['c.c', 'c.c']);
    expect(fourth).toMatchObject({ why: 'circumstance' });
    expect(fourth).not.toHaveProperty('blockedBy');
  });

  test('leaves undecided what only says that the API key is rejected for good', () => {
    const [key, mixed, other] = settle(
      [rejected('auth.valid-key/a', 401, 401), rejected('auth.valid-key/b', 401, 403), rejected('auth.wrong-key/a', 401)],
      { lockedOut: true },
    );
    expect(key).toMatchObject({ verdict: 'inconclusive', why: 'service', findings: [] });
    expect([mixed?.verdict, other?.verdict]).toEqual(['fail', 'fail']);
  });

  test('leaves a key that is rejected now and then red', () => {
    expect(settle([rejected('auth.valid-key/a', 401)])[0]?.verdict).toBe('fail');
  });
});
