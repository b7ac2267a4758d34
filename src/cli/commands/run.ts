import type { Command } from 'commander';
import { EXIT_CODES } from '../../clause/run-record.ts';
import type { Progress } from '../../gate/gate.ts';
import { plannedRequests } from '../../judge/run-size.ts';
import { count } from '../../report/text.ts';
import { sessionRedactor } from '../../wire/redact.ts';
import { environmentOfWriter } from '../command-environment.ts';
import { createResidue, type Residue } from '../created-animals.ts';
import { createRunDeadline, createStop, isWhole, timeAtRate, timeLimitOf } from '../deadline.ts';
import type { Delivery, DeliveryOptions } from '../delivery.ts';
import { driftFromBaseline, leftoversOf, selectFailed } from '../earlier-runs.ts';
import { helpNotes } from '../help-notes.ts';
import { type Flags, groupedOptions, resolveOptions, UsageError } from '../option-spec.ts';
import { dotenvOption, outputOptions, runOptions } from '../options.ts';
import { exit, print, printError } from '../output.ts';
import { ownClauseModules } from '../own-clauses-option.ts';
import { checkFolders, createCheckpoints, setAsideReports } from '../reports-folder.ts';
import { sessionOptions } from '../session-options.ts';
import type { StartedService } from '../started-service.ts';
import { SUMMARIES } from '../summaries.ts';
import { chooseTarget, openTarget, type RunConfiguration } from '../target.ts';
import { readWaivers, updateWaivers } from '../waivers-option.ts';

const PLAIN_INTERVAL = 5_000;
const TTY_INTERVAL = 80;
const CLEAR_LINE = '\r\u001b[2K';

/**
 * Shows the progress of a run: one line rewritten on a terminal, elsewhere a plain line periodically. Writes to stderr. Each line says what
 * slowed the run down since the previous line, even if that has ended. Once the service is seen to limit the rate, a line says how long the
 * rest takes.
 *
 * @param planned the number of requests of a whole run; undefined for a selection
 */
function createProgress(planned: number | undefined): { show(progress: Progress): void; clear(): void } {
  const tty = process.stderr.isTTY === true;
  let shownAt = tty ? 0 : performance.now();
  let dirty = false;
  let slowed: string | undefined;
  let isLimited = false;
  return {
    show({ phase, done, of, failed, requests, slowBecause, allowedRate }) {
      if (!isLimited && allowedRate !== undefined && planned !== undefined && planned > requests) {
        isLimited = true;
        process.stderr.write(`${tty ? CLEAR_LINE : ''}the service limits the rate: ${timeAtRate(planned - requests, allowedRate)}\n`);
      }
      slowed = slowBecause ?? slowed;
      if (performance.now() - shownAt < (tty ? TTY_INTERVAL : PLAIN_INTERVAL)) return;
      shownAt = performance.now();
      const why = slowed === undefined ? '' : `; ${slowed}`;
      slowed = undefined;
      const line = `${done} of ${of} requests, ${count(failed, 'clause')} failed; ${phase}${why}`;
      process.stderr.write(tty ? `${CLEAR_LINE}${line.slice(0, (process.stderr.columns ?? 80) - 1)}` : `${line}\n`);
      dirty = tty;
    },
    clear() {
      if (dirty) process.stderr.write(CLEAR_LINE);
      dirty = false;
    },
  };
}

/** Throws UsageError for what --start and --after can't do. */
function checkStart({ start, after, reference }: RunConfiguration, { watch }: { readonly watch: boolean }): void {
  const used = start === undefined ? (after === undefined ? undefined : '--after') : '--start';
  if (used !== undefined && process.platform === 'win32')
    throw new UsageError(`${used} needs process groups, which Windows does not have: start and end the service in the pipeline`);
  if (start === undefined) return;
  if (reference)
    throw new UsageError('--reference starts the built-in server itself: remove --start, or name your service with --base-url');
  if (watch) throw new UsageError('--watch judges a service that you restart yourself: remove --start');
}

/** The command line of a run, and what it means. */
type Asked = Omit<DeliveryOptions, 'redact'> & { readonly warnings: readonly string[] };

function readOptions(flags: Flags): Asked {
  const environment = environmentOfWriter(flags);
  const { configuration, warnings } = chooseTarget(resolveOptions(runOptions, flags, environment), flags);
  const output = resolveOptions(outputOptions, flags, environment);
  if (output.verbose && output.quiet) throw new UsageError('--verbose and --quiet contradict each other: remove one of them');
  checkStart(configuration, output);
  return { configuration, output, environment, flags, warnings };
}

