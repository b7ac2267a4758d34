import { expect, test } from 'vitest';
import { EQUIVALENTS } from '../../src/session/client/equivalent.ts';
import type { Operation } from '../../src/wire/exchange.ts';
import { judgeReference } from '../prove/judge-reference.ts';

const HEADERS = EQUIVALENTS.read.flatMap(({ headers = [] }) => headers.map(([name, value]) => `${name}: ${value}`));

test.each([20261121, 5, 77])('with seed %i each operation gets the further headers of clients, with the API key', async (seed) => {
  const met: Record<Operation, Set<string>> = { listPets: new Set(), getPet: new Set(), createPet: new Set() };
  await judgeReference(
    {},
    {
      session: { seed },
      onExchange({ request: { intent, headers } }) {
        if (intent.credential !== 'valid') return;
        for (const [name, value] of headers) met[intent.operation].add(`${name.toLowerCase()}: ${value.trim()}`);
      },
    },
  );
  for (const [operation, seen] of Object.entries(met))
    expect(
      HEADERS.filter((header) => !seen.has(header)),
      operation,
    ).toEqual([]);
});
