import type { Command } from 'commander';
import { EXIT_CODES, type ExitCode } from '../../clause/run-record.ts';
import { toolVersion } from '../../gate/package-files.ts';
import { wrap } from '../../report/columns.ts';
import { count } from '../../report/text.ts';
import { outdated, readClientCertificate } from '../../secrets/secret-file.ts';
import type { Received } from '../../session/history.ts';
import type { SessionOptions } from '../../session/session.ts';
import type { Vector } from '../../session/vector.ts';
import { cleanText, sessionRedactor, showText } from '../../wire/redact.ts';
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

function describe(received: Received | undefined): string {
  const { response, failure, at = 0, done = 0 } = received ?? {};
  if (response === undefined) return `no response: ${failure?.message ?? 'nothing was sent'}`;
  const { status, json } = response;
  const what = !json.ok ? 'a body that is not JSON' : Array.isArray(json.value) ? `a list of ${json.value.length}` : 'a JSON object';
  return `${status}, ${what}, after ${Math.round(done - at)} ms`;
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

/** Sends rows one after the other. */
async function openContact(options: SessionOptions) {
  const [{ createClient }, { createLanes }, { compose }] = await Promise.all([
    import('../../wire/client.ts'),
    import('../../session/lanes.ts'),
    import('../../../suites/tables/tables.ts'),
  ]);
  const client = createClient(options);
  const lanes = createLanes(client);
  const { apiKey, seed, runTag, categoryIds } = options;
  const context = { apiKey, seed, rowNumber: 0, runTag, categoryId: categoryIds[0] ?? 1n, knownIds: [], cookies: [] };
  const send = async (vector: Vector): Promise<Received | undefined> => (await lanes.send(compose(vector, context))).at(-1);
  return { options, send, reset: () => undefined, close: () => client.close() };
}

/** The first contact and its result: nothing is created. */
async function examine(target: Target, { configuration, environment, next }: Examination): Promise<ExitCode> {
  const [{ findMistake, reachService }, { UnreachableError }] = await Promise.all([
    import('../../session/first-contact.ts'),
    import('../../wire/meant-service.ts'),
  ]);
  const options = await sessionOptions({ ...configuration, readOnly: true }, target, environment);
  const redact = sessionRedactor(options);
  const contact = await openContact(options);
  const ask = async (vector: Vector) => {
    const received = await contact.send(vector);
    return { status: received?.response?.status, text: showText(describe(received), redact) };
  };
  try {
    const first = await reachService(contact);
    const list = await ask({ op: 'list' });
    say(list.status === 200 ? 'good' : 'bad', 'with the key', `GET /pets returned ${list.text}`);
    const nobody = await ask({ op: 'list', credential: 'none' });
    say(nobody.status === 401 ? 'good' : 'bad', 'without it', `GET /pets returned ${nobody.text}; expected 401`);
    const odd = await ask({ op: 'get', id: `=${ODD_ID}` });
    say('note', 'an odd id', `GET /pets/${ODD_ID} returned ${odd.text}`);
    const mistake = first === undefined ? undefined : await findMistake(contact, first);
    const isReady = list.status === 200 && nobody.status === 401;
    const verdict = isReady
      ? `a pet store with this key${configuration.readOnly ? ', to be judged read-only' : ''}`
      : 'a run can judge this service, and will not find it conformant';
    say(mistake === undefined && isReady ? 'good' : 'bad', 'verdict', mistake === undefined ? verdict : showText(mistake, redact));
    if (mistake === undefined) print(`\nThen: ${next}`);
    return mistake === undefined && isReady ? EXIT_CODES.conformant : EXIT_CODES.broken;
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    say('bad', 'verdict', showText(error.message, redact));
    return EXIT_CODES.unjudged;
  } finally {
    await contact.close();
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
