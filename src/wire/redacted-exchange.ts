// An exchange as reports may show it: which of its headers, without the key and cookies, and the curl command that repeats it.

import { isUtf8 } from 'node:buffer';
import { type ExchangeOutcome, type Operation, shownBody, USER_AGENT } from './exchange.ts';
import { type ExtraHeaders, extraFor } from './extra-headers.ts';
import { extraAgain, extraWord, headerWords, keyedWord, shellQuote, shellText, wordAgain } from './key-in-shell.ts';
import { namesOfPlaces } from './key-places.ts';
import { REDACTED, type Redactor, showText } from './redact.ts';
import type { Route } from './route.ts';

/** Authentication, and headers that are sent elsewhere in its place. */
const CREDENTIALS = ['authorization', 'cookie', ...namesOfPlaces('header')];
export const FORWARDING: readonly string[] = [
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-server', 'x-forwarded-uri', 'x-forwarded-path'],
  ...['x-forwarded-prefix', 'x-forwarded-method', 'x-real-ip', 'x-client-ip', 'client-ip', 'true-client-ip', 'cf-connecting-ip'],
  ...['x-cluster-client-ip', 'x-originating-ip', 'x-remote-ip', 'x-remote-addr', 'x-custom-ip-authorization'],
  ...['x-forwarded-user', 'x-remote-user', 'remote-user', 'x-webauth-user', 'x-auth-request-user', 'x-authenticated-user'],
  ...['x-authenticated-userid', 'x-user-id', 'x-consumer-username', 'x-consumer-id', 'x-credential-identifier'],
  ...['x-ssl-client-verify', 'x-client-verify', 'x-internal-request', 'x-envoy-internal', 'x-envoy-original-path'],
  ...['x-original-url', 'x-original-uri', 'x-original-path', 'x-original-method', 'x-rewrite-url'],
  ...['x-forwarded-proto', 'x-forwarded-protocol', 'x-forwarded-scheme', 'x-forwarded-ssl', 'x-forwarded-port', 'x-scheme'],
  ...['x-url-scheme', 'front-end-https'],
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-middleware-subrequest'],
];
/** Many header fields without a meaning for the service. */
export const TRACE_HEADERS: readonly string[] = Array.from({ length: 24 }, (_unused, index) => `x-trace-${index}`);
const CLIENT = [
  ...['accept', 'accept-charset', 'accept-encoding', 'accept-language', 'cache-control', 'content-type', 'transfer-encoding', 'user-agent'],
  ...['if-modified-since', 'if-none-match', 'dnt', 'referer', 'te', 'x-correlation-id', 'x-request-id'],
  ...['origin', 'access-control-request-method', 'access-control-request-headers', 'x-requested-with', 'x-purpose'],
  ...['sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest', 'sec-ch-ua-mobile', 'save-data', 'ect', 'viewport-width'],
];
/** Members and parameters of the interface that are sent as headers, where they must have no effect. */
const FIELDS_AS_HEADERS = ['limit', 'status', 'name', 'categoryid', 'id'].flatMap((name) => [name, `x-${name}`]);

/** Request headers that reports show, in lower case. Clauses from outside may send others, which may be secret. */
export const SHOWN_HEADERS: ReadonlySet<string> = new Set([
  ...CREDENTIALS,
  ...FORWARDING,
  ...CLIENT,
  ...TRACE_HEADERS,
  ...FIELDS_AS_HEADERS,
]);

declare const redacted: unique symbol;

/**
 * An exchange as reports may show it: without the key in any of its spellings, texts cleaned and bounded. The brand, which exists only in
 * types, keeps anything that was not redacted out of reports.
 */
