import { isBinding } from '../src/clause/clause.ts';
import { clauses } from '../suites/clauses/index.ts';
import { faults } from './faults/index.ts';
import { othersOf, staleReasons, withoutReason } from './overlaps.ts';
import { isNamed, type Result } from './result.ts';

/** What the whole registry may cost at most. The figures only go down, those of `recall` only up. */
export const BUDGETS = {
  /** Red clauses a fault besides the one that it names, mean. */
  otherRed: 0.33,
  /** Faults with many of them for which `overlaps.ts` has no reason, and reasons that no result needs any more. */
  withoutReason: 0,
  staleReasons: 0,
  waitsForGreen: 0,
  /** Faults that the whole run misses, and that their clause finds by itself, or a run at depth thorough. */
  aloneOnly: 3,
  thoroughOnly: 8,
  /** Situations of required and implied clauses that no fault breaks. */
  unprovenSituations: 0,
  undecidedMean: 5,
  undecidedMost: 20,
  /** Part of the faults that are found together with others, by the size of the set. */
  recall: { 2: 0, 4: 0.85, 8: 0 } as Readonly<Record<number, number>>,
  /** Part of the defects of the grid that are found, in any draw: of fifty, at a true 95 %, fewer are found about once in a thousand draws. */
  grid: 0.86,
  /** The same for defects that take two conditions at once, of a hundred at a true 87 %. */
  pairs: 0.76,
  /** Percent of red clauses that none of the faults in a set breaks alone. */
  consequences: 2,
};

export type Verdicts = { readonly passed: number; readonly failed: number };

const CLAUSES = new Map<string, string>(faults.map(({ name, clause }) => [name, clause]));

const undecided = ({ situations }: Result): number => Object.values(situations).filter(({ verdict }) => verdict === 'inconclusive').length;
const average = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, numbers.length);

/** The figure that a part of the figures is below. */
export function percentile(numbers: readonly number[], part: number): number {
  return [...numbers].sort((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))] ?? 0;
}

/** Variants of which so little can be judged that the seed decides whether it is enough for a conclusion: it asks to wait for an hour after sixty creations, rejected ones included. */
const HARDLY_JUDGED: ReadonlySet<string> = new Set(['creations-have-a-quota']);

/** Whether a fault turns its clause red and fails the run, unless the clause is advised, and a variant turns none red. */
export function isProven(result: Result): boolean {
  if (result.kind === 'variant')
    return (
      result.red.length === 0 &&
      result.departures.length === 0 &&
      (result.exitCode === 0 || (HARDLY_JUDGED.has(result.name) && result.exitCode === 3))
    );
  return result.shownBy !== undefined || (isNamed(result.name, result) && (result.red.length === 0 || result.exitCode === 1));
}

function lineOf(result: Result): string {
  const figures = `${result.requestsUntilFound}/${result.requests}`.padStart(11);
  const rest = `${String(result.created).padStart(3)} made ${String(result.milliseconds).padStart(6)} ms ${String(result.lines).padStart(4)} lines ${String(undecided(result)).padStart(3)} undecided`;
  const red = [...result.red, ...result.advised.map((id) => `(${id})`)].join(' ') || 'none';
  const notes = isProven(result) ? [] : Object.entries(result.notes).map(([id, note]) => `\n       ${id}: ${note}`);
  const ended = result.kind === 'variant' ? `\n       ${result.exitCode}: ${result.headline}` : '';
  const elsewhere = result.shownBy === undefined ? '' : ` (found by ${result.shownBy} only)`;
  return `${isProven(result) ? 'ok  ' : 'GAP '} ${result.kind.padEnd(7)} ${result.name.padEnd(44)} ${figures} ${rest}  red: ${red}${elsewhere}${ended}${notes.join('')}`;
}

const BINDING_SITUATIONS = clauses.filter(isBinding).flatMap(({ id, must }) => must.map(({ title }) => `${id}: ${title}`));

/** Situations of binding clauses that no fault breaks. */
export function unprovenSituations(results: readonly Result[]): readonly string[] {
  const faulty = results.filter(({ kind }) => kind === 'fault');
  return BINDING_SITUATIONS.filter((situation) => !faulty.some(({ situations }) => situations[situation]?.verdict === 'fail'));
}

/** Situations that wait for a clause which did not fail in the same run. */
export function waitsForGreen(results: readonly Result[]): readonly string[] {
  return results.flatMap((result) => {
    const broken = new Set([...result.red, ...result.advised]);
    return Object.entries(result.situations).flatMap(([situation, { waitsFor }]) =>
      waitsFor === undefined || broken.has(waitsFor) ? [] : [`${result.name}: ${situation} waits for ${waitsFor}`],
    );
  });
}

/** `right`: the first cause explains the clause that the fault names. `wrong`: it explains others. `several`: one defect has two causes. */
export const CAUSE_RESULTS = ['right', 'none', 'wrong', 'several'] as const;

