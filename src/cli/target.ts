// The service that a command judges, and its API key.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { RunRecord } from '../clause/run-record.ts';
import { placeholderFault } from '../secrets/placeholder.ts';
import { headerFault, headerFaultOf, readSecretFile, textOrSecret } from '../secrets/secret.ts';
import { exposedFile, outdated, readClientCertificate } from '../secrets/secret-file.ts';
import type { ExtraHeaders } from '../wire/extra-headers.ts';
import { cleanText, isShortKey, SHORT_KEY_WARNING } from '../wire/redact.ts';
import { messageOf } from '../wire/wording.ts';
import { parseBaseUrl } from './address.ts';
import { type Environment, type Flags, type GivenHeader, type Resolved, UsageError } from './option-spec.ts';
import type { runOptions } from './options.ts';

export type RunConfiguration = Resolved<typeof runOptions>;

/** The service that is judged. */
export type Target = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly headers: ExtraHeaders;
  /** Whether it is the built-in server, and not a service. */
  readonly reference: boolean;
  readonly warnings: readonly string[];
  /** Ends the built-in server. */
  readonly close: () => Promise<void>;
};

const BUILT_IN = 'the built-in reference server';
/** The animals of the built-in server. */
export const REFERENCE_ANIMALS = 7;
const KEY_BYTES = 18;

function readKeyFile(path: string): { key: string; warnings: string[] } {
  try {
    const key = readSecretFile(path);
    if (key === '') throw new Error('it is empty');
    const warning = exposedFile(path, 'the API key');
    return { key, warnings: warning === undefined ? [] : [warning] };
  } catch (error) {
    throw new UsageError(`cannot read the API key from ${path}: ${messageOf(error)}; name a readable file or set PETSTORE_API_KEY`);
  }
}

function checkKey(key: string): string {
  if (key === '') {
    throw new UsageError('there is no API key: set PETSTORE_API_KEY (in the environment or in .env) or --api-key-file FILE');
  }
  const fault = placeholderFault(key) ?? headerFault(key);
  if (fault !== undefined) throw new UsageError(`the API key ${fault}`);
  return key;
}

