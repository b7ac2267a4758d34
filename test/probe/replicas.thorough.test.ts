import { expect, test } from 'vitest';
import { ownFolder } from '../support/program.ts';
import { type Message, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';

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
