import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
// Loaded first and natively: once vitest is running, it reports each of our imports to the main thread.
import type { Order } from './messages.ts';
import { type StartedRun, startRun } from './start-run.ts';

const port = parentPort;
if (port === null) throw new Error('judging-thread runs in a worker thread only');

/** To the gate: its first message is the order. */
const line: MessagePort = workerData;

// It was posted before the thread started.
const order: Order | undefined = receiveMessageOnPort(line)?.message;
if (order === undefined) throw new Error('judging-thread was given nothing to do');
Object.assign(process.env, order.environment);

/** It sends its first requests while vitest is loaded. */
export const run: StartedRun = await startRun(order.job, line);

const { init, runBaseTests, setupEnvironment } = await import('vitest/worker');

init({
  post: (response) => port.postMessage(response),
  on: (callback) => port.on('message', callback),
  off: (callback) => port.off('message', callback),
  teardown: () => port.removeAllListeners('message'),
  runTests: (state, traces) => runBaseTests('run', state, traces),
  collectTests: (state, traces) => runBaseTests('collect', state, traces),
  setup: setupEnvironment,
});
