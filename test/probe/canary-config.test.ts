import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../src/probe/config/config.ts';
import { loadConfig } from '../../src/probe/config/load-config.ts';
import { ownFolder } from '../support/own-folder.ts';

function load(text: string) {
  const file = join(ownFolder(), 'monitor.yaml');
  writeFileSync(file, text);
  try {
    return { config: loadConfig(file, { KEY: 'a-key' }), problems: '' };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: undefined, problems: error.message.replaceAll(file, 'FILE') };
  }
}

const written = (lines: string, head = 'data: { folder: data }'): string =>
  `${head}\ntargets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n${lines}`;

describe('writes in the configuration', () => {
  test('A target without it is only read.', () => {
    expect(load(written('')).config?.targets[0]?.writes).toBeUndefined();
  });

  test('It is taken over as it stands, a category beyond 2^53 as text.', () => {
    const { config } = load(written('    writes: { perDay: 24, lifetime: 500, categoryId: "9007199254740993" }\n'));
    expect(config?.targets[0]?.writes).toEqual({ perDay: 24, lifetime: 500, categoryId: 9_007_199_254_740_993n });
    const plain = load(written('    writes: { perDay: 1, lifetime: 1, categoryId: 5 }\n'));
    expect(plain.config?.targets[0]?.writes?.categoryId).toBe(5n);
  });

  test.for([
    ['no bound for ever', written('    writes:\n      perDay: 24\n'), 'FILE:6: targets[0].writes lacks the field "lifetime"'],
    ['no bound a day', written('    writes:\n      lifetime: 24\n'), 'FILE:6: targets[0].writes lacks the field "perDay"'],
    ['`true`', written('    writes: true\n'), 'FILE:6: targets[0].writes must be object'],
    ['none a day', written('    writes:\n      perDay: 0\n      lifetime: 5\n'), 'FILE:7: targets[0].writes.perDay must be >= 1'],
    [
      'more than a thousand a day',
      written('    writes:\n      perDay: 1001\n      lifetime: 5000\n'),
      'FILE:7: targets[0].writes.perDay must be <= 1000 (Animals created in a day',
    ],
    [
      'less for ever than a day',
      written('    writes:\n      perDay: 24\n      lifetime: 23\n'),
      'FILE:8: targets[0].writes.lifetime of 23 is less than perDay (24)',
    ],
    [
      'a category that is no int64',
      written('    writes:\n      perDay: 1\n      lifetime: 1\n      categoryId: "9223372036854775808"\n'),
      'FILE:9: targets[0].writes.categoryId is no int64',
    ],
    [
      'no folder for the ledger',
      written('    writes: { perDay: 1, lifetime: 1 }\n', 'schedule: true'),
      'FILE:6: targets[0].writes needs data.folder',
    ],
    [
      'no time to look for what was created',
      written('    interval: 5s\n    writes: { perDay: 1, lifetime: 1 }\n'),
      'FILE:7: targets[0].writes needs a deadline of at least 8000 ms',
    ],
    [
      'all targets at once',
      written('', 'data: { folder: data }\ndefaults:\n  writes: { perDay: 1, lifetime: 1 }'),
      'FILE:3: defaults.writes is not a field of the configuration (a target that may be written to says so itself)',
    ],
    [
      'a field that there is not',
      written('    writes:\n      perDay: 1\n      lifetime: 1\n      perHour: 1\n'),
      'FILE:9: targets[0].writes.perHour',
    ],
  ] as const)('Line and field are named of %s.', ([, text, wanted]) => {
    expect(load(text).problems).toContain(wanted);
  });

  test.for([
    ['the documentation', 'docs/probe.md', /```yaml\n(data: [^`]*writes: [^`]*)```/],
    ['the deployment', 'deploy/kubernetes/monitor.yaml', /monitor\.yaml: \|\n([\s\S]*?)---/],
  ] as const)('The example of %s is right once it is taken in.', ([, file, part]) => {
    const [, example = ''] = part.exec(readFileSync(file, 'utf8')) ?? [];
    const text = example.replace('# writes:', 'writes:').replaceAll(/"?file:[^\s"]+"?/g, 'env:KEY');
    const { config, problems } = load(text);
    expect(problems).toBe('');
    expect(config?.targets[0]?.writes).toEqual({ perDay: 4, lifetime: 2000, categoryId: 7n });
  });
});
