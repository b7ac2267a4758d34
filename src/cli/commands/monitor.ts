import type { Command } from 'commander';
import { EXIT_CODES } from '../../clause/run-record.ts';
import { toolVersion } from '../../gate/package-files.ts';
import type { OwnClause } from '../../oracle/own.ts';
import type { MonitorConfig } from '../../probe/config/config.ts';
import type { ConfigSource } from '../../probe/config/config-source.ts';
import { type Log, logLine } from '../../probe/log-line.ts';
import type { Monitor } from '../../probe/monitor.ts';
import { count } from '../../report/text.ts';
import { messageOf } from '../../wire/wording.ts';
import { loadEnvironment } from '../environment.ts';
import { helpNotes } from '../help-notes.ts';
import { leave } from '../leave.ts';
import { commanderOptions, type Environment, resolveOptions, UsageError } from '../option-spec.ts';
import { print, printError } from '../output.ts';
import { loadOwn, ownClausesOption } from '../own-clauses-option.ts';
import { SUMMARIES } from '../summaries.ts';
import { checkCertificatesAreChecked } from '../target.ts';

type MonitorFlags = {
  readonly config: string;
  readonly dotenv?: string;
  readonly checkConfig?: true;
  readonly ownClauses?: readonly string[];
};

/** Resolves at the first SIGTERM or SIGINT; a second one ends the process at once. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(EXIT_CODES.interrupted);
        asked = true;
        resolve();
      });
    }
  });
}

async function serve(monitor: Monitor, log: Log): Promise<void> {
  const { serveMonitor } = await import('../../probe/http/serve-monitor.ts');
  const stopped = untilStopped();
  // Node would open its debugger to all users of this machine.
  process.on('SIGUSR1', () => log('SIGUSR1 is ignored'));
  const server = await serveMonitor(monitor).catch((error: unknown) => {
    const { host, port } = monitor.config().server;
    throw new UsageError(`cannot listen on ${host} port ${port}: ${messageOf(error)}`);
  });
  // An error that nothing handles breaks one run, and not the monitor of all targets.
  process.setUncaughtExceptionCaptureCallback((error) => {
    if (!monitor.survives(error)) leave(error);
  });
  monitor.start();
  process.on('SIGHUP', () => void monitor.reload());
  const { targets, log: format } = monitor.config();
  print(logLine(format, new Date(), `monitoring ${count(targets.length, 'target')}; status on ${server.url}/`));
  await stopped;
  log('stopping: finishing the current runs');
  await monitor.stop();
  await server.close();
}

/** Where the configuration comes from. Each reading checks what only a run would notice, too. */
async function sourceOf(
  file: string,
  { environment, own }: { readonly environment: Environment; readonly own: readonly OwnClause[] },
): Promise<ConfigSource<MonitorConfig>> {
  const [{ loadConfig }, { createConfigSource }, { probeWith }, { suiteWith }] = await Promise.all([
    import('../../probe/config/load-config.ts'),
    import('../../probe/config/config-source.ts'),
    import('../../../suites/plan/smoke.ts'),
    import('../../probe/suite.ts'),
  ]);
  const { clauses } = suiteWith(own);
  return createConfigSource((onFile) => {
    const loaded = loadConfig(file, { environment, clauses, today: new Date(), onFile });
    for (const { baseUrl, apiKey } of loaded.targets) {
      checkCertificatesAreChecked(baseUrl);
      // Throws for requests of theirs that can't be sent with this key.
      probeWith(own, { apiKey: apiKey() });
    }
    return loaded;
  });
}

async function firstConfig(source: ConfigSource<MonitorConfig>, warnings: readonly string[]): Promise<MonitorConfig> {
  const { ConfigError } = await import('../../probe/config/config.ts');
  try {
    return source.read();
  } catch (error) {
    for (const warning of warnings) printError(`warning: ${warning}`);
    if (error instanceof ConfigError) throw new UsageError(`the configuration is invalid\n${error.message}`);
    throw error;
  }
}

/** `2 targets, 1 webhook, 0 Alertmanagers; 1 warning above`. */
function contentOf({ targets, webhooks, alertmanagers, warnings }: MonitorConfig): string {
  const warned = warnings.length === 0 ? '' : `; ${count(warnings.length, 'warning')} above`;
  return `${count(targets.length, 'target')}, ${count(webhooks.length, 'webhook')}, ${count(alertmanagers.length, 'Alertmanager')}${warned}`;
}

async function run(flags: MonitorFlags): Promise<void> {
  const { config: file, dotenv, checkConfig } = flags;
  const { environment, warnings } = loadEnvironment({ dotenv }, { named: file });
  const own = await loadOwn(resolveOptions(ownClausesOption, flags, environment).ownClauses);
  const source = await sourceOf(file, { environment, own });
  const config = await firstConfig(source, warnings);
  if (checkConfig === true) {
    for (const warning of [...warnings, ...config.warnings]) printError(`warning: ${warning}`);
    print(`${file} is valid: ${contentOf(config)}`);
    return;
  }
  const [{ createMonitor }, { FolderInUseError }, { systemClock }] = await Promise.all([
    import('../../probe/monitor.ts'),
    import('../../probe/data-folder.ts'),
    import('../../probe/clock.ts'),
  ]);
  let monitor: Monitor | undefined;
  const log: Log = (message, about) => printError(logLine(monitor?.config().log ?? config.log, new Date(), message, about));
  for (const warning of [...warnings, ...config.warnings]) log(warning, { level: 'warn' });
  try {
    monitor = createMonitor({
      config,
      ownClauses: own,
      version: toolVersion,
      clock: systemClock,
      log,
      loadConfig: source.read,
      configChanged: source.hasChanged,
    });
  } catch (error) {
    if (error instanceof FolderInUseError) throw new UsageError(error.message);
    throw error;
  }
  await serve(monitor, log);
  // A run that was cut off may leave a timer; everything has been written by now.
  process.exit(EXIT_CODES.conformant);
}

export function addMonitor(program: Command): void {
  const command = program
    .command('monitor')
    .description(SUMMARIES.monitor)
    .requiredOption('--config <file>', 'targets and all other settings, in YAML (schemas/monitor.schema.json)')
    .option('--check-config', 'check the file, its secrets, and its waivers, then exit: 0 valid, 2 invalid')
    .addHelpText(
      'after',
      helpNotes('Changes of the configuration are read within a minute, on SIGHUP at once; SIGTERM exits with 0 after the current runs.'),
    )
    .action(run);
  for (const option of commanderOptions(ownClausesOption)) command.addOption(option);
}
