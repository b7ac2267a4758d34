import type { Command } from 'commander';
import { EXIT_CODES, type ExitCode, type RunRecord } from '../../clause/run-record.ts';
import type { Replayed } from '../../judge/replay.ts';
import { cleanText } from '../../wire/redact.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, resolveOptions } from '../option-spec.ts';
import { replayOptions, runOptions, targetOptions } from '../options.ts';
import { exit, print, printError } from '../output.ts';
import { readReport } from '../read-report.ts';
import { type RunConfiguration, sessionOptions } from '../session-options.ts';
import { chooseTarget, resolveTarget } from '../target.ts';
import { UsageError } from '../usage-error.ts';

const { baseUrl, apiKeyFile, readOnly, productionBaseUrl, allowProductionWrites, maxCreates, categoryId } = targetOptions;
const { concurrency, timeout, consistencyWindow, waitForReady, rate, ca, proxy } = targetOptions;
const target = { baseUrl, apiKeyFile, readOnly, productionBaseUrl, allowProductionWrites, maxCreates, categoryId };
const pace = { concurrency, timeout, consistencyWindow, waitForReady, rate, ca, proxy };

/**
 * As the run was told, but for the service, which the user names, and for writes, which may only be forbidden. Reports travel: the key goes to no
 * address that only a file names.
 */
function configurationOf(record: RunRecord, configuration: RunConfiguration): RunConfiguration {
  if (configuration.baseUrl === undefined || configuration.reference) {
    const { baseUrl: address, reference } = record.target;
    const origin = reference ? 'is of the built-in reference server, which is gone' : `is of ${cleanText(address, 200)}`;
    throw new UsageError(`the report ${origin}; name a service to send the API key to with --base-url URL or PETSTORE_BASE_URL`);
  }
  return {
    ...configuration,
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

async function replayReport(file: string, id: string | undefined, flags: Readonly<Record<string, unknown>>): Promise<void> {
  const { environment, warnings } = loadEnvironment();
  const { tries } = resolveOptions(replayOptions, flags, environment);
  const record = readReport(file);
  const [{ replay, failuresToReplay }, { clauses: registry }, { UnreachableError }] = await Promise.all([
    import('../../judge/replay.ts'),
    import('../../../suites/index.ts'),
    import('../../session/client/wait-until-reachable.ts'),
  ]);
  if (failuresToReplay(record, id).length === 0) {
    throw new UsageError(id === undefined ? `${file} has no failure to send again` : `${file} has no failure of a check or clause "${id}"`);
  }
  const chosen = chooseTarget(resolveOptions(runOptions, flags, environment), flags);
  const configuration = configurationOf(record, chosen.configuration);
  const judged = resolveTarget(configuration, environment);
  const session = { ...sessionOptions(configuration, judged, environment), profile: record.options.profile as RunConfiguration['profile'] };
  for (const warning of [...warnings, ...judged.warnings]) printError(`warning: ${warning}`);
  print(`replaying against ${judged.baseUrl}${session.readOnly ? ', read-only' : ''}, ${tries} tries`);
  try {
    const replayed = await replay({ registry, session, tries, record, id });
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
  for (const option of commanderOptions({ ...target, ...pace, ...replayOptions })) command.addOption(option);
  command
    .addHelpText(
      'after',
      '\nThe API key is sent to the service of --base-url or PETSTORE_BASE_URL only, never to an address that the report names. A report of a read-only run is replayed read-only.\nExit codes: 0 all fixed, 1 some still fail or are flaky, 2 usage, 3 nothing could be judged.',
    )
    .action(replayReport);
}
