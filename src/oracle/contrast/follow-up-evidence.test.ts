import { describe, expect, test } from 'vitest';
import { knowledgeOf, listed, read } from '../../../test/support/exchange-samples.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { eventOf, worldOf } from '../world.ts';
import type { Unit } from './conditions.ts';
import { contrastOfFollowUps, FOLLOW_UP, isFollowUp } from './follow-up-evidence.ts';
import { contextOf } from './units.ts';

const FINE = { status: 200, body: [] };
const MISSING = { status: 404, body: {} };

/** A request that is sent after so many milliseconds; `again`: it is the one that is asked about, and `broken` whether it is wrong. */
type Sent = {
  readonly exchange: Exchange;
  readonly again?: true;
  readonly broken?: boolean;
  readonly idle?: number;
  /** It takes so long that what follows is sent while it is in flight. */
  readonly slow?: boolean;
};

const LIST = listed({}, FINE);
const ask = (broken: boolean, more: Partial<Sent> = {}): Sent => ({ exchange: LIST, again: true, broken, ...more });

/** What is special about the requests that are asked about. */
function unitsOf(all: readonly Sent[]): readonly Unit[] {
  let moment = 0;
  const events = all.map(({ exchange, idle = 1, slow = false }, index) => {
    const startedAt = moment + idle;
    moment = startedAt + (slow ? 0 : 1);
    return eventOf({ ...exchange, number: index + 1, timings: { startedAt, duration: slow ? 50 : 1 } });
  });
  const { ofEvent } = contextOf(worldOf(events, knowledgeOf()));
  return events.flatMap((event, index) => {
    const { again, broken = false } = all[index] ?? {};
    return again === true ? [{ event, broken, circumstances: ofEvent(event) }] : [];
  });
}

const many = (count: number, make: (index: number) => Sent): readonly Sent[] =>
  Array.from({ length: count }, (_unused, index) => make(index));
const when = (again: readonly Sent[], before: readonly Sent[] = []) => contrastOfFollowUps(unitsOf(again), unitsOf(before))?.when;

/** Asked after a list, after an unknown id, and after itself, twice each. */
function inTurn(isBroken: (after: 'list' | 'unknown id' | 'itself') => boolean): readonly Sent[] {
  const round = [
    { exchange: listed({ limit: 5 }, FINE) },
    ask(isBroken('list')),
    ask(isBroken('itself')),
    { exchange: read(7n, MISSING) },
    ask(isBroken('unknown id')),
  ];
  return [...round, ...round];
}

