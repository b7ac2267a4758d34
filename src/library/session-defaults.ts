import { randomInt } from 'node:crypto';
import { headerFault } from '../secrets/secret.ts';
import type { SessionOptions } from '../session/session.ts';
import { headerNameFault, headerValueFault } from '../wire/extra-headers.ts';
import { hasLogin, maskLogin } from '../wire/login.ts';
import { readProxy } from '../wire/proxy.ts';
import { DIRECT, routeFault } from '../wire/route.ts';

/**
 * The defaults of session options, the same as on the command line.
 *
 * @example
 * ```ts
 * import { SESSION_DEFAULTS } from '@petstore-conformance/cli';
 *
 * console.log(`a run creates at most ${SESSION_DEFAULTS.maxCreates} animals`);
 * ```
 */
export const SESSION_DEFAULTS = {
  readOnly: false,
  intrusive: true,
  maxCreates: 250,
  categoryIds: [],
  leftoverIds: [],
  depth: 'standard',
  /** Milliseconds. */
  concurrency: 8,
  /** Milliseconds. */
  timeout: 10_000,
  /** Milliseconds. */
  consistencyWindow: 2_000,
  waitForReady: 0,
  rate: 0,
  /**
   * Bytes: a hundred animals with names of twenty thousand characters. A larger body is not a list of this interface, and parsing it would
   * fill the memory.
   */
  maxBody: 2 * 1024 * 1024,
  ...DIRECT,
  headers: [],
} as const satisfies Partial<SessionOptions>;

const TAG_LETTERS = 5;
const A = 97;

/** The service and its key, and any option that differs from the defaults. */
export type SessionInput = Pick<SessionOptions, 'baseUrl' | 'apiKey'> & Partial<SessionOptions>;

/**
 * All options of a session, with defaults for those left out: a random seed, today, and otherwise what the command line does. `intrusive:
 * false` keeps the key out of queries and cookies, as a run against production does.
 *
 * @example
 * ```ts
 * import { judgeServer, resolveSessionOptions } from '@petstore-conformance/cli';
 *
 * const options = resolveSessionOptions({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret', readOnly: true });
 * console.log(`the same run again: seed ${options.seed}, ${options.now.toISOString()}`);
 * await judgeServer(options.baseUrl, options);
 * ```
 *
 * @throws TypeError when an address can't be used (a base URL without http or https, or with a login), or the key can't stand in a header.
 */
export function resolveSessionOptions(input: SessionInput): SessionOptions {
  const { baseUrl, apiKey, proxy } = input;
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    const shown = JSON.stringify(maskLogin(baseUrl));
    throw new TypeError(`the base URL is ${shown}; expected an http or https URL such as http://127.0.0.1:8080/v1`);
  }
  if (hasLogin(baseUrl)) throw new TypeError('the base URL contains a user name or password; remove them, and give the API key as apiKey');
  const through = proxy === undefined ? undefined : readProxy(proxy);
  if (through !== undefined && 'fault' in through) throw new TypeError(`the proxy ${through.fault}`);
  const fault = apiKey === '' ? 'is empty' : headerFault(apiKey);
  if (fault !== undefined) throw new TypeError(`the API key ${fault}`);
  for (const [name, value] of input.headers ?? []) {
    const wrong = headerNameFault(name) ?? headerValueFault(value);
    if (wrong !== undefined) throw new TypeError(`the header ${name} ${wrong}`);
  }
  const options = {
    ...SESSION_DEFAULTS,
    seed: randomInt(2 ** 31 - 1),
    now: new Date(),
    runTag: Array.from({ length: TAG_LETTERS }, () => String.fromCharCode(A + randomInt(26))).join(''),
    ...input,
    ...(through === undefined ? {} : { proxy: through.address }),
    baseUrl: baseUrl.replace(/\/+$/, ''),
  };
  const wrong = routeFault(options, options.baseUrl);
  if (wrong !== undefined) throw new TypeError(`${wrong.option}: ${wrong.text}`);
  return options;
}
