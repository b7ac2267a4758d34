import type { ClauseId } from '../clause/clause.ts';
import type { CheckRecord, ClauseRecord, ReportedFinding, RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { writerOf } from './fingerprints/index.ts';

/** A finding with its context and the exchange that shows it: the last one, whose response is wrong. */
export type Failure = {
  readonly clause: ClauseRecord;
  readonly check: CheckRecord;
  readonly finding: ReportedFinding;
  readonly exchange: RedactedExchange;
};

/** A run record, prepared for the causes. */
export type RunView = {
  readonly record: RunRecord;
  /** Every finding of every failed check that has an exchange, in the order of the record. */
  readonly failures: readonly Failure[];
  /** Products that wrote a response of some finding, by name; not those that only may have. */
  readonly products: ReadonlySet<string>;
  /** The number of responses of an operation by status; of all operations if none is named. */
  statuses(operation?: RedactedExchange['operation']): ReadonlyMap<string, number>;
  failed(...clauses: readonly ClauseId[]): readonly Failure[];
};

function failuresOf({ clauses, checks }: RunRecord): Failure[] {
  const known = new Map(clauses.map((clause) => [clause.id, clause]));
  return checks
    .filter(({ verdict }) => verdict === 'fail')
    .flatMap((check) => {
      const clause = known.get(check.clause);
      return check.findings.flatMap((finding) => {
        const exchange = finding.exchanges.at(-1);
        return clause === undefined || exchange === undefined ? [] : [{ clause, check, finding, exchange }];
      });
    });
}

/** A run record prepared for the causes. */
export function viewRun(record: RunRecord): RunView {
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
