import { basename, dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { EXIT_CODES } from '../../clause/run-record.ts';
import { REPORT_FILES } from '../../report/formats.ts';
import { compareRuns, type NamedRun, renderRunsHtml, renderRunsMarkdown } from '../../report/runs.ts';
import { writeReports } from '../../report/write-reports.ts';
import { UsageError } from '../option-spec.ts';
import { exit, print, printError } from '../output.ts';
import { readReport, reportFile } from '../report-file.ts';
import { SUMMARIES } from '../summaries.ts';

type MatrixFlags = { readonly name?: readonly string[]; readonly out: string };

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

async function matrix(paths: readonly string[], { name = [], out }: MatrixFlags): Promise<void> {
  if (name.length > paths.length) {
    throw new UsageError(`--name is given ${name.length} times for ${paths.length} reports; give one for each, in their order`);
  }
  const runs = paths.map(reportFile).map((file, index) => ({ name: nameOf(file, name[index]), record: readReport(file) }));
  const comparison = compareRuns(distinct(runs));
  const { written, failed } = await writeReports(
    [
      { reporter: 'matrix', file: 'matrix.html', render: () => renderRunsHtml(comparison) },
      { reporter: 'matrix', file: 'matrix.md', render: () => renderRunsMarkdown(comparison) },
    ],
    out,
  );
  for (const { path } of written) print(`wrote ${path}`);
  for (const { message } of failed) printError(`error: ${message}`);
  await exit(failed.length === 0 ? EXIT_CODES.conformant : EXIT_CODES.unjudged);
}

export function addMatrix(program: Command): void {
  program
    .command('matrix')
    .description(SUMMARIES.matrix)
    .argument('<report...>', 'report.json files of runs, or their folders')
    .addOption(
      new Option('--name <name>', 'what a run is called, in the order of the reports (repeatable; default: its file or folder)').argParser(
        (value: string, before: readonly string[] | undefined) => [...(before ?? []), value],
      ),
    )
    .option('--out <dir>', 'where the pages are written', 'reports')
    .addHelpText('after', '\nExit codes: 0 written, whatever the verdicts are; 2 usage, 3 a page could not be written.')
    .action(matrix);
}
