import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** The folder of results: `NAME.json`, `NAME.md`, and the drawings of NAME. */
export const RESULTS = join(ROOT, 'reports', 'measured');

/** The median and the spread of repeated measurements. */
export type Spread = { readonly median: number; readonly least: number; readonly most: number; readonly samples: number };

function inOrder(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((a, b) => a - b);
}

/** The number below which that fraction of the numbers lies (0 to 1); 0 without numbers. */
export function percentile(numbers: readonly number[], part: number): number {
  return inOrder(numbers)[Math.min(numbers.length - 1, Math.floor(numbers.length * part))] ?? 0;
}

/** Median, minimum, and maximum of the numbers; all 0 without numbers. */
export function spreadOf(numbers: readonly number[]): Spread {
  const sorted = inOrder(numbers);
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  return { median, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0, samples: sorted.length };
}

/** `1.20 (1.10 to 1.40)`. */
export function spreadText({ median, least, most, samples }: Spread, digits = 0): string {
  const text = (number: number): string => number.toFixed(digits);
  return samples < 2 ? text(median) : `${text(median)} (${text(least)} to ${text(most)})`;
}

/** The sum of a family of the monitor's metrics over the series whose labels match, from the text for a Prometheus scrape. */
export function totalOf(metrics: string, family: string, labels = /./): number {
  const rows = metrics.matchAll(new RegExp(`^petstore_probe_${family}\\{(.*)\\} (\\d+)$`, 'gm'));
  return [...rows].filter(([, shown = '']) => labels.test(shown)).reduce((sum, [, , value]) => sum + Number(value), 0);
}

/** Clock ticks of the kernel in milliseconds, the unit of processor time in /proc. */
const TICK = 10;

/** Processor time of a process in milliseconds. */
export function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK;
}

/** What a figure depends on. `load` is the load average of the last minute when the measurement began: other load makes times long. */
export type Machine = {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  readonly system: string;
  readonly load: number;
  readonly commit: string;
};

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}

/** This machine, now. */
export function machine(): Machine {
  const [first] = cpus();
  return {
    processor: first?.model ?? 'unknown',
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    commit: commit(),
  };
}

/** The versions of Node and of the named packages, as installed. */
export function versionsOf(packages: readonly string[]): Readonly<Record<string, string>> {
  const installed = packages.map((name) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8')) as { readonly version: string };
    return [name, version] as const;
  });
  return { node: process.versions.node, ...Object.fromEntries(installed) };
}

/** Rows of a Markdown table, with sentences under it. */
export type Table = {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly notes?: readonly string[];
};

/** One stored measurement. */
export type Measurement = {
  /** The name of the files. */
  readonly name: string;
  readonly title: string;
  /** The command that repeats the measurement. */
  readonly command: string;
  /** Paragraphs before the tables: what was measured, and what the figures do not say. */
  readonly about: readonly string[];
  readonly machine: Machine;
  readonly versions: Readonly<Record<string, string>>;
  readonly tables: readonly Table[];
  /** SVG texts by file name, each with its title. */
  readonly drawings?: Readonly<Record<string, { readonly title: string; readonly svg: string }>>;
  /** The figures themselves, for programs. */
  readonly figures: unknown;
};

const cell = (value: string | number): string => String(value).replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');

function renderTable({ title, columns, rows, notes = [] }: Table): string {
  const widths = columns.map((column, index) => Math.max(column.length, 3, ...rows.map((row) => cell(row[index] ?? '').length)));
  const line = (cells: readonly (string | number)[]): string =>
    `| ${widths.map((width, index) => cell(cells[index] ?? '').padEnd(width)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [`## ${title}`, '', line(columns), rule, ...rows.map(line), ...notes.flatMap((note) => ['', note])].join('\n');
}

