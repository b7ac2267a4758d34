import { expect, test } from 'vitest';
import { history } from '../../test/support/history.ts';
import type { Exchange } from './exchange.ts';
import { experiment } from './experiment.ts';

const run = history();
for (let index = 0; index < 6; index += 1) run.add({}, { status: 200, body: [] });
const world = run.now();

/** `E` is exposed, `e` exposed and wrong, `C` a control, `c` a control that is wrong. */
function brokenIn(trials: string, key?: string): number {
  const cases = experiment({
    trials: ({ exchanges }) =>
      [...trials].map((one, index) => ({
        exchange: exchanges[index] as Exchange,
        isExposed: /e/i.test(one),
        isWrong: one === one.toLowerCase(),
        ...(key === undefined ? {} : { key }),
      })),
    ...{ least: 2, share: 0.5, controls: 2 },
    breach: ({ exchange }) => ({ summary: `${exchange.number}`, expected: [], received: '' }),
  })(world);
  return cases.filter(({ breach }) => breach !== undefined).length;
}

test.each([
  ['eeCC', 2],
  ['eECC', 0],
  ['eEeCC', 2],
  ['eeC', 0],
  ['eeCc', 0],
  ['EECC', 0],
])('%s breaks in %i', (trials, broken) => {
  expect(brokenIn(trials)).toBe(broken);
});

test('the same request again proves no more', () => {
  expect([brokenIn('eeCC'), brokenIn('eeCC', 'GET /pets')]).toEqual([2, 0]);
});
