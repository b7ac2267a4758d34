import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, with a trailing separator. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** The folder of results: `NAME.json`, `NAME.md`, and the drawings of NAME. */
export const RESULTS = join(ROOT, 'docs', 'measured');

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
