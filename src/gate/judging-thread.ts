import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
// All modules that register.ts imports, loaded first and natively: once vitest is running, it reports each of our imports to the main
// thread.
import '../judge/judging.ts';
import './load-own-clauses.ts';
import './plan-run.ts';
import type { Job, Order } from './messages.ts';

const port = parentPort;
if (port === null) throw new Error('judging-thread runs in a worker thread only');

/** The port to the gate: its first message is the order. */
export const line: MessagePort = workerData;

// It was posted before the thread started.
const order: Order | undefined = receiveMessageOnPort(line)?.message;
if (order === undefined) throw new Error('judging-thread was given nothing to do');
Object.assign(process.env, order.environment);

export const job: Job = order.job;

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
