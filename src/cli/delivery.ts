// The reports at the end of a run: their files, the terminal, the CI system.

import { EXIT_CODES, type ExitCode, type RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { REPORT_FILES, type ReportFile, type ReportFormat } from '../report/formats.ts';
import { renderAnnotations } from '../report/render-annotations.ts';
import { renderJson } from '../report/render-json.ts';
import { renderMarkdown, STEP_SUMMARY_LIMIT } from '../report/render-markdown.ts';
import { renderOneline } from '../report/render-oneline.ts';
import { renderTerminal, type ServerAgain } from '../report/render-terminal.ts';
import { RENDERERS } from '../report/renderers.ts';
import { count } from '../report/text.ts';
import { appendSummary, type PlannedReport, type ReportError, writeReports } from '../report/write-reports.ts';
import type { Redactor } from '../wire/redact.ts';
import { givenOptions, ourCommand, shellWord } from './invocation.ts';
import type { Environment, Flags, Resolved } from './option-spec.ts';
import { dotenvOption, type outputOptions, runOptions, targetOptions } from './options.ts';
import { print, printCommands, printError, terminalWidth, wantsColor } from './output.ts';
import type { ReporterName } from './reporter-names.ts';
import { REFERENCE_ANIMALS, type RunConfiguration } from './target.ts';

function isFormat(name: ReporterName): name is ReportFormat {
  return name !== 'terminal';
}

/**
 * The report files of a run, in the requested order.
 *
 * @param present files of the same run that are in the folder already
 */
export function plannedReports(
  record: RunRecord,
  reporters: readonly ReporterName[],
  present: readonly ReportFile[] = [],
): readonly PlannedReport[] {
  const planned = [...new Set(reporters)]
    .filter(isFormat)
    .flatMap((reporter) => REPORT_FILES[reporter].map((file) => ({ reporter, file })));
  const all = [...present, ...planned.map(({ file }) => file)];
  return planned.map(({ reporter, file }) => ({ reporter, file, render: () => RENDERERS[file](record, all) }));
}

async function appendStepSummary(record: RunRecord, path: string): Promise<readonly ReportError[]> {
  const failed = await appendSummary(path, renderMarkdown(record, { limit: STEP_SUMMARY_LIMIT, diagnosis: diagnose(record) }));
  return failed === undefined ? [] : [failed];
}

export type DeliveryOptions = {
  readonly configuration: RunConfiguration;
  readonly output: Resolved<typeof outputOptions>;
  readonly environment: Environment;
  /** The options of the command line. */
  readonly flags: Flags;
  readonly redact: Redactor;
};

/** The command for the failures, on the same service, which only the options of this command line may name. */
function commandAgain(files: readonly string[], { flags, redact }: DeliveryOptions): { again?: string } {
  const report = files.find((path) => path.endsWith(REPORT_FILES.json[0]));
  if (report === undefined) return {};
  // A command among the options may have the key in it.
  return { again: redact(`${ourCommand()} run${givenOptions(flags, { ...dotenvOption, ...runOptions })} --failed ${shellWord(report)}`) };
}

/** The command that starts the server again that the run started: the one of --start, or the built-in one as the run had it, with as many animals. */
function serverAgain({ target, animals }: RunRecord, { configuration, flags, redact }: DeliveryOptions): ServerAgain | undefined {
  if (configuration.start !== undefined)
    return {
      sentence: 'The commands below need the service that --start started, which has ended. Start it again:',
      command: redact(configuration.start),
    };
  if (!target.reference) return undefined;
  const { fault } = targetOptions;
  const { port } = new URL(target.baseUrl);
  const amount = REFERENCE_ANIMALS + animals.created.length;
  return {
    sentence: 'The commands below need the built-in server, which has stopped. Start it again with any key in PETSTORE_API_KEY:',
    command: `${ourCommand()} reference${givenOptions(flags, { fault })} --port ${port} --seed-animals ${amount}`,
  };
}

function printReport(record: RunRecord, files: readonly string[], options: DeliveryOptions): void {
  const { configuration, output, environment } = options;
  const groups = environment['GITHUB_ACTIONS'] === 'true';
  const diagnosis = diagnose(record);
  // Annotations precede the report, so that the log ends with the verdict.
  if (groups) printCommands(renderAnnotations(record, diagnosis));
  if (!configuration.reporter.includes('terminal')) return;
  const detail = output.quiet ? 'quiet' : output.verbose ? 'verbose' : 'short';
  const look = { color: wantsColor(environment), width: terminalWidth(), groups, detail, diagnosis } as const;
  const server = serverAgain(record, options);
  const text = renderTerminal(record, { ...look, files, ...commandAgain(files, options), ...(server === undefined ? {} : { server }) });
  if (groups) printCommands(text);
  else print(text);
}

/** The result of writing the reports: the exit code, and the last line to print. */
export type Delivery = { readonly exitCode: ExitCode; readonly lastLine: string | undefined };

/** Writes every requested report. The exit code is never 0 if one of them could not be made: then nobody can read the verdict. */
export async function deliver(record: RunRecord, options: DeliveryOptions): Promise<Delivery> {
  const { configuration, output, environment } = options;
  const { written, failed } = await writeReports(plannedReports(record, configuration.reporter), configuration.reports);
  const summary = environment['GITHUB_STEP_SUMMARY'];
  const problems = [...failed, ...(summary === undefined ? [] : await appendStepSummary(record, summary))];
  const files = written.map(({ path }) => path);
  if (output.format === 'json') print(renderJson(record));
  else if (output.format === 'oneline') print(renderOneline(record));
  else printReport(record, files, options);
  for (const { message } of problems) printError(`error: ${message}`);
  const { exitCode } = record.conclusion;
  if (problems.length === 0) return { exitCode, lastLine: undefined };
  const code = exitCode === EXIT_CODES.conformant ? EXIT_CODES.unjudged : exitCode;
  return { exitCode: code, lastLine: `${count(problems.length, 'report')} could not be written: exit code ${code}` };
}
