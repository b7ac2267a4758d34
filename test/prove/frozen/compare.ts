import type { Measured, Part, Rows } from './rows.ts';

/** One figure: what it was, what it is, whether it holds, and its final goal if that is lower than the current value. */
export type Finding = {
  readonly label: string;
  readonly before: string;
  readonly now: string;
  readonly holds: boolean;
  readonly goal?: string;
  /** What differs, one line each. */
  readonly details: readonly string[];
};

/** Limits while the core is rewritten, and at the end. */
const BOUNDS = {
  /** A fault may get another clause if the document says so. */
  moved: 30,
  requests: 3_200,
  animals: 250,
  /** The number of additional requests for `--only` of a clause: its table may grow. */
  onlyRise: 20,
  /** Some faults intermittently turn others red, when two requests coincide: this many red clauses differ between proofs of one build. */
  racesOverAll: 10,
  racesInChapter: 2,
};
const GOALS = { othersOverAll: 0.35, requests: 2_900, gridOfKind: 0.95 };

const percent = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`;
const byName = <Row extends { readonly name: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.name, row]));

/** Rows of both, side by side, and the names of those that no longer exist. */
function pair<Row extends { readonly name: string }>(before: readonly Row[], now: readonly Row[]) {
  const found = byName(now);
  const pairs = before.flatMap((row) => {
    const other = found.get(row.name);
    return other === undefined ? [] : [{ was: row, is: other }];
  });
  return { pairs, gone: before.filter(({ name }) => !found.has(name)).map(({ name }) => name) };
}

/** What was not judged again does not hold. */
function goneFinding(what: string, gone: readonly string[]): readonly Finding[] {
  return gone.length === 0 ? [] : [{ label: `${what} not judged`, before: '0', now: String(gone.length), holds: false, details: gone }];
}

const isRed = ({ clause, red, advised }: Rows['faults']): boolean => [...red, ...advised].includes(clause);
const chapterOf = (clause: string): string => clause.split('.')[0] ?? '';
const othersOf = (rows: readonly Rows['faults'][]): number =>
  rows.reduce((sum, { clause, red }) => sum + red.filter((one) => one !== clause).length, 0);

function othersFinding(label: string, was: readonly Rows['faults'][], is: readonly Rows['faults'][], races: number): Finding {
  const [before, now] = [othersOf(was), othersOf(is)];
  const mean = (sum: number): string => (sum / Math.max(1, was.length)).toFixed(3);
  const pairs = pair(was, is).pairs.map((one) => ({ name: one.is.name, more: othersOf([one.is]) - othersOf([one.was]) }));
  const holds = now <= before + races;
  const worst = holds ? [] : pairs.filter(({ more }) => more > 0).map(({ name, more }) => `${name}: ${more} more`);
  return { label, before: mean(before), now: mean(now), holds, details: worst };
}

function compareFaults(before: readonly Rows['faults'][], now: readonly Rows['faults'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  const lost = pairs
    .filter(({ was, is }) => isRed(was) && !isRed(is))
    .map(({ is }) => `${is.name} (${is.clause}): red are ${is.red.join(' ') || 'none'}`);
  const moved = pairs.filter(({ was, is }) => was.clause !== is.clause).map(({ was, is }) => `${is.name}: ${was.clause} -> ${is.clause}`);
  const was = pairs.map((one) => one.was);
  const is = pairs.map((one) => one.is);
  const over = othersFinding('other red clauses a fault', was, is, BOUNDS.racesOverAll);
  // A fault with another clause stays in its former chapter.
  const chapters = [...Map.groupBy(pairs, (one) => chapterOf(one.was.clause))].map(([chapter, ones]) =>
    othersFinding(
      `  of ${chapter}`,
      ones.map((one) => one.was),
      ones.map((one) => one.is),
      BOUNDS.racesInChapter,
    ),
  );
  return [
    { label: 'faults lost', before: '0', now: String(lost.length), holds: lost.length === 0, details: lost },
    { label: 'faults with another clause', before: '0', now: String(moved.length), holds: moved.length <= BOUNDS.moved, details: moved },
    ...goneFinding('faults', gone),
    { ...over, goal: `at most ${GOALS.othersOverAll}` },
    ...chapters,
  ];
}

function compareVariants(before: readonly Rows['variants'][], now: readonly Rows['variants'][]): readonly Finding[] {
  const red = now.filter((row) => row.red.length > 0).map(({ name, red: ids }) => `${name}: ${ids.join(' ')}`);
  const reds = before.filter((row) => row.red.length > 0).length;
  return [
    { label: `variants red, of ${now.length}`, before: String(reds), now: String(red.length), holds: red.length === 0, details: red },
    ...goneFinding('variants', pair(before, now).gone),
  ];
}

function compareLines(before: readonly Rows['lines'][], now: readonly Rows['lines'][]): readonly Finding[] {
  const figure = ({ median, most }: Rows['lines']): string => `${median}, most ${most}`;
  return pair(before, now).pairs.map(({ was, is }) => ({
    label: `lines of the report, ${is.name}`,
    before: figure(was),
    now: figure(is),
    holds: true,
    details: [],
  }));
}

function compareCombinations(before: readonly Rows['combinations'][], now: readonly Rows['combinations'][]): readonly Finding[] {
  const bySize = Map.groupBy(pair(before, now).pairs, ({ was }) => was.size);
  return [...bySize]
    .sort(([a], [b]) => a - b)
    .flatMap(([size, pairs]) => {
      const count = (rows: readonly Rows['combinations'][]) => {
        const found = rows.reduce((sum, row) => sum + row.found.length, 0);
        const counted = found + rows.reduce((sum, row) => sum + row.missed.length, 0);
        const red = rows.reduce((sum, row) => sum + row.red, 0);
        return { recall: found / Math.max(1, counted), text: `${found} of ${counted} (${percent(found, counted)})`, red };
      };
      const [was, is] = [count(pairs.map((one) => one.was)), count(pairs.map((one) => one.is))];
      const consequences = (rows: readonly Rows['combinations'][]): number => rows.reduce((sum, row) => sum + row.consequences.length, 0);
      const lost = pairs.flatMap((one) =>
        one.was.found.filter((fault) => one.is.missed.includes(fault)).map((fault) => `${fault} in ${one.is.name}`),
      );
      const [beforeConsequences, nowConsequences] = [consequences(pairs.map((one) => one.was)), consequences(pairs.map((one) => one.is))];
      return [
        {
          label: `found beside ${size - 1} others (${pairs.length} sets)`,
          before: was.text,
          now: is.text,
          holds: is.recall >= was.recall,
          details: lost,
        },
        {
          label: `  consequences among red clauses`,
          before: percent(beforeConsequences, was.red),
          now: percent(nowConsequences, is.red),
          holds: nowConsequences / Math.max(1, is.red) <= Math.max(0.02, beforeConsequences / Math.max(1, was.red)),
          details: [],
        },
      ];
    });
}

function compareOnly(before: readonly Rows['only'][], now: readonly Rows['only'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  const risen = pairs
    .filter(({ was, is }) => is.requests > was.requests + BOUNDS.onlyRise)
    .map(({ was, is }) => `${is.name}: ${was.requests} -> ${is.requests}`);
  const sum = (rows: readonly Rows['only'][]): string => String(rows.reduce((all, { requests }) => all + requests, 0));
  return [
    {
      label: `clauses for which --only sends over ${BOUNDS.onlyRise} more`,
      before: '0',
      now: String(risen.length),
      holds: risen.length === 0,
      details: risen,
    },
    {
      label: '  requests of all --only runs',
      before: sum(pairs.map(({ was }) => was)),
      now: sum(pairs.map(({ is }) => is)),
      holds: true,
      details: [],
    },
    ...goneFinding('clauses', gone),
  ];
}

function compareOnlyFaults(before: readonly Rows['only-faults'][], now: readonly Rows['only-faults'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  // A fault that is found intermittently is not lost.
  const lost = pairs.filter(({ was, is }) => was.found === was.of && is.found === 0).map(({ is }) => `${is.name} (${is.clause})`);
  const count = (rows: readonly Rows['only-faults'][]): string => String(rows.filter(({ found }) => found > 0).length);
  return [
    {
      label: 'faults found by --only of their clause',
      before: count(pairs.map(({ was }) => was)),
      now: count(pairs.map(({ is }) => is)),
      holds: true,
      details: [],
    },
    { label: '  of these lost', before: '0', now: String(lost.length), holds: lost.length === 0, details: lost },
    ...goneFinding('faults by --only', gone),
  ];
}

function compareRuns(before: readonly Rows['runs'][], now: readonly Rows['runs'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  return [
    ...pairs.flatMap(({ was, is }): readonly Finding[] => [
      {
        label: `requests of a standard run, ${is.name}`,
        before: String(was.requests),
        now: String(is.requests),
        holds: is.requests <= BOUNDS.requests,
        goal: `at most ${GOALS.requests}`,
        details: [],
      },
      {
        label: `  animals, ${is.name}`,
        before: String(was.created),
        now: String(is.created),
        holds: is.created <= BOUNDS.animals,
        details: [],
      },
      {
        label: `  undecided parts, ${is.name}`,
        before: String(was.undecided.length),
        now: String(is.undecided.length),
        holds: is.undecided.length <= was.undecided.length,
        details: is.undecided.filter((id) => !was.undecided.includes(id)),
      },
      {
        label: `  red clauses, ${is.name}`,
        before: String(was.red.length),
        now: String(is.red.length),
        holds: is.red.length === 0,
        details: is.red,
      },
    ]),
    ...goneFinding('runs', gone),
  ];
}

/** Servers for which something held that does not hold now. */
function compareHolding<Row extends { readonly name: string }>(
  [label, what]: readonly [label: string, what: string],
  isRight: (row: Row) => boolean,
): (before: readonly Row[], now: readonly Row[]) => readonly Finding[] {
  return (before, now) => {
    const { pairs, gone } = pair(before, now);
    const wrong = pairs.filter(({ was, is }) => isRight(was) && !isRight(is)).map(({ is }) => is.name);
    return [{ label, before: '0', now: String(wrong.length), holds: wrong.length === 0, details: wrong }, ...goneFinding(what, gone)];
  };
}

function movedLines(name: string, was: readonly string[], is: readonly string[]): readonly string[] {
  const lost = was.filter((id) => !is.includes(id)).map((id) => `${name}: no longer ${id}`);
  return [...lost, ...is.filter((id) => !was.includes(id)).map((id) => `${name}: now ${id}`)];
}

function compareNonsense(before: readonly Rows['nonsense'][], now: readonly Rows['nonsense'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  const passed = pairs.flatMap(({ is }) => is.passed.map((id) => `${is.name}: ${id}`));
  const moved = pairs.flatMap(({ was, is }) => movedLines(is.name, was.red, is.red));
  const green = pairs.filter(({ is }) => is.red.length === 0).map(({ is }) => is.name);
  return [
    { label: 'parts that pass on nonsense', before: '0', now: String(passed.length), holds: passed.length === 0, details: passed },
    { label: '  servers with nothing red', before: '0', now: String(green.length), holds: green.length === 0, details: green },
    { label: '  red clauses that moved', before: '0', now: String(moved.length), holds: true, details: moved },
    ...goneFinding('nonsense', gone),
  ];
}

function compareThirdParty(before: readonly Rows['third-party'][], now: readonly Rows['third-party'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  const lost = pairs.flatMap(({ was, is }) => was.red.filter((id) => !is.red.includes(id)).map((id) => `${is.name}: ${id}`));
  const moved = pairs.flatMap(({ was, is }) => [
    ...movedLines(
      is.name,
      [],
      is.red.filter((id) => !was.red.includes(id)),
    ),
    ...movedLines(is.name, was.causes, is.causes),
  ]);
  return [
    { label: 'third-party: red clauses lost', before: '0', now: String(lost.length), holds: lost.length === 0, details: lost },
    { label: '  new red clauses, other causes', before: '0', now: String(moved.length), holds: true, details: moved },
    ...goneFinding('third-party servers', gone),
  ];
}

function compareGrid(before: readonly Rows['grid-defects'][], now: readonly Rows['grid-defects'][]): readonly Finding[] {
  const { pairs, gone } = pair(before, now);
  const isFound = ({ red }: Rows['grid-defects']): boolean => red.length > 0;
  const line = (label: string, chosen: typeof pairs, goal?: number): Finding => {
    const was = chosen.filter((one) => isFound(one.was)).length;
    const is = chosen.filter((one) => isFound(one.is)).length;
    const lost = chosen.filter((one) => isFound(one.was) && !isFound(one.is)).map((one) => one.is.name);
    const text = (found: number): string => `${found} of ${chosen.length} (${percent(found, chosen.length)})`;
    const aim = goal === undefined ? {} : { goal: `at least ${goal * 100} %` };
    return {
      label,
      before: text(was),
      now: text(is),
      holds: goal !== undefined || is >= was,
      ...aim,
      details: goal === undefined ? lost : [],
    };
  };
  const ofKind = (kind: string) => pairs.filter(({ is }) => is.name.startsWith(`${kind}:`));
  return [
    line('grid: found of the frozen drawing', pairs),
    line('  list', ofKind('list'), GOALS.gridOfKind),
    line('  get', ofKind('get'), GOALS.gridOfKind),
    ...goneFinding('grid defects', gone),
  ];
}

type Compare<Each extends Part> = (before: readonly Rows[Each][], now: readonly Rows[Each][]) => readonly Finding[];

const COMPARE: { readonly [Each in Part]: Compare<Each> } = {
  faults: compareFaults,
  variants: compareVariants,
  'variant-seeds': compareVariants,
  lines: compareLines,
  combinations: compareCombinations,
  only: compareOnly,
  'only-faults': compareOnlyFaults,
  runs: compareRuns,
  'used-store': compareHolding<Rows['used-store']>(['used stores judged wrongly', 'used stores'], ({ right }) => right),
  hostile: compareHolding<Rows['hostile']>(['attacks not stood', 'attacks'], ({ stood }) => stood),
  nonsense: compareNonsense,
  'third-party': compareThirdParty,
  'grid-defects': compareGrid,
};

/** The current measurement of a part, compared with the frozen one; undefined if one of the two is missing. */
export function comparePart<Each extends Part>(part: Each, before: Measured, now: Measured): readonly Finding[] | undefined {
  const [was, is] = [before[part], now[part]];
  if (was === undefined || is === undefined) return undefined;
  const compare: Compare<Each> = COMPARE[part];
  return compare(was, is);
}
