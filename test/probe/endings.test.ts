import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AlertStore } from '../../src/probe/alerts/alert-store.ts';
import { createNewWebhookNotifier, endingOf } from '../../src/probe/alerts/endings.ts';
import { type AlertEvent, eventId, reactTo } from '../../src/probe/alerts/event.ts';
import { type AlertRule, FRESH_STATE, type TargetState } from '../../src/probe/alerts/target-state.ts';
import { createWebhookSender, type Webhook } from '../../src/probe/alerts/webhook.ts';
import type { ProbeVerdict } from '../../src/probe/sample.ts';
import { ownFolder } from '../support/program.ts';
import { end, type Receiver, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { createFakeClock, sampleOf, USUAL } from './samples.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const LETTERS: Readonly<Record<string, ProbeVerdict>> = { P: 'pass', F: 'fail', U: 'unknown' };
const { rule: RULE } = USUAL;

/** The state after verdicts, a minute apart, and the events. */
function afterRuns(letters: string, { maintenance, rule = RULE }: { maintenance?: string; rule?: AlertRule } = {}) {
  let state: TargetState = FRESH_STATE;
  const events = [...letters].flatMap((letter, index) => {
    const verdict = LETTERS[letter] ?? 'pass';
    const sample = sampleOf({ verdict, at: START + index * 60_000, ...(maintenance === undefined ? {} : { maintenance }) });
    const reaction = reactTo(state, sample, { ...USUAL, rule });
    // As it is after a restart.
    state = JSON.parse(JSON.stringify(reaction.state)) as TargetState;
    return reaction.events;
  });
  return { state, events };
}

const NOW = { name: 'production', target: { alertRule: RULE }, schedule: true, at: START + 3_600_000, link: 'https://status.example/' };

describe('endingOf', () => {
  test.for([
    [{ ...NOW, target: undefined }, 'production is no longer watched: the configuration no longer has it'],
    [{ ...NOW, schedule: false }, 'production is no longer watched: the configuration no longer schedules runs'],
  ] as const)('What was alerted is resolved, under its own id, when nobody watches the target any more: %j', ([options, summary]) => {
    const { state, events } = afterRuns('FFFUUUUU');
    const [down, unknown] = events;
    const ending = endingOf(state, options);
    expect(ending?.state).toBeUndefined();
    const common = { status: 'resolved', target: 'production', summary, at: '2026-11-21T01:00:00.000Z', link: null };
    expect(ending?.events).toMatchObject([
      { ...common, dedupId: down?.dedupId, since: down?.since, clause: 'list.success', reason: 'status', failures: 3, total: 3 },
      { ...common, dedupId: unknown?.dedupId, since: unknown?.since, clause: null, reason: 'internal' },
    ]);
  });

  test('What was never alerted ends without an event, and a target without a change keeps its state.', () => {
    const gone = { ...NOW, target: undefined };
    for (const { state } of [afterRuns('FFP'), afterRuns('UUUU'), afterRuns('FFFUUUUU', { maintenance: 'moving disks' })])
      expect(endingOf(state, gone)).toEqual({ state: undefined, events: [] });
    for (const letters of ['FF', 'FFF', 'FFFP', 'UUUUU']) expect(endingOf(afterRuns(letters).state, NOW)).toBeUndefined();
  });

  test.for([
    ['FFF', { failures: 5, window: 5 }, 'by its new downAfter (5 of 5), production is not down'],
    ['FFF', { failures: 3, window: 20 }, undefined],
    ['FFF', { failures: 1, window: 1 }, undefined],
    ['FFFP', { failures: 1, window: 1 }, 'by its new downAfter (1 of 1), production is not down'],
  ] as const)('After %s, the new rule %j resolves with: %s', ([letters, rule, summary]) => {
    const { state, events } = afterRuns(letters);
    const ending = endingOf(state, { ...NOW, target: { alertRule: { ...rule, passes: 2 } } });
    const resolved = { dedupId: events[0]?.dedupId, since: events[0]?.since, status: 'resolved', summary, link: NOW.link };
    expect(ending?.events).toMatchObject(summary === undefined ? [] : [resolved]);
    expect(ending?.state?.health).toBe(summary === undefined ? 'down' : 'up');
  });

  test('A target that stays down by a new rule recovers by that one, and is not looked at again.', () => {
    const rule = { failures: 1, window: 2, passes: 3 };
    const changed = endingOf(afterRuns('FFF').state, { ...NOW, target: { alertRule: rule } });
    let state = changed?.state ?? FRESH_STATE;
    const events: AlertEvent[] = [];
    for (let minute = 3; minute < 6; minute += 1) {
      expect(endingOf(state, { ...NOW, target: { alertRule: rule } })).toBeUndefined();
      const reaction = reactTo(state, sampleOf({ at: START + minute * 60_000 }), { ...USUAL, rule });
      state = reaction.state;
      events.push(...reaction.events);
    }
    expect(events).toMatchObject([{ status: 'resolved', summary: 'production is healthy again' }]);
  });

  test('A new incident after a new rule has another id.', () => {
    const { state, events } = afterRuns('FFF');
    const ended = endingOf(state, { ...NOW, target: { alertRule: { failures: 4, window: 5, passes: 2 } } });
    const again = reactTo(ended?.state ?? FRESH_STATE, sampleOf({ verdict: 'fail', at: START + 600_000 }), {
      ...USUAL,
      rule: { failures: 1, window: 1, passes: 1 },
    });
    expect(again.events.map(eventId)).toHaveLength(1);
    expect(eventId(again.events[0] as AlertEvent)).not.toBe(eventId(events[0] as AlertEvent));
  });
});

describe('createNewWebhookNotifier', () => {
  const hook = (name: string, address: string | (() => string)): Webhook => ({
    ...{ name, format: 'json', secret: () => undefined, proxyFor: () => undefined, about: undefined },
    url: typeof address === 'string' ? () => address : address,
  });

  /** An office with one target that is down, whose alert every webhook has. */
  async function office(first: readonly Webhook[]) {
    const clock = createFakeClock(START);
    const alertStore = new AlertStore({
      file: join(ownFolder(), 'alerts.db'),
      now: clock.wall,
      onProblem: (problem) => expect(problem).toBe(''),
    });
    let webhooks = first;
    const sent: string[] = [];
    const ids: string[] = [];
    const welcome = createNewWebhookNotifier({
      alertStore,
      webhooks: () => webhooks,
      linkTo: () => null,
      wall: clock.wall,
      onEvent: () => undefined,
    });
    const postman = createWebhookSender({
      clock,
      alertStore,
      webhooks: () => webhooks,
      async deliver(webhook, { id, event: { status, summary } }) {
        sent.push(`${webhook.url()} ${status}: ${summary}`);
        ids.push(id);
        return undefined;
      },
      onDelivered: () => undefined,
      onFailed: () => undefined,
    });
    async function use(next: readonly Webhook[]): Promise<void> {
      webhooks = next;
      await clock.advance(1);
      welcome();
      await postman.round();
    }
    await use(first);
    const { state, events } = afterRuns('FFF');
    alertStore.commit('production', { state, events, webhooks: () => first.map(({ name }) => name), at: START });
    return { alertStore, sent, ids, use };
  }

  const DOWN = 'a list returned 500, not 200';

  test('A new webhook, or one with another address, is told of open alerts, under a new id each time; the others hear nothing, nor does one that is removed.', async () => {
    let address = 'http://a/Kq7Zt9Xw2';
    const [onCall, chat] = [hook('on-call', () => address), hook('chat', 'http://c/')];
    const { use, sent, ids, alertStore } = await office([onCall]);
    await use([onCall]);
    expect(sent.splice(0)).toEqual([`http://a/Kq7Zt9Xw2 firing: ${DOWN}`]);
    await use([onCall, chat]);
    expect(sent.splice(0)).toEqual([`http://c/ firing: ${DOWN}`]);
    for (const next of ['http://b/', 'http://a/Kq7Zt9Xw2']) {
      address = next;
      await use([onCall, chat]);
      expect(sent.splice(0)).toEqual([`${next} firing: ${DOWN}`]);
    }
    await use([chat]);
    expect([sent, alertStore.pending()]).toEqual([[], []]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('While the file of an address cannot be read, nothing has moved.', async () => {
    let isReadable = true;
    const url = (): string => {
      if (!isReadable) throw new Error('it is being replaced');
      return 'http://a/';
    };
    const { use, sent } = await office([hook('on-call', url)]);
    await use([hook('on-call', url)]);
    isReadable = false;
    await use([hook('on-call', url)]);
    isReadable = true;
    await use([hook('on-call', url)]);
    expect(sent.filter((line) => line !== `http://a/ firing: ${DOWN}`)).toEqual([]);
  });
});

describe('a monitor', () => {
  const target = (name: string, baseUrl: string, downAfter = '1 of 1'): string =>
    `  - { name: ${name}, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 1s, downAfter: ${downAfter} }\n`;
  const webhook = (url: string): string => `webhooks: [{ name: on-call, url: "${url}" }]\n`;
  const HEAD = 'server: { port: 0 }\ndata: { folder: data }\n';
  // On a busy machine, there may be alerts about runs without a verdict too.
  const told = ({ messages }: Receiver) =>
    messages.map(({ body }) => JSON.parse(body) as AlertEvent).filter(({ dedupId }) => dedupId === 'dead/down');
  const statuses = (receiver: Receiver): string[] => told(receiver).map(({ target: name, status }) => `${name} ${status}`);

  test('A target that is removed while it is down is resolved, on reload and at the next start, and begins anew if it comes back.', async () => {
    const [good, dead, receiver, folder] = [await startTarget(), await startTarget(), await startReceiver(), ownFolder()];
    dead.set('gone');
    const both = `${HEAD}${webhook(receiver.url)}targets:\n${target('good', good.baseUrl)}${target('dead', dead.baseUrl)}`;
    const one = both.replace(target('dead', dead.baseUrl), '');
    const monitor = await startMonitor(both, folder);
    const details = (): string => `${monitor.output()}\n${JSON.stringify(told(receiver))}`;
    const heard = (count: number) => until(`${count} messages`, () => told(receiver).length >= count, { details });
    await heard(1);
    writeFileSync(join(folder, 'monitor.yaml'), one);
    monitor.child.kill('SIGHUP');
    await heard(2);
    writeFileSync(join(folder, 'monitor.yaml'), both);
    monitor.child.kill('SIGHUP');
    await heard(3);
    await end(monitor.child, 'SIGTERM');
    await startMonitor(one, folder);
    await heard(4);
    expect(statuses(receiver)).toEqual(['dead firing', 'dead resolved', 'dead firing', 'dead resolved']);
    const [first, resolved, again, last] = told(receiver);
    expect(resolved).toMatchObject({
      dedupId: first?.dedupId,
      since: first?.since,
      reason: first?.reason,
      summary: 'dead is no longer watched: the configuration no longer has it',
    });
    expect(last).toMatchObject({ dedupId: again?.dedupId, since: again?.since });
    expect(again?.since).not.toBe(first?.since);
  });

  test('schedule: false and a new downAfter end alerts, and a webhook that moves is told of them at its new address.', async () => {
    const [dead, first, second, folder] = [await startTarget(), await startReceiver(), await startReceiver(), ownFolder()];
    dead.set('gone');
    const targets = (downAfter?: string): string => `targets:\n${target('dead', dead.baseUrl, downAfter)}`;
    const monitor = await startMonitor(`${HEAD}${webhook(first.url)}${targets()}`, folder);
    const details = (): string => `${monitor.output()}\n${JSON.stringify([told(first), told(second)])}`;
    const reload = (text: string): void => {
      writeFileSync(join(folder, 'monitor.yaml'), text);
      monitor.child.kill('SIGHUP');
    };
    const heard = (receiver: Receiver, count: number) =>
      until(`${count} messages at ${receiver.url}`, () => told(receiver).length >= count, { details });
    await heard(first, 1);
    reload(`${HEAD}${webhook(second.url)}${targets()}`);
    await heard(second, 1);
    reload(`${HEAD}${webhook(second.url)}${targets('60 of 60')}`);
    await heard(second, 2);
    reload(`${HEAD}${webhook(second.url)}${targets()}`);
    await heard(second, 3);
    reload(`${HEAD}schedule: false\n${webhook(second.url)}${targets()}`);
    await heard(second, 4);
    reload(`${HEAD}${webhook(second.url)}${targets()}`);
    await heard(second, 5);
    expect(statuses(first)).toEqual(['dead firing']);
    const [firing, resolved] = ['dead firing', 'dead resolved'];
    expect(statuses(second)).toEqual([firing, resolved, firing, resolved, firing]);
    expect(told(second)[0]).toMatchObject({ status: 'firing', dedupId: 'dead/down', since: told(first)[0]?.since });
    const ends = told(second).filter(({ status }) => status === 'resolved');
    expect(ends.map(({ summary }) => summary)).toEqual([
      'by its new downAfter (60 of 60), dead is not down',
      'dead is no longer watched: the configuration no longer schedules runs',
    ]);
    expect(new Set([...first.messages, ...second.messages].map(({ id }) => id)).size).toBe(first.messages.length + second.messages.length);
  });
});
