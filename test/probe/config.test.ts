import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { secretOf } from '../../src/secrets/secret.ts';
import { ownFolder } from '../support/own-folder.ts';
import { loadText } from './load-text.ts';

function problemsOf(text: string): string {
  return loadText(text).problems;
}

const target = (lines: string): string =>
  `targets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n${lines}`;

/** A list of lists of lists: each level names the one before it ten times. */
function bomb(): string {
  const level = (depth: number): string => (depth === 0 ? '[x]' : `[${Array.from({ length: 10 }, () => `*l${depth - 1}`).join(', ')}]`);
  return Array.from({ length: 8 }, (_unused, depth) => `  - &l${depth} ${level(depth)}`).join('\n');
}

describe('loadConfig', () => {
  test('What is left out has its default, and the deadline fits into a short interval.', () => {
    const { config } = loadText(target('    interval: 10s\n'));
    expect(config?.server).toMatchObject({ host: '127.0.0.1', port: 9464 });
    expect(config?.targets[0]).toMatchObject({ interval: 10_000, deadline: 8_000, objective: 0.999 });
    expect(config?.targets[0]?.apiKey()).toBe('an-api-key');
  });

  test.for([
    ['an unknown field', target('    intervall: 10s\n'), 'FILE:5: targets[0].intervall: not a field of the configuration'],
    [
      'labels of its own',
      target('    labels: { team: x }\n'),
      "FILE:5: targets[0].labels: not a field of the configuration (set a target's labels in the scrape configuration",
    ],
    [
      'a deadline beyond 0.8 of the interval',
      target('    interval: 10s\n    deadline: 9s\n'),
      'FILE:6: targets[0].deadline: expected at most 0.8 of the interval (8000 ms), received 9000 ms',
    ],
    [
      'a duration without a unit',
      target('    interval: "10"\n'),
      'FILE:5: targets[0].interval: expected a number and a unit: 500ms, 30s, 5m, 1h, received "10"',
    ],
    [
      'a duration that is a number',
      target('    interval: 10\n'),
      'FILE:5: targets[0].interval: expected a number and a unit: 500ms, 30s, 5m, 1h, received 10',
    ],
    ['a file that is a list', '- targets\n', 'FILE:1: the file: expected a mapping of fields, received a list'],
    ['no target at all', 'targets: []\n', 'FILE:1: targets: expected at least 1 of them, received a list of 0'],
    [
      'a format that there is not',
      `webhooks: [{ name: a, url: "env:KEY", format: xml }]\n${target('')}`,
      'FILE:1: webhooks[0].format: expected one of json, slack, received "xml"',
    ],
    ['a field that is there twice', target('    name: again\n'), 'FILE:5: the key "name" appears twice'],
    ['an alias that names nothing', target('    waivers: *nothing\n'), 'FILE:5: the alias *nothing is undefined'],
    ['an alias bomb', `${target('')}webhooks:\n${bomb()}`, 'FILE:13: its aliases expand to too much'],
    [
      'a key that is written out',
      'targets:\n  - name: a\n    baseUrl: https://x/v1\n    apiKey: secret-itself\n',
      'FILE:4: targets[0].apiKey: expected env:NAME or file:PATH; never the secret itself',
    ],
    [
      'a variable that is not set',
      'targets:\n  - name: a\n    baseUrl: https://x/v1\n    apiKey: env:NOPE\n',
      'FILE:4: targets[0].apiKey: the environment variable NOPE is not set',
    ],
    [
      'a base address with a password',
      'targets:\n  - name: a\n    baseUrl: https://u:p@x/v1\n    apiKey: env:KEY\n',
      'FILE:3: targets[0].baseUrl: expected an http or https address without user name, query or fragment, such as https://petstore.example.com/v1',
    ],
    [
      'listening for others without a token',
      `server:\n  host: 0.0.0.0\n${target('')}`,
      'FILE:2: server.host: others can reach "0.0.0.0": set server.token, or listen on 127.0.0.1',
    ],
    [
      'one name for two targets',
      `${target('')}  - name: production\n    baseUrl: https://x/v1\n    apiKey: env:KEY\n`,
      'FILE:5: targets[1].name: "production" is also the name of another target; give each target a unique name',
    ],
    ['no targets', 'data:\n  folder: x\n', 'FILE:1: the file: the field "targets" is missing'],
    ['broken YAML', 'targets:\n  - name: "a\n', 'FILE:'],
  ] as const)('It names line and field of %s.', ([, text, wanted]) => {
    expect(problemsOf(text)).toContain(wanted);
  });
});

describe('secretOf', () => {
  test('A file is read again when it was replaced, and what was read last serves while it is away.', () => {
    const file = join(ownFolder(), 'secret');
    writeFileSync(file, 'first\n');
    const get = secretOf(`file:${file}`, {});
    expect(get()).toBe('first');
    writeFileSync(`${file}.new`, 'second\n');
    renameSync(`${file}.new`, file);
    expect(get()).toBe('second');
    renameSync(file, `${file}.away`);
    expect(get()).toBe('second');
  });
});
