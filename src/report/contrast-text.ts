import type { CheckRecord, ReportedContrast, RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { requestText } from './case-text.ts';
import { count, oneLine, thousands } from './text.ts';

/** The contrast of a broken clause: that of the first of its checks and invariants that has one. */
export function contrastOf(checks: readonly CheckRecord[]): ReportedContrast | undefined {
  return checks.find(({ contrast }) => contrast !== undefined)?.contrast;
}

/** `only with limit=13: 3 of 3 responses; otherwise 0 of 57`; empty without a contrast. */
export function contrastText(contrast: ReportedContrast | undefined): string {
  if (contrast === undefined) return '';
  const { when, unit, there, elsewhere } = contrast;
  const share = `${thousands(there.broken)} of ${count(there.of, unit)}`;
  if (when === undefined) return `each time: ${share}`;
  return oneLine(`only ${when}: ${share}; otherwise ${thousands(elsewhere.broken)} of ${thousands(elsewhere.of)}`, 500);
}

/** `GET /pets?limit=14 → 200`: the nearest request that does not break the clause; empty where there is none. */
export function twinText(contrast: ReportedContrast | undefined, record: RunRecord): string {
  const twin = contrast?.twin;
  return twin === undefined ? '' : `${requestText(twin, record)} → ${statusOf(twin)}`;
}

function statusOf({ answer }: RedactedExchange): string {
  return answer.kind === 'failed' ? 'no response' : String(answer.status);
}
