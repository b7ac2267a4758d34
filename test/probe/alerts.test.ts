import { createHmac } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { AlertStore } from '../../src/probe/alerts/alert-store.ts';
import { type AlertEvent, reactTo } from '../../src/probe/alerts/event.ts';
import { FRESH_STATE, failUnserved, type TargetState } from '../../src/probe/alerts/target-state.ts';
import {
  createWebhookSender,
  type Delivery,
  pauseAfter,
  signatureHeaders,
  slackBody,
  type Webhook,
} from '../../src/probe/alerts/webhook.ts';
import type { ProbeVerdict, Sample } from '../../src/probe/sample.ts';
import { ownFolder } from '../support/program.ts';
import { createFakeClock, sampleOf, USUAL } from './samples.ts';

const START = Date.parse('2026-11-21T00:00:00Z');
const LETTERS: Readonly<Record<string, ProbeVerdict>> = { P: 'pass', D: 'degraded', F: 'fail', U: 'unknown' };

/** Runs a sequence of verdicts, one per minute, and returns the alerts. */
function story(letters: string, rule = USUAL.rule): { events: string[]; all: AlertEvent[]; state: TargetState } {
  let state = FRESH_STATE;
  const all: AlertEvent[] = [];
  [...letters].forEach((letter, index) => {
    const reaction = reactTo(state, sampleOf({ verdict: LETTERS[letter] ?? 'pass', at: START + index * 60_000 }), { ...USUAL, rule });
    state = reaction.state;
    all.push(...reaction.events);
  });
  return { events: all.map(({ status }) => status), all, state };
}

describe('reactTo', () => {
  test.for([
    ['PPFFP', []],
    ['FPFPF', ['firing']],
    ['FFF', ['firing']],
    ['FFFFFFF', ['firing']],
    ['FFFP', ['firing']],
    ['FFFPFP', ['firing']],
    ['FFFPP', ['firing', 'resolved']],
    ['FFFDD', ['firing', 'resolved']],
    ['FFFPPF', ['firing', 'resolved']],
    ['FFFPPFFF', ['firing', 'resolved', 'firing']],
    ['FUFUF', ['firing']],
    ['UUUU', []],
    ['UUUUPUUUU', []],
    ['UUUUUUU', ['firing']],
    ['UUUUUP', ['firing', 'resolved']],
    ['UUUUUF', ['firing', 'resolved']],
    ['FFUUUUUF', ['firing', 'resolved', 'firing']],
    ['FFFUUUUUPP', ['firing', 'firing', 'resolved', 'resolved']],
    ['DDDDD', []],
    ['FFPPPFFPPPFF', []],
  ] as const)('The verdicts %s alert with %j.', ([letters, events]) => {
    expect(story(letters).events).toEqual(events);
  });

  test.for([
    [{ failures: 1, window: 1, passes: 1 }, 'FPF', ['firing', 'resolved', 'firing']],
    [{ failures: 1, window: 1, passes: 3 }, 'FPPFPPP', ['firing', 'resolved']],
    [{ failures: 2, window: 2, passes: 2 }, 'FPFPFF', ['firing']],
    [{ failures: 4, window: 10, passes: 1 }, 'FPPFPPFPPFP', ['firing', 'resolved']],
  ] as const)('By the rule %j the verdicts %s alert with %j.', ([rule, letters, events]) => {
    const told = story(letters, rule);
    expect(told.events).toEqual(events);
    expect(told.all[0]).toMatchObject({ failures: rule.failures, total: Math.min(rule.window, letters.indexOf('F') + rule.window) });
  });

  test('All alerts of a target that is down have one dedup id, whichever replica sends them; incidents differ in when they began.', () => {
    const [firing, resolved, again] = story('PFFFPPFFF').all;
    expect(firing).toMatchObject({ since: '2026-11-21T00:01:00.000Z', failures: 3, total: 4, reason: 'status', clause: 'list.success' });
    expect(resolved?.dedupId).toBe(firing?.dedupId);
    expect(resolved?.since).toBe(firing?.since);
    expect(again?.dedupId).toBe(firing?.dedupId);
    expect(again?.since).not.toBe(firing?.since);
  });

  test('The resolved event of an incident has the clause of its beginning, whatever is broken when it ends.', () => {
    const failed = (at: number): Sample => sampleOf({ verdict: 'fail', at, clause: 'media.json', reason: 'schema' });
    const warned = (at: number): Sample => sampleOf({ at, clause: 'deprecation.announced', reason: 'assertion' });
    let state: TargetState = FRESH_STATE;
    const told = [failed(0), failed(1), failed(2), warned(3), warned(4)].flatMap((sample) => {
      const reaction = reactTo(state, sample, USUAL);
      // As it is after a restart.
      state = JSON.parse(JSON.stringify(reaction.state)) as TargetState;
      return reaction.events.map(({ status, clause, reason }) => [status, clause, reason]);
    });
    expect(told).toEqual([
      ['firing', 'media.json', 'schema'],
      ['resolved', 'media.json', 'schema'],
    ]);
  });

  test('A long time without a verdict is alerted under a separate id, as a fault of the probe, and so is its end.', () => {
    const [firing, resolved] = story('PUUUUUUP').all;
    expect(firing).toMatchObject({
      dedupId: 'production/unknown/2026-11-21T00:01:00.000Z',
      status: 'firing',
      clause: null,
      reason: 'internal',
      since: '2026-11-21T00:01:00.000Z',
      at: '2026-11-21T00:05:00.000Z',
      failures: 0,
      total: 5,
    });
    expect(firing?.summary).toContain("nothing is known about production for 5 runs, by the probe's own fault");
    expect(resolved).toMatchObject({
      dedupId: firing?.dedupId,
      status: 'resolved',
      since: firing?.since,
      summary: 'production is judged again',
    });
    expect(firing === undefined ? '' : slackBody(firing)).not.toContain('runs failed');
  });

  test('The planned removal is announced once, ninety days ahead, and is not an outage.', () => {
    const day = (text: string) => Date.parse(`${text}T12:00:00Z`);
    const before = reactTo(FRESH_STATE, sampleOf({ at: day('2030-09-01') }), USUAL);
    expect(before.events).toEqual([]);
    const ahead = reactTo(before.state, sampleOf({ at: day('2030-09-07') }), USUAL);
    expect(ahead.events).toMatchObject([{ status: 'announcement', clause: 'deprecation.still-works', failures: 0 }]);
    expect(ahead.events[0]?.summary).toContain('2030-12-05');
    expect(reactTo(ahead.state, sampleOf({ at: day('2030-09-08') }), USUAL).events).toEqual([]);
  });
});

