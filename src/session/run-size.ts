// How much of what is planned a run sends: by its depth, the pace of the service, a deadline, or the budget of a short run of the probe.

import { haltInconclusive } from '../clause/halt.ts';
import type { Client } from '../wire/client.ts';
import { GOLDEN } from './numbers.ts';
import type { Session, SessionOptions } from './session.ts';

/** A part of a table: its first row, counted from 0, and the maximum number of rows. */
export type Portion = { readonly from: number; readonly most: number };

/** What of a run still fits into its time: requests, and the share of what tables and properties send (0: one case of each). */
export type Fit = { readonly requests: number; readonly share: number };

const EVERYTHING: Portion = { from: 0, most: Number.POSITIVE_INFINITY };

const DEPTH_FACTORS = { quick: 0.1, standard: 1, thorough: 10 } as const;
/** Milliseconds that the properties of a standard run may take, and when they must end. */
const PROPERTY_ALLOWANCE = 10_000;
const PROPERTIES_END = 30_000;
const LEAST_ALLOWANCE = 1_500;
const PLANNED_REQUESTS = 1_100;

function affordable(pace: { elapsed: number; requests: number }): number {
  if (pace.requests === 0) return 1;
  const allowance = Math.max(LEAST_ALLOWANCE, Math.min(PROPERTY_ALLOWANCE, PROPERTIES_END - pace.elapsed));
  return Math.min(1, allowance / ((pace.elapsed / pace.requests) * PLANNED_REQUESTS));
}

/**
 * The bounds of a run: a number of requests, beyond which nothing is sent; a part of each table, for runs of the probe that take turns; a share of all
 * tables and properties, where a deadline is near; and for properties their depth, the observed pace, and a budget of time.
 */
export type RunSize = Pick<Session, 'portion' | 'cases' | 'outOfTime'> & {
  hasTimeFor(requests: number): boolean;
  /** Throws Halt if no further request may be sent. */
  assertMaySend(): void;
  /** From now on, at most this many requests; a check that needs more is undecided by choice. */
  limitRequests(most: number): void;
  /**
   * From now on, this many rows of each table are sent, beginning with that one; rows that follow each other then are far apart in the
   * table.
   */
  takePortion(portion: Portion): void;
  /** From now on, tables and properties send this share of their cases; undefined: all of them. */
  fitInto(fit: Fit | undefined): void;
  /** The number of rows of the longest table that was sent since then; 0 if there was none. */
  longestTable(): number;
};

export function createRunSize(
  options: Pick<SessionOptions, 'depth' | 'frugal' | 'timeBudget'>,
  { client, notice }: { readonly client: Pick<Client, 'elapsed' | 'requests' | 'heldBack'>; readonly notice: (sentence: string) => void },
): RunSize {
  let lastRequest = Number.POSITIVE_INFINITY;
  let allowed = Number.POSITIVE_INFINITY;
  let share: number | undefined;
  let portion = EVERYTHING;
  let longestTable = 0;
  let fit: Fit | undefined;
  return {
    // Half: the requests for which the store is filled must fit, too.
    hasTimeFor: (requests) => fit === undefined || requests <= fit.requests / 2,
    assertMaySend() {
      // Some allowed requests have not been sent yet, and some sent requests are repeated.
      if (allowed <= 0 || client.requests() >= lastRequest) haltInconclusive('the run has sent as many requests as it may', 'choice');
      allowed -= 1;
    },
    limitRequests(most) {
      lastRequest = client.requests() + most;
      allowed = most;
    },
    portion(rows) {
      longestTable = Math.max(longestTable, rows.length);
      const spread = rows.map((_row, place) => place).sort((a, b) => ((a * GOLDEN) % 1) - ((b * GOLDEN) % 1));
      // If a table is shorter than another one of the same check, its rows are sent again.
      const from = portion.from % Math.max(1, rows.length);
      const most = Math.min(portion.most, Math.max(1, Math.ceil(rows.length * (fit?.share ?? 1))));
      const taken = new Set(spread.slice(from, from + most));
      return rows.filter((_row, place) => taken.has(place));
    },
    takePortion(taken) {
      portion = taken;
      longestTable = 0;
    },
    longestTable: () => longestTable,
    fitInto(fitting) {
      fit = fitting;
    },
    cases(planned) {
      // A run with few requests is bounded by their number: if it drew fewer cases at a distance, it would leave out the same ones each
      // day.
      if (options.frugal === true) share = 1;
      if (share === undefined) {
        share = affordable({ elapsed: client.elapsed(), requests: client.requests() });
        if (share < 1)
          notice(
            `Properties ran ${Math.max(1, Math.round(share * 100))}% of their cases, because the service is slow or limits the rate of requests`,
          );
      }
      return Math.max(1, Math.round(planned * DEPTH_FACTORS[options.depth] * Math.min(share, fit?.share ?? 1)));
    },
    outOfTime() {
      // Waiting for a rate limit of the service does not count.
      const spent = client.elapsed() - client.heldBack() > options.timeBudget;
      if (spent) notice(`The time budget of ${options.timeBudget / 1000} s was spent: properties drew no new cases from then on`);
      return spent;
    },
  };
}
