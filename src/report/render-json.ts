import type { RunRecord } from '../clause/run-record.ts';
import { inertJson } from './inert.ts';

/** An array of numbers, indented. Line ends in texts are escaped, so this is no part of one. */
const NUMBERS = /\[\n\s+(?:[-+.e\d]+,\n\s+)*[-+.e\d]+\n\s+\]/g;

/** The run record itself (schemas/run-record.schema.json), indented for diffs; arrays of numbers, which may be long, are one line each. */
export function renderJson(record: RunRecord): string {
  const text = JSON.stringify(record, undefined, 2).replace(NUMBERS, (numbers) => numbers.replace(/\s+/g, ''));
  return `${inertJson(text)}\n`;
}
