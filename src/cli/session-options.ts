import { randomBytes, randomInt } from 'node:crypto';
import { accessSync, constants, readFileSync } from 'node:fs';
import { exposedFile } from '../secrets/exposed-file.ts';
import { headerFault } from '../secrets/header-fault.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Environment, Resolved } from './option-spec.ts';
import type { runOptions } from './options.ts';
import { systemProxy } from './system-proxy.ts';
import { UsageError } from './usage-error.ts';

export type RunConfiguration = Resolved<typeof runOptions>;
export type Target = { readonly baseUrl: string; readonly apiKey: string; readonly warnings: readonly string[] };

/** Bytes: a hundred animals with names of twenty thousand characters. Whatever is larger is no list of this interface, and parsing it fills the memory. */
const LARGEST_BODY = 2 * 1024 * 1024;
const TAG_LETTERS = 5;
const A = 97;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The base address without a trailing slash, or a usage error that says what is wrong with it. */
export function parseBaseUrl(text: string, what: string): string {
  const url = URL.parse(text);
  if (url === null) throw new UsageError(`${what} is "${text}", which is no URL; it looks like https://staging.example.com/v1`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UsageError(`${what} is "${text}"; only http: and https: can be judged`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${what} holds a user name or password; leave them out, the key goes into PETSTORE_API_KEY`);
  }
  if (url.search !== '' || url.hash !== '') throw new UsageError(`${what} is "${text}"; leave out the part from "?" or "#" on`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

function readKeyFile(path: string): { key: string; warnings: string[] } {
  try {
    const key = readFileSync(path, 'utf8').trim();
    if (key === '') throw new Error('it is empty');
    const warning = exposedFile(path, 'the API key');
    return { key, warnings: warning === undefined ? [] : [warning] };
  } catch (error) {
    throw new UsageError(`cannot read the API key from ${path}: ${reasonOf(error)}; name a readable file or set PETSTORE_API_KEY`);
  }
}

function checkKey(key: string): string {
  if (key === '') {
    throw new UsageError('there is no API key: set PETSTORE_API_KEY (in the environment or in .env) or --api-key-file FILE');
  }
  const fault = headerFault(key);
  if (fault !== undefined) throw new UsageError(`the API key ${fault}`);
  return key;
}

/** The service and the key for it. Throws UsageError when one is missing or wrong. */
export function resolveTarget(configuration: RunConfiguration, environment: Environment): Target {
  if (configuration.baseUrl === undefined) {
    throw new UsageError(
      'there is no service to judge: --base-url URL (or PETSTORE_BASE_URL) names it, --reference judges the built-in server instead',
    );
  }
  const baseUrl = parseBaseUrl(configuration.baseUrl, 'the base URL');
  const fromFile = configuration.apiKeyFile === undefined ? undefined : readKeyFile(configuration.apiKeyFile);
  const apiKey = checkKey(fromFile?.key ?? environment['PETSTORE_API_KEY'] ?? '');
  return { baseUrl, apiKey, warnings: fromFile?.warnings ?? [] };
}

/** `--base-url` or `--reference`: what the command line says goes before the environment, both at once are a mistake. */
export function chooseTarget(configuration: RunConfiguration, options: Readonly<Record<string, unknown>>): RunConfiguration {
  const { baseUrl, reference } = configuration;
  if (!reference || baseUrl === undefined) return configuration;
  const said = { url: options['baseUrl'] !== undefined, reference: options['reference'] === true };
  if (said.url === said.reference) {
    throw new UsageError('both a base URL and --reference are given; leave one of them out, so that it is clear which service is judged');
  }
  return said.url ? { ...configuration, reference: false } : { ...configuration, baseUrl: undefined };
}

function runTag(environment: Environment): string {
  const given = environment['PETSTORE_RUN_TAG'];
  if (given !== undefined) {
    if (!/^[a-z]{1,5}$/.test(given)) throw new UsageError(`PETSTORE_RUN_TAG is "${given}"; it is one to five letters a-z`);
    return given;
  }
  return Array.from({ length: TAG_LETTERS }, () => String.fromCharCode(A + randomInt(26))).join('');
}

/** Whatever stands behind the host is production too: another path is no other store. */
function isProduction(baseUrl: string, production: string | undefined): boolean {
  if (production === undefined) return false;
  const hostOf = (url: string): string => new URL(url).host.replace(/\.(?=:|$)/, '');
  return hostOf(parseBaseUrl(production, '--production-base-url')) === hostOf(baseUrl);
}

function checkCertificates(path: string): void {
  try {
    accessSync(path, constants.R_OK);
    if (!readFileSync(path, 'utf8').includes('-----BEGIN CERTIFICATE-----')) throw new Error('it holds no PEM certificate');
  } catch (error) {
    throw new UsageError(`cannot read certificates from ${path} (--ca): ${reasonOf(error)}`);
  }
}

/** The proxy to go through: the one that is named, else the one of the environment, as curl would read it. */
export function resolveProxy(named: string | undefined, address: string, environment: Environment): string | undefined {
  if (named === 'none') return undefined;
  const text = named ?? systemProxy(address, environment);
  if (text === undefined) return undefined;
  const proxy = text.includes('://') ? text : `http://${text}`;
  const protocol = URL.parse(proxy)?.protocol;
  if (protocol === 'http:' || protocol === 'https:') return proxy;
  const source = named === undefined ? 'the proxy of the environment' : '--proxy';
  throw new UsageError(`${source} is no HTTP proxy such as http://proxy.example.com:3128; "--proxy none" goes without`);
}

/** Everything that a session is told. Refuses to write to production. */
export function sessionOptions(configuration: RunConfiguration, target: Target, environment: Environment): SessionOptions {
  const production = isProduction(target.baseUrl, configuration.productionBaseUrl);
  if (production && !configuration.readOnly && !configuration.allowProductionWrites) {
    throw new UsageError(
      `${target.baseUrl} is the production service, and a run creates animals for ever: add --read-only, or --allow-production-writes if that is meant`,
    );
  }
  if (configuration.ca !== undefined) checkCertificates(configuration.ca);
  const { readOnly, maxCreates, namePrefix, profile, concurrency, timeout, consistencyWindow, waitForReady, rate, ca } = configuration;
  return {
    ...{ readOnly, maxCreates, namePrefix, profile, concurrency, timeout, consistencyWindow, waitForReady, rate, ca },
    proxy: resolveProxy(configuration.proxy, target.baseUrl, environment),
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

/** A key for the built-in reference server, good for one run. */
export function randomKey(): string {
  return randomBytes(18).toString('base64url');
}
