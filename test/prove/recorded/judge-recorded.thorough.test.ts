import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../support/program.ts';
import type { RecordedSubject } from '../result.ts';
import { judgeRecorded, recordSubject } from './judge-recorded.ts';

const LONG = 300_000;

describe('what was recorded is judged as it was judged then', () => {
  // Found by rules; read through a departure that is confirmed during the run; conforming; a hold-out.
  test.each<RecordedSubject>([
    { kind: 'fault', name: 'deprecation-not-announced' },
    { kind: 'fault', name: 'list-wrapped-in-items' },
    { kind: 'variant', name: 'no-reason-phrase' },
    { kind: 'holdout', name: 'page-size-setting-is-25' },
  ])('$kind $name', { timeout: LONG }, async (subject) => {
    const folder = ownFolder();
    const then = await recordSubject(folder, subject);
    // Not only the verdicts: also notes, causes, and the form of the report.
    expect(judgeRecorded(folder, subject)).toEqual({ now: then, then });
  });
});
