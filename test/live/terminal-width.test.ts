import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { MAIN } from '../support/program.ts';
import { needs, SCRIPT } from '../support/tool.ts';

/** What a command prints in a terminal of so many columns. */
function inTerminal(columns: number, ...args: readonly string[]): readonly string[] {
  const command = `stty cols ${columns}; '${process.execPath}' '${MAIN}' ${args.join(' ')}`;
  const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'] ?? '' },
  });
  return stdout.replaceAll('\r', '').trimEnd().split('\n');
}

test.for([100, 80, 50])('explain and list keep to a terminal of %i columns', (columns, context) => {
  needs(context, SCRIPT);
  for (const args of [
    ['explain', 'list.limit-maximum/small'],
    ['list', 'clauses'],
    ['list', 'checks'],
    ['list', 'faults'],
  ]) {
    const lines = inTerminal(columns, ...args);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
  }
});
