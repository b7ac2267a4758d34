import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { EXIT_CODES, type ExitCode, RUN_RECORD_VERSION, type RunRecord } from '../../clause/run-record.ts';
import type { Replayed } from '../../judge/replay.ts';
import { cleanText } from '../../wire/redact.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, resolveOptions } from '../option-spec.ts';
import { runOptions, targetOptions } from '../options.ts';
import { exit, print, printError } from '../output.ts';
import { type RunConfiguration, resolveTarget, sessionOptions } from '../session-options.ts';
import { UsageError } from '../usage-error.ts';

const { baseUrl, apiKeyFile, readOnly, productionBaseUrl, allowProductionWrites, maxCreates, categoryId } = targetOptions;
const { concurrency, timeout, consistencyWindow, waitForReady, rate, ca, proxy } = targetOptions;
const target = { baseUrl, apiKeyFile, readOnly, productionBaseUrl, allowProductionWrites, maxCreates, categoryId };
const pace = { concurrency, timeout, consistencyWindow, waitForReady, rate, ca, proxy };
const MOST_TRIES = 100;

type ReplayFlags = { readonly tries: number };

function tries(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= MOST_TRIES) return value;
  throw new InvalidArgumentError(`it is no whole number from 1 to ${MOST_TRIES}`);
}

function readRecord(file: string): RunRecord {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`cannot read the report ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const fields = typeof value === 'object' && value !== null ? (value as Partial<RunRecord>) : {};
  if (!Array.isArray(fields.checks) || fields.animals === undefined || fields.target === undefined || fields.options === undefined) {
    throw new UsageError(`${file} is no report.json of a run`);
  }
  if (fields.version !== RUN_RECORD_VERSION) {
    throw new UsageError(`${file} is of version ${String(fields.version)}; this release reads version ${RUN_RECORD_VERSION}`);
  }
  return value as RunRecord;
}

/** As the run was told, but for the service, which an option or variable may name anew, and for writes, which it may only forbid. */
function configurationOf(record: RunRecord, configuration: RunConfiguration): RunConfiguration {
  if (configuration.baseUrl === undefined && record.target.reference) {
    throw new UsageError('the report is of the built-in reference server, which is gone: name a service with --base-url');
  }
  return {
    ...configuration,
    baseUrl: configuration.baseUrl ?? record.target.baseUrl,
    readOnly: configuration.readOnly || record.options.readOnly,
    seed: record.options.seed,
    now: new Date(record.options.now),
  };
}

function exitCodeOf(replayed: readonly Replayed[]): ExitCode {
  if (replayed.some(({ state }) => state === 'still failing' || state === 'flaky')) return EXIT_CODES.broken;
  return replayed.every(({ state }) => state === 'fixed') ? EXIT_CODES.conformant : EXIT_CODES.unjudged;
}

function lineOf({ id, state, failed, tries: total, note }: Replayed): string {
  const extent = state === 'flaky' ? ` (${failed} of ${total} tries)` : '';
  // The ids are those of a file that may come from anywhere.
  return cleanText(`${state}${extent}: ${id}\n    ${note}`);
}

async function replayReport(file: string, id: string | undefined, flags: ReplayFlags & Readonly<Record<string, unknown>>): Promise<void> {
  const { environment, warnings } = loadEnvironment();
  const record = readRecord(file);
  const [{ replay, failuresToReplay }, { clauses: registry }, { UnreachableError }] = await Promise.all([
    import('../../judge/replay.ts'),
    import('../../../suites/index.ts'),
    import('../../session/client/wait-until-reachable.ts'),
  ]);
  if (failuresToReplay(record, id).length === 0) {
    throw new UsageError(id === undefined ? `${file} has no failure to send again` : `${file} has no failure of a check or clause "${id}"`);
  }
  const configuration = configurationOf(record, resolveOptions(runOptions, flags, environment));
  const judged = resolveTarget(configuration, environment);
  const session = { ...sessionOptions(configuration, judged, environment), profile: record.options.profile as RunConfiguration['profile'] };
  for (const warning of [...warnings, ...judged.warnings]) printError(`warning: ${warning}`);
  print(`replaying against ${judged.baseUrl}${session.readOnly ? ', read-only' : ''}, ${flags.tries} tries`);
  try {
    const replayed = await replay({ registry, session, tries: flags.tries, record, id });
    print(replayed.map(lineOf).join('\n'));
    await exit(exitCodeOf(replayed));
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    printError(`error: ${error.message}`);
    await exit(EXIT_CODES.unjudged);
  }
}

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description('send the failing exchanges of a run again: fixed, still failing, flaky')
    .argument('<report>', 'report.json of the run')
    .argument('[id]', 'one clause, check or invariant (default: all that failed)');
  for (const option of commanderOptions({ ...target, ...pace })) command.addOption(option);
  command
    .addOption(new Option('--tries <n>', 'how often').argParser(tries).default(3))
    .addHelpText(
      'after',
      '\nThe service is that of the report unless --base-url names one; a report of a read-only run is replayed read-only.\nExit codes: 0 all fixed, 1 some still fail or are flaky, 2 usage, 3 nothing could be judged.',
    )
    .action(replayReport);
}