const hook = (name: string): Webhook => ({
  name,
  format: 'json',
  url: () => 'http://127.0.0.1:1/',
  secret: () => 'shared-secret',
  proxyFor: () => undefined,
  about: undefined,
});

function office(file: string | undefined, respond: (delivery: Delivery) => string | undefined) {
  const clock = createFakeClock(START);
  const tries: { id: string; at: number }[] = [];
  const problems: string[] = [];
  const alertStore = new AlertStore({ file, now: clock.wall, onProblem: (problem) => problems.push(problem) });
  const webhookSender = createWebhookSender({
    clock,
    alertStore,
    webhooks: () => [hook('on-call')],
    async deliver(_webhook, delivery) {
      tries.push({ id: delivery.id, at: clock.monotonic() });
      return respond(delivery);
    },
    onDelivered: () => undefined,
    onFailed: () => undefined,
  });
  return { clock, alertStore, webhookSender, tries, problems };
}

function commitAlerts(alertStore: AlertStore, letters: string): void {
  [...letters].forEach((letter, index) => {
    const sample: Sample = sampleOf({ verdict: LETTERS[letter] ?? 'pass', at: START + index });
    const { state, events } = reactTo(alertStore.state(sample.target), sample, USUAL);
    alertStore.commit(sample.target, { state, events, webhooks: () => ['on-call'], at: START });
  });
}

const file = (): string => join(ownFolder(), 'alerts.db');

