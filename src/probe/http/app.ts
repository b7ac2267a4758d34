import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type { Monitor } from '../monitor.ts';
import { healthOf } from '../view.ts';
import { badge } from './badge.ts';
import { changesShown } from './changes-shown.ts';
import { guard, isFromBrowser, isFromOtherSite, SAFETY_HEADERS } from './guard.ts';
import { createKeptTexts } from './kept-texts.ts';
import { operatorRoutes } from './operator.ts';
import { deadlineOf, probeExposition } from './probe-exposition.ts';
import { targetGroups } from './service-discovery.ts';
import { statusJson } from './status-json.ts';
import { pageOf, statusPage } from './status-page.ts';

type App = Hono<{ Bindings: HttpBindings }>;
type AppContext = Context<{ Bindings: HttpBindings }>;

const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';
const NO_TARGET = 'no target with that name is configured\n';
const NO_MODULE = 'no module with that name is configured\n';

function control(app: App, monitor: Monitor): void {
  app.get('/-/healthy', (context) => context.text('healthy\n'));
  app.get('/-/ready', (context) => (monitor.ready() ? context.text('ready\n') : context.text('stopping\n', 503)));
  app.post('/-/reload', (context) => {
    if (isFromBrowser(context)) return context.text('not from a browser\n', 403);
    const result = monitor.reload();
    return result.ok
      ? context.text('reloaded\n')
      : context.text(`not reloaded; the previous configuration is still in use:\n${result.problem}\n`, 400);
  });
}

function scraped(app: App, monitor: Monitor): void {
  app.get('/api/targets', (context) => context.json(targetGroups(monitor.config().targets)));
  app.get('/metrics', async (context) => send(context, await monitor.metrics(), EXPOSITION));
  app.get('/probe', async (context) => {
    // A run costs the service requests: no web page may start one by embedding its address as a picture.
    if (isFromOtherSite(context)) return context.text('not from a page of another site\n', 403);
    const name = context.req.query('target');
    if (name === undefined) return context.text('the parameter "target" is missing: the name of a configured target\n', 400);
    const { targets, modules } = monitor.config();
    const configured = targets.find((one) => one.name === name);
    if (configured === undefined) return context.text(NO_TARGET, 404);
    const module = context.req.query('module');
    const apply = module === undefined ? undefined : modules.get(module);
    if (module !== undefined && apply === undefined) return context.text(NO_MODULE, 400);
    const target = apply?.(configured) ?? configured;
    const run = monitor.probe(target, deadlineOf(context.req.header('x-prometheus-scrape-timeout-seconds'), target.deadline), module);
    if (run === undefined) return context.text('too many probes are under way\n', 503);
    return context.body(probeExposition((await run).sample), 200, { 'Content-Type': EXPOSITION });
  });
}

/** Sends bytes that other responses share; otherwise each client that does not read would hold its own copy. */
function send({ env: { outgoing } }: AppContext, bytes: Buffer, type: string): Response {
  outgoing.writeHead(200, { ...SAFETY_HEADERS, 'Content-Type': type, 'Content-Length': bytes.length });
  outgoing.end(bytes);
  return RESPONSE_ALREADY_SENT;
}

function shown(app: App, monitor: Monitor): void {
  const kept = createKeptTexts();
  app.get('/', (context) => {
    const asked = (name: string): boolean => context.req.query(name) !== undefined;
    const view = monitor.view();
    // Normalized to an existing page: page 1000000 is rendered no more often than the last one.
    const { page } = pageOf(view.targets.length, Number.parseInt(context.req.query('page') ?? '', 10) || 1);
    const target = context.req.query('target');
    const options = { public: asked('public'), refresh: asked('refresh'), page, ...(target === undefined ? {} : { target }) };
    const bytes = kept(view, JSON.stringify(options), () => statusPage(view, options));
    return bytes === undefined ? context.text(NO_TARGET, 404) : send(context, bytes, 'text/html; charset=utf-8');
  });
  app.get('/api/status', (context) => {
    const view = monitor.view();
    const options = { public: context.req.query('public') !== undefined };
    const bytes = kept(view, `api ${options.public}`, () => JSON.stringify(statusJson(view, options)));
    return bytes === undefined ? context.notFound() : send(context, bytes, 'application/json');
  });
  app.get('/badge/:file{.+\\.svg}', (context) => {
    const name = context.req.param('file').slice(0, -'.svg'.length);
    const one = monitor.view().targets.find(({ target }) => target.name === name);
    if (one === undefined) return context.text(NO_TARGET, 404);
    return context.body(badge(name, healthOf(one)), 200, { 'Content-Type': 'image/svg+xml; charset=utf-8' });
  });
}

/** The routes of a monitor. */
export function createMonitorApp(monitor: Monitor): App {
  const app: App = new Hono();
  guard(app, monitor);
  app.onError((_error, context) => context.text('internal error\n', 500));
  app.notFound((context) => context.text('not found; see /\n', 404));
  control(app, monitor);
  scraped(app, monitor);
  shown(app, monitor);
  changesShown(app, monitor);
  operatorRoutes(app, monitor);
  return app;
}
