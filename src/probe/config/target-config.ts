import { resolve } from 'node:path';
import { parseWaiver, parseWaivers, type Waiver, WaiverFileError } from '../../judge/waiver-file.ts';
import { examineWaivers } from '../../judge/waivers.ts';
import { headerFault } from '../../secrets/secret.ts';
import { exposedFile, outdated, readBoundedFile } from '../../secrets/secret-file.ts';
import { type ExtraHeaders, headerNameFault, headerValueFault } from '../../wire/extra-headers.ts';
import { isShortKey, SHORT_KEY_WARNING } from '../../wire/redact.ts';
import type { Family, Route } from '../../wire/route.ts';
import { messageOf } from '../../wire/wording.ts';
import type { AlertRule } from '../alerts/target-state.ts';
import type { ChangeKind } from '../changes/change.ts';
import { type Checks, DEADLINE_SHARE, TARGET_DEFAULTS, type Target } from '../target.ts';
import { type Reading, secretAt } from './reading.ts';

// The shapes that the schema allows.
type RawChecks = {
  deadline?: string;
  latencyLimit?: string;
  timeout?: string;
  concurrency?: number;
  rate?: number;
  budget?: number;
  nearMisses?: boolean;
  only?: string[];
  skip?: string[];
  strict?: boolean;
  asOf?: string;
  alertOnChanges?: ChangeKind[];
};
export type RawLimits = RawChecks & { interval?: string; downAfter?: string; upAfter?: number };
export type RawDefaults = RawLimits & {
  apiKey?: string;
  waivers?: readonly unknown[] | string;
};
export type RawTarget = RawDefaults & {
  name: string;
  baseUrl: string;
  ca?: string;
  proxy?: string;
  headers?: Readonly<Record<string, string>>;
  resolve?: string[];
  family?: Family;
  unixSocket?: string;
  cert?: string;
  key?: string;
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LEAST_INTERVAL = 1_000;

/** `90s` as milliseconds; the schema has checked the form. */
export function milliseconds(duration: string): number {
  const [, amount = '0', unit = 'ms'] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1);
}

type Place = { readonly reading: Reading; readonly path: readonly string[] };

/** More than any waivers file has. */
const LARGEST_WAIVERS = 4 * 1024 * 1024;

type Entries = {
  readonly waivers: readonly Waiver[];
  readonly at: (position: number) => readonly string[];
};

/** Its remarks begin with the file name. */
function waiversOfFile(file: string, { reading, path }: Place): Entries {
  const at = (): readonly string[] => path;
  try {
    const found = resolve(reading.folder, file);
    reading.onFile(found);
    return { waivers: parseWaivers(readBoundedFile(found, { limit: LARGEST_WAIVERS }), found), at };
  } catch (error) {
    const text = error instanceof WaiverFileError ? error.message : `cannot read the waivers from ${file}: ${messageOf(error)}`;
    reading.problems.push({ path, text });
    return { waivers: [], at };
  }
}

function waiversOfList(raw: readonly unknown[], { reading, path }: Place): Entries {
  const read = raw.flatMap((entry, position) => {
    const at = [...path, String(position)];
    try {
      return [{ waiver: parseWaiver(entry, 'the waiver'), at }];
    } catch (error) {
      if (!(error instanceof WaiverFileError)) throw error;
      reading.problems.push({ path: at, text: error.message });
      return [];
    }
  });
  return { waivers: read.map(({ waiver }) => waiver), at: (position) => read[position]?.at ?? path };
}

/** The waivers of a target, by the rules of the gate; an expired entry causes a warning and has no effect. */
function waiversOf(raw: readonly unknown[] | string, place: Place): readonly Waiver[] {
  const { reading } = place;
  const { waivers, at } = typeof raw === 'string' ? waiversOfFile(raw, place) : waiversOfList(raw, place);
  const { problems, warnings } = examineWaivers(waivers, { unknown: reading.unknownWaiver, today: reading.today });
  for (const { position, text } of problems) reading.problems.push({ path: at(position), text });
  for (const { position, text } of warnings) reading.warnings.push({ path: at(position), text });
  return waivers;
}

/** Patterns that match nothing are mistakes: the requests that they should leave out would be sent. */
function checkPatterns({ only = [], skip = [] }: RawChecks, { reading, path }: Place): void {
  for (const [name, patterns] of Object.entries({ only, skip })) {
    patterns.forEach((pattern, position) => {
      const text = reading.unmatched(pattern);
      const at = [...path, name, String(position)];
      if (text !== undefined) reading.problems.push({ path: at, text });
      for (const notice of reading.ofChecks({ only: [], skip: [], [name]: [pattern] })) reading.warnings.push({ path: at, text: notice });
    });
  }
}