describe('createWebhookSender', () => {
  test('A receiver that fails twice gets the event at the third attempt, with the same id, after growing pauses.', async () => {
    let failures = 2;
    const { clock, alertStore, webhookSender, tries } = office(undefined, () => (failures-- > 0 ? 'returned 503' : undefined));
    commitAlerts(alertStore, 'FFF');
    for (let second = 0; second < 30; second += 1) {
      await webhookSender.round();
      await clock.advance(1_000);
    }
    expect(tries.map(({ at }) => at)).toEqual([0, 5_000, 15_000]);
    expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    expect(alertStore.pending()).toEqual([]);
  });

  test('Resolved never overtakes a firing that is still to be delivered.', async () => {
    let down = true;
    const { clock, alertStore, webhookSender, tries } = office(undefined, () => (down ? 'refused' : undefined));
    commitAlerts(alertStore, 'FFFPP');
    await webhookSender.round();
    expect(tries.map(({ id }) => id.split('/').at(-1))).toEqual(['firing']);
    down = false;
    await clock.advance(10_000);
    await webhookSender.round();
    expect(tries.map(({ id }) => id.split('/').at(-1))).toEqual(['firing', 'firing', 'resolved']);
  });

  test('Pauses double up to ten minutes and never end.', () => {
    expect([1, 2, 3, 8, 20, 1_000].map(pauseAfter)).toEqual([5_000, 10_000, 20_000, 600_000, 600_000, 600_000]);
  });

  test('A wall clock that is set back by a day delays no message for longer than the longest pause.', async () => {
    let down = true;
    const { clock, alertStore, webhookSender, tries } = office(undefined, () => (down ? 'refused' : undefined));
    commitAlerts(alertStore, 'FFF');
    await webhookSender.round();
    down = false;
    clock.jump(-86_400_000);
    await webhookSender.round();
    expect(tries).toHaveLength(2);
    expect(alertStore.pending()).toEqual([]);
  });

  test('State and undelivered events outlive a file that is deleted while it is in use.', () => {
    const path = file();
    const { alertStore, problems } = office(path, () => undefined);
    commitAlerts(alertStore, 'FFF');
    alertStore.lookAfter();
    expect(problems).toEqual([]);
    for (const name of readdirSync(dirname(path))) rmSync(join(dirname(path), name));
    alertStore.lookAfter();
    expect(problems).toEqual([`${path} was deleted or replaced while it was in use: what the monitor remembers is written to a new one`]);
    alertStore.close();
    const { alertStore: again } = office(path, () => undefined);
    expect(again.state('production').health).toBe('down');
    expect(again.pending().map(({ id }) => id)).toEqual(alertStore.pending().map(({ id }) => id));
    expect(again.recent(5)).toHaveLength(1);
    again.close();
  });

  test('State and undelivered events outlive the process; what was delivered is not sent again.', async () => {
    const path = file();
    const first = office(path, () => undefined);
    commitAlerts(first.alertStore, 'FFF');
    // No close: the process was killed.
    const second = office(path, () => undefined);
    expect(second.alertStore.state('production').health).toBe('down');
    await second.webhookSender.round();
    expect(second.tries).toHaveLength(1);
    second.alertStore.close();
    const third = office(path, () => undefined);
    await third.webhookSender.round();
    expect(third.tries).toEqual([]);
    expect(third.alertStore.recent(5)).toMatchObject([{ status: 'firing' }]);
    commitAlerts(third.alertStore, 'PP');
    await third.webhookSender.round();
    expect(third.tries[0]?.id).toBe(second.tries[0]?.id.replace('firing', 'resolved'));
  });

  test('A wall clock that is set back by a day between firing and resolved changes their order neither now nor after a restart.', async () => {
    const path = file();
    const first = office(path, () => 'refused');
    const fired = reactTo({ ...FRESH_STATE, window: [true, true] }, sampleOf({ verdict: 'fail', at: START }), USUAL);
    first.alertStore.commit('production', { ...fired, webhooks: () => ['on-call'], at: START });
    await first.webhookSender.round();
    const passing = { ...fired.state, window: [true, true, true, false] };
    const mended = reactTo(passing, sampleOf({ verdict: 'pass', at: START - 86_400_000 }), USUAL);
    first.alertStore.commit('production', { ...mended, webhooks: () => ['on-call'], at: START - 86_400_000 });
    const words = (pending: readonly { event: AlertEvent }[]): string[] => pending.map(({ event }) => event.status);
    expect(words(first.alertStore.pending())).toEqual(['firing', 'resolved']);
    expect(words(office(path, () => undefined).alertStore.pending())).toEqual(['firing', 'resolved']);
  });

  test('An alert about missing verdicts persists across a restart, and its end is sent.', async () => {
    const path = file();
    commitAlerts(office(path, () => undefined).alertStore, 'UUUUU');
    const second = office(path, () => undefined);
    commitAlerts(second.alertStore, 'P');
    expect(second.alertStore.recent(5).map(({ status }) => status)).toEqual(['resolved', 'firing']);
  });

  test('A file that is damaged is set aside at the next start, and alerts begin anew.', () => {
    const path = file();
    writeFileSync(path, 'no database at all, but long enough to be taken for one '.repeat(40));
    const { alertStore, problems } = office(path, () => undefined);
    commitAlerts(alertStore, 'FFF');
    expect(problems.join()).toContain('set aside as');
    expect(readdirSync(dirname(path)).some((name) => name.startsWith('alerts.db.damaged-2026-11-21'))).toBe(true);
    expect(office(path, () => undefined).alertStore.pending()).toHaveLength(1);
  });

  test('Damage that shows while the file is in use costs nothing that is in memory.', () => {
    const path = file();
    const { alertStore, problems } = office(path, () => undefined);
    commitAlerts(alertStore, 'FFF');
    // Simulates disk damage from another process: the table exists, but its content is not readable.
    const saboteur = new DatabaseSync(path, { defensive: false });
    saboteur.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'outbox'; PRAGMA schema_version = 4711;",
    );
    saboteur.close();
    commitAlerts(alertStore, 'PP');
    alertStore.sync();
    expect(problems.join()).toContain('set aside as');
    const reopened = office(path, () => undefined);
    expect(reopened.alertStore.pending().map(({ event }) => event.status)).toEqual(['firing', 'resolved']);
    expect(reopened.alertStore.state('production').health).toBe('up');
    expect(reopened.problems).toEqual([]);
  });

  test('One unreadable row is reported, and affects nothing else.', () => {
    const path = file();
    const first = office(path, () => undefined);
    commitAlerts(first.alertStore, 'FFFPP');
    const saboteur = new DatabaseSync(path);
    saboteur.exec("UPDATE outbox SET json = '{' WHERE id LIKE '%firing'");
    saboteur.close();
    const second = office(path, () => undefined);
    expect(second.alertStore.pending().map(({ event }) => event.status)).toEqual(['resolved']);
    expect(second.problems).toEqual(['cannot read a stored alert, which is lost']);
  });

  test('A file of version 2 opens: alerts are still due, its acknowledgments and its windows are not.', () => {
    const path = file();
    const first = office(path, () => undefined);
    commitAlerts(first.alertStore, 'FFF');
    first.alertStore.close();
    const older = new DatabaseSync(path);
    older.exec(`CREATE TABLE maintenance (json TEXT NOT NULL);
      INSERT INTO maintenance VALUES ('{"id":"k3x9","reason":"disks","targets":[],"from":0,"to":9999999999999}');
      UPDATE state SET json = json_set(json, '$.outage.acknowledged', json('{"by":"Ann","note":null,"at":1}'), '$.outage.reminders', 2);
      INSERT INTO outbox SELECT id || '/acknowledged', webhook, json_set(json, '$.status', 'acknowledged'), 0, 0 FROM outbox`);
    older.close();
    const { alertStore, problems } = office(path, () => undefined);
    expect(alertStore.pending().map(({ event }) => event.status)).toEqual(['firing']);
    commitAlerts(alertStore, 'PP');
    expect(alertStore.pending().map(({ event }) => event.status)).toEqual(['firing', 'resolved']);
    expect(problems).toEqual([]);
    alertStore.close();
    const stored = new DatabaseSync(path);
    expect(stored.prepare('SELECT count(*) AS rows FROM maintenance').get()).toEqual({ rows: 1 });
    stored.close();
  });

  test('An unwritable place for the state loses no alert, and is reported.', async () => {
    const { alertStore, webhookSender, tries, problems } = office('/proc/nowhere/alerts.db', () => undefined);
    commitAlerts(alertStore, 'FFF');
    await webhookSender.round();
    expect(tries).toHaveLength(1);
    expect(problems.length).toBeGreaterThan(0);
  });
});

