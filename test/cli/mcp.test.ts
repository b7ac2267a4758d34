import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { clauses } from '../../suites/index.ts';
import { MAIN, runProgram } from '../support/program.ts';

const KEY = 'mcp-9Rw2zX5tB8vQ';

async function connect(...args: readonly string[]): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PETSTORE_API_KEY: KEY };
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', ...args], env, cwd: '/tmp' });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = await client.callTool({ name, arguments: given });
  const [first] = content as readonly { readonly type: string; readonly text: string }[];
  return { text: first?.text ?? '', isError };
}

describe('petstore-conformance mcp', () => {
  test('runs, replays, explains and lists for a service that is named at the start', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['limit-plus-one'] });
    onTestFinished(() => server.close());
    const client = await connect('--base-url', server.baseUrl);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(['explain', 'list', 'replay', 'run']);
    expect(JSON.stringify(tools)).not.toMatch(/url|address|key/i);

    expect(await call(client, 'replay')).toEqual({ text: 'there was no run yet: call run first', isError: true });
    const run = await call(client, 'run', { only: ['list.limit-maximum'] });
    expect(run.text).toContain('FAIL list.limit-maximum');
    expect(run.text).not.toContain(KEY);
    expect((await call(client, 'replay', { id: 'list.limit-maximum' })).text).toContain('still failing: list.limit-maximum');
    expect((await call(client, 'explain', { id: 'list.limit-maximum' })).text).toContain('Requirement');
    expect(JSON.parse((await call(client, 'list', { what: 'clauses' })).text)).toHaveLength(clauses.length);
  });

  test('says what is wrong with a call instead of breaking', async () => {
    const client = await connect('--reference');
    expect(await call(client, 'run', { only: ['lists.*'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('did you mean'),
    });
    expect(await call(client, 'explain', { id: 'nothing.here' })).toMatchObject({ isError: true });
    expect((await call(client, 'list', { what: 'animals' })).isError).toBe(true);
  });

  test('needs a service, like every other command', async () => {
    const { code, stderr } = await runProgram(['mcp']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no service to judge');
  });
});
