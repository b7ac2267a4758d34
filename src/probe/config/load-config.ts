import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isInt64 } from '../../schema/int64.ts';
import type { Webhook, WebhookFormat } from '../alerts/webhook.ts';
import { LEAST_DEADLINE } from '../canary/budget.ts';
import { messageOf } from '../messages.ts';
import { DEADLINE_SHARE, type ProbeWaiver, TARGET_DEFAULTS, type Target } from '../target.ts';
import { ConfigError, type MonitorConfig } from './config.ts';
import { type Environment, secretOf, textOrSecret } from './secret.ts';
import { type ConfigText, readConfigText } from './validate.ts';

// The shapes that the schema lets through.
type RawLimits = { interval?: string; deadline?: string; latencyLimit?: string; objective?: number; concurrency?: number };
type RawWrites = { perDay: number; lifetime: number; categoryId?: number | string };
type RawTarget = RawLimits & {
  name: string;
  baseUrl: string;
  apiKey: string;
  waivers?: ProbeWaiver[];
  ca?: string;
  proxy?: string;
  writes?: RawWrites;
};
type RawWebhook = { name: string; url: string; format?: WebhookFormat; secret?: string };
type RawConfig = {
  server?: { host?: string; port?: number; token?: string; publicUrl?: string };
  data?: { folder: string; rawDays?: number; maxMegabytes?: number };
  schedule?: boolean;
  concurrentRuns?: number;
  dnsCanary?: string;
  webhooks?: RawWebhook[];
  defaults?: RawLimits;
  targets: RawTarget[];
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const MEGABYTE = 1024 * 1024;

/** `90s` as milliseconds; the schema has checked the form. */
export function milliseconds(duration: string): number {
  const [, amount = '0', unit = 'ms'] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1);
}

/** An address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

type Reading = { readonly text: ConfigText; readonly file: string; readonly environment: Environment; readonly problems: string[] };

function complain({ text, file, problems }: Reading, path: readonly string[], problem: string): void {
  const field = path.map((part, position) => (/^\d+$/.test(part) ? `[${part}]` : position === 0 ? part : `.${part}`)).join('');
  problems.push(`${file}:${text.lineOf(path)}: ${field} ${problem}`);
}

/** The secret as a function; one that can't be had now is a problem now, not in the middle of the night. */
function secretAt(reading: Reading, path: readonly string[], make: () => () => string): () => string {
  const get = make();
  try {
    get();
  } catch (error) {
    complain(reading, path, messageOf(error));
  }
  return get;
}

/** The write budget of a target; `undefined` for one that is only read. */
function writesOf({ writes }: RawTarget, { reading, path, deadline }: { reading: Reading; path: string[]; deadline: number }) {
  if (writes === undefined) return undefined;
  const { perDay, lifetime, categoryId } = writes;
  if (lifetime < perDay) complain(reading, [...path, 'lifetime'], `of ${lifetime} is less than perDay (${perDay})`);
  if (categoryId !== undefined && !isInt64(BigInt(categoryId))) complain(reading, [...path, 'categoryId'], 'is no int64');
  if (deadline < LEAST_DEADLINE)
    complain(reading, path, `needs a deadline of at least ${LEAST_DEADLINE} ms, to look for what was created; it is ${deadline} ms`);
  if ((reading.text.value as RawConfig).data === undefined)
    complain(reading, path, 'needs data.folder: what was created is entered in a ledger there first');
  return { perDay, lifetime, categoryId: categoryId === undefined ? undefined : BigInt(categoryId) };
}

