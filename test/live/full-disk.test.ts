import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMonitor, startReceiver, startTarget, until } from '../probe/running-monitor.ts';
import { FAILURES, integrity, storedMonitor } from '../probe/stored-monitor.ts';
import { ownFolder } from '../support/own-folder.ts';
import { smallDisk, snapshot } from './small-disk.ts';

const RUNS = 'petstore_probe_checks_total{target="production",check="smoke"}';

test('On a full disk, runs, metrics, and alerts continue, the page says so, and with room again everything is written.', async (context) => {
  const folder = ownFolder();
  mkdirSync(join(folder, 'data'));
  const disk = smallDisk(folder, context);
  const [target, receiver] = [await startTarget(), await startReceiver()];
  const monitor = await startMonitor(storedMonitor(target.baseUrl, receiver.url), folder, disk.wrap);
  const details = monitor.output;
  // The sums on the page are read from the file, not from memory.
  const kept = async (): Promise<number> => (await monitor.status()).targets[0]?.day.runs ?? 0;
  const metric = async (series: string): Promise<number> => (await monitor.metric(series)) ?? Number.NaN;
  await until('runs are on file', async () => (await kept()) > 0, { details });
  expect(await metric(FAILURES)).toBe(0);

  disk.fill(monitor);
  await until('failed writings are counted', async () => (await metric(FAILURES)) > 0, { details });
  const before = await metric(RUNS);
  target.set('gone');
  await until('the alert goes out', () => receiver.messages.some(({ body }) => body.includes('"firing"')), { details });
  await until('runs go on', async () => (await metric(RUNS)) >= before + 3, { details });
  expect(await kept()).toBeLessThanOrEqual(before);
  expect(await (await fetch(monitor.url)).text()).toMatch(disk.complaint);
  expect((await monitor.status()).problems.join('\n')).toMatch(disk.complaint);

  disk.empty(monitor);
  target.set('well');
  await until('what was kept meanwhile is on file, too', async () => (await kept()) >= (await metric(RUNS)) - 3, { details });
  await until('the end is told', () => receiver.messages.some(({ body }) => body.includes('"resolved"')), { details });
  // Later ones don't matter: on a busy machine runs end late.
  expect(receiver.messages.map(({ id }) => id.split('/').at(-1))).toEqual(['firing', 'resolved']);
  await until('no writing fails any more', async () => {
    const [failures, runs] = [await metric(FAILURES), await metric(RUNS)];
    await until('another run', async () => (await metric(RUNS)) > runs, { details });
    return (await metric(FAILURES)) === failures;
  });
  const copy = join(folder, 'copy');
  snapshot(monitor, disk.data(monitor), copy);
  for (const name of ['history.db', 'alerts.db']) expect(integrity(join(copy, name))).toBe('ok');
});
