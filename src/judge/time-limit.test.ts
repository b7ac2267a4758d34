import { describe, expect, test } from 'vitest';
import { createTimekeeper, type Fitting, plannedRequests, whatFits } from './time-limit.ts';

const STANDARD = { depth: 'standard', readOnly: false } as const;
const AT_FIRST = { step: 'read', sent: 0 } as const;

describe('what fits into the time', () => {
  test('is everything, if the time allows all planned requests', () => {
    expect(whatFits(STANDARD, { ...AT_FIRST, requests: plannedRequests(STANDARD) })).toBeUndefined();
  });

  test('is a part of each table, then no exhaustive checks, then one case of each', () => {
    const at = (requests: number) => whatFits(STANDARD, { ...AT_FIRST, requests });
    expect(at(1_700)).toEqual({ requests: 1_700, exhaustive: true, share: expect.closeTo(0.5, 1), essential: true });
    expect(at(900)).toEqual({ requests: 900, exhaustive: false, share: expect.closeTo(0.5, 1), essential: true });
    expect(at(100)).toEqual({ requests: 100, exhaustive: false, share: 0, essential: false });
  });

  test('is no step whose single cases would end after the time', () => {
    const at = (requests: number, sent = 0) => whatFits(STANDARD, { step: 'large-store', sent, requests })?.essential;
    expect([at(110), at(90), at(90, 30), at(0, 300)]).toEqual([true, false, true, false]);
  });

  test('grows when less was needed than planned: what was sent in earlier steps does not count', () => {
    expect(whatFits(STANDARD, { step: 'property', sent: 0, requests: 800 })).toBeUndefined();
    expect(whatFits(STANDARD, { step: 'property', sent: 500, requests: 400 })).toBeUndefined();
  });

  test('of a quick run has no exhaustive checks anyway', () => {
    expect(whatFits({ depth: 'quick', readOnly: true }, { ...AT_FIRST, requests: 400 })).toMatchObject({ exhaustive: false });
  });
});

describe('a timekeeper', () => {
  function keeperOf(allowedRate: number | undefined) {
    const fits: (Pick<Fitting, 'requests' | 'share'> | undefined)[] = [];
    const notices: string[] = [];
    const open = {
      allowedRate: () => allowedRate,
      requests: () => 30,
      fitInto: (fit: Pick<Fitting, 'requests' | 'share'> | undefined) => void fits.push(fit),
      session: { notice: (sentence: string) => void notices.push(sentence) },
    };
    return { fits, notices, keeper: createTimekeeper(open as never, { ...STANDARD, seconds: 60 }) };
  }

  test('leaves a run alone whose service rejects nothing for its rate', () => {
    const { fits, notices, keeper } = keeperOf(undefined);
    keeper.begin();
    expect(keeper.fit('read')).toBeUndefined();
    keeper.note();
    expect({ fits, notices }).toEqual({ fits: [undefined], notices: [] });
  });

  test('tells the session what fits, and the report what was left out', () => {
    const { fits, notices, keeper } = keeperOf(15);
    keeper.begin();
    expect(keeper.fit('read')).toMatchObject({
      exhaustive: false,
      reason: expect.stringMatching(/about 15 requests per second.* within 60 s/),
    });
    keeper.note();
    expect(fits).toMatchObject([{ requests: expect.any(Number), share: expect.any(Number) }]);
    expect(notices).toEqual([
      expect.stringMatching(/^Less was sent than planned, because .* and no exhaustive check\. A longer --deadline judges more$/),
    ]);
  });
});
