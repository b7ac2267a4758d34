import type { RedactedExchange } from '../../wire/redact.ts';
import type { Fingerprint } from './fingerprint.ts';
import { actix, axum, echo, gin, goNetHttp } from './go-and-rust.ts';
import { aspnet, micronaut, quarkus, springBoot } from './jvm-and-dotnet.ts';
import { express, fastify, hapi, hono, jsonServer, nestjs, prism } from './node.ts';
import { aws, cloudflare, cloudfront, envoy, haproxy, kong, nginx, traefik, varnish } from './proxies.ts';
import { djangoRestFramework, fastapi, flask, starlette } from './python.ts';
import { reasonPhraseAlone } from './reason-phrase.ts';
import { laravel, rails, symfony } from './ruby-and-php.ts';
import { tracesOf } from './traces.ts';

/** Every known fingerprint; the first that fits holds, so what is told by more comes before what is told by less. */
export const fingerprints: readonly Fingerprint[] = [
  // Proxies, which write over whatever stands behind them.
  ...[...cloudfront, ...cloudflare, ...aws, ...kong, ...nginx, ...haproxy, ...varnish, ...envoy],
  ...[...prism, ...jsonServer],
  // hapi before Fastify, Fastify's router before NestJS: they share members.
  ...[...hapi, ...fastify, ...nestjs, ...hono, ...express],
  ...[...djangoRestFramework, ...fastapi, ...starlette, ...flask],
  ...[...springBoot, ...quarkus, ...micronaut, ...aspnet],
  ...[...rails, ...laravel, ...symfony],
  ...[...gin, ...goNetHttp, ...echo, ...axum, ...actix],
  // A reason phrase alone tells least.
  ...[...traefik, ...reasonPhraseAlone],
];

/** Who wrote the response; undefined where nothing tells. */
export function writerOf(exchange: RedactedExchange): Fingerprint | undefined {
  const traces = tracesOf(exchange);
  return traces === undefined ? undefined : fingerprints.find(({ matches }) => matches(traces));
}
