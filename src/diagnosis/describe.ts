import type { RedactedExchange } from '../wire/redact.ts';

const LONGEST = 110;

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The path and query of a request, below the base address. */
export function targetOf({ url, operation }: RedactedExchange): string {
  const target = /\/pets(?:[/?].*)?$/s.exec(url)?.[0] ?? url;
  return operation === 'createPet' ? '/pets' : target;
}

/** Whether the request was sent with the API key, as documented. */
export function hasValidKey({ curl }: RedactedExchange): boolean {
  return curl.includes('Bearer $PETSTORE_API_KEY');
}

/** `POST /pets {"name":42}`. */
export function describeRequest(exchange: RedactedExchange): string {
  const body = exchange.requestBody === undefined || exchange.requestBody === '' ? '' : ` ${short(exchange.requestBody)}`;
  const credential = hasValidKey(exchange) ? '' : ` without a valid key`;
  return `${exchange.method} ${short(targetOf(exchange))}${body}${credential}`;
}

/** The part of a long body around the focus: the whole record, if it is one of a list. */
function focused(body: string, focus: RegExp | undefined): string {
  const at = focus === undefined ? -1 : body.search(focus);
  if (at < LONGEST / 2) return short(body);
  const begin = body.lastIndexOf('{', at);
  return `… ${short(body.slice(begin < 0 ? at : begin))}`;
}

/** `201 {"id":1}`, or why there was no response. The focus is the part of a long body that must be visible. */
export function describeResponse({ answer }: RedactedExchange, focus?: RegExp): string {
  if (answer.kind === 'failed') return `no response (${answer.message})`;
  return answer.body === undefined || answer.body === ''
    ? `${answer.status} without a body`
    : `${answer.status} ${focused(answer.body, focus)}`;
}

/** `POST /pets {"name":42} returned 201 {"id":1}`. */
export function describeExchange(exchange: RedactedExchange, focus?: RegExp): string {
  return `${describeRequest(exchange)} returned ${describeResponse(exchange, focus)}`;
}
