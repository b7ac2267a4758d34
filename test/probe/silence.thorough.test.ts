import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFront } from '../support/front.ts';
import { ownFolder } from '../support/program.ts';
import { startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

type Received = { readonly status: string; readonly clause: string | null; readonly reason: string | null; readonly summary: string };

const parsed = (messages: readonly { readonly body: string }[]): Received[] => messages.map(({ body }) => JSON.parse(body) as Received);

function config({ baseUrl, webhook, key = 'env:KEY' }: { baseUrl: string; webhook: string; key?: string }): string {
  return `server: { port: 0 }
data: { folder: data }
webhooks: [{ name: on-call, url: "${webhook}" }]
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: "${key}", interval: 5s, latencyLimit: 10s }
`;
}

test('A key file that is rotated to one that no header can carry is alerted, and so is its end; no alert contains the key.', async () => {
  const folder = ownFolder();
  const key = join(folder, 'key');
  writeFileSync(key, KEY, { mode: 0o600 });
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(config({ baseUrl: target.baseUrl, webhook: receiver.url, key: `file:${key}` }), folder);
  const details = monitor.output;
  await until('the target is up', async () => (await monitor.health()) === 'up', { details });
  writeFileSync(key, `${KEY}\nnew-${KEY}\n`);
  await until('it is told', () => receiver.messages.length === 1, { details });
  const [firing] = parsed(receiver.messages);
  expect(firing).toMatchObject({ status: 'firing', clause: null, reason: 'internal' });
  expect(firing?.summary).toContain(`the content of the secret file ${key} can't stand in an Authorization header`);
  await until('the page says so', async () => (await monitor.health()) === 'unknown', { details });
  writeFileSync(key, KEY);
  await until('the end is told', () => receiver.messages.length === 2, { details });
  expect(parsed(receiver.messages)[1]).toMatchObject({ status: 'resolved', summary: 'production is judged again' });
  for (const text of [details(), ...receiver.messages.map(({ body }) => body)]) expect(text).not.toContain(KEY);
});

/** The reference server, whose getPet only asks to wait while that is switched on. */
async function startLimited(status: number): Promise<{ baseUrl: string; limit: (on: boolean) => void }> {
  let limited = false;
  const front = await startFront({
    service: { apiKey: KEY, seedAnimals: 12 },
    instead({ url }, response) {
      if (!limited || !/^\/v1\/pets\/\d/.test(url)) return false;
      response.writeHead(status, { 'retry-after': '3600', 'content-type': 'application/json' }).end('{"code":1,"message":"later"}');
      return true;
    },
  });
  onTestFinished(() => front.close());
  return { baseUrl: front.baseUrl, limit: (on) => (limited = on) };
}

test.for([429, 503])('An operation that only returns %i is down after three runs, and alerted.', async (status) => {
  const [service, receiver] = [await startLimited(status), await startReceiver()];
  const monitor = await startMonitor(config({ baseUrl: service.baseUrl, webhook: receiver.url }), ownFolder());
  const details = monitor.output;
  await until('the target is up', async () => (await monitor.health()) === 'up', { details });
  service.limit(true);
  await until('it is told', () => receiver.messages.length === 1, { details });
  expect(parsed(receiver.messages)[0]).toMatchObject({
    status: 'firing',
    clause: 'get.success',
    reason: 'status',
    summary: 'getPet was not served in 3 runs in a row: the service only asked to wait (429 or 503)',
  });
  const failures = 'petstore_probe_check_failures_total{target="production",check="smoke",reason="status"}';
  await until('it is counted', async () => ((await monitor.metric(failures)) ?? 0) > 0, { details });
  await until('the page says so', async () => (await monitor.health()) === 'down', { details });
  service.limit(false);
  await until('the end is told', () => receiver.messages.length === 2, { details });
  expect(parsed(receiver.messages)[1]?.status).toBe('resolved');
});

test('An operation that only asks to wait is not a success of /probe after three runs.', async () => {
  const service = await startLimited(503);
  const quiet = `schedule: false\n${config({ baseUrl: service.baseUrl, webhook: 'http://127.0.0.1:1' })}`;
  const monitor = await startMonitor(quiet, ownFolder());
  const ask = async (): Promise<string> => (await fetch(`${monitor.url}/probe?target=production`)).text();
  const successOf = (text: string): string | undefined => /^probe_success (\d)$/m.exec(text)?.[1];
  service.limit(true);
  const runs = [await ask(), await ask(), await ask(), await ask()];
  expect(runs.map(successOf)).toEqual(['1', '1', '0', '0']);
  expect(runs[0]).toContain('petstore_probe_degraded 1\n');
  expect(runs[2]).toContain('petstore_probe_failure{reason="status"} 1\n');
  service.limit(false);
  expect(successOf(await ask())).toBe('1');
});
