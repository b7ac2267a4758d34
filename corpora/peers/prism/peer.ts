import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeDescription } from '../description.ts';
import { byExitCode, npmInstall, type Peer } from '../peer.ts';

const DRIVE = fileURLToPath(new URL('drive.ts', import.meta.url));
const VIOLATIONS = 1;

export const prism: Peer = {
  name: 'prism',
  title: 'Prism proxy',
  configuration: '`--errors` before the server; sixty requests by hand go through it, valid and invalid ones',
  better: 'It judges the traffic of your own clients and tests, with no requests of its own, and mocks a service that does not exist yet.',
  program: 'node_modules/.bin/prism',
  sample: 120,
  install: (cache) => [npmInstall(cache, '@stoplight/prism-cli@5.16.0')],
  version: (cache) => ({ argv: [process.execPath, `${cache}/node_modules/@stoplight/prism-cli/dist/index.js`, '--version'] }),
  prepare: async (cache) => {
    // Without `int64`, for which Prism rejects numbers that JavaScript can't represent; without `security`, for which Prism itself responds
    // to requests without a credential.
    const text = readFileSync(writeDescription(cache), 'utf8').replaceAll(/"format": "int64",?|,\s*"format": "int64"/g, '');
    const { security: _unused, ...description } = JSON.parse(text) as Record<string, unknown>;
    writeFileSync(`${cache}/openapi.json`, JSON.stringify(description));
  },
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [process.execPath, DRIVE, `${cache}/node_modules/@stoplight/prism-cli/dist/index.js`, `${cache}/openapi.json`, baseUrl],
    env: { API_KEY: apiKey },
  }),
  verdict: byExitCode(VIOLATIONS),
};
