import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { KEY } from '../../test/prove/judge-reference.ts';
import { judgeAddress } from '../../test/prove/result.ts';
import { sampleExchange } from '../../test/report/sample-record.ts';
import { startReference } from '../reference/server.ts';
import { brokenClauses } from './broken-clauses.ts';
import { companyCommand, contrastCommand } from './try-command.ts';

const execute = promisify(execFile);

const COUNTS = { unit: 'response', there: { broken: 2, of: 2 }, elsewhere: { broken: 0, of: 9 } } as const;

async function outputOf(command: string): Promise<string> {
  const { stdout } = await execute('bash', ['-c', command], { env: { ...process.env, PETSTORE_API_KEY: KEY } });
  return stdout;
}

/** What the command that a report of this fault shows for a clause prints in a shell. */
async function printed(fault: string, only: readonly string[]): Promise<{ readonly command: string; readonly output: string }> {
  const server = await startReference({ apiKey: KEY, seedAnimals: 8, faults: [fault] });
  try {
    const record = await judgeAddress(server.baseUrl, { only });
    const [broken] = brokenClauses(record);
    const command = broken === undefined ? undefined : companyCommand(broken, undefined);
    if (command === undefined) throw new Error(`${fault} needs no company: ${record.conclusion.exitCode}`);
    return { command, output: await outputOf(command) };
  } finally {
    await server.close();
  }
}

describe('the command that a report shows', () => {
  test('counts the names of creations at the same time, of which each should come once', async () => {
    const { output } = await printed('concurrent-names-mixed', ['create.independent']);
    expect(output).toMatch(/^ +([2-9]|1\d) "name": ?"/m);
  });

  test('counts the statuses of requests at the same time', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 8, faults: ['right-key-refused-concurrently'] });
    const broken = sampleExchange({ number: 1, request: 'GET /pets', status: 401, response: '{}' });
    const here = { ...broken, curl: broken.curl.replace(/'http\S+'$/, `'${server.baseUrl}/pets'`) };
    const command = contrastCommand({ ...COUNTS, broken: here, atOnce: 4 }) ?? '';
    expect(command).toMatch(/^seq 20 \| xargs -P 20 /);
    const counts = [...(await outputOf(command)).matchAll(/^ +(\d+) (200|401)$/gm)].map(([, times]) => Number(times));
    await server.close();
    expect(counts.reduce((sum, times) => sum + times)).toBe(20);
  });

  test.each([
    ['connection-authenticated-by-creation', 'auth.every-request', ['201', '200']],
    ['name-of-connection-taken', 'create.independent', ['201', '201']],
  ] as const)('sends both requests on one connection if what came before matters: %s', async (fault, clause, statuses) => {
    const { command, output } = await printed(fault, [clause]);
    expect(command).toContain(' --next ');
    expect([...output.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(statuses);
  });
});