export type RedactedExchange = {
  readonly [redacted]: true;
  readonly number: number;
  readonly method: string;
  readonly url: string;
  readonly requestHeaders: readonly (readonly [name: string, value: string])[];
  /** Undefined if there is no body. */
  readonly requestBody: string | undefined;
  /** The bytes of the body as base64, if they are not text, or a text that cannot be shown as it is. */
  readonly requestBytes?: string;
  /** The request is not shown exactly: a key in it is masked although it was not to be accepted, or a text is escaped or cut. */
  readonly partial?: true;
  readonly credential: string;
  readonly operation: Operation;
  /** Its trace id, which the service may have in its logs. */
  readonly trace?: string;
  /** Milliseconds since the run began, and from sending to the last byte. */
  readonly startedAt: number;
  readonly duration: number;
  readonly retried: boolean;
  readonly postponed: number;
  readonly answer:
    | {
        readonly kind: 'answered';
        readonly status: number;
        readonly headers: readonly (readonly [name: string, value: string])[];
        readonly body: string | undefined;
        readonly size: number;
      }
    | { readonly kind: 'failed'; readonly reason: string; readonly message: string };
  /** One line that repeats the request, with the key taken from $PETSTORE_API_KEY. */
  readonly curl: string;
};

type Shown = Pick<RedactedExchange, 'method' | 'url' | 'requestHeaders' | 'requestBody' | 'requestBytes'>;
type Words = {
  readonly header: (name: string, value: string) => string;
  readonly text: (shown: string) => string;
  /** Options that lead to the service. */
  readonly route: readonly string[];
  readonly extra: readonly string[];
};

/** With a colon, curl would omit an empty header. */
const headerLine = (name: string, value: string): string => (value.trim() === '' ? `${name};` : `${name}: ${value}`);

