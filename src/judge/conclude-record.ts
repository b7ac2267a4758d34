// The verdicts of a run and its conclusion as one value.

import { judgedShares } from '../clause/clause-counts.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { DOCUMENT_DIGEST } from '../clause/document-digest.ts';
import { RUN_RECORD_VERSION, type RunRecord, type RunSummary, type StopSignal } from '../clause/run-record.ts';
import type { SessionOptions } from '../session/session.ts';
import { sessionRedactor } from '../wire/redact.ts';
import { conclude, type Ending } from './conclusion.ts';
import type { Waiver } from './waiver-file.ts';

export type RecordOptions = {
  readonly session: SessionOptions;
  readonly reference: boolean;
  /** What the service is called; by default, its host and port. */
  readonly name?: string | undefined;
  readonly strict: boolean;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly waivers: readonly Waiver[];
  /** What else no longer fits, as sentences: a service that drifted from a baseline. */
  readonly drift: (record: RunRecord) => readonly string[];
  /** Waivers that are no longer needed are removed afterwards. */
  readonly prunesWaivers?: boolean;
  /** Today's date, for the expiry of waivers. */
  readonly today: Date;
  /** Percentage of the situations that must be judged for a green run. */
  readonly minJudged?: number;
  /** The version of the suite whose verdicts count: what is newer warns at most. */
  readonly asOf?: string | undefined;
  readonly version: string;
};

/** Why a run ended early: a signal, or an event as the beginning of a sentence (`the deadline of 300 s passed`). */
export type StopReason = StopSignal | { readonly cutShort: string };

export type RunFacts = Pick<RecordOptions, 'asOf' | 'reference' | 'name' | 'strict' | 'only' | 'skip' | 'version'> & {
  readonly session: Pick<SessionOptions, 'baseUrl' | 'apiKey' | 'headers' | 'depth' | 'seed' | 'readOnly' | 'now'>;
  readonly summary: RunSummary;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly ending: Omit<Ending, 'clauses' | 'strict' | 'now'>;
};

/** The verdicts of a run and its conclusion as one value: the one place where a record is made. */
export function concludeRecord(clauses: readonly ClauseRecord[], facts: RunFacts): RunRecord {
  const {
    session,
    reference,
    name = new URL(session.baseUrl).host,
    strict,
    only,
    skip,
    version,
    startedAt,
    duration,
    summary,
    ending,
  } = facts;
  const redact = sessionRedactor(session);
  const internalErrors = ending.internalErrors.map((text) => redact(text));
  const { depth, seed, readOnly, now } = session;
  return {
    version: RUN_RECORD_VERSION,
    tool: { name: 'petstore-conformance', version },
    target: { baseUrl: redact(session.baseUrl), reference, name: redact(name) },
    document: { digest: DOCUMENT_DIGEST },
    startedAt,
    duration,
    options: {
      depth,
      seed,
      readOnly,
      strict,
      ...(facts.asOf === undefined ? {} : { asOf: facts.asOf }),
      only,
      skip,
      now: now.toISOString(),
    },
    conclusion: conclude({ ...ending, internalErrors, clauses, strict, now }),
    interrupted: ending.interrupted !== undefined || ending.cutShort !== undefined,
    judged: judgedShares(clauses),
    clauses,
    ...summary,
  };
}

/** What did not recur, in a sentence. */
export function flakyNotice(clauses: readonly ClauseRecord[]): string[] {
  const flaky = clauses.filter((clause) => clause.flaky === true).map(({ id }) => id);
  if (flaky.length === 0) return [];
  const what = flaky.length === 1 ? '1 broken clause is flaky, it' : `${flaky.length} broken clauses are flaky, they`;
  return [`${what} did not come again when asked for once more: ${flaky.join(', ')}`];
}
