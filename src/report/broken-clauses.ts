import { LEVELS } from '../clause/clause.ts';
import type { CheckRecord, ClauseRecord, ReportedCase, ReportedFinding, RunRecord } from '../clause/run-record.ts';
import type { RedactedExchange } from '../wire/redact.ts';
import { causeAt, type Diagnosis } from './likely-causes.ts';
import { locatePointer } from './locate-pointer.ts';
import { clausesInOrder, type Standing, standing } from './tally.ts';
import { count, oneLine, thousands } from './text.ts';

/** One way in which a clause is broken, with the exchange that shows it; `times` counts exchanges that differ in made-up names and ids only. */
export type Case = {
  readonly summary: string;
  readonly finding: ReportedFinding;
  readonly exchange: RedactedExchange | undefined;
  readonly times: number;
};

/** A clause that is broken (or broken and waived): its checks and invariants show one defect, so they are one thing to report. */
export type BrokenClause = {
  readonly clause: ClauseRecord;
  readonly checks: readonly CheckRecord[];
  readonly standing: Standing;
  /** The first finding in one line. */
  readonly found: string;
  /** Different cases, those of different kinds first. */
  readonly cases: readonly Case[];
  /** Exchanges that break it, each counted once. */
  readonly total: number;
  /** Of how many exchanges that it applies to; undefined where no invariant counts them. */
  readonly judged: number | undefined;
  /** Checks that could not be judged because of it. */
  readonly waiting: number;
};

/**
 * The broken clauses in the order of repair: those that fail the run before warnings, then by likely cause, by how many findings a repair
 * explains, by level, by how many checks wait for them, and by the document.
 */
export function brokenClauses(record: RunRecord, diagnosis?: Diagnosis): readonly BrokenClause[] {
  const rank = (id: ClauseRecord['id']): number => {
    const place = causeAt(diagnosis, id);
    return place === -1 ? Number.MAX_SAFE_INTEGER : place;
  };
  return clausesWith(record, 'fail').toSorted(
    (left, right) =>
      Number(left.standing !== 'fails') - Number(right.standing !== 'fails') ||
      rank(left.clause.id) - rank(right.clause.id) ||
      right.total - left.total ||
      LEVELS.indexOf(left.clause.level) - LEVELS.indexOf(right.clause.level) ||
      right.waiting - left.waiting,
  );
}

/** The clauses that a waiver keeps from failing the run, in the order of the document. */
export function waivedClauses(record: RunRecord): readonly BrokenClause[] {
  return clausesWith(record, 'waived');
}

function clausesWith(record: RunRecord, verdict: 'fail' | 'waived'): readonly BrokenClause[] {
  const checks = Map.groupBy(
    record.checks.filter((check) => check.verdict === verdict),
    ({ clause }) => clause,
  );
  const waiting = Map.groupBy(
    record.checks.filter(({ verdict: other }) => other === 'inconclusive'),
    ({ blockedBy }) => blockedBy,
  );
  return clausesInOrder(record).flatMap((clause) => {
    const broken = checks.get(clause.id);
    if (broken === undefined) return [];
    const known = casesOf(broken);
    const shown = distinct([...known.values()], record);
    const most = broken.reduce((largest, { evidence }) => Math.max(largest, evidence?.broken ?? 0), 0);
    // A record of an earlier release has no list of cases.
    const total = Math.max(1, known.size, most);
    const judged = broken.find(({ evidence }) => evidence?.broken === most)?.evidence?.judged;
    return {
      clause,
      checks: broken,
      standing: verdict === 'waived' ? 'neutral' : standing(clause, record.options),
      found: oneLine(broken[0]?.findings[0]?.summary ?? broken[0]?.note ?? '', 300),
      cases: shown,
      total,
      // What checks found besides the exchanges that an invariant counts is no share of them.
      judged: total === most ? judged : undefined,
      waiting: waiting.get(clause.id)?.length ?? 0,
    };
  });
}

type Known = { readonly summary: string; finding: ReportedFinding | undefined };

