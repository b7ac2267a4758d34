// Reads a configuration file: all of it for the monitor, or one target for `smoke` and `doctor`.

import { dirname, resolve } from 'node:path';
import { SelectionError } from '../../clause/patterns.ts';
import { type ListedClause, noticesOfChecks, type Patterns, selectClauses, unmatchedPattern } from '../../judge/selection.ts';
import { unknownWaiver } from '../../judge/waivers.ts';
import { type Environment, headerFault, type SecretCheck, secretPartsOf } from '../../secrets/secret.ts';
import { certificateFault, readBoundedFile, readClientCertificate } from '../../secrets/secret-file.ts';
import { receiverFault } from '../../wire/login.ts';
import { oncePer } from '../../wire/once.ts';
import { environmentProxy } from '../../wire/proxy.ts';
import { randomParts } from '../../wire/redact.ts';
import { routeFault } from '../../wire/route.ts';
import { messageOf } from '../../wire/wording.ts';
import type { Receiver, Webhook, WebhookFormat, WebhookSubject } from '../alerts/webhook.ts';
import { exposedFolder } from '../data-folder.ts';
import type { Heartbeat } from '../heartbeat.ts';
import type { LogFormat } from '../log-line.ts';
import { isOfEveryRun } from '../suite.ts';
import type { Target } from '../target.ts';
import { ConfigError, isLoopback, type MonitorConfig } from './config.ts';
import { LONGEST_MAINTENANCE, maintenanceOf, type RawMaintenance } from './maintenance-config.ts';
import { boundProblems, fieldName, type Problem, placeholdersIn, type Reading, secretAt } from './reading.ts';
import {
  defaultsOf,
  milliseconds,
  moduleOf,
  type RawDefaults,
  type RawLimits,
  type RawModule,
  type RawTarget,
  targetOf,
} from './target-config.ts';
import { type FormProblem, readConfigText } from './validate.ts';

// The shapes that the schema allows.
type RawServer = { host?: string; port?: number; tokens?: { read?: string; write?: string }; publicUrl?: string };
type RawReceiver = { name: string; url: string };
type RawHeartbeat = { url: string; every?: string };
type RawWebhook = RawReceiver & { format?: WebhookFormat; secret?: string; about?: WebhookSubject };
type RawConfig = {
  server?: RawServer;
  data?: { folder: string; maxMegabytes?: number };
  schedule?: boolean;
  concurrentRuns?: number;
  dnsCanary?: string;
  log?: LogFormat;
  webhooks?: RawWebhook[];
  alertmanagers?: RawReceiver[];
  heartbeat?: RawHeartbeat;
  defaults?: RawDefaults;
  maintenance?: RawMaintenance[];
  longestMaintenance?: string;
  modules?: Readonly<Record<string, RawModule>>;
  targets: RawTarget[];
};

const MEGABYTE = 1024 * 1024;
/** Bytes: more than 5,000 targets with waivers need. */
const LARGEST_CONFIG = 8 * MEGABYTE;
/** A shorter one can be guessed by clients of the monitor. */
const LEAST_TOKEN = 16;
const DEFAULT_HEARTBEAT = 60_000;

type LoadContext = {
  readonly environment: Environment;
  /** All clauses: those that a waiver or a pattern may name. */
  readonly clauses: readonly ListedClause[];
  readonly today: Date;
  /** As in `Reading`. */
  readonly onFile?: (path: string) => void;
};

/** The proxy of the environment for an address. One that can't be used is a problem now, not at each run or message. */
function proxyAt(address: string, { reading, path }: { reading: Reading; path: readonly string[] }): string | undefined {
  try {
    return environmentProxy(address, reading.environment);
  } catch (error) {
    reading.problems.push({ path, text: messageOf(error) });
    return undefined;
  }
}

type RawPlace = { readonly reading: Reading; readonly path: readonly string[] };

/** An address that others learn something at; its proxy is checked with it. */
function receiverOf({ name, url: reference }: RawReceiver, { reading, path }: RawPlace): Receiver {
  const known = reading.problems.length;
  const url = secretAt(reading, [...path, 'url'], { reference, check: receiverFault, orText: true });
  if (reading.problems.length === known) proxyAt(url(), { reading, path });
  return { name, url, proxyFor: (address) => environmentProxy(address, reading.environment) };
}

