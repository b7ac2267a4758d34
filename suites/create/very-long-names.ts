import { inconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { VERY_LONG_NAMES } from '../cases/unusual-names.ts';
import { judgeNames } from './kept-names.ts';

const CONTENT_TOO_LARGE = 413;

/** The fraction of the deadline within which the shortest of the very long names must be accepted: the longest one has six times its bytes. */
const SHARE = 1 / 12;

/** A slow service would exceed the deadline with longer names and the lists that show them. */
function isTooSlow(s: Session): boolean {
  const [first] = VERY_LONG_NAMES;
  const length = first?.name('').length ?? 0;
  return [...s.knowledge.created.values()].some(
    ({ sent, exchange }) => sent.name.length >= length && exchange.timings.duration > s.options.timeout * SHARE,
  );
}

/** Judges very long names, the shortest first: the others are not sent where that takes too long. */
export async function judgeVeryLong(s: Session): Promise<Outcome> {
  const about = { also: [CONTENT_TOO_LARGE], evidence: 'names of 16,384, 65,536, and 30,000 characters' };
  const shortest = await judgeNames(s, VERY_LONG_NAMES.slice(0, 1), about);
  if (shortest.kind !== 'pass') return shortest;
  if (isTooSlow(s)) return inconclusive('a name of 16,384 letters takes so long that longer ones would exceed the deadline', 'service');
  return judgeNames(s, VERY_LONG_NAMES.slice(1), { ...about, evidence: 'names of 65,536 and 30,000 characters, after one of 16,384' });
}
