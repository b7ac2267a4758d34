import { cpSync, renameSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeDescription } from '../description.ts';
import { byExitCode, npmInstall, type Peer } from '../peer.ts';

const HERE = fileURLToPath(new URL('./', import.meta.url));
const FAILED = 1;

export const specmatic: Peer = {
  name: 'specmatic',
  title: 'Specmatic',
  configuration: 'contract tests with all resiliency tests, examples for 401 and 404, and a workflow that reads the created animal',
  better: 'One description is test, mock, and check for breaking changes at once, for several protocols.',
  program: 'node_modules/specmatic/specmatic.jar',
  sample: 40,
  install: (cache) => [npmInstall(cache, 'specmatic@2.55.1')],
  version: (cache) => ({ argv: ['java', '-jar', `${cache}/node_modules/specmatic/specmatic.jar`, '--version'] }),
  prepare: async (cache) => {
    cpSync(HERE, `${cache}/plan`, { recursive: true });
    renameSync(writeDescription(cache), `${cache}/plan/openapi.json`);
  },
  judge: ({ baseUrl, apiKey, cache, folder }) => ({
    argv: [
      'java',
      '-XX:TieredStopAtLevel=1',
      ...['-jar', `${cache}/node_modules/specmatic/specmatic.jar`, 'test', `--testBaseURL=${baseUrl}`, `--junitReportDir=${folder}`],
    ],
    cwd: `${cache}/plan`,
    env: { API_KEY: apiKey },
  }),
  verdict: byExitCode(FAILED),
};
