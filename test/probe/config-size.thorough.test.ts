import { expect, test } from 'vitest';
import { processorTime } from '../support/program.ts';
import { loadText } from './load-text.ts';

/** Generous: the tested defect took minutes. */
const SECONDS = 40_000;

function timed(text: string): { lines: string[]; milliseconds: number } {
  let lines: string[] = [];
  const milliseconds = processorTime(() => {
    lines = loadText(text).problems.split('\n');
  });
  return { lines, milliseconds };
}

const targets = (count: number, of: (index: number) => string): string =>
  `targets:\n${Array.from({ length: count }, (_unused, index) => of(index)).join('')}`;

test('The first fifty of thousands of mistakes are listed with their lines, and quickly.', () => {
  const wrong = (index: number): string => `  - { name: "t ${index}", baseUrl: "ftp://x", apiKey: plain, interval: soon }\n`;
  const { lines, milliseconds } = timed(targets(5_000, wrong));
  expect(lines).toHaveLength(51);
  expect(lines).toContain(
    'FILE:2: targets[0].name: expected 1 to 63 letters, digits, dots, hyphens, and underscores (it is a label of metrics), received "t 0"',
  );
  expect(lines.at(-1)).toBe('and 19,950 more problems');
  expect(milliseconds).toBeLessThan(SECONDS);
});

test('Too many targets are rejected quickly, whatever else is wrong with them.', () => {
  const { lines, milliseconds } = timed(targets(30_000, () => '  - { name: "t t", baseUrl: "ftp://x", apiKey: plain }\n'));
  expect(lines).toHaveLength(51);
  expect(lines.join('\n')).toContain('FILE:1: targets: expected at most 5000 of them, received a list of 30000');
  expect(milliseconds).toBeLessThan(SECONDS);
});

test('Mistakes that only a closer look finds are bounded, too.', () => {
  const same = '  - { name: same, baseUrl: "https://x/v1", apiKey: env:NOPE, waivers: [{ id: a.b, reason: r, expires: 2027-01-01 }] }\n';
  const { lines, milliseconds } = timed(targets(5_000, () => same));
  expect(lines).toHaveLength(51);
  expect(lines.at(-1)).toMatch(/^and [\d,]+ more problems$/);
  expect(milliseconds).toBeLessThan(SECONDS);
});

test('A mapping with a hundred thousand keys, and one with a repeated key among them, is read quickly.', () => {
  const keys = Array.from({ length: 100_000 }, (_unused, index) => `k${index}: 1\n`).join('');
  const { lines, milliseconds } = timed(`${keys}k5: 2\n`);
  expect(lines).toEqual(['FILE:100001: the key "k5" appears twice']);
  expect(timed(keys).lines).toHaveLength(51);
  expect(milliseconds).toBeLessThan(SECONDS);
});
