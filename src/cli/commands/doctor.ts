import type { Command } from 'commander';
import { EXIT_CODES, type ExitCode } from '../../clause/run-record.ts';
import { toolVersion } from '../../gate/package-files.ts';
import { wrap } from '../../report/columns.ts';
import { count } from '../../report/text.ts';
import { outdated, readClientCertificate } from '../../secrets/secret-file.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { cleanText } from '../../wire/redact.ts';
import { describeRoute, type Route } from '../../wire/route.ts';
import { maskKey } from '../address.ts';
import { type Configured, configure } from '../config-option.ts';
import { helpNotes } from '../help-notes.ts';
import { givenOptions, ourCommand } from '../invocation.ts';
import { commanderOptions, type Environment, type Flags, flagOf, resolveOptions, variableOf } from '../option-spec.ts';
import { configOptions, dotenvOption, routeOptions, runOptions, targetOptions } from '../options.ts';
import { exit, print, printError, terminalWidth } from '../output.ts';
import { routeTo, sessionOptions } from '../session-options.ts';
import { SUMMARIES } from '../summaries.ts';
import { chooseTarget, openTarget, type RunConfiguration, type Target } from '../target.ts';

const { baseUrl, reference, apiKeyFile, readOnly, productionBaseUrl, timeout, waitForReady } = targetOptions;
const doctorOptions = { baseUrl, reference, apiKeyFile, readOnly, productionBaseUrl, timeout, waitForReady, ...routeOptions } as const;

/** What `smoke` understands too. */
const sharedWithSmoke = { ...configOptions, ...dotenvOption, apiKeyFile, timeout, waitForReady, ...routeOptions } as const;

const MARKS = { good: '✓', bad: '✗', note: '·' } as const;
const LABEL = 14;
const DAY = 86_400_000;
/** Not an id: shows what a router does without a matching route, or a handler with an unreadable id. */
const ODD_ID = 'no-such-animal';

type Mark = keyof typeof MARKS;

function say(mark: Mark, label: string, text: string): void {
  const lines = wrap(text, terminalWidth() - LABEL - 2);
  print(lines.map((line, index) => `${index === 0 ? `${MARKS[mark]} ${label.padEnd(LABEL)}` : ' '.repeat(LABEL + 2)}${line}`).join('\n'));
}

/** Where the value of an option comes from. */
function sourceOf(flags: Flags, name: 'baseUrl' | 'apiKeyFile'): string {
  const spec = targetOptions[name];
  return flags[name] === undefined ? variableOf(spec) : flagOf(spec);
}

function describe({ outcome, timings }: Exchange): string {
  if (outcome.kind === 'failed') return `no response: ${outcome.failure.message}`;
  const { status, json } = outcome.answer;
  const what = !json.ok ? 'a body that is not JSON' : Array.isArray(json.value) ? `a list of ${json.value.length}` : 'a JSON object';
  return `${status}, ${what}, after ${Math.round(timings.duration)} ms`;
}

type Settings = { readonly configuration: RunConfiguration; readonly flags: Flags; readonly configured: Configured };

function addressSource({ reference }: Target, { flags, configured: { target, origin } }: Settings): string {
  if (reference) return 'the built-in server';
  return target === undefined || origin === undefined ? sourceOf(flags, 'baseUrl') : `target ${target.name} of ${origin.file}`;
}

function keySource({ configuration: { apiKeyFile }, flags, configured: { origin } }: Settings): string {
  if (origin?.key !== undefined) return origin.key;
  return apiKeyFile === undefined ? 'PETSTORE_API_KEY' : `${sourceOf(flags, 'apiKeyFile')} ${apiKeyFile}`;
}

function saySettings(target: Target, settings: Settings): void {
  const { file, fromFile } = settings.configured;
  say('good', 'Node', process.versions.node);
  say(
    'good',
    'settings',
    file === undefined
      ? 'options and environment; no .env of this folder'
      : `options, environment, ${file} (${fromFile.join(', ') || 'nothing of it counts'})`,
  );
  say('good', 'address', `${target.baseUrl} (${addressSource(target, settings)})`);
  say(
    'good',
    'API key',
    target.reference ? 'made for the built-in server' : `${[...target.apiKey].length} characters (${keySource(settings)})`,
  );
}

