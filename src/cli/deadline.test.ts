import { expect, test } from 'vitest';
import { createRunDeadline, resolveDeadline } from './deadline.ts';

const ALL = { only: [], skip: [], failed: undefined, rate: 0, deadline: undefined };

test.each([
  ['nothing is said', ALL, 300],
  ['the rate allows more than that', { ...ALL, rate: 100 }, 300],
  ['the rate needs more: one and a half times the requests', { ...ALL, rate: 2 }, 1_500],
  ['there shall be none', { ...ALL, deadline: 0, rate: 1 }, undefined],
  ['one is given', { ...ALL, deadline: 60 }, 60],
  ['one is given that the rate just allows', { ...ALL, rate: 10, deadline: 200 }, 200],
  ['a selection makes the run shorter than can be told', { ...ALL, only: ['list.*'], rate: 1, deadline: 5 }, 5],
  ['only what failed is sent again', { ...ALL, failed: true, rate: 1, deadline: 5 } as const, 5],
])('resolveDeadline, when %s', (_case, configuration, seconds) => {
  expect(resolveDeadline(configuration, 2_000)).toBe(seconds);
});

test('resolveDeadline rejects one that the request rate cannot meet, and shows the calculation', () => {
  expect(() => resolveDeadline({ ...ALL, rate: 10, deadline: 199 }, 2_000)).toThrow(
    '--deadline 199 is too short for --rate 10: 2,000 requests at 10 a second take 200 s; allow more of either, or no deadline with 0',
  );
});

test('the deadline of a run follows the rate that the service allows, unless it was set', () => {
  const configuration = { ...ALL, depth: 'standard', readOnly: false } as const;
  const deadline = createRunDeadline(configuration);
  for (const [allowedRate, seconds] of [
    [undefined, 300],
    [4.5, 597],
    [30, 300],
  ] as const) {
    deadline.note(allowedRate);
    expect(deadline.seconds()).toBe(seconds);
  }
  for (const [set, seconds] of [
    [40, 40],
    [0, undefined],
  ] as const) {
    const own = createRunDeadline({ ...configuration, deadline: set });
    own.note(4.5);
    expect(own.seconds()).toBe(seconds);
  }
});
