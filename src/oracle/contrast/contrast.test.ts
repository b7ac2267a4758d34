import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { knowledgeOf, listed, posted, read } from '../../../test/support/exchange-samples.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { BlamedCase } from '../blame.ts';
import { timelineCases } from '../timelines.ts';
import { eventOf, type Rule, worldOf } from '../world.ts';
import { contrastsIn } from './contrast.ts';

const FINE = { status: 200, body: [] };
const CRASH = { status: 500, body: {} };
const breach = { summary: 's', expected: ['200'], received: '500' };

/** What a run says about these exchanges, of which those with 500 are broken. */
function contrast(
  exchanges: readonly Exchange[],
  animalOf: (exchange: Exchange) => bigint | undefined = () => undefined,
  isLasting = false,
) {
  const events = exchanges.map((exchange, index) =>
    eventOf({ ...exchange, number: index + 1, timings: { startedAt: 10 * index, duration: 5 } }),
  );
  const rule: Rule = { layer: 'status', judge: () => 'holds' };
  const cases = events.map((event): BlamedCase => {
    const animal = animalOf(event.exchange);
    const about = { event, rule, ...(animal === undefined ? {} : { animal }) };
    return event.status === 500 ? { ...about, breach, ...(isLasting ? { wrongs: [] } : {}) } : about;
  });
  return contrastsIn(worldOf(events, knowledgeOf()), new Map()).contrastOf(cases);
}

const limits = (most: number, isBroken: (limit: number) => boolean): readonly Exchange[] =>
  Array.from({ length: most }, (_unused, index) => listed({ limit: index + 1 }, isBroken(index + 1) ? CRASH : FINE));

const refused = (sent: Parameters<typeof listed>[0]): Exchange['request'] => {
  const { request } = listed(sent, FINE);
  return { ...request, intent: { ...request.intent, credential: 'refused', credentialNote: 'no credential' } };
};

const withHeader = (exchange: Exchange, name: string, value: string): Exchange => ({
  ...exchange,
  request: { ...exchange.request, headers: [...exchange.request.headers, [name, value]] },
});

