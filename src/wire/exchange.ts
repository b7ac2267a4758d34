import type { ConnectionFacts } from './connection.ts';
import { type JsonReading, writeJson } from './json.ts';

export const OPERATIONS = ['listPets', 'createPet', 'getPet'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const PET_STATUSES = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof PET_STATUSES)[number];

/** Why there was no complete response; the probe's metrics use the same words. */
export const TRANSPORT_REASONS = ['dns', 'connect', 'tls', 'timeout', 'protocol', 'too_large'] as const;
export type TransportReason = (typeof TRANSPORT_REASONS)[number];

/** The User-Agent of requests that do not send another one, or none. */
export const USER_AGENT = 'petstore-conformance';

/** What the document says about a request, which decides how the service may respond. */
export type Intent = {
  readonly operation: Operation;
  /** `refused`: must get 401. `open`: the document does not decide. */
  readonly credential: 'valid' | 'refused' | 'open';
  /** What was sent as a credential, in words, for the reader of a report. */
  readonly credentialNote: string;
  /** List: a limit of 1 to 100, a status of the enum; `open` for any other value. */
  readonly limit: number | 'absent' | 'open';
  readonly status: PetStatus | 'absent' | 'open';
  /** Create: the domain of the body. */
  readonly body: 'none' | 'plain' | 'unusual' | 'invalid' | 'open';
  /** The clause by which an `invalid` body is invalid. */
  readonly bodyClause: string | undefined;
  /** Create: what was sent, if the body has only values that a NewPet may have. */
  readonly sent?: { readonly name: string; readonly categoryId: bigint; readonly status?: PetStatus };
  /**
   * Create: the service accepts no creation (any more), whatever its body: because of a quota, or of what the key may be used for. The
   * document then decides nothing, so `body` is open; `domain` is the original one.
   */
  readonly limited?: { readonly by: 'quota' | 'key'; readonly domain: Intent['body'] };
  /** What is special about the body, in words that complete "a body …". */
  readonly bodyNote?: string;
  /** Get: the requested id, as exact digits; undefined if the path segment is not an int64. */
  readonly petId: bigint | undefined;
  /** The path is spelled differently, or a header asks for something else: only the check that sent it can judge the response. */
  readonly undocumented?: boolean;
  /** Sent by a client that a service may reject, so the credential is open: what it is once the service accepts the request. */
  readonly onceAccepted?: Intent['credential'];
  /** What the service has seen before from this client, on the connection and at the URL, if the request was sent to test that. */
  readonly before?: 'nothing' | 'the API key';
};

/** A request as a check specifies it: any header, any bytes. Paths are relative to the base address and start with `/`. */
export type WireRequest = Outgoing & { readonly intent: Intent };

/** What the client needs of it. */
export type Outgoing = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The query as sent, without `?`; empty if there is none. */
  readonly query: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | undefined;
  /** The body is sent in two pieces, the second one a moment after the first. */
  readonly divided?: boolean;
  /** The body is sent in chunks, without a Content-Length. */
  readonly chunked?: boolean;
  readonly asker?: string;
};

export type HttpResponse = {
  readonly status: number;
  /** Names in lower case; a header that was sent twice is listed twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body after decoding; 0 if there is none. */
  readonly size: number;
  /** The body as text; undefined if it is not UTF-8, or not kept. */
  readonly text: string | undefined;
  readonly json: JsonReading;
  readonly connection?: ConnectionFacts;
};

/** The body to show: as text or, of a large one, what was kept of its animals. Undefined if it is not UTF-8. */
export function shownBody({ text, json }: HttpResponse): string | undefined {
  return text ?? (json.ok ? writeJson(json.value) : undefined);
}

export function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

export type TransportFailure = {
  readonly reason: TransportReason;
  readonly message: string;
  /**
   * A connection that had been used before was closed before the first byte of this response, as a service may do (RFC 9112, section
   * 9.3.1).
   */
  readonly stale: boolean;
  /** This process was blocked while the deadline passed: that says nothing about the service. */
  readonly heldUp?: true;
  /** The connection was closed without a byte of a response. */
  readonly silent?: true;
  /** Who ended it, where that is known not to be the service: our proxy, or our settings, which lack what the service asks for. */
  readonly party?: 'proxy' | 'settings';
};

export type Timings = {
  /** Milliseconds on the monotonic clock since the run began. */
  readonly startedAt: number;
  /** Milliseconds from sending to the last body byte. */
  readonly duration: number;
};

export type ExchangeOutcome =
  | { readonly kind: 'answered'; readonly answer: HttpResponse }
  | { readonly kind: 'failed'; readonly failure: TransportFailure };

/** One request and its outcome. `number` counts the requests of the run from 1. */
export type Exchange = {
  readonly number: number;
  readonly request: WireRequest;
  readonly timings: Timings;
  /** The GET was repeated once on a fresh connection, because a reused one had been closed. */
  readonly retried: boolean;
  /** The number of 429 and 503 responses with Retry-After that were waited for before this response. */
  readonly postponed: number;
  /** The last of those responses. */
  readonly putOff?: HttpResponse;
  /** The same request right before, if the service rejected the API key or broke off the response, so that the request was repeated. */
  readonly firstTry?: Exchange;
  /** The response as checks read it: as received, or read through a departure that the session has confirmed (src/session/dialect.ts). */
  readonly outcome: ExchangeOutcome;
  /** The response exactly as received, if `outcome` may be read through a departure. */
  readonly received?: ExchangeOutcome;
  /** Set only on the copy in the history of a run if its bodies were too large to keep: a large body has no text, and of its animals only the stated fields. */
  readonly abridged?: true;
};

/**
 * Why the response can't be judged, where a limit of our own kept the suite from reading or keeping its body: what is missing is then our doing, and
 * says nothing about the service. Undefined for any other response.
 */
export function unreadReason(exchange: Exchange): string | undefined {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'failed') return outcome.failure.reason === 'too_large' ? outcome.failure.message : undefined;
  const { json } = outcome.answer;
  return !json.ok && json.unread === true ? `the body exceeds a limit of the suite: ${json.problem}` : undefined;
}

/** The result when the request was first sent: for the clauses that judge what a service does intermittently. */
export function atFirst(exchange: Exchange): Exchange {
  return exchange.firstTry ?? exchange;
}

// Most rules of a run look at each exchange this way.
const asReceivedByExchange = new WeakMap<Exchange, Exchange>();

/** The exchange with its response exactly as received: for the clauses that judge the form of responses, and for reports. */
export function asReceived(exchange: Exchange): Exchange {
  const { received } = exchange;
  if (received === undefined) return exchange;
  const known = asReceivedByExchange.get(exchange);
  if (known !== undefined) return known;
  const letter = { ...exchange, outcome: received };
  asReceivedByExchange.set(exchange, letter);
  return letter;
}
