import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { end, type RunningMonitor, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

type Received = { readonly status: string; readonly reminder?: number; readonly acknowledged?: { readonly by: string } };

async function send(
  monitor: RunningMonitor,
  path: string,
  { method = 'POST', ...given }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const body = given.body === undefined ? {} : { body: typeof given.body === 'string' ? given.body : JSON.stringify(given.body) };
  const response = await fetch(`${monitor.url}${path}`, {
    method,
    ...body,
    ...(given.headers === undefined ? {} : { headers: given.headers }),
  });
  return { status: response.status, text: await response.text() };
}

type Api = {
  readonly maintenance: readonly { readonly id: string; readonly reason: string; readonly targets: readonly string[] }[];
  readonly targets: readonly {
    readonly health: string;
    readonly maintenance?: { readonly reason: string };
    readonly acknowledged?: { readonly by?: string; readonly note?: string };
    readonly lastRun?: { readonly maintenance?: string };
  }[];
};

const read = async (monitor: RunningMonitor, path: string): Promise<string> => (await fetch(`${monitor.url}${path}`)).text();
const apiOf = async (monitor: RunningMonitor, query = ''): Promise<Api> => JSON.parse(await read(monitor, `/api/status${query}`)) as Api;

test('Opened maintenance holds alerts, across a restart, until it is ended; then the outage is alerted, and its acknowledgment.', async () => {
  const [target, receiver, folder] = [await startTarget(), await startReceiver(), ownFolder()];
  const config = `server: { port: 0 }
data: { folder: data }
webhooks: [{ name: on-call, url: "${receiver.url}" }]
targets:
  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s, downAfter: 2 of 3, upAfter: 1, remindEvery: 2s }
`;
  let monitor = await startMonitor(config, folder);
  const details = (): string => monitor.output();
  const received = (): Received[] => receiver.messages.map(({ body }) => JSON.parse(body) as Received);
  await until('it is up', async () => (await monitor.health()) === 'up', { details });
  const opened = await send(monitor, '/api/maintenance', {
    body: { reason: `moving disks ${KEY}`, duration: '2h', targets: ['production'] },
  });
  expect(opened.status).toBe(201);
  const { id } = JSON.parse(opened.text) as { readonly id: string };
  target.set('gone');
  await end(monitor.child, 'SIGKILL');
  monitor = await startMonitor(config, folder);
  const runs = 'petstore_probe_checks_total{target="production",check="smoke"}';
  await until('it has failed often enough', async () => ((await monitor.metric(runs)) ?? 0) >= 3, { details });
  expect(await monitor.metric('petstore_probe_target_maintenance{target="production"}')).toBe(1);
  await until('it is down', async () => (await monitor.metric('petstore_probe_target_down{target="production"}')) === 1, { details });
  const status = await apiOf(monitor, '?public');
  expect(status.maintenance).toMatchObject([{ id, targets: ['production'] }]);
  expect(status.maintenance[0]?.reason).toMatch(/^moving disks /);
  expect(status.targets[0]).toMatchObject({
    health: 'maintenance',
    maintenance: { id },
    lastRun: { maintenance: status.maintenance[0]?.reason },
  });
  expect(await read(monitor, '/?public')).toMatch(/aria-label="Maintenance">.*<b>production<\/b> until .*moving disks/);
  expect((await send(monitor, '/api/acknowledge', { body: { target: 'production', by: 'Ann' } })).status).toBe(409);
  expect(receiver.arrived()).toBe(0);

  expect((await send(monitor, `/api/maintenance/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await send(monitor, `/api/maintenance/${id}`, { method: 'DELETE' })).status).toBe(404);
  await until('the outage is told, and again', () => received().some(({ reminder }) => reminder === 1), { details });
  expect(received()[0]).toMatchObject({ status: 'firing' });
  expect(received()[0]).not.toHaveProperty('reminder');
  const taken = await send(monitor, '/api/acknowledge', { body: { target: 'production', by: 'Ann', note: 'looking at the disks' } });
  expect(taken).toEqual({ status: 200, text: 'acknowledged\n' });
  await until('that is told', () => received().at(-1)?.status === 'acknowledged', { details });
  const before = (await monitor.metric(runs)) ?? 0;
  await until('it fails for longer than the interval of reminders', async () => ((await monitor.metric(runs)) ?? 0) >= before + 4, {
    details,
  });
  expect(received().at(-1)).toMatchObject({ status: 'acknowledged', acknowledged: { by: 'Ann', note: 'looking at the disks' } });
  expect((await apiOf(monitor)).targets[0]).toMatchObject({ health: 'down', acknowledged: { by: 'Ann', note: 'looking at the disks' } });
  const page = await read(monitor, '/?target=production');
  const hidden = JSON.stringify(await apiOf(monitor, '?public'));
  expect(hidden).toContain('acknowledged');
  expect(hidden).not.toContain('Ann');
  target.set('well');
  await until('its end is told', () => received().at(-1)?.status === 'resolved', { details });
  expect((await send(monitor, '/api/acknowledge', { body: { target: 'production', by: 'Ann' } })).status).toBe(409);
  for (const text of [details(), page, opened.text, JSON.stringify(status)]) expect(text).not.toContain(KEY);
});

describe('What an operator sends to the monitor', () => {
  const TOKEN = 'a-token-of-24-characters';
  const start = async (more = ''): Promise<RunningMonitor> => {
    const monitor = await startMonitor(
      `schedule: false\nserver: { port: 0${more} }\ntargets: [{ name: production, baseUrl: "http://127.0.0.1:9/v1", apiKey: env:KEY }]\n`,
      ownFolder(),
      [],
      { env: { TOKEN } },
    );
    onTestFinished(() => end(monitor.child, 'SIGKILL'));
    return monitor;
  };

  test('An invalid request changes nothing, and the response says what was expected.', async () => {
    const monitor = await start();
    const cases = [
      ['/api/maintenance', 'no JSON', 400, 'expected a JSON object'],
      ['/api/maintenance', [], 400, 'expected a JSON object'],
      ['/api/maintenance', { duration: '1h' }, 400, '"reason": expected a text of at most 200 characters, but it is missing'],
      [
        '/api/maintenance',
        { reason: 'x', duration: 60 },
        400,
        '"duration": expected a number and a unit (ms, s, m, h), such as 90m, received something else',
      ],
      [
        '/api/maintenance',
        { reason: 'x', duration: '1h', targets: 'production' },
        400,
        '"targets": expected a list of names of configured',
      ],
      ['/api/maintenance', { reason: 'x', duration: '1h', targets: ['staging'] }, 400, '"targets": no target has the name "staging"'],
      // As in an acknowledgment: without this, all targets would be in maintenance.
      [
        '/api/maintenance',
        { reason: 'x', duration: '1h', target: 'production' },
        400,
        '"target" is unknown: expected reason, duration, targets',
      ],
      ['/api/maintenance', { reason: 'x'.repeat(20_000), duration: '1h' }, 400, 'expected at most 16384 bytes'],
      ['/api/acknowledge', { target: 'production' }, 400, '"by": expected who takes the incident over'],
      ['/api/acknowledge', { target: 'production', by: 'Ann', reason: 'x' }, 400, '"reason" is unknown: expected target, by, note'],
      ['/api/acknowledge', { target: 'production', by: 'Ann', note: 5 }, 400, '"note": expected a text'],
      ['/api/acknowledge', { target: 'staging', by: 'Ann' }, 404, 'no target with that name is configured'],
      ['/api/acknowledge', { target: 'production', by: 'Ann' }, 409, 'production has no open incident'],
    ] as const;
    for (const [path, body, status, text] of cases) {
      const response = await send(monitor, path, { body });
      expect([path, response.status, response.text]).toEqual([path, status, expect.stringContaining(text)]);
    }
    expect((await apiOf(monitor)).maintenance).toEqual([]);
  });

  test('It understands what the page shows.', async () => {
    const monitor = await start();
    const page = readFileSync(new URL('../../docs/probe.md', import.meta.url), 'utf8');
    const requests = [...page.matchAll(/^curl -d '(.+)' http:\/\/localhost:9464(\S+)$/gm)];
    const responses = await Promise.all(requests.map(([, body, path = '']) => send(monitor, path, { body })));
    expect(responses.map(({ status }) => status)).toEqual([201, 409]);
    const [window] = (await apiOf(monitor)).maintenance;
    expect(page).toContain('curl -X DELETE http://localhost:9464/api/maintenance/ID');
    expect((await send(monitor, `/api/maintenance/${window?.id}`, { method: 'DELETE' })).status).toBe(200);
  });

  test('A browser can change nothing, and neither can a client without the token.', async () => {
    const body = { reason: 'x', duration: '1h' };
    const open = await start();
    for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'same-origin' }])
      for (const path of ['/api/maintenance', '/api/acknowledge']) expect((await send(open, path, { body, headers })).status).toBe(403);
    expect((await send(open, '/api/maintenance/x', { method: 'DELETE', headers: { origin: 'https://evil.example' } })).status).toBe(403);
    const closed = await start(', tokens: { write: "env:TOKEN" }');
    expect((await send(closed, '/api/maintenance', { body })).status).toBe(401);
    expect((await send(closed, '/api/acknowledge', { body })).status).toBe(401);
    expect((await send(closed, '/api/maintenance', { body, headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(201);
  });
});