/** Bytes as the format of printf(1) in single quotes: POSIX knows octal escapes, and a word of a shell has no NUL. */
function printfFormat(base64: string): string {
  const escaped = Array.from(Buffer.from(base64, 'base64'), (byte, index) => {
    const character = String.fromCharCode(byte);
    if (character === '%' || character === '\\') return character.repeat(2);
    // At the beginning, a hyphen would be an option.
    return byte >= 0x20 && byte < 0x7f && !(character === '-' && index === 0) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return shellQuote(escaped.join(''));
}

/** The beginning of each command without a body of bytes. */
export const CURL = 'curl -sS -i ';

function curlOf({ method, url, requestHeaders, requestBody, requestBytes }: Shown, words: Words): string {
  const parts = [...CURL.trim().split(' '), ...words.route];
  if (method !== 'GET') parts.push('-X', /^[A-Z]+$/.test(method) ? method : shellQuote(method));
  const extra = new Set(words.extra.map((name) => name.toLowerCase()));
  const own = requestHeaders.filter(([name]) => name === 'cookie' || !extra.has(name));
  for (const [name, value] of own) {
    if (name !== 'user-agent' || value !== USER_AGENT) parts.push('-H', words.header(name, value));
    // The body is shown decoded, whichever codings the header names.
    if (name === 'accept-encoding') parts.push('--compressed');
  }
  // Otherwise curl would send its own.
  for (const usual of ['accept', 'user-agent'])
    if (!requestHeaders.some(([name]) => name === usual) && !extra.has(usual)) parts.push('-H', shellQuote(`${usual}:`));
  for (const name of words.extra) parts.push('-H', extraWord(name));
  if (requestBytes !== undefined) parts.unshift('printf', printfFormat(requestBytes), '|');
  if (requestBytes !== undefined) parts.push('--data-binary', '@-');
  // A file may come from anywhere: curl would send the file that such a body names, and take such a URL for an option.
  else if (requestBody !== undefined) parts.push(requestBody.startsWith('@') ? '--data-raw' : '--data-binary', words.text(requestBody));
  parts.push(...(url.startsWith('-') ? ['--url'] : []), words.text(url));
  return parts.join(' ');
}

/** The options of curl that go the way of the run; none where the address says it all. */
function routeWords({ resolve = [], family, unixSocket, cert, key }: Partial<Route>): readonly string[] {
  return [
    ...(family === undefined ? [] : [`-${family}`]),
    ...resolve.flatMap((entry) => ['--resolve', shellQuote(entry)]),
    ...(unixSocket === undefined ? [] : ['--unix-socket', shellQuote(unixSocket)]),
    ...(cert === undefined ? [] : ['--cert', shellQuote(cert)]),
    ...(key === undefined ? [] : ['--key', shellQuote(key)]),
  ];
}

/** What `routeWords` writes: single words, in which a shell finds nothing to run. */
const ROUTE = /curl -sS -i ((?:(?:-[46]|--(?:resolve|unix-socket|cert|key) (?:'[^']*'|\\')+) )+)/;

function routeAgain(curl: string): readonly string[] {
  const written = ROUTE.exec(curl)?.[1]?.trim();
  return written === undefined ? [] : [written];
}

/** The curl command of an exchange from a file, rebuilt from its request: readers paste it, and a file may come from anywhere. */
export function curlAgain(exchange: RedactedExchange): string {
  const { curl } = exchange;
  const known = headerWords(curl);
  const header = (name: string, value: string): string => {
    const { name: spelled = name, word } = known.get(name) ?? {};
    return word !== undefined && value.includes(REDACTED) ? word : shellText(headerLine(spelled, value));
  };
  return curlOf(exchange, { header, text: (shown) => wordAgain(shown, curl), route: routeAgain(curl), extra: extraAgain(curl) });
}

const COOKIE_VALUE = { cookie: /([^=;\s]+=)([^;]*)/g, 'set-cookie': /^([^=;]+=)([^;]*)/g };

/** The value of a header, without cookie values: a session is worth as much as a key. */
function hideCookies(name: string, value: string): string {
  const pattern = name === 'cookie' || name === 'set-cookie' ? COOKIE_VALUE[name] : undefined;
  if (pattern === undefined) return value;
  return value.replace(pattern, (_pair, beginning: string, secret: string) =>
    secret.includes(REDACTED) ? beginning + secret : `${beginning}[cookie]`,
  );
}

/** A request and its response to the letter, as they are before anything is hidden. */
export type ToRedact = {
  readonly number: number;
  readonly method: string;
  /** Path and query, relative to the base address. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  readonly chunked: boolean;
  /** The API key is in the Authorization header, as the document has it: whoever repeats the request inserts it there. */
  readonly hasKey: boolean;
  readonly outcome: ExchangeOutcome;
} & Pick<RedactedExchange, 'credential' | 'operation' | 'startedAt' | 'duration' | 'retried' | 'postponed'>;

const isApiKey = ({ hasKey }: ToRedact, name: string): boolean => hasKey && name.toLowerCase() === 'authorization';

const isTrace = (name: string): boolean => name.toLowerCase() === 'traceparent';

function isText(body: ToRedact['body']): boolean {
  return body === undefined || typeof body === 'string' || isUtf8(body);
}

const MOST_BYTES = 2_000;

/** The bytes of a body that no text shows, unless the key may be among them. */
function base64OfHiddenBytes(body: string | Uint8Array | undefined, shown: string | undefined, redact: Redactor): string | undefined {
  const bytes = Buffer.from(body ?? '');
  const asText = bytes.toString('latin1');
  if (body === undefined || bytes.length > MOST_BYTES || redact(asText) !== asText) return undefined;
  return isText(body) && bytes.equals(Buffer.from(shown ?? '')) ? undefined : bytes.toString('base64');
}

/** Where an exchange took place, and what may not be shown of it. */
export type RedactOptions = Partial<Route> & {
  readonly baseUrl: string;
  readonly redact: Redactor;
  readonly apiKey?: string;
  readonly headers?: ExtraHeaders;
};

/** A text, and the value of a header, as a reader may see it. */
type Show = { readonly text: (text: string) => string; readonly header: (name: string, value: string) => string };

function showBy(redact: Redactor): Show {
  return {
    text: (text) => showText(text, redact),
    header: (name, value) => hideCookies(name.toLowerCase(), showText(value, redact, name)),
  };
}

/** What was sent, as text. */
type Sent = { readonly url: string; readonly body: string };

function sentIn({ target, body = '' }: ToRedact, baseUrl: string): Sent {
  return {
    url: `${baseUrl}${target}`,
    body: typeof body === 'string' ? body : Buffer.from(body).toString('utf8'),
  };
}

function shownRequest(request: ToRedact, sent: Sent, redact: Redactor): Shown & Pick<RedactedExchange, 'partial'> {
  const show = showBy(redact);
  const isShown = (name: string): boolean => SHOWN_HEADERS.has(name.toLowerCase());
  const framing = request.chunked ? [['transfer-encoding', 'chunked'] as const] : [];
  const requestBody = request.body === undefined ? undefined : show.text(sent.body);
  const requestBytes = base64OfHiddenBytes(request.body, requestBody, redact);
  const url = show.text(sent.url);
  const isWhole =
    url === sent.url &&
    (((requestBody ?? '') === sent.body && isText(request.body)) || requestBytes !== undefined) &&
    request.headers.every(
      ([name, value]) => isApiKey(request, name) || isTrace(name) || (isShown(name) ? show.header(name, value) : '') === value,
    );
  return {
    method: request.method,
    url,
    requestHeaders: [...request.headers, ...framing]
      .filter(([name]) => isShown(name))
      .map(([name, value]) => [name.toLowerCase(), show.header(name, value)] as const),
    requestBody,
    ...(requestBytes === undefined ? {} : { requestBytes }),
    ...(isWhole ? {} : { partial: true }),
  };
}

/** The words of a command that sends a shown request as it was sent. */
function wordsFor({ headers }: ToRedact, { url, sent, options }: { url: string; sent: Sent; options: RedactOptions }): Words {
  const show = showBy(options.redact);
  const { apiKey = '' } = options;
  const isShown = (text: string): boolean => show.text(text) === text;
  const wordOf = (shown: string, text: string): string => keyedWord(shown, { sent: text, apiKey, isShown });
  return {
    header: (name, value) => {
      const found = headers.find(([one, text]) => one.toLowerCase() === name && show.header(one, text) === value);
      const [spelled, text] = found ?? [name, value];
      const line = headerLine(spelled, value);
      // A cookie that is hidden in reports is not in their commands either.
      return showText(text, options.redact, name) === value ? wordOf(line, headerLine(spelled, text)) : shellText(line);
    },
    text: (shown) => wordOf(shown, shown === url ? sent.url : sent.body),
    route: routeWords(options),
    extra: extraFor(headers, options.headers ?? []).map(([name]) => name),
  };
}

function shownAnswer(outcome: ExchangeOutcome, show: Show): RedactedExchange['answer'] {
  if (outcome.kind === 'failed') return { kind: 'failed', reason: outcome.failure.reason, message: show.text(outcome.failure.message) };
  const { status, headers, size } = outcome.answer;
  const body = shownBody(outcome.answer);
  return {
    kind: 'answered',
    status,
    headers: headers.map(([name, value]) => [show.text(name), show.header(name, value)] as const),
    body: body === undefined ? undefined : show.text(body),
    size,
  };
}

/** The one way into reports, whoever has sent the request. */
export function redactParts(exchange: ToRedact, options: RedactOptions): RedactedExchange {
  const { number, headers, credential, operation, startedAt, duration, retried, postponed, outcome } = exchange;
  const sent = sentIn(exchange, options.baseUrl);
  const { partial, ...asked } = shownRequest(exchange, sent, options.redact);
  const trace = headers
    .find(([name]) => isTrace(name))?.[1]
    .trim()
    .split('-')[1];
  const shown: Omit<RedactedExchange, typeof redacted> = {
    number,
    ...asked,
    ...(partial === undefined ? {} : { partial }),
    ...{ credential, operation },
    ...(trace === undefined ? {} : { trace }),
    ...{ startedAt, duration, retried, postponed },
    answer: shownAnswer(outcome, showBy(options.redact)),
    curl: curlOf(asked, wordsFor(exchange, { url: asked.url, sent, options })),
  };
  return shown as RedactedExchange;
}
