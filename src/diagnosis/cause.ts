// A cause as data, and the run as causes look at it.

import type { ClauseId } from '../clause/clause.ts';
import type { ClauseRecord, ReportedFinding } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redacted-exchange.ts';
import { writerOf } from './fingerprints/index.ts';

export type Cause = {
  /** Opaque and stable. */
  readonly id: string;
  readonly title: string;
  readonly explains: readonly ClauseId[];
  /** Situations that wait for the clauses that it explains. */
  readonly waiting: number;
  /** Requests and responses that show it, one sentence each. */
  readonly evidence: readonly string[];
  readonly advice: string;
  /** It only shows with several requests in flight: a single request does not reproduce it. */
  readonly atOnce?: true;
};

/** The likely causes of the findings of a run, the one to repair first in front. Reports show it, and no verdict depends on it. */
export type Diagnosis = { readonly causes: readonly Cause[] };

export type Sign = { readonly failure: Failure; readonly sentence: string };

/** A cause as data: its signs, how many of them it takes, and where to fix it. */
export type CauseRule = {
  readonly id: string;
  readonly title: string | ((signs: readonly Sign[]) => string);
  readonly advice: string | ((signs: readonly Sign[], run: DiagnosedRun) => string);
  readonly clauses: readonly ClauseId[];
  /** How the finding shows the cause, as a sentence; undefined if it does not. */
  readonly sign: (failure: Failure, run: DiagnosedRun) => string | undefined;
  /** Whether the signs are enough to name the cause; by default, one is. */
  readonly suffices?: (signs: readonly Sign[], run: DiagnosedRun) => boolean;
  readonly atOnce?: true;
};

/** A finding with its context and the exchange that shows it: the last one, whose response is wrong. */
export type Failure = {
  readonly clause: ClauseRecord;
  readonly finding: ReportedFinding;
  readonly exchange: RedactedExchange;
};

export type DiagnosedRun = {
  readonly record: RunRecord;
  /** Every finding of every broken clause that has an exchange, in the order of the record. */
  readonly failures: readonly Failure[];
  /** Products that wrote a response of some finding, by name; not those that only may have. */
  readonly products: ReadonlySet<string>;
  /** Of all operations if none is named. */
  statuses(operation?: RedactedExchange['operation']): ReadonlyMap<string, number>;
  failed(...clauses: readonly ClauseId[]): readonly Failure[];
};

function failuresOf({ clauses }: RunRecord): Failure[] {
  return clauses
    .filter(({ verdict }) => verdict === 'fail')
    .flatMap((clause) =>
      clause.findings.flatMap((finding) => {
        const exchange = finding.exchanges.at(-1);
        return exchange === undefined ? [] : [{ clause, finding, exchange }];
      }),
    );
}

export function viewRun(record: RunRecord): DiagnosedRun {
  const failures = failuresOf(record);
  const products = failures.flatMap(({ exchange }) => writerOf(exchange)?.product ?? []);
  return {
    record,
    failures,
    products: new Set(products),
    statuses(operation) {
      const sums = new Map<string, number>();
      for (const statistics of record.operations) {
        if (operation !== undefined && statistics.operation !== operation) continue;
        for (const [status, count] of Object.entries(statistics.statuses)) sums.set(status, (sums.get(status) ?? 0) + count);
      }
      return sums;
    },
    failed: (...clauses) => failures.filter(({ clause }) => clauses.includes(clause.id)),
  };
}

/** The advice for the products that were recognized in the responses, or else the general one, if there is one. */
export function adviceFor(products: ReadonlySet<string>, table: Readonly<Record<string, string>>, otherwise = ''): string {
  const known = [...products].flatMap((product) => table[product] ?? []);
  return known.length === 0 ? otherwise : known.join('. ');
}
