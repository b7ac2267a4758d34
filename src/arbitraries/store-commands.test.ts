import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PetView } from '../schema/pet.ts';
import { type StoreCommand, type StoreUnderTest, storeCommands } from './store-commands.ts';
import { StoreModel } from './store-model.ts';

/** A store in memory; `forgetful` loses the first animal when it creates the third. */
function memoryStore(calls: string[], forgetful: boolean): StoreUnderTest {
  const pets: PetView[] = [];
  let count = 0;
  return {
    async create({ status }) {
      calls.push('create');
      count += 1;
      const sent = { name: `pet${count}`, categoryId: 1n, ...(status === undefined ? {} : { status }) };
      const answered = { id: BigInt(count), name: sent.name, categoryId: 1n, status: status ?? 'available', gaps: [], json: {} } as const;
      pets.push(answered);
      if (forgetful && count === 3) pets.shift();
      return { sent, answered };
    },
    async list({ limit = 20, status }) {
      calls.push('list');
      return pets.filter((pet) => status === undefined || pet.status === status).slice(0, limit);
    },
    async read(id) {
      calls.push('read');
      return pets.find((pet) => pet.id === id) ?? 'absent';
    },
    async refuseBody() {
      calls.push('refuseBody');
      return 'refused';
    },
    async refuseCredential() {
      calls.push('refuseCredential');
    },
  };
}

function runs(options: { writes: boolean; forgetful: boolean; calls?: string[] }): fc.IAsyncProperty<[Iterable<StoreCommand>]> {
  return fc.asyncProperty(storeCommands({ apiKey: 'secret', writes: options.writes, most: 12 }), async (commands) => {
    const real = memoryStore(options.calls ?? [], options.forgetful);
    await fc.asyncModelRun(() => ({ model: new StoreModel([]), real }), commands);
  });
}

describe('storeCommands', () => {
  it('finds nothing wrong with a store that keeps what it is given', async () => {
    await fc.assert(runs({ writes: true, forgetful: false }), { numRuns: 300, seed: 3 });
  });

  it('finds a store that loses animals, and shrinks to a few creations and what shows the loss', async () => {
    const details = await fc.check(runs({ writes: true, forgetful: true }), { numRuns: 500, seed: 3 });
    expect(details.failed).toBe(true);
    const text = String(details.counterexample?.[0]);
    // A step inside "together" cannot be taken out of it when only one is left beside it.
    expect(text.match(/create/g)?.length).toBeLessThanOrEqual(4);
    expect(text.split(',').length).toBeLessThanOrEqual(7);
  });

  it('neither creates nor sends bodies where writes are not allowed', async () => {
    const calls: string[] = [];
    await fc.assert(runs({ writes: false, forgetful: false, calls }), { numRuns: 100, seed: 3 });
    expect([...new Set(calls)].sort()).toEqual(['list', 'refuseCredential']);
  });
});
