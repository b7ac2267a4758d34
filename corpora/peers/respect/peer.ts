import { copyFileSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeDescription } from '../description.ts';
import { byExitCode, npmInstall, type Peer } from '../peer.ts';

const WORKFLOWS = fileURLToPath(new URL('pets.arazzo.yaml', import.meta.url));
const FAILED = 1;

export const respect: Peer = {
  name: 'respect',
  title: 'Redocly Respect',
  configuration: 'four Arazzo workflows by hand, 49 steps; status, media type, and schema come from the description',
  better: 'Its workflows are an open format (Arazzo) that also documents how the operations belong together.',
  program: 'node_modules/.bin/redocly',
  sample: 120,
  install: (cache) => [npmInstall(cache, '@redocly/cli@2.77.0')],
  version: (cache) => ({ argv: [process.execPath, `${cache}/node_modules/@redocly/cli/bin/cli.js`, '--version'] }),
  prepare: async (cache) => {
    // The workflows refer to the description as a file next to them.
    renameSync(writeDescription(cache), `${cache}/openapi.json`);
    copyFileSync(WORKFLOWS, `${cache}/pets.arazzo.yaml`);
  },
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [
      process.execPath,
      `${cache}/node_modules/@redocly/cli/bin/cli.js`,
      ...['respect', `${cache}/pets.arazzo.yaml`, '-S', `pets=${baseUrl}`, '-i', `apiKey=${apiKey}`, '--max-fetch-timeout', '5000'],
    ],
    env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  }),
  verdict: byExitCode(FAILED),
};
