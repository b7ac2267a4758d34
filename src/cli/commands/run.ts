import type { Command } from 'commander';
import { driftFromBaseline } from '../baseline-option.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, type Environment, resolveOptions } from '../option-spec.ts';
import { runOptions } from '../options.ts';
import { exit, printError } from '../output.ts';
import { createProgress } from '../progress.ts';
import { checkReportsFolder } from '../reports-folder.ts';
import { chooseTarget, type RunConfiguration, randomKey, resolveTarget, sessionOptions, type Target } from '../session-options.ts';
import { stopSignal } from '../stop-signal.ts';
import { readWaivers, updateWaivers } from '../waivers-option.ts';

const REFERENCE_ANIMALS = 7;

type Judged = { readonly target: Target; readonly close: () => Promise<void> };

async function targetOf(configuration: RunConfiguration, environment: Environment): Promise<Judged> {
  if (!configuration.reference) return { target: resolveTarget(configuration, environment), close: async () => undefined };
  const { startReference } = await import('../../reference/server.ts');
  const apiKey = randomKey();
  const server = await startReference({ apiKey, seedAnimals: REFERENCE_ANIMALS });
  return { target: { baseUrl: server.baseUrl, apiKey, warnings: [] }, close: () => server.close() };
}

async function run(options: Readonly<Record<string, unknown>>): Promise<void> {
  const signal = stopSignal();
  const { environment, warnings } = loadEnvironment();
  const configuration = chooseTarget(resolveOptions(runOptions, options, environment), options);
  const waivers = await readWaivers(configuration);
  const drift = await driftFromBaseline(configuration.baselineProfile);
  const { target, close } = await targetOf(configuration, environment);
  const session = sessionOptions(configuration, target, environment);
  checkReportsFolder(configuration);
  for (const warning of [...warnings, ...target.warnings]) printError(`warning: ${warning}`);
  const progress = createProgress();
  const today = new Date();
  const { only, skip, strict, reference } = configuration;
  // Loaded here and not above: other commands have no use for it, and bad usage is answered at once.
  const { runGate } = await import('../../gate/run-gate.ts');
  const record = await runGate({ session, reference, strict, only, skip, waivers, drift, today, signal, onProgress: progress.show });
  progress.clear();
  // The renderers take the memory that the judging thread gave back.
  const { deliver } = await import('../deliver.ts');
  const code = await deliver(record, configuration, environment);
  const updated = await updateWaivers(record, configuration, today);
  if (updated !== undefined) printError(updated);
  await close();
  await exit(code);
}

export function addRun(program: Command): void {
  const command = program.command('run').description('judge a server once, thoroughly');
  for (const option of commanderOptions(runOptions)) command.addOption(option);
  command.addHelpText(
    'after',
    `
Every option has an environment variable, PETSTORE_ and its name (--base-url is PETSTORE_BASE_URL); PETSTORE_API_KEY holds the key.
They are read from .env in the working folder too. The order is option, environment, .env, default.

Exit codes: 0 conformant, 1 not conformant, 2 usage or configuration, 3 could not be judged, 130 interrupted (143 for SIGTERM).`,
  );
  command.action(run);
}
