import type { Command } from 'commander';
import { EXIT_CODES, type ExitCode, type RunRecord } from '../../clause/run-record.ts';
import type { Replayed, ReplayState } from '../../judge/replay.ts';
import { wrap } from '../../report/columns.ts';
import { count } from '../../report/text.ts';
import { cleanText } from '../../wire/redact.ts';
import { environmentOfWriter } from '../command-environment.ts';
import { helpNotes } from '../help-notes.ts';
import { commanderOptions, type Flags, resolveOptions, UsageError } from '../option-spec.ts';
import { allReplayOptions, replayOptions, runOptions } from '../options.ts';
import { exit, print, printError, terminalWidth } from '../output.ts';
import { loadOldRegistry } from '../own-clauses-option.ts';
import { readReport, reportFile } from '../report-file.ts';
import { sessionOptions } from '../session-options.ts';
import { SUMMARIES } from '../summaries.ts';
import { checkSameService, chooseTarget, type RunConfiguration, resolveTarget } from '../target.ts';

/**
 * The options of the recorded run, except for the service, which the user names, and for writes, which may only be forbidden. Reports
 * travel: the key is never sent to an address that only a file names.
 */
function configurationOf(record: RunRecord, configuration: RunConfiguration): RunConfiguration {
  if (configuration.baseUrl === undefined || configuration.reference) {
    const { baseUrl: address, reference } = record.target;
    const origin = reference ? 'comes from the built-in reference server, which no longer runs' : `is of ${cleanText(address, 200)}`;
    throw new UsageError(`the report ${origin}; name a service to send the API key to with --base-url URL or PETSTORE_BASE_URL`);
  }
  return {
    ...configuration,
    readOnly: configuration.readOnly || record.options.readOnly,
    seed: record.options.seed,
    now: new Date(record.options.now),
  };
}

/** Failures that only warn decide nothing, as in a run. */
function exitCodeOf(all: readonly Replayed[]): ExitCode {
  const replayed = all.filter(({ warning }) => !warning);
  if (replayed.some(({ state }) => state === 'still failing' || state === 'newly failing' || state === 'flaky')) return EXIT_CODES.broken;
  return replayed.every(({ state }) => state === 'fixed') ? EXIT_CODES.conformant : EXIT_CODES.unjudged;
}

const UNDECIDED = 'Nothing that was sent again is broken, but not everything could be (exit code 3): a run judges the rest.';

const FIXED = 'Fixed: the same requests no longer show it. What depends on what else was sent before them, only a whole run shows.';

/** The result for one failure, and a note below it. */
export function lineOf({ clause, state, warning, failed, tries: total, note }: Replayed): string {
  const asides = [...(state === 'flaky' ? [`${failed} of ${total} tries`] : []), ...(warning ? ['warning'] : [])];
  const extent = asides.length === 0 ? '' : ` (${asides.join(', ')})`;
  // The ids come from a file that may come from anywhere.
  const lines = wrap(cleanText(note), terminalWidth() - 4).map((line) => `    ${line}`);
  return [cleanText(`${state}${extent}: ${clause}`), ...lines].join('\n');
}

/** `23 fixed, 3 still failing (2 of them warnings), 1 inconclusive`. */
function sumOf(replayed: readonly Replayed[], states: readonly ReplayState[]): string {
  const parts = states.flatMap((state) => {
    const those = replayed.filter((one) => one.state === state);
    const warnings = those.filter(({ warning }) => warning).length;
    const aside = warnings === 0 ? '' : warnings === those.length ? ` (${count(warnings, 'warning')})` : ` (${warnings} of them warnings)`;
    return those.length === 0 ? [] : [`${those.length} ${state}${aside}`];
  });
  return parts.join(', ');
}

async function replayReport(path: string, patterns: readonly string[], flags: Flags): Promise<void> {
  const environment = environmentOfWriter(flags);
  const { tries } = resolveOptions(replayOptions, flags, environment);
  const file = reportFile(path);
  const record = readReport(file);
  const asked = resolveOptions(runOptions, flags, environment);
  const [{ replay, failingParts, failuresToReplay, foreignRequest, REPLAY_STATES }, { retiredNotices }, registry, { UnreachableError }] =
    await Promise.all([
      import('../../judge/replay.ts'),
      import('../../clause/clause-ids.ts'),
      loadOldRegistry(asked.ownClauses),
      import('../../wire/meant-service.ts'),
    ]);
  const failures = failingParts(failuresToReplay(record, patterns), registry);
  if (failures.length === 0) throw new UsageError(`${file} has no failure to send again`);
  const foreign = foreignRequest(record, failures);
  if (foreign !== undefined) {
    const sentence = 'contains a request that no run sends, so nothing of it is sent with your API key';
    throw new UsageError(`${file} ${sentence}: ${cleanText(foreign, 100)}`);
  }
  const chosen = chooseTarget(asked, flags);
  const configuration = configurationOf(record, chosen.configuration);
  checkSameService({ file, record, configuration, commandLine: flags });
  const judged = resolveTarget(configuration, environment);
  const session = {
    ...(await sessionOptions(configuration, judged, environment)),
    depth: record.options.depth as RunConfiguration['depth'],
  };
  for (const warning of [...judged.warnings, ...retiredNotices(patterns)]) printError(`warning: ${warning}`);
  print(`replaying against ${judged.baseUrl}${session.readOnly ? ', read-only' : ''}, ${tries} tries`);
  try {
    const replayed = await replay({ registry, session, tries, record, failures });
    print(replayed.map(lineOf).join('\n'));
    print(`\n${sumOf(replayed, REPLAY_STATES)}`);
    if (replayed.some(({ state }) => state === 'fixed')) print(FIXED);
    const code = exitCodeOf(replayed);
    if (code === EXIT_CODES.unjudged) print(UNDECIDED);
    await exit(code);
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    printError(`error: ${error.message}`);
    await exit(EXIT_CODES.unjudged);
  }
}

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description(SUMMARIES.replay)
    .argument('<report>', 'report.json of the run, or its folder')
    .argument('[glob...]', 'chapters or clauses (default: all that failed)');
  for (const option of commanderOptions(allReplayOptions)) command.addOption(option);
  command
    .addHelpText(
      'after',
      helpNotes(
        'The API key is sent only to the service of --base-url or PETSTORE_BASE_URL, never to an address that the report names. A report of a read-only run is replayed read-only.',
        'Exit codes: 0 all fixed but for warnings, 1 some still fail, are flaky, or have come to fail, 2 usage, 3 not all of it could be judged.',
      ),
    )
    .action(replayReport);
}
