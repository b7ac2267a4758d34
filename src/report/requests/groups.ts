import type { PassingCheck, RunRecord } from '../../clause/run-record.ts';
import type { RedactedExchange } from '../../wire/redact.ts';
import { brokenClauses, type Case } from '../broken-clauses.ts';
import { count, oneLine } from '../text.ts';
import { expectationOf } from './asserts.ts';
import { apart, type Step, stepsOf } from './steps.ts';

/** The requests of one case in a file, in order. */
export type RequestGroup = {
  readonly title: string;
  /** What the last response should be, in words; empty if the report only shows it. */
  readonly expected: string;
  /** The one status that is expected of the last response; undefined if it is not about a status. */
  readonly status: string | undefined;
  /** The status of the last response; undefined if there was none. */
  readonly received: string | undefined;
  /** What else the last response should have, as Hurl asserts. */
  readonly asserts: readonly string[];
  /** A remark on the entry: why it has no status, or can't fail. */
  readonly remark: string | undefined;
  /** Whether status and asserts distinguish a correct response from the received one. */
  readonly decides: boolean;
  readonly steps: readonly Step[];
};

/** Groups of a run, and their result. */
export type RequestGroups = { readonly what: 'failed' | 'passed'; readonly groups: readonly RequestGroup[] };

/** The number of cases per clause in the file: those of different kinds come first. */
const CASES = 5;
const CANNOT_FAIL = 'this entry cannot fail: no assert says what is wrong with the response; replay judges it';
const LONGEST_LINE = 300;

/** The failures of a run whose exchanges are kept. */
export function failingOf(record: RunRecord): readonly RequestGroup[] {
  return brokenClauses(record).flatMap(({ clause, cases }) =>
    cases
      .filter(({ exchange }) => exchange !== undefined)
      .slice(0, CASES)
      .map((one) => failing(one, { id: clause.id, baseUrl: record.target.baseUrl })),
  );
}

function failing({ summary, finding, exchange }: Case, { id, baseUrl }: { readonly id: string; readonly baseUrl: string }): RequestGroup {
  const { decides, ...expectation } = expectationOf(finding);
  return {
    title: oneLine(`${id}: ${summary}`, LONGEST_LINE),
    expected: oneLine(finding.expected.join(', or '), LONGEST_LINE),
    ...expectation,
    decides,
    received: exchange === undefined ? undefined : statusOf(exchange),
    remark: decides ? undefined : CANNOT_FAIL,
    steps: stepsOf(finding.exchanges, baseUrl),
  };
}

/** The exchanges of passing checks, if they were kept: each response is expected again. */
export function passingOf(record: RunRecord): readonly RequestGroup[] {
  const titles = new Map(record.checks.map(({ id, title }) => [id, title]));
  const largest = largestId(record);
  return (record.passing ?? []).flatMap((passing) => {
    const title = titles.get(passing.check) ?? '';
    return apart(passing.exchanges).map((exchanges) => passed(exchanges, { passing, title, largest, baseUrl: record.target.baseUrl }));
  });
}

type Passed = { readonly passing: PassingCheck; readonly title: string; readonly largest: bigint; readonly baseUrl: string };

function passed(exchanges: readonly RedactedExchange[], { passing, title, largest, baseUrl }: Passed): RequestGroup {
  const last = exchanges.at(-1);
  const received = last === undefined ? undefined : statusOf(last);
  const mayDiffer = last !== undefined && mayExistByNow(last, largest);
  const more = passing.leftOut === 0 ? '' : ` (${count(passing.leftOut, 'more request')} not kept)`;
  return {
    title: oneLine(`${passing.check}: ${title}${more}`, LONGEST_LINE),
    expected: received ?? '',
    status: mayDiffer ? undefined : received,
    asserts: [],
    decides: !mayDiffer,
    received,
    remark: mayDiffer ? 'an animal may have this id by now' : undefined,
    steps: stepsOf(exchanges, baseUrl),
  };
}

/** How many ids a service with ascending ids may assign before a file is used. */
const NEXT_IDS = 10_000n;

/** The largest id that the service assigned in the run; 0 if there is none. */
function largestId({ animals }: RunRecord): bigint {
  const ids = animals.created.flatMap(({ id }) => (/^\d{1,19}$/.test(id) ? [BigInt(id)] : []));
  return ids.toSorted((left, right) => Number(right - left))[0] ?? 0n;
}

/** A read of an animal that did not exist yet. */
function mayExistByNow(exchange: RedactedExchange, largest: bigint): boolean {
  const id = /\/pets\/(\d{1,19})$/.exec(exchange.url)?.[1];
  return id !== undefined && statusOf(exchange) === '404' && BigInt(id) <= largest + NEXT_IDS;
}

function statusOf({ answer }: RedactedExchange): string | undefined {
  return answer.kind === 'answered' ? String(answer.status) : undefined;
}
