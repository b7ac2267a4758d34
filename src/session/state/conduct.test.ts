import { describe, expect, test } from 'vitest';
import { listed, posted, RIGHT_KEY, read } from '../../../test/support/exchange-samples.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { createConductLog } from './conduct.ts';

const WITHOUT = { credential: { note: 'no Authorization header', standing: 'refused', headers: [] } } as const;
const error = (status: number) => ({ status, body: { code: 'x', message: 'y', status } });
const list = { status: 200, body: [{ id: 1, name: 'Rex', categoryId: 1 }] };

function conductOf(...exchanges: readonly Exchange[]) {
  const log = createConductLog();
  for (const exchange of exchanges) log.take(exchange);
  return log.conduct();
}

describe('createConductLog', () => {
  test('counts every response that asked to wait, those that were waited for included', () => {
    const limited = listed({}, { status: 429 });
    const unavailable = listed({}, { status: 503, headers: [['retry-after', '1']] });
    expect(conductOf({ ...limited, postponed: 6 }, unavailable, listed({}, { status: 503 }), listed({}, 'timeout')).askedToWait).toBe(8);
  });

  test.each<[string, Exchange, readonly string[]]>([
    ['a list without the key', listed({}, error(401), WITHOUT), ['listPets']],
    ['a list without the key that is forbidden', listed({}, error(403), WITHOUT), ['listPets']],
    ['a list without the key that is shown', listed({}, list, WITHOUT), []],
    ['a list without the key that is limited', listed({}, error(429), WITHOUT), []],
    ['a list with the key', listed({}, error(400)), []],
    ['an invalid body', posted({}, error(400), { domain: 'invalid' }), ['createPet']],
    ['an invalid body that is called unprocessable', posted({}, error(422), { domain: 'invalid' }), ['createPet']],
    ['an invalid body that is too large', posted({}, error(413), { domain: 'invalid' }), []],
    ['an invalid body with the key rejected', posted({}, error(401), { domain: 'invalid' }), []],
    ['an invalid body without the key', posted({}, error(401), { domain: 'invalid', ...WITHOUT }), []],
    ['a plain body', posted({}, error(400)), []],
    ['an id that no animal has', read(7n, error(404)), ['getPet']],
    ['an id that is none', read('x', error(404)), []],
  ])('classifies %s', (_case, exchange, rejects) => {
    expect(conductOf(exchange).rejects).toEqual(rejects);
  });

  test('knows what was accepted with the key, and whether a list showed an animal', () => {
    expect(conductOf(listed({}, { status: 200, body: [] }))).toMatchObject({ accepts: ['listPets'], listsAnimals: false });
    expect(conductOf(listed({}, list), read(1n, error(404)))).toMatchObject({ accepts: ['listPets'], listsAnimals: true });
    expect(conductOf(listed({}, list, WITHOUT))).toMatchObject({ accepts: [], listsAnimals: false });
  });

  const rejected = () => listed({}, error(401));
  const accepted = () => listed({}, list);
  test.each<[string, readonly Exchange[], boolean]>([
    ['accepted once and then never again', [accepted(), rejected(), rejected(), rejected()], true],
    [
      'accepted by a request that was under way',
      [accepted(), rejected(), { ...accepted(), timings: { startedAt: 0, duration: 9e9 } }, rejected(), rejected()],
      true,
    ],
    ['never accepted', [rejected(), rejected(), rejected()], false],
    ['rejected now and then', [accepted(), rejected(), rejected(), rejected(), accepted()], false],
    ['rejected once at the end', [accepted(), rejected()], false],
    ['asked to wait with', [accepted(), rejected(), rejected(), rejected(), listed({}, error(429), { credential: RIGHT_KEY })], true],
  ])('tells a key that is %s', (_case, exchanges, lockedOut) => {
    expect(conductOf(...exchanges).lockedOut).toBe(lockedOut);
  });

  const crashed = () => listed({}, error(500));
  const rejectedByCrash = (): Exchange => {
    const letter = listed({}, error(500), WITHOUT);
    return { ...letter, received: letter.outcome, outcome: listed({}, error(401), WITHOUT).outcome };
  };
  const four = () => [crashed(), crashed(), crashed(), crashed()];
  test.each<[string, readonly Exchange[], number]>([
    ['eight 5xx in a row', [...four(), ...four()], 8],
    ['seven of them', [...four(), crashed(), crashed(), crashed()], 0],
    ['some that are read as rejected credentials', [...four(), rejectedByCrash(), ...four()], 9],
    ['a right response in between', [...four(), accepted(), ...four()], 0],
    ['501 in between', [...four(), listed({}, error(501)), ...four()], 0],
  ])('sees the outage in %s', (_case, exchanges, failed) => {
    expect(conductOf(...exchanges).outage).toHaveLength(failed);
  });
});