describe('contrastsIn', () => {
  test('names a parameter that all broken requests have and no good one', () => {
    const lists = Array.from({ length: 40 }, (_unused, index) => {
      const status = (['available', 'pending', 'sold'] as const)[index % 3] ?? 'sold';
      return listed({ status }, status === 'sold' ? CRASH : FINE);
    });
    expect(contrast(lists)).toMatchObject({
      when: 'with status=sold',
      there: { broken: 13, of: 13 },
      elsewhere: { broken: 0, of: 27 },
      unit: 'response',
    });
  });

  test('names what most of the broken cases have and hardly a good one', () => {
    const lists = (isBroken: (index: number) => boolean): readonly Exchange[] =>
      Array.from({ length: 600 }, (_unused, index) => {
        const parameters = index % 20 === 0 ? ({ status: 'sold', limit: 1 + (index % 90) } as const) : { limit: 1 + (index % 90) };
        return listed(parameters, isBroken(index) ? CRASH : FINE);
      });
    const others = [7, 133, 344];
    expect(contrast(lists((index) => index % 20 === 0 || others.includes(index)))).toMatchObject({
      when: 'with both a limit and a status',
      there: { broken: 30, of: 30 },
      elsewhere: { broken: 3, of: 570 },
      doubtful: true,
    });
  });

  test('names a threshold, and the nearest request that passes', () => {
    const found = contrast(limits(60, (limit) => limit > 40));
    expect(found).toMatchObject({ when: 'with a limit of 41 or more', there: { broken: 20, of: 20 }, elsewhere: { broken: 0, of: 40 } });
    expect(found?.twin?.intent.limit).toBeLessThan(41);
  });

  test('names no moment from which on a store is damaged: it says when that was seen first', () => {
    const lists = Array.from({ length: 60 }, (_unused, index) => listed({}, index < 30 ? FINE : CRASH));
    expect(contrast(lists)?.when).toMatch(/after the start/);
    expect(contrast(lists, () => undefined, true)).toBeUndefined();
  });

  test('names what most responses to a damaged store have only if others are right later: early ones prove nothing', () => {
    const listsOf = (isPlain: (index: number) => boolean) =>
      Array.from({ length: 60 }, (_unused, index) => (isPlain(index) ? listed({}, FINE) : listed({ limit: 5 }, CRASH)));
    expect(contrast(listsOf((index) => index < 15))?.when).toBe('with parameters');
    expect(
      contrast(
        listsOf((index) => index < 15),
        () => undefined,
        true,
      ),
    ).toBeUndefined();
    expect(
      contrast(
        listsOf((index) => index % 4 === 0),
        () => undefined,
        true,
      )?.when,
    ).toBe('with parameters');
  });

  test('names a header that few requests have', () => {
    const german = (exchange: Exchange): Exchange => withHeader(exchange, 'accept-language', 'de');
    const lists = [...limits(50, () => false), german(listed({ limit: 7 }, CRASH)), ...limits(90, () => false), german(listed({}, CRASH))];
    expect(contrast(lists)).toMatchObject({
      when: 'with `accept-language: de`',
      there: { broken: 2, of: 2 },
      elsewhere: { broken: 0, of: 140 },
    });
  });

  test('names a header that only the good ones have', () => {
    const packed = (exchange: Exchange): Exchange => withHeader(exchange, 'accept-encoding', 'gzip');
    const lists = Array.from({ length: 30 }, (_unused, index) => (index % 3 === 0 ? packed(listed({}, FINE)) : listed({}, CRASH)));
    expect(contrast(lists)).toMatchObject({
      when: 'without accept-encoding',
      there: { broken: 20, of: 20 },
      elsewhere: { broken: 0, of: 10 },
    });
  });

  test('names the form in which header fields are written', () => {
    const inCapitals = ({ request, ...rest }: Exchange): Exchange => ({
      ...rest,
      request: { ...request, headers: request.headers.map(([name, value]) => [name.toUpperCase(), value] as const) },
    });
    const lists = [
      ...limits(60, () => false),
      inCapitals(listed({ limit: 3 }, CRASH)),
      ...limits(60, () => false),
      inCapitals(listed({ limit: 40 }, CRASH)),
    ];
    expect(contrast(lists)).toMatchObject({ when: 'with header fields in capitals', there: { broken: 2, of: 2 } });
  });

  test('names what was sent right before on the same connection', () => {
    const onConnection = (exchange: Exchange, id: number, turn: number): Exchange => {
      const { outcome } = exchange;
      return outcome.kind === 'failed'
        ? exchange
        : { ...exchange, outcome: { kind: 'answered', answer: { ...outcome.answer, connection: { id, turn } } } };
    };
    const afterRejection = (id: number): readonly Exchange[] => [
      onConnection(read(1n, { status: 404, body: {} }), id, 1),
      onConnection(listed({}, CRASH), id, 2),
      onConnection(listed({}, FINE), id, 3),
    ];
    const all = Array.from({ length: 12 }, (_unused, index) => [...afterRejection(index), listed({}, FINE)]).flat();
    expect(contrast(all)).toMatchObject({
      when: 'on a connection on which GET /pets/{petId} has just returned 404',
      there: { broken: 12, of: 12 },
    });
  });

  test('names two circumstances together where one alone does not tell', () => {
    const statuses = ['available', 'pending', 'sold', undefined] as const;
    const lists = Array.from({ length: 160 }, (_unused, index) => {
      const [status, limit] = [statuses[index % 4], (index % 5) + 1];
      return listed({ limit, ...(status === undefined ? {} : { status }) }, status === 'sold' && limit === 3 ? CRASH : FINE);
    });
    expect(contrast(lists)).toMatchObject({ when: 'with limit=3 and with status=sold', there: { broken: 8, of: 8 } });
  });

  test('says that it is each time, or each time of an operation', () => {
    expect(contrast(limits(10, () => true))).toMatchObject({ there: { broken: 10, of: 10 }, elsewhere: { of: 0 } });
    expect(contrast(limits(10, () => true))?.when).toBeUndefined();
    const reads = Array.from({ length: 10 }, (_unused, index) => read(BigInt(index), CRASH));
    expect(contrast([...limits(10, () => false), ...reads])).toMatchObject({ when: 'in GET /pets/{petId}', there: { broken: 10, of: 10 } });
  });

  test('says nothing of what chance may have made, or of what nothing tells apart', () => {
    expect(contrast(limits(60, (limit) => limit === 13))).toBeUndefined();
    expect(
      contrast(Array.from({ length: 40 }, (_unused, index) => listed({}, index % 7 === 3 || index % 11 === 5 ? CRASH : FINE))),
    ).toBeUndefined();
    expect(contrast([])).toBeUndefined();
  });

  test('says that it is nearly each time, and not what the others have of their own', () => {
    const lists = (right: (index: number) => boolean) =>
      Array.from({ length: 60 }, (_unused, index) => listed(index % 30 === 0 ? {} : { limit: 5 }, right(index) ? FINE : CRASH));
    const found = contrast(lists((index) => index === 0));
    expect(found).toMatchObject({ there: { broken: 59, of: 60 }, elsewhere: { of: 0 } });
    expect(found?.when).toBeUndefined();
    expect(contrast(lists((index) => index % 20 === 7))).toBeUndefined();
  });

  test('does not name two animals by their ids', () => {
    const reads = Array.from({ length: 60 }, (_unused, index) => read(BigInt(index), index === 7 || index === 30 ? CRASH : FINE));
    expect(contrast(reads, ({ request: { intent } }) => intent.petId)).toBeUndefined();
  });

  test('counts animals, by how they were created', () => {
    const status = (index: number) => (index % 2 === 0 ? ('sold' as const) : undefined);
    const animals = Array.from({ length: 30 }, (_unused, index) => {
      const sent = { name: 'rex', categoryId: 1n, ...(status(index) === undefined ? {} : { status: 'sold' as const }) };
      const id = BigInt(index + 1);
      return [
        posted(sent, { status: 201, body: { id: index + 1, ...sent, categoryId: 1 } }),
        read(id, status(index) === 'sold' ? FINE : CRASH),
      ];
    }).flat();
    const found = contrast(animals, ({ request: { intent } }) => intent.petId);
    expect(found).toMatchObject({ when: 'for animals created without a status', unit: 'animal', there: { broken: 15, of: 15 } });
  });

  test('names who created animals, where all of the run are broken and no others, and not their ids', () => {
    const seeds = Array.from({ length: 7 }, (_unused, index) =>
      read(BigInt(index + 1), { status: 200, body: { id: index + 1, name: 'Rex', categoryId: 1 } }),
    );
    const created = Array.from({ length: 30 }, (_unused, index) => {
      const sent = { name: 'rex', categoryId: 1n };
      return [posted(sent, { status: 201, body: { id: index + 9, name: 'rex', categoryId: 1 } }), read(BigInt(index + 9), CRASH)];
    }).flat();
    const found = contrast([...seeds, ...created], ({ request: { intent } }) => intent.petId);
    expect(found).toMatchObject({
      when: 'for animals that this run created',
      there: { broken: 30, of: 30 },
      elsewhere: { broken: 0, of: 7 },
    });
  });

  test('names no company where what is sent alone is broken, too', () => {
    const lists = Array.from({ length: 100 }, (_unused, index) => listed({}, index % 10 === 0 ? FINE : CRASH));
    const events = lists.map((exchange, index) => {
      // Four of five are in flight together with another one; of those that are alone, three of ten are broken.
      const isAlone = index >= 80;
      return eventOf({
        ...exchange,
        number: index + 1,
        timings: { startedAt: isAlone ? 10_000 + 20 * index : 10 * index, duration: isAlone ? 5 : 25 },
      });
    });
    const rule: Rule = { layer: 'status', judge: () => 'holds' };
    const cases = events.map(
      (event): BlamedCase => (event.number < 80 || event.number % 3 === 0 ? { event, rule, breach } : { event, rule }),
    );
    const found = contrastsIn(worldOf(events, knowledgeOf()), new Map()).contrastOf(cases);
    expect(found?.when ?? '').not.toContain('under way');
  });

  test('names a range of numbers that were sent on purpose', () => {
    expect(contrast(limits(90, (limit) => limit >= 40 && limit <= 45))).toMatchObject({
      when: 'with a limit of 40 to 45',
      there: { broken: 6, of: 6 },
      elsewhere: { broken: 0, of: 84 },
    });
  });

  test('names what divides all ids', () => {
    const reads = Array.from({ length: 60 }, (_unused, index) => read(BigInt(index + 1), (index + 1) % 5 === 0 ? CRASH : FINE));
    expect(contrast(reads)).toMatchObject({ when: 'for ids that 5 divides', there: { broken: 12, of: 12 } });
  });

  test('names anything but what most good requests have', () => {
    const accepting = (value: string) => withHeader(listed({}, value === 'application/json' ? FINE : CRASH), 'accept', value);
    const others = ['*/*', 'text/html', 'application/*', 'text/plain', 'text/csv'];
    const lists = Array.from({ length: 60 }, (_unused, index) =>
      accepting(index % 6 === 0 ? (others[(index / 6) % others.length] ?? '*/*') : 'application/json'),
    );
    expect(contrast(lists)).toMatchObject({ when: 'without `accept: application/json`', there: { broken: 10, of: 10 } });
  });

  test('does not count requests without the API key where nothing is broken without it', () => {
    const all = Array.from({ length: 80 }, (_unused, index) => {
      const sent = { status: (['available', 'sold'] as const)[index % 2] ?? 'sold' };
      return index < 40 ? listed(sent, index % 2 === 1 ? CRASH : FINE) : { ...listed(sent, FINE), request: refused(sent) };
    });
    expect(contrast(all)).toMatchObject({ when: 'with status=sold', there: { broken: 20, of: 20 }, elsewhere: { broken: 0, of: 20 } });
  });

  test('says among which responses a condition tells', () => {
    const all = Array.from({ length: 80 }, (_unused, index) => {
      const sent = { status: (['available', 'sold'] as const)[index % 2] ?? 'sold' };
      return index < 40 ? listed(sent, index % 2 === 1 ? CRASH : FINE) : listed({ ...sent, limit: 0 }, FINE);
    });
    expect(contrast(all)).toMatchObject({ when: 'with status=sold and where the document requires 200', there: { broken: 20, of: 20 } });
  });

  test('says what is invalid in a query, and leaves the rest of it as it is', () => {
    const invalid = (query: string, response: Parameters<typeof listed>[1]): Exchange => {
      const { request, ...rest } = listed({ limit: 1 }, response);
      return { ...rest, request: { ...request, query, intent: { ...request.intent, limit: 'open', status: 'open' } } };
    };
    const queries = ['limit=0', 'limit=1.5', 'limit=101', 'limit', 'limit=2&limit=3', 'status=sold&status=sold'];
    const all = [...Array.from({ length: 60 }, () => listed({ status: 'sold' }, FINE)), ...queries.map((query) => invalid(query, FINE))];
    const told = (...broken: readonly string[]) => contrast([...all, ...broken.map((query) => invalid(query, CRASH))])?.when;
    expect(told('status=', 'status=SOLD', 'status=%20', 'limit=3&status=x')).toBe('with an invalid status');
    expect(told('limit=abc', 'limit=5e0', 'limit=%2B5')).toBe('with a limit that is not a number');
  });

  test('does not name what most bodies are: the others are special in many ways', () => {
    const creations = Array.from({ length: 60 }, (_unused, index) =>
      posted(
        { name: index < 50 ? `Rex${'x'.repeat(17)}` : 'y'.repeat(index), categoryId: 1n },
        index < 50 ? CRASH : { status: 201, body: {} },
      ),
    );
    expect(contrast(creations)?.when ?? '').not.toContain('name');
  });

  test('does not name what a single case has of its own', () => {
    const lists = limits(60, () => false).map((exchange, index) =>
      index === 30 ? withHeader(listed({ limit: 31 }, CRASH), 'x-one', '1') : exchange,
    );
    expect(contrast(lists)).toBeUndefined();
  });

  test('names a period where nothing else tells, whatever some requests come too late or are not judged', () => {
    const lists = Array.from({ length: 200 }, (_unused, index) => listed({ limit: (index % 13) + 1 }, index % 12 === 5 ? CRASH : FINE));
    expect(contrast(lists)).toMatchObject({
      when: 'about every 12th valid GET /pets',
      there: { broken: 17, of: 17 },
      elsewhere: { of: 183 },
    });
    const uneven = lists.map((exchange, index) => (index === 77 ? listed({}, FINE) : index === 78 ? listed({}, CRASH) : exchange));
    expect(contrast(uneven)?.when).toBe('about every 12th valid GET /pets');
  });

  test('names no period of what comes by chance', () => {
    const chance = fc.sample(fc.nat(11), { seed: 7, numRuns: 200 });
    const lists = chance.map((draw, index) => listed({ limit: (index % 13) + 1 }, draw === 5 ? CRASH : FINE));
    expect(contrast(lists)).toBeUndefined();
  });

  test('names characters of a name, and words of a header', () => {
    const creations = Array.from({ length: 60 }, (_unused, index) =>
      posted(
        { name: `rex${index % 20 === 7 ? '+' : '-'}${'x'.repeat(index % 9)}`, categoryId: 1n },
        index % 20 === 7 ? CRASH : { status: 201, body: {} },
      ),
    );
    expect(contrast(creations)).toMatchObject({ when: 'with `+` in the name', there: { broken: 3, of: 3 } });
    const lists = Array.from({ length: 60 }, (_unused, index) =>
      withHeader(listed({}, index % 9 === 4 ? CRASH : FINE), 'accept-encoding', index % 9 === 4 ? `br;q=0.${(index % 4) + 1}` : 'gzip'),
    );
    expect(contrast(lists)).toMatchObject({ when: 'with `br` in accept-encoding', there: { broken: 7, of: 7 } });
  });

  test('names what divides all limits but the broken ones', () => {
    expect(contrast(limits(60, (limit) => limit % 5 !== 0))).toMatchObject({ when: 'with a limit that 5 does not divide' });
  });

  test('names how a wrong token is like the API key, and does not say the key', () => {
    const key = 'k7TgHs-29xQ';
    const withToken = (token: string, credentialNote: string, isBroken = false): Exchange => {
      const { request, ...rest } = listed({}, isBroken ? CRASH : FINE);
      const intent = { ...request.intent, ...(token === key ? {} : { credential: 'refused' as const, credentialNote }) };
      return { ...rest, request: { ...request, headers: [['authorization', `Bearer ${token}`]], intent } };
    };
    const others = Array.from({ length: 30 }, (_unused, index) => withToken(`${index}abcdefghij`, `a random token ${index}`));
    const found = contrast([
      withToken(key, 'the API key'),
      ...others,
      ...[4, 5, 6, 7, 8, 9, 10].map((count) => withToken(`${key.slice(0, count)}${'?'.repeat(count)}`, `a near miss ${count}`, count > 5)),
    ]);
    expect(found).toMatchObject({ when: 'with a token that begins with 6 or more characters of the API key', there: { broken: 5, of: 5 } });
    expect(JSON.stringify(found?.when)).not.toContain(key.slice(0, 3));
  });

  test('does not take the API key of clients that a service may reject for a wrong one', () => {
    const by = (credential: 'valid' | 'open', headers: readonly (readonly [string, string])[], answer: typeof FINE | typeof CRASH) => {
      const { request, ...rest } = listed({}, answer);
      const intent = { ...request.intent, credential, credentialNote: 'the API key' };
      return { ...rest, request: { ...request, headers: [['authorization', 'Bearer k7TgHs-29xQ'] as const, ...headers], intent } };
    };
    const usual = Array.from({ length: 30 }, () => by('valid', [['user-agent', 'a/1']], FINE));
    const vague = Array.from({ length: 5 }, () => by('open', [], CRASH));
    expect(contrast([...usual, ...vague])?.when).toBe('without user-agent');
  });

  test('lists what was sent on purpose, where each of a few such things is broken each time', () => {
    const notes = ['a comment', 'NaN', 'single quotes', 'a trailing comma', 'two values', 'no body'];
    const sent = (isBroken: (note: string, time: number) => boolean) =>
      [0, 1].flatMap((time) =>
        notes.map((bodyNote) => {
          const { request, ...rest } = posted('{', isBroken(bodyNote, time) ? CRASH : { status: 400, body: {} });
          return { ...rest, request: { ...request, intent: { ...request.intent, bodyNote: `with ${bodyNote}` } } };
        }),
      );
    expect(contrast(sent((note) => note === 'NaN' || note === 'two values'))?.when).toBe('with a body with NaN or two values');
    expect(contrast(sent((note, time) => note === 'NaN' || (note === 'two values' && time === 0)))?.when ?? '').not.toContain('two values');
  });

  test('names what broken requests lack and good ones have: a word of a header, a member', () => {
    const wanting = (accept: string, index: number): Exchange =>
      withHeader(listed({ limit: (index % 10) + 1 }, accept.includes('application/json') ? FINE : CRASH), 'accept', accept);
    const accepts = ['application/json', 'text/html, application/json', '*/*', 'Application/JSON', 'text/*'];
    const lists = Array.from({ length: 60 }, (_unused, index) =>
      wanting(accepts[index % 7 === 3 ? 2 + (index % 3) : index % 2] ?? '', index),
    );
    expect(contrast(lists)).toMatchObject({ when: 'without `application/json` in accept', there: { broken: 9, of: 9 } });
  });

  test('names a usual form of the status where those with another are all right', () => {
    const values = ['lost', 'gone', 'Sold', null, 3, true];
    const bodies = Array.from({ length: 60 }, (_unused, index) => {
      const status = values[index % 10 < 7 ? index % 3 : 3 + (index % 3)];
      return posted({ name: 'rex', categoryId: 1, status }, typeof status === 'string' ? CRASH : { status: 400, body: {} });
    });
    expect(contrast(bodies)).toMatchObject({ when: 'with a string as status', there: { broken: 42, of: 42 }, elsewhere: { of: 18 } });
  });

  test('names a missing Authorization header though nearly all lack it, and says that all at paths of the document are broken', () => {
    const unknown = (query: string, reply: typeof FINE | typeof CRASH, authorization?: string): Exchange => {
      const { request, ...rest } = listed({}, reply);
      const intent = { ...request.intent, credential: 'refused', credentialNote: 'no credential' } as const;
      return {
        ...rest,
        request: { ...request, query, headers: authorization === undefined ? [] : [['authorization', authorization]], intent },
      };
    };
    const open = Array.from({ length: 40 }, (_unused, index) => unknown(`limit=${index + 1}`, CRASH));
    expect(contrast([...open, unknown('limit=3', FINE, ''), unknown('limit=4', FINE, '')])).toMatchObject({
      when: 'without an Authorization header',
      there: { broken: 40, of: 40 },
    });
    const elsewhere = (index: number): Exchange => {
      const { request, ...rest } = unknown(`x=${index}`, index % 2 === 0 ? FINE : CRASH);
      return { ...rest, request: { ...request, path: `/pets${'/'.repeat(index)}`, intent: { ...request.intent, undocumented: true } } };
    };
    const found = contrast([...open.slice(0, 10), elsewhere(1), elsewhere(2), elsewhere(3), elsewhere(4)]);
    expect(found).toMatchObject({ there: { broken: 10, of: 10 }, elsewhere: { of: 0 } });
    expect(found?.when).toBeUndefined();
  });

  test('names a population of which all are broken, and few others', () => {
    const keyless = Array.from({ length: 40 }, (_unused, index): Exchange => {
      const sent = { limit: (index % 20) + 1 };
      return { ...listed(sent, CRASH), request: refused(sent) };
    });
    const others = (isBroken: (index: number) => boolean) =>
      Array.from({ length: 120 }, (_unused, index) => listed({ limit: (index % 24) + 1 }, isBroken(index) ? CRASH : FINE));
    expect(contrast([...others((index) => [3, 34, 77, 101].includes(index)), ...keyless])).toMatchObject({
      when: 'where the document requires 401',
      there: { broken: 40, of: 40 },
      elsewhere: { broken: 4, of: 120 },
    });
    expect(contrast([...others((index) => index % 8 === 3), ...keyless])?.when).not.toBe('where the document requires 401');
  });

  test('names the form of a path', () => {
    const at = (path: string, isBroken: boolean): Exchange => {
      const { request, ...rest } = listed({}, isBroken ? CRASH : FINE);
      return { ...rest, request: { ...request, path, intent: { ...request.intent, undocumented: true } } };
    };
    const paths = ['//pets', '/pets//', '/./pets', '/PETS', '/pets;a', '/pets.json', '/%70ets', '/pets/.', '/Pets', '/pets;b'];
    expect(contrast(paths.map((path) => at(path, path.includes('//'))))?.when).toBe('with a doubled slash in the path');
  });

  test('names a limit wherever it stands in the query, and a status that is one but for its letter case', () => {
    const repeated = ['limit=1&limit=2', 'limit=2&limit=1'].map((query): Exchange => {
      const { request, ...rest } = listed({}, CRASH);
      return { ...rest, request: { ...request, query, intent: { ...request.intent, limit: 'open' } } };
    });
    const plain = [1, 1, 1, ...Array.from({ length: 30 }, (_unused, index) => index + 2)].map((limit) =>
      listed({ limit }, limit === 1 ? CRASH : FINE),
    );
    expect(contrast([...plain, ...repeated])).toMatchObject({ when: 'with limit=1', there: { broken: 5, of: 5 } });
    const other = Array.from({ length: 36 }, (_unused, index) => `status ${index}`);
    const created = ['SOLD', 'Sold', 'Pending', 'PENDING', 'Available', 'sOLD', ...other].map((status, index) =>
      posted({ name: 'rex', categoryId: 1, status }, index < 6 ? CRASH : { status: 400, body: {} }),
    );
    expect(contrast(created)?.when).toBe('with a status in other letter case');
  });

  test('names malformed percent-encoding, and a limit beyond 64 bits', () => {
    const paths = [
      '/pets/%FF',
      '/pets/%41',
      '/pets/a%20b',
      '/pets/1%C3%28',
      ...Array.from({ length: 20 }, (_unused, index) => `/pets/x${index}`),
    ];
    const at = (path: string): Exchange => {
      const { request, ...rest } = read(1n, /%FF|%C3/.test(path) ? CRASH : { status: 400, body: {} });
      return { ...rest, request: { ...request, path, intent: { ...request.intent, petId: undefined } } };
    };
    expect(contrast(paths.map(at))?.when).toBe('with percent-encoding in the path that is malformed or not UTF-8');
    const odd = ['99999999999999999999', '9223372036854775808', '-9223372036854775809', '2147483648', '101', '0', '-1', 'many', ''];
    const limited = (text: string): Exchange => {
      const { request, ...rest } = listed({}, text.length >= 19 ? CRASH : { status: 400, body: {} });
      return { ...rest, request: { ...request, query: `limit=${text}`, intent: { ...request.intent, limit: 'open' } } };
    };
    expect(contrast([...limits(40, () => false), ...odd.map(limited)])?.when).toBe('with a limit beyond 64 bits');
  });

  test('names the name of an earlier creation', () => {
    const names = Array.from({ length: 40 }, (_unused, index) => `Pet ${index % 13 === 12 ? index - 3 : index}`);
    const all = names.map((name, index) => posted({ name, categoryId: 1 }, index % 13 === 12 ? CRASH : { status: 201, body: {} }));
    expect(contrast(all)).toMatchObject({ when: 'with the name of an earlier creation', there: { broken: 3, of: 3 } });
  });

  test('names that others are under way where a race is lost now and then, and never without', () => {
    const races = (isLost: (index: number) => boolean) => {
      const all = Array.from({ length: 60 }, (_unused, index) => ({ ...listed({}, isLost(index) ? CRASH : FINE), index }));
      // The first forty are sent in pairs.
      const events = all.map(({ index, ...exchange }) =>
        eventOf({ ...exchange, number: index + 1, timings: { startedAt: 100 * (index < 40 ? index - (index % 2) : index), duration: 50 } }),
      );
      const cases = events.map(
        (event): BlamedCase => ({ event, rule: { layer: 'status', judge: () => 'holds' }, ...(event.status === 500 ? { breach } : {}) }),
      );
      return contrastsIn(worldOf(events, knowledgeOf()), new Map()).contrastOf(cases)?.when;
    };
    expect(races((index) => index < 40 && index % 2 === 1 && index % 8 !== 5)).toBe('while another request is under way');
    expect(races((index) => index % 8 === 3) ?? '').not.toContain('under way');
  });

  test('tells what rejected creations have in common that others show to be stored', () => {
    const sent = (status: string, index: number): Exchange => {
      const { request, ...rest } = posted({ name: `Pet ${index}`, categoryId: 1, status }, { status: 400, body: {} });
      const bodyClause = status === 'gone' ? 'create.status-invalid' : 'create.category-type';
      return { ...rest, request: { ...request, intent: { ...request.intent, body: 'invalid', bodyClause } } };
    };
    const exchanges = ['gone', 'sold', 'gone', 'sold', 'sold', 'sold', 'gone', 'sold'].map(sent);
    const events = [...exchanges, listed({}, FINE)].map((exchange, index) =>
      eventOf({ ...exchange, number: index + 1, timings: { startedAt: 10 * index, duration: 5 } }),
    );
    const [list, rule] = [events.at(-1), { layer: 'history', judge: () => 'holds' } as const satisfies Rule];
    if (list === undefined) throw new Error('no list');
    const cases = [0, 2, 6].map(
      (at): BlamedCase => ({
        event: list,
        rule,
        breach: { ...breach, ...(events[at] === undefined ? {} : { origin: events[at].exchange }) },
      }),
    );
    const known = knowledgeOf();
    const rejected = new Map(events.slice(0, -1).map(({ exchange }, index) => [`Pet ${index}`, exchange]));
    const found = contrastsIn(worldOf(events, { ...known, refusedNames: rejected }), new Map()).contrastOf(cases);
    expect(found).toMatchObject({ when: 'with an invalid status', there: { broken: 3, of: 3 }, elsewhere: { broken: 0, of: 4 } });
  });

  test('names the whole of what is broken rather than two things that most of it is', () => {
    const gone = (index: number): Exchange => {
      const { request, ...rest } = read(BigInt(1_000 + index), { status: 404, body: {} });
      // Whether a segment that is no integer is 400 or 404 is open.
      const intent = index < 6 ? { ...request.intent, petId: undefined } : request.intent;
      return { ...rest, request: { ...request, intent, path: index < 6 ? `/pets/x${index}` : request.path } };
    };
    const turnedAway = (index: number): Exchange => {
      const { request, ...rest } = read(BigInt(1_000 + index), { status: 401, body: {} });
      return { ...rest, request: { ...request, intent: { ...request.intent, credential: 'refused', credentialNote: 'no credential' } } };
    };
    const numbers = Array.from({ length: 40 }, (_unused, index) => index);
    // In no order that would tell one from the other.
    const exchanges = numbers.flatMap((index) =>
      (index * index) % 7 < 2 ? [gone(index), turnedAway(index)] : [turnedAway(index), gone(index)],
    );
    const events = [...exchanges, ...limits(60, () => false)].map((exchange, index) =>
      eventOf({ ...exchange, number: index + 1, timings: { startedAt: 10 * index, duration: 5 } }),
    );
    const rule: Rule = { layer: 'schema', judge: () => 'holds' };
    const all = events.map((event): BlamedCase => ({ event, rule, ...(event.status === 404 ? { breach } : {}) }));
    // The clause is about errors; other clauses judge the lists.
    const [own, lists] = [all.slice(0, exchanges.length), all.slice(exchanges.length)];
    const judged = new Map([['errors.shape', own] as const, ['media.json', lists] as const]);
    expect(contrastsIn(worldOf(events, knowledgeOf()), judged).contrastOf(own)?.when).toBe('in 404 responses');
  });

  test('names the headers of lists that omit animals, whatever full lists have, and whatever was sent before an animal was known', () => {
    const pets = (...ids: readonly number[]) => ids.map((id) => ({ id, name: 'Rex', categoryId: 1, status: 'sold' }));
    const list = (ids: readonly number[], limit = 100): Exchange => listed({ limit }, { status: 200, body: pets(...ids) });
    const odd = (ids: readonly number[], limit?: number): Exchange =>
      ['status', 'limit'].reduce((exchange, name) => withHeader(exchange, name, '1'), list(ids, limit));
    const all = [1, 2, 3, 4, 5];
    const exchanges = [odd([2]), ...Array.from({ length: 120 }, () => list(all)), odd([2]), odd([2], 1), odd([2]), odd([2]), list(all)];
    const events = exchanges.map((exchange, index) =>
      eventOf({ ...exchange, number: index + 1, timings: { startedAt: 100 * index, duration: 5 } }),
    );
    const world = worldOf(events, knowledgeOf());
    const rule: Rule = { layer: 'history', judge: () => 'holds' };
    const cases = timelineCases(world, 'list.complete').map((one): BlamedCase => ({ ...one, rule }));
    expect(contrastsIn(world, new Map([['list.complete', cases]])).contrastOf(cases)).toMatchObject({
      when: 'with the headers status and limit',
      there: { broken: 3, of: 3 },
      elsewhere: { broken: 0, of: 121 },
    });
  });

  test('does not take the lists that a wrong animal is in for the reason', () => {
    const named = (name: string) => ({ status: 200, body: [{ id: 1, name, categoryId: 1, status: 'sold' }] });
    // The name changes after a while; no other list has room for the animal.
    const lists = (name: string) => [listed({}, named(name)), listed({ status: 'sold' }, named(name)), listed({ status: 'pending' }, FINE)];
    const exchanges = [...Array.from({ length: 20 }, () => lists('Rex')), ...Array.from({ length: 20 }, () => lists('Max'))].flat();
    const events = exchanges.map((exchange, index) =>
      eventOf({ ...exchange, number: index + 1, timings: { startedAt: 100 * index, duration: 5 } }),
    );
    const world = worldOf(events, knowledgeOf());
    const rule: Rule = { layer: 'history', judge: () => 'holds' };
    const cases = timelineCases(world, 'list.read-only').map((one): BlamedCase => ({ ...one, rule }));
    const { responsesOf } = contrastsIn(world, new Map([['list.read-only', cases]]));
    expect(cases.filter((one) => one.breach !== undefined)).not.toHaveLength(0);
    expect(new Set(responsesOf(cases).map(({ event }) => event.intent.status))).toEqual(new Set(['absent', 'sold']));
  });

  describe('where animals are wrong in the store', () => {
    const IDS = Array.from({ length: 40 }, (_unused, index) => index + 1);
    const record: Rule = { layer: 'values', judge: () => 'holds' };
    const body = (id: number, categoryId: number) => ({ id, name: `Rex${'abcdefghij'[id % 10]}`, categoryId, status: 'sold' });
    const newPet = (id: number) => ({ name: body(id, 2).name, categoryId: 2, status: 'sold' });
    const isWrong = (id: number): boolean => id % 5 === 0;

    /** The contrasts of a run that creates forty animals of category 2 and reads each, with what the rule about records finds in each response. */
    function run(more: readonly Exchange[], shows: (exchange: Exchange) => readonly number[]) {
      const reads = IDS.map((id) => read(BigInt(id), { status: 200, body: body(id, isWrong(id) ? 1 : 2) }));
      const exchanges = [...IDS.map((id) => posted(newPet(id), { status: 201, body: body(id, 2) })), ...reads, ...more];
      const events = exchanges.map((exchange, index) =>
        eventOf({ ...exchange, number: index + 1, timings: { startedAt: 3_000 * index, duration: 5 } }),
      );
      const cases = events
        .filter(({ intent }) => intent.operation !== 'createPet')
        .map((event): BlamedCase => {
          const animals = shows(event.exchange).filter(isWrong).map(BigInt);
          return animals.length === 0 ? { event, rule: record } : { event, rule: record, breach: { ...breach, animals } };
        });
      return { events, cases, contrasts: contrastsIn(worldOf(events, knowledgeOf()), new Map([['record.same-animal', cases]])) };
    }
    const ofRead = ({ request: { intent } }: Exchange): readonly number[] => (intent.petId === undefined ? [] : [Number(intent.petId)]);

    test('says how these were created, and counts them', () => {
      const { cases, contrasts } = run([], ofRead);
      expect(contrasts.contrastOf(cases)).toMatchObject({
        when: 'for ids that 5 divides',
        there: { broken: 8, of: 8 },
        elsewhere: { broken: 0, of: 32 },
        unit: 'animal',
      });
    });

    test('says that of values alone: one of them that is missing is another matter', () => {
      const { events, contrasts } = run([], ofRead);
      const rule: Rule = { layer: 'history', judge: () => 'holds' };
      const cases = events.slice(-3).map((event, index): BlamedCase => {
        const animal = BigInt(38 + index);
        return index < 2 ? { event, rule, animal } : ({ event, rule, animal, breach, wrongs: [], aspect: 'existence' } as BlamedCase);
      });
      expect(contrasts.contrastOf(cases)?.when).not.toBe('for ids that 5 divides');
    });

    test('says nothing of that where as many responses show them right', () => {
      const right = IDS.filter(isWrong).map((id) => read(BigInt(id), { status: 200, body: body(id, 2) }));
      const { cases, contrasts } = run(right, (exchange) =>
        right.includes(exchange) || right.some((one) => one.request.path === exchange.request.path && exchange.number > 80)
          ? []
          : ofRead(exchange),
      );
      expect(contrasts.contrastOf(cases)?.unit).not.toBe('animal');
    });
  });

  test('takes an animal for one case, however often it was read', () => {
    const told = (sold: readonly number[]) => {
      const isSold = (id: number): boolean => sold.includes(id);
      const pets = Array.from({ length: 20 }, (_unused, id) => ({
        id,
        name: 'Rex',
        categoryId: 1,
        status: isSold(id) ? 'sold' : 'pending',
      }));
      const reads = Array.from({ length: 80 }, (_unused, index) => read(BigInt(index % 20), isSold(index % 20) ? CRASH : FINE));
      return contrast([listed({}, { status: 200, body: pets }), ...reads])?.when;
    };
    expect(told([2, 3, 7, 11, 13, 18])).toMatch(/sold/);
    expect(told([3, 8])).toBeUndefined();
  });

  test('counts animals also where one list shows all of them', () => {
    const isSold = (id: bigint): boolean => id % 3n === 0n;
    const pets = Array.from({ length: 24 }, (_unused, id) => ({
      id,
      name: 'Rex',
      categoryId: 1,
      status: id % 3 === 0 ? 'sold' : 'pending',
    }));
    const list = eventOf({ ...listed({}, { status: 200, body: pets }), number: 1 });
    const rule: Rule = { layer: 'values', judge: () => 'holds' };
    const cases = pets.map(({ id }): BlamedCase => {
      const about = { event: list, rule, animal: BigInt(id) };
      return isSold(BigInt(id)) ? { ...about, breach } : about;
    });
    expect(contrastsIn(worldOf([list], knowledgeOf()), new Map()).contrastOf(cases)).toMatchObject({
      when: 'for animals with status "sold"',
      there: { broken: 8, of: 8 },
      unit: 'animal',
    });
  });

  test('cuts nothing that the service sends: a piece of the API key would not be redacted', () => {
    const key = 'k7TgHs-29xQ';
    const name = `${'x'.repeat(52)}${key}`;
    const pet = { id: 3, name, categoryId: 3, status: 'sold' };
    const list = listed({}, { status: 200, body: [pet, { id: 4, name: 'Rex', categoryId: 1, status: 'sold' }] });
    const ofPets = Array.from({ length: 40 }, (_unused, index) => read(index % 14 === 5 ? 3n : 4n, index % 14 === 5 ? CRASH : FINE));
    const sent = (exchanges: readonly Exchange[]) =>
      contrast(
        exchanges.map((one): Exchange => {
          if (one.outcome.kind !== 'answered') return one;
          const server = one.outcome.answer.status === 200 ? 'nginx' : name;
          const headers = [...one.outcome.answer.headers, ['server', server] as const];
          return { ...one, outcome: { ...one.outcome, answer: { ...one.outcome.answer, headers } } };
        }),
      )?.when;
    expect(contrast([list, ...ofPets])?.when).toBe('for id 3 ("…", categoryId 3, sold)');
    const byServer = sent(Array.from({ length: 40 }, (_unused, index) => listed({}, (index * index) % 7 === 1 ? CRASH : FINE)));
    expect(byServer).toBe('in responses with `server: …`');
  });

  test('does not take half a period for the whole', () => {
    const places = new Set(Array.from({ length: 40 }, (_unused, index) => 12 * index + (index === 20 ? -6 : index % 2)));
    const found = contrast(Array.from({ length: 480 }, (_unused, index) => listed({}, places.has(index) ? CRASH : FINE)));
    expect(found?.when).toBe('about every 12th valid GET /pets');
  });

  test('counts all requests where only those of one operation are broken', () => {
    const mixed = Array.from({ length: 600 }, (_unused, index) => {
      const isCounted = index % 40 === 7;
      return (index * 7) % 11 < 6 ? listed({}, isCounted ? CRASH : FINE) : read(1n, { status: 200, body: {} });
    });
    expect(contrast(mixed)?.when).toBe('about every 40th request');
  });

  test('names the header that the few right responses lack, unless they lack another one, too', () => {
    const without = (exchange: Exchange, ...names: readonly string[]): Exchange => ({
      ...exchange,
      request: { ...exchange.request, headers: exchange.request.headers.filter(([name]) => !names.includes(name)) },
    });
    const lists = (...names: readonly string[]) =>
      Array.from({ length: 200 }, (_unused, index) => {
        const whole = withHeader(
          withHeader(listed({ limit: (index % 9) + 1 }, index % 50 === 3 ? FINE : CRASH), 'dnt', '1'),
          'te',
          'trailers',
        );
        return index % 50 === 3 ? without(whole, ...names) : whole;
      });
    expect(contrast(lists('dnt'))).toMatchObject({
      when: 'with the header dnt',
      there: { broken: 196, of: 196 },
      elsewhere: { broken: 0, of: 4 },
    });
    expect(contrast(lists('dnt', 'te'))?.when).toBeUndefined();
  });

  test('names no header that most requests have where others are broken as well', () => {
    const lists = (exceptions: number) =>
      Array.from({ length: 140 }, (_unused, index) => {
        const isUsual = index % 9 < 5;
        const list = listed({ limit: (index % 7) + 1 }, isUsual || index < 2 * exceptions ? CRASH : FINE);
        return isUsual ? withHeader(list, 'dnt', '1') : list;
      });
    expect(contrast(lists(0))?.when).toBe('with the header dnt');
    expect(contrast(lists(7))?.when ?? '').not.toContain('dnt');
  });

  test('names the status of a response only where the status is not what is wrong', () => {
    const all = Array.from({ length: 40 }, (_unused, index) => listed({ limit: index + 1 }, index % 4 === 0 ? CRASH : FINE));
    expect(contrast(all)?.when ?? '').not.toContain('500');
  });
});
