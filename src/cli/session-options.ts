// How a command judges its service: the options of the session.

import { isIP } from 'node:net';
import { resolveSessionOptions } from '../library/session-defaults.ts';
import { certificateFault } from '../secrets/secret-file.ts';
import type { SessionOptions } from '../session/session.ts';
import { isSameHost } from '../wire/host.ts';
import { addressFor, DIRECT, type Route, routeFault } from '../wire/route.ts';
import { parseBaseUrl, resolveProxy } from './address.ts';
import { type Environment, UsageError } from './option-spec.ts';
import type { RunConfiguration, Target } from './target.ts';

function runTag(environment: Environment): string | undefined {
  const given = environment['PETSTORE_RUN_TAG'];
  if (given !== undefined && !/^[a-z]{1,5}$/.test(given)) {
    throw new UsageError(`PETSTORE_RUN_TAG is "${given}"; expected one to five letters a-z`);
  }
  return given;
}

/** Everything behind the host is production too: another path is not another store, nor is another name for the same address. */
async function isProduction(baseUrl: string, production: string | undefined, route: Route): Promise<boolean> {
  if (production === undefined) return false;
  const address = parseBaseUrl(production, { what: '--production-base-url' });
  const url = new URL(baseUrl);
  const reached = addressFor(route, url);
  if (reached !== undefined) url.hostname = isIP(reached) === 6 ? `[${reached}]` : reached;
  return (await isSameHost(address, baseUrl)) || (await isSameHost(address, url.href));
}

/** Throws UsageError unless the file of `--ca` contains a certificate. */
function checkCertificates(path: string | undefined): void {
  const fault = path === undefined ? undefined : certificateFault(path);
  if (fault !== undefined) throw new UsageError(`cannot read certificates from ${path} (--ca): ${fault}`);
}

const FLAGS = { cert: '--cert', key: '--key', resolve: '--resolve', family: '--family', unixSocket: '--unix-socket' } as const;

/** How the service is reached. The built-in server needs nothing, whatever the environment has for another one. */
export function routeTo({ baseUrl, reference }: Target, configuration: RunConfiguration, environment: Environment): Route {
  const { ca, cert, key, resolve, family, unixSocket } = configuration;
  checkCertificates(ca);
  const proxy = resolveProxy(configuration.proxy, baseUrl, environment);
  if (reference) return { ...DIRECT, ca, proxy };
  const route = { ca, proxy, cert, key, resolve, family, unixSocket };
  const fault = routeFault(route, baseUrl);
  if (fault !== undefined) throw new UsageError(`${FLAGS[fault.option]}: ${fault.text}`);
  return route;
}

/** All options of a session. Rejects writes to production. */
export async function sessionOptions(configuration: RunConfiguration, target: Target, environment: Environment): Promise<SessionOptions> {
  const route = routeTo(target, configuration, environment);
  const production = await isProduction(target.baseUrl, configuration.productionBaseUrl, route);
  if (production && !configuration.readOnly && !configuration.allowProductionWrites) {
    throw new UsageError(
      `${target.baseUrl} is the production service, and animals that a run creates cannot be deleted: add --read-only, or --allow-production-writes if you mean it`,
    );
  }
  const { readOnly, maxCreates, depth, concurrency, timeout, consistencyWindow, waitForReady, rate } = configuration;
  const { seed, now } = configuration;
  const tag = runTag(environment);
  return resolveSessionOptions({
    ...{ readOnly, maxCreates, depth, concurrency, timeout, consistencyWindow, waitForReady, rate },
    ...route,
    headers: target.headers,
    baseUrl: target.baseUrl,
    apiKey: target.apiKey,
    intrusive: !production,
    categoryIds: configuration.categoryId,
    ...(seed === undefined ? {} : { seed }),
    ...(now === undefined ? {} : { now }),
    ...(tag === undefined ? {} : { runTag: tag }),
  });
}
