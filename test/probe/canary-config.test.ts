import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { loadText } from './load-text.ts';

const written = (lines: string, head = 'data: { folder: data }'): string =>
  `${head}\ntargets:\n  - name: production\n    baseUrl: https://petstore.example/v1\n    apiKey: env:KEY\n${lines}`;

describe('writes in the configuration', () => {
  test('A target without it is only read.', () => {
    expect(loadText(written('')).config?.targets[0]?.writes).toBeUndefined();
  });

  test('It is used as written, with a category beyond 2^53 as text.', () => {
    const { config } = loadText(written('    writes: { perDay: 24, lifetime: 500, categoryId: "9007199254740993" }\n'));
    expect(config?.targets[0]?.writes).toEqual({ perDay: 24, lifetime: 500, categoryId: 9_007_199_254_740_993n });
    const plain = loadText(written('    writes: { perDay: 1, lifetime: 1, categoryId: 5 }\n'));
    expect(plain.config?.targets[0]?.writes?.categoryId).toBe(5n);
  });

  test.for([
    ['no bound for ever', written('    writes:\n      perDay: 24\n'), 'FILE:6: targets[0].writes: the field "lifetime" is missing'],
    ['no bound a day', written('    writes:\n      lifetime: 24\n'), 'FILE:6: targets[0].writes: the field "perDay" is missing'],
    ['`true`', written('    writes: true\n'), 'FILE:6: targets[0].writes: expected a mapping of fields, received true'],
    [
      'none a day',
      written('    writes:\n      perDay: 0\n      lifetime: 5\n'),
      'FILE:7: targets[0].writes.perDay: expected at least 1, received 0',
    ],
    [
      'more than a thousand a day',
      written('    writes:\n      perDay: 1001\n      lifetime: 5000\n'),
      'FILE:7: targets[0].writes.perDay: expected at most 1000, received 1001',
    ],
    [
      'less for ever than a day',
      written('    writes:\n      perDay: 24\n      lifetime: 23\n'),
      'FILE:8: targets[0].writes.lifetime: expected at least perDay (24), received 23',
    ],
    [
      'a category that is no int64',
      written('    writes:\n      perDay: 1\n      lifetime: 1\n      categoryId: "9223372036854775808"\n'),
      'FILE:9: targets[0].writes.categoryId: expected an int64, received 9223372036854775808',
    ],
    [
      'no folder for the ledger',
      written('    writes: { perDay: 1, lifetime: 1 }\n', 'schedule: true'),
      'FILE:6: targets[0].writes: needs data.folder',
    ],
    [
      'no time to look for what was created',
      written('    interval: 5s\n    writes: { perDay: 1, lifetime: 1 }\n'),
      'FILE:7: targets[0].writes: expected a deadline of at least 8000 ms',
    ],
    [
      'all targets at once',
      written('', 'data: { folder: data }\ndefaults:\n  writes: { perDay: 1, lifetime: 1 }'),
      'FILE:3: defaults.writes: not a field of the configuration (set it on each target that may be written to)',
    ],
    [
      'a field that there is not',
      written('    writes:\n      perDay: 1\n      lifetime: 1\n      perHour: 1\n'),
      'FILE:9: targets[0].writes.perHour',
    ],
  ] as const)('Line and field are named of %s.', ([, text, wanted]) => {
    expect(loadText(text).problems).toContain(wanted);
  });

  test.for([
    ['the documentation', 'docs/canary.md', /```yaml\n(data: [^`]*writes: [^`]*)```/],
    ['the deployment', 'deploy/kubernetes/monitor.yaml', /monitor\.yaml: \|\n([\s\S]*?)---/],
  ] as const)('The example of %s is right once it is taken in.', ([, file, part]) => {
    const [, example = ''] = part.exec(readFileSync(file, 'utf8')) ?? [];
    const text = example.replace('# writes:', 'writes:').replaceAll(/"?file:[^\s"]+"?/g, 'env:KEY');
    const { config, problems } = loadText(text, { KEY: 'long enough for a token'.replaceAll(' ', '-') });
    expect(problems).toBe('');
    expect(config?.targets[0]?.writes).toEqual({ perDay: 4, lifetime: 2000, categoryId: 7n });
  });
});
