import type { ExtraHeaders } from '../wire/extra-headers.ts';
import type { Route } from '../wire/route.ts';

export const DEPTHS = ['quick', 'standard', 'thorough'] as const;
export type Depth = (typeof DEPTHS)[number];

/** All options of a session, resolved once. */
export type SessionOptions = Route & {
  readonly headers: ExtraHeaders;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly readOnly: boolean;
  /** Whether the key may be sent where it does not belong (query, cookie), to see that it is rejected there. */
  readonly intrusive: boolean;
  readonly maxCreates: number;
  /** Letters that make the names of this run unique. */
  readonly runTag: string;
  /** Ids, as digits, of animals that reports of earlier runs name. */
  readonly leftoverIds: readonly string[];
  readonly categoryIds: readonly bigint[];
  readonly depth: Depth;
  readonly seed: number;
  /** "Now" for the deprecation date. */
  readonly now: Date;
  readonly concurrency: number;
  /** The timeout of one request in milliseconds, from DNS to the last byte of the body. */
  readonly timeout: number;
  readonly consistencyWindow: number;
  readonly waitForReady: number;
  /** Maximum number of requests per second; 0 for no limit. */
  readonly rate: number;
  readonly maxBody: number;
};
