import { describe, expect, test } from 'vitest';
import { Halt } from '../../clause/halt.ts';
import type { Exchange, TransportReason } from '../../wire/exchange.ts';
import { type Breaker, createBreaker } from './circuit-breaker.ts';

const REQUEST = { method: 'GET', path: '/pets', query: '', headers: [], body: undefined } as const;
const INTENT: Exchange['request']['intent'] = {
  ...{ operation: 'listPets', credential: 'valid', credentialNote: 'the key', limit: 'absent', status: 'absent' },
  ...{ body: 'none', bodyClause: undefined, petId: undefined },
};

function exchange(outcome: Exchange['outcome']): Exchange {
  return {
    ...{ number: 1, request: { ...REQUEST, intent: INTENT }, timings: { startedAt: 0, duration: 1 }, retried: false, postponed: 0 },
    outcome,
  };
}

const failed = (reason: TransportReason, stale = false): Exchange =>
  exchange({ kind: 'failed', failure: { reason, message: 'it broke', stale } });
const responded = exchange({
  kind: 'answered',
  answer: { status: 200, headers: [], size: 2, text: '[]', json: { ok: false, problem: '' } },
});

/** A breaker whose probe requests get these responses, with the last one repeated. */
function breakerWith(...knocks: readonly Exchange[]) {
  const notices: string[] = [];
  let knocked = 0;
  let now = 0;
  const breaker = createBreaker({
    aliveRequest: async () => {
      now += 3_000;
      return knocks[Math.min(knocked++, knocks.length - 1)] ?? responded;
    },
    notice: (sentence) => notices.push(sentence),
    elapsed: () => now,
  });
  return { breaker, notices, knocks: () => knocked };
}

function note(breaker: Breaker, ...exchanges: readonly Exchange[]): void {
  for (const one of exchanges) breaker.note('a list', one);
}

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

describe('the breaker', () => {
  test.each([
    ['four failures of one kind', times(4, failed('timeout'))],
    ['failures of two kinds in turn', times(6, [failed('timeout'), failed('protocol')]).flat()],
    ['five failures with a response between', [...times(4, failed('connect')), responded, failed('connect')]],
    ['kept connections that are closed', times(6, failed('protocol', true))],
    ['thirty-nine deadlines in all', times(39, [failed('timeout'), responded]).flat()],
  ])('lets requests through after %s', async (_name, exchanges) => {
    const { breaker } = breakerWith();
    note(breaker, ...exchanges);
    await expect(breaker.check('a read')).resolves.toBeUndefined();
  });

  test.each([
    [
      'five failures of one kind in a row, and no probe got a response',
      times(5, failed('protocol')),
      /5 transport failures in a row \(protocol\)/,
    ],
    ['forty deadlines in all', times(40, [failed('timeout'), responded]).flat(), /40 requests timed out/],
  ])('halts after %s, at the latest failure', async (_name, exchanges, words) => {
    const { breaker } = breakerWith();
    note(breaker, ...exchanges);
    const halt = await breaker.check('a read').catch((error: unknown) => error);
    expect(halt).toBeInstanceOf(Halt);
    expect((halt as Halt).unsent).toMatchObject({
      kind: 'stopped',
      missing: expect.stringMatching(words),
      exchange: 1,
    });
  });

  test('tests whether the service still responds, and then stops sending only what failed repeatedly', async () => {
    const { breaker, knocks } = breakerWith(responded);
    note(breaker, responded, ...times(8, failed('protocol')));
    await expect(breaker.check('a read')).resolves.toBeUndefined();
    expect(knocks()).toBe(1);
    const halt = await breaker.check('a list').catch((error: unknown) => error);
    expect((halt as Halt).unsent).toMatchObject({
      kind: 'stopped',
      missing: expect.stringContaining('8 requests of this kind'),
    });
    note(breaker, ...times(8, responded));
    await expect(breaker.check('a list')).resolves.toBeUndefined();
  });

  test('stops sending what times out with each of many parameters', async () => {
    const { breaker } = breakerWith(responded);
    breaker.note('a list of 5 sold', responded);
    breaker.note('a list of 6 sold', failed('timeout'), 'lists of sold');
    breaker.note('a list of 7 sold', failed('timeout'), 'lists of sold');
    const halt = await breaker.check('a list of 8 sold', 'lists of sold').catch((error: unknown) => error);
    expect((halt as Halt).unsent).toMatchObject({ kind: 'stopped', missing: expect.stringContaining('lists of sold') });
    breaker.note('a list of 9 sold', responded, 'lists of sold');
    await expect(breaker.check('a list of 8 sold', 'lists of sold')).resolves.toBeUndefined();
  });

  test('continues with what gets a response more often than not', async () => {
    const { breaker } = breakerWith(responded);
    note(breaker, ...times(4, [failed('protocol'), responded, responded]).flat());
    await expect(breaker.check('a list')).resolves.toBeUndefined();
  });

  test('waits once for a service that responded before and refuses connections, and reports the restart', async () => {
    const { breaker, notices, knocks } = breakerWith(failed('connect'), responded);
    note(breaker, responded, ...times(5, failed('connect')));
    await Promise.all([breaker.check('a read'), breaker.check('a read')]);
    expect(knocks()).toBe(2);
    expect(notices).toEqual([expect.stringMatching(/no connection for 6\.0 s from 0\.0 s .* restarted/)]);
    note(breaker, ...times(5, failed('connect')));
    await expect(breaker.check('a read')).rejects.toBeInstanceOf(Halt);
    expect(knocks()).toBe(2);
  });

  test('waits once for a service that responded before and breaks off whatever it is sent', async () => {
    const { breaker, notices, knocks } = breakerWith(failed('protocol'), failed('protocol'), responded);
    note(breaker, responded, ...times(5, failed('protocol')));
    await expect(breaker.check('a read')).resolves.toBeUndefined();
    expect(knocks()).toBe(3);
    expect(notices).toEqual([expect.stringMatching(/no complete response for .* it was down/)]);
    note(breaker, ...times(5, failed('timeout')));
    await expect(breaker.check('another read')).resolves.toBeUndefined();
  });

  test('gives up a service that does not come back', async () => {
    const { breaker, notices } = breakerWith(failed('connect'));
    note(breaker, responded, ...times(5, failed('connect')));
    await expect(breaker.check('a read')).rejects.toBeInstanceOf(Halt);
    expect(notices.join()).toContain('has accepted no connections');
  });

  test('names the proxy that ends all requests, and not the service', async () => {
    const message = 'no connection: the proxy proxy.test:3128 asks for a login';
    const login = exchange({ kind: 'failed', failure: { reason: 'connect', message, stale: false, party: 'proxy' } });
    const { breaker, notices } = breakerWith(login);
    note(breaker, responded, ...times(5, login));
    await expect(breaker.check('a read')).rejects.toMatchObject({ unsent: { missing: message } });
    expect(notices).toEqual([expect.stringMatching(/^The proxy has accepted no connections/)]);
  });

  test('does not wait for a service that never responded', async () => {
    const { breaker, knocks } = breakerWith();
    note(breaker, ...times(5, failed('connect')));
    await expect(breaker.check('a read')).rejects.toBeInstanceOf(Halt);
    expect(knocks()).toBe(0);
  });

  test('forgets earlier failures on reset', async () => {
    const { breaker } = breakerWith();
    note(breaker, ...times(5, failed('protocol')));
    breaker.reset();
    await expect(breaker.check('a read')).resolves.toBeUndefined();
  });
});