function webhookOf(raw: RawWebhook, { reading, path }: RawPlace): Webhook {
  const { secret, format = 'json', about } = raw;
  const receiver = receiverOf(raw, { reading, path });
  return {
    ...receiver,
    format,
    about,
    secret: secret === undefined ? () => undefined : secretAt(reading, [...path, 'secret'], { reference: secret }),
  };
}

function heartbeatOf({ url, every }: RawHeartbeat, reading: Reading): Heartbeat {
  const receiver = receiverOf({ name: 'heartbeat', url }, { reading, path: ['heartbeat'] });
  return { ...receiver, every: every === undefined ? DEFAULT_HEARTBEAT : milliseconds(every) };
}

type Named = { readonly path: readonly string[]; readonly name: string };

function checkNames(reading: Reading, entries: readonly Named[]): void {
  const names = new Set<string>();
  for (const { path, name } of entries) {
    const text = `"${name}" is also the name of another one; give each a unique name`;
    if (names.has(name)) reading.problems.push({ path: [...path, 'name'], text });
    names.add(name);
  }
}

const NOTHING_LEFT = 'selects none of the clauses that each run judges (`explain clauses` shows all)';

/** Whether no run would judge any of what is selected. Patterns that name nothing are problems of their own. */
function isEmpty({ only, skip }: Patterns, clauses: readonly ListedClause[]): boolean {
  const known = (patterns: readonly string[]): readonly string[] =>
    patterns.filter((pattern) => unmatchedPattern(pattern, clauses) === undefined);
  try {
    const { clauses: selected } = selectClauses(clauses, { only: known(only), skip: known(skip) });
    return selected !== undefined && ![...selected].some(isOfEveryRun);
  } catch (error) {
    if (error instanceof SelectionError) return true;
    throw error;
  }
}

/** The context for reading the parts of a file: what a thousand targets share is checked only once. */
function readingOf(file: string, { environment, clauses, today, onFile = () => undefined }: LoadContext): Reading {
  return {
    folder: dirname(resolve(file)),
    environment,
    onFile,
    unknownWaiver: oncePer(
      (waiver) => unknownWaiver(waiver, clauses),
      ({ id }) => id,
    ),
    unmatched: oncePer(
      (pattern) => unmatchedPattern(pattern, clauses),
      (pattern) => pattern,
    ),
    ofChecks: oncePer(
      (patterns) => noticesOfChecks(patterns, clauses),
      ({ only, skip }) => JSON.stringify([only, skip]),
    ),
    emptySelection: oncePer(
      (selection) => (isEmpty(selection, clauses) ? NOTHING_LEFT : undefined),
      ({ only, skip }) => JSON.stringify([only, skip]),
    ),
    certificateFault: oncePer(certificateFault),
    clientCertificate: oncePer((files) => {
      const [cert, key] = JSON.parse(files) as [string, string | null];
      return readClientCertificate(cert, key ?? undefined);
    }),
    today,
    problems: [],
    warnings: [],
    secretFiles: new Set<string>(),
  };
}

function secretsOf(gets: readonly (() => string | readonly string[] | undefined)[]): () => string[] {
  return () =>
    gets.flatMap((get) => {
      try {
        return get() ?? [];
      } catch {
        return [];
      }
    });
}

/** The secret parts of an address, and of that of the proxy that leads to it. */
function partsOf({ url, proxyFor }: Pick<Receiver, 'url' | 'proxyFor'>): readonly string[] {
  const proxy = proxyFor(url());
  return [...secretPartsOf(url()), ...(proxy === undefined ? [] : secretPartsOf(proxy))];
}