/** Reads and checks all that the run needs, before anything is sent: what is wrong with it is a UsageError. */
async function prepare({ configuration, environment, flags }: Asked) {
  const failed = await selectFailed(configuration, flags);
  const today = new Date();
  const { waivers, warnings: ofWaivers } = await readWaivers(configuration, today);
  const drift = await driftFromBaseline(configuration.baseline);
  const ownClauses = ownClauseModules(configuration.ownClauses);
  const deadline = createRunDeadline(configuration);
  const target = await openTarget(configuration, environment);
  const leftoverIds = leftoversOf(configuration, target);
  const seed = configuration.seed ?? failed?.seed;
  const session = { ...(await sessionOptions({ ...configuration, seed }, target, environment)), leftoverIds };
  checkFolders(configuration);
  setAsideReports(configuration.reports, { except: [configuration.waivers, configuration.baseline] });
  const warnings = [...target.warnings, ...ofWaivers];
  return { failed, today, waivers, drift, ownClauses, deadline, target, session, redact: sessionRedactor(session), warnings };
}

type Running = Awaited<ReturnType<typeof prepare>> & {
  readonly planned: number | undefined;
  readonly residue: Residue;
  /** The service of `--start`. */
  readonly service: StartedService | undefined;
  readonly signal: AbortSignal;
};

/** The run itself, its reports, and the waivers. */
async function judge(asked: Asked, running: Running): Promise<Delivery> {
  const { configuration } = asked;
  const { failed, deadline, residue, waivers, today } = running;
  const progress = createProgress(running.planned);
  const checkpoints = createCheckpoints(configuration.reporter.includes('json') ? configuration.reports : undefined);
  // Loaded here and not above: other commands do not need it, and usage errors are reported at once.
  const { runGate } = await import('../../gate/gate.ts');
  const record = await runGate({
    ...configuration,
    ...running,
    // What failed is selected already; what only its requests show of other clauses is no less wrong.
    ...(failed === undefined ? {} : { again: failed.again, only: [], skip: [] }),
    timeLimit: timeLimitOf(configuration),
    notStarted: running.service?.failure,
    prunesWaivers: configuration.updateWaivers,
    onProgress(standing) {
      deadline.note(standing.allowedRate);
      progress.show(standing);
    },
    onCheckpoint(soFar) {
      residue.note(soFar.animals);
      checkpoints.keep(soFar);
    },
  }).catch((error) => {
    throw error instanceof Error && error.name === 'MissingRunnerError' ? new UsageError(error.message) : error;
  });
  progress.clear();
  residue.note(record.animals);
  await checkpoints.end();
  // The renderers reuse the memory that the judging thread released.
  const { deliver } = await import('../delivery.ts');
  const delivery = await deliver(record, { ...asked, redact: running.redact });
  for (const line of await updateWaivers(record, { configuration, waivers, today })) printError(line);
  return delivery;
}

async function run(flags: Flags): Promise<void> {
  const asked = readOptions(flags);
  const { configuration, output } = asked;
  if (output.watch) return (await import('../watch.ts')).watch(configuration);
  const stop = createStop();
  const prepared = await prepare(asked);
  for (const warning of [...asked.warnings, ...prepared.warnings]) printError(`warning: ${warning}`);
  const { rate, start } = configuration;
  const planned = isWhole(configuration) ? plannedRequests(configuration) : undefined;
  if (rate > 0 && planned !== undefined && !output.quiet) printError(timeAtRate(planned, rate));
  const { session, target, redact, deadline } = prepared;
  const { signal } = stop;
  const residue = createResidue(configuration, redact);
  const service = start === undefined ? undefined : await (await import('../started-service.ts')).startService(start, { session, signal });
  stop.startDeadline(deadline.seconds, configuration.waitForReady);
  let isListed = true;
  const { exitCode, lastLine } = await judge(asked, { ...prepared, planned, residue, service, signal }).finally(async () => {
    isListed = await residue.end();
    await service?.end();
    await target.close();
  });
  if (lastLine !== undefined) (output.format === 'text' && configuration.reporter.includes('terminal') ? print : printError)(lastLine);
  await exit(exitCode === EXIT_CODES.conformant && !isListed ? EXIT_CODES.unjudged : exitCode);
}

/** What most users need, in the order in which they need it. */
const FIRST = ['baseUrl', 'apiKeyFile', 'reference', 'readOnly', 'depth', 'only', 'failed', 'watch', 'waivers', 'verbose'] as const;

export function addRun(program: Command): void {
  const command = program.command('run').description(SUMMARIES.run);
  for (const option of groupedOptions({ ...dotenvOption, ...runOptions, ...outputOptions }, FIRST)) command.addOption(option);
  command.addHelpText(
    'after',
    helpNotes(
      'Every option has an environment variable, PETSTORE_ and its name (--base-url is PETSTORE_BASE_URL); PETSTORE_API_KEY holds the key. A .env file in the working directory is read too, unless CI is set. A repeatable option takes one value each time; its variable takes several, separated by commas. Precedence: option, environment, .env, default. An unknown variable is an error if it resembles a known one, or is in .env.',
      "A GLOB is a chapter, by its name in the table of a run (list-pets) or by what its ids begin with (list), or the id of a clause, in which * matches any text ('list.limit*').",
      'Reports of an earlier run are renamed to NAME.previous before anything is sent, and also when the options are wrong.',
      '',
      'Exit codes: 0 conformant, 1 not conformant, 2 usage or configuration, 3 could not be judged, 130 interrupted (143 for SIGTERM, 129 for SIGHUP).',
    ),
  );
  command.action(run);
}
