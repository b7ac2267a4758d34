import { expect, test } from 'vitest';
import { createMemory } from './run-memory.ts';

const noNames = (): string[] => [];

test('createMemory returns the same value for the same function, and another one for others', () => {
  const remember = createMemory();
  remember(noNames).push('Rex');
  expect(remember(noNames)).toEqual(['Rex']);
  expect(remember((): string[] => [])).toEqual([]);
});

test('createMemory keeps each run apart from the others', () => {
  createMemory()(noNames).push('Rex');
  expect(createMemory()(noNames)).toEqual([]);
});

test('createMemory makes a value once, even undefined', () => {
  const remember = createMemory();
  let made = 0;
  const nothing = (): undefined => {
    made += 1;
  };
  remember(nothing);
  remember(nothing);
  expect(made).toBe(1);
});
