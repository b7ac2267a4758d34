import type { Circumstances } from '../../src/probe/alerts/event.ts';
import type { Sample } from '../../src/probe/sample.ts';

import { TARGET_DEFAULTS } from '../../src/probe/target.ts';

/** The default values of a target. */
export const USUAL: Circumstances = { link: null, rule: TARGET_DEFAULTS.alertRule, remindEvery: undefined };

/** A sample with only the relevant values given. */
export function sampleOf(given: Partial<Sample>): Sample {
  const verdict = given.verdict ?? 'pass';
  const failed = verdict === 'fail' ? { reason: 'status' as const, clause: 'list.success' as const } : {};
  return {
    target: 'production',
    at: 0,
    duration: 12,
    verdict,
    ...failed,
    note: verdict === 'fail' ? 'a list is answered 500, not 200' : 'all is well',
    failures: [],
    rotation: [],
    clauses: { pass: 3, fail: 0, inconclusive: 0, 'not-applicable': 0, observed: 0, waived: 0 },
    responses: [{ operation: 'listPets', code: '200', count: 3 }],
    requests: 3,
    slow: false,
    httpStatus: 200,
    phases: {},
    impressions: [],
    ...given,
  };
}
