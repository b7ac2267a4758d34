import type { ConnectionFacts } from './connection-facts.ts';
import type { JsonReading } from './json.ts';

export const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** Why no complete answer came; the probe's metrics use the same words. */
export const TRANSPORT_REASONS = ['dns', 'connect', 'tls', 'timeout', 'protocol', 'too_large'] as const;
export type TransportReason = (typeof TRANSPORT_REASONS)[number];

/** The User-Agent of requests that do not try another one, or none. */
export const USER_AGENT = 'petstore-conformance';

/** What a request is known to be under the document, which decides what may answer it. */
export type Intent = {
  readonly operation: Operation;
  /** `refused`: must be answered 401. `open`: the document does not decide. */
  readonly credential: 'valid' | 'refused' | 'open';
  /** What was sent as a credential, in words, for the reader of a report. */
  readonly credentialNote: string;
  /** List: a limit of 1 to 100, a status of the enum; `open` when it is neither absent nor one of these. */
  readonly limit: number | 'absent' | 'open';
  readonly status: PetStatus | 'absent' | 'open';
  /** Create: which domain the body is of. */
  readonly body: 'none' | 'plain' | 'unusual' | 'invalid' | 'open';
  /** The clause that says that an `invalid` body is one. */
  readonly bodyClause: string | undefined;
  /** Create: what was sent, where the body was made of values that a NewPet may have. */
  readonly sent?: { readonly name: string; readonly categoryId: bigint; readonly status?: PetStatus };
  /**
   * Create: the service takes no creation (any more), whatever it holds: by a quota, or by what the key may be used for. The document decides
   * nothing then, so `body` is open; `domain` is what it was sent as.
   */
  readonly limited?: { readonly by: 'quota' | 'key'; readonly domain: Intent['body'] };
  /** What is special about the body, in words that complete "a body …". */
  readonly bodyNote?: string;
  /** Get: the id asked for, as exact digits; undefined when the path segment is no int64. */
  readonly petId: bigint | undefined;
  /** The path is spelled otherwise, or a header asks for something else: only the check that sent it can judge what comes back. */
  readonly undocumented?: boolean;
  /** Sent by a client that a service may reject, so that the credential is open: what it is once the service accepts the request. */
  readonly onceAccepted?: Intent['credential'];
  /** What the service has seen of this client before, on the connection and at the URL, where the request was sent to show it. */
  readonly before?: 'nothing' | 'the API key';
};

/** A request as a check asks for it: any header, any bytes. Paths are relative to the base address and start with `/`. */
export type WireRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Query as sent, without `?`; empty for none. */
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  /** The body is sent in two pieces, the second one a moment after the first. */
  readonly divided?: boolean;
  /** The body is sent in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  readonly intent: Intent;
  /** The check that asks. */
  readonly asker?: string;
};

export type Answer = {
  readonly status: number;
  /** Names in lower case; a header sent twice is here twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body after decoding; 0 for none. */
  readonly size: number;
  /** The body as text, or the reason why it is none (not UTF-8). */
  readonly text: string | undefined;
  readonly json: JsonReading;
  /** The connection that it was received on. */
  readonly connection?: ConnectionFacts;
};

export type TransportFailure = {
  readonly reason: TransportReason;
  readonly message: string;
  /** A connection that had served before was closed before any byte of this answer, as a service may (RFC 9112, section 9.3.1). */
  readonly stale: boolean;
  /** This process itself was held up while the deadline passed: that says nothing of the service. */
  readonly heldUp?: true;
};

export type Timings = {
  /** Milliseconds on the monotonic clock since the run began. */
  readonly startedAt: number;
  /** Milliseconds from sending to the last body byte. */
  readonly duration: number;
};

export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/** One request and what came of it. `number` counts the requests of the run from 1. */
export type Exchange = {
  readonly number: number;
  readonly request: WireRequest;
  readonly timings: Timings;
  /** The GET was asked once more on a fresh connection, because a reused one had been closed. */
  readonly retried: boolean;
  /** 429 and 503 answers with Retry-After that were waited for before this answer. */
  readonly postponed: number;
  /** The last of those responses. */
  readonly putOff?: Answer;
  /** What came of the same request right before, where the service rejected the API key or broke the response off, and was asked again. */
  readonly firstTry?: Exchange;
  /** The response as checks read it: as received, or read through a departure that the session has confirmed (src/session/reading). */
  readonly outcome: ExchangeOutcome;
  /** The response to the letter, where `outcome` may be read through. */
  readonly received?: ExchangeOutcome;
  /** Only the copy in the history of a run: its large bodies were too much to keep. */
  readonly abridged?: true;
};

/** What came of the request when it was sent first: for the clauses that judge what a service does intermittently. */
export function atFirst(exchange: Exchange): Exchange {
  return exchange.firstTry ?? exchange;
}

// Most laws of a run look at each exchange that way.
const toTheLetter = new WeakMap<Exchange, Exchange>();

/** The exchange with its response to the letter: for the clauses that judge the form of responses, and for reports. */
export function asReceived(exchange: Exchange): Exchange {
  const { received } = exchange;
  if (received === undefined) return exchange;
  const known = toTheLetter.get(exchange);
  if (known !== undefined) return known;
  const letter = { ...exchange, outcome: received };
  toTheLetter.set(exchange, letter);
  return letter;
}
