import { parentPort } from 'node:worker_threads';
// All modules that register.ts imports, first of all and natively: once vitest is there, it reports each import of ours to the main thread.
import '../../suites/index.ts';
import '../judge/invariant-judge.ts';
import '../judge/run-direct.ts';
import '../session/open-session.ts';

const port = parentPort;
if (port === null) throw new Error('judging-thread runs in a worker thread only');

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
