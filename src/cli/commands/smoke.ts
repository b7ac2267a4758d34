import { randomBytes } from 'node:crypto';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { toolVersion } from '../../gate/own-package.ts';
import { loadEnvironment } from '../environment.ts';
import { commanderOptions, type Environment, resolveOptions } from '../option-spec.ts';
import { judgeOptions, runOptions, targetOptions } from '../options.ts';
import { print, printError, terminalWidth, wantsColor } from '../output.ts';
import { type RunConfiguration, resolveProxy, resolveTarget } from '../session-options.ts';

const FORMATS = ['text', 'json', 'junit', 'prometheus'] as const;
const REFERENCE_ANIMALS = 7;
const KEY_BYTES = 18;
const DEADLINE = 30_000;

type SmokeFlags = {
  readonly format: (typeof FORMATS)[number];
  readonly textfile?: string;
  readonly pingUrl?: string;
  readonly deadline: number;
  readonly name: string;
};

const { baseUrl, reference, apiKeyFile, concurrency, timeout, waitForReady, rate, ca, proxy } = targetOptions;
const { only, skip, strict, now } = judgeOptions;
/** Those of `run` that a run without writes has a use for. */
const sharedOptions = { baseUrl, reference, apiKeyFile, concurrency, timeout, waitForReady, rate, ca, proxy, only, skip, strict, now };

function milliseconds(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 3_600_000) return value;
  throw new InvalidArgumentError('it is no whole number of milliseconds from 1 to 3600000');
}

function httpUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('it is no http or https URL');
}

type Served = { readonly baseUrl: string; readonly apiKey: string; readonly close: () => Promise<void> };

async function serviceOf(configuration: RunConfiguration, environment: Environment): Promise<Served> {
  if (!configuration.reference) {
    const { warnings, ...target } = resolveTarget(configuration, environment);
    for (const warning of warnings) printError(`warning: ${warning}`);
    return { ...target, close: async () => undefined };
  }
  const { startReference } = await import('../../reference/server.ts');
  const apiKey = randomBytes(KEY_BYTES).toString('base64url');
  const server = await startReference({ apiKey, seedAnimals: REFERENCE_ANIMALS });
  return { baseUrl: server.baseUrl, apiKey, close: () => server.close() };
}

async function smoke(flags: SmokeFlags & Readonly<Record<string, unknown>>): Promise<void> {
  const { environment, warnings } = loadEnvironment();
  for (const warning of warnings) printError(`warning: ${warning}`);
  const configuration = resolveOptions(runOptions, flags, environment);
  const served = await serviceOf(configuration, environment);
  try {
    // Loaded here and not above: the other commands have no use for it.
    const [{ runSmoke }, { probeClauses }, { selectClauses }] = await Promise.all([
      import('../../probe/run-smoke.ts'),
      import('../../../suites/probe.ts'),
      import('../../judge/select.ts'),
    ]);
    const { concurrency, ca, rate, timeout, waitForReady, strict, now } = configuration;
    const deadline = flags.deadline + waitForReady;
    const proxy = resolveProxy(configuration.proxy, served.baseUrl, environment);
    const target = { name: flags.name, baseUrl: served.baseUrl, apiKey: () => served.apiKey, deadline, concurrency, ca, proxy };
    const { format, textfile, pingUrl } = flags;
    const notice = `A few reads judge ${probeClauses.length} clauses; what needs writes or more requests is not part of smoke`;
    const session = { rate, waitForReady, timeout: Math.min(timeout, deadline) };
    process.exitCode = await runSmoke(
      { target, reference: configuration.reference, strict, now, format, textfile, pingUrl, version: toolVersion, session, notice },
      selectClauses(probeClauses, { ...configuration, sweeps: true }),
      { out: print, err: printError, color: wantsColor(environment), width: terminalWidth() },
    );
  } finally {
    await served.close();
  }
}

export function addSmoke(program: Command): void {
  const command = program.command('smoke').description('judge a server once, read-only, in seconds');
  for (const option of commanderOptions(sharedOptions)) command.addOption(option);
  command
    .addOption(new Option('--format <name>', 'what is printed').choices(FORMATS).default('text'))
    .addOption(new Option('--textfile <file>', "metrics for node_exporter's textfile collector, replaced as a whole"))
    .addOption(
      new Option('--ping-url <url>', 'heartbeat: /start before, the URL itself after success, /fail after anything else')
        .argParser(httpUrl)
        .env('PETSTORE_PING_URL'),
    )
    .addOption(new Option('--deadline <ms>', 'the whole run, from DNS to the last body byte').argParser(milliseconds).default(DEADLINE))
    .addOption(new Option('--name <name>', 'label "target" of the metrics').default('smoke'))
    .addHelpText('after', '\nNothing is ever created. Exit codes: 0 conformant, 1 broken, 2 usage, 3 could not be judged.')
    .action(smoke);
}