/** Every case once, whichever checks show it: the same exchange, or the same words where no exchange is kept. */
function casesOf(checks: readonly CheckRecord[]): ReadonlyMap<number | string, Known> {
  const known = new Map<number | string, Known>();
  for (const { cases, findings } of checks) {
    for (const { summary, exchange } of cases ?? findings.map(caseOf)) {
      if (!known.has(exchange ?? summary)) known.set(exchange ?? summary, { summary, finding: undefined });
    }
    for (const finding of findings) {
      const { summary, exchange } = caseOf(finding);
      const entry = known.get(exchange ?? summary);
      if (entry === undefined) known.set(exchange ?? summary, { summary, finding });
      else entry.finding ??= finding;
    }
  }
  return known;
}

function caseOf({ summary, exchanges }: ReportedFinding): ReportedCase {
  const number = exchanges.at(-1)?.number;
  return { summary, ...(number === undefined ? {} : { exchange: number }) };
}

/** The cases whose exchanges are kept, equal ones together; one of each kind comes before the second of any. */
function distinct(known: readonly Known[], record: RunRecord): readonly Case[] {
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
  const cases = [...merged.values()];
  const kinds = cases.map((one) => mask(kindOf(one)).replace(/\d+/g, '#'));
  const first = cases.filter((_one, index) => kinds.indexOf(kinds[index] ?? '') === index);
  return [...first, ...cases.filter((one) => !first.includes(one))];
}

function requestOf({ method, url, requestBody = '', credential }: RedactedExchange): string {
  return [method, url, requestBody, credential].map(bounded).join(' ');
}

/** Records are bounded already; a report does not rely on it. */
function bounded(text: string): string {
  return text.slice(0, 5_000);
}

/** What is wrong with the response: the value that the pointer names, else all of it. */
function shownOf({ answer }: RedactedExchange, { pointer = '' }: ReportedFinding): string {
  if (answer.kind === 'failed') return bounded(answer.reason);
  const body = bounded(answer.body ?? '');
  const span = pointer === '' ? undefined : locatePointer(body, bounded(pointer));
  return `${answer.status} ${span === undefined ? body : `${bounded(pointer)} ${body.slice(span.from, span.to)}`}`;
}

function kindOf({ exchange, finding, summary }: Case): string {
  return exchange === undefined ? bounded(summary) : `${exchange.operation} ${shownOf(exchange, finding)}`;
}

/** A text without what differs from one request to the next: names that the run made up, and ids. */
function createMask(prefix: string): (text: string) => string {
  const names = /^[A-Za-z]{1,60}$/.test(prefix) ? new RegExp(`${prefix}[A-Za-z]*`, 'g') : undefined;
  return (text) => (names === undefined ? text : text.replace(names, '*')).replace(/("id":\s*)-?\d+/g, '$1*');
}

const REJECTION = /^400\b/;

/** `19 of 21 bodies were accepted`, `601 of 641 responses`; undefined for a single case of which nothing else is known. */
export function extentOf({ cases, total, judged }: BrokenClause): string | undefined {
  if (judged === undefined && total === 1) return undefined;
  const of = judged === undefined ? '' : ` of ${thousands(judged)}`;
  const number = judged ?? total;
  if (areAcceptedBodies(cases)) {
    return `${thousands(total)}${of} ${number === 1 ? 'body' : 'bodies'} ${total === 1 ? 'was' : 'were'} accepted`;
  }
  return judged === undefined ? count(total, 'case') : `${thousands(total)}${of} ${number === 1 ? 'response' : 'responses'}`;
}

/** Bodies that were to be rejected and were not. */
export function areAcceptedBodies(cases: readonly Case[]): boolean {
  return (
    cases.length > 0 &&
    cases.every(({ exchange, finding }) => {
      if (exchange?.answer.kind !== 'answered' || exchange.requestBody === undefined) return false;
      return exchange.answer.status >= 200 && exchange.answer.status < 300 && REJECTION.test(finding.expected[0] ?? '');
    })
  );
}

/** The extent and the first finding, in one line: what a list of broken clauses says of each. */
export function describeBroken(broken: BrokenClause): string {
  const extent = extentOf(broken);
  return extent === undefined ? broken.found : `${extent}: ${broken.found}`;
}

/** What was expected of the first case: with its finding it makes a pair, and others may differ. */
export function expectedText({ cases }: BrokenClause): string {
  return oneLine((cases[0]?.finding.expected ?? []).slice(0, 6).join(', or '), 500);
}

/** `36 checks wait for this`, or nothing. */
export function waitingText({ waiting }: BrokenClause): string {
  if (waiting === 0) return '';
  return waiting === 1 ? '1 check waits for this' : `${thousands(waiting)} checks wait for this`;
}
