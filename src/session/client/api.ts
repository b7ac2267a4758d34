import type { ClauseId } from '../../clause/clause.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Meeting } from './meeting.ts';

type Header = readonly [name: string, value: string];

/** What is sent instead of the right key. `headers` replace the Authorization header; `query` is added to the URL. */
export type Credential = {
  /** In words, for the reader of a report: "no Authorization header". */
  readonly note: string;
  /** Whether 401 is the only right answer (`refused`), or the document leaves it open, or it is the right key after all. */
  readonly standing: 'refused' | 'open' | 'valid';
  readonly headers: readonly Header[];
  readonly query?: string;
};

export type CallOptions = {
  /** Default: the right key. */
  readonly credential?: Credential;
  /** Headers added to those of the operation (they replace one of the same name). */
  readonly headers?: readonly Header[];
  /** Names, in lower case, of headers of the operation that are not sent. */
  readonly without?: readonly string[];
  /** Raw query, as sent, instead of or after the parameters. */
  readonly rawQuery?: string;
  /** Another text that means the same as the query or the JSON body: what was asked is known as before. */
  readonly spelling?: (text: string) => string;
  /** The header fields as they are written: their order, the letter case of their names, and white space around values mean nothing. */
  readonly fields?: (headers: readonly Header[]) => readonly Header[];
  /** A connection of its own, used for this call and others with the same value only. */
  readonly connection?: Connection;
  /** Sent a single time: an answer that asks to wait and to ask again is not followed by another try. */
  readonly once?: boolean;
  /** Sent beside as many others as `concurrency` allows, even where the service was seen to serve fewer at a time. */
  readonly atOnce?: boolean;
  /** Sent at the same moment as the others of the meeting. */
  readonly meeting?: Meeting;
  /** The body is sent in two pieces, the second one a moment after the first. */
  readonly divided?: boolean;
  /** The body is sent in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  /** The last segment of the path of getPet as it is sent, where it is no text that can be encoded. */
  readonly segment?: string;
  /** Sent instead of the path of the operation, as it is: another spelling of it. Only rules that ask for undocumented requests judge what comes back. */
  readonly path?: string;
  /** A header asks for something that the document says nothing of: only rules that ask for undocumented requests judge what comes back. */
  readonly undocumented?: boolean;
  /** By a client that does not say what it is, or what it accepts: a service may reject it. Once it is accepted, it is a client like any other. */
  readonly vague?: boolean;
  /** What the service has seen before of this client, on the connection and at the URL: of a request without the key that shows what is carried over. */
  readonly before?: 'nothing' | 'the API key';
};

/** A single kept-alive connection, to see what the service carries over from one request to the next. */
export type Connection = { readonly brand: 'Connection'; close(): Promise<void> };

export type ListParameters = {
  /** A number is in 1..100 or open; a string is sent as it is (URL-encoded) and is open unless it spells one of 1..100 plainly. */
  readonly limit?: number | string;
  /** One of the statuses, or any other string, which is open. */
  readonly status?: string;
};

/** The body of a creation: a value (digits of bigint kept), or raw bytes with their media type. */
export type CreateBody = { readonly value: unknown } | { readonly raw: string | Uint8Array | undefined };

export type CreateOptions = CallOptions & {
  /** Which answers are right: plain 201; unusual 201 or 400; invalid 400; open anything but a broken answer. */
  readonly domain: 'plain' | 'unusual' | 'invalid' | 'open';
  /** For `invalid`: the clause that says so. */
  readonly clause?: ClauseId;
  /** What is special about the body, in words that complete "a body …", for the reader of a report. */
  readonly note?: string;
};

/** The three operations. Each call is one recorded exchange; none throws for what the service does. */
export type Api = {
  list(parameters?: ListParameters, options?: CallOptions): Promise<Exchange>;
  /** A bigint is sent as its digits; a string as it is, percent-encoded, and counts as int64 only if it is plain digits in range. */
  get(petId: bigint | string, options?: CallOptions): Promise<Exchange>;
  /**
   * Sends a POST if the budget has room, else halts the check as inconclusive (read-only, budget spent).
   * What a 201 answers is entered in the world, whatever the domain.
   */
  create(body: CreateBody, options: CreateOptions): Promise<Exchange>;
  /** A connection of its own. */
  connect(): Connection;
};
