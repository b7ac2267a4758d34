import type { ClauseId } from '../clause/clause.ts';
import type { CheckRecord, ClauseRecord, ReportedContrast, ReportedFinding, RunRecord } from '../clause/run-record.ts';
import { type Breakage, breakagesOf, byUrgency, byWeight, type KnownCase, weightOfAll } from '../diagnosis/repair-order.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { contrastOf } from './contrast-text.ts';
import { type Diagnosis, explainedBy } from './likely-causes.ts';
import { locatePointer } from './locate-pointer.ts';
import { clausesInOrder, type Standing, standing } from './tally.ts';
import { count, oneLine, thousands } from './text.ts';

/**
 * One way in which a clause is broken, with the exchange that shows it; `times` counts exchanges that differ only in generated names and
 * ids.
 */
export type Case = {
  readonly summary: string;
  readonly finding: ReportedFinding;
  readonly exchange: RedactedExchange | undefined;
  readonly times: number;
};

/** A clause that is broken (or broken and waived): its checks and invariants show one defect, so they are reported as one. */
export type BrokenClause = {
  readonly clause: ClauseRecord;
  readonly checks: readonly CheckRecord[];
  readonly standing: Standing;
  /** The first finding in one line. */
  readonly found: string;
  /** Different cases, with those of different kinds first. */
  readonly cases: readonly Case[];
  /** Exchanges that break it, each counted once. */
  readonly total: number;
  /** The number of exchanges that it applies to; undefined if no invariant counts them. */
  readonly judged: number | undefined;
  /** The number of checks that could not be judged because of it. */
  readonly waiting: number;
  /** The clause about unserved requests, if all of these cases are unserved: its repair repairs this one. */
  readonly consequenceOf: ClauseId | undefined;
  /** When it is broken, if the run shows it. */
  readonly contrast: ReportedContrast | undefined;
};

/**
 * The broken clauses in the order of repair: those that fail the run before warnings, each together with the others of its likely cause,
 * and last those that the repair of another one repairs.
 */
export function brokenClauses(record: RunRecord, diagnosis?: Diagnosis): readonly BrokenClause[] {
  const breakages = breakagesOf(record);
  const ranks = ranksOf(breakages, diagnosis);
  const place = ({ clause }: BrokenClause): number => ranks.get(clause.id) ?? ranks.size;
  return inDocumentOrder(record, breakages).toSorted(
    (left, right) => Number(left.standing !== 'fails') - Number(right.standing !== 'fails') || place(left) - place(right),
  );
}

/** The clauses that a waiver keeps from failing the run, in the order of the document. */
export function waivedClauses(record: RunRecord): readonly BrokenClause[] {
  return inDocumentOrder(record, breakagesOf(record, 'waived')).map((one) => ({ ...one, standing: 'neutral' }));
}

/**
 * The rank of every clause. Clauses with the same cause are together; what no cause explains precedes a cause only if it is more urgent.
 */
function ranksOf(breakages: readonly Breakage[], { causes }: Diagnosis = { causes: [] }): ReadonlyMap<ClauseId, number> {
  const weighed = causes.map((cause) => {
    const explained = new Set(explainedBy(cause));
    return { explained, weight: weightOfAll(breakages.filter(({ clause }) => explained.has(clause.id))) };
  });
  const placeOf = (one: Breakage): number => {
    if (one.consequenceOf !== undefined) return weighed.length;
    const cause = weighed.findIndex(({ explained }) => explained.has(one.clause.id));
    if (cause !== -1) return cause;
    const lessUrgent = weighed.findIndex(({ weight }) => byUrgency(one, weight) < 0);
    return (lessUrgent === -1 ? weighed.length : lessUrgent) - 0.5;
  };
  const ordered = breakages.toSorted((left, right) => placeOf(left) - placeOf(right) || byWeight(left, right));
  return new Map(ordered.map(({ clause }, index) => [clause.id, index]));
}

function inDocumentOrder(record: RunRecord, breakages: readonly Breakage[]): readonly BrokenClause[] {
  const broken = new Map(breakages.map((one) => [one.clause.id, one]));
  return clausesInOrder(record).flatMap(({ id }) => {
    const one = broken.get(id);
    return one === undefined ? [] : [describe(one, record)];
  });
}

function describe(breakage: Breakage, record: RunRecord): BrokenClause {
  const { clause, checks, total, judged, waiting, consequenceOf } = breakage;
  const cases = distinct([...breakage.cases.values()], record);
  return {
    clause,
    checks,
    standing: standing(clause, record.options),
    found: oneLine(cases[0]?.summary ?? checks[0]?.findings[0]?.summary ?? checks[0]?.note ?? '', 300),
    cases,
    total,
    judged,
    waiting,
    consequenceOf,
    contrast: contrastOf(checks),
  };
}

