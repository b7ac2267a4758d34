import { describe, expect, test } from 'vitest';
import { sharedLookup } from './shared-lookup.ts';

const ask = (name: string): Promise<unknown> =>
  new Promise((resolve) => sharedLookup(name, { all: true }, (error, addresses) => resolve(error?.code ?? addresses)));

describe('sharedLookup', () => {
  test('Concurrent lookups of a name get the same result, and so do later ones.', async () => {
    const [first, second] = await Promise.all([ask('localhost'), ask('localhost')]);
    expect(first).toEqual(expect.arrayContaining([expect.objectContaining({ address: '127.0.0.1' })]));
    expect(second).toBe(first);
    expect(await ask('localhost')).toEqual(first);
  });

  test('An error is passed to each of them.', async () => {
    const codes = await Promise.all([ask('service.invalid'), ask('service.invalid')]);
    expect(codes[0]).toMatch(/^(?:ENOTFOUND|EAI_AGAIN)$/);
    expect(codes[1]).toBe(codes[0]);
  });
});
