import { fileURLToPath } from 'node:url';
import { byExitCode, type Peer } from '../peer.ts';

const MAIN = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const NOT_CONFORMANT = 1;

function runAt(depth: 'quick' | 'standard' | 'thorough', better: string, sample?: number): Peer {
  return {
    name: `run-${depth}`,
    title: `\`run --depth ${depth}\``,
    configuration: 'nothing but the base URL and the API key',
    better,
    program: '',
    ...(sample === undefined ? {} : { sample }),
    install: () => [],
    version: () => ({ argv: [process.execPath, MAIN, '--version'] }),
    judge: ({ baseUrl, apiKey, now, folder }) => ({
      argv: [
        process.execPath,
        MAIN,
        'run',
        ...['--base-url', baseUrl, '--depth', depth, '--seed', '1', '--timeout', '5000', '--quiet'],
        ...['--reporter', 'terminal', '--reporter', 'json', '--reports', folder],
        ...(now === undefined ? [] : ['--now', now]),
      ],
      env: { PETSTORE_API_KEY: apiKey },
    }),
    verdict: byExitCode(NOT_CONFORMANT),
  };
}

/** This program, measured like all others: as whole processes that know the base URL and the API key. */
export const runs: readonly Peer[] = [
  runAt('quick', 'In a pipeline that runs on each push.'),
  runAt('standard', 'Before a deployment.', 120),
  runAt('thorough', 'Nightly.', 40),
];
