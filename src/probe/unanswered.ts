import type { Sample } from './sample.ts';

/** Runs in a row after which an operation that only asks to wait is one that does not work. */
export const UNANSWERED_RULE = 3;

/** By operation: runs in a row in which it was asked and never answered; those that were are not in it. */
export type Unanswered = Readonly<Record<string, number>>;

/** Statuses that ask to come again later. */
const POSTPONED = new Set(['429', '503']);
/** Statuses that say nothing of the operation: what has no key is told so before anything is looked at, and no response is none. */
const BESIDES = new Set(['401', 'none']);
const SUCCESS = { listPets: 'list.success', createPet: 'create.success', getPet: 'get.success' } as const;

/** What a sample makes of the counts. An operation that was not asked keeps its own. */
export function countUnanswered(before: Unanswered, { responses }: Pick<Sample, 'responses'>): Unanswered {
  const counts: Record<string, number> = { ...before };
  for (const asked of new Set(responses.map(({ operation }) => operation))) {
    const codes = responses.filter(({ operation, count }) => operation === asked && count > 0).map(({ code }) => code);
    const isPutOff = codes.some((code) => POSTPONED.has(code));
    // What takes turns asks for animals that there are not, too: their 404 may come from a router that the operation stands behind.
    const isServed = codes.some((code) => (isPutOff ? code.startsWith('2') : !BESIDES.has(code)));
    if (isServed) delete counts[asked];
    else if (isPutOff) counts[asked] = (counts[asked] ?? 0) + 1;
  }
  return counts;
}

/**
 * The sample of a run in which an operation asked to wait and nothing else: the service is not as well as it should be, and one that has
 * not answered in three runs is broken, however polite its refusals are.
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

/** The same rule for runs that somebody asks for: what came before them is kept in memory, by target. */
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
