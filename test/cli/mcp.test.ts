import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { clauses } from '../../suites/index.ts';
import { MAIN, ownFolder, runProgram, timeLeft } from '../support/program.ts';

const KEY = 'mcp-9Rw2zX5tB8vQ';

async function connect(...args: readonly string[]): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, PETSTORE_API_KEY: KEY };
  const transport = new StdioClientTransport({ command: process.execPath, args: [MAIN, 'mcp', ...args], env, cwd: '/tmp' });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transport, { timeout: timeLeft() });
  onTestFinished(() => client.close());
  return client;
}

async function call(client: Client, name: string, given: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
  const { content, isError = false } = await client.callTool({ name, arguments: given }, { timeout: timeLeft() });
  const [first] = content as readonly { readonly type: string; readonly text: string }[];
  return { text: first?.text ?? '', isError };
}

describe('petstore-conformance mcp', () => {
  test('runs, replays, explains and lists for a service that is named at the start', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['limit-plus-one'] });
    onTestFinished(() => server.close());
    const client = await connect('--base-url', server.baseUrl);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(['explain', 'replay', 'run']);
    expect(JSON.stringify(tools)).not.toMatch(/url|address|key/i);

    expect(await call(client, 'replay')).toEqual({ text: 'there was no run yet: call run first', isError: true });
    const run = await call(client, 'run', { only: ['list.limit-maximum'] });
    expect(run.text).toContain('FAIL list.limit-maximum');
    expect(run.text).not.toContain(KEY);
    expect((await call(client, 'replay', { id: 'list.limit-maximum' })).text).toContain('still failing: list.limit-maximum');
    expect((await call(client, 'explain', { id: 'list.limit-maximum' })).text).toContain('Requirement');
    expect(JSON.parse((await call(client, 'explain', { id: 'clauses' })).text)).toHaveLength(clauses.length);
  });

  test('judges a target of --config read-only, with its key, its selection, and its waivers, which a call can narrow', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['limit-plus-one'] });
    onTestFinished(() => server.close());
    const file = join(ownFolder(), 'fleet.yaml');
    const waivers = '[{ id: list.limit-maximum, reason: known, expires: 2099-01-31 }]';
    const more = `only: [list.limit-maximum, list.success, create.success], skip: [list.success], waivers: ${waivers}`;
    writeFileSync(file, `targets:\n  - { name: shop, baseUrl: "${server.baseUrl}", apiKey: env:PETSTORE_API_KEY, ${more} }\n`);
    const client = await connect('--config', file, '--target', 'shop');
    const all = (await call(client, 'run')).text;
    expect(all).toContain('1 waived');
    expect(all).not.toContain('FAIL');
    expect(all).toContain('read-only');
    const { isError, text } = await call(client, 'run', { only: ['list.success'] });
    expect({ isError, text }).toEqual({ isError: true, text: '--only and --skip together leave nothing to judge' });
    const pets = await fetch(`${server.baseUrl}/pets?limit=50`, { headers: { authorization: `Bearer ${KEY}` } });
    expect(await pets.json()).toHaveLength(7);
  });

  test('a call can narrow --only, all calls share one write budget, and runs wait for each other', async () => {
    const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['number-name-accepted'] });
    onTestFinished(() => server.close());
    const count = async (): Promise<number> => {
      const pets = await fetch(`${server.baseUrl}/pets?limit=100`, { headers: { authorization: `Bearer ${KEY}` } });
      return ((await pets.json()) as readonly unknown[]).length;
    };
    const client = await connect('--base-url', server.baseUrl, '--only', 'create.name-type', '--max-creates', '8');
    expect(await call(client, 'run', { only: ['list.*'] })).toEqual({
      isError: true,
      text: 'nothing of list.* is judged here: this server was started with --only create.name-type',
    });
    expect(await count()).toBe(7);
    const wide = { only: ['create.*'] };
    const [first, second] = await Promise.all([call(client, 'run', wide), call(client, 'run', wide), call(client, 'replay')]);
    expect(first.text).toContain('FAIL create.name-type');
    expect(first.text).toContain('Only 1 of');
    // How much of it invalid bodies leave to other creations depends on the drawn values.
    const made = [first, second].map(({ text }) => Number(/(\d+) animals? created/.exec(text)?.[1]));
    const [byFirst = 0, bySecond = 0] = made;
    expect(byFirst).toBeGreaterThan(0);
    expect(byFirst + bySecond).toBeLessThanOrEqual(8);
    expect(await count()).toBe(7 + byFirst + bySecond);
  });

  test('says what is wrong with a call instead of breaking', async () => {
    const client = await connect('--reference');
    expect(await call(client, 'run', { only: ['lists.*'] })).toMatchObject({
      isError: true,
      text: expect.stringContaining('did you mean'),
    });
    expect(await call(client, 'explain', { id: 'nothing.here' })).toMatchObject({ isError: true });
  });

  test('needs a service, like every other command', async () => {
    const { code, stderr } = await runProgram(['mcp']);
    expect(code).toBe(2);
    expect(stderr).toContain('there is no service to judge');
  });
});
