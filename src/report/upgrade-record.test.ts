import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { upgradeRecord } from './upgrade-record.ts';

/** The sample as version 1 had it: a check for each situation, which has what was found. */
function version1({ judged: _judged, clauses, ...record }: RunRecord) {
  const checks = clauses.flatMap(({ id, musts, findings, cases, failureKinds, besideWaivers, observations, evidence, verdict }) =>
    musts.map((must, place) => ({
      ...{ ...must, id: `${id}/${place}`, clause: id, kind: 'check', duration: 1, findings: [], observations: [] },
      ...(must.verdict === verdict ? { findings, cases, failureKinds, besideWaivers, observations, evidence } : {}),
    })),
  );
  const heads = clauses.map(
    ({ musts, note, why, blockedBy, findings, cases, failureKinds, besideWaivers, observations, evidence, ...head }) => ({
      ...head,
      ...(head.verdict === 'pass' ? { undecided: 1 } : {}),
    }),
  );
  return { ...record, version: 1, judged: { clauses: {}, checks: {} }, passing: [], clauses: heads, checks };
}

describe('upgradeRecord', () => {
  test('makes of a record of version 1 what a run writes today', () => {
    const record = sampleRecord();
    expect(upgradeRecord(JSON.parse(JSON.stringify(version1(record))))).toEqual(JSON.parse(JSON.stringify(record)));
  });

  test('names the clause of a check among the reasons', () => {
    const record = sampleRecord();
    const reasons = ['record.pet/0', 'record.pet/1', 'the waiver of x expired'];
    const old = { ...version1(record), conclusion: { ...record.conclusion, reasons } };
    expect(upgradeRecord(old)).toMatchObject({ conclusion: { reasons: ['record.pet', 'the waiver of x expired'] } });
  });

  test('leaves everything else as it is, and throws for a damaged record', () => {
    for (const value of [sampleRecord(), null, 7, { version: 2 }]) expect(upgradeRecord(value)).toBe(value);
    expect(() => upgradeRecord({ version: 1, clauses: [], checks: 7 })).toThrow(TypeError);
  });
});
