import { describe, expect, test } from 'vitest';
import { listed, posted } from '../../../test/support/exchange-samples.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { createDialect } from '../dialect.ts';
import { petOf } from '../read-exchange.ts';
import { createSeeker } from './nameless-creations.ts';

const created = (name: string): Exchange => posted({ name, categoryId: 1n }, { status: 204 });

/** A session that receives these creations, whose responses name no animal, and in which a list shows these animals. */
async function sought(creations: readonly Exchange[], animals: readonly { id: number; name: string }[]) {
  const dialect = createDialect();
  const body = animals.map((animal) => ({ ...animal, categoryId: 1, status: 'available' }));
  const seeker = createSeeker({ dialect, list: async (query) => listed(query, { status: 200, body }) });
  for (const exchange of creations) {
    dialect.note(exchange);
    await seeker.seek(exchange);
  }
  return creations.map((exchange) => {
    const { outcome } = dialect.read(exchange);
    const named = outcome.kind === 'answered' && outcome.answer.json.ok;
    return named ? petOf(dialect.read(exchange)).id : undefined;
  });
}

describe('createSeeker', () => {
  test('finds each creation under the name that it sent', async () => {
    const animals = [
      { id: 1, name: 'Rex' },
      { id: 2, name: 'Mia' },
    ];
    expect(await sought([created('Rex'), created('Mia')], animals)).toEqual([1n, 2n]);
  });

  test('does not decide which of two listed animals with the name was created', async () => {
    const twice = [
      { id: 1, name: 'Rex' },
      { id: 2, name: 'Rex' },
    ];
    expect(await sought([created('Rex'), created('Rex')], twice)).toEqual([undefined, undefined]);
  });

  test('assigns no animal to two creations if a full page shows only the first with the name', async () => {
    expect(await sought([created('Rex'), created('Rex')], [{ id: 1, name: 'Rex' }])).toEqual([1n, undefined]);
  });
});
