import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Halt, haltInconclusive, inconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { type OpenSession, openSession } from '../../src/session/open-session.ts';
import { judgeProperty } from '../../suites/judging/judge-property.ts';
import { sessionOptions } from '../prove/judge-reference.ts';

const finding = (summary: string): Finding => ({ summary, expected: [], received: '', exchanges: [] });

let open: OpenSession;
beforeAll(async () => {
  // Nothing is sent: no server is needed.
  open = await openSession(sessionOptions('http://127.0.0.1:9/v1'));
});
afterAll(() => open.session.close());

const base = { name: 'numbers', cases: fc.nat({ max: 1000 }), planned: 100, evidence: 'fine' };

describe('judgeProperty', () => {
  it('passes with the number of cases when the law holds', async () => {
    expect(await judgeProperty(open.session, { ...base, law: async () => undefined })).toEqual({
      kind: 'pass',
      evidence: '100 cases: fine',
    });
  });

  it('fails with the findings of the smallest case', async () => {
    const outcome = await judgeProperty(open.session, {
      ...base,
      law: async (value) => (value >= 10 ? finding(`case ${value}`) : undefined),
    });
    expect(outcome).toMatchObject({ kind: 'fail', findings: [{ summary: 'case 10' }] });
  });

  it('sends no more cases for shrinking than it is allowed', async () => {
    let after = 0;
    let failed = false;
    const law = async (): Promise<Finding> => {
      after += failed ? 1 : 0;
      failed = true;
      return finding('always');
    };
    await judgeProperty(open.session, { ...base, cases: fc.bigInt({ min: 2n ** 60n, max: 2n ** 62n }), shrinking: 5, law });
    expect(after).toBeLessThanOrEqual(5);
  });

  it('is inconclusive when another clause stops a case', async () => {
    const law = async (value: number): Promise<undefined> =>
      value > 900 ? haltInconclusive('stopped', 'errors.answers' as never) : undefined;
    expect(await judgeProperty(open.session, { ...base, law })).toEqual({
      kind: 'inconclusive',
      missing: 'stopped',
      why: 'waits',
      blockedBy: 'errors.answers',
    });
  });

  it('passes on what was judged before the write budget was spent', async () => {
    let count = 0;
    const law = async (): Promise<undefined> => {
      count += 1;
      if (count > 30) throw new Halt(inconclusive('the write budget is spent', 'choice'));
      return undefined;
    };
    expect(await judgeProperty(open.session, { ...base, law })).toEqual({ kind: 'pass', evidence: '30 cases: fine' });
  });

  it('lets an error of our own code through', async () => {
    const law = async (): Promise<undefined> => Promise.reject(new TypeError('ours'));
    await expect(judgeProperty(open.session, { ...base, law })).rejects.toThrow('ours');
  });

  it('draws the same cases for the same seed', async () => {
    const drawn: number[][] = [[], []];
    for (const cases of drawn) await judgeProperty(open.session, { ...base, law: async (value) => void cases.push(value) });
    expect(drawn[0]).toEqual(drawn[1]);
  });

  describe('several cases at a time', () => {
    it('draws the same cases, and judges each of them once', async () => {
      const drawn: Record<1 | 4, number[]> = { 1: [], 4: [] };
      for (const atATime of [1, 4] as const)
        await judgeProperty(open.session, { ...base, atATime, law: async (value) => void drawn[atATime].push(value) });
      expect(drawn[4]).toHaveLength(100);
      expect(drawn[4].toSorted()).toEqual(drawn[1].toSorted());
    });

    it('judges so many at a time', async () => {
      let underWay = 0;
      let most = 0;
      const law = async (): Promise<undefined> => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
      };
      await judgeProperty(open.session, { ...base, atATime: 4, law });
      expect(most).toBe(4);
    });

    it('fails with the findings of the smallest case', async () => {
      const law = async (value: number): Promise<Finding | undefined> => {
        await new Promise(setImmediate);
        return value >= 10 ? finding(`case ${value}`) : undefined;
      };
      const outcome = await judgeProperty(open.session, { ...base, atATime: 4, law });
      expect(outcome).toMatchObject({ kind: 'fail', findings: [{ summary: 'case 10' }] });
    });

    it('lets an error of our own code through beside a failure', async () => {
      let count = 0;
      const law = async (): Promise<Finding> => {
        count += 1;
        if (count === 2) throw new TypeError('ours');
        await new Promise(setImmediate);
        return finding('always');
      };
      await expect(judgeProperty(open.session, { ...base, atATime: 4, law })).rejects.toThrow('ours');
    });
  });
});
