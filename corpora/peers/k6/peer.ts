import { fileURLToPath } from 'node:url';
import { byExitCode, type Peer } from '../peer.ts';

const PLAN = fileURLToPath(new URL('plan.js', import.meta.url));
const THRESHOLDS_CROSSED = 99;

export const k6: Peer = {
  name: 'k6',
  title: 'k6',
  configuration: 'a plan by hand in JavaScript: requests, checks, and what was created read back',
  better: 'It measures load, and its plan can run against production, where our `run` creates too much.',
  program: 'bin/k6',
  install: (cache) => [{ argv: ['go', 'install', 'go.k6.io/k6@v1.8.1'], env: { GOBIN: `${cache}/bin` } }],
  version: (cache) => ({ argv: [`${cache}/bin/k6`, 'version'] }),
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [`${cache}/bin/k6`, 'run', '--quiet', '--no-usage-report', '--address', '', PLAN],
    env: { BASE_URL: baseUrl, API_KEY: apiKey, K6_NO_USAGE_REPORT: 'true' },
  }),
  verdict: byExitCode(THRESHOLDS_CROSSED),
};