describe('signatureHeaders', () => {
  test('The signature is the HMAC-SHA256 of id, time and body, as Standard Webhooks defines it.', () => {
    const delivery = { id: 'production/x/firing', body: '{"a":1}' };
    const headers = signatureHeaders(delivery, { secret: 'shared-secret', seconds: 1_795_000_000.9 });
    const wanted = createHmac('sha256', 'shared-secret').update('production/x/firing.1795000000.{"a":1}').digest('base64');
    expect(headers).toEqual({ 'webhook-id': delivery.id, 'webhook-timestamp': '1795000000', 'webhook-signature': `v1,${wanted}` });
  });
});

describe('slackBody', () => {
  test('In the Slack format no text of the service can mention anybody.', () => {
    const [event] = story('FFF').all;
    const text = event === undefined ? '' : slackBody({ ...event, summary: '<!channel> & <http://evil|x>' });
    expect(JSON.parse(text)).toHaveProperty('text', expect.stringContaining('&lt;!channel&gt; &amp; &lt;http://evil|x&gt;'));
  });
});

/** What getPet returned in a run, along with a list that works: `-` is a run that did not request an animal. */
function runOf(codes: string, at: number): Sample {
  const lists = { operation: 'listPets', code: '200', count: 3 };
  const reads = codes === '-' ? [] : codes.split(' ').map((code) => ({ operation: 'getPet', code, count: 2 }));
  return sampleOf({ at, responses: [lists, ...reads] });
}

