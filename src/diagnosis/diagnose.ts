import { isBinding } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { type Cause, type CauseRule, type DiagnosedRun, type Diagnosis, type Sign, viewRun } from './cause.ts';
import { causes } from './causes/index.ts';
import { type Breakage, breakagesOf, byUrgency, weightOfAll } from './repair-order.ts';

/** A cause, and how many cases it explains: exchanges that break their clause, each counted once. */
type FoundCause = { readonly cause: Cause; readonly size: number };

const MOST_EVIDENCE = 3;

/** How many cases the clauses have, each exchange counted once. */
function countCases(clauses: readonly ClauseRecord[]): number {
  const exchanges = clauses.flatMap(({ id, cases = [] }) => cases.map(({ exchange }, index) => `${id} ${exchange ?? `- ${index}`}`));
  // Reports of earlier versions have no cases.
  const others = clauses.filter(({ cases }) => cases === undefined);
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

function causeOf(
  rule: CauseRule,
  signs: readonly Sign[],
  { run, breakages }: { run: DiagnosedRun; breakages: readonly Breakage[] },
): FoundCause {
  const clauses = new Map(signs.map(({ failure }) => [failure.clause.id, failure.clause]));
  const cause = {
    id: rule.id,
    title: typeof rule.title === 'string' ? rule.title : rule.title(signs),
    explains: [...clauses.keys()],
    waiting: weightOfAll(breakages.filter(({ clause }) => clauses.has(clause.id))).waiting,
    evidence: evidenceOf(signs),
    advice: typeof rule.advice === 'string' ? rule.advice : rule.advice(signs, run),
    ...(rule.atOnce === undefined ? {} : { atOnce: rule.atOnce }),
  };
  return { cause, size: countCases([...clauses.values()]) };
}

/** Only what no other cause has explained yet; empty if the signs are not enough. */
function signsOf(rule: CauseRule, run: DiagnosedRun, left: DiagnosedRun['failures']): readonly Sign[] {
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
function inOrder(found: readonly FoundCause[], breakages: readonly Breakage[]): readonly Cause[] {
  const weighed = found.map(({ cause, size }) => {
    const explained = breakages.filter(({ clause }) => cause.explains.includes(clause.id));
    const own = explained.filter(({ consequenceOf }) => consequenceOf === undefined);
    return { cause, size, own: own.length > 0, weight: weightOfAll(explained) };
  });
  return weighed
    .toSorted(
      (left, right) =>
        Number(right.own) - Number(left.own) ||
        byUrgency(left.weight, right.weight) ||
        Number(isBinding(right.weight)) - Number(isBinding(left.weight)) ||
        right.size - left.size,
    )
    .map(({ cause }) => cause);
}

const clausesOf = ({ cause }: FoundCause): string => cause.explains.toSorted().join();

/** Says nothing that the record does not show, and changes no verdict. */
export function diagnose(record: RunRecord): Diagnosis {
  const run = viewRun(record);
  const breakages = breakagesOf(record);
  const found: FoundCause[] = [];
  let left = run.failures;
  for (const rule of causes) {
    const signs = signsOf(rule, run, left);
    if (signs.length === 0) continue;
    found.push(causeOf(rule, signs, { run, breakages }));
    const explained = new Set(signs.map(({ failure }) => failure));
    left = left.filter((failure) => !explained.has(failure));
  }
  // One defect has one cause: of two that explain the same clauses, the one that explains more findings stays.
  const most = found.toSorted((left, right) => right.size - left.size);
  const distinct = most.filter((one, index) => !most.slice(0, index).some((other) => clausesOf(other) === clausesOf(one)));
  return { causes: inOrder(distinct, breakages) };
}
