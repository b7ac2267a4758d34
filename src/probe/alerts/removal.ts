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

/** Whole days until the removal, by UTC dates; negative when it is past. */
export function daysToRemoval(now: number): number {
  return Math.ceil((Date.parse(`${PLANNED_REMOVAL.date}T00:00:00Z`) - now) / DAY);
}

/** True when the removal is to be announced, and was not. */
export function isAnnouncementDue(announced: readonly string[], now: number): boolean {
  return daysToRemoval(now) <= PLANNED_REMOVAL.ahead && !announced.includes(PLANNED_REMOVAL.date);
}