/** How the service is reached, in addition to its address. */
function sayRoute(target: Target, { cert, key }: RunConfiguration, route: Route): void {
  for (const [name, value] of target.headers) say('good', 'header', `${name}, ${value.length} characters`);
  const { cert: _cert, ...way } = route;
  for (const sentence of describeRoute({ ...way, cert: undefined }, target.baseUrl)) say('good', 'route', sentence);
  const found = route.cert === undefined || cert === undefined ? undefined : readClientCertificate(cert, key);
  if (found === undefined || 'fault' in found) return;
  const problem = outdated(found, new Date());
  const days = Math.floor((found.validTo.getTime() - Date.now()) / DAY);
  const end = `valid until ${found.validTo.toISOString().slice(0, 10)}, for ${count(days, 'day')}`;
  say(problem === undefined ? 'good' : 'bad', 'client cert', `${cleanText(found.subject)} (${cert}): ${problem ?? end}`);
}

type Examination = {
  readonly configuration: RunConfiguration;
  readonly environment: Environment;
  /** The command that judges the service. */
  readonly next: string;
};

/** The first contact and its result: nothing is created. */
async function examine(target: Target, { configuration, environment, next }: Examination): Promise<ExitCode> {
  const [{ openSession }, { UnreachableError }, { statusOf }, { NO_CREDENTIAL }] = await Promise.all([
    import('../../session/open-session.ts'),
    import('../../wire/meant-service.ts'),
    import('../../session/read-exchange.ts'),
    import('../../session/client/sending.ts'),
  ]);
  const open = await openSession(await sessionOptions({ ...configuration, readOnly: true }, target, environment));
  const { api } = open.session;
  try {
    await open.start();
    const list = await api.list();
    say(statusOf(list) === 200 ? 'good' : 'bad', 'with the key', `GET /pets returned ${open.redactText(describe(list))}`);
    const nobody = await api.list({}, { credential: NO_CREDENTIAL });
    say(statusOf(nobody) === 401 ? 'good' : 'bad', 'without it', `GET /pets returned ${open.redactText(describe(nobody))}; expected 401`);
    const odd = await api.get(ODD_ID);
    say('note', 'an odd id', `GET /pets/${ODD_ID} returned ${open.redactText(describe(odd))}`);
    const mistake = await open.firstContact();
    if (mistake !== undefined) {
      say('bad', 'verdict', open.redactText(mistake));
      return EXIT_CODES.broken;
    }
    if (statusOf(list) !== 200 || statusOf(nobody) !== 401) {
      say('bad', 'verdict', 'a run can judge this service, and will not find it conformant');
      print(`\nThen: ${next}`);
      return EXIT_CODES.broken;
    }
    say('good', 'verdict', `a pet store with this key${configuration.readOnly ? ', to be judged read-only' : ''}`);
    print(`\nThen: ${next}`);
    return EXIT_CODES.conformant;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    say('bad', 'verdict', open.redactText(error.message));
    return EXIT_CODES.unjudged;
  } finally {
    await open.session.close();
  }
}

async function doctor(given: Flags): Promise<void> {
  const configured = await configure(given, 'doctor');
  const { flags, environment, warnings } = configured;
  const { configuration, warnings: ofChoice } = chooseTarget(resolveOptions(runOptions, flags, environment), flags);
  const target = await openTarget(configuration, environment);
  for (const warning of [...warnings, ...ofChoice, ...target.warnings]) printError(`warning: ${maskKey(warning, target.apiKey)}`);
  print(`petstore-conformance ${toolVersion}`);
  saySettings(target, { configuration, flags: given, configured });
  sayRoute(target, configuration, routeTo(target, configuration, environment));
  const code = await examine(target, {
    configuration,
    environment,
    next: `${ourCommand()} ${
      configured.target === undefined
        ? `run${givenOptions(given, { ...dotenvOption, ...runOptions })}`
        : `smoke${givenOptions(given, sharedWithSmoke)}`
    }`,
  });
  await target.close();
  await exit(code);
}

export function addDoctor(program: Command): void {
  const command = program.command('doctor').description(SUMMARIES.doctor);
  for (const option of commanderOptions({ ...configOptions, ...dotenvOption, ...doctorOptions })) command.addOption(option);
  command
    .addHelpText(
      'after',
      helpNotes('A handful of reads; nothing is created. Exit codes: 0 ready, 1 no pet store there with this key, 2 usage, 3 unreachable.'),
    )
    .action(doctor);
}
