import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { EXIT_CODES, type ExitCode, type RunRecord } from '../../clause/run-record.ts';
import { diagnose } from '../../diagnosis/diagnose.ts';
import { REPORT_FILES, type ReportFile } from '../../report/formats.ts';
import { renderOneline } from '../../report/render-oneline.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import type { NamedRun } from '../../report/runs.ts';
import { type PlannedReport, writeReports } from '../../report/write-reports.ts';
import { plannedReports } from '../delivery.ts';
import { helpNotes } from '../help-notes.ts';
import { commanderOptions, type Flags, type Resolved, resolveOptions, UsageError } from '../option-spec.ts';
import { reportOptions } from '../options.ts';
import { exit, print, printError, terminalWidth, wantsColor } from '../output.ts';
import { readReport, reportFile } from '../report-file.ts';
import type { ReporterName } from '../reporter-names.ts';
import { SUMMARIES } from '../summaries.ts';

type Options = Resolved<typeof reportOptions>;

/** The output of a reporter for a run, as one text; of several files, the first. */
function textOf(record: RunRecord, name: ReporterName | 'oneline', detail: 'short' | 'verbose' | 'quiet'): string {
  if (name === 'terminal') {
    return renderTerminal(record, { color: wantsColor(process.env), width: terminalWidth(), detail, diagnosis: diagnose(record) });
  }
  if (name === 'oneline') return renderOneline(record);
  const [first] = REPORT_FILES[name];
  return (
    plannedReports(record, [name])
      .find(({ file }) => file === first)
      ?.render() ?? ''
  );
}

/** Writes files and names them, those that could not be written as errors. */
async function writeFiles(planned: readonly PlannedReport[], folder: string): Promise<ExitCode> {
  const { written, failed } = await writeReports(planned, folder);
  for (const { path } of written) printError(`wrote ${path}`);
  for (const { message } of failed) printError(`error: ${message}`);
  return failed.length === 0 ? EXIT_CODES.conformant : EXIT_CODES.unjudged;
}

/** The report files that a folder has. */
function filesIn(folder: string): readonly ReportFile[] {
  return Object.values(REPORT_FILES)
    .flat()
    .filter((file) => existsSync(join(folder, file)));
}

/** One run: its reports in other formats. */
async function writeAgain(path: string, { format, reporter, reports, verbose, quiet }: Options): Promise<ExitCode> {
  const file = reportFile(path);
  const record = readReport(file);
  const files = reporter.filter((name) => name !== 'terminal');
  if (files.length === 0 || format !== undefined || reporter.includes('terminal')) {
    print(textOf(record, format ?? 'terminal', verbose ? 'verbose' : quiet ? 'quiet' : 'short'));
  }
  const folder = reports ?? dirname(file);
  return await writeFiles(plannedReports(record, files, resolve(folder) === resolve(dirname(file)) ? filesIn(folder) : []), folder);
}

/** The name of a report: the given one, or else the name of its file, or of its folder if all files have the same name. */
function nameOf(file: string, given: string | undefined): string {
  if (given !== undefined) return given;
  const own = basename(file);
  if (own !== REPORT_FILES.json[0]) return own.replace(/(?:\.report)?\.json$/, '');
  const folder = dirname(resolve(file));
  return basename(folder) === 'reports' ? basename(dirname(folder)) : basename(folder);
}

/** Names that distinguish runs: a name that exists already gets a number. */
function distinct(runs: readonly NamedRun[]): readonly NamedRun[] {
  return runs.map((run, index) => {
    const before = runs.slice(0, index).filter(({ name }) => name === run.name).length;
    return before === 0 ? run : { ...run, name: `${run.name} (${before + 1})` };
  });
}

/** Several runs: pages that show them side by side. */
async function compareAll(paths: readonly string[], { name, reports = 'reports' }: Options): Promise<ExitCode> {
  if (name.length > paths.length) {
    throw new UsageError(`--name is given ${name.length} times for ${paths.length} reports; give one for each, in their order`);
  }
  const { compareRuns, renderRunsHtml, renderRunsMarkdown } = await import('../../report/runs.ts');
  const runs = paths.map(reportFile).map((file, index) => ({ name: nameOf(file, name[index]), record: readReport(file) }));
  const compared = compareRuns(distinct(runs));
  const planned: readonly PlannedReport[] = [
    { reporter: 'matrix', file: 'matrix.html', render: () => renderRunsHtml(compared) },
    { reporter: 'matrix', file: 'matrix.md', render: () => renderRunsMarkdown(compared) },
  ];
  return await writeFiles(planned, reports);
}

/** Options that mean nothing for what is asked, which would be ignored without a word. */
function checkOptions(paths: readonly string[], { name, ...options }: Options): void {
  if (paths.length === 1 && name.length > 0) throw new UsageError('--name is for several reports');
  const given = [
    ...(options.format === undefined ? [] : ['--format']),
    ...(options.reporter.length === 0 ? [] : ['--reporter']),
    ...(options.verbose ? ['--verbose'] : []),
    ...(options.quiet ? ['--quiet'] : []),
  ];
  const [first] = given;
  if (first !== undefined && paths.length > 1) throw new UsageError(`${first} is for the report of one run, and here are several`);
}

async function report(paths: readonly string[], flags: Flags): Promise<void> {
  // Variables apply to runs: this command only reads its command line.
  const options = resolveOptions(reportOptions, flags, {});
  checkOptions(paths, options);
  const [first = ''] = paths;
  await exit(paths.length > 1 ? await compareAll(paths, options) : await writeAgain(first, options));
}

export function addReport(program: Command): void {
  const command = program
    .command('report')
    .description(SUMMARIES.report)
    .argument('<report...>', 'report.json of the run, or its folder; several are compared, clause by clause, in matrix.html and matrix.md');
  for (const option of commanderOptions(reportOptions)) command.addOption(option);
  command
    .addHelpText(
      'after',
      helpNotes('Nothing is sent. Exit codes: 0 written, whatever the verdicts were; 2 usage, 3 a report could not be written.'),
    )
    .action(report);
}
