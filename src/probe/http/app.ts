import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import { behaviorOfDay, dayOf } from '../changes/known-value.ts';
import { deadlineOf, probeExposition } from '../metrics/run-metrics.ts';
import type { Monitor } from '../monitor.ts';
import type { MonitorView } from '../monitor-view.ts';
import type { Target } from '../target.ts';
import { debugText } from './debug-text.ts';
import { goneRoutes } from './gone-routes.ts';
import { guard, isFromBrowser, isFromOtherSite, SAFETY_HEADERS } from './guard.ts';
import { statusJson } from './status-json.ts';
import { pageOf, statusPage } from './status-page.ts';

type App = Hono<{ Bindings: HttpBindings }>;
type AppContext = Context<{ Bindings: HttpBindings }>;

const EXPOSITION = 'text/plain; version=0.0.4; charset=utf-8';
const NO_TARGET = 'no target with that name is configured\n';
const NO_MODULE = 'no module with that name is configured\n';

function control(app: App, monitor: Monitor): void {
  app.get('/-/healthy', (context) => context.text('healthy\n'));
  app.get('/-/ready', (context) => (monitor.isReady() ? context.text('ready\n') : context.text('stopping\n', 503)));
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
    const debug = context.req.query('debug') ?? 'false';
    if (!['true', 'false'].includes(debug)) return context.text('the parameter "debug" must be true or false\n', 400);
    const deadline = deadlineOf(context.req.header('x-prometheus-scrape-timeout-seconds'), target.deadline);
    const run = monitor.probe(target, { deadline, module, debug: debug === 'true' });
    if (run === undefined) return context.text('too many probes are under way\n', 503);
    const result = await run;
    const exposition = probeExposition(result.sample);
    if (debug === 'false') return context.body(exposition, 200, { 'Content-Type': EXPOSITION });
    return context.text(debugText(result, { baseUrl: target.baseUrl, exposition }));
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
}

export function createMonitorApp(monitor: Monitor): App {
  const app: App = new Hono();
  guard(app, monitor);
  app.onError((_error, context) => context.text('internal error\n', 500));
  app.notFound((context) => context.text('not found; see /\n', 404));
  control(app, monitor);
  scraped(app, monitor);
  shown(app, monitor);
  changesShown(app, monitor);
  goneRoutes(app);
  return app;
}

const DAY = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The last moment of a day in UTC; undefined if it is not a day. */
function endOf(day: string): number | undefined {
  const begin = DATE.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(begin) ? begin + DAY - 1 : undefined;
}

function changesShown(app: App, monitor: Monitor): void {
  app.get('/api/behavior', (context) => {
    const name = context.req.query('target');
    const target = monitor.config().targets.find((one) => one.name === name);
    if (target === undefined)
      return context.text('the parameter "target" must be the name of a configured target\n', name === undefined ? 400 : 404);
    const day = context.req.query('day');
    const { now } = monitor.view();
    const at = day === undefined ? now : endOf(day);
    if (at === undefined) return context.text('the parameter "day" must be a date such as 2027-01-31\n', 400);
    const observations = monitor.changes.behavior(target.name, at);
    if (observations === undefined)
      return context.text('nothing was recorded by then; checks that record what is open need a "budget"\n', 404);
    return context.json(behaviorOfDay(observations, { target: target.baseUrl, day: dayOf(Math.min(at, now)), version: monitor.version }));
  });
}

/** A target group in the format of `http_sd_configs` and `file_sd_configs` of Prometheus. */
export type TargetGroup = { readonly targets: readonly string[]; readonly labels: Readonly<Record<string, string>> };

/** Milliseconds by which a scrape lasts longer than its run. */
const MARGIN = 1_000;

/**
 * The configured targets by name, for a Prometheus that scrapes `/probe` for each: no address and no key. The labels give each target its
 * own interval, and time for its deadline.
 */
function targetGroups(targets: readonly Pick<Target, 'name' | 'interval' | 'deadline'>[]): readonly TargetGroup[] {
  const groups = Map.groupBy(targets, ({ interval, deadline }) => `${interval}ms ${Math.ceil(Math.min(interval, deadline + MARGIN))}ms`);
  return [...groups].map(([timing, group]) => {
    const [interval = '', timeout = ''] = timing.split(' ');
    return { targets: group.map(({ name }) => name), labels: { __scrape_interval__: interval, __scrape_timeout__: timeout } };
  });
}

/** More than a page has variants that are requested at the same time. */
const MOST_KEPT = 32;

/**
 * Texts of one view, each rendered once while the view is current: a hundred clients of a page cost as much as one. They are kept as bytes,
 * which all responses share: a client that does not read holds no copy of its own.
 */
function createKeptTexts(): (view: MonitorView, key: string, make: () => string | undefined) => Buffer | undefined {
  let of: MonitorView | undefined;
  const kept = new Map<string, Buffer | undefined>();
  return (view, key, make) => {
    if (of !== view) kept.clear();
    of = view;
    if (kept.has(key)) return kept.get(key);
    const text = make();
    const bytes = text === undefined ? undefined : Buffer.from(text, 'utf8');
    const [oldest] = kept.keys();
    if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, bytes);
    return bytes;
  };
}
