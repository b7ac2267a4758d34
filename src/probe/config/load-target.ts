import { resolve } from 'node:path';
import { hostOf } from '../../wire/host.ts';
import type { Target } from '../target.ts';
import { ConfigError } from './config.ts';
import { type LoadContext, type RawConfig, readConfig, readingOf } from './load-config.ts';
import { boundProblems } from './problem-list.ts';
import { defaultsOf, type RawLimits, type RawTarget, targetOf } from './target-config.ts';

/** A target of a configuration for one run of `run` or `smoke`. */
export type NamedTarget = {
  readonly target: Target;
  /** The limits in the file itself, without defaults. */
  readonly own: RawLimits;
  /** Where its key is: `env:NAME`, or `file:` and an absolute path. */
  readonly key: string;
  /** Whether people rely on it, or on another target of the file at the same host. */
  readonly production: boolean;
  /** The file of its waivers, if they are not in the configuration itself. */
  readonly waiversFile: string | undefined;
  readonly warnings: readonly string[];
};

export type FoundTarget = ({ readonly kind: 'found' } & NamedTarget) | { readonly kind: 'unknown'; readonly names: readonly string[] };

/** What the command line replaces: the value in the file is then not read. */
type Replaced = { readonly key: boolean; readonly ca: boolean; readonly waivers: boolean };

function isProduction({ name, baseUrl, production = true }: RawTarget, { targets }: RawConfig): boolean {
  const host = hostOf(baseUrl);
  return production || targets.some((other) => other.name !== name && other.production !== false && hostOf(other.baseUrl) === host);
}

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
  const { defaults: { waivers: ofAll, apiKey: keyOfAll, ...defaults } = {}, data } = raw;
  const { replaced } = context;
  const reading = { ...readingOf(file, context), emptySelection: () => undefined };
  const path = ['targets', String(position)];
  const { waivers = ofAll, apiKey = keyOfAll, ca, ...rest } = found;
  const waiversFile = typeof waivers === 'string' ? resolve(reading.folder, waivers) : undefined;
  const listed = waivers === undefined || replaced.waivers || waiversFile !== undefined ? undefined : { waivers };
  const given = {
    ...rest,
    ...(found.waivers === undefined ? {} : listed),
    ...(found.apiKey === undefined ? {} : { apiKey: found.apiKey }),
    ...(ca === undefined || replaced.ca ? {} : { ca }),
  };
  // The target's own values take precedence: the key of the defaults may be missing.
  const shared = {
    ...defaults,
    ...(found.waivers === undefined ? listed : {}),
    ...(found.apiKey === undefined && keyOfAll !== undefined ? { apiKey: keyOfAll } : {}),
  };
  const target = targetOf(given, { reading, path, defaults: defaultsOf(shared, reading), hasData: data !== undefined });
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
    production: isProduction(found, raw),
    waiversFile,
    // The reader of the key warns about it.
    warnings: boundProblems(
      reading.warnings.filter((warning) => !ofKey(warning)),
      format,
    ),
  };
}