function serverOf({ host = '127.0.0.1', port = 9464, tokens = {}, publicUrl }: RawServer, reading: Reading): MonitorConfig['server'] {
  const open = !isLoopback(host);
  if (tokens.read === undefined && open) {
    const text = `others can reach "${host}": set server.tokens.read, or listen on 127.0.0.1`;
    reading.problems.push({ path: ['server', 'host'], text });
  }
  const check: SecretCheck = (value) => {
    const short = `has ${value.length} characters, too few for a monitor that others can reach: expected at least ${LEAST_TOKEN}`;
    return headerFault(value) ?? (open && value.length < LEAST_TOKEN ? short : undefined);
  };
  const tokenOf = (name: 'read' | 'write'): (() => string) | undefined => {
    const { [name]: reference } = tokens;
    return reference === undefined ? undefined : secretAt(reading, ['server', 'tokens', name], { reference, check });
  };
  const [read, write] = [tokenOf('read'), tokenOf('write')];
  const [one, other] = secretsOf([() => read?.(), () => write?.()])();
  if (one !== undefined && one === other) {
    const text = 'is the token for reading: whoever reads could write; give each its own';
    reading.problems.push({ path: ['server', 'tokens', 'write'], text });
  }
  return { host, port, tokens: { read, write }, publicUrl: publicUrl?.replace(/\/+$/, '') };
}

/** Whether a part of the file has the required form, so that its meaning can be checked. */
type IsSound = (...part: readonly string[]) => boolean;

function soundness(problems: readonly FormProblem[]): IsSound {
  const paths = problems.filter(({ isUnknown }) => !isUnknown).map(({ path }) => path);
  const keyOf = (path: readonly string[]): string => JSON.stringify(path);
  const broken = new Set(paths.map(keyOf));
  const around = new Set(paths.flatMap((path) => path.map((_segment, depth) => keyOf(path.slice(0, depth)))));
  // With sets, because a file may have thousands of parts and of mistakes.
  return (...part) => !around.has(keyOf(part)) && ![...part, ''].some((_segment, depth) => broken.has(keyOf(part.slice(0, depth))));
}

/** The entries that have the required form, with their positions. */
function soundOf<One>(list: string, entries: readonly One[] | undefined, isSound: IsSound) {
  return (Array.isArray(entries) ? (entries as readonly One[]) : []).flatMap((one, position) => {
    const path = [list, String(position)];
    return isSound(...path) ? [{ one, path }] : [];
  });
}

type Receivers<Raw, One> = {
  readonly reading: Reading;
  readonly isSound: IsSound;
  readonly read: (raw: Raw, place: RawPlace) => One;
};

function receiversOf<Raw extends RawReceiver, One>(
  list: string,
  entries: readonly Raw[] | undefined,
  { reading, isSound, read }: Receivers<Raw, One>,
): readonly One[] {
  const sound = soundOf(list, entries, isSound);
  checkNames(
    reading,
    sound.map(({ one: { name }, path }) => ({ name, path })),
  );
  return sound.map(({ one, path }) => read(one, { reading, path }));
}

function targetsOf(raw: RawConfig, reading: Reading, isSound: IsSound): readonly Target[] {
  // What a target omits may have been intended for the defaults.
  if (!isSound('defaults')) return [];
  const defaults = defaultsOf(raw.defaults ?? {}, reading);
  const entries = soundOf('targets', raw.targets, isSound);
  checkNames(
    reading,
    entries.map(({ one: { name }, path }) => ({ name, path })),
  );
  return entries.map(({ one, path }) => {
    const target = targetOf(one, { reading, path, defaults });
    if (!URL.canParse(target.baseUrl)) return target;
    const proxy = target.proxy ?? proxyAt(target.baseUrl, { reading, path });
    const fault = routeFault({ ...target, proxy }, target.baseUrl);
    if (fault !== undefined) reading.problems.push({ path: [...path, fault.option], text: fault.text });
    return { ...target, proxy };
  });
}

type Addressed = Pick<MonitorConfig, 'targets' | 'webhooks' | 'alertmanagers' | 'heartbeat' | 'modules'>;

/** The secret parts of addresses and headers. What the configuration shows anyway is no secret: a topic with the name of a target must not mask it. */
function addressPartsOf({ targets, webhooks, alertmanagers, heartbeat, modules }: Addressed): () => readonly string[] {
  const proxies = [...new Set(targets.map(({ proxy }) => proxy))].filter((proxy) => proxy !== undefined);
  const parts = secretsOf([
    ...[...webhooks, ...alertmanagers, ...(heartbeat === undefined ? [] : [heartbeat])].map((receiver) => () => partsOf(receiver)),
    () => proxies.flatMap(secretPartsOf),
    ...targets.map(
      ({ headers }) =>
        () =>
          headers().map(([, value]) => value),
    ),
  ]);
  const shown = [
    ...targets.flatMap(({ name, baseUrl }) => [name, baseUrl]),
    ...[...webhooks, ...alertmanagers].map(({ name }) => name),
    ...modules.keys(),
  ].join('\n');
  return () => parts().filter((part) => !shown.includes(part));
}

