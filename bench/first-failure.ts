import { join } from 'node:path';
import { createPool } from '../proof/pool.ts';
import { type Result, selectSubjects } from '../proof/result.ts';
import { readOrLeave } from '../proof/result-file.ts';
import { DEPTHS, type Depth } from '../src/session/session.ts';
import { leave, readCommandLine, wholeNumber } from '../test/support/command-line.ts';
import { type Curve, keepMeasurement, lineChart, machine, percentile, ROOT, type Table, versionsOf } from './measure.ts';

const USAGE = `Usage: npm run bench:first-failure -- [--from FILE] [--judge DEPTH]... [--every N] [--out FOLDER]

How soon a run finds a defect. The standard depth is read from the results of a whole proof; other depths are judged.

  --from FILE     the results of "npm run prove" (default: reports/proof/results.jsonl)
  --judge DEPTH   judge the faults at this depth, too: ${DEPTHS.join(', ')} (default: quick)
  --every N       judge every Nth fault (default: 1)
  --out FOLDER    where the page and the figures are written (default: reports/measured)`;
const { values } = readCommandLine({
  usage: USAGE,
  options: {
    from: { type: 'string', default: join(ROOT, 'reports', 'proof', 'results.jsonl') },
    judge: { type: 'string', multiple: true, default: ['quick'] },
    every: { type: 'string', default: '1' },
    out: { type: 'string' },
  },
});
const every = wholeNumber(values.every, '--every');
const depths = values.judge.map(
  (text) => DEPTHS.find((depth) => depth === text) ?? leave(`--judge takes ${DEPTHS.join(', ')}, received "${text}"`),
);

const MARKS = [20, 60, 100, 200, 500, 1_000, 2_400] as const;
const WIDEST = 2_400;
/** The number of faults shown by name: those that take the longest. */
const SLOWEST = 12;

type Finding = Pick<Result, 'name' | 'requestsUntilFound' | 'requests'>;
type Found = { readonly depth: Depth; readonly of: readonly Finding[] };

function faultsOf(results: readonly Result[]): readonly Result[] {
  return results.filter(({ kind }) => kind === 'fault');
}

async function judge(depth: Depth): Promise<Found> {
  const subjects = selectSubjects([]).filter(({ kind }) => kind === 'fault');
  const chosen = subjects.filter((_subject, index) => index % every === 0);
  const pool = createPool(chosen.length);
  try {
    return { depth, of: await Promise.all(chosen.map((subject) => pool.ask({ kind: 'judge', subject, depth }))) };
  } finally {
    await pool.close();
  }
}

const isFound = ({ requestsUntilFound }: Finding): boolean => requestsUntilFound > 0;
const foundWithin = ({ of }: Pick<Found, 'of'>, requests: number): number =>
  of.filter((one) => isFound(one) && one.requestsUntilFound <= requests).length;
const percent = (part: number, whole: number): string => `${((part / Math.max(1, whole)) * 100).toFixed(1)}%`;

/** The percentage of the faults that is found after a number of requests. */
function curveOf(found: Found): Curve {
  const steps = [...new Set(found.of.filter(isFound).map(({ requestsUntilFound }) => requestsUntilFound))].toSorted((a, b) => a - b);
  const points = steps.map((requests) => [requests, (foundWithin(found, requests) / found.of.length) * 100] as const);
  const end = [WIDEST, points.at(-1)?.[1] ?? 0] as const;
  return { label: found.depth, points: [[0, 0], ...points, end] };
}

function tables(all: readonly Found[]): readonly Table[] {
  const slowest = all.flatMap(({ depth, of }) =>
    of
      .filter(isFound)
      .toSorted((a, b) => b.requestsUntilFound - a.requestsUntilFound)
      .slice(0, SLOWEST)
      .map((one) => [depth, one.name, one.requestsUntilFound, one.requests]),
  );
  return [
    {
      title: 'Faults found against requests sent',
      columns: ['depth', 'faults', ...MARKS.map((mark) => `within ${mark}`), 'in all', 'median', 'worst'],
      rows: all.map((found) => {
        const until = found.of.filter(isFound).map(({ requestsUntilFound }) => requestsUntilFound);
        return [
          found.depth,
          found.of.length,
          ...MARKS.map((mark) => percent(foundWithin(found, mark), found.of.length)),
          percent(until.length, found.of.length),
          percentile(until, 0.5),
          Math.max(0, ...until),
        ];
      }),
      notes: ['Median and worst: requests until the first one that shows the defect, of the faults that are found.'],
    },
    { title: 'Found last', columns: ['depth', 'fault', 'requests until found', 'of'], rows: slowest },
    {
      title: 'Not found',
      columns: ['depth', 'fault'],
      rows: all.flatMap(({ depth, of }) => of.filter((one) => !isFound(one)).map(({ name }) => [depth, name])),
      notes: ['A fault that the whole run does not show, its clause judged alone does (`npm run prove`).'],
    },
  ];
}

const WHERE = machine();
const all: Found[] = [{ depth: 'standard', of: faultsOf(readOrLeave(values.from)) }];
for (const depth of depths) all.unshift(await judge(depth));
const title = 'Faults found against requests sent, by depth';
const drawing = lineChart(all.map(curveOf), {
  title,
  x: { label: 'requests sent', most: WIDEST },
  y: { label: 'faults found, %', most: 100 },
});
const files = keepMeasurement(
  {
    name: 'first-failure',
    title: 'How soon a run finds a defect',
    command: 'npm run bench:first-failure',
    about: [
      'Each fault of the registry (`npm run prove:serve -- --list`) is judged at each depth; counted are the requests until the first one that shows a defect. The registry is our own, which favors the suite.',
    ],
    machine: WHERE,
    versions: versionsOf(['undici']),
    tables: tables(all),
    drawings: { 'first-failure.svg': { title, svg: drawing } },
    figures: Object.fromEntries(
      all.map(({ depth, of }) => [depth, Object.fromEntries(of.map((one) => [one.name, one.requestsUntilFound]))]),
    ),
  },
  values.out,
);
for (const path of files) console.log(`wrote ${path}`);
