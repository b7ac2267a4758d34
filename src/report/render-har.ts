import type { RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { senderText } from './failure-block.ts';
import { judgedText } from './headline.ts';
import { judgedOf } from './tally.ts';
import { oneLine, plain } from './text.ts';

const LONGEST_BODY = 20_000;

/** HAR 1.2 of the exchanges of failures (including waived ones), in the order of sending; the comment of each is what it shows. */
export function renderHar(record: RunRecord): string {
  const entries = [...evidenceOf(record).values()].toSorted((left, right) => left.exchange.number - right.exchange.number);
  const log = {
    version: '1.2',
    creator: { name: record.tool.name, version: record.tool.version },
    comment: oneLine(`${record.conclusion.headline}; ${judgedText(record)}; ${record.target.baseUrl}; seed ${record.options.seed}`),
    entries: entries.map((evidence) => entryOf(evidence, Date.parse(record.startedAt))),
  };
  return `${JSON.stringify({ log }, undefined, 2)}\n`;
}

type Evidence = { readonly exchange: RedactedExchange; readonly comments: string[] };

/** Each exchange once, however many findings it belongs to. */
function evidenceOf(record: RunRecord): ReadonlyMap<number, Evidence> {
  const evidence = new Map<number, Evidence>();
  for (const { check } of judgedOf(record)) {
    for (const finding of check.findings) {
      const comment = `${check.id}: ${oneLine(finding.summary, 300)}`;
      for (const exchange of finding.exchanges) {
        const known = evidence.get(exchange.number);
        if (known === undefined) evidence.set(exchange.number, { exchange, comments: [comment] });
        else if (!known.comments.includes(comment)) known.comments.push(comment);
      }
    }
  }
  return evidence;
}

function entryOf({ exchange, comments }: Evidence, runStart: number): object {
  const { duration, startedAt } = exchange;
  return {
    startedDateTime: new Date(runStart + startedAt).toISOString(),
    time: duration,
    request: requestOf(exchange),
    response: responseOf(exchange),
    cache: {},
    // Only the total is measured, to the last byte of the body.
    timings: { send: 0, wait: duration, receive: 0 },
    comment: [...comments.slice(0, 20), ...(senderText(exchange) === '' ? [] : [`sent by ${senderText(exchange)}`])].join('\n'),
  };
}

function requestOf({ method, url, requestHeaders, requestBody, requestBytes }: RedactedExchange): object {
  const body = requestBody === undefined ? undefined : plain(requestBody, LONGEST_BODY);
  const mimeType = mediaTypeOf(requestHeaders);
  // The format has no place for bytes.
  const aside = requestBytes === undefined ? {} : { comment: `no text shows these bytes; as base64: ${requestBytes}` };
  return {
    method: oneLine(method, 20),
    url: uriOf(url),
    httpVersion: 'unknown',
    cookies: [],
    headers: headersOf(requestHeaders),
    queryString: queryOf(url),
    ...(body === undefined ? {} : { postData: { mimeType, text: body, ...aside } }),
    headersSize: -1,
    bodySize: Buffer.from(requestBytes ?? body ?? '', requestBytes === undefined ? 'utf8' : 'base64').length,
  };
}

function responseOf({ answer: response }: RedactedExchange): object {
  const base = { statusText: '', httpVersion: 'unknown', cookies: [], redirectURL: '', headersSize: -1 };
  if (response.kind === 'failed') {
    const comment = `no complete response: ${oneLine(response.reason)}: ${oneLine(response.message)}`;
    return { ...base, status: 0, headers: [], content: { size: 0, mimeType: 'x-unknown' }, bodySize: -1, comment };
  }
  const text = response.body === undefined ? {} : { text: plain(response.body, LONGEST_BODY) };
  const content = { size: response.size, mimeType: mediaTypeOf(response.headers), ...text };
  return { ...base, status: response.status, headers: headersOf(response.headers), content, bodySize: response.size };
}

type Headers = RedactedExchange['requestHeaders'];

function headersOf(headers: Headers): object[] {
  return headers.map(([name, value]) => ({ name: oneLine(name, 200), value: oneLine(value, LONGEST_BODY) }));
}

function mediaTypeOf(headers: Headers): string {
  const value = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return value === undefined ? 'x-unknown' : oneLine(value, 200);
}

function queryOf(url: string): object[] {
  const query = URL.parse(url)?.searchParams ?? new URLSearchParams();
  return [...query].map(([name, value]) => ({ name: oneLine(name), value: oneLine(value) }));
}

/** The address in the characters that RFC 3986 allows: what a check sent raw, or redaction inserted, is percent-encoded. */
function uriOf(url: string): string {
  if (!URL.canParse(url)) return 'about:invalid';
  return url
    .toWellFormed()
    .replace(/[^\w\-.~:/?#@!$&'()*+,;=%]/gu, encodeURIComponent)
    .replace(/%(?![0-9a-f]{2})/gi, '%25');
}
