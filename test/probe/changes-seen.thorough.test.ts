import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import { type Change, describeChange } from '../../src/probe/changes/change.ts';
import { Changes } from '../../src/probe/changes/changes.ts';
import { createSmoke } from '../../src/probe/smoke.ts';
import { NO_CLAUSES, suiteWith } from '../../src/probe/suite.ts';
import { TurnKeeping } from '../../src/probe/turn-keeping.ts';
import { parseBehavior } from '../../src/report/behavior.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { ownFolder } from '../support/program.ts';
import { HABITS, startChanging } from './changing-service.ts';
import { end, startMonitor, startReceiver, until } from './running-monitor.ts';
import { KEY, memoryHistory } from './samples.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-11-21T14:05:00Z');
/** What is sent for the sake of open clauses, in every run. */
const OBSERVING = {
  ...{ name: 'production', budget: 400, nearMisses: false },
  only: new Set(clauses.filter(({ level }) => level === 'open').map(({ id }) => id)),
};

/** Scheduled runs on a target, an hour apart. */
function watch(baseUrl: string) {
  let now = START;
  const wall = (): number => now;
  const keeping = new TurnKeeping({ planOf: suiteWith(NO_CLAUSES).planOf, history: memoryHistory(), wall });
  const changes = new Changes({ history: memoryHistory(), wall });
  const target = { name: 'production', baseUrl, apiKey: () => KEY, latencyLimit: 30_000, deadline: 120_000 };
  const answered = new Set<string>();
  return {
    answered,
    async runs(count: number): Promise<{ readonly verdicts: readonly string[]; readonly changes: readonly Change[] }> {
      const verdicts: string[] = [];
      const found: Change[] = [];
      for (let run = 0; run < count; run += 1) {
        const turn = keeping.next(OBSERVING);
        const { sample, run: judged } = await createSmoke(target, {
          ...{ version: '0', now: () => new Date(now) },
          ...(turn === undefined ? {} : { turn }),
        }).run();
        if (turn !== undefined && judged?.sent !== undefined) keeping.keep(OBSERVING, turn, { sent: judged.sent, failures: [] });
        for (const { id, verdict } of judged?.record.clauses ?? []) if (verdict === 'observed') answered.add(id);
        verdicts.push(sample.verdict);
        found.push(...changes.take(sample));
        now += HOUR;
      }
      return { verdicts, changes: found };
    },
  };
}

describe('What a monitor sees change', () => {
  test.for([
    ['renames', 'animal', 'animal 2 has another name: "Renamed"; before: '],
    ['recategorizes', 'animal', 'animal 2 has another category: 4711; before: '],
    ['reusesId', 'animal', 'id 2 is another animal: "Other" in category 4711; before: '],
    ['empties', 'list', 'the list shows no animals; before: shows animals'],
    ['silences', 'deprecation', 'sunset of getPet is not sent; before: is '],
    ['clampsZero', 'behavior', 'limit=0: accepted: no animals; before: rejected with 400'],
  ] as const)('A service that %s is reported, once.', async ([habit, kind, text]) => {
    const service = await startChanging();
    const monitor = watch(service.baseUrl);
    expect((await monitor.runs(3)).changes).toEqual([]);
    service.behave(HABITS[habit]);
    const { changes } = await monitor.runs(4);
    const [change, ...others] = changes.filter((one) => one.kind === kind);
    expect(change === undefined ? '' : describeChange(change)).toContain(text);
    expect(change).toMatchObject({ what: 'changed', since: START + 3 * HOUR, at: START + 4 * HOUR });
    expect(others).toEqual([]);
  });

  test('A rename and another response to limit=0 do not fail the target.', async () => {
    for (const habit of ['renames', 'clampsZero'] as const) {
      const service = await startChanging();
      const monitor = watch(service.baseUrl);
      await monitor.runs(2);
      service.behave(HABITS[habit]);
      expect((await monitor.runs(3)).verdicts).toEqual(['pass', 'pass', 'pass']);
    }
  });

  test('A run with all of their requests answers every open question about lists and reads.', async () => {
    const service = await startChanging();
    const { answered, runs } = watch(service.baseUrl);
    await runs(1);
    const asked = clauses.filter(({ level, chapter }) => level === 'open' && (chapter === 'list-pets' || chapter === 'get-pet'));
    // A run may have a single list of all animals.
    expect(asked.map(({ id }) => id).filter((id) => !answered.has(id) && id !== 'list.order')).toEqual([]);
  });

  test.for(['', 'list-newest-first', 'replicas-flap'])('A conforming service causes no report in twelve runs (%s).', async (variant) => {
    const server = await startReference({ apiKey: KEY, ...(variant === '' ? { seedAnimals: 12 } : { variants: [variant] }) });
    onTestFinished(() => server.close());
    const { verdicts, changes } = await watch(server.baseUrl).runs(12);
    expect(new Set(verdicts)).toEqual(new Set(['pass']));
    expect(changes).toEqual([]);
  });
});

function rowsIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS rows FROM change').get()?.['rows']);
  } finally {
    database.close();
  }
}

test('A monitor shows changes, counts them, keeps them across kill -9, and sends only listed ones to a webhook.', async () => {
  const [service, receiver] = [await startChanging(), await startReceiver()];
  const folder = ownFolder();
  const config = `server: { port: 0 }
data: { folder: data }
webhooks: [{ name: on-call, url: "${receiver.url}" }]
targets:
  - { name: listed, baseUrl: "${service.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s, budget: 0, alertOnChanges: [animal] }
  - { name: unlisted, baseUrl: "${service.baseUrl}", apiKey: env:KEY, interval: 5s, latencyLimit: 10s, budget: 0 }
`;
  const first = await startMonitor(config, folder);
  const up = async ({ health }: typeof first): Promise<boolean> => (await health('listed')) === 'up' && (await health('unlisted')) === 'up';
  await until('the targets are known', () => up(first), { details: first.output });
  const counted = (target: string) => first.metric(`petstore_probe_changes_total{target="${target}",kind="animal"}`);
  expect(await counted('listed')).toBe(0);
  service.behave(HABITS.renames);
  await until('both are counted', async () => (await counted('listed')) === 1 && (await counted('unlisted')) === 1, {
    details: first.output,
  });
  await until('it is told', () => receiver.messages.length === 1, { details: first.output });
  await until('both are on the disk', () => rowsIn(join(folder, 'data', 'history.db')) === 2, { details: first.output });
  await end(first.child, 'SIGKILL');
  const second = await startMonitor(config, folder);
  await until('both ran again', () => up(second), { details: second.output });
  expect(second.output()).not.toContain('change:');
  // Delivered at least once: a process that was killed before it recorded a delivery repeats it, under the same id.
  const told = new Map(
    receiver.messages.map(({ id, body }) => [id, JSON.parse(body) as { status: string; target: string; summary: string }]),
  );
  const messages = [...told.values()];
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ status: 'announcement', target: 'listed' });
  expect(messages[0]?.summary).toContain('animal 2 has another name: "Renamed"; before: ');
});

test('/api/behavior is the behavior.json of a day, which compare reads.', async () => {
  const service = await startChanging();
  const target = `{ name: production, baseUrl: "${service.baseUrl}", apiKey: env:KEY, interval: 10s, budget: 500 }`;
  const monitor = await startMonitor(`server: { port: 0 }\ntargets:\n  - ${target}\n`, ownFolder());
  const ask = (query: string) => fetch(`${monitor.url}/api/behavior?${query}`);
  await until('behavior was recorded', async () => (await (await ask('target=production')).text()).includes('limit=0'), {
    details: monitor.output,
  });
  const parsed = parseBehavior(await (await ask('target=production')).text());
  expect(parsed).toMatchObject({ ok: true, behavior: { observations: { 'list.limit-out-of-range': { 'limit=0': 'rejected with 400' } } } });
  expect((await ask('target=production&day=2020-01-01')).status).toBe(404);
  expect((await ask('target=production&day=today')).status).toBe(400);
  expect((await ask('target=elsewhere')).status).toBe(404);
  expect((await ask('')).status).toBe(400);
});