function checkSelection(selection: Pick<Checks, 'only' | 'skip'>, { reading, path }: Place): void {
  const text = reading.emptySelection(selection);
  if (text !== undefined) reading.problems.push({ path: [...path, selection.only.length > 0 ? 'only' : 'skip'], text });
}

function timesOf(limits: RawLimits, { reading, path }: Place): Pick<Target, 'interval' | 'deadline'> {
  const { problems } = reading;
  const interval = limits.interval === undefined ? TARGET_DEFAULTS.interval : milliseconds(limits.interval);
  const longest = interval * DEADLINE_SHARE;
  const deadline = limits.deadline === undefined ? Math.min(TARGET_DEFAULTS.deadline, longest) : milliseconds(limits.deadline);
  if (interval < LEAST_INTERVAL) problems.push({ path: [...path, 'interval'], text: `expected at least 1s, received ${interval}ms` });
  if (deadline > longest) {
    const text = `expected at most ${DEADLINE_SHARE} of the interval (${longest} ms), received ${deadline} ms`;
    problems.push({ path: [...path, 'deadline'], text });
  }
  return { interval, deadline };
}

/** `3 of 5`: down after three failures in five runs; the schema has checked the form. */
function alertRuleOf({ downAfter, upAfter }: RawLimits, { reading, path }: Place): AlertRule {
  const { alertRule } = TARGET_DEFAULTS;
  const [failures = alertRule.failures, window = alertRule.window] = downAfter?.split(' of ').map(Number) ?? [];
  if (failures > window) {
    const text = `expected at most as many failures as runs, received "${downAfter}"`;
    reading.problems.push({ path: [...path, 'downAfter'], text });
  }
  return { failures, window, passes: upAfter ?? alertRule.passes };
}

export type Defaults = {
  readonly limits: RawLimits;
  /** Undefined: each target has its own. */
  readonly apiKey: (() => string) | undefined;
  readonly waivers: readonly Waiver[];
};

export type TargetContext = Place & {
  readonly defaults: Defaults;
};

function apiKeyOf(reference: string, { reading, path }: Place): () => string {
  const apiKey = secretAt(reading, path, { reference, check: headerFault });
  if (!reading.problems.some((problem) => problem.path === path) && isShortKey(apiKey()))
    reading.warnings.push({ path, text: SHORT_KEY_WARNING });
  return apiKey;
}

/** The defaults of all targets, checked once; mistakes are added to the problems of the reading. */
export function defaultsOf({ apiKey, waivers, ...limits }: RawDefaults, reading: Reading): Defaults {
  const path = ['defaults'];
  checkPatterns(limits, { reading, path });
  return {
    limits,
    apiKey: apiKey === undefined ? undefined : apiKeyOf(apiKey, { reading, path: [...path, 'apiKey'] }),
    waivers: waivers === undefined ? [] : waiversOf(waivers, { reading, path: [...path, 'waivers'] }),
  };
}

function keyOf(raw: RawTarget, { reading, path, defaults }: TargetContext): () => string {
  const at = [...path, 'apiKey'];
  if (raw.apiKey !== undefined) return apiKeyOf(raw.apiKey, { reading, path: at });
  if (defaults.apiKey === undefined) reading.problems.push({ path: at, text: 'missing here and in defaults' });
  return defaults.apiKey ?? (() => '');
}

/** The file of certificates: with an unreadable one, no run would ever get a response. */
function certificatesOf(file: string | undefined, { reading, path }: Place): string | undefined {
  if (file === undefined) return undefined;
  const found = resolve(reading.folder, file);
  reading.onFile(found);
  const fault = reading.certificateFault(found);
  if (fault !== undefined) reading.problems.push({ path, text: `cannot read certificates from ${found}: ${fault}` });
  return found;
}

