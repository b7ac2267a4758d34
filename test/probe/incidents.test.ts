import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type AlertEvent, reactTo } from '../../src/probe/alerts/event.ts';
import { createIncidents } from '../../src/probe/alerts/incidents.ts';
import { FRESH_STATE, type TargetState } from '../../src/probe/alerts/target-state.ts';
import type { SampleFailure } from '../../src/probe/failure.ts';
import { openHistory } from '../../src/probe/history.ts';
import { incidentList } from '../../src/probe/http/page-parts.ts';
import type { Sample } from '../../src/probe/sample.ts';
import { ownFolder } from '../support/program.ts';
import { hostileView } from './hostile-view.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { memoryHistory, sampleOf, USUAL } from './samples.ts';

const MINUTE = 60_000;
const START = Date.parse('2026-11-21T14:00:00Z');
const FAILURE: SampleFailure & { readonly exchange: string } = {
  clause: 'list.success',
  level: 'required',
  check: 'list.success/plain',
  reason: 'status',
  summary: 'GET /pets returned 500',
  exchange: 'GET /v1/pets\n\n500\n\n{"oops":1}',
};

function failing(minute: number): Sample {
  return sampleOf({ at: START + minute * MINUTE, verdict: 'fail', failures: [FAILURE] });
}

/** The events of runs, one minute apart, with the run of each. */
function eventsOf(verdicts: string): readonly { readonly event: AlertEvent; readonly sample: Sample }[] {
  let state: TargetState = FRESH_STATE;
  return [...verdicts].flatMap((verdict, minute) => {
    const sample = verdict === 'F' ? failing(minute) : sampleOf({ at: START + minute * MINUTE });
    const reaction = reactTo(state, sample, USUAL);
    state = reaction.state;
    return reaction.events.map((event) => ({ event, sample }));
  });
}

describe('The timeline of an incident', () => {
  const [down, up] = eventsOf('PPFFFPPP');
  if (down === undefined || up === undefined) throw new Error('two events are needed');

  test('It says when the incident was first seen, confirmed, alerted, and resolved, with the exchange that shows it.', () => {
    const incidents = createIncidents({ history: memoryHistory(), wall: () => START + 30 * MINUTE });
    incidents.take(down.event, down.sample);
    incidents.told('on-call', down.event);
    incidents.take(up.event, up.sample);
    incidents.told('on-call', up.event);
    expect(incidents.of('production', 10)).toEqual([
      {
        ...{
          id: `production/down/${down.event.since}`,
          target: 'production',
          clause: 'list.success',
          reason: 'status',
          failures: 3,
          total: 5,
        },
        ...{ summary: down.event.summary, exchange: FAILURE.exchange },
        ...{ firstSeen: START + 2 * MINUTE, confirmed: START + 4 * MINUTE, mended: START + 6 * MINUTE },
        told: [
          { webhook: 'on-call', status: 'firing', at: START + 30 * MINUTE },
          { webhook: 'on-call', status: 'resolved', at: START + 30 * MINUTE },
        ],
      },
    ]);
    expect(incidents.of('staging', 10)).toEqual([]);
  });

  test('Each outage of a target has its own timeline, although all alerts have one id.', () => {
    const incidents = createIncidents({ history: memoryHistory(), wall: () => START });
    for (const { event, sample } of eventsOf('FFFPPPFFF')) incidents.take(event, sample);
    expect(incidents.of('production', 10).map(({ firstSeen, mended }) => [firstSeen, mended])).toEqual([
      [START + 6 * MINUTE, undefined],
      [START, START + 4 * MINUTE],
    ]);
  });

  test('It continues after a kill -9, even if its beginning was lost.', () => {
    const folder = ownFolder();
    const open = () => {
      const history = openHistory({
        ...{ file: join(folder, 'history.db'), maxBytes: 1e9, now: () => START },
        onProblem: (problem) => expect(problem).toBe(''),
      });
      onTestFinished(() => history.close());
      return { history, incidents: createIncidents({ history, wall: () => START + 30 * MINUTE }) };
    };
    const first = open();
    first.incidents.take(down.event, down.sample);
    first.history.flush();
    const second = open();
    second.incidents.told('on-call', down.event);
    second.incidents.take(up.event, up.sample);
    const [story, ...others] = second.incidents.of('production', 10);
    expect(others).toEqual([]);
    expect(story).toMatchObject({ confirmed: START + 4 * MINUTE, mended: START + 6 * MINUTE, exchange: FAILURE.exchange });
    expect(story?.told).toHaveLength(1);
    const bare = createIncidents({ history: memoryHistory(), wall: () => START });
    bare.take(up.event, up.sample);
    expect(bare.of('production', 1)[0]).toMatchObject({ firstSeen: START + 2 * MINUTE, mended: START + 6 * MINUTE });
    expect(bare.of('production', 1)[0]?.confirmed).toBeUndefined();
  });

  test('However many there are, the last fifty of a target are kept.', () => {
    const history = openHistory({
      ...{ file: join(ownFolder(), 'history.db'), maxBytes: 1e9, now: () => START },
      onProblem: (problem) => expect(problem).toBe(''),
    });
    onTestFinished(() => history.close());
    const incidents = createIncidents({ history, wall: () => START });
    for (let number = 0; number < 120; number += 1)
      incidents.take({ ...down.event, since: new Date(START + number * MINUTE).toISOString() }, down.sample);
    expect(incidents.of('production', 1_000).map(({ firstSeen }) => firstSeen)).toEqual(
      Array.from({ length: 50 }, (_unused, index) => START + (119 - index) * MINUTE),
    );
  });

  test('The public variant has no summary, and nothing in one is active.', () => {
    const incidents =
      hostileView()
        .targets.find(({ target }) => target.name === 'production')
        ?.incidents() ?? [];
    const shown = String(incidentList(incidents, { public: false }));
    expect(shown).toContain('Notified on-call');
    expect(shown).not.toContain('<script');
    const hidden = String(incidentList(incidents, { public: true }));
    expect(hidden).not.toContain('owned');
  });
});

test('The page of a target shows the timeline of its outage.', async () => {
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(
    `server: { port: 0, publicUrl: "https://status.example/pets/" }
data: { folder: data }
webhooks: [{ name: on-call, url: "${receiver.url}" }]
targets:
  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s }
`,
    ownFolder(),
  );
  const details = monitor.output;
  await until('it is up', async () => (await monitor.health()) === 'up', { details });
  target.set('nonsense');
  await until('it is told', () => receiver.messages.length === 1, { details });
  // The person on call sees the clause in the message and in the log, and gets to the page of the target at once.
  expect(JSON.parse(receiver.messages[0]?.body ?? '')).toMatchObject({
    clause: 'record.pets',
    link: 'https://status.example/pets/?target=production',
  });
  expect(details()).toMatch(/ level=warn target=production msg="firing: record\.pets, schema: /);
  target.set('well');
  await until('the end is told', () => receiver.messages.length === 2, { details });
  const page = async (query: string): Promise<string> => (await fetch(`${monitor.url}/${query}`)).text();
  await until('the page tells of it', async () => ((await page('?target=production')).match(/Notified on-call/g) ?? []).length === 2, {
    details,
  });
  const shown = await page('?target=production');
  expect(shown).toMatch(/<\/time> <span class="pill down">fail<\/span> \d+ ms <code>record\.pets<\/code> \(invalid body\)/);
  for (const word of ['First seen', 'Confirmed', 'Resolved', 'Request and response', 'GET /v1/pets', 'oops', 'curl -sS -i'])
    expect(shown).toContain(word);
  expect(await page('?target=production&public')).not.toContain('oops');
});
