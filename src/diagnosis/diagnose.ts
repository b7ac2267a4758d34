import { type ClauseId, isBinding } from '../clause/clause.ts';
import type { CheckRecord, RunRecord } from '../clause/run-record.ts';
import { type Cause, type CauseRule, type RunView, type Sign, viewRun } from './cause.ts';
import { causes } from './causes/index.ts';
import { type Breakage, breakagesOf, byUrgency, weightOfAll } from './repair-order.ts';

export type Diagnosis = {
  /** The cause to repair first comes first. */
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

/** A few sentences, about as many kinds of request as possible. */
function evidenceOf(signs: readonly Sign[]): readonly string[] {
  const kinds = new Map<string, string>();
  for (const { failure, sentence } of signs) {
    const kind = `${failure.clause.id} ${failure.exchange.operation}`;
    if (!kinds.has(kind)) kinds.set(kind, sentence);
  }
  return [...new Set([...kinds.values(), ...signs.map(({ sentence }) => sentence)])].slice(0, MOST_EVIDENCE);
}

function causeOf(rule: CauseRule, signs: readonly Sign[], { run, breakages }: { run: RunView; breakages: readonly Breakage[] }): Cause {
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
    waiting: weightOfAll(breakages.filter(({ clause }) => clauses.has(clause.id))).waiting,
    evidence: evidenceOf(signs),
    advice: typeof rule.advice === 'string' ? rule.advice : rule.advice(signs, run),
    ...(rule.atOnce === undefined ? {} : { atOnce: rule.atOnce }),
  };
}

/** Only what no other cause has explained yet; empty if the signs are not enough. */
function signsOf(rule: CauseRule, run: RunView, left: RunView['failures']): readonly Sign[] {
  const signs = left
    .filter(({ clause }) => rule.clauses.includes(clause.id))
    .flatMap((failure) => {
      const sentence = rule.sign(failure, run);
      return sentence === undefined ? [] : [{ failure, sentence }];
    });
  return signs.length > 0 && (rule.suffices === undefined || rule.suffices(signs, run)) ? signs : [];
}

/**
 * In the order of repair; among equally urgent causes of failures, and then of warnings, the one that explains more responses comes first.
 * Those that disappear with the repair of another come last.
 */
function inOrder(found: readonly Cause[], breakages: readonly Breakage[]): readonly Cause[] {
  const weighed = found.map((cause) => {
    const explained = breakages.filter(({ clause }) => cause.explains.some((one) => one.clause === clause.id));
    const own = explained.filter(({ consequenceOf }) => consequenceOf === undefined);
    return { cause, own: own.length > 0, weight: weightOfAll(explained) };
  });
  return weighed
    .toSorted(
      (left, right) =>
        Number(right.own) - Number(left.own) ||
        byUrgency(left.weight, right.weight) ||
        Number(isBinding(right.weight)) - Number(isBinding(left.weight)) ||
        right.cause.findings - left.cause.findings,
    )
    .map(({ cause }) => cause);
}

const clausesOf = ({ explains }: Cause): string =>
  explains
    .map(({ clause }) => clause)
    .toSorted()
    .join();

function unexplained({ checks, clauses }: RunRecord, found: readonly Cause[]): readonly ClauseId[] {
  const explained = new Set<string>(found.flatMap(({ explains }) => explains.flatMap((one) => one.checks)));
  const open = new Set(checks.filter(({ id, verdict }) => verdict === 'fail' && !explained.has(id)).map(({ clause }) => clause));
  return clauses.filter(({ id }) => open.has(id)).map(({ id }) => id);
}

/** Says nothing that the record does not show, and changes no verdict. */
export function diagnose(record: RunRecord): Diagnosis {
  const run = viewRun(record);
  const breakages = breakagesOf(record);
  const found: Cause[] = [];
  let left = run.failures;
  for (const rule of causes) {
    const signs = signsOf(rule, run, left);
    if (signs.length === 0) continue;
    found.push(causeOf(rule, signs, { run, breakages }));
    if (rule.excludesOthers === true) return { causes: found, unexplained: [] };
    const explained = new Set(signs.map(({ failure }) => failure));
    left = left.filter((failure) => !explained.has(failure));
  }
  // One defect has one cause: of two that explain the same clauses, the one that explains more findings stays.
  const most = found.toSorted((left, right) => right.findings - left.findings);
  const distinct = most.filter((cause, index) => !most.slice(0, index).some((other) => clausesOf(other) === clausesOf(cause)));
  return { causes: inOrder(distinct, breakages), unexplained: unexplained(record, distinct) };
}
