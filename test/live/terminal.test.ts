import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../src/reference/server.ts';
import { MAIN, ownFolder } from '../support/program.ts';
import { needs, SCRIPT } from '../support/tool.ts';

const KEY = 'k-terminal-Wd84sNc';

/** What a command prints in a terminal of so many columns. */
async function inTerminal(
  columns: number,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const command = `stty cols ${columns}; '${process.execPath}' '${MAIN}' ${args.map((arg) => `'${arg}'`).join(' ')} 2>/dev/null`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', PETSTORE_API_KEY: KEY, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  return (await text(child.stdout)).replaceAll('\r', '').trimEnd().split('\n');
}

test.for([100, 80, 50])('explain keeps to a terminal of %i columns', async (columns, context) => {
  needs(context, SCRIPT);
  for (const args of [
    ['explain', 'list.limit-maximum/small'],
    ['explain', 'clauses'],
    ['explain', 'situations'],
    ['explain', 'faults'],
  ]) {
    const lines = await inTerminal(columns, args);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});

test.for([80, 50])('run keeps to a terminal of %i columns, except commands to copy', async (columns, context) => {
  needs(context, SCRIPT);
  const server = await startReference({ apiKey: KEY, seedAnimals: 7, faults: ['limit-plus-one'] });
  onTestFinished(() => server.close());
  const args = [
    'run',
    '--base-url',
    server.baseUrl,
    '--only',
    'list.limit-maximum/small',
    '--only',
    'list.success',
    '--reports',
    ownFolder(),
  ];
  const plain = await inTerminal(columns, args, { NO_COLOR: '1' });
  expect(
    plain.filter(
      (line) => line.length > columns && !/^ *(?:(?:try +)?curl|Only these again:|Sent again:) |reference (?:--fault|--port) /.test(line),
    ),
  ).toEqual([]);
  expect(plain.join('\n')).toContain('FAIL list.limit-maximum');
  expect(
    plain.slice(plain.findIndex((line) => line.startsWith('petstore-conformance'))).some((line) => line !== stripVTControlCharacters(line)),
  ).toBe(false);
  const colored = await inTerminal(columns, args);
  expect(colored.some((line) => line.includes('\u001b[31m'))).toBe(true);
});
