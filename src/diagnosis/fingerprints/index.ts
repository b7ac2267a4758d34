import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { type Fingerprint, writerCluesOf } from './fingerprint.ts';
import {
  actix,
  aspnet,
  axum,
  djangoRestFramework,
  echo,
  express,
  fastapi,
  fastify,
  flask,
  gin,
  goNetHttp,
  hapi,
  hono,
  jsonServer,
  laravel,
  micronaut,
  nestjs,
  prism,
  quarkus,
  rails,
  reasonPhraseAlone,
  springBoot,
  starlette,
  symfony,
} from './frameworks.ts';
import { aws, cloudflare, cloudfront, envoy, haproxy, kong, nginx, traefik, varnish } from './proxies.ts';

/** Every known fingerprint; the first match wins, so more specific ones come first. */
export const fingerprints: readonly Fingerprint[] = [
  // Proxies, which replace the responses of whatever is behind them.
  ...[...cloudfront, ...cloudflare, ...aws, ...kong, ...nginx, ...haproxy, ...varnish, ...envoy],
  ...[...prism, ...jsonServer],
  // hapi before Fastify, Fastify's router before NestJS: they share members.
  ...[...hapi, ...fastify, ...nestjs, ...hono, ...express],
  ...[...djangoRestFramework, ...fastapi, ...starlette, ...flask],
  ...[...springBoot, ...quarkus, ...micronaut, ...aspnet],
  ...[...rails, ...laravel, ...symfony],
  ...[...gin, ...goNetHttp, ...echo, ...axum, ...actix],
  // A reason phrase alone is the least specific.
  ...[...traefik, ...reasonPhraseAlone],
];

/** Undefined if nothing shows it. */
export function writerOf(exchange: RedactedExchange): Fingerprint | undefined {
  const clues = writerCluesOf(exchange);
  return clues === undefined ? undefined : fingerprints.find(({ matches }) => matches(clues));
}