describe('contrastOfFollowUps', () => {
  test('names the request right before, where all that come after it are broken and no other is', () => {
    const found = contrastOfFollowUps(unitsOf(inTurn((after) => after === 'unknown id')), []);
    expect(found).toMatchObject({
      when: 'right after GET /pets/{petId} returned 404',
      there: { broken: 2, of: 2 },
      elsewhere: { broken: 0, of: 4 },
      asked: true,
    });
  });

  test('names what only the one broken request has, where it is broken each time it is sent again', () => {
    const limits = (broken: number): readonly Sent[] =>
      many(30, (index) => ({ exchange: listed({ limit: index + 1 }, FINE), again: true, broken: index + 1 === broken }));
    const again = many(8, () => ({ exchange: listed({ limit: 13 }, FINE), again: true, broken: true }));
    expect(contrastOfFollowUps(unitsOf(again), unitsOf(limits(13)))).toMatchObject({
      when: 'with limit=13',
      there: { broken: 9, of: 9 },
      elsewhere: { broken: 0, of: 29 },
      asked: true,
    });
    // Of two things that only it has, nobody knows which one it is.
    const two = listed({ limit: 13 }, FINE, { rawQuery: 'other=1' });
    const before = [...limits(0), { exchange: two, again: true, broken: true } as const];
    expect(
      when(
        many(8, () => ({ exchange: two, again: true, broken: true })),
        before.filter((_one, index) => index !== 12),
      ),
    ).toBeUndefined();
  });

  test('names a header that was changed alone, where the request is right with it or without it each time', () => {
    const packed = (broken: boolean): Sent => {
      const { request, ...rest } = LIST;
      return {
        exchange: { ...rest, request: { ...request, headers: [...request.headers, ['accept-encoding', 'gzip']] } },
        again: true,
        broken,
      };
    };
    const again = many(12, () => ask(true));
    expect(when([...again, packed(false), packed(false), ask(true)], again)).toBe('without accept-encoding');
    expect(when([...again, packed(false), packed(true), ask(true)], again)).toBeUndefined();
    // One that is right by chance is no evidence.
    expect(when([...again, packed(false), ask(true)], again)).toBeUndefined();
  });

  test('takes no parameters for the reason where animals are missing, and only full lists are right: these prove nothing', () => {
    const list = (limit: number, broken: boolean): Sent => ({ exchange: listed({ limit }, FINE), again: true, broken });
    // An animal that was there before fills a list of one.
    const known = { exchange: listed({ limit: 99 }, { status: 200, body: [{ id: 1, name: 'Rex', categoryId: 1, status: 'sold' }] }) };
    const again = unitsOf([known, ...many(8, () => list(100, true)), ...many(4, () => list(50, true)), ...many(8, () => list(1, false))]);
    expect(contrastOfFollowUps(again, [])?.when).toBeDefined();
    expect(contrastOfFollowUps(again, [], { areAnimals: true })).toBeUndefined();
  });

  test('does not take a rejection for right: it says nothing about the header that it lacks', () => {
    const { request } = LIST;
    const without = (status: number): Sent => {
      const rejected = listed({}, { status, body: {} });
      return {
        exchange: { ...rejected, request: { ...request, headers: [...request.headers, ['accept', '*/*']] } },
        again: true,
        broken: false,
      };
    };
    const again = many(12, () => ask(true));
    expect(when([...again, without(403), without(403), ask(true)], again)).toBeUndefined();
    expect(when([...again, without(200), without(200), ask(true)], again)).toMatch(/accept/);
  });

  test('names no lists that a wrong animal is in, but a status of which all lists are wrong', () => {
    const lists = (isBroken: (status: string | undefined) => boolean): readonly Sent[] =>
      many(24, (index) => {
        const status = ([undefined, 'available', 'pending', 'sold'] as const)[index % 4];
        const exchange = listed({ limit: 20 + (index % 6), ...(status === undefined ? {} : { status }) }, FINE);
        return { exchange, again: true, broken: isBroken(status) };
      });
    const first = many(4, () => ({ exchange: listed({ status: 'available' }, FINE), again: true, broken: true }));
    expect(when([...first, ...lists((status) => status === undefined || status === 'available')])).toBeUndefined();
    expect(when([...first, ...lists((status) => status === 'available')])).toBe('with status=available');
  });

  test('names the same request right before', () => {
    expect(when(inTurn((after) => after === 'itself'))).toBe('right after a request to the same URL');
  });

  test('names a pause', () => {
    const paused = [...many(6, () => ask(false)), ask(true, { idle: 120 }), ask(false), ask(true, { idle: 125 })];
    expect(when(paused)).toBe('after 0.12 s or more without any request');
  });

  test('names company', () => {
    const beside = [...many(6, () => ask(false)), { exchange: LIST, slow: true }, ask(true), ask(true, { idle: 5 })];
    expect(when(beside)).toBe('while another request is under way');
  });

  test.each([2, 3, 7])('counts: every %ith', (length) => {
    const found = contrastOfFollowUps(unitsOf(many(30, (index) => ask(index % length === length - 1))), []);
    expect(found?.when).toMatch(new RegExp(`^every ${length}`));
    expect(found?.elsewhere.broken).toBe(0);
  });

  test('names a parameter, where several lists with it are broken and those without it are not', () => {
    const asked = (parameters: Parameters<typeof listed>[0], broken: boolean): Sent => ({
      exchange: listed(parameters, FINE),
      again: true,
      broken,
    });
    const without = [...many(8, () => ask(true)), ...[1, 5, 20, 100].map((limit) => asked({ limit }, true))];
    const filtered = (['available', 'pending', 'sold'] as const).flatMap((status) => [
      asked({ status }, false),
      asked({ status, limit: 100 }, false),
    ]);
    expect(when([...without, ...filtered])).toBe('without a status');
    expect(when([...many(8, () => ask(true)), ...filtered])).toBeUndefined();
    const some = [1, 20, 42, 60, 100].map((limit) => asked({ limit }, limit === 20 || limit === 100));
    expect(when([...many(8, () => ask(true)), ...some, ...filtered])).toBeUndefined();
  });

  test('says nothing of what is broken irregularly, each time, or once', () => {
    expect(when(many(30, (index) => ask([3, 5, 11, 12, 19].includes(index))))).toBeUndefined();
    expect(when(inTurn(() => true))).toBeUndefined();
    expect(when([...many(8, () => ask(false)), { exchange: read(7n, MISSING) }, ask(true)])).toBeUndefined();
  });

  test('says nothing that the run contradicts', () => {
    const before = [ask(false), { exchange: LIST }, ask(true), { exchange: LIST }, ask(true)];
    expect(
      when(
        inTurn((after) => after === 'unknown id'),
        before,
      ),
    ).toBeUndefined();
  });

  test('says that only the first requests were broken, where no later one is', () => {
    const before = many(60, (index) => ask(index < 2));
    const later = many(30, () => ask(false));
    expect(contrastOfFollowUps(unitsOf(later), unitsOf(before))).toMatchObject({
      when: 'in the first 2 requests of its kind',
      there: { broken: 2, of: 2 },
      elsewhere: { broken: 0, of: 58 },
    });
    expect(when([...later, ask(true)], before)).toBeUndefined();
    // The last one of the run is as alone.
    expect(
      when(
        later,
        many(60, (index) => ask(index === 59)),
      ),
    ).toBeUndefined();
    expect(
      when(
        many(10, () => ask(false)),
        before,
      ),
    ).toBeUndefined();
    expect(
      when(
        later,
        many(60, (index) => ask(index === 0 || index === 30)),
      ),
    ).toBeUndefined();
  });

  test('names the header of the one request that is broken each time, and headers that were sent together', () => {
    const withHeaders = (...headers: readonly (readonly [string, string])[]) => ({
      ...LIST,
      request: { ...LIST.request, headers: [...LIST.request.headers, ...headers] },
    });
    const told = (...headers: readonly (readonly [string, string])[]) => {
      const exchange = withHeaders(...headers);
      const before = [...many(8, () => ask(false)), ask(true, { exchange })];
      // The plain request is sent again as well.
      return when([...many(6, () => ask(true, { exchange })), ask(false)], before);
    };
    expect(told(['user-agent', 'curl/8.14.1'])).toBe('with `user-agent: curl/8.14.1`');
    expect(told(['forwarded', 'host=a'], ['x-forwarded-host', 'a'])).toBe('with the headers forwarded and x-forwarded-host');
    const other = ask(true, { exchange: withHeaders(['x-forwarded-host', 'a']) });
    expect(when([...many(6, () => other), ask(false)], [...many(8, () => ask(false)), other, ask(true)])).toBeUndefined();
  });
});

test('what is sent to find out is known by who asks', () => {
  const asked = Object.values(FOLLOW_UP).map((asker) => eventOf({ ...LIST, request: { ...LIST.request, asker } }));
  expect([...asked, eventOf(LIST)].map(isFollowUp)).toEqual([true, true, true, false]);
});
