import type { CheckRecord, ReportedContrast, RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { requestText } from './case-text.ts';
import { count, oneLine, thousands } from './text.ts';

/** The contrast of a broken clause: the first one among its checks and invariants. */
export function contrastOf(checks: readonly CheckRecord[]): ReportedContrast | undefined {
  return checks.find(({ contrast }) => contrast !== undefined)?.contrast;
}

/** How the text begins if no case is correct. */
export const EACH_TIME = 'each time';

/** `only with limit=13: 3 of 3 responses; otherwise 0 of 57`; empty without a contrast. */
export function contrastText(contrast: ReportedContrast | undefined): string {
  if (contrast === undefined) return '';
  const { when, unit, there, elsewhere, asked } = contrast;
  const share = `${thousands(there.broken)} of ${count(there.of, unit)}`;
  if (when === undefined) return `${EACH_TIME}: ${share}`;
  const again = asked === true ? ', when asked again' : '';
  return oneLine(`only ${when}: ${share}; otherwise ${thousands(elsewhere.broken)} of ${thousands(elsewhere.of)}${again}`, 500);
}

/** Headers that differ between requests, or that the request line shows already. */
const PASSING: readonly string[] = ['authorization', 'traceparent', 'content-length'];

/** `with accept: text/html, without user-agent`: how the headers of a request differ from those of another. */
function headersBeside(headers: RedactedExchange['requestHeaders'], others: RedactedExchange['requestHeaders']): readonly string[] {
  const valuesOf = (all: typeof headers) =>
    new Map(all.map(([name, value]) => [name.toLowerCase(), value] as const).filter(([name]) => !PASSING.includes(name)));
  const [own, theirs] = [valuesOf(headers), valuesOf(others)];
  const added = [...own].filter(([name, value]) => theirs.get(name) !== value).map(([name, value]) => `with ${name}: ${value}`);
  return [...added, ...[...theirs.keys()].filter((name) => !own.has(name)).map((name) => `without ${name}`)];
}

/**
 * `GET /pets?limit=14 → 200`: the nearest request that does not break the clause, with the differences of its headers; empty if there is
 * none.
 */
export function twinText(contrast: ReportedContrast | undefined, record: RunRecord): string {
  const twin = contrast?.twin;
  if (twin === undefined) return '';
  const [request, broken] = [twin, contrast?.broken].map((one) => (one === undefined ? '' : requestText(one, record)));
  const headers = request === broken ? headersBeside(twin.requestHeaders, contrast?.broken?.requestHeaders ?? []) : [];
  return `${request}${headers.length === 0 ? '' : ` ${headers.join(', ')}`} → ${statusOf(twin)}`;
}

function statusOf({ answer }: RedactedExchange): string {
  return answer.kind === 'failed' ? 'no response' : String(answer.status);
}
