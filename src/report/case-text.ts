import type { RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import type { Case } from './broken-clauses.ts';
import { locatePointer } from './locate-pointer.ts';
import { count, oneLine, shorten } from './text.ts';

/** A case in three short texts: the request, the status that it got, and what is wrong with the response. */
export type CaseText = { readonly request: string; readonly status: string; readonly received: string };

const LONGEST = 1_000;
const LONGEST_BODY = 5_000;
/** The maximum number of characters of a body that is shown unchanged, and of a message. */
const TELLING = 60;
/** The maximum length of an ordinary name in a body. */
const LONGEST_NAME = 40;
const VALID_CREDENTIAL = 'the API key';

/** A case as a row of a table; generated names become an ellipsis. If only the finding says what is wrong, it is the whole row. */
export function caseText({ summary, finding, exchange }: Case, record: RunRecord): CaseText {
  const received = exchange === undefined ? undefined : receivedText(exchange, finding.pointer);
  if (exchange === undefined || received === undefined) return { request: oneLine(summary, LONGEST), status: '', received: '' };
  const earlier = finding.exchanges.length > 1 ? `after ${finding.exchanges.length - 1} more, ` : '';
  const { answer } = exchange;
  return {
    request: earlier + requestText(exchange, record),
    status: answer.kind === 'failed' ? '–' : String(answer.status),
    received: oneLine(withoutNames(received, record), LONGEST),
  };
}

/** `POST /pets {"name":"…"}`: a request with its body, without generated names. */
export function requestText(exchange: RedactedExchange, record: RunRecord): string {
  const body = exchange.requestBody === undefined ? '' : ` ${exchange.requestBody}`;
  return oneLine(withoutNames(`${requestLine(exchange, record)}${body}`, record), LONGEST);
}

/** The body of an accepted case, and the status. */
export function acceptedText({ exchange, summary }: Case, record: RunRecord): string {
  if (exchange?.answer.kind !== 'answered' || exchange.requestBody === undefined) return oneLine(summary, LONGEST);
  return `${oneLine(withoutNames(exchange.requestBody, record), LONGEST)} → ${exchange.answer.status}`;
}

/** `GET /pets`, and the credential if it is not the API key. */
export function requestLine({ method, url, credential }: RedactedExchange, { target }: RunRecord): string {
  const path = url.startsWith(target.baseUrl) ? url.slice(target.baseUrl.length) : url;
  const sent = credential === VALID_CREDENTIAL || credential === '' ? '' : ` (${credential})`;
  return oneLine(`${method} ${path}${sent}`, LONGEST);
}

/** The wrong value, or the message in the body; undefined if the body says nothing without the finding. */
function receivedText({ answer, method }: RedactedExchange, pointer: string | undefined): string | undefined {
  if (answer.kind === 'failed') return `no response: ${oneLine(answer.reason, 100)}`;
  if (answer.size === 0) return '(an empty body)';
  if (answer.body === undefined) return `(${count(answer.size, 'byte')}, not UTF-8)`;
  const body = answer.body.slice(0, LONGEST_BODY);
  const span = pointer === undefined || pointer === '' ? undefined : locatePointer(body, pointer.slice(0, LONGEST));
  if (span !== undefined) return `${pointer}: ${body.slice(span.from, span.to)}`;
  // If the finding is about the body itself, its members are what is wrong.
  if (answer.status >= 400) return pointer === '' ? body : errorText(body);
  return method === 'POST' || body.length <= TELLING ? body : undefined;
}

/** Members in which services explain errors, the most informative first. */
const SAYING = ['message', 'msg', 'detail', 'error_description', 'reason', 'title', 'error'];

/** A short body completely; of a longer one the start of its message, or of its text. */
function errorText(body: string): string {
  if (body.trim().length <= TELLING) return body;
  for (const member of SAYING) {
    const said = new RegExp(`"${member}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)+"?)`).exec(body)?.[1];
    if (said !== undefined) return oneLine(said, TELLING);
  }
  const isPage = body.trimStart().startsWith('<');
  return oneLine(isPage ? body.replace(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ') : body, TELLING);
}

/** A text of the request without irrelevant parts: generated names and the rest of a long text become an ellipsis. */
function withoutNames(text: string, { animals }: RunRecord): string {
  const known = text.slice(0, LONGEST_BODY);
  const made = /^[A-Za-z]{3,60}$/.test(animals.prefix) ? known.replace(new RegExp(`${animals.prefix}[A-Za-z]+`, 'g'), lengthOf) : known;
  return made.replace(/"(?:[^"\\]|\\.){60,}"/g, (long) => `"${shorten(long.slice(1, -1), 16)}(${long.length - 2} characters)"`);
}

/** The length of a name, if it is unusual. */
function lengthOf(name: string): string {
  return name.length <= LONGEST_NAME ? '…' : `…(${name.length} letters)`;
}
