// What the history of a run is made of: what came off the wire, and rows that were not sent.

import type { Why } from '../clause/outcome.ts';
import type { HttpResponse, TransportFailure } from '../wire/exchange.ts';
import type { Sent, Vector } from './vector.ts';

/** What came off the wire. Each try is an exchange. */
export type Received = {
  readonly number: number;
  readonly sent: Sent;
  /** Milliseconds since the run began: when the first byte was sent, and when the last one came. */
  readonly at: number;
  readonly done: number;
  /** Undefined without a complete one. */
  readonly response: HttpResponse | undefined;
  readonly failure: TransportFailure | undefined;
  /** Whether a limit of our own keeps the body from being judged. */
  readonly isUnread: boolean;
  /** The traceparent that it was sent with, which the service may have in its logs. */
  readonly trace?: string;
  /** How often the service had asked to wait before. */
  readonly waits: number;
  /** The kept connection was closed, and the request sent again on a fresh one. */
  readonly isRetried?: true;
};

/** A row that was not sent, or whose response never came, because of an option, of what the document leaves open, or of the service. */
export type Unsent = {
  readonly vector: Vector;
  /** Its bytes; what is missing may be made up in them. */
  readonly sent: Sent;
  readonly why: Exclude<Why, 'waits'>;
  /** In words, for the report: `--read-only`, `an animal with status sold`. */
  readonly missing: string;
  /** The exchange that should have brought what is missing: the clause that it breaks is waited for. */
  readonly needs?: number;
};

export type ReasonNotSent = Pick<Unsent, 'why' | 'missing' | 'needs'>;
