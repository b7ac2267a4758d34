import { expect, test } from 'vitest';
import type { Shown } from '../recorded/judge-recorded.ts';
import { costsNothing, worthOf } from './worth.ts';

const shown = (name: string, ...stimuli: readonly string[]): Shown => ({ name, requests: {}, stimuli, rules: [0] });
const conforming: readonly Shown[] = [
  { name: 'usual', requests: { lists: 6, reads: 4, walk: 90 }, stimuli: [], rules: [] },
  { name: 'slow', requests: { lists: 8, reads: 4, walk: 95 }, stimuli: [], rules: [] },
  { name: 'lagging', requests: { lists: 7, reads: 5, walk: 80 }, stimuli: [], rules: [] },
];

test('worthOf counts for each stimulus its requests, the faults that it shows, and those that nothing else shows.', () => {
  const faults = [shown('a', 'lists'), shown('b', 'lists', 'walk'), shown('c', 'reads', 'walk')];
  expect(worthOf({ faults, conforming })).toEqual([
    { stimulus: 'lists', requests: 7, shows: 2, only: ['a'] },
    { stimulus: 'walk', requests: 90, shows: 2, only: [] },
    { stimulus: 'reads', requests: 4, shows: 1, only: [] },
  ]);
});

test('costsNothing leaves out one at a time: of two that show the same faults, one stays.', () => {
  const faults = [shown('a', 'lists'), shown('b', 'reads', 'walk'), shown('c', 'reads', 'walk')];
  // Both show two: the one that sends more is removed.
  expect(costsNothing({ faults, conforming }).map(({ stimulus }) => stimulus)).toEqual(['walk']);
});

test('costsNothing keeps what a fault needs, however little it shows.', () => {
  const faults = [shown('a', 'lists'), shown('b', 'reads'), shown('c', 'walk')];
  expect(costsNothing({ faults, conforming })).toEqual([]);
});