/** What the diagnosis says about a fault, which is one defect. */
export function causeResult({ name, causes }: Result): (typeof CAUSE_RESULTS)[number] {
  const [first, ...others] = causes;
  if (first === undefined) return 'none';
  if (!first.clauses.includes(CLAUSES.get(name) ?? '')) return 'wrong';
  return others.length > 0 ? 'several' : 'right';
}

function causesOf(results: readonly Result[]) {
  const broken = results.filter(({ kind }) => kind === 'fault');
  const named = (wanted: string): readonly Result[] => broken.filter((result) => causeResult(result) === wanted);
  const misled = [...named('wrong'), ...named('several')].map(
    ({ name, causes }) =>
      `GAP  cause of ${name}: ${causes.map(({ id, clauses: explained }) => `${id} (${explained.join(' ')})`).join(', ')}`,
  );
  const counts = CAUSE_RESULTS.map((wanted) => `${named(wanted).length} ${wanted}`).join(', ');
  return { misled, line: `     first causes of ${broken.length} faults: ${counts}` };
}

/** A figure with its bound. */
export function limited(label: string, value: number, most: number): { readonly holds: boolean; readonly line: string } {
  const holds = value <= most;
  return { holds, line: `${holds ? 'ok  ' : 'OVER'} ${label}: ${Number(value.toFixed(2))} (at most ${most})` };
}

function budgetsOf(results: readonly Result[]) {
  const broken = results.filter(({ kind }) => kind === 'fault');
  const counts = broken.map(undecided);
  const shownOnly = (by: Result['shownBy']): number => broken.filter(({ shownBy }) => shownBy === by).length;
  return [
    limited('situations that wait for a clause that is not red', waitsForGreen(results).length, BUDGETS.waitsForGreen),
    limited('situations that no fault breaks', unprovenSituations(results).length, BUDGETS.unprovenSituations),
    limited('faults found by their clause alone only', shownOnly('its clause alone'), BUDGETS.aloneOnly),
    limited('faults found at depth thorough only', shownOnly('depth thorough'), BUDGETS.thoroughOnly),
    limited('undecided situations a fault, mean', average(counts), BUDGETS.undecidedMean),
    limited('undecided situations a fault, 95th percentile', percentile(counts, 0.95), BUDGETS.undecidedMost),
  ];
}

/** Red clauses besides those that faults name: where many are red, and how many are. */
function redSets(results: readonly Result[], { whole, swift }: { readonly whole: boolean; readonly swift: boolean }) {
  if (swift) return { lines: [], budgets: [] };
  const [lacking, stale] = [withoutReason(results), whole ? staleReasons(results) : []];
  const broken = results.filter(({ kind }) => kind === 'fault');
  return {
    lines: [
      ...lacking.map((result) => `GAP  many other red clauses  ${result.name.padEnd(44)} ${othersOf(result).join(' ')}`),
      ...stale.map((name) => `GAP  stale reason            ${name.padEnd(44)} breaks no other clause`),
    ],
    budgets: [
      limited('faults with many other red clauses, without a reason', lacking.length, BUDGETS.withoutReason),
      ...(whole
        ? [
            limited('other red clauses a fault, mean', average(broken.map((result) => othersOf(result).length)), BUDGETS.otherRed),
            limited('reasons that no result needs', stale.length, BUDGETS.staleReasons),
          ]
        : []),
    ],
  };
}

/** Shows servers as they are judged, and what all of them say together. */
export function proofTable({ whole, swift }: { readonly whole: boolean; readonly swift: boolean }) {
  return {
    show: (result: Result) => console.log(lineOf(result)),
    end(results: readonly Result[]): Verdicts {
      const unproven = whole ? [...unprovenSituations(results), ...waitsForGreen(results)] : [];
      const gaps = results.filter((result) => !isProven(result));
      const red = redSets(results, { whole, swift });
      const budgets = [...red.budgets, ...(whole ? budgetsOf(results) : [])];
      const lines = results.filter(({ kind }) => kind === 'fault').map((result) => result.lines);
      console.log(
        '\nColumns: requests until found/all, animals made, time, lines of the report, undecided situations, red clauses (advised ones in brackets)',
      );
      for (const situation of unproven) console.log(`GAP  situation ${situation}`);
      const { misled, line: causes } = causesOf(results);
      for (const line of [...red.lines, ...misled, causes]) console.log(line);
      if (whole) console.log(`     lines of the report a fault: median ${percentile(lines, 0.5)}, most ${Math.max(0, ...lines)}`);
      for (const { line } of budgets) console.log(line);
      const kept = budgets.filter(({ holds }) => holds).length;
      const failed = gaps.length + misled.length + budgets.length - kept;
      return { passed: results.length - gaps.length + kept, failed };
    },
  };
}
