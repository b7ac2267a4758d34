import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { ownFolder, runProgram } from '../support/program.ts';
import { startMonitor, until } from './running-monitor.ts';
import { KEY } from './samples.ts';

const LIBRARY = new URL('../../src/index.ts', import.meta.url).href;
/** No response of the reference server has the header. */
const MODULE = `import { defineClause } from ${JSON.stringify(LIBRARY)};
export const clauses = [
  defineClause({
    id: 'acme:headers.request-id',
    section: 'House rules, 7',
    level: 'required',
    requirement: 'Every response has an X-Request-Id.',
    likelyCause: 'The handler for errors does not add it.',
    rules: [
      {
        layer: 'values',
        judge({ response }) {
          if (response === undefined) return 'not-applicable';
          if (response.headers.some(([name]) => name === 'x-request-id')) return 'holds';
          return { summary: 'a response has no X-Request-Id', expected: ['an X-Request-Id'], received: 'none' };
        },
      },
    ],
  }),
];
`;

test('smoke and the monitor judge the clauses of --own-clauses in each run, and know waivers for them.', async () => {
  const server = await startReference({ apiKey: KEY, seedAnimals: 12 });
  onTestFinished(() => server.close());
  const folder = ownFolder();
  const file = join(folder, 'house.clause.mts');
  writeFileSync(file, MODULE);
  const env = { PETSTORE_API_KEY: KEY };
  const smoke = await runProgram(['smoke', '--base-url', server.baseUrl, '--own-clauses', file], { env });
  expect(smoke.stdout).toMatch(/FAIL acme:headers\.request-id/);
  expect(smoke.code).toBe(1);
  expect((await runProgram(['smoke', '--base-url', server.baseUrl], { env })).code).toBe(0);

  const entry = `baseUrl: "${server.baseUrl}", apiKey: env:KEY, interval: 2s, latencyLimit: 10s`;
  const waiver = '{ id: "acme:headers.request-id", reason: "known, ticket 4711", expires: 2099-01-31 }';
  const monitor = await startMonitor(
    `server: { port: 0 }\ntargets:\n  - { name: strict, ${entry} }\n  - { name: known, ${entry}, waivers: [${waiver}] }\n`,
    folder,
    [],
    { env: { PETSTORE_OWN_CLAUSES: file } },
  );
  const details = monitor.output;
  await until('the target is down', async () => (await monitor.health('strict')) === 'down', { details });
  const status = (await (await fetch(`${monitor.url}/api/status`)).json()) as { targets: { lastRun: { clause?: string } }[] };
  expect(status.targets.map(({ lastRun }) => lastRun.clause)).toEqual(['acme:headers.request-id', undefined]);
  await until('the other one is up', async () => (await monitor.health('known')) === 'up', { details });
});
