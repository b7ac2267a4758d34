import { dirname, resolve } from 'node:path';
import type { SessionClause } from '../../judge/judge-check.ts';
import { selectAmong, unmatchedPattern } from '../../judge/select.ts';
import { unknownWaiver } from '../../judge/waivers.ts';
import { certificateFault } from '../../secrets/certificate-fault.ts';
import { headerFault } from '../../secrets/header-fault.ts';
import { readBoundedFile } from '../../secrets/read-bounded-file.ts';
import type { Environment, SecretCheck } from '../../secrets/secret.ts';
import type { Webhook, WebhookFormat } from '../alerts/webhook.ts';
import { withCanaryChecks } from '../canary/canary-clauses.ts';
import { exposedFolder } from '../data-folder.ts';
import { messageOf } from '../messages.ts';
import { ConfigError, type MonitorConfig } from './config.ts';
import { isLoopback } from './loopback.ts';
import { moduleOf, type RawModule } from './module-config.ts';
import { boundProblems, fieldName, type Problem } from './problem-list.ts';
import { type Reading, secretAt } from './reading.ts';
import { checkPatterns, type RawLimits, type RawTarget, targetOf } from './target-config.ts';
import { readConfigText } from './validate.ts';

// The shapes that the schema lets through.
type RawServer = { host?: string; port?: number; token?: string; publicUrl?: string };
type RawWebhook = { name: string; url: string; format?: WebhookFormat; secret?: string };
export type RawConfig = {
  server?: RawServer;
  data?: { folder: string; rawDays?: number; maxMegabytes?: number };
  schedule?: boolean;
  concurrentRuns?: number;
  dnsCanary?: string;
  webhooks?: RawWebhook[];
  defaults?: RawLimits;
  modules?: Readonly<Record<string, RawModule>>;
  targets: RawTarget[];
};

const MEGABYTE = 1024 * 1024;
/** Bytes: more than 5,000 targets with waivers need. */
const LARGEST_CONFIG = 8 * MEGABYTE;
/** Characters below which a token can be guessed by those who reach the monitor. */
const LEAST_TOKEN = 16;

export type LoadContext = {
  readonly environment: Environment;
  /** All clauses that there are: what a waiver or a pattern may name. */
  readonly clauses: readonly SessionClause[];
  /** The day by which waivers expire. */
  readonly today: Date;
};

function webhookOf(raw: RawWebhook, { reading, path }: { reading: Reading; path: readonly string[] }): Webhook {
  const { secret } = raw;
  return {
    name: raw.name,
    format: raw.format ?? 'json',
    url: secretAt(reading, [...path, 'url'], { reference: raw.url, orText: true }),
    secret: secret === undefined ? () => undefined : secretAt(reading, [...path, 'secret'], { reference: secret }),
  };
}

function checkNames(reading: Reading, list: 'targets' | 'webhooks', entries: readonly { readonly name: string }[]): void {
  const names = new Set<string>();
  entries.forEach(({ name }, position) => {
    const text = `"${name}" is also the name of another target; give each target a unique name`;
    if (names.has(name)) reading.problems.push({ path: [list, String(position), 'name'], text });
    names.add(name);
  });
}

/** Looks into what a thousand targets share only once. */
function once<Given>(look: (given: Given) => string | undefined, keyOf: (given: Given) => string): (given: Given) => string | undefined {
  const seen = new Map<string, string | undefined>();
  return (given) => {
    const key = keyOf(given);
    if (!seen.has(key)) seen.set(key, look(given));
    return seen.get(key);
  };
}

const NOTHING_LEFT = 'selects none of the checks that each run makes (`petstore-conformance list checks` shows them)';

/** What the parts of a file are read with. */
export function readingOf(file: string, { environment, clauses, today }: LoadContext): Reading {
  const known = withCanaryChecks(clauses);
  const asked = ({ only, skip }: Parameters<Reading['emptySelection']>[0]): boolean =>
    selectAmong(clauses, { only, skip, exhaustive: true }).some(({ checks }) => checks.some(({ smoke }) => smoke));
  return {
    folder: dirname(resolve(file)),
    environment,
    unknownWaiver: once(
      (waiver) => unknownWaiver(waiver, known),
      ({ id }) => id,
    ),
    unmatched: once(
      (pattern) => unmatchedPattern(pattern, known),
      (pattern) => pattern,
    ),
    emptySelection: once(
      (selection) => (asked(selection) ? undefined : NOTHING_LEFT),
      ({ only, skip }) => JSON.stringify([only, skip]),
    ),
    certificateFault: once(certificateFault, (file) => file),
    today,
    problems: [],
    warnings: [],
    secretFiles: new Set<string>(),
  };
}

