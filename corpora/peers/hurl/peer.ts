import { fileURLToPath } from 'node:url';
import { byExitCode, type Peer } from '../peer.ts';

const PLAN = fileURLToPath(new URL('pets.hurl', import.meta.url));
const ASSERT_FAILED = 4;
const NO_RESPONSE = 3;

export const hurl: Peer = {
  name: 'hurl',
  title: 'Hurl',
  configuration: 'a plan by hand: 65 requests, each with asserts, and what was created read back',
  better:
    'Its plan is a text that anyone reads and changes in minutes, and it runs in a fraction of a second: for requests of your own, it is the better choice.',
  program: 'bin/hurl',
  install: (cache) => [{ argv: ['cargo', 'install', 'hurl', '--version', '8.0.1', '--locked', '--root', cache] }],
  version: (cache) => ({ argv: [`${cache}/bin/hurl`, '--version'] }),
  judge: ({ baseUrl, apiKey, cache }) => ({
    argv: [
      `${cache}/bin/hurl`,
      ...['--test', '--max-time', '5s', '--variable', `base=${baseUrl}`, '--secret', `key=${apiKey}`, '--no-color', PLAN],
    ],
  }),
  verdict: byExitCode(ASSERT_FAILED, NO_RESPONSE),
};
