import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { isLoopback } from '../config/config.ts';
import type { Monitor } from '../monitor.ts';
import { CONTENT_SECURITY_POLICY } from './status-page.ts';

const OPEN_ROUTES = new Set(['/-/healthy', '/-/ready']);

export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Whether the header contains the token, under a scheme in any case (RFC 9110, section 11.1); takes the same time however much of it is
 * correct.
 */
export function isAuthorized(header: string | undefined, token: string): boolean {
  const given = /^bearer +(.*)$/i.exec(header ?? '')?.[1];
  return timingSafeEqual(digest(given ?? ''), digest(token)) && given !== undefined;
}

/**
 * Whether a Host header names this machine or the host of the public address. A page whose own name was made to resolve to this machine
 * sends that name, and must not read what the monitor shows without a token.
 */
export function isOwnHost(header: string | undefined, publicUrl: string | undefined): boolean {
  const hostname = URL.parse(`http://${header ?? ''}`)?.hostname;
  if (hostname === undefined) return false;
  return isLoopback(hostname.replace(/^\[|\]$/g, '')) || (publicUrl !== undefined && URL.parse(publicUrl)?.hostname === hostname);
}

function safeToken(get: () => string): string | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** Whether the request comes from a web page: a page in a browser on this machine must not change what the monitor does. */
export function isFromBrowser(context: Context): boolean {
  return ['origin', 'sec-fetch-site'].some((name) => context.req.header(name) !== undefined);
}

/** Whether another site's page made its browser send this; an address that a person types comes from no page. */
export function isFromOtherSite(context: Context): boolean {
  return ['cross-site', 'same-site'].includes(context.req.header('sec-fetch-site') ?? '');
}

/** Accepts requests with the token; without a configured token, those that use one of this machine's own names. */
export function guard(app: Pick<Hono, 'use'>, monitor: Monitor): void {
  app.use('*', async (context, next) => {
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) context.header(name, value);
    if (OPEN_ROUTES.has(context.req.path)) return next();
    const { token, publicUrl } = monitor.config().server;
    if (token === undefined) {
      if (isOwnHost(context.req.header('host'), publicUrl)) return next();
      return context.text('this host name is not served: use localhost, or set server.publicUrl to the public address\n', 403);
    }
    const wanted = safeToken(token);
    // With a token that can't be read, nobody is accepted.
    if (wanted !== undefined && isAuthorized(context.req.header('authorization'), wanted)) return next();
    return context.text('a bearer token is required\n', 401, { 'WWW-Authenticate': 'Bearer' });
  });
}
