import { type ClauseId, LEVELS } from '../clause/clause.ts';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import type { Cause, CauseRule, Sign } from './cause.ts';
import { causes } from './causes/index.ts';
import { type RunView, viewRun } from './run-view.ts';

/** What likely causes the failures of a run. */
export type Diagnosis = {
  /** The one to begin with first: by findings explained, then by level, then by what waits for it. */
  readonly causes: readonly Cause[];
  /** Broken clauses with a failed check that no cause explains. */
  readonly unexplained: readonly ClauseId[];
};

const MOST_EVIDENCE = 3;

/** How many cases the checks have, each exchange counted once: checks and invariants of a clause see the same ones. */
function countCases(checks: readonly CheckRecord[]): number {
  const exchanges = checks.flatMap(({ id, clause, cases = [] }) =>
    cases.map(({ exchange }, index) => (exchange === undefined ? `${id} ${index}` : `${clause} ${exchange}`)),
  );
  // Reports of earlier versions have no cases.
  const others = checks.filter(({ cases }) => cases === undefined);
  return new Set(exchanges).size + others.reduce((sum, { evidence, findings }) => sum + (evidence?.broken ?? findings.length), 0);
}

function isWaiting({ verdict, blockedBy }: CheckRecord, clauses: ReadonlySet<ClauseId>): boolean {
  return verdict === 'inconclusive' && blockedBy !== undefined && clauses.has(blockedBy);
}

/** A few sentences, of as many kinds of request as there are. */
function evidenceOf(signs: readonly Sign[]): readonly string[] {
  const kinds = new Map<string, string>();
  for (const { failure, sentence } of signs) {
    const kind = `${failure.clause.id} ${failure.exchange.operation}`;
    if (!kinds.has(kind)) kinds.set(kind, sentence);
  }
  return [...new Set([...kinds.values(), ...signs.map(({ sentence }) => sentence)])].slice(0, MOST_EVIDENCE);
}

function causeOf(rule: CauseRule, signs: readonly Sign[], run: RunView): Cause {
  const checks = new Map(signs.map(({ failure }) => [failure.check.id, failure.check]));
  const clauses = new Set(signs.map(({ failure }) => failure.clause.id));
  return {
    id: rule.id,
    title: typeof rule.title === 'string' ? rule.title : rule.title(signs),
    certainty: 'likely',
    explains: [...clauses].map((clause) => ({
      clause,
      checks: [...checks.values()].filter((check) => check.clause === clause).map(({ id }) => id),
    })),
    findings: countCases([...checks.values()]),
    waiting: run.record.checks.filter((check) => isWaiting(check, clauses)).length,
    evidence: evidenceOf(signs),
    advice: typeof rule.advice === 'string' ? rule.advice : rule.advice(signs, run),
  };
}

/** The signs of a cause among what no other cause has explained yet; none when they are not enough. */
function signsOf(rule: CauseRule, run: RunView, left: RunView['failures']): readonly Sign[] {
  const signs = left
    .filter(({ clause }) => rule.clauses.includes(clause.id))
    .flatMap((failure) => {
      const sentence = rule.sign(failure, run);
      return sentence === undefined ? [] : [{ failure, sentence }];
    });
  return signs.length > 0 && (rule.suffices === undefined || rule.suffices(signs, run)) ? signs : [];
}

/** The rank of the most binding clause that a cause explains. */
function rank({ explains }: Cause, { clauses }: RunRecord): number {
  const levels = new Map(clauses.map(({ id, level }) => [id, LEVELS.indexOf(level)]));
  return Math.min(...explains.map(({ clause }) => levels.get(clause) ?? LEVELS.length));
}

const clausesOf = ({ explains }: Cause): string =>
  explains
    .map(({ clause }) => clause)
    .toSorted()
    .join();

/** Clauses that are red without any cause for some of their failed checks. */
function unexplained({ checks, clauses }: RunRecord, found: readonly Cause[]): readonly ClauseId[] {
  const explained = new Set<string>(found.flatMap(({ explains }) => explains.flatMap((one) => one.checks)));
  const open = new Set(checks.filter(({ id, verdict }) => verdict === 'fail' && !explained.has(id)).map(({ clause }) => clause));
  return clauses.filter(({ id }) => open.has(id)).map(({ id }) => id);
}

/** The likely causes of a finished run. Says nothing that the record does not show, and changes no verdict. */
export function diagnose(record: RunRecord): Diagnosis {
  const run = viewRun(record);
  const found: Cause[] = [];
  let left = run.failures;
  for (const rule of causes) {
    const signs = signsOf(rule, run, left);
    if (signs.length === 0) continue;
    found.push(causeOf(rule, signs, run));
    if (rule.excludesOthers === true) return { causes: found, unexplained: [] };
    const explained = new Set(signs.map(({ failure }) => failure));
    left = left.filter((failure) => !explained.has(failure));
  }
  const ranked = found.toSorted((a, b) => b.findings - a.findings || rank(a, record) - rank(b, record) || b.waiting - a.waiting);
  // One defect has one cause: of two that explain the same clauses, the one that explains more findings stays.
  const ordered = ranked.filter((cause, index) => !ranked.slice(0, index).some((other) => clausesOf(other) === clausesOf(cause)));
  return { causes: ordered, unexplained: unexplained(record, ordered) };
}