function secretsOf(gets: readonly (() => string | undefined)[]): () => string[] {
  return () =>
    gets.flatMap((get) => {
      try {
        return get() ?? [];
      } catch {
        return [];
      }
    });
}

function serverOf({ host = '127.0.0.1', port = 9464, token, publicUrl }: RawServer, reading: Reading): MonitorConfig['server'] {
  const open = !isLoopback(host);
  if (token === undefined && open) {
    const text = `others can reach "${host}": set server.token, or listen on 127.0.0.1`;
    reading.problems.push({ path: ['server', 'host'], text });
  }
  const check: SecretCheck = (value) => {
    const short = `has ${value.length} characters, too few for a monitor that others can reach: expected at least ${LEAST_TOKEN}`;
    return headerFault(value) ?? (open && value.length < LEAST_TOKEN ? short : undefined);
  };
  return {
    host,
    port,
    token: token === undefined ? undefined : secretAt(reading, ['server', 'token'], { reference: token, check }),
    publicUrl: publicUrl?.replace(/\/+$/, ''),
  };
}

function assemble(raw: RawConfig, reading: Reading): Omit<MonitorConfig, 'warnings'> {
  const { data, defaults = {} } = raw;
  const exposed = data === undefined ? undefined : exposedFolder(resolve(reading.folder, data.folder));
  if (exposed !== undefined) reading.warnings.push({ path: ['data', 'folder'], text: exposed });
  const server = serverOf(raw.server ?? {}, reading);
  const hasData = data !== undefined;
  const targets = raw.targets.map((target, position) =>
    targetOf(target, { reading, path: ['targets', String(position)], defaults, hasData }),
  );
  const webhooks = (raw.webhooks ?? []).map((webhook, position) => webhookOf(webhook, { reading, path: ['webhooks', String(position)] }));
  checkPatterns(defaults, { reading, path: ['defaults'] });
  const modules = new Map(
    Object.entries(raw.modules ?? {}).map(([name, module]) => [name, moduleOf(module, { reading, path: ['modules', name] })] as const),
  );
  checkNames(reading, 'targets', targets);
  checkNames(reading, 'webhooks', webhooks);
  return {
    server,
    data: hasData
      ? {
          folder: resolve(reading.folder, data.folder),
          rawDays: data.rawDays ?? 30,
          maxBytes: (data.maxMegabytes ?? 1024) * MEGABYTE,
        }
      : undefined,
    schedule: raw.schedule ?? true,
    concurrentRuns: raw.concurrentRuns ?? 256,
    dnsCanary: raw.dnsCanary,
    webhooks,
    modules,
    targets,
    secrets: secretsOf([
      ...targets.map(({ apiKey }) => apiKey),
      ...webhooks.flatMap(({ url, secret }) => [url, secret]),
      ...(server.token === undefined ? [] : [server.token]),
    ]),
  };
}

/** The text of a configuration, checked against the schema, and how its problems are told. */
export function readConfig(file: string): { raw: RawConfig; format: (problem: Problem) => string } {
  let text: string;
  try {
    text = readBoundedFile(file, LARGEST_CONFIG);
  } catch (error) {
    throw new ConfigError([`cannot read the configuration ${file}: ${messageOf(error)}`]);
  }
  const { value, lineOf } = readConfigText(text, file);
  return { raw: value as RawConfig, format: ({ path, text: problem }) => `${file}:${lineOf(path)}: ${fieldName(path)}: ${problem}` };
}

/** Reads, checks and resolves a configuration file. Throws ConfigError with the problems that were found. */
export function loadConfig(file: string, context: LoadContext): MonitorConfig {
  const { raw, format } = readConfig(file);
  const reading = readingOf(file, context);
  const config = assemble(raw, reading);
  if (reading.problems.length > 0) throw new ConfigError(boundProblems(reading.problems, format));
  return { ...config, warnings: boundProblems(reading.warnings, format) };
}