function assemble(raw: RawConfig, reading: Reading, isSound: IsSound): Omit<MonitorConfig, 'warnings'> {
  const data = isSound('data') ? raw.data : undefined;
  const exposed = data === undefined ? undefined : exposedFolder(resolve(reading.folder, data.folder));
  if (exposed !== undefined) reading.warnings.push({ path: ['data', 'folder'], text: exposed });
  const server = serverOf((isSound('server') ? raw.server : undefined) ?? {}, reading);
  const targets = targetsOf(raw, reading, isSound);
  const webhooks = receiversOf('webhooks', raw.webhooks, { reading, isSound, read: webhookOf });
  const alertmanagers = receiversOf('alertmanagers', raw.alertmanagers, { reading, isSound, read: receiverOf });
  const heartbeat = raw.heartbeat !== undefined && isSound('heartbeat') ? heartbeatOf(raw.heartbeat, reading) : undefined;
  const modules = new Map(
    Object.entries(raw.modules ?? {})
      .filter(([name]) => isSound('modules', name))
      .map(([name, module]) => [name, moduleOf(module, { reading, path: ['modules', name] })] as const),
  );
  const names = raw.targets.map((target) => target?.name);
  const longest = (isSound('longestMaintenance') ? raw.longestMaintenance : undefined) ?? LONGEST_MAINTENANCE;
  const maintenance = soundOf('maintenance', raw.maintenance, isSound).map(({ one, path }) =>
    maintenanceOf(one, { reading, path, names, longest }),
  );
  return {
    server,
    data:
      data !== undefined
        ? {
            folder: resolve(reading.folder, data.folder),
            maxBytes: (data.maxMegabytes ?? 1024) * MEGABYTE,
          }
        : undefined,
    schedule: raw.schedule ?? true,
    concurrentRuns: raw.concurrentRuns ?? 256,
    dnsCanary: raw.dnsCanary,
    log: raw.log ?? 'logfmt',
    webhooks,
    alertmanagers,
    heartbeat,
    maintenance,
    modules,
    targets,
    secrets: secretsOf([
      ...targets.map(({ apiKey }) => apiKey),
      ...targets.map(
        ({ headers }) =>
          () =>
            headers().flatMap(randomParts),
      ),
      ...webhooks.map(({ secret }) => secret),
      () => server.tokens.read?.(),
      () => server.tokens.write?.(),
    ]),
    addressParts: addressPartsOf({ targets, webhooks, alertmanagers, heartbeat, modules }),
  };
}

export type ReadConfig = {
  readonly raw: RawConfig;
  /** The findings of the schema: the parts that contain one may not match their types. */
  readonly problems: readonly FormProblem[];
  readonly format: (problem: Problem) => string;
};

/** The text of a configuration, checked against the schema, and the format of its problems. */
function readConfig(file: string): ReadConfig {
  let text: string;
  try {
    text = readBoundedFile(file, { limit: LARGEST_CONFIG });
  } catch (error) {
    throw new ConfigError([`cannot read the configuration ${file}: ${messageOf(error)}`]);
  }
  const { value, lineOf, problems } = readConfigText(text, file);
  const format = ({ path, text: problem }: Problem): string => `${file}:${lineOf(path)}: ${fieldName(path)}: ${problem}`;
  const unfilled = placeholdersIn(value).map((problem) => ({ ...problem, isUnknown: true }));
  return { raw: value as RawConfig, problems: [...problems, ...unfilled], format };
}

/** Reads, checks, and resolves a configuration file. Throws ConfigError with the problems of its form and of its meaning. */
export function loadConfig(file: string, context: LoadContext): MonitorConfig {
  context.onFile?.(resolve(file));
  const { raw, problems, format } = readConfig(file);
  const reading = readingOf(file, context);
  const isSound = soundness(problems);
  const config = Array.isArray((raw as Partial<RawConfig> | null)?.targets) ? assemble(raw, reading, isSound) : undefined;
  const all = [...problems, ...reading.problems];
  if (config === undefined || all.length > 0) throw new ConfigError(boundProblems(all, format));
  return { ...config, warnings: boundProblems(reading.warnings, format) };
}