/** Otherwise any server that responds would be judged under the name of the service. */
export function checkCertificatesAreChecked(baseUrl: string): void {
  if (!baseUrl.startsWith('https:') || process.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return;
  throw new UsageError(
    'NODE_TLS_REJECT_UNAUTHORIZED=0 is set, which disables certificate checks; unset it, and trust your own certificate with --ca FILE',
  );
}

/** The extra headers with their values. Throws UsageError if one can't be read or sent; no value is repeated. */
function readHeaders(given: readonly GivenHeader[], environment: Environment): { headers: ExtraHeaders; warnings: string[] } {
  const names = given.map(({ name }) => name.toLowerCase());
  const twice = given.find(({ name }, index) => names.indexOf(name.toLowerCase()) !== index);
  if (twice !== undefined) throw new UsageError(`--header: ${twice.name} is given twice; give each header once`);
  const warnings: string[] = [];
  const headers = given.map(({ name, value: reference }) => {
    try {
      const value = textOrSecret(reference, environment, headerFaultOf(reference))();
      const exposed = reference.startsWith('file:') ? exposedFile(reference.slice('file:'.length), `the value of ${name}`) : undefined;
      if (exposed !== undefined) warnings.push(exposed);
      return [name, value] as const;
    } catch (error) {
      throw new UsageError(`--header ${name}: ${messageOf(error)}`);
    }
  });
  return { headers, warnings };
}

/**
 * Warnings about the client certificate. Throws UsageError if it can't be presented; what `--key` names is not repeated if it is no file, since it may
 * be the API key.
 */
function checkClientCertificate({ cert, key }: Pick<RunConfiguration, 'cert' | 'key'>, now: Date): readonly string[] {
  if (key !== undefined && !existsSync(key))
    throw new UsageError(
      '--key (PETSTORE_KEY) names no file: it takes that of the private key of a client certificate, and PETSTORE_API_KEY takes the API key',
    );
  if (cert === undefined) return [];
  const found = readClientCertificate(cert, key);
  if ('fault' in found) {
    const file = found.option === 'key' ? key : cert;
    throw new UsageError(`cannot use ${file} (--${found.option}): ${found.fault}`);
  }
  return [exposedFile(key ?? cert, 'a private key'), outdated(found, now)].filter((warning) => warning !== undefined);
}

/** The service and its key. Throws UsageError if one is missing or wrong. */
export function resolveTarget(configuration: RunConfiguration, environment: Environment): Target {
  if (configuration.baseUrl === undefined) {
    throw new UsageError(
      'there is no service to judge: name it with --base-url URL (or PETSTORE_BASE_URL), or judge the built-in server with --reference',
    );
  }
  const variable = environment['PETSTORE_API_KEY'];
  const fromFile = configuration.apiKeyFile === undefined ? undefined : readKeyFile(configuration.apiKeyFile);
  const baseUrl = parseBaseUrl(configuration.baseUrl, { what: 'the base URL', key: fromFile?.key ?? variable });
  checkCertificatesAreChecked(baseUrl);
  const apiKey = checkKey(fromFile?.key ?? variable ?? '');
  const { headers, warnings: ofHeaders } = readHeaders(configuration.header, environment);
  const warnings = [
    ...(fromFile?.warnings ?? []),
    ...(isShortKey(apiKey) ? [SHORT_KEY_WARNING] : []),
    ...ofHeaders,
    ...checkClientCertificate(configuration, new Date()),
  ];
  return { baseUrl, apiKey, headers, reference: false, warnings, close: async () => undefined };
}

/** The service of an earlier run, and the options of this one. */
type Again = {
  readonly file: string;
  readonly record: Pick<RunRecord, 'target'>;
  readonly configuration: Pick<RunConfiguration, 'baseUrl' | 'reference'>;
  readonly commandLine: Flags;
};

/**
 * Throws UsageError if the failures of one service would be judged on another that only a variable or a file of this folder names, since
 * those are easily forgotten.
 */
export function checkSameService({ file, record: { target }, configuration: { baseUrl, reference }, commandLine }: Again): void {
  const isMeant = ['baseUrl', 'reference'].some((option) => commandLine[option] !== undefined);
  if (isMeant || (reference ? target.reference : baseUrl === undefined)) return;
  const here = reference ? BUILT_IN : baseUrl === undefined ? '' : parseBaseUrl(baseUrl, { what: 'the base URL' });
  const there = target.reference ? BUILT_IN : cleanText(target.baseUrl, 200);
  if (here === there) return;
  const meant = reference ? '--reference' : `--base-url ${here}`;
  throw new UsageError(`${file} is of ${there}, but the environment or .env names ${here}; add ${meant} if you mean that one`);
}

/** A configuration with one service to judge, and the warnings about the choice. */
export type Chosen = { readonly configuration: RunConfiguration; readonly warnings: readonly string[] };

/**
 * `--base-url` or `--reference`, for every command: the command line takes precedence over the environment, and both at once are a mistake.
 * The built-in server never silently replaces a service that was named.
 */
export function chooseTarget(configuration: RunConfiguration, options: Flags): Chosen {
  const { baseUrl, reference } = configuration;
  if (!reference || baseUrl === undefined) return { configuration, warnings: [] };
  const said = { url: options['baseUrl'] !== undefined, reference: options['reference'] === true };
  if (said.url === said.reference) {
    throw new UsageError('both a base URL and --reference are given; remove one of them');
  }
  if (said.url) return { configuration: { ...configuration, reference: false }, warnings: [] };
  const warning = 'PETSTORE_BASE_URL is set but ignored: --reference judges the built-in server instead';
  return { configuration: { ...configuration, baseUrl: undefined }, warnings: [warning] };
}

/**
 * The chosen service; the built-in server is started for it, with its own key. Throws UsageError for defects of another service, and for
 * unknown names.
 */
export async function openTarget(configuration: RunConfiguration, environment: Environment): Promise<Target> {
  const { reference, fault } = configuration;
  if (!reference && fault.length > 0) {
    throw new UsageError(`--fault ${fault[0]} is of the built-in server: add --reference, and name no other service`);
  }
  if (!reference) return resolveTarget(configuration, environment);
  const { startReference } = await import('../reference/server.ts');
  const apiKey = randomBytes(KEY_BYTES).toString('base64url');
  try {
    const server = await startReference({ apiKey, faults: fault, seedAnimals: REFERENCE_ANIMALS });
    return { baseUrl: server.baseUrl, apiKey, headers: [], reference: true, warnings: [], close: () => server.close() };
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
