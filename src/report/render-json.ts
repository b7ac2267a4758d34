import type { RunRecord } from '../clause/run-record.ts';
import { inertJson } from './inert.ts';

/** The run record itself (schemas/run-record.schema.json), indented for diffs. */
export function renderJson(record: RunRecord): string {
  return `${inertJson(JSON.stringify(record, undefined, 2))}\n`;
}
