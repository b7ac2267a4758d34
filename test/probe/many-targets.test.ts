import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { History } from '../../src/probe/history.ts';
import { ownFolder } from '../support/program.ts';
import { type RunningMonitor, startMonitor, startProcess, until } from './running-monitor.ts';

const DAY = 86_400_000;
/** In a day, of each target. */
const RUNS = 300;
const TARGETS = 1_000;
const names = Array.from({ length: TARGETS }, (_unused, index) => `target-${index}`);

/** A thousand targets with a day of runs. Nothing is scheduled: the test measures the cost of showing them. */
async function startWithHistory(): Promise<RunningMonitor> {
  const folder = ownFolder();
  const file = join(folder, 'data', 'history.db');
  new History({ file, maxBytes: 1e9, now: Date.now, onProblem: (problem) => expect.fail(problem) }).close();
  const database = new DatabaseSync(file);
  const insert = database.prepare("INSERT INTO run VALUES (?, ?, 50, ?, NULL, NULL, '40 clauses passed')");
  const now = Date.now();
  database.exec('BEGIN');
  for (const name of names)
    for (let index = 0; index < RUNS; index += 1) insert.run(name, now - (index * DAY) / RUNS, index % 9 === 8 ? 'fail' : 'pass');
  database.exec('COMMIT');
  database.close();
  const targets = names.map((name) => `  - { name: ${name}, baseUrl: "http://127.0.0.1:9/v1", apiKey: env:KEY }`).join('\n');
  return startMonitor(`server: { port: 0 }\ndata: { folder: data }\nschedule: false\ntargets:\n${targets}\n`, folder);
}

/** A hundred clients that request the page again as soon as they have it; reports when each has had it once. */
const HUNDRED_CLIENTS = `
  let had = 0;
  for (let client = 0; client < 100; client += 1) (async () => {
    for (;;) { await (await fetch(process.argv[1])).arrayBuffer(); if (++had === 100) console.log(had); }
  })();`;

const get = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
const median = (numbers: readonly number[]): number => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** The memory of a process in megabytes. */
function memory({ pid }: RunningMonitor): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_000;
}

/** The processor time of a process in seconds: the cost, however busy the machine is. */
function processorTime({ pid }: RunningMonitor): number {
  // The name of the program is in parentheses; user and system time are the 12th and 13th field after it, in hundredths.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Without limits a monitor of this size took seconds each, and 25 s under load. */
test('The page of a thousand targets is small and quick, and a hundred clients of it block nobody from /-/healthy.', async () => {
  const monitor = await startWithHistory();
  const page = await get(monitor.url);
  expect(page.length).toBeLessThan(300_000);
  expect(page.toString()).toContain('Targets 1 to 100 of 1000, failing ones first.');
  expect((await get(`${monitor.url}/?target=target-999`)).toString()).toContain('<title>target-999: Unknown</title>');
  expect((await fetch(`${monitor.url}/?target=nobody`)).status).toBe(404);

  const before = processorTime(monitor);
  for (let round = 0; round < 50; round += 1) await get(monitor.url);
  expect((processorTime(monitor) - before) / 50).toBeLessThan(0.05);

  // In a separate process: the requests of the test must not wait for them.
  const clients = await startProcess([process.execPath, '-e', HUNDRED_CLIENTS, monitor.url], { cwd: ownFolder() });
  await until('the clients are at it', () => clients.output().includes('100'));
  // The monitor's work before the response, however slow the machine is.
  const meanwhile: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const begun = processorTime(monitor);
    await get(`${monitor.url}/-/healthy`);
    meanwhile.push(processorTime(monitor) - begun);
  }
  expect(median(meanwhile)).toBeLessThan(0.1);
});

test('Ten thousand requests at once on a hundred connections whose responses nobody reads neither fill the memory nor block other clients.', async () => {
  const monitor = await startWithHistory();
  await get(monitor.url);
  const before = { memory: memory(monitor), processor: processorTime(monitor) };
  const { port } = new URL(monitor.url);
  const pipeline = 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n';
  const sockets = Array.from({ length: 200 }, (_unused, index) => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined);
    socket.pause();
    // Half of them send many requests at once, the others as many as are allowed.
    socket.write(pipeline.repeat(index % 2 === 0 ? 100 : 4));
    return socket;
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let round = 0; round < 3; round += 1) expect((await get(`${monitor.url}/-/healthy`)).toString()).toBe('healthy\n');
  expect(processorTime(monitor) - before.processor).toBeLessThan(5);
  expect(memory(monitor) - before.memory).toBeLessThan(150);
});
