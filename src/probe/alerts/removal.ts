import { REMOVAL, REMOVAL_DATE } from '../../clause/removal.ts';

/** The removal of getPet that the document plans: expected on a date, not an outage. */
export const PLANNED_REMOVAL = {
  operation: 'getPet',
  clause: 'deprecation.still-works',
  date: REMOVAL_DATE,
  replacement: 'GET /pets with the status filter',
  ahead: 90,
} as const;

const DAY = 86_400_000;

/** Seconds since 1970 from which the operation may have been removed: for metrics. */
export const REMOVAL_SECONDS = REMOVAL / 1000;

/** Whole days until the removal, by UTC dates; negative after it. */
export function daysToRemoval(now: number): number {
  return Math.ceil((REMOVAL - now) / DAY);
}

/** Whether the removal is to be announced, also after it. */
export function isRemovalNear(now: number): boolean {
  return daysToRemoval(now) <= PLANNED_REMOVAL.ahead;
}

export function isAnnouncementDue(announced: readonly string[], now: number): boolean {
  return isRemovalNear(now) && !announced.includes(PLANNED_REMOVAL.date);
}
