import type { Command } from 'commander';
import { toolVersion } from '../../gate/package-files.ts';
import { resolveProxy } from '../address.ts';
import { configure } from '../config-option.ts';
import { createStop, PLANNED_FOR_SMOKE, resolveDeadline } from '../deadline.ts';
import { helpNotes } from '../help-notes.ts';
import { type Flags, groupedOptions, resolveOptions, UsageError } from '../option-spec.ts';
import { configOptions, dotenvOption, judgeOptions, routeOptions, runOptions, smokeOptions, targetOptions } from '../options.ts';
import { exit, print, printError, terminalWidth, wantsColor } from '../output.ts';
import { loadOwn } from '../own-clauses-option.ts';
import { routeTo } from '../session-options.ts';
import { SUMMARIES } from '../summaries.ts';
import { chooseTarget, openTarget } from '../target.ts';
import { type ReadWaivers, readWaivers } from '../waivers-option.ts';

/** Milliseconds, longer than any run. */
const NEVER = 2 ** 31 - 1;
const DAY = 86_400_000;

const { baseUrl, reference, fault, apiKeyFile, concurrency, timeout, waitForReady, rate, deadline } = targetOptions;
const { only, skip, strict, asOf, waivers, ownClauses, now } = judgeOptions;
/** The options of `run` that apply to a run without writes. */
const sharedOptions = {
  ...{ baseUrl, reference, fault, apiKeyFile, concurrency, timeout, waitForReady, rate, deadline },
  ...routeOptions,
  ...{ only, skip, strict, asOf, waivers, ownClauses, now },
};

/** The command line, with the target of --config, and what it means. */
async function readOptions(given: Flags) {
  const { flags, environment, target: configured, waivers, warnings } = await configure(given, 'smoke');
  const { configuration, warnings: ofChoice } = chooseTarget(resolveOptions(runOptions, flags, environment), flags);
  const own = resolveOptions(smokeOptions, flags, environment);
  const { textfile } = own;
  const unread =
    textfile === undefined || textfile.endsWith('.prom')
      ? []
      : [`node_exporter reads no --textfile whose name does not end in .prom: ${textfile}`];
  return { environment, configured, configuration, own, waivers, warnings: [...warnings, ...ofChoice, ...unread] };
}

type Asked = Awaited<ReturnType<typeof readOptions>>;

/** Those of the target, about which the reader of the configuration has warned, or else those of --waivers. */
async function waiversOf({ waivers, configuration }: Asked, today: Date): Promise<ReadWaivers> {
  if (waivers !== undefined && waivers.length > 0) return { waivers, warnings: [] };
  const { ownClauses: own } = configuration;
  return readWaivers({ waivers: configuration.waivers, updateWaivers: false, ...(own.length === 0 ? {} : { ownClauses: own }) }, today);
}

/** What the run judges and sends, and what the report says about it. The day is the number of the run. */
async function select(
  { configuration, configured, own: { budget } }: Asked,
  { now, apiKey }: { readonly now: Date; readonly apiKey: string },
) {
  const [{ probeWith }, { isOfEveryRun, suiteWith }, { turnOfSingleRun }, { noticesOfChecks }, ownClauses] = await Promise.all([
    import('../../../suites/plan/smoke.ts'),
    import('../../probe/suite.ts'),
    import('../../probe/turn-keeping.ts'),
    import('../../judge/selection.ts'),
    loadOwn(configuration.ownClauses),
  ]);
  // Throws for requests of theirs that can't be sent with this key.
  probeWith(ownClauses, { apiKey });
  const suite = suiteWith(ownClauses);
  const only = suite.selected(configuration);
  const every = suite.clauses.filter(({ id }) => isOfEveryRun(id));
  const asked = every.filter(({ id }) => only === undefined || only.has(id));
  if (asked.length === 0) throw new UsageError('the target selects nothing that smoke judges; choose something with --only');
  const named = (['only', 'skip'] as const).flatMap((option) => configuration[option].map((pattern) => `--${option} ${pattern}`));
  const limits = { budget, nearMisses: configured?.turns.nearMisses ?? false, now: now.getTime() };
  const turn = turnOfSingleRun(Math.floor(limits.now / DAY), limits, suite.planOf(only));
  return {
    ...{ ownClauses, ...(turn === undefined ? {} : { turn }) },
    notices: [
      ...(asked.length === every.length
        ? []
        : [
            `Only ${asked.length} of the ${every.length} clauses of smoke ${asked.length === 1 ? 'was' : 'were'} judged, because of ${named.join(' ')}`,
          ]),
      ...noticesOfChecks(configuration, suite.clauses),
      'smoke only reads, with few requests: it leaves out what needs more of them, or an animal of its own',
      ...(turn === undefined ? [] : [`Up to ${budget} more requests were those of this day (--budget): others come on other days`]),
    ],
  };
}

async function smoke(given: Flags): Promise<void> {
  const stop = createStop();
  const asked = await readOptions(given);
  const { environment, configured, configuration, own } = asked;
  const { concurrency, rate, timeout, waitForReady, strict, now, reference, only, skip, asOf } = configuration;
  const seconds = resolveDeadline(configuration, PLANNED_FOR_SMOKE + own.budget);
  const deadline = seconds === undefined ? NEVER : Math.min(NEVER, seconds * 1000 + waitForReady);
  const today = new Date();
  const { waivers, warnings: ofWaivers } = await waiversOf(asked, today);
  const judged = await openTarget(configuration, environment);
  const { baseUrl, apiKey, headers, warnings: ofTarget, close } = judged;
  const route = routeTo(judged, configuration, environment);
  for (const warning of [...asked.warnings, ...ofTarget, ...ofWaivers]) printError(`warning: ${warning}`);
  const selected = await select(asked, { now: now ?? today, apiKey });
  const target = {
    ...(configured === undefined ? {} : { latencyLimit: configured.latencyLimit }),
    ...{ baseUrl, deadline, concurrency, waivers, only, skip, asOf, ...route },
    // A success of the built-in server must not stand for one of the service, neither in a metric nor in a heartbeat.
    name: reference ? `${own.name} (reference server)` : own.name,
    apiKey: () => apiKey,
    headers: () => headers,
  };
  // Loaded here and not above: the other commands do not need it.
  const { runSmoke } = await import('../../probe/smoke-command.ts');
  const code = await runSmoke(
    {
      ...own,
      ...{ target, reference, strict, now, today, ...selected },
      version: toolVersion,
      session: { rate, waitForReady, timeout: Math.min(timeout, deadline) },
      // --proxy leads to the service, which may be elsewhere.
      pingProxy: own.pingUrl === undefined ? undefined : resolveProxy(undefined, own.pingUrl, environment),
      stop: stop.signal,
    },
    { out: print, err: printError, color: wantsColor(environment), width: terminalWidth() },
  );
  await close();
  await exit(code);
}

/** What most users need, in the order in which they need it. */
const FIRST = ['baseUrl', 'apiKeyFile', 'reference', 'config', 'target', 'only', 'waivers', 'format', 'textfile', 'budget'] as const;

export function addSmoke(program: Command): void {
  const command = program.command('smoke').description(SUMMARIES.smoke);
  for (const option of groupedOptions({ ...configOptions, ...dotenvOption, ...sharedOptions, ...smokeOptions }, FIRST))
    command.addOption(option);
  command
    .addHelpText(
      'after',
      helpNotes(
        'Never creates anything. Exit codes: 0 conformant, 1 broken, 2 usage, 3 could not be judged, 130 interrupted (143 for SIGTERM, 129 for SIGHUP).',
      ),
    )
    .action(smoke);
}
