import { resolve } from 'node:path';
import { parseWaiver, type Waiver, WaiverFileError } from '../../judge/waiver-file.ts';
import { expiredWaiver } from '../../judge/waivers.ts';
import { isInt64 } from '../../schema/int64.ts';
import { headerFault } from '../../secrets/header-fault.ts';
import { isShortKey, SHORT_KEY_WARNING } from '../../wire/short-key.ts';
import { LEAST_DEADLINE, type WriteBudget } from '../canary/budget.ts';
import type { ChangeKind } from '../changes/change.ts';
import { DEADLINE_SHARE, TARGET_DEFAULTS, type Target } from '../target.ts';
import { type Reading, secretAt } from './reading.ts';

// The shapes that the schema lets through.
export type RawLimits = {
  interval?: string;
  deadline?: string;
  latencyLimit?: string;
  objective?: number;
  concurrency?: number;
  budget?: number;
  nearMisses?: boolean;
  alertOnChanges?: ChangeKind[];
};
type RawWrites = { perDay: number; lifetime: number; categoryId?: number | string };
export type RawTarget = RawLimits & {
  name: string;
  baseUrl: string;
  apiKey: string;
  waivers?: Waiver[];
  ca?: string;
  proxy?: string;
  writes?: RawWrites;
};

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const LEAST_INTERVAL = 1_000;

/** `90s` as milliseconds; the schema has checked the form. */
export function milliseconds(duration: string): number {
  const [, amount = '0', unit = 'ms'] = /^(\d+)(ms|s|m|h)$/.exec(duration) ?? [];
  return Number(amount) * (UNITS[unit] ?? 1);
}

type Place = { readonly reading: Reading; readonly path: readonly string[] };

/** The write budget of a target; `undefined` for one that is only read. */
function writesOf(raw: RawWrites | undefined, { reading, path, deadline, hasData }: Place & { deadline: number; hasData: boolean }) {
  if (raw === undefined) return undefined;
  const { problems } = reading;
  const { perDay, lifetime, categoryId } = raw;
  if (lifetime < perDay) problems.push({ path: [...path, 'lifetime'], text: `expected at least perDay (${perDay}), received ${lifetime}` });
  if (categoryId !== undefined && !isInt64(BigInt(categoryId)))
    problems.push({ path: [...path, 'categoryId'], text: `expected an int64, received ${categoryId}` });
  if (deadline < LEAST_DEADLINE) {
    const text = `expected a deadline of at least ${LEAST_DEADLINE} ms, to find what was created; it is ${deadline} ms`;
    problems.push({ path, text });
  }
  if (!hasData) problems.push({ path, text: 'needs data.folder, which holds the ledger of creations' });
  return { perDay, lifetime, categoryId: categoryId === undefined ? undefined : BigInt(categoryId) } satisfies WriteBudget;
}

/** The waivers of a target, by the rules of the gate: an unknown id is a mistake, an entry that has ended is told of and holds no more. */
function waiversOf(raw: readonly unknown[], { reading, path }: Place): readonly Waiver[] {
  const { problems, warnings, unknownWaiver, today } = reading;
  const ids = new Set<string>();
  return raw.flatMap((entry, position) => {
    const at = [...path, String(position)];
    try {
      const waiver = parseWaiver(entry, 'the waiver');
      const unknown = unknownWaiver(waiver);
      if (unknown !== undefined) problems.push({ path: at, text: unknown });
      if (ids.has(waiver.id)) problems.push({ path: at, text: `${waiver.id} is waived twice; keep one entry` });
      ids.add(waiver.id);
      const expired = expiredWaiver(waiver, today);
      if (expired !== undefined) warnings.push({ path: at, text: expired });
      return [waiver];
    } catch (error) {
      if (!(error instanceof WaiverFileError)) throw error;
      problems.push({ path: at, text: error.message });
      return [];
    }
  });
}

function timesOf(limits: RawLimits, { reading, path }: Place): Pick<Target, 'interval' | 'deadline' | 'latencyLimit'> {
  const { problems } = reading;
  const interval = limits.interval === undefined ? TARGET_DEFAULTS.interval : milliseconds(limits.interval);
  const longest = interval * DEADLINE_SHARE;
  const deadline = limits.deadline === undefined ? Math.min(TARGET_DEFAULTS.deadline, longest) : milliseconds(limits.deadline);
  if (interval < LEAST_INTERVAL) problems.push({ path: [...path, 'interval'], text: `expected at least 1s, received ${interval}ms` });
  if (deadline > longest) {
    const text = `expected at most ${DEADLINE_SHARE} of the interval (${longest} ms), received ${deadline} ms`;
    problems.push({ path: [...path, 'deadline'], text });
  }
  return {
    interval,
    deadline,
    latencyLimit: limits.latencyLimit === undefined ? TARGET_DEFAULTS.latencyLimit : milliseconds(limits.latencyLimit),
  };
}

export type TargetContext = Place & {
  readonly defaults: RawLimits /** Whether there is a folder for a ledger. */;
  readonly hasData: boolean;
};

function apiKeyOf(reference: string, { reading, path }: Place): () => string {
  const apiKey = secretAt(reading, path, { reference, check: headerFault });
  if (!reading.problems.some((problem) => problem.path === path) && isShortKey(apiKey()))
    reading.warnings.push({ path, text: SHORT_KEY_WARNING });
  return apiKey;
}

/** A target, resolved; what is wrong with it is among the problems of the reading. */
export function targetOf(raw: RawTarget, { reading, path, defaults, hasData }: TargetContext): Target {
  const at = (field: string): readonly string[] => [...path, field];
  const limits = { ...defaults, ...raw };
  const times = timesOf(limits, { reading, path });
  if (!URL.canParse(raw.baseUrl))
    reading.problems.push({ path: at('baseUrl'), text: 'expected a URL such as https://petstore.example.com/v1' });
  return {
    ...times,
    name: raw.name,
    baseUrl: raw.baseUrl.replace(/\/+$/, ''),
    apiKey: apiKeyOf(raw.apiKey, { reading, path: at('apiKey') }),
    objective: limits.objective === undefined ? TARGET_DEFAULTS.objective : limits.objective / 100,
    concurrency: limits.concurrency ?? TARGET_DEFAULTS.concurrency,
    rotation: {
      budget: limits.budget ?? TARGET_DEFAULTS.rotation.budget,
      nearMisses: limits.nearMisses ?? TARGET_DEFAULTS.rotation.nearMisses,
    },
    alertOnChanges: limits.alertOnChanges ?? TARGET_DEFAULTS.alertOnChanges,
    waivers: waiversOf(raw.waivers ?? [], { reading, path: at('waivers') }),
    ca: raw.ca === undefined ? undefined : resolve(reading.folder, raw.ca),
    proxy: raw.proxy,
    writes: writesOf(raw.writes, { reading, path: at('writes'), deadline: times.deadline, hasData }),
  };
}
