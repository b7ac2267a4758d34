import type { RunRecord } from '../clause/run-record.ts';

/** The run record itself (schemas/run-record.schema.json), indented for diffs. */
export function renderJson(record: RunRecord): string {
  return `${JSON.stringify(record, undefined, 2)}\n`;
}
