import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCreationLedger } from '../../src/probe/canary/ledger.ts';
import { ownFolder } from '../support/program.ts';
import { startService } from './canary-world.ts';
import { type Message, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { createFakeClock } from './samples.ts';

const DAY = 86_400_000;

type Received = { readonly dedupId: string; readonly status: string; readonly since: string };
const received = ({ body }: Message): Received => JSON.parse(body) as Received;

/** The incidents of an on-call service, which identifies an incident by its dedup id: opened if it was not open, closed if it was. */
function incidents(messages: readonly Message[]): { readonly opened: number; readonly open: number } {
  const open = new Set<string>();
  let opened = 0;
  for (const { dedupId, status } of messages.map(received)) {
    if (status === 'firing' && !open.has(dedupId)) opened += 1;
    if (status === 'firing') open.add(dedupId);
    else open.delete(dedupId);
  }
  return { opened, open: open.size };
}

test('Two replicas open one incident for a target that is down, and close it: their alerts have one dedup id.', async () => {
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const config = `server: { port: 0 }
data: { folder: data }
webhooks: [{ name: on-call, url: "${receiver.url}" }]
defaults: { interval: 10s, latencyLimit: 10s, downAfter: 2 of 2, upAfter: 1 }
targets:
  - { name: production, baseUrl: "${target.baseUrl}", apiKey: env:KEY }
`;
  const replicas = [await startMonitor(config, ownFolder()), await startMonitor(config, ownFolder())];
  const details = (): string => replicas.map(({ output }) => output()).join('\n');
  const both = async (health: string): Promise<void> => {
    for (const replica of replicas) await until(`a replica is ${health}`, async () => (await replica.health()) === health, { details });
  };
  await both('up');
  target.set('gone');
  await until('both have told it', () => receiver.messages.length === 2, { details });
  expect(new Set(receiver.messages.map(({ id }) => id)).size).toBe(2);
  expect(incidents(receiver.messages)).toEqual({ opened: 1, open: 1 });
  target.set('well');
  await until('both have told its end', () => receiver.messages.length === 4, { details });
  expect(receiver.messages.map((message) => received(message).dedupId)).toEqual(new Array(4).fill('production/down'));
  expect(receiver.messages.map((message) => received(message).status)).toEqual(['firing', 'firing', 'resolved', 'resolved']);
  expect(incidents(receiver.messages)).toEqual({ opened: 1, open: 0 });
});

/** A folder whose ledger has a creation from long ago, so that the next one is due at once. */
function seasonedFolder(): string {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const books = openCreationLedger({
    file: join(folder, 'data', 'canary.db'),
    clock: createFakeClock(Date.now() - 2 * DAY),
    onProblem: () => undefined,
    onAbandoned: () => undefined,
  });
  const sent = { name: 'probeOldaaaaaaaaaaaa', categoryId: 1n };
  const reserved = books.reserve(
    { target: 'production', baseUrl: 'http://elsewhere/v1', sent },
    { perDay: 24, lifetime: 30, categoryId: undefined },
  );
  if (reserved.ok) books.settle(reserved.number, { state: 'refused' });
  books.close();
  return folder;
}

test('Of two replicas with one configuration, the one with --no-writes creates nothing and sees as much.', async () => {
  const service = await startService();
  const config = `server: { port: 0 }
data: { folder: data }
targets:
  - { name: production, baseUrl: "${service.baseUrl}", apiKey: env:KEY, interval: 10s, latencyLimit: 10s, budget: 0, writes: { perDay: 24, lifetime: 30 } }
`;
  const runs = 'petstore_probe_checks_total{target="production",check="smoke"}';
  const reader = await startMonitor(config, seasonedFolder(), [], { flags: ['--no-writes'] });
  await until('the reader has run twice', async () => ((await reader.metric(runs)) ?? 0) > 1, { details: reader.output });
  expect(service.posts).toEqual([]);
  await until('the reader sees it up', async () => (await reader.health()) === 'up', { details: reader.output });
  expect(await reader.metric('petstore_probe_write_budget_remaining{target="production"}')).toBe(0);
  await fetch(`${reader.url}/-/reload`, { method: 'POST' });
  const writer = await startMonitor(config, seasonedFolder());
  // If its reads take long, a run leaves the creation to the next one.
  const created = 'petstore_probe_pets_created_total{target="production"}';
  await until('the writer has created', async () => (await writer.metric(created)) === 1, { details: writer.output });
  await until('the reader has run again', async () => ((await reader.metric(runs)) ?? 0) > 2, { details: reader.output });
  expect(service.posts).toHaveLength(1);
  expect(await reader.metric(created)).toBe(0);
});
