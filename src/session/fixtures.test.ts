import { expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { startReference } from '../reference/server.ts';
import { openSession } from './open-session.ts';
import { statusOf } from './read-exchange.ts';

test('the first creations are one plain NewPet without a status and one of each status, for all callers', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 3 });
  const open = await openSession(sessionOptions(reference.baseUrl));
  const { session } = open;
  try {
    await open.start();
    const [one, other] = await Promise.all([session.fixtures.firstCreations(), session.fixtures.firstCreations()]);
    expect(one.map(({ sent }) => sent.status)).toEqual([undefined, 'available', 'pending', 'sold']);
    expect(one.map(({ exchange }) => statusOf(exchange))).toEqual([201, 201, 201, 201]);
    expect(other).toBe(one);
  } finally {
    await session.close();
    await reference.close();
  }
});