function unservedStory(...runs: readonly string[]): { verdicts: string; events: string[]; last: Sample | undefined } {
  let state: TargetState = FRESH_STATE;
  const samples: Sample[] = [];
  const events: string[] = [];
  runs.forEach((codes, index) => {
    const sample = failUnserved(runOf(codes, index * 60_000), state.unanswered ?? {});
    const reaction = reactTo(state, sample, USUAL);
    state = reaction.state;
    samples.push(sample);
    events.push(...reaction.events.map(({ status }) => status));
  });
  return { verdicts: samples.map(({ verdict }) => verdict.charAt(0)).join(''), events, last: samples.at(-1) };
}

describe('failUnserved', () => {
  test.for([
    ['an operation that works', ['200 404 401', '200 404 401', '200 404 401'], 'ppp', []],
    ['one that is limited at times', ['200 429', '429', '200', '429 503', '429 200'], 'pdpdp', []],
    ['one that rejects what is odd, and asks to wait for all else', ['429 404', '503 400', '429 404'], 'ddf', ['firing']],
    ['one that asks to wait for three runs', ['401 503', '503', '429 none'], 'ddf', ['firing']],
    ['one that does for longer', ['200', '503', '503', '503', '503', '503'], 'pddfff', ['firing']],
    ['one that is not asked in between', ['503', '-', '503', '-', '503'], 'dpdpf', ['firing']],
    ['one that comes back', ['503', '503', '503', '200', '200'], 'ddfpp', ['firing', 'resolved']],
    ['one that was removed', ['404 410', '410', '410'], 'ppp', []],
  ] as const)('%s', ([, runs, verdicts, events]) => {
    const told = unservedStory(...runs);
    expect([told.verdicts, told.events]).toEqual([verdicts, events]);
  });

  test('The failure names the operation and its clause.', () => {
    expect(unservedStory('503', '503', '503').last).toMatchObject({
      reason: 'status',
      clause: 'get.success',
      note: 'getPet was not served in 3 runs in a row: the service only asked to wait (429 or 503)',
    });
  });

  test('A failed or unknown sample stays unchanged.', () => {
    for (const verdict of ['fail', 'unknown'] as const) {
      const sample = { ...runOf('503', 0), verdict };
      expect(failUnserved(sample, { getPet: 5 })).toBe(sample);
    }
  });
});
