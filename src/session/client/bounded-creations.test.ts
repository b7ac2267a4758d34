import { expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { statusOf } from '../../expect/expect.ts';
import { startReference } from '../../reference/server.ts';
import { openSession } from '../open-session.ts';

test('many invalid bodies at once do not look like a spent write budget', async () => {
  const reference = await startReference({ apiKey: KEY, seedAnimals: 3 });
  const open = await openSession(sessionOptions(reference.baseUrl, { maxCreates: 8, concurrency: 4 }));
  const { session } = open;
  try {
    await open.start();
    const sent = Array.from({ length: 40 }, (_unused, index) => ({ value: { name: index } }));
    const answers = await session.all(sent, (body) => session.api.create(body, { domain: 'invalid', clause: 'create.name-type' }));
    expect(answers.map(statusOf)).toEqual(sent.map(() => 400));
    // The budget is as it was: an animal can still be created.
    expect((await session.fixtures.create()).id).toBeGreaterThan(0n);
  } finally {
    await session.close();
    await reference.close();
  }
});
