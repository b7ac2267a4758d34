import { dirname } from 'node:path';
import type { Command } from 'commander';
import type { RunRecord } from '../../clause/run-record.ts';
import { EXIT_CODES } from '../../clause/run-record.ts';
import { diagnose } from '../../diagnosis/diagnose.ts';
import { REPORT_FILES } from '../../report/formats.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { writeReports } from '../../report/write-reports.ts';
import { plannedReports } from '../delivery.ts';
import { commanderOptions, resolveOptions } from '../option-spec.ts';
import { reportOptions } from '../options.ts';
import { exit, print, printError, terminalWidth, wantsColor } from '../output.ts';
import { readReport, reportFile } from '../report-file.ts';
import type { ReporterName } from '../reporter-names.ts';
import { SUMMARIES } from '../summaries.ts';

/** The output of a reporter for a run, as one text; of several files, the first. */
function textOf(record: RunRecord, name: ReporterName, detail: 'short' | 'verbose' | 'quiet'): string {
  if (name === 'terminal') {
    return renderTerminal(record, { color: wantsColor(process.env), width: terminalWidth(), detail, diagnosis: diagnose(record) });
  }
  const [first] = REPORT_FILES[name];
  return (
    plannedReports(record, [name])
      .find(({ file }) => file === first)
      ?.render() ?? ''
  );
}

async function report(path: string, flags: Readonly<Record<string, unknown>>): Promise<void> {
  // Variables apply to runs: this command only reads its command line.
  const { format, reporter, reports, verbose, quiet } = resolveOptions(reportOptions, flags, {});
  const file = reportFile(path);
  const record = readReport(file);
  const files = reporter.filter((name) => name !== 'terminal');
  if (files.length === 0 || format !== undefined || reporter.includes('terminal')) {
    print(textOf(record, format ?? 'terminal', verbose ? 'verbose' : quiet ? 'quiet' : 'short'));
  }
  const { written, failed } = await writeReports(plannedReports(record, files), reports ?? dirname(file));
  for (const { path: one } of written) printError(`wrote ${one}`);
  for (const { message } of failed) printError(`error: ${message}`);
  await exit(failed.length === 0 ? EXIT_CODES.conformant : EXIT_CODES.unjudged);
}

export function addReport(program: Command): void {
  const command = program.command('report').description(SUMMARIES.report).argument('<report>', 'report.json of the run, or its folder');
  for (const option of commanderOptions(reportOptions)) command.addOption(option);
  command
    .addHelpText('after', '\nNothing is sent. Exit codes: 0 written, whatever the verdict was; 2 usage, 3 a report could not be written.')
    .action(report);
}
