import type { CatalogClauseId, CheckId, ClauseId, OwnClauseId } from './clause-ids.ts';
import type { SuiteVersion } from './since.ts';

/** `required`: stated. `implied`: follows from what is stated. `advised`: a standard says it. `open`: left open. */
export const LEVELS = ['required', 'implied', 'advised', 'open'] as const;
/** How binding a clause is, one of LEVELS. */
export type Level = (typeof LEVELS)[number];

/** Whether a broken clause of that level fails the run, strict or not. */
export function isBinding({ level }: { readonly level: Level }): boolean {
  return level === 'required' || level === 'implied';
}

export const CHAPTERS = [
  'versioning',
  'authentication',
  'list-pets',
  'create-pet',
  'get-pet',
  'deprecation',
  'errors',
  'media-type',
  'records',
  // Clauses from outside this package.
  'own-rules',
] as const;
export type Chapter = (typeof CHAPTERS)[number];

export type { CatalogClauseId, CheckId, ClauseId, OwnClauseId };

/**
 * What a rule looks at, from the response as a whole (no response, a crash, a rejected API key) to how it agrees with other responses: a
 * breach of a lower layer may explain one of a higher layer. After a breach of `transport`, `failure`, `credential`, `status`, or `JSON` by
 * a clause of the interface, no higher layer is judged on that exchange.
 *
 * @example
 * ```ts
 * import { LAYERS } from '@petstore-conformance/cli';
 *
 * console.log(`from below: ${LAYERS.join(', ')}`);
 * ```
 */
export const LAYERS = ['transport', 'failure', 'credential', 'status', 'media type', 'JSON', 'schema', 'values', 'history'] as const;
/** What a rule looks at, one of LAYERS. */
export type Layer = (typeof LAYERS)[number];

/** The sentences or table rows of the interface document that a clause rests on, verbatim. */
export type Quote = readonly [string, ...string[]];

/** What a clause says, and where it comes from. */
export type Wording = {
  readonly id: ClauseId;
  readonly chapter: Chapter;
  /** The version of the suite that first judged it; 3.0 by default. */
  readonly since?: SuiteVersion;
  /** Heading of the document that the clause comes from, or the RFC section for an advised one. */
  readonly section: string;
  /** What the service must do, understandable without the document. For an open clause: what is recorded. */
  readonly requirement: string;
  /** What usually causes the failure, for the reader of a report. */
  readonly likelyCause: string;
} & (
  | { readonly level: 'required'; readonly quote: Quote }
  | { readonly level: 'advised' | 'open'; readonly quote?: Quote }
  | { readonly level: 'implied'; readonly quote?: Quote /** From which sentences it follows, and how. */; readonly derivation: string }
);
