import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import type { Monitor } from '../monitor.ts';
import { healthOf } from '../view.ts';
import { badge } from './badge.ts';
import { deadlineOf, probeExposition } from './probe-exposition.ts';
import { statusJson } from './status-json.ts';
import { statusPage } from './status-page.ts';
import { CONTENT_SECURITY_POLICY } from './style.ts';

const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN_ROUTES = new Set(['/-/healthy', '/-/ready']);

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the header carries the token; takes the same time however much of it is right. */
export function isAuthorized(header: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}

function safeToken(get: () => string): string | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

function guard(app: Hono, monitor: Monitor): void {
  app.use('*', async (context, next) => {
    context.header('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    context.header('X-Content-Type-Options', 'nosniff');
    context.header('Referrer-Policy', 'no-referrer');
    context.header('Cache-Control', 'no-store');
    const { token } = monitor.config().server;
    if (token !== undefined && !OPEN_ROUTES.has(context.req.path)) {
      const wanted = safeToken(token);
      // A token that can't be read lets nobody in.
      if (wanted === undefined || !isAuthorized(context.req.header('authorization'), wanted)) {
        return context.text('a bearer token is needed\n', 401, { 'WWW-Authenticate': 'Bearer' });
      }
    }
    return next();
  });
  app.onError((_error, context) => context.text('the monitor broke while it answered\n', 500));
  app.notFound((context) => context.text('there is nothing here; see /\n', 404));
}

function control(app: Hono, monitor: Monitor): void {
  app.get('/-/healthy', (context) => context.text('healthy\n'));
  app.get('/-/ready', (context) => (monitor.ready() ? context.text('ready\n') : context.text('stopping\n', 503)));
  app.post('/-/reload', (context) => {
    // A web page that a browser on this machine shows must not reload the monitor.
    if (context.req.header('origin') !== undefined) return context.text('not from a browser\n', 403);
    const result = monitor.reload();
    return result.ok
      ? context.text('reloaded\n')
      : context.text(`not reloaded, the configuration before is in use:\n${result.problem}\n`, 400);
  });
}

function scraped(app: Hono, monitor: Monitor): void {
  app.get('/metrics', async (context) => context.body(await monitor.metrics(), 200, { 'Content-Type': EXPOSITION }));
  app.get('/probe', async (context) => {
    const name = context.req.query('target');
    if (name === undefined) return context.text('the parameter "target" is missing: the name of a configured target\n', 400);
    const target = monitor.config().targets.find((one) => one.name === name);
    if (target === undefined) return context.text('no target of that name is configured\n', 404);
    if (monitor.probing() >= monitor.config().concurrentRuns) return context.text('too many probes are under way\n', 503);
    const run = monitor.probe(name, deadlineOf(context.req.header('x-prometheus-scrape-timeout-seconds'), target.deadline));
    if (run === undefined) return context.text('no target of that name is configured\n', 404);
    return context.body(probeExposition((await run).sample), 200, { 'Content-Type': EXPOSITION });
  });
}

function shown(app: Hono, monitor: Monitor): void {
  app.get('/', (context) => {
    const asked = (name: string): boolean => context.req.query(name) !== undefined;
    return context.html(statusPage(monitor.view(), { public: asked('public'), refresh: asked('refresh') }));
  });
  app.get('/api/status', (context) => context.json(statusJson(monitor.view(), { public: context.req.query('public') !== undefined })));
  app.get('/badge/:file{.+\\.svg}', (context) => {
    const name = context.req.param('file').slice(0, -'.svg'.length);
    const one = monitor.view().targets.find(({ target }) => target.name === name);
    if (one === undefined) return context.text('no target of that name is configured\n', 404);
    return context.body(badge(name, healthOf(one)), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
  });
}

/** The routes of a monitor. */
export function createMonitorApp(monitor: Monitor): Hono {
  const app = new Hono();
  guard(app, monitor);
  control(app, monitor);
  scraped(app, monitor);
  shown(app, monitor);
  return app;
}