/** The files of a client certificate: with what can't be presented, no run would ever get a response. */
function clientCertificateOf(raw: Pick<RawTarget, 'cert' | 'key'>, { reading, path }: Place): Pick<Route, 'cert' | 'key'> {
  const [cert, key] = [raw.cert, raw.key].map((file) => (file === undefined ? undefined : resolve(reading.folder, file)));
  if (cert === undefined) return { cert, key };
  for (const file of key === undefined ? [cert] : [cert, key]) reading.onFile(file);
  const found = reading.clientCertificate(JSON.stringify([cert, key]));
  if ('fault' in found) {
    const file = found.option === 'key' ? 'the private key' : `the client certificate from ${cert}`;
    reading.problems.push({ path: [...path, found.option], text: `cannot use ${file}: ${found.fault}` });
    return { cert, key };
  }
  const late = outdated(found, reading.today);
  if (late !== undefined) reading.warnings.push({ path: [...path, 'cert'], text: late });
  const exposed = exposedFile(key ?? cert, 'a private key');
  if (exposed !== undefined) reading.warnings.push({ path: [...path, key === undefined ? 'cert' : 'key'], text: exposed });
  return { cert, key };
}

/** Headers that each request gets; a value may be in a file, which is read again once it has changed. */
function headersOf(raw: Readonly<Record<string, string>>, { reading, path }: Place): () => ExtraHeaders {
  const names = Object.keys(raw).map((name) => name.toLowerCase());
  const headers = Object.entries(raw).map(([name, reference], index) => {
    const at = [...path, name];
    const fault = names.indexOf(name.toLowerCase()) === index ? headerNameFault(name) : 'is there twice';
    if (fault !== undefined) reading.problems.push({ path: at, text: fault });
    return [name, secretAt(reading, at, { reference, check: headerValueFault, orText: true })] as const;
  });
  return () => headers.map(([name, value]) => [name, value()] as const);
}

/** Omitted values come from `base`. */
function checksOf(raw: RawChecks, base: Checks): Checks {
  return {
    only: raw.only ?? base.only,
    skip: raw.skip ?? base.skip,
    strict: raw.strict ?? base.strict,
    asOf: raw.asOf ?? base.asOf,
    latencyLimit: raw.latencyLimit === undefined ? base.latencyLimit : milliseconds(raw.latencyLimit),
    timeout: raw.timeout === undefined ? base.timeout : milliseconds(raw.timeout),
    concurrency: raw.concurrency ?? base.concurrency,
    rate: raw.rate ?? base.rate,
    turns: { budget: raw.budget ?? base.turns.budget, nearMisses: raw.nearMisses ?? base.turns.nearMisses },
  };
}

export function targetOf(raw: RawTarget, context: TargetContext): Target {
  const { reading, path, defaults } = context;
  const at = (field: string): readonly string[] => [...path, field];
  const limits = { ...defaults.limits, ...raw };
  const times = timesOf(limits, { reading, path });
  const checks = checksOf(limits, TARGET_DEFAULTS);
  checkPatterns(raw, { reading, path });
  checkSelection(checks, { reading, path });
  if (!URL.canParse(raw.baseUrl))
    reading.problems.push({ path: at('baseUrl'), text: 'expected a URL such as https://petstore.example.com/v1' });
  return {
    ...times,
    ...checks,
    name: raw.name,
    baseUrl: raw.baseUrl.replace(/\/+$/, ''),
    apiKey: keyOf(raw, context),
    alertRule: alertRuleOf(limits, { reading, path }),
    alertOnChanges: limits.alertOnChanges ?? TARGET_DEFAULTS.alertOnChanges,
    waivers: raw.waivers === undefined ? defaults.waivers : waiversOf(raw.waivers, { reading, path: at('waivers') }),
    ca: certificatesOf(raw.ca, { reading, path: at('ca') }),
    proxy: raw.proxy,
    headers: headersOf(raw.headers ?? {}, { reading, path: at('headers') }),
    resolve: raw.resolve ?? [],
    family: raw.family,
    unixSocket: raw.unixSocket === undefined ? undefined : resolve(reading.folder, raw.unixSocket),
    ...clientCertificateOf(raw, { reading, path }),
  };
}

export type RawModule = RawChecks;

/** A named configuration of checks, for `/probe?module=NAME`: changes a target for probes under that name. */
export type Module = (target: Target) => Target;

/** Values of a module replace those of the target. */
export function moduleOf(raw: RawModule, place: { readonly reading: Reading; readonly path: readonly string[] }): Module {
  checkPatterns(raw, place);
  checkSelection({ only: raw.only ?? [], skip: raw.skip ?? [] }, place);
  return (target) => ({
    ...target,
    // More is sent only if the module says so: a scrape has no history to continue from.
    ...checksOf({ budget: 0, ...raw }, target),
    deadline: raw.deadline === undefined ? target.deadline : milliseconds(raw.deadline),
  });
}
