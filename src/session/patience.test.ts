import { describe, expect, test } from 'vitest';
import { createPatience } from './patience.ts';

describe('createPatience', () => {
  test('waits for the whole window while no clause about existing animals is broken', () => {
    const patience = createPatience(2_000);
    patience.broken('errors.shape');
    expect(patience.window()).toBe(2_000);
  });

  test('waits for a tenth of the window once a clause about existing animals is broken', () => {
    const patience = createPatience(2_000);
    patience.broken('list.complete');
    expect(patience.window()).toBe(200);
  });

  test('waits longer than a broken service has needed for what it did show, and never beyond the window', () => {
    const patience = createPatience(2_000);
    patience.served(800);
    patience.broken('get.success');
    expect(patience.window()).toBe(1_200);
    patience.served(1_900);
    expect(patience.window()).toBe(2_000);
  });
});
