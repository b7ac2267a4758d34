import type { Level } from '../clause/clause.ts';
import type { CheckRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { FAILURE_REASONS, type FailureReason, type SampleFailure } from './sample.ts';

/** Clauses about the shape of responses. */
const SCHEMA_CLAUSES = /^(?:record\.pets?|errors\.shape|media\.)/;
/** Clauses about status codes. */
const STATUS_CLAUSES =
  /^(?:[a-z]+\.success|auth\.|get\.not-found|list\.(?:limit|status)-accepted|errors\.(?:status-agrees|no-server-error)|deprecation\.still-works)/;

const LONGEST_URL = 300;
const LONGEST_BODY = 800;

const cut = (text: string, longest: number): string => (text.length > longest ? `${text.slice(0, longest)}…` : text);

/** A request and its response in a few lines: without the host, and with Content-Type as the only header. */
function exchangeText({ method, url, credential, answer }: RedactedExchange): string {
  const { pathname = url, search = '' } = URL.parse(url) ?? {};
  const asked = `${method} ${cut(`${pathname}${search}`, LONGEST_URL)}\n(with ${cut(credential, LONGEST_URL)})`;
  if (answer.kind === 'failed') return `${asked}\n\nno complete response (${answer.reason}): ${cut(answer.message, LONGEST_URL)}`;
  const type = answer.headers.find(([name]) => name === 'content-type')?.[1];
  const body =
    answer.body === undefined ? `(${answer.size} bytes, not UTF-8)` : answer.body === '' ? '(no body)' : cut(answer.body, LONGEST_BODY);
  return `${asked}\n\n${answer.status}${type === undefined ? '' : `\ncontent-type: ${cut(type, LONGEST_URL)}`}\n\n${body}`;
}

/** Why a check failed, as one of a closed list of words. */
export function reasonOf(check: Pick<CheckRecord, 'clause' | 'findings'>): FailureReason {
  const answer = check.findings[0]?.exchanges.at(-1)?.answer;
  if (answer?.kind === 'failed') return FAILURE_REASONS.find((reason) => reason === answer.reason) ?? 'protocol';
  if (SCHEMA_CLAUSES.test(check.clause)) return 'schema';
  if (STATUS_CLAUSES.test(check.clause) || (answer?.kind === 'answered' && answer.status >= 500)) return 'status';
  return 'assertion';
}

/** A failed check or invariant for a sample. */
export function failureOf(check: CheckRecord, level: Level): SampleFailure {
  const exchange = check.findings[0]?.exchanges.at(-1);
  const shown = exchange === undefined ? {} : { exchange: exchangeText(exchange) };
  return { clause: check.clause, level, check: check.id, reason: reasonOf(check), summary: check.note, ...shown };
}
