import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { ownFolder } from '../support/own-folder.ts';
import { end, isSigned, type RunningMonitor, startMonitor, startReceiver, startTarget, until } from './running-monitor.ts';
import { FAILURES, integrity, storedMonitor } from './stored-monitor.ts';

/** The number of single runs in the history file. */
function runsOnFile(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM sample').get()?.['n']);
  } finally {
    database.close();
  }
}

test('Killed again and again, it loses no alert, sends none with another id, and keeps its files sound; a damaged one is set aside.', async () => {
  const folder = ownFolder();
  const data = join(folder, 'data');
  // The first message arrives, and its sender is killed before it receives the response.
  const { promise: killed, resolve } = Promise.withResolvers<number>();
  const receiver = await startReceiver((number) => (number === 0 ? killed : 204));
  const target = await startTarget();
  const yaml = storedMonitor(target.baseUrl, receiver.url);
  const kill = async (monitor: RunningMonitor): Promise<void> => {
    await end(monitor.child, 'SIGKILL');
    for (const name of ['history.db', 'alerts.db']) expect(integrity(join(data, name))).toBe('ok');
  };
  const told = (status: string): boolean => receiver.messages.some(({ body, taken }) => taken && body.includes(`"${status}"`));

  // Killed while the event is being sent: it is in the file, and still to be delivered.
  target.set('gone');
  const first = await startMonitor(yaml, folder);
  await until('the event arrives', () => receiver.arrived() > 0, { details: first.output });
  expect(await first.health()).toBe('down');
  await kill(first);
  resolve(204);
  const runs = runsOnFile(join(data, 'history.db'));

  // The next one knows it at once, delivers it, and is killed between the failures and the end of the incident.
  const second = await startMonitor(yaml, folder);
  expect(await second.health()).toBe('down');
  await until('firing was taken', () => told('firing'), { details: second.output });
  await until('runs are on file', () => runsOnFile(join(data, 'history.db')) > runs, { details: second.output });
  await kill(second);

  target.set('well');
  writeFileSync(join(data, 'history.db'), `SQLite format 3\0${'\x07'.repeat(8_000)}`, 'latin1');
  const third = await startMonitor(yaml, folder);
  expect(readdirSync(data).filter((one) => one.startsWith('history.db.damaged-'))).toHaveLength(1);
  expect((await third.status()).problems.join('\n')).toContain('set aside as');
  expect(await third.metric(FAILURES)).toBe(1);
  expect(await third.health()).toBe('down');
  await until('resolved was taken', () => told('resolved'), { details: third.output });
  await kill(third);

  expect(receiver.messages.every(isSigned)).toBe(true);
  const taken = receiver.messages.filter((one) => one.taken).map(({ id }) => id);
  const [firing = '', resolved = ''] = [...new Set(taken)];
  // Two events and no third, of the same incident; the first arrived once more, under its own id.
  expect(new Set(receiver.messages.map(({ id }) => id))).toEqual(new Set([firing, resolved]));
  expect(firing.replace(/firing$/, 'resolved')).toBe(resolved);
  expect(receiver.messages.filter(({ id }) => id === firing).length).toBeGreaterThanOrEqual(2);
  // A kill between a response and its record may double an event; there was one kill after each.
  expect(taken.length).toBeLessThanOrEqual(4);
});
