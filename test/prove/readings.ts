import { readFileSync } from 'node:fs';

const KEPT = new URL('readings.jsonl', import.meta.url);

export const READINGS = ['right', 'silent', 'wrong'] as const;

/** Whether what a report said of when the clause of a fault is broken is right, by somebody who knew the fault and had not seen the suite. */
export type Reading = {
  readonly fault: string;
  /** As the report said it; empty for nothing. */
  readonly says: string;
  readonly reading: (typeof READINGS)[number];
};

/** What was read, a fault a line. */
export function readReadings(): readonly Reading[] {
  return readFileSync(KEPT, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Reading);
}
