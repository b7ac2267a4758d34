import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/probe/config/config.ts';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { secretOf } from '../../src/probe/config/secret.ts';
import { ownFolder } from '../support/own-folder.ts';

const environment = { KEY: 'a-key' };

function written(text: string): string {
  const file = join(ownFolder(), 'monitor.yaml');
  writeFileSync(file, text);
  return file;
}

function problemsOf(text: string): string[] {
  const file = written(text);
  try {
    loadConfig(file, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map((problem) => problem.replace(file, 'FILE'));
    throw error;
  }
  return [];
}

const target = (lines: string): string =>
  `targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n${lines}`;

describe('loadConfig', () => {
  test('What is left out has its default, and the deadline fits into a short interval.', () => {
    const config = loadConfig(written(target('    interval: 10s\n')), environment);
    expect(config.server).toMatchObject({ host: '127.0.0.1', port: 9464 });
    expect(config.targets[0]).toMatchObject({ interval: 10_000, deadline: 8_000, objective: 0.999 });
    expect(config.targets[0]?.apiKey()).toBe('a-key');
  });

  test.for([
    ['an unknown field', target('    intervall: 10s\n'), 'FILE:5: targets[0].intervall is not a field of the configuration'],
    [
      'labels of its own',
      target('    labels: { team: x }\n'),
      'FILE:5: targets[0].labels is not a field of the configuration (labels of a target belong',
    ],
    [
      'a deadline beyond 0.8 of the interval',
      target('    interval: 10s\n    deadline: 9s\n'),
      'FILE:6: targets[0].deadline of 9000 ms is more than 0.8 of the interval (8000 ms)',
    ],
    ['a duration without a unit', target('    interval: "10"\n'), 'FILE:5: targets[0].interval has not the form that is wanted'],
    [
      'a key that is written out',
      'targets:\n  - name: a\n    baseUrl: https://x/v1\n    apiKey: secret-itself\n',
      'FILE:4: targets[0].apiKey has not the form that is wanted (env:NAME or file:PATH; never the secret itself)',
    ],
    [
      'a variable that is not set',
      'targets:\n  - name: a\n    baseUrl: https://x/v1\n    apiKey: env:NOPE\n',
      'FILE:4: targets[0].apiKey the environment variable NOPE is not set',
    ],
    [
      'a base address with a password',
      'targets:\n  - name: a\n    baseUrl: https://u:p@x/v1\n    apiKey: env:KEY\n',
      'FILE:3: targets[0].baseUrl has not the form that is wanted',
    ],
    [
      'listening for others without a token',
      `server:\n  host: 0.0.0.0\n${target('')}`,
      'FILE:2: server.host is "0.0.0.0", which others reach: set server.token, or listen on 127.0.0.1',
    ],
    [
      'one name for two targets',
      `${target('')}  - name: production\n    baseUrl: https://x/v1\n    apiKey: env:KEY\n`,
      'FILE:5: targets[1].name "production" is taken by another',
    ],
    [
      'a day that the calendar does not have',
      target('    waivers:\n      - id: list.unique\n        reason: known\n        until: "2027-02-30"\n'),
      'FILE:8: targets[0].waivers[0].until is no date of the calendar (Day from which it no longer holds)',
    ],
    ['no targets', 'data:\n  folder: x\n', 'FILE:1: the file lacks the field "targets"'],
    ['broken YAML', 'targets:\n  - name: "a\n', 'FILE:'],
  ] as const)('It names line and field of %s.', ([, text, wanted]) => {
    expect(problemsOf(text).join('\n')).toContain(wanted);
  });
});

describe('secretOf', () => {
  test('A file is read again when it was replaced, and what was read last serves while it is away.', () => {
    const file = written('first\n');
    const get = secretOf(`file:${file}`, {});
    expect(get()).toBe('first');
    writeFileSync(`${file}.new`, 'second\n');
    renameSync(`${file}.new`, file);
    expect(get()).toBe('second');
    renameSync(file, `${file}.away`);
    expect(get()).toBe('second');
  });
});
