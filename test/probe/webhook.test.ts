import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AlertStore } from '../../src/probe/alerts/alert-store.ts';
import { reactTo, sentenceOf } from '../../src/probe/alerts/event.ts';
import { createWebhookSender, deliver, pauseAfter, takes, type Webhook } from '../../src/probe/alerts/webhook.ts';
import { startForwardProxy } from '../support/forward-proxy.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { isSigned, type Message, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { createFakeClock, SECRET, sampleOf, USUAL } from './samples.ts';

/** Milliseconds of an attempt without a response, and of any other. */
const PATIENCE = { short: 2_000, long: 60_000 } as const;

/** The result of one attempt, seen from the receiver. */
type Reaction = 'nobody listens' | 'no response' | 'hangs up' | 503 | 500 | 'slow 204' | 204;

/** A receiver that may be down: its port is then free, so that nothing accepts connections. */
async function receiverOf(reactions: readonly Reaction[]) {
  const messages: Message[] = [];
  let next = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const reaction = reactions[next++] ?? 204;
    const taken = reaction === 204 || reaction === 'slow 204';
    messages.push({ path: String(request.url), headers: request.headers, body, id: String(request.headers['webhook-id']), taken });
    if (reaction === 'no response') return;
    if (reaction === 'hangs up') request.socket.destroy();
    else if (reaction === 'slow 204') setTimeout(() => response.writeHead(204).end(), 250);
    else response.writeHead(Number(reaction)).end();
  });
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(async () => {
    if (server.listening) await close();
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    messages,
    /** The timeout of the next attempt: it only matters if there is no response. */
    patience: (): number => (reactions[next] === 'no response' ? PATIENCE.short : PATIENCE.long),
    /** Starts or stops the receiver for the next attempt. */
    async prepare(): Promise<void> {
      const wanted = reactions[next] !== 'nobody listens';
      if (wanted && !server.listening) await listen(port);
      if (!wanted && server.listening) await close();
      if (!wanted) next += 1;
    },
  };
}

test('A receiver that is down, silent, closes connections, rejects twice, and is slow gets each event at least once, in order, with one id each, signed.', async () => {
  const firing = ['nobody listens', 'nobody listens', 'no response', 'hangs up', 503, 500, 'slow 204'] as const;
  const receiver = await receiverOf([...firing, 503, 204]);
  const clock = createFakeClock();
  const hook: Webhook = {
    name: 'on-call',
    format: 'json',
    url: () => receiver.url,
    secret: () => SECRET,
    proxyFor: () => undefined,
    about: undefined,
  };
  const [taken, failed]: [string[], string[]] = [[], []];
  const file = join(ownFolder(), 'alerts.db');
  const open = () => {
    const alertStore = new AlertStore({ file, now: clock.wall, onProblem: (problem) => failed.push(problem) });
    const postman = createWebhookSender({
      clock,
      alertStore,
      webhooks: () => [hook],
      deliver: (webhook, delivery, now) => deliver(webhook, delivery, now, receiver.patience()),
      onDelivered: (name) => taken.push(name),
      onFailed: (_name, problem) => failed.push(problem),
    });
    return { alertStore, postman };
  };
  let office = open();
  for (const verdict of ['fail', 'fail', 'fail', 'pass', 'pass'] as const) {
    const sample = sampleOf({ verdict, at: clock.wall() });
    const { state, events } = reactTo(office.alertStore.state(sample.target), sample, USUAL);
    office.alertStore.commit(sample.target, { state, events, webhooks: () => [hook.name], at: clock.wall() });
    await clock.advance(60_000);
  }

  let tries = 0;
  while (office.alertStore.pending().length > 0) {
    await receiver.prepare();
    await office.postman.round();
    tries += 1;
    // Nothing is sent before its pause is over.
    const before = receiver.messages.length;
    await office.postman.round();
    expect(receiver.messages).toHaveLength(before);
    // Each attempt is that of another process: pending events are in the file.
    office = open();
    await clock.advance(pauseAfter(tries));
  }
  expect(tries).toBe(firing.length + 1);
  expect(failed).toHaveLength(firing.length);
  expect(failed[0]).toBe('webhook on-call failed: no connection: nothing listens there (ECONNREFUSED)');
  expect(failed[2]).toMatch(/^webhook on-call failed: no response within \d+ ms$/);
  expect(failed.slice(4)).toEqual(['webhook on-call answered 503', 'webhook on-call answered 500', 'webhook on-call answered 503']);
  expect(taken).toHaveLength(2);
  expect(receiver.messages.every(isSigned)).toBe(true);
  const words = receiver.messages.map(({ id }) => id.split('/').at(-1));
  expect(words).toEqual([...Array.from({ length: 5 }, () => 'firing'), 'resolved', 'resolved']);
  expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(2);
  // The signature covers the time of the attempt, not of the event: receivers reject old ones.
  const times = receiver.messages.map(({ headers }) => Number(headers['webhook-timestamp']));
  expect(times).toEqual([...times].sort((a, b) => a - b));
  expect(new Set(times).size).toBe(times.length - 1);
});

test.for([
  [undefined, ['status', 'connect', 'internal']],
  ['targets', ['status', 'connect']],
  ['probe', ['internal']],
] as const)('A webhook about %s gets alerts with the reasons %j.', ([about, reasons]) => {
  expect(['status', 'connect', 'internal'].filter((reason) => takes({ about }, { reason }))).toEqual(reasons);
});

