import { count, thousands } from '../text.ts';
import type { ChapterRows } from './compare-runs.ts';

/** How far runs agree, in a sentence. */
export function likewise(differing: number, chapters: readonly ChapterRows[]): string {
  const all = chapters.reduce((sum, { rows }) => sum + rows.length, 0);
  if (all === 0) return 'None of them judged a requirement';
  return differing === 0
    ? `The same verdict on ${count(all, 'requirement')}`
    : `Different verdicts on ${thousands(differing)} of ${count(all, 'requirement')}`;
}
