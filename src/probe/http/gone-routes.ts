import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';

const SILENCE = 'silence the alert in Alertmanager, or plan a window under "maintenance" in the configuration';

/** Routes of version 2 that this one does not have, each with what to do instead, until the next major version. */
const GONE_ROUTES: Readonly<Record<string, string>> = {
  '/api/acknowledge': 'acknowledge the alert where you receive it, or silence it in Alertmanager',
  '/api/maintenance': SILENCE,
  '/api/maintenance/*': SILENCE,
  '/badge/*': '/api/status has the health of each target, and petstore_probe_target_down is a metric',
  '/feed.atom': 'a webhook receives alerts as they arise, and /api/status lists the last alerts and changes',
};

export function goneRoutes(app: Hono<{ Bindings: HttpBindings }>): void {
  for (const [path, instead] of Object.entries(GONE_ROUTES))
    app.all(path, (context) => context.text(`${context.req.path} was removed in version 3: ${instead}\n`, 410));
}
