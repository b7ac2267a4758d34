// How a command judges its service: the options of the session.

import { resolveSessionOptions } from '../library/session-defaults.ts';
import { certificateFault } from '../secrets/secret-file.ts';
import type { SessionOptions } from '../session/session.ts';
import { isSameHost } from '../wire/host.ts';
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

/** Everything behind the host is production too: another path is not another store. */
async function isProduction(baseUrl: string, production: string | undefined): Promise<boolean> {
  return production !== undefined && isSameHost(parseBaseUrl(production, { what: '--production-base-url' }), baseUrl);
}

/** Throws UsageError unless the file of `--ca` contains a certificate. */
export function checkCertificates(path: string | undefined): void {
  const fault = path === undefined ? undefined : certificateFault(path);
  if (fault !== undefined) throw new UsageError(`cannot read certificates from ${path} (--ca): ${fault}`);
}

/** All options of a session. Rejects writes to production. */
export async function sessionOptions(configuration: RunConfiguration, target: Target, environment: Environment): Promise<SessionOptions> {
  const production = await isProduction(target.baseUrl, configuration.productionBaseUrl);
  if (production && !configuration.readOnly && !configuration.allowProductionWrites) {
    throw new UsageError(
      `${target.baseUrl} is the production service, and animals that a run creates cannot be deleted: add --read-only, or --allow-production-writes if you mean it`,
    );
  }
  checkCertificates(configuration.ca);
  const { readOnly, maxCreates, depth, concurrency, timeout, consistencyWindow, waitForReady, rate, ca } = configuration;
  const { seed, now = target.now } = configuration;
  const tag = runTag(environment);
  return resolveSessionOptions({
    ...{ readOnly, maxCreates, depth, concurrency, timeout, consistencyWindow, waitForReady, rate, ca },
    proxy: resolveProxy(configuration.proxy, target.baseUrl, environment),
    baseUrl: target.baseUrl,
    apiKey: target.apiKey,
    intrusive: !production,
    categoryIds: configuration.categoryId,
    ...(seed === undefined ? {} : { seed }),
    ...(now === undefined ? {} : { now }),
    ...(tag === undefined ? {} : { runTag: tag }),
  });
}
