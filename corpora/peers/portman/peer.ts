import { fileURLToPath } from 'node:url';
import { writeDescription } from '../description.ts';
import { runCommand } from '../judge-server.ts';
import { byExitCode, npmInstall, type Peer } from '../peer.ts';

const CONFIG = fileURLToPath(new URL('portman-config.json', import.meta.url));
const FAILED = 1;
const LONGEST_GENERATION = 300_000;

export const portman: Peer = {
  name: 'portman',
  title: 'Portman and Newman',
  configuration: 'contract, content, and variation tests with fuzzed required fields; Portman writes the collection once, Newman runs it',
  better: 'Its result is a Postman collection, which people who do not program can read, change, and run.',
  program: 'node_modules/.bin/portman',
  sample: 120,
  // Portman needs tslib without naming it.
  install: (cache) => [npmInstall(cache, '@apideck/portman@1.33.0', 'newman@6.2.2', 'tslib@2.8.1')],
  version: (cache) => ({ argv: [process.execPath, `${cache}/node_modules/.bin/portman`, '--version'] }),
  prepare: async (cache) => {
    const description = writeDescription(cache);
    const argv = [process.execPath, `${cache}/node_modules/.bin/portman`] as const;
    const options = ['-l', description, '-b', '{{baseUrl}}', '-c', CONFIG, '-o', `${cache}/collection.json`];
    const { code, output } = await runCommand({ argv: [...argv, ...options], cwd: cache }, LONGEST_GENERATION);
    if (code !== 0) throw new Error(`Portman wrote no collection (exit code ${code})\n${output}`);
  },
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [
      process.execPath,
      `${cache}/node_modules/.bin/newman`,
      ...['run', `${cache}/collection.json`, '--env-var', `baseUrl=${baseUrl}`, '--env-var', `apiKey=${apiKey}`],
      ...['--timeout-request', '5000', '--color', 'off'],
    ],
  }),
  verdict: byExitCode(FAILED),
};
