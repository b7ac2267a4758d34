import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { FolderInUseError, lockFolder } from '../../src/probe/data-folder.ts';
import { createMonitor } from '../../src/probe/monitor.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { loadText } from './load-text.ts';
import {
  end,
  FAILURES,
  integrity,
  isSigned,
  type RunningMonitor,
  startMonitor,
  startReceiver,
  startTarget,
  storedMonitor,
  until,
} from './running-monitor.ts';
import { createFakeClock, KEY, SECRET } from './samples.ts';

const config = (baseUrl: string, folder = 'data'): string => `server: { port: 0 }
data: { folder: ${folder} }
targets:
  - { name: production, baseUrl: "${baseUrl}", apiKey: env:KEY, interval: 10s }
`;

test('A second monitor on one data folder ends with 2 and says so; a killed one leaves nothing that prevents the next start.', async () => {
  const folder = ownFolder();
  const { baseUrl } = await startTarget();
  const first = await startMonitor(config(baseUrl), folder);
  const second = await runProgram(['monitor', '--config', join(folder, 'monitor.yaml')], { env: { KEY } });
  expect(second).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `error: the data folder ${join(folder, 'data')} is in use by another monitor; stop that one, or give this one a data.folder of its own\n`,
  });
  // Checking the configuration does not disturb the running monitor, and neither does a monitor with another folder.
  const checked = await runProgram(['monitor', '--check-config', '--config', join(folder, 'monitor.yaml')], { env: { KEY } });
  expect(checked.code).toBe(0);
  const other = await startMonitor(config(baseUrl), ownFolder());
  await end(other.child, 'SIGTERM');
  expect(other.child.exitCode).toBe(0);

  await end(first.child, 'SIGKILL');
  const third = await startMonitor(config(baseUrl), folder);
  expect((await third.status()).problems).toEqual([]);
  await end(third.child, 'SIGTERM');
  const fourth = await startMonitor(config(baseUrl), folder);
  expect((await fourth.status()).problems).toEqual([]);
});

test('The first start on the data folder of version 2 names the animals that it created, and later ones do not.', async () => {
  const [folder, { baseUrl }] = [ownFolder(), await startTarget()];
  mkdirSync(join(folder, 'data'));
  const database = new DatabaseSync(join(folder, 'data', 'canary.db'));
  database.exec('CREATE TABLE creation (number INTEGER PRIMARY KEY, target, state, id, name)');
  database.exec("INSERT INTO creation (target, state, id, name) VALUES ('production', 'created', '7', 'probeXaaa')");
  database.close();
  const outputs: string[] = [];
  for (let start = 0; start < 2; start += 1) {
    const monitor = await startMonitor(config(baseUrl), folder);
    await until('a run has ended', async () => (await monitor.health()) !== 'unknown', { details: monitor.output });
    await end(monitor.child, 'SIGTERM');
    outputs.push(monitor.output());
  }
  expect(outputs.map((output) => output.includes('production: animal 7, named probeXaaa'))).toEqual([true, false]);
});

test('Only its owner can read what a monitor stores on disk.', async () => {
  const folder = ownFolder();
  const { baseUrl } = await startTarget();
  const monitor = await startMonitor(config(baseUrl), folder, ['sh', '-c', 'umask 000 && exec "$@"', 'sh']);
  const data = join(folder, 'data');
  const wanted = ['alerts.db', 'history.db', 'history.db-wal', 'monitor.lock'];
  await until('all files are there', () => wanted.every((name) => readdirSync(data).includes(name)), { details: monitor.output });
  const modes = [data, ...readdirSync(data).map((name) => join(data, name))].map((path) => [
    path,
    (statSync(path).mode & 0o777).toString(8),
  ]);
  expect(modes.filter(([, mode]) => mode !== '600')).toEqual([[data, '700']]);
});

test('A data folder that others can enter causes a warning, and is left unchanged.', () => {
  const data = join(ownFolder(), 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'mine'), '');
  const text = `data: { folder: "${data}" }\ntargets:\n  - { name: a, baseUrl: "https://x/v1", apiKey: env:KEY }\n`;
  chmodSync(data, 0o750);
  expect(loadText(text).warnings).toBe(
    `FILE:1: data.folder: other users can access ${data}, which holds data from the services; "chmod 700 ${data}" makes it private`,
  );
  chmodSync(data, 0o700);
  expect(loadText(text).warnings).toBe('');
  expect(loadText(text.replace(data, join(data, 'none'))).warnings).toBe('');
});

/** The number of single runs in the history file. */
function runsOnFile(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return Number(database.prepare('SELECT count(*) AS n FROM run').get()?.['n']);
  } finally {
    database.close();
  }
}

test('A monitor notices within a minute that its files were deleted, counts it, and writes new ones.', async () => {
  const folder = ownFolder();
  const data = join(folder, 'data');
  const clock = createFakeClock();
  const log: string[] = [];
  const file = join(folder, 'monitor.yaml');
  writeFileSync(file, `schedule: false\n${storedMonitor('http://127.0.0.1:9/v1', 'http://127.0.0.1:9/')}`);
  const read = () => loadConfig(file, { environment: { KEY, SECRET }, clauses, today: new Date(clock.wall()) });
  const parts = { version: '0', clock, log: (line: string) => log.push(line) };
  const monitor = createMonitor({ config: read(), loadConfig: read, ...parts });
  monitor.start();
  for (const name of ['history.db', 'alerts.db']) rmSync(join(data, name));
  await clock.advance(60_000);
  expect(log).toEqual([
    expect.stringContaining(`${join(data, 'history.db')} was deleted or replaced`),
    expect.stringContaining(`${join(data, 'alerts.db')} was deleted or replaced`),
  ]);
  expect(String(await monitor.metrics())).toContain(`${FAILURES} 2\n`);
  expect(readdirSync(data)).toEqual(expect.arrayContaining(['alerts.db', 'history.db']));
  await clock.advance(60_000);
  await monitor.stop();
  expect(log).toHaveLength(2);
});

test('A lock that is deleted is taken again, and another monitor that came between is named until it is gone.', () => {
  const folder = join(ownFolder(), 'data');
  const problems: string[] = [];
  const lock = lockFolder(folder, (problem) => problems.push(problem));
  rmSync(folder, { recursive: true });
  lock.lookAfter();
  expect(() => lockFolder(folder, () => undefined)).toThrow(FolderInUseError);
  expect(problems).toEqual([]);

  rmSync(join(folder, 'monitor.lock'));
  const other = lockFolder(folder, () => undefined);
  lock.lookAfter();
  expect(problems).toEqual([expect.stringContaining(`${folder} is in use by another monitor`)]);
  other.release();
  lock.lookAfter();
  expect(() => lockFolder(folder, () => undefined)).toThrow(FolderInUseError);
  expect(problems).toHaveLength(1);
  lock.release();
});

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
