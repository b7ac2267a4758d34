import { expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { Halt, haltInconclusive, inconclusive } from '../clause/halt.ts';
import { startReference } from '../reference/server.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import { sendWith } from './kinds.ts';

async function withSession(seedAnimals: number, work: (open: OpenSession) => Promise<void>): Promise<void> {
  const reference = await startReference({ apiKey: KEY, seedAnimals });
  const open = await openSession(sessionOptions(reference.baseUrl, { readOnly: true }));
  try {
    await work(open);
  } finally {
    await open.session.close();
    await reference.close();
  }
}

test('sendWith sends with its needs, and requests nothing else', () =>
  withSession(3, async (open) => {
    let given: object = {};
    const send = async (_s: unknown, have: object) => {
      given = have;
    };
    expect(await sendWith(open.session, { needs: [], send })).toBeUndefined();
    expect(given).toEqual({});
    expect(open.requests()).toBe(0);
    expect(await sendWith(open.session, { needs: ['petList', 'readable'], send })).toBeUndefined();
    expect(Object.keys(given)).toEqual(['petList', 'readable']);
  }));

test('sendWith says why not everything was sent', () =>
  withSession(3, async ({ session }) => {
    const send = async () => haltInconclusive('no room', 'choice');
    expect(await sendWith(session, { needs: ['pets'], send })).toEqual(inconclusive('no room', 'choice'));
    await expect(sendWith(session, { needs: [], send: () => Promise.reject(new TypeError('a bug')) })).rejects.toThrow('a bug');
  }));

test('sendWith halts before anything is sent if a need cannot be established and has no substitute', () =>
  withSession(0, async ({ session }) => {
    const send = () => Promise.reject(new Error('it ran'));
    await expect(sendWith(session, { needs: ['readable'], send })).rejects.toBeInstanceOf(Halt);
  }));

test('sendWith sends in an empty store that creates nothing, and says what was lacking', () =>
  withSession(0, async ({ session }) => {
    const lacking = inconclusive('the store shows no animal, and a read-only run creates none', 'choice');
    let animals: number | undefined;
    const send = async (_s: unknown, { petList }: { petList: { pets: readonly unknown[] } }) => {
      animals = petList.pets.length;
      haltInconclusive('something else is missing', 'circumstance');
    };
    expect(await sendWith(session, { needs: ['petList'], send })).toEqual(lacking);
    expect(animals).toBe(0);
  }));
