import type { ConnectionDetails } from './connection.ts';
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

/** A request: any header, any bytes. Paths are relative to the base address and start with `/`. */
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
  readonly connection?: ConnectionDetails;
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
export type Exchange<Request = Outgoing> = {
  readonly number: number;
  readonly request: Request;
  readonly timings: Timings;
  /** The GET was repeated once on a fresh connection, because a reused one had been closed. */
  readonly retried: boolean;
  /** The number of 429 and 503 responses with Retry-After that were waited for before this response. */
  readonly postponed: number;
  readonly outcome: ExchangeOutcome;
};
