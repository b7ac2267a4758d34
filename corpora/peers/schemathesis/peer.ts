import { fileURLToPath } from 'node:url';
import { writeDescription } from '../description.ts';
import { byExitCode, type Peer } from '../peer.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const FAILURES = 1;

export const schemathesis: Peer = {
  name: 'schemathesis',
  title: 'Schemathesis',
  configuration: 'all phases, all checks but that for 405, the link from creation to reading, ends at the first failure',
  better:
    'It needs nothing but a description, so it suits every other API, and every API that changes each week. It generates more and odder input than a plan by hand ever has.',
  program: 'bin/st',
  sample: 40,
  install: (cache) => [
    { argv: ['python3', '-m', 'venv', cache] },
    { argv: [`${cache}/bin/pip`, 'install', '--quiet', 'schemathesis==4.32.5'] },
  ],
  version: (cache) => ({ argv: [`${cache}/bin/st`, '--version'] }),
  prepare: async (cache) => {
    writeDescription(cache);
  },
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [
      `${cache}/bin/st`,
      ...['--config-file', `${HERE}schemathesis.toml`],
      ...['run', `${cache}/openapi-3.1.1.json`, '--checks', 'all', '--exclude-checks', 'unsupported_method', '--no-color', '--seed', '1'],
    ],
    env: { BASE_URL: baseUrl, API_KEY: apiKey, PYTHONPATH: HERE, PYTHONDONTWRITEBYTECODE: '1' },
  }),
  verdict: byExitCode(FAILURES),
};
