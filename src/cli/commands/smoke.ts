import type { Command } from 'commander';
import { toolVersion } from '../../gate/package-files.ts';
import type { Selection } from '../../judge/selection.ts';
import type { RotationSource } from '../../probe/judge-target.ts';
import { resolveProxy } from '../address.ts';
import { configure } from '../config-option.ts';
import { createStop, PLANNED_FOR_SMOKE, resolveDeadline } from '../deadline.ts';
import { helpNotes } from '../help-notes.ts';
import { groupedOptions, resolveOptions, UsageError } from '../option-spec.ts';
import { configOptions, dotenvOption, judgeOptions, routeOptions, runOptions, smokeOptions, targetOptions } from '../options.ts';
import { exit, print, printError, terminalWidth, wantsColor } from '../output.ts';
import { routeTo } from '../session-options.ts';
import { SUMMARIES } from '../summaries.ts';
import { chooseTarget, openTarget } from '../target.ts';
import { readWaivers } from '../waivers-option.ts';

/** Milliseconds, longer than any run. */
const NEVER = 2 ** 31 - 1;
const DAY = 86_400_000;

const { baseUrl, reference, fault, variant, apiKeyFile, concurrency, timeout, waitForReady, rate, deadline } = targetOptions;
const { only, skip, strict, asOf, waivers, now } = judgeOptions;
/** The options of `run` that apply to a run without writes. */
const sharedOptions = {
  baseUrl,
  reference,
  fault,
  variant,
  apiKeyFile,
  concurrency,
  timeout,
  waitForReady,
  rate,
  deadline,
  ...routeOptions,
  only,
  skip,
  strict,
  asOf,
  waivers,
  now,
};

/** The rotating checks: the day is the number of the run. */
async function rotationFor(budget: number, selection: Pick<Selection, 'only' | 'skip'> & { readonly now: Date }): Promise<RotationSource> {
  const [{ clauses }, { turning }, { aloneAs }, { selectAmong }] = await Promise.all([
    import('../../../suites/index.ts'),
    import('../../probe/rotation/turns.ts'),
    import('../../probe/rotation/rotation.ts'),
    import('../../judge/selection.ts'),
  ]);
  const selected = selectAmong(clauses, { ...selection, exhaustive: true });
  const day = Math.floor(selection.now.getTime() / DAY);
  return aloneAs(day, budget, { kinds: turning(selected), clauses: selected });
}

async function smoke(given: Readonly<Record<string, unknown>>): Promise<void> {
  const stop = createStop();
  const { flags, environment, target: configured, waivers: ofConfig, warnings } = await configure(given, 'smoke');
  const { configuration, warnings: ofChoice } = chooseTarget(resolveOptions(runOptions, flags, environment), flags);
  const { format, textfile, pingUrl, name, budget } = resolveOptions(smokeOptions, flags, environment);
  const { concurrency, rate, timeout, waitForReady, strict, now, reference } = configuration;
  const seconds = resolveDeadline(configuration, PLANNED_FOR_SMOKE + budget);
  const deadline = seconds === undefined ? NEVER : Math.min(NEVER, seconds * 1000 + waitForReady);
  const today = new Date();
  // The reader of the configuration has warned about its own.
  const { waivers, warnings: ofWaivers } =
    ofConfig !== undefined && ofConfig.length > 0
      ? { waivers: ofConfig, warnings: [] }
      : await readWaivers({ waivers: configuration.waivers, updateWaivers: false }, today);
  const judged = await openTarget(configuration, environment);
  const { baseUrl, apiKey, headers, warnings: ofTarget, close } = judged;
  const route = routeTo(judged, configuration, environment);
  const unread =
    textfile === undefined || textfile.endsWith('.prom')
      ? []
      : [`node_exporter reads no --textfile whose name does not end in .prom: ${textfile}`];
  for (const warning of [...warnings, ...ofChoice, ...ofTarget, ...ofWaivers, ...unread]) printError(`warning: ${warning}`);
  // --proxy leads to the service, which may be elsewhere.
  const pingProxy = pingUrl === undefined ? undefined : resolveProxy(undefined, pingUrl, environment);
  // Loaded here and not above: the other commands do not need it.
  const [{ runSmoke }, { probeClauses }, { selectAmong, selectClauses, selectionNotice }] = await Promise.all([
    import('../../probe/smoke-command.ts'),
    import('../../../suites/probe.ts'),
    import('../../judge/selection.ts'),
  ]);
  // The selection of the file was checked against all clauses, and may be meant for those that only `run` judges.
  const ofFile = configured !== undefined && given['only'] === undefined && given['skip'] === undefined;
  const selected = (ofFile ? selectAmong : selectClauses)(probeClauses, { ...configuration, exhaustive: true });
  if (selected.length === 0) throw new UsageError('the target selects nothing that smoke judges; choose something with --only');
  // A success of the built-in server must not stand for one of the service, neither in a metric nor in a heartbeat.
  const rotation = budget === 0 ? undefined : await rotationFor(budget, { ...configuration, now: now ?? today });
  const target = {
    ...(configured === undefined ? {} : { depth: configured.depth, latencyLimit: configured.latencyLimit }),
    name: reference ? `${name} (reference server)` : name,
    baseUrl,
    apiKey: () => apiKey,
    deadline,
    concurrency,
    ...route,
    headers: () => headers,
    waivers,
    only: configuration.only,
    skip: configuration.skip,
    asOf: configuration.asOf,
    rotation: { budget, nearMisses: configured?.rotation.nearMisses ?? false },
  };
  const notices = [
    ...selectionNotice({ registry: probeClauses, selected, ...configuration }),
    `A few reads judged ${selected.length} clauses; smoke leaves out checks that write or need more requests`,
    ...(budget === 0 ? [] : [`Up to ${budget} more requests went to checks that take turns from day to day (--budget)`]),
  ];
  const session = { rate, waitForReady, timeout: Math.min(timeout, deadline) };
  const code = await runSmoke(
    {
      target,
      reference,
      strict,
      now,
      today,
      format,
      textfile,
      pingUrl,
      pingProxy,
      version: toolVersion,
      session,
      notices,
      stop: stop.signal,
      ...(rotation === undefined ? {} : { rotation }),
    },
    selected,
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
