import { createHash, timingSafeEqual } from 'node:crypto';
import type { Context, Hono } from 'hono';
import { isLoopback, type MonitorConfig } from '../config/config.ts';
import type { Monitor } from '../monitor.ts';
import { CONTENT_SECURITY_POLICY } from './status-page.ts';

/** With Basic, a browser asks for a password, and leaves the user name to the person. */
const CHALLENGE = 'Bearer, Basic realm="petstore-probe: the token is the password", charset="UTF-8"';

const OPEN_ROUTES = new Set(['/-/healthy', '/-/ready']);

export const SAFETY_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A bearer token, or the password of Basic, which is what browsers ask people for, whatever the user name (RFC 7617). */
function tokenIn(header: string): string | undefined {
  const [, scheme = '', given = ''] = /^(bearer|basic) +(.*)$/i.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return given;
  const login = Buffer.from(given, 'base64').toString('utf8');
  return login.includes(':') ? login.slice(login.indexOf(':') + 1) : undefined;
}

/**
 * Whether the header contains the token, under a scheme in any case (RFC 9110, section 11.1); takes the same time however much of it is
 * correct.
 */
export function isAuthorized(header: string | undefined, token: string): boolean {
  const given = tokenIn(header ?? '');
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

/** Whether the request comes from a web page: a page in a browser on this machine must not change what the monitor does. */
export function isFromBrowser(context: Context): boolean {
  return ['origin', 'sec-fetch-site'].some((name) => context.req.header(name) !== undefined);
}

/** Whether another site's page made its browser send this; an address that a person types comes from no page. */
export function isFromOtherSite(context: Context): boolean {
  return ['cross-site', 'same-site'].includes(context.req.header('sec-fetch-site') ?? '');
}

type Rejection = { readonly status: 401 | 403; readonly text: string };

/** Whether a header has the token. With one that can't be read, nobody is accepted. */
function has(header: string | undefined, token: (() => string) | undefined): boolean {
  if (token === undefined) return false;
  try {
    return isAuthorized(header, token());
  } catch {
    return false;
  }
}

/** Why a request may not do what it asks for; undefined if it may. */
function rejectionOf({ req }: Context, { tokens, publicUrl }: MonitorConfig['server']): Rejection | undefined {
  const header = req.header('authorization');
  const [reads, writes] = [has(header, tokens.read), has(header, tokens.write)];
  const isRead = ['GET', 'HEAD'].includes(req.method);
  if (writes || (reads && isRead)) return undefined;
  if (reads) return { status: 403, text: 'this token only reads: what writes takes that of server.tokens.write' };
  const wanted = isRead ? tokens.read : (tokens.write ?? tokens.read);
  if (wanted !== undefined)
    return {
      status: 401,
      text: `a bearer token, or the same as a password, is required: that of server.tokens.${isRead ? 'read' : 'write'}`,
    };
  if (isOwnHost(req.header('host'), publicUrl)) return undefined;
  return { status: 403, text: 'this host name is not served: use localhost, or set server.publicUrl to the public address' };
}

/** Accepts requests with the token for what they do; without configured tokens, those that use one of this machine's own names. */
export function guard(app: Pick<Hono, 'use'>, monitor: Pick<Monitor, 'config'>): void {
  app.use('*', async (context, next) => {
    for (const [name, value] of Object.entries(SAFETY_HEADERS)) context.header(name, value);
    const rejection = OPEN_ROUTES.has(context.req.path) ? undefined : rejectionOf(context, monitor.config().server);
    if (rejection === undefined) return next();
    return context.text(`${rejection.text}\n`, rejection.status, rejection.status === 401 ? { 'WWW-Authenticate': CHALLENGE } : undefined);
  });
}
