import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import { behaviorOfDay, dayOf } from '../changes/behavior-day.ts';
import type { Monitor } from '../monitor.ts';
import { feedOf } from './feed.ts';

const DAY = 86_400_000;
const NO_TARGET = 'no target with that name is configured\n';
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** The last moment of a day in UTC; undefined if it is not a day. */
function endOf(day: string): number | undefined {
  const begin = DATE.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(begin) ? begin + DAY - 1 : undefined;
}

/** What changes over time, for programs. */
export function changesShown(app: Hono<{ Bindings: HttpBindings }>, monitor: Monitor): void {
  app.get('/feed.atom', (context) => {
    const target = context.req.query('target');
    if (target !== undefined && !monitor.config().targets.some(({ name }) => name === target)) return context.text(NO_TARGET, 404);
    const text = feedOf(monitor.view(), {
      target,
      public: context.req.query('public') !== undefined,
      address: monitor.config().server.publicUrl,
    });
    return context.body(text, 200, { 'Content-Type': 'application/atom+xml; charset=utf-8' });
  });
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
