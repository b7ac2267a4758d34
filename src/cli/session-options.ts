import { randomBytes, randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import type { SessionOptions } from '../session/session.ts';
import { exposedFile } from './environment.ts';
import type { Environment, Resolved, runOptions } from './options.ts';
import { UsageError } from './usage-error.ts';

export type RunConfiguration = Resolved<typeof runOptions>;
export type Target = { readonly baseUrl: string; readonly apiKey: string; readonly warnings: readonly string[] };

const LARGEST_BODY = 16 * 1024 * 1024;
const TAG_LETTERS = 5;
const A = 97;

/** The base address without a trailing slash, or a usage error that says what is wrong with it. */
export function parseBaseUrl(text: string, from: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError(`${from} is "${text}", which is no URL; it looks like https://staging.example.com/v1`);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new UsageError(`${from} is "${text}"; only http: and https: can be judged`);
  if (url.username !== '' || url.password !== '')
    throw new UsageError(`${from} holds a user name or password; the key goes into PETSTORE_API_KEY`);
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${from} is "${text}"; leave out the part from "?" or "#" on`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function readKeyFile(path: string): { key: string; warnings: string[] } {
  try {
    const key = readFileSync(path, 'utf8').trim();
    const warning = exposedFile(path);
    return { key, warnings: warning === undefined ? [] : [warning] };
  } catch (error) {
    throw new UsageError(`cannot read the API key from ${path}: ${(error as Error).message}; name a readable file or set PETSTORE_API_KEY`);
  }
}

function checkKey(key: string): string {
  if (key === '') throw new UsageError('there is no API key: set PETSTORE_API_KEY (in the environment or in .env) or --api-key-file FILE');
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      'the API key holds a space, a line break or another character that an Authorization header cannot carry; check for a pasted line end',
    );
  return key;
}

/** The service and the key for it. */
export function resolveTarget(configuration: RunConfiguration, environment: Environment): Target {
  if (configuration.baseUrl === undefined) {
    throw new UsageError(
      'there is no service to judge: --base-url URL (or PETSTORE_BASE_URL) names it, --reference judges the built-in server instead',
    );
  }
  const baseUrl = parseBaseUrl(configuration.baseUrl, '--base-url');
  const fromFile = configuration.apiKeyFile === undefined ? undefined : readKeyFile(configuration.apiKeyFile);
  const apiKey = checkKey(fromFile?.key ?? environment['PETSTORE_API_KEY'] ?? '');
  return { baseUrl, apiKey, warnings: fromFile?.warnings ?? [] };
}

function runTag(environment: Environment): string {
  const given = environment['PETSTORE_RUN_TAG'];
  if (given !== undefined && given !== '') {
    if (!/^[a-z]{1,5}$/.test(given)) throw new UsageError(`PETSTORE_RUN_TAG is "${given}"; it is one to five letters a-z`);
    return given;
  }
  return [...randomBytes(TAG_LETTERS)].map((byte) => String.fromCharCode(A + (byte % 26))).join('');
}

function isProduction(baseUrl: string, production: string | undefined): boolean {
  if (production === undefined) return false;
  const same = parseBaseUrl(production, '--production-base-url');
  return same.toLowerCase() === baseUrl.toLowerCase() || new URL(same).host === new URL(baseUrl).host;
}

/** Everything that a session is told. Refuses to write to production. */
export function sessionOptions(configuration: RunConfiguration, target: Target, environment: Environment): SessionOptions {
  const production = isProduction(target.baseUrl, configuration.productionBaseUrl);
  if (production && !configuration.readOnly && !configuration.allowProductionWrites) {
    throw new UsageError(
      `${target.baseUrl} is the production service, and a run creates animals for ever: add --read-only, or --allow-production-writes if that is meant`,
    );
  }
  if (configuration.ca !== undefined) {
    try {
      accessSync(configuration.ca, constants.R_OK);
    } catch (error) {
      throw new UsageError(`cannot read the certificates of --ca: ${(error as Error).message}`);
    }
  }
  const { readOnly, maxCreates, namePrefix, profile, concurrency, timeout, consistencyWindow, waitForReady, rate, ca, proxy } =
    configuration;
  return {
    ...{ readOnly, maxCreates, namePrefix, profile, concurrency, timeout, consistencyWindow, waitForReady, rate, ca, proxy },
    baseUrl: target.baseUrl,
    apiKey: target.apiKey,
    intrusive: !production,
    runTag: runTag(environment),
    categoryIds: configuration.categoryId,
    seed: configuration.seed ?? randomInt(2 ** 31 - 1),
    timeBudget: configuration.timeBudget * 1000,
    now: configuration.now ?? new Date(),
    maxBody: LARGEST_BODY,
  };
}
