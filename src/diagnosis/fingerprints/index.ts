import type { RedactedExchange } from '../../wire/redact.ts';
import { actix } from './actix.ts';
import { aspnet } from './aspnet.ts';
import { aws } from './aws.ts';
import { axum } from './axum.ts';
import { cloudflare } from './cloudflare.ts';
import { cloudfront } from './cloudfront.ts';
import { djangoRestFramework } from './django-rest-framework.ts';
import { echo } from './echo.ts';
import { envoy } from './envoy.ts';
import { express } from './express.ts';
import { fastapi } from './fastapi.ts';
import { fastify } from './fastify.ts';
import type { Fingerprint } from './fingerprint.ts';
import { flask } from './flask.ts';
import { gin } from './gin.ts';
import { goNetHttp } from './go-net-http.ts';
import { hapi } from './hapi.ts';
import { haproxy } from './haproxy.ts';
import { hono } from './hono.ts';
import { jsonServer } from './json-server.ts';
import { kong } from './kong.ts';
import { laravel } from './laravel.ts';
import { micronaut } from './micronaut.ts';
import { nestjs } from './nestjs.ts';
import { nginx } from './nginx.ts';
import { prism } from './prism.ts';
import { quarkus } from './quarkus.ts';
import { rails } from './rails.ts';
import { reasonPhraseAlone } from './reason-phrase.ts';
import { springBoot } from './spring-boot.ts';
import { starlette } from './starlette.ts';
import { symfony } from './symfony.ts';
import { tracesOf } from './traces.ts';
import { traefik } from './traefik.ts';
import { varnish } from './varnish.ts';

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