function targetOf(raw: RawTarget, context: { reading: Reading; position: number; defaults: RawLimits }): Target {
  const { reading, position, defaults } = context;
  const at = (field: string): string[] => ['targets', String(position), field];
  const limits = { ...defaults, ...raw };
  const interval = limits.interval === undefined ? TARGET_DEFAULTS.interval : milliseconds(limits.interval);
  const longest = interval * DEADLINE_SHARE;
  const deadline = limits.deadline === undefined ? Math.min(TARGET_DEFAULTS.deadline, longest) : milliseconds(limits.deadline);
  if (interval < 1_000) complain(reading, at('interval'), `of ${interval} ms is shorter than a second`);
  if (deadline > longest)
    complain(reading, at('deadline'), `of ${deadline} ms is more than ${DEADLINE_SHARE} of the interval (${longest} ms)`);
  if (!URL.canParse(raw.baseUrl)) complain(reading, at('baseUrl'), 'is no URL');
  const folder = dirname(reading.file);
  return {
    name: raw.name,
    baseUrl: raw.baseUrl.replace(/\/+$/, ''),
    apiKey: secretAt(reading, at('apiKey'), () => secretOf(fileBeside(raw.apiKey, folder), reading.environment)),
    interval,
    deadline,
    latencyLimit: limits.latencyLimit === undefined ? TARGET_DEFAULTS.latencyLimit : milliseconds(limits.latencyLimit),
    objective: limits.objective === undefined ? TARGET_DEFAULTS.objective : limits.objective / 100,
    concurrency: limits.concurrency ?? TARGET_DEFAULTS.concurrency,
    waivers: raw.waivers ?? [],
    ca: raw.ca === undefined ? undefined : resolve(folder, raw.ca),
    proxy: raw.proxy,
    writes: writesOf(raw, { reading, path: at('writes'), deadline }),
  };
}

/** A relative file of a configuration is beside the configuration, wherever the process was started. */
function fileBeside(reference: string, folder: string): string {
  return reference.startsWith('file:') ? `file:${resolve(folder, reference.slice('file:'.length))}` : reference;
}

function webhookOf(raw: RawWebhook, context: { reading: Reading; position: number }): Webhook {
  const { reading, position } = context;
  const folder = dirname(reading.file);
  const at = (field: string): string[] => ['webhooks', String(position), field];
  const { secret } = raw;
  return {
    name: raw.name,
    format: raw.format ?? 'json',
    url: secretAt(reading, at('url'), () => textOrSecret(fileBeside(raw.url, folder), reading.environment)),
    secret:
      secret === undefined
        ? () => undefined
        : secretAt(reading, at('secret'), () => secretOf(fileBeside(secret, folder), reading.environment)),
  };
}

function checkNames(reading: Reading, list: 'targets' | 'webhooks', names: readonly string[]): void {
  names.forEach((name, position) => {
    if (names.indexOf(name) < position) complain(reading, [list, String(position), 'name'], `"${name}" is taken by another`);
  });
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

function assemble(raw: RawConfig, reading: Reading): MonitorConfig {
  const { environment } = reading;
  const folder = dirname(reading.file);
  const { host = '127.0.0.1', port = 9464, token, publicUrl } = raw.server ?? {};
  if (token === undefined && !isLoopback(host))
    complain(reading, ['server', 'host'], `is "${host}", which others reach: set server.token, or listen on 127.0.0.1`);
  const tokenGet =
    token === undefined ? undefined : secretAt(reading, ['server', 'token'], () => secretOf(fileBeside(token, folder), environment));
  const targets = raw.targets.map((target, position) => targetOf(target, { reading, position, defaults: raw.defaults ?? {} }));
  const webhooks = (raw.webhooks ?? []).map((webhook, position) => webhookOf(webhook, { reading, position }));
  checkNames(
    reading,
    'targets',
    targets.map(({ name }) => name),
  );
  checkNames(
    reading,
    'webhooks',
    webhooks.map(({ name }) => name),
  );
  const { data } = raw;
  return {
    server: { host, port, token: tokenGet, publicUrl: publicUrl?.replace(/\/+$/, '') },
    data:
      data === undefined
        ? undefined
        : { folder: resolve(folder, data.folder), rawDays: data.rawDays ?? 30, maxBytes: (data.maxMegabytes ?? 1024) * MEGABYTE },
    schedule: raw.schedule ?? true,
    concurrentRuns: raw.concurrentRuns ?? 256,
    dnsCanary: raw.dnsCanary,
    webhooks,
    targets,
    secrets: secretsOf([
      ...targets.map(({ apiKey }) => apiKey),
      ...webhooks.flatMap(({ url, secret }) => [url, secret]),
      ...(tokenGet === undefined ? [] : [tokenGet]),
    ]),
  };
}

/** Reads, checks and resolves a configuration file. Throws ConfigError with all problems that were found. */
export function loadConfig(file: string, environment: Environment): MonitorConfig {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([`${file}: can't be read: ${messageOf(error)}`]);
  }
  const reading: Reading = { text: readConfigText(text, file), file, environment, problems: [] };
  const config = assemble(reading.text.value as RawConfig, reading);
  if (reading.problems.length > 0) throw new ConfigError(reading.problems);
  return config;
}
