import type { Sample } from './sample.ts';

/** Consecutive runs after which an operation that only asks to wait counts as broken. */
export const UNANSWERED_RULE = 3;

/** By operation: consecutive runs in which it was requested and never served; served operations are not listed. */
export type Unanswered = Readonly<Record<string, number>>;

/** Statuses that ask to retry later. */
const POSTPONED = new Set(['429', '503']);
/**
 * Statuses that say nothing about the operation: a request without a key is rejected before anything is examined, and `none` is a missing
 * response.
 */
const BESIDES = new Set(['401', 'none']);
const SUCCESS = { listPets: 'list.success', createPet: 'create.success', getPet: 'get.success' } as const;

/** The counts after a sample. An operation that was not requested keeps its count. */
export function countUnanswered(before: Unanswered, { responses }: Pick<Sample, 'responses'>): Unanswered {
  const counts: Record<string, number> = { ...before };
  for (const asked of new Set(responses.map(({ operation }) => operation))) {
    const codes = responses.filter(({ operation, count }) => operation === asked && count > 0).map(({ code }) => code);
    const isPutOff = codes.some((code) => POSTPONED.has(code));
    // Rotating checks also request animals that do not exist: their 404 may come from a router in front of the operation.
    const isServed = codes.some((code) => (isPutOff ? code.startsWith('2') : !BESIDES.has(code)));
    if (isServed) delete counts[asked];
    else if (isPutOff) counts[asked] = (counts[asked] ?? 0) + 1;
  }
  return counts;
}

/**
 * The sample of a run in which an operation only asked to wait: the service is degraded, and one that has not served it in three runs is
 * broken, however polite its rejections are.
 */
export function failUnanswered(sample: Sample, before: Unanswered): Sample {
  if (sample.verdict === 'fail' || sample.verdict === 'unknown') return sample;
  const after = countUnanswered(before, sample);
  const [longest] = Object.entries(after)
    .filter(([operation, runs]) => runs > (before[operation] ?? 0))
    .sort(([, a], [, b]) => b - a);
  if (longest === undefined) return sample;
  const [operation, runs] = longest;
  const wait = 'the service only asked to wait (429 or 503)';
  if (runs < UNANSWERED_RULE) return { ...sample, verdict: 'degraded', note: `${operation} was not served: ${wait}` };
  const clause = Object.entries(SUCCESS).find(([name]) => name === operation)?.[1];
  return {
    ...sample,
    verdict: 'fail',
    reason: 'status',
    ...(clause === undefined ? {} : { clause: clause }),
    note: `${operation} was not served in ${runs} runs in a row: ${wait}`,
  };
}

/** The same rule for runs on request: earlier runs are kept in memory, by target. */
export function createUnansweredWatch(): { judge(sample: Sample): Sample; keep(targets: ReadonlySet<string>): void } {
  const counts = new Map<string, Unanswered>();
  return {
    judge(sample) {
      const before = counts.get(sample.target) ?? {};
      counts.set(sample.target, countUnanswered(before, sample));
      return failUnanswered(sample, before);
    },
    keep(targets) {
      for (const name of counts.keys()) if (!targets.has(name)) counts.delete(name);
    },
  };
}
