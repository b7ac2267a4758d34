import { readFileSync, writeFileSync } from 'node:fs';
import { EACH_TIME } from '../src/report/broken-clauses.ts';
import { markdownTable } from '../test/docs/pages.ts';
import { faults } from './faults/index.ts';
import { KINDS } from './grid/asked.ts';
import { type GridFigure, readFigures } from './grid/figures.ts';
import type { Result } from './result.ts';
import { CAUSE_RESULTS, causeResult, isProven, percentile } from './tables.ts';

/** The page whose last section the figures are. */
export const DOCUMENT = new URL('../docs/internals/proof.md', import.meta.url);

const NAMES: ReadonlySet<string> = new Set(faults.map(({ name }) => name));

const share = (part: number, of: number): string => `${of === 0 ? 0 : Math.round((100 * part) / of)}%`;

/** How many lines a run prints for one defect. */
function linesOf(results: readonly Result[]): string {
  const lines = results.map((result) => result.lines);
  const [longest] = results.toSorted((left, right) => right.lines - left.lines || (left.name < right.name ? -1 : 1));
  return `A run prints ${percentile(lines, 0.5)} lines for one defect (the median), ${percentile(lines, 0.95)} for 95 of 100, and ${longest?.lines ?? 0} for \`${longest?.name ?? ''}\`.`;
}

function causeRows(results: readonly Result[]): readonly (readonly string[])[] {
  return CAUSE_RESULTS.map((wanted) => {
    const number = results.filter((result) => causeResult(result) === wanted).length;
    return [wanted, String(number), share(number, results.length)];
  });
}

/** How many reports say when the clause of a fault is broken, and of the others, how many say why. */
function toldRows(results: readonly Result[]): readonly (readonly string[])[] {
  const [said, silent] = [results.filter(({ when }) => when !== ''), results.filter(({ when }) => when === '')];
  const always = said.filter(({ when }) => when.replace(/^nearly /, '').startsWith(EACH_TIME));
  const explained = silent.filter((result) => causeResult(result) === 'right');
  const row = (what: string, number: number): readonly string[] => [what, String(number), share(number, results.length)];
  return [
    row('says when its clause is broken', said.length - always.length),
    row('says that it is broken each time, or nearly', always.length),
    row('names the cause only', explained.length),
    row('shows the findings alone', silent.length - explained.length),
  ];
}

const TITLE = '## Figures';
const GRID_TITLE = '### Defects that nobody chose';
const MOST_FIGURES = 3;
const TOLD = ['right', 'silent', 'wrong'] as const;

/** The end of docs/internals/proof.md: what the suite finds of the defects of the grid, the latest drawings. */
export function renderGrid(figures: readonly GridFigure[]): string {
  const text = ([found, of]: readonly [number, number] = [0, 0]): string => `${found} of ${of}`;
  return [
    GRID_TITLE,
    '',
    'Written by `npm run prove -- --grid --keep`. A defect is found if a required or implied clause is broken. The last three columns are of those whose',
    'condition a report has words for: whether what it says of when a clause is broken is right, nothing, or wrong.',
    '',
    ...markdownTable([
      ['drawn on', 'seed', 'found', ...KINDS.map((kind) => `of \`${kind}\``), ...TOLD],
      ...figures
        .slice(-MOST_FIGURES)
        .map(({ date, seed, all, kinds, told }) => [
          ...[date, String(seed), text(all)],
          ...KINDS.map((kind) => text(kinds[kind])),
          ...TOLD.map((telling) => (told === undefined ? '' : String(told[telling] ?? 0))),
        ]),
    ]),
    '',
  ].join('\n');
}

/** Writes the figures of the grid anew, and leaves the rest of the page. */
export function renewGrid(): void {
  const [rest = ''] = readFileSync(DOCUMENT, 'utf8').split(new RegExp(`^(?=${GRID_TITLE})`, 'm'));
  writeFileSync(DOCUMENT, `${rest.trimEnd()}\n\n${renderGrid(readFigures())}`);
}

/** Writes the figures of a whole proof, and leaves the rest of the page. */
export function renewFigures(results: readonly Result[]): void {
  const [rest = ''] = readFileSync(DOCUMENT, 'utf8').split(new RegExp(`^(?=${TITLE}$)`, 'm'));
  writeFileSync(DOCUMENT, `${rest}${renderFigures(results)}`);
}

/** The figures in docs/internals/proof.md: what the reports of the registry's servers look like to who reads them. */
export function renderFigures(results: readonly Result[]): string {
  const broken = results.filter(({ kind, name }) => kind === 'fault' && NAMES.has(name));
  const variants = results.filter(({ kind }) => kind === 'variant');
  return [
    TITLE,
    '',
    'Written by `npm run prove:figures -- FILE` from the results of a whole proof (`npm run prove -- --out FILE`).',
    '',
    ...markdownTable([
      ['servers', 'judged', 'as they should be'],
      ['faults: their clause is broken', String(broken.length), String(broken.filter(isProven).length)],
      ['variants: conformant', String(variants.length), String(variants.filter(isProven).length)],
    ]),
    '',
    linesOf(broken),
    '',
    ...markdownTable([['the report', 'faults', 'share'], ...toldRows(broken)]),
    '',
    'The first likely cause is wrong if it explains other clauses than the one that the fault breaks.',
    '',
    ...markdownTable([['first cause', 'faults', 'share'], ...causeRows(broken)]),
    '',
    renderGrid(readFigures()),
  ].join('\n');
}