/** The cases whose exchanges are kept, with equal ones merged; one of each kind comes before the second of any. */
function distinct(known: readonly KnownCase[], record: RunRecord): readonly Case[] {
  const mask = createMask(record.animals.prefix);
  const merged = new Map<string, { -readonly [Key in keyof Case]: Case[Key] }>();
  for (const { summary, finding } of known) {
    if (finding === undefined) continue;
    const exchange = finding.exchanges.at(-1);
    const signature = exchange === undefined ? bounded(summary) : mask(`${requestOf(exchange)}\n${shownOf(exchange, finding)}`);
    const entry = merged.get(signature);
    if (entry === undefined) merged.set(signature, { summary, finding, exchange, times: 1 });
    else entry.times += 1;
  }
  const cases = [...merged.values()].toSorted((left, right) => oddity(left) - oddity(right));
  const kinds = cases.map((one) => mask(kindOf(one)).replace(/\d+/g, '#'));
  const first = cases.filter((_one, index) => kinds.indexOf(kinds[index] ?? '') === index);
  return [...first, ...cases.filter((one) => !first.includes(one))];
}

/** Requests with a smaller difference are equally plain. */
const PLAINNESS_STEP = 64;
/** Each one counts as a step. */
const ESCAPES = /[%\\]/g;
const NOT_ODD: readonly string[] = ['authorization', 'traceparent', 'content-length'];

/**
 * How much there is to read in a request before its response can be understood, in steps: a plain request is the best example of what
 * breaks any request. Cases whose exchange is not kept come last.
 */
function oddity({ exchange }: Case): number {
  if (exchange === undefined) return Number.POSITIVE_INFINITY;
  const headers = exchange.requestHeaders.filter(([name]) => !NOT_ODD.includes(name.toLowerCase()));
  const text = [exchange.url, exchange.requestBody ?? '', ...headers.flat()].join('');
  return Math.floor(text.length / PLAINNESS_STEP) + (text.match(ESCAPES)?.length ?? 0);
}

function requestOf({ method, url, requestBody = '', credential }: RedactedExchange): string {
  return [method, url, requestBody, credential].map(bounded).join(' ');
}

/** Records are bounded already, but a report does not rely on it. */
function bounded(text: string): string {
  return text.slice(0, 5_000);
}

/** What is wrong with the response: the value that the pointer names, or else all of it. */
function shownOf({ answer }: RedactedExchange, { pointer = '' }: ReportedFinding): string {
  if (answer.kind === 'failed') return bounded(answer.reason);
  const body = bounded(answer.body ?? '');
  const span = pointer === '' ? undefined : locatePointer(body, bounded(pointer));
  return `${answer.status} ${span === undefined ? body : `${bounded(pointer)} ${body.slice(span.from, span.to)}`}`;
}

function kindOf({ exchange, finding, summary }: Case): string {
  return exchange === undefined ? bounded(summary) : `${exchange.operation} ${shownOf(exchange, finding)}`;
}

/** A text without what differs between requests: generated names and ids. */
function createMask(prefix: string): (text: string) => string {
  const names = /^[A-Za-z]{1,60}$/.test(prefix) ? new RegExp(`${prefix}[A-Za-z]*`, 'g') : undefined;
  return (text) => (names === undefined ? text : text.replace(names, '*')).replace(/("id":\s*)-?\d+/g, '$1*');
}

const REJECTION = /^400\b/;

/** `19 of 21 bodies were accepted`, `601 of 641 responses`; undefined for a single case about which nothing else is known. */
export function extentOf({ cases, total, judged }: BrokenClause): string | undefined {
  if (judged === undefined && total === 1) return undefined;
  const of = judged === undefined ? '' : ` of ${thousands(judged)}`;
  const number = judged ?? total;
  if (areAcceptedBodies(cases)) {
    return `${thousands(total)}${of} ${number === 1 ? 'body' : 'bodies'} ${total === 1 ? 'was' : 'were'} accepted`;
  }
  return judged === undefined ? count(total, 'case') : `${thousands(total)}${of} ${number === 1 ? 'response' : 'responses'}`;
}

/** Whether all cases are bodies that should have been rejected. */
export function areAcceptedBodies(cases: readonly Case[]): boolean {
  return (
    cases.length > 0 &&
    cases.every(({ exchange, finding }) => {
      if (exchange?.answer.kind !== 'answered' || exchange.requestBody === undefined) return false;
      return exchange.answer.status >= 200 && exchange.answer.status < 300 && REJECTION.test(finding.expected[0] ?? '');
    })
  );
}

/** The extent and the first finding, in one line, for a list of broken clauses. */
export function describeBroken(broken: BrokenClause): string {
  const extent = extentOf(broken);
  const found = extent === undefined ? broken.found : `${extent}: ${broken.found}`;
  return broken.consequenceOf === undefined ? found : `consequence of ${broken.consequenceOf}: ${found}`;
}

/** Why a broken clause needs no separate repair, or nothing. */
export function consequenceText({ consequenceOf, total }: BrokenClause): string {
  if (consequenceOf === undefined) return '';
  return `of ${consequenceOf}: ${total === 1 ? 'this request was not' : 'none of these requests was'} served`;
}

/** What was expected for the first case, to match its finding: other cases may differ. */
export function expectedText({ cases }: BrokenClause): string {
  return oneLine((cases[0]?.finding.expected ?? []).slice(0, 6).join(', or '), 500);
}

/** `36 checks wait for this`, or nothing. */
export function waitingText({ waiting }: BrokenClause): string {
  if (waiting === 0) return '';
  return waiting === 1 ? '1 check waits for this' : `${thousands(waiting)} checks wait for this`;
}