test('A summary that is too long is not cut inside a character.', () => {
  const shown = sentenceOf({ summary: `${'x'.repeat(999)}🐾🐾`, clause: null, reason: null });
  expect([shown.length <= 1_000, shown.isWellFormed()]).toEqual([true, true]);
});

test('No secret of a webhook, and no secret part of the address of one, of an Alertmanager, or of the heartbeat is in anything that the monitor shows or stores, even if it is rejected.', async () => {
  const [target, receiver, folder] = [await startTarget(), await startReceiver(() => 403), ownFolder()];
  const secrets = {
    ...{ SIGNING: 'whsec_NDcxMXNpZ25pbmc', CHAT: `${receiver.url}T0001/abcdef-4711` },
    ...{ MANAGER: `${receiver.url.replace('//', '//probe:Pa55word-4711@')}`, HEART: `${receiver.url}0b9c4d2e-4711` },
  };
  target.set('gone');
  const monitor = await startMonitor(
    `server: { port: 0 }
data: { folder: data }
webhooks:
  - { name: pager, url: "${receiver.url}", secret: env:SIGNING }
  - { name: chat, url: env:CHAT, format: slack }
alertmanagers: [{ name: first, url: env:MANAGER }]
heartbeat: { url: env:HEART, every: 1s }
targets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 1s, downAfter: 1 of 1 }]
`,
    folder,
    [],
    { env: secrets },
  );
  const failures = [
    ...['pager', 'chat'].map((webhook) => `notification_failures_total{webhook="${webhook}"}`),
    ...['alertmanager_push_failures_total{alertmanager="first"}', 'heartbeat_failures_total'],
  ];
  const rejected = async (): Promise<boolean> =>
    (await Promise.all(failures.map((series) => monitor.metric(`petstore_probe_${series}`)))).every((count) => (count ?? 0) > 0);
  await until('all have rejected it', rejected, { details: monitor.output });
  for (const end of ['abcdef-4711', '/0b9c4d2e-4711', '/api/v2/alerts'])
    expect(receiver.messages.some(({ path }) => path.endsWith(end))).toBe(true);
  const shown = await Promise.all(
    ['/', '/?target=production', '/api/status', '/metrics'].map(async (path) => (await fetch(`${monitor.url}${path}`)).text()),
  );
  const kept = ['alerts.db', 'alerts.db-wal'].map((name) => readFileSync(join(folder, 'data', name), 'latin1'));
  expect(kept.join()).toContain('production/down');
  for (const text of [monitor.output(), ...shown, ...kept])
    for (const secret of [secrets.SIGNING, 'abcdef-4711', 'Pa55word-4711', '0b9c4d2e-4711']) expect(text).not.toContain(secret);
});

test('Alerts go through the proxy of the environment with the login of their address, unless NO_PROXY has a range with it; the log shows neither.', async () => {
  const [target, receiver, proxy, folder] = [await startTarget(), await startReceiver(() => 500), await startForwardProxy(), ownFolder()];
  target.set('gone');
  const { port } = new URL(receiver.url);
  const env = {
    HTTP_PROXY: `http://probe:Pr0xyPa55@${proxy.host}`,
    NO_PROXY: '127.0.0.0/8',
    HOOK: `http://ops:Pa55%20word@hook.test:${port}/x`,
  };
  const monitor = await startMonitor(
    `server: { port: 0 }
webhooks: [{ name: far, url: env:HOOK }, { name: near, url: "${receiver.url}y" }]
targets: [{ name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 1s, downAfter: 1 of 1 }]
`,
    folder,
    [],
    { env },
  );
  await until('both have been sent', () => ['/x', '/y'].every((path) => receiver.messages.some((one) => one.path === path)), {
    details: monitor.output,
  });
  const [far, near] = ['/x', '/y'].map((path) => receiver.messages.find((one) => one.path === path)?.headers);
  expect(far?.authorization).toBe(`Basic ${Buffer.from('ops:Pa55 word').toString('base64')}`);
  expect(near).not.toHaveProperty('authorization');
  expect(new Set(proxy.seen.map(({ url }) => url))).toEqual(new Set([`http://hook.test:${port}/x`]));
  expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('probe:Pr0xyPa55').toString('base64')}`);
  const shown = `${monitor.output()}${await (await fetch(monitor.url)).text()}`;
  expect(shown).toContain('webhook far answered 500');
  expect(shown).not.toMatch(/Pa55.?word|Pa55%20word|Pr0xyPa55/);
});

test('The heartbeat of smoke goes through the proxy of the environment, with the login of its address; --proxy is for the service.', async () => {
  const [receiver, proxy] = [await startReceiver(), await startForwardProxy()];
  const { port } = new URL(receiver.url);
  const ping = `http://u:Pa55word@hook.test:${port}/uuid`;
  const start = { env: { HTTP_PROXY: `http://${proxy.host}`, PETSTORE_PING_URL: ping } };
  const { code, stdout, stderr } = await runProgram(['smoke', '--reference', '--proxy', 'none'], start);
  expect([code, stderr]).toEqual([0, '']);
  expect(receiver.messages.map(({ path }) => path).sort()).toEqual(['/uuid', '/uuid/start']);
  expect(proxy.seen.map(({ url }) => url).sort()).toEqual([`http://hook.test:${port}/uuid`, `http://hook.test:${port}/uuid/start`]);
  for (const { headers } of receiver.messages) expect(headers.authorization).toBe(`Basic ${Buffer.from('u:Pa55word').toString('base64')}`);
  expect(stdout).not.toContain('Pa55word');
});
