import { expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { startReference } from '../../reference/server.ts';
import { statusOf } from '../expect.ts';
import { openSession } from '../open-session.ts';

test('invalid bodies that the service accepts leave a part of the write budget, even if all are sent at once', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 3, faults: ['number-name-accepted'] });
  const open = await openSession(sessionOptions(reference.baseUrl, { maxCreates: 40, concurrency: 4 }));
  const { session } = open;
  try {
    await open.start();
    const sent = Array.from({ length: 60 }, (_unused, index) => ({ value: { name: index, categoryId: 1 } }));
    const asked = sent.map((body) => session.api.create(body, { domain: 'invalid', clause: 'create.name-type' }));
    const answers = (await Promise.allSettled(asked)).flatMap((one) => (one.status === 'fulfilled' ? [statusOf(one.value)] : []));
    expect(new Set(answers)).toEqual(new Set([201]));
    expect(answers.length).toBeLessThan(40);
    expect((await session.fixtures.create()).id).toBeGreaterThan(0n);
  } finally {
    await session.close();
    await reference.close();
  }
});
