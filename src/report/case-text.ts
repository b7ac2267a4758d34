import type { RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import type { Case } from './broken-clauses.ts';
import { locatePointer } from './locate-pointer.ts';
import { oneLine } from './text.ts';

/** A case in three short texts: what was sent, the status that it got, and what is wrong with the response. */
export type CaseText = { readonly request: string; readonly status: string; readonly received: string };

const LONGEST = 1_000;
const LONGEST_BODY = 5_000;
const VALID_CREDENTIAL = 'the API key';

/** A case as a row of a table says it; names that the run made up are an ellipsis. Where only the finding says what is wrong, it is the whole row. */
export function caseText({ summary, finding, exchange }: Case, record: RunRecord): CaseText {
  const received = exchange === undefined ? undefined : receivedText(exchange, finding.pointer);
  if (exchange === undefined || received === undefined) return { request: oneLine(summary, LONGEST), status: '', received: '' };
  const earlier = finding.exchanges.length > 1 ? `after ${finding.exchanges.length - 1} more, ` : '';
  const { answer } = exchange;
  const short = (text: string): string => oneLine(withoutNames(text, record), LONGEST);
  return {
    request: earlier + short(`${requestLine(exchange, record)}${exchange.requestBody === undefined ? '' : ` ${exchange.requestBody}`}`),
    status: answer.kind === 'failed' ? '–' : String(answer.status),
    received: short(received),
  };
}

/** The body of a case that was accepted, and the status. */
export function acceptedText({ exchange, summary }: Case, record: RunRecord): string {
  if (exchange?.answer.kind !== 'answered' || exchange.requestBody === undefined) return oneLine(summary, LONGEST);
  return `${oneLine(withoutNames(exchange.requestBody, record), LONGEST)} → ${exchange.answer.status}`;
}

/** `GET /pets`, and the credential where it is not the API key. */
export function requestLine({ method, url, credential }: RedactedExchange, { target }: RunRecord): string {
  const path = url.startsWith(target.baseUrl) ? url.slice(target.baseUrl.length) : url;
  const sent = credential === VALID_CREDENTIAL || credential === '' ? '' : ` (${credential})`;
  return oneLine(`${method} ${path}${sent}`, LONGEST);
}

/** The value at fault, or the body of an error or of a creation; undefined where the body says nothing without the finding. */
function receivedText({ answer, method }: RedactedExchange, pointer: string | undefined): string | undefined {
  if (answer.kind === 'failed') return `no response: ${oneLine(answer.reason, 100)}`;
  const body = (answer.body ?? '').slice(0, LONGEST_BODY);
  const span = pointer === undefined || pointer === '' ? undefined : locatePointer(body, pointer.slice(0, LONGEST));
  if (span !== undefined) return `${pointer}: ${body.slice(span.from, span.to)}`;
  return answer.status >= 400 || method === 'POST' ? body : undefined;
}

function withoutNames(text: string, { animals }: RunRecord): string {
  return /^[A-Za-z]{3,60}$/.test(animals.prefix)
    ? text.slice(0, LONGEST_BODY).replace(new RegExp(`${animals.prefix}[A-Za-z]+`, 'g'), '…')
    : text;
}
