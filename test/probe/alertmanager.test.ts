import { describe, expect, test } from 'vitest';
import { createPusher, postableAlert } from '../../src/probe/alerts/alertmanager.ts';
import type { AlertEvent } from '../../src/probe/alerts/event.ts';
import type { Receiver } from '../../src/probe/alerts/webhook.ts';
import { ownFolder } from '../support/program.ts';
import { loadText } from './load-text.ts';
import { end, type Message, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { createFakeClock } from './samples.ts';

const START = Date.parse('2026-11-21T06:00:00Z');
const MINUTE = 60_000;

const down: AlertEvent = {
  ...{ version: 1, dedupId: 'production/down', status: 'firing', target: 'production', clause: 'list.limit-maximum', reason: 'assertion' },
  ...{ summary: 'GET /pets?limit=100 returned 101 animals', condition: 'only with limit=100' },
  ...{ since: '2026-11-21T05:57:00.000Z', at: '2026-11-21T06:00:00.000Z', failures: 3, total: 5, link: 'https://status.example/' },
};

type Alert = ReturnType<typeof postableAlert>;
const alertsIn = ({ body }: Message): readonly Alert[] => JSON.parse(body) as readonly Alert[];

describe('postableAlert', () => {
  test('A target that is down pages under the name of the shipped rule, with what was found, when, and where to read on.', () => {
    expect(postableAlert(down, START + 3 * MINUTE)).toEqual({
      labels: {
        alertname: 'PetstoreTargetDown',
        target: 'production',
        severity: 'page',
        clause: 'list.limit-maximum',
        reason: 'assertion',
      },
      annotations: {
        summary: 'GET /pets?limit=100 returned 101 animals',
        condition: 'only with limit=100',
        failures: '3 of 5',
        link: 'https://status.example/',
      },
      startsAt: '2026-11-21T05:57:00.000Z',
      endsAt: '2026-11-21T06:03:00.000Z',
      generatorURL: 'https://status.example/',
    });
  });

  test('A fault of the probe pages nobody, and what an alert does not have is left out.', () => {
    const unknown: AlertEvent = { ...down, clause: null, reason: 'internal', condition: null, failures: 0, link: null };
    expect(postableAlert(unknown, START)).toEqual({
      labels: { alertname: 'PetstoreProbeInternal', target: 'production', severity: 'ticket', reason: 'internal' },
      annotations: { summary: down.summary },
      startsAt: down.since,
      endsAt: '2026-11-21T06:00:00.000Z',
    });
  });

  test('Two announcements of a target are two alerts.', () => {
    const change = (subject: string): AlertEvent => ({
      ...down,
      status: 'announcement',
      dedupId: `production/change/animal ${subject}/x`,
      clause: null,
    });
    const [one, other] = [postableAlert(change('1'), START), postableAlert(change('2'), START)];
    expect(one.labels).toMatchObject({ alertname: 'PetstoreAnnouncement', severity: 'info' });
    expect(one.labels).not.toEqual(other.labels);
  });
});

describe('createPusher', () => {
  const at = (name: string, address: string): Receiver => ({ name, url: () => address, proxyFor: () => undefined });

  function office(alertmanagers: readonly Receiver[]) {
    const clock = createFakeClock(START);
    const [pushed, failed]: [string[], string[]] = [[], []];
    const pusher = createPusher({
      clock,
      alertmanagers: () => alertmanagers,
      onPushed: (name) => pushed.push(name),
      onFailed: (_name, problem) => failed.push(problem),
    });
    return { clock, pusher, pushed, failed };
  }

  test('Each address gets all that is open in one request, below its path and with its login, whatever becomes of the others.', async () => {
    const [first, second] = [await startReceiver(() => 200), await startReceiver(() => 503)];
    const login = second.url.replace('http://', 'http://probe:Pa55word@');
    const { pusher, pushed, failed } = office([at('a', `${first.url}prefix/`), at('b', login), at('c', 'http://127.0.0.1:1/')]);
    await pusher.round();
    expect([first.arrived(), second.arrived()]).toEqual([0, 0]);
    pusher.send(down, 3 * MINUTE);
    pusher.send({ ...down, target: 'staging' }, 3 * MINUTE);
    await pusher.round();
    expect(first.messages.map(({ path }) => path)).toEqual(['/prefix/api/v2/alerts']);
    expect(first.messages.flatMap(alertsIn).map(({ labels }) => labels['target'])).toEqual(['production', 'staging']);
    expect(second.messages[0]?.headers.authorization).toBe(`Basic ${Buffer.from('probe:Pa55word').toString('base64')}`);
    expect(pushed).toEqual(['a']);
    expect(failed.toSorted()).toEqual([
      'Alertmanager b returned 503',
      'pushing alerts to Alertmanager c failed: no connection: nothing listens there (ECONNREFUSED)',
    ]);
  });

  test('What was not accepted is sent again after a pause, with what it has become by then, and dropped once it says nothing any more.', async () => {
    let isDown = true;
    const receiver = await startReceiver(() => (isDown ? 500 : 200));
    const { clock, pusher } = office([at('a', receiver.url)]);
    pusher.send(down, 3 * MINUTE);
    pusher.send({ ...down, target: 'staging' }, 1_000);
    await pusher.round();
    await pusher.round();
    expect(receiver.arrived()).toBe(1);
    pusher.send({ ...down, status: 'resolved', summary: 'production is healthy again' }, 3 * MINUTE);
    isDown = false;
    await clock.advance(5_000);
    await pusher.round();
    await clock.advance(5_000);
    await pusher.round();
    expect(receiver.messages.map((message) => alertsIn(message).map(({ labels, endsAt }) => [labels['target'], endsAt]))).toEqual([
      [
        ['production', '2026-11-21T06:03:00.000Z'],
        ['staging', '2026-11-21T06:00:01.000Z'],
      ],
      [['production', '2026-11-21T06:00:00.000Z']],
    ]);
  });

  test('An Alertmanager that does not respond is asked once at a time, and what is noted meanwhile is not lost.', async () => {
    const gate = Promise.withResolvers<number>();
    const receiver = await startReceiver((number) => (number === 0 ? gate.promise : 200));
    const { pusher } = office([at('a', receiver.url)]);
    pusher.send(down, MINUTE);
    const first = pusher.round();
    await until('it was asked', () => receiver.arrived() === 1);
    pusher.send({ ...down, status: 'resolved' }, MINUTE);
    await pusher.round();
    expect(receiver.arrived()).toBe(1);
    gate.resolve(200);
    await first;
    await pusher.round();
    expect(receiver.messages.flatMap(alertsIn).map(({ endsAt }) => endsAt)).toEqual([
      '2026-11-21T06:01:00.000Z',
      '2026-11-21T06:00:00.000Z',
    ]);
  });
});

test('alertmanagers in the file have names and addresses, and a mistake in one is named.', () => {
  const withThem = (entries: string): string =>
    `alertmanagers: ${entries}\ntargets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n`;
  const loaded = loadText(withThem('[{ name: a, url: "env:AM" }, { name: b, url: "http://b.example:9093" }]'), {
    KEY: 'an-api-key',
    AM: 'https://probe:Pa55%20word@am.example/prefix',
  });
  expect(loaded.problems).toBe('');
  expect(loaded.config?.alertmanagers.map(({ name, url }) => [name, url()])).toEqual([
    ['a', 'https://probe:Pa55%20word@am.example/prefix'],
    ['b', 'http://b.example:9093'],
  ]);
  expect(loaded.config?.addressParts()).toContain('Pa55 word');
  expect(
    loadText(withThem('[{ name: a, url: "http://a" }, { name: a, url: "http://b/#x" }]'), { KEY: 'an-api-key' }).problems.split('\n'),
  ).toEqual([
    'FILE:1: alertmanagers[1].name: "a" is also the name of another one; give each a unique name',
    'FILE:1: alertmanagers[1].url: the value has a fragment, which is never sent; remove everything from "#" on',
  ]);
});

test('A monitor pushes what is open with each run, after a kill too, and its end; nothing is pushed of a healthy target.', async () => {
  const [target, healthy, receiver, folder] = [await startTarget(), await startTarget(), await startReceiver(() => 200), ownFolder()];
  const entry = (name: string, baseUrl: string): string =>
    `  - { name: ${name}, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s, downAfter: 1 of 1, upAfter: 1 }\n`;
  const config = `server: { port: 0, publicUrl: "https://status.example" }
data: { folder: data }
alertmanagers: [{ name: first, url: "${receiver.url}" }, { name: dead, url: "http://127.0.0.1:1" }]
targets:
${entry('production', target.baseUrl)}${entry('staging', healthy.baseUrl)}`;
  target.set('gone');
  const monitor = await startMonitor(config, folder);
  const pushed = (): readonly Alert[] => receiver.messages.flatMap(alertsIn);
  // On a busy machine, there may be alerts about runs without a verdict too.
  const own = (): readonly Alert[] => pushed().filter(({ labels }) => labels['alertname'] === 'PetstoreTargetDown');
  const details = (): string => `${monitor.output()}\n${JSON.stringify(pushed())}`;
  const isPushed = (count: number): Promise<void> => until(`${count} pushes`, () => own().length >= count, { details });
  await isPushed(2);
  expect(await monitor.metric('petstore_probe_alertmanager_pushes_total{alertmanager="first"}')).toBeGreaterThanOrEqual(2);
  await until(
    'the dead one is counted',
    async () => ((await monitor.metric('petstore_probe_alertmanager_push_failures_total{alertmanager="dead"}')) ?? 0) > 0,
    {
      details,
    },
  );
  await end(monitor.child, 'SIGKILL');
  const before = own().length;
  const again = await startMonitor(config, folder);
  await until('it is pushed again', () => own().length > before, { details });
  target.set('well');
  await until('its end is pushed', () => own().some(({ annotations }) => annotations['summary'] === 'production is healthy again'), {
    details: again.output,
  });
  expect([...new Set(own().map(({ labels, startsAt }) => JSON.stringify([labels, startsAt])))]).toEqual([
    expect.stringContaining('production'),
  ]);
  expect(own()[0]).toMatchObject({
    labels: { target: 'production', severity: 'page' },
    annotations: { link: 'https://status.example/?target=production' },
  });
  expect(own().every(({ labels }) => labels['target'] === 'production')).toBe(true);
});
