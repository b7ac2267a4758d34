import { fileURLToPath } from 'node:url';
import { byExitCode, npmInstall, type Peer } from '../peer.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const FAILED = 1;

export const dredd: Peer = {
  name: 'dredd',
  title: 'Dredd',
  configuration:
    'the description as Swagger 2.0, which it reads best (without `int64`, which it rejects), and hooks that authenticate, cause the failures, and compare records',
  better: 'It keeps examples of a description true, API Blueprint included.',
  program: 'node_modules/.bin/dredd',
  sample: 120,
  install: (cache) => [npmInstall(cache, 'dredd@14.1.0')],
  version: (cache) => ({ argv: [process.execPath, `${cache}/node_modules/.bin/dredd`, '--version'] }),
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [
      process.execPath,
      `${cache}/node_modules/.bin/dredd`,
      ...[`${HERE}pets.swagger.json`, baseUrl, '--hookfiles', `${HERE}hooks.cjs`, '--loglevel', 'error', '--no-color'],
    ],
    env: { API_KEY: apiKey },
  }),
  verdict: byExitCode(FAILED),
};
