import { describe, expect, test } from 'vitest';
import { discountOwnFault } from '../../src/probe/own-fault.ts';
import { sampleOf } from './sample-of.ts';

const late = sampleOf({ verdict: 'fail', reason: 'timeout' });

describe('discountOwnFault', () => {
  test.for([
    ['a timeout while the process stood still is unknown', late, { stall: 1_500, busy: 0.1 }, 'unknown'],
    ['a timeout while the probe was overloaded is unknown', late, { stall: 0, busy: 0.99 }, 'unknown'],
    ['a timeout of a probe at ease is the failure of the target', late, { stall: 200, busy: 0.5 }, 'fail'],
    [
      'a wrong answer is one, however busy the probe is',
      sampleOf({ verdict: 'fail', reason: 'schema' }),
      { stall: 5_000, busy: 1 },
      'fail',
    ],
    [
      'a connection that was lost while the process stood still is unknown',
      sampleOf({ verdict: 'fail', reason: 'protocol' }),
      { stall: 1_500, busy: 0.1 },
      'unknown',
    ],
    [
      'a connection that is refused is the failure of the target, however busy the probe is',
      sampleOf({ verdict: 'fail', reason: 'connect' }),
      { stall: 200, busy: 1 },
      'fail',
    ],
    ['slowness of an overloaded probe is not that of the target', sampleOf({ verdict: 'degraded' }), { stall: 0, busy: 1 }, 'unknown'],
  ] as const)('%s.', ([, sample, own, verdict]) => {
    expect(discountOwnFault(sample, own).verdict).toBe(verdict);
  });
});
