/** The removal of getPet that the document plans: an expectation with a date, not an outage. */
export const PLANNED_REMOVAL = {
  operation: 'getPet',
  clause: 'deprecation.still-works',
  date: '2030-12-05',
  replacement: 'GET /pets with the status filter',
  /** Days ahead from which it is announced. */
  ahead: 90,
} as const;

const DAY = 86_400_000;
const MOMENT = Date.parse(`${PLANNED_REMOVAL.date}T00:00:00Z`);

/** Seconds since 1970 from which the operation may be gone: for metrics. */
export const REMOVAL_SECONDS = MOMENT / 1000;

/** Whole days until the removal, by UTC dates; negative when it is past. */
export function daysToRemoval(now: number): number {
  return Math.ceil((MOMENT - now) / DAY);
}

/** True from the day on from which the removal is announced, also when it is past. */
export function isRemovalNear(now: number): boolean {
  return daysToRemoval(now) <= PLANNED_REMOVAL.ahead;
}

/** True when the removal is to be announced, and was not. */
export function isAnnouncementDue(announced: readonly string[], now: number): boolean {
  return isRemovalNear(now) && !announced.includes(PLANNED_REMOVAL.date);
}