/** A target of a configuration for `smoke` or `doctor`. */
export type NamedTarget = {
  readonly target: Target;
  /** The limits in the file itself, without defaults. */
  readonly own: RawLimits;
  /** Where its key is: `env:NAME`, or `file:` and an absolute path. */
  readonly key: string;
  /** Its extra headers as `--header` takes them, with absolute paths. */
  readonly headers: readonly string[];
  /** The file of its waivers, if they are not in the configuration itself. */
  readonly waiversFile: string | undefined;
  readonly warnings: readonly string[];
};

export type FoundTarget = ({ readonly kind: 'found' } & NamedTarget) | { readonly kind: 'unknown'; readonly names: readonly string[] };

/** What the command line replaces: the value in the file is then not read. */
type Replaced = {
  readonly key: boolean;
  readonly ca: boolean;
  readonly waivers: boolean;
  /** The client certificate and its private key. */
  readonly cert: boolean;
  readonly headers: boolean;
};

/**
 * One target of a configuration file; the secrets of all others may be missing. Throws ConfigError with the problems of the file and of
 * that target.
 */
export function loadTarget(file: string, name: string | undefined, context: LoadContext & { readonly replaced: Replaced }): FoundTarget {
  const { raw, problems: ofForm, format } = readConfig(file);
  if (ofForm.length > 0) throw new ConfigError(boundProblems(ofForm, format));
  const position = raw.targets.findIndex((one) => one.name === name);
  const found = raw.targets[position];
  if (found === undefined) return { kind: 'unknown', names: raw.targets.map((one) => one.name) };
  const { defaults: { waivers: ofAll, apiKey: keyOfAll, ...defaults } = {} } = raw;
  const { replaced } = context;
  const reading = { ...readingOf(file, context), emptySelection: () => undefined };
  const path = ['targets', String(position)];
  const { waivers = ofAll, apiKey = keyOfAll, ca, cert, key, headers, ...rest } = found;
  const waiversFile = typeof waivers === 'string' ? resolve(reading.folder, waivers) : undefined;
  const listed = waivers === undefined || replaced.waivers || waiversFile !== undefined ? undefined : { waivers };
  const given = {
    ...rest,
    ...(found.waivers === undefined ? {} : listed),
    ...(found.apiKey === undefined ? {} : { apiKey: found.apiKey }),
    ...(ca === undefined || replaced.ca ? {} : { ca }),
    ...(cert === undefined || replaced.cert ? {} : { cert, ...(key === undefined ? {} : { key }) }),
    ...(headers === undefined || replaced.headers ? {} : { headers }),
  };
  // The target's own values take precedence: the key of the defaults may be missing.
  const shared = {
    ...defaults,
    ...(found.waivers === undefined ? listed : {}),
    ...(found.apiKey === undefined && keyOfAll !== undefined ? { apiKey: keyOfAll } : {}),
  };
  const target = targetOf(given, { reading, path, defaults: defaultsOf(shared, reading) });
  if (raw.targets.some((one, other) => one.name === name && other !== position))
    reading.problems.push({ path: [...path, 'name'], text: 'is the name of more than one target; give each target a unique name' });
  const ofKey = ({ path: at }: { readonly path: readonly string[] }): boolean => at.at(-1) === 'apiKey';
  const problems = reading.problems.filter((problem) => !(replaced.key && ofKey(problem)));
  if (problems.length > 0) throw new ConfigError(boundProblems(problems, format));
  return {
    kind: 'found',
    target,
    own: { ...defaults, ...found },
    key: apiKey?.startsWith('file:') ? `file:${resolve(reading.folder, apiKey.slice('file:'.length))}` : (apiKey ?? ''),
    headers: Object.entries(given.headers ?? {}).map(
      ([header, value]) =>
        `${header}: ${value.startsWith('file:') ? `file:${resolve(reading.folder, value.slice('file:'.length))}` : value}`,
    ),
    waiversFile,
    // The reader of the key warns about it.
    warnings: boundProblems(
      reading.warnings.filter((warning) => !ofKey(warning)),
      format,
    ),
  };
}