/** The page of a measurement. */
export function renderMeasurement(measurement: Measurement, date: Date): string {
  const { title, command, about, tables, drawings = {} } = measurement;
  const { processor, cores, memoryGigabytes, system, load, commit: at } = measurement.machine;
  const versions = Object.entries(measurement.versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    `# ${title}`,
    ...about,
    `Measured on ${date.toISOString().slice(0, 10)} by \`${command}\` at commit ${at}: ${processor}, ${cores} cores, ${memoryGigabytes} GB, ${system}, load ${load}; ${versions.join(', ')}.`,
    ...Object.entries(drawings).map(([file, drawing]) => `![${drawing.title}](${file})`),
    ...tables.map(renderTable),
  ].join('\n\n')}\n`;
}

/** Writes the page, the figures, and the drawings; returns the paths. */
export function keepMeasurement(measurement: Measurement, folder: string = RESULTS): readonly string[] {
  const { name, drawings = {}, figures, machine: where, versions, command } = measurement;
  const date = new Date();
  mkdirSync(folder, { recursive: true });
  const files = {
    [`${name}.md`]: renderMeasurement(measurement, date),
    [`${name}.json`]: `${JSON.stringify({ command, date: date.toISOString(), machine: where, versions, figures }, null, 2)}\n`,
    ...Object.fromEntries(Object.entries(drawings).map(([file, { svg }]) => [file, svg])),
  };
  return Object.entries(files).map(([file, text]) => {
    const path = join(folder, file);
    writeFileSync(path, text);
    return path;
  });
}

/** Points of one curve, in the units of the axes. */
export type Curve = { readonly label: string; readonly points: readonly (readonly [x: number, y: number])[] };

export type ChartOptions = {
  readonly title: string;
  readonly x: { readonly label: string; readonly most: number };
  readonly y: { readonly label: string; readonly most: number };
};

const WIDTH = 720;
const HEIGHT = 400;
const LEFT = 60;
const RIGHT = 20;
const TOP = 40;
const BOTTOM = 50;
const TICKS = 5;
/** Distinguishable with color blindness (Okabe and Ito), and by their dashes. */
const STROKES = [
  { color: '#0072b2', dashes: 'none' },
  { color: '#d55e00', dashes: '8 4' },
  { color: '#009e73', dashes: '2 3' },
  { color: '#cc79a7', dashes: '12 3 2 3' },
  { color: '#e69f00', dashes: '4 2' },
] as const;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A chart of curves, legible on light and dark pages: a standalone figure, with its title and its axes. */
export function lineChart(curves: readonly Curve[], { title, x, y }: ChartOptions): string {
  const right = WIDTH - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  const across = (value: number): string => (LEFT + (Math.min(value, x.most) / x.most) * (right - LEFT)).toFixed(1);
  const up = (value: number): string => (bottom - (Math.min(value, y.most) / y.most) * (bottom - TOP)).toFixed(1);
  const ticks = Array.from({ length: TICKS + 1 }, (_unused, index) => index / TICKS);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="12" fill="#333">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>`,
    `<text x="${WIDTH / 2}" y="20" text-anchor="middle" font-size="14">${escaped(title)}</text>`,
    ...ticks.flatMap((part) => {
      const [column, row] = [across(part * x.most), up(part * y.most)];
      return [
        `<path d="M${LEFT} ${row}H${right}" stroke="#ddd"/>`,
        `<text x="${LEFT - 6}" y="${row}" text-anchor="end" dominant-baseline="middle">${Math.round(part * y.most)}</text>`,
        `<text x="${column}" y="${bottom + 16}" text-anchor="middle">${Math.round(part * x.most)}</text>`,
      ];
    }),
    `<text x="${(LEFT + right) / 2}" y="${HEIGHT - 8}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text transform="translate(14 ${(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>`,
    ...curves.flatMap(({ label, points }, index) => {
      const { color, dashes } = STROKES[index % STROKES.length] ?? STROKES[0];
      const legend = bottom - 14 - 18 * (curves.length - 1 - index);
      const path = points.map(([one, other], at) => `${at === 0 ? 'M' : 'L'}${across(one)} ${up(other)}`).join('');
      return [
        `<path d="${path}" fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`,
        `<path d="M${right - 190} ${legend}h28" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`,
        `<text x="${right - 156}" y="${legend}" dominant-baseline="middle">${escaped(label)}</text>`,
      ];
    }),
    '</svg>',
  ];
  return `${lines.join('\n')}\n`;
}
