/** The document: "scheduled for removal on 5 December 2030". */
export const REMOVAL_DATE = '2030-12-05';

/** When that day begins. The document names no time zone; here it begins at midnight UTC, like dates in HTTP. */
export const REMOVAL = Date.parse(`${REMOVAL_DATE}T00:00:00Z`);

/** Statuses that getPet may return from that day on, with an Error body, instead of an animal. */
export const REMOVED_STATUSES: readonly number[] = [404, 405, 410, 501];

/** Statuses that can only mean that the operation has been removed, not that the animal is missing. */
export const GONE_STATUSES: readonly number[] = [405, 410, 501];

/** Whether getPet may have been removed by then. */
export function mayBeRemoved(now: Date): boolean {
  return now.getTime() >= REMOVAL;
}
