import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Command } from 'commander';
import { EXIT_CODES, type RunRecord } from '../../clause/run-record.ts';
import { runGate } from '../../gate/run-gate.ts';
import { startReference } from '../../reference/server.ts';
import { renderTerminal } from '../../report/render-terminal.ts';
import { writeReports } from '../../report/write-reports.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, type Environment, resolveOptions, runOptions } from '../options.ts';
import { print, printError, terminalWidth, wantsColor } from '../output.ts';
import { createProgress } from '../progress.ts';
import { plannedReports } from '../reports.ts';
import { type RunConfiguration, resolveTarget, sessionOptions, type Target } from '../session-options.ts';
import { stopSignal } from '../stop-signal.ts';

const REFERENCE_ANIMALS = 7;
const KEY_BYTES = 18;

type Judged = { readonly target: Target; readonly close: () => Promise<void> };

async function targetOf(configuration: RunConfiguration, environment: Environment): Promise<Judged> {
  if (!configuration.reference) return { target: resolveTarget(configuration, environment), close: async () => undefined };
  const apiKey = randomBytes(KEY_BYTES).toString('base64url');
  const server = await startReference({ apiKey, seedAnimals: REFERENCE_ANIMALS });
  return { target: { baseUrl: server.baseUrl, apiKey, warnings: [] }, close: () => server.close() };
}

async function report(record: RunRecord, configuration: RunConfiguration, environment: Environment): Promise<number> {
  const { written, failed } = await writeReports(plannedReports(record, configuration.reporter), configuration.reports);
  if (configuration.reporter.includes('terminal')) {
    const where = written.length === 0 ? {} : { reports: configuration.reports };
    print(renderTerminal(record, { color: wantsColor(environment), width: terminalWidth(), ...where }));
  }
  for (const error of failed) printError(`error: ${error.message}`);
  const { exitCode } = record.conclusion;
  return failed.length > 0 && exitCode === EXIT_CODES.conformant ? EXIT_CODES.broken : exitCode;
}

async function run(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { environment, warnings } = loadEnvironment();
  const configuration = resolveOptions(runOptions, options, environment);
  const { target, close } = await targetOf(configuration, environment);
  try {
    const session = sessionOptions(configuration, target, environment);
    for (const warning of [...warnings, ...target.warnings]) printError(`warning: ${warning}`);
    const progress = createProgress();
    const { only, skip, strict, reference } = configuration;
    const record = await runGate({ session, reference, strict, only, skip, signal: stopSignal(), onProgress: progress.show });
    progress.clear();
    process.exitCode = await report(record, configuration, environment);
  } finally {
    await close();
  }
}

export function addRun(program: Command): void {
  const command = program.command('run').description('judge a server once, thoroughly');
  for (const option of commanderOptions(runOptions)) command.addOption(option);
  command.addHelpText(
    'after',
    `\nReports go to ${join('reports', '')}. Exit codes: 0 conformant, 1 broken, 2 usage, 3 could not be judged, 130 interrupted.`,
  );
  command.action(run);
}
