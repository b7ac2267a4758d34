/**
 * The document: "scheduled for removal on 5 December 2030". It names no time zone; the day begins at midnight UTC here, as dates in
 * HTTP are.
 */
export const REMOVAL = Date.UTC(2030, 11, 5);

/** What getPet may answer from that day on, with an Error body, instead of an animal. */
export const REMOVED_STATUSES: readonly number[] = [404, 405, 410, 501];

/** Answers that can only mean that the operation is gone: a missing animal is not among their meanings. */
export const GONE_STATUSES: readonly number[] = [405, 410, 501];

/** Whether getPet may be gone by then. */
export function mayBeRemoved(now: Date): boolean {
  return now.getTime() >= REMOVAL;
}
