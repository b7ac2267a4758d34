import type { ClauseId } from '../../clause/clause.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Meeting } from './meeting.ts';

type Header = readonly [name: string, value: string];

/** What is sent instead of the API key. `headers` replace the Authorization header; `query` is added to the URL. */
export type Credential = {
  /** In words, for the reader of a report: "no Authorization header". */
  readonly note: string;
  /** Whether the response must be 401 (`refused`), the document leaves it open, or it is the API key after all. */
  readonly standing: 'refused' | 'open' | 'valid';
  readonly headers: readonly Header[];
  readonly query?: string;
};

export type CallOptions = {
  /** Default: the API key. */
  readonly credential?: Credential;
  /** Headers added to those of the operation (they replace headers of the same name). */
  readonly headers?: readonly Header[];
  /** Names, in lower case, of headers of the operation that are not sent. */
  readonly without?: readonly string[];
  /** Raw query, as sent, instead of or after the parameters. */
  readonly rawQuery?: string;
  /** Another text with the same meaning as the query or the JSON body: the intent of the request stays the same. */
  readonly spelling?: (text: string) => string;
  /**
   * The header fields as they are written: changes their order, the letter case of their names, or white space around values, none of which
   * has a meaning.
   */
  readonly fields?: (headers: readonly Header[]) => readonly Header[];
  /** A separate connection, used only for calls with the same value. */
  readonly connection?: Connection;
  /** Sent only once: if the response asks to wait, the request is not repeated. */
  readonly once?: boolean;
  /** Sent together with as many others as `concurrency` allows, even if the service was seen to serve fewer at a time. */
  readonly atOnce?: boolean;
  /** Sent at the same moment as the others in the meeting. */
  readonly meeting?: Meeting;
  /** The body is sent in two pieces, the second one a moment after the first. */
  readonly divided?: boolean;
  /** The body is sent in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  /** The last segment of getPet's path as sent, if it is not a text that can be encoded. */
  readonly segment?: string;
  /**
   * Sent as is, instead of the path of the operation: another spelling of it. Only rules that accept undocumented requests judge the
   * response.
   */
  readonly path?: string;
  /** A header asks for something that the document does not mention: only rules that accept undocumented requests judge the response. */
  readonly undocumented?: boolean;
  /**
   * Sent by a client that does not identify itself, or does not say what it accepts: a service may reject it. Once accepted, it is a client
   * like any other.
   */
  readonly vague?: boolean;
  /**
   * What the service has seen before from this client, on the connection and at the URL: for a request without the key that shows what is
   * carried over.
   */
  readonly before?: 'nothing' | 'the API key';
};

/** A single kept-alive connection, to test what the service carries over from one request to the next. */
export type Connection = { readonly brand: 'Connection'; close(): Promise<void> };

export type ListParameters = {
  /** A number is in 1..100 or open; a string is sent as is (URL-encoded) and is open unless it spells one of 1..100 plainly. */
  readonly limit?: number | string;
  /** One of the statuses, or any other string, which is open. */
  readonly status?: string;
};

/** The body of a creation: a value (digits of bigint kept), or raw bytes with their media type. */
export type CreateBody = { readonly value: unknown } | { readonly raw: string | Uint8Array | undefined };

export type CreateOptions = CallOptions & {
  /** The allowed responses: plain 201; unusual 201 or 400; invalid 400; open anything but a broken response. */
  readonly domain: 'plain' | 'unusual' | 'invalid' | 'open';
  /** For `invalid`: the clause that forbids the body. */
  readonly clause?: ClauseId;
  /** What is special about the body, in words that complete "a body …", for the reader of a report. */
  readonly note?: string;
};

/** The three operations. Each call is one recorded exchange; none throws because of what the service does. */
export type Api = {
  list(parameters?: ListParameters, options?: CallOptions): Promise<Exchange>;
  /** A bigint is sent as its digits; a string as is, percent-encoded, and counts as int64 only if it is plain digits in range. */
  get(petId: bigint | string, options?: CallOptions): Promise<Exchange>;
  /**
   * Sends a POST if the budget has room; otherwise halts the check as inconclusive (read-only, budget spent). The animal in a 201 is
   * entered in the world, whatever the domain.
   */
  create(body: CreateBody, options: CreateOptions): Promise<Exchange>;
  /** Opens a separate connection. */
  connect(): Connection;
};
