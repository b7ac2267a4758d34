// What of a run fits into its deadline, at the rate of requests that the service allows: fewer requests are planned, rather than the last
// ones cut off.

import { STEPS, type Step } from '../clause/clause.ts';
import type { OpenSession } from '../session/open-session.ts';
import type { Depth } from '../session/session.ts';

type OfSteps = Readonly<Record<Step, number>>;
/**
 * Requests of each step against the reference server: at each depth; with one row of each table and one case of each property; and so without
 * exhaustive checks.
 */
type Cost = Readonly<Record<Depth | 'least' | 'essential', OfSteps>>;

type EachStep = readonly [number, number, number, number, number, number, number, number];

function ofSteps(...requests: EachStep): OfSteps {
  return Object.fromEntries(STEPS.map((step, place) => [step, requests[place] ?? 0])) as OfSteps;
}

const ALL: Cost = {
  quick: ofSteps(255, 155, 125, 100, 0, 290, 65, 130),
  standard: ofSteps(330, 155, 160, 315, 120, 540, 540, 220),
  thorough: ofSteps(330, 155, 160, 315, 120, 540, 3_720, 220),
  least: ofSteps(220, 140, 150, 50, 70, 135, 50, 190),
  essential: ofSteps(160, 140, 120, 10, 0, 105, 40, 125),
};
const READS: Cost = {
  quick: ofSteps(255, 20, 10, 100, 0, 20, 30, 70),
  standard: ofSteps(330, 20, 10, 315, 0, 165, 280, 95),
  thorough: ofSteps(330, 20, 10, 315, 0, 165, 1_265, 95),
  least: ofSteps(220, 20, 10, 50, 0, 35, 10, 80),
  essential: ofSteps(160, 20, 10, 10, 0, 15, 5, 70),
};

const sum = (requests: OfSteps, from: number): number => STEPS.slice(from).reduce((all, step) => all + requests[step], 0);

export type Extent = { readonly depth: Depth; readonly readOnly: boolean };

/** The approximate number of requests that a whole run of the gate sends. */
export function plannedRequests({ depth, readOnly }: Extent): number {
  return sum((readOnly ? READS : ALL)[depth], 0);
}

/**
 * The part of a run that fits: whether exhaustive checks do, and the share of what tables and properties send beyond one case each (0 to 1);
 * `essential`: whether the step fits at all, with one case each.
 */
export type Fitting = { readonly requests: number; readonly share: number; readonly exhaustive: boolean; readonly essential: boolean };

export type Moment = { readonly step: Step; readonly sent: number; readonly requests: number };

/** What fits into the time from that moment on; undefined if everything that is planned does. */
export function whatFits({ depth, readOnly }: Extent, { step, sent, requests }: Moment): Fitting | undefined {
  const cost = readOnly ? READS : ALL;
  const left = (of: keyof Cost): number => sum(cost[of], STEPS.indexOf(step) + 1) + Math.max(0, cost[of][step] - sent);
  const share = (least: number, whole: number): number => Math.min(1, Math.max(0, (requests - least) / Math.max(1, whole - least)));
  if (requests >= left(depth)) return undefined;
  const essential = requests >= Math.max(1, cost.essential[step] - sent);
  if (depth !== 'quick' && requests >= left('least'))
    return { requests, share: share(left('least'), left(depth)), exhaustive: true, essential };
  return { requests, share: share(left('essential'), left('quick')), exhaustive: false, essential };
}

/** What is kept of the time for the start, pauses, the last responses, the closing requests, and the reports. */
const RESERVE = { share: 0.15, seconds: 4 };

/** Seconds after which the requests so far tell the rate. */
const LEAST_TELLING = 5;

const AND = new Intl.ListFormat('en', { type: 'conjunction' });

export type Timekeeper = {
  begin(): void;
  /**
   * Before (the rest of) a step: what fits, and why not everything does; undefined if everything does. From now on, the session sends a part of
   * each table, and draws fewer cases.
   */
  fit(step: Step): (Fitting & { readonly reason: string }) | undefined;
  note(): void;
};

export function createTimekeeper(
  open: Pick<OpenSession, 'allowedRate' | 'requests' | 'fitInto' | 'session'>,
  { seconds, ...extent }: Extent & { readonly seconds: number },
): Timekeeper {
  let begin = { at: performance.now(), requests: 0 };
  let current: { readonly step: Step; readonly from: number } | undefined;
  let cut: { readonly reason: string; readonly share: number; readonly exhaustive: boolean; readonly all: boolean } | undefined;
  return {
    begin() {
      begin = { at: performance.now(), requests: open.requests() };
    },
    fit(step) {
      if (current?.step !== step) current = { step, from: open.requests() };
      const elapsed = (performance.now() - begin.at) / 1_000;
      const allowed = open.allowedRate();
      // The allowed rate is sometimes tried too high, and then something is rejected: over a longer time the average rate so far is the better estimate.
      const soFar = elapsed < LEAST_TELLING ? Number.POSITIVE_INFINITY : (open.requests() - begin.requests) / elapsed;
      const rate = allowed === undefined ? undefined : Math.min(allowed, soFar);
      const left = (1 - RESERVE.share) * (seconds - RESERVE.seconds) - elapsed;
      const requests = rate === undefined ? Number.POSITIVE_INFINITY : Math.max(0, Math.floor(left * rate));
      const fitting = whatFits(extent, { step, sent: open.requests() - current.from, requests });
      open.fitInto(fitting);
      if (fitting === undefined || rate === undefined) return undefined;
      const reason = `the service allows about ${Math.max(1, Math.round(rate))} requests per second, and the run must end within ${seconds} s`;
      cut = {
        reason,
        share: Math.min(cut?.share ?? 1, fitting.share),
        exhaustive: (cut?.exhaustive ?? true) && fitting.exhaustive,
        all: (cut?.all ?? true) && fitting.essential,
      };
      return { ...fitting, reason };
    },
    note() {
      if (cut === undefined) return;
      const { reason, share, exhaustive, all } = cut;
      const percent = Math.round(100 * share);
      const what = [
        ...(percent === 100
          ? []
          : [percent === 0 ? 'one case of each table and property' : `about ${percent}% of the cases of tables and properties`]),
        ...(exhaustive ? [] : ['no exhaustive check']),
        ...(all ? [] : ['not all checks of the last steps']),
      ];
      open.session.notice(`Less was sent than planned, because ${reason}: ${AND.format(what)}. A longer --deadline judges more`);
    },
  };
}
