import { describe, expect, test } from 'vitest';
import { knowledgeOf, knownAnimal, listed, posted, type Reply, read } from '../../test/support/exchange-samples.ts';
import type { NewPetInput } from '../schema/pet.ts';
import type { ListParameters } from '../session/client/api.ts';
import type { Exchange } from '../wire/exchange.ts';
import { defaultPages, owedPages, stalePages } from './default-page.ts';
import { owedRefusals, owedSights } from './obligations.ts';
import { timelineCases } from './timelines.ts';
import { eventOf, type World, worldOf } from './world.ts';

const SENT: NewPetInput = { name: 'rex', categoryId: 1n, status: 'sold' };
const PET = { id: 7, ...SENT };
const OTHER = { id: 8, name: 'ann', categoryId: 1, status: 'sold' };
const EARLY = 100;
/** Past the consistency window of an animal that was created when the run began. */
const LATE = 5_000;
const CLAUSES = [
  'list.complete',
  'list.filter-complete',
  'list.read-only',
  'get.success',
  'get.durable',
  'get.repeatable',
  'get.agrees-with-list',
  'deprecation.replacement',
  'create.round-trip',
] as const;

const ok = (...pets: object[]): Reply => ({ status: 200, body: pets });
/** A list of so many other animals. */
const others = (count: number): Reply => ok(...Array.from({ length: count }, (_unused, index) => ({ ...OTHER, id: 100 + index })));
const MISSING: Reply = { status: 404, body: { code: 'not_found', message: 'no', status: 404 } };
const SHOWN: Reply = { status: 200, body: PET };
const list = (reply: Reply, parameters: ListParameters = { limit: 100 }): Exchange => listed(parameters, reply);
const creation = posted({ ...SENT, name: 'another' }, { status: 400, body: {} });

/** The exchanges one after the other, from a moment on. */
function from(start: number, exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.map((exchange, index) => ({ ...exchange, timings: { startedAt: start + 10 * index, duration: 1 } }));
}

type Birth = { own?: boolean; sent?: NewPetInput; returned?: NewPetInput; domain?: 'plain' | 'unusual' };

/** A run that created the animal, or one of which it is another client's, and then sent these. */
function run(exchanges: readonly Exchange[], { own = true, sent = SENT, returned = sent, domain = 'plain' }: Birth = {}): World {
  const birth = { ...posted(sent, { status: 201, body: { id: 7, ...returned } }, { domain }), timings: { startedAt: 0, duration: 1 } };
  const created = own ? [knownAnimal(7n, sent, { exchange: birth })] : [];
  const all = own ? [birth, ...exchanges] : exchanges;
  return worldOf(
    all.map((exchange, index) => eventOf({ ...exchange, number: index + 1 })),
    knowledgeOf(
      created.map((animal) => ({ ...animal, exchange: { ...animal.exchange, number: 1 } })),
      [{ id: 7n, name: 'rex', categoryId: 1n, status: 'sold' }],
    ),
  );
}

const brokenIn = (world: World): readonly string[] =>
  CLAUSES.filter((clause) => timelineCases(world, clause).some(({ breach, animal }) => breach !== undefined && animal === 7n));

test.each<readonly [what: string, sight: readonly Exchange[], broken: readonly string[]]>([
  ['is unlisted like all others of its status', [], ['list.complete', 'deprecation.replacement']],
  [
    'is left out by the filter where lists show one of its status',
    [list(ok({ ...PET, id: 20, name: 'eve' }))],
    ['list.filter-complete', 'deprecation.replacement'],
  ],
])('An animal that lists with its status omit, once no other list has room for it, %s.', (_what, sight, broken) => {
  const create = (id: bigint, startedAt: number) => {
    const sent = { ...SENT, name: `rex${id}` };
    return {
      sent,
      id,
      exchange: { ...posted(sent, { status: 201, body: { id: Number(id), ...sent } }), timings: { startedAt, duration: 1 } },
    };
  };
  const [early, late] = [[20n, 21n, 22n, 23n].map((id) => create(id, 0)), create(7n, LATE + 500)];
  const full = ok(...Array.from({ length: 100 }, (_unused, index) => ({ ...OTHER, id: 100 + index, status: 'pending' })));
  const exchanges = [
    ...early.map(({ exchange }) => exchange),
    ...from(LATE, [
      ...early.map(({ id, sent }) => read(id, { status: 200, body: { ...sent, id: Number(id) } })),
      list(ok(OTHER)),
      ...sight,
    ]),
    late.exchange,
    ...from(2 * LATE + 500, [
      list(full),
      read(7n, { status: 200, body: { ...late.sent, id: 7 } }),
      ...[1, 2].map(() => list(ok(OTHER), { status: 'sold' })),
    ]),
  ].map((exchange, index) => ({ ...exchange, number: index + 1 }));
  const known = [...early, late].map(({ id, sent, exchange: { timings } }) => {
    const exchange = exchanges.find(
      ({ timings: { startedAt }, request }) => startedAt === timings.startedAt && request.intent.sent?.name === sent.name,
    );
    if (exchange === undefined) throw new Error('each animal has a creation');
    return { ...knownAnimal(id, sent, { exchange }), createdAt: timings.startedAt };
  });
  const world = worldOf(exchanges.map(eventOf), knowledgeOf(known, []));
  expect(brokenIn(world)).toEqual(broken);
});

test.each<readonly [what: string, omitted: number, broken: readonly string[]]>([
  ['is gone', 0, ['get.durable']],
  ['is left out by the filter, as others are that lists show', 3, ['list.filter-complete']],
])('An animal that only filtered lists no longer show, with no other list that has room, %s.', (_what, omitted, broken) => {
  const create = (id: bigint) => {
    const sent = { ...SENT, name: `rex${id}` };
    const exchange = { ...posted(sent, { status: 201, body: { id: Number(id), ...sent } }), timings: { startedAt: 0, duration: 1 } };
    return { id, sent, exchange, pet: { ...sent, id: Number(id) } };
  };
  const all = [7n, ...[20n, 21n, 22n].slice(0, omitted)].map(create);
  const [own, ...others] = all.map(({ pet }) => pet);
  const full = ok(...Array.from({ length: 100 }, (_unused, index) => ({ ...OTHER, id: 100 + index, status: 'pending' })));
  const filtered = (...pets: object[]) => list(ok(...pets), { status: 'sold' });
  const sent = from(LATE, [list(ok(own ?? {}, ...others)), filtered(own ?? {}), creation, list(full), filtered(), filtered()]);
  const events = [...all.map(({ exchange }) => exchange), ...sent].map((exchange, index) => ({ ...exchange, number: index + 1 }));
  const known = all.map(({ id, sent: value }, index) => knownAnimal(id, value, { exchange: events[index] ?? creation }));
  expect(brokenIn(worldOf(events.map(eventOf), knowledgeOf(known, [])))).toEqual(broken);
});

describe('a replica of before', () => {
  /** The clauses that are broken for animal 7, when animals were created at these moments and these lists were sent. */
  function verdictOf(moments: Readonly<Record<string, number>>, lists: readonly Exchange[]): readonly string[] {
    const animals = Object.entries(moments).map(([id, startedAt]) => ({
      ...{ id: BigInt(id), startedAt },
      exchange: { ...posted(SENT, { status: 201, body: { ...PET, id: Number(id) } }), timings: { startedAt, duration: 1 } },
    }));
    const exchanges = [...animals.map(({ exchange }) => exchange), ...lists]
      .toSorted((a, b) => a.timings.startedAt - b.timings.startedAt)
      .map((one, index) => ({ ...one, number: index + 1 }));
    const births = exchanges.filter(({ request }) => request.method === 'POST');
    const inOrder = animals.toSorted((a, b) => a.startedAt - b.startedAt);
    const known = inOrder.map(({ id, startedAt }, index) => {
      const [exchange] = births.slice(index, index + 1);
      return { ...knownAnimal(id, SENT, exchange === undefined ? {} : { exchange }), createdAt: startedAt };
    });
    return brokenIn(worldOf(exchanges.map(eventOf), knowledgeOf(known, [])));
  }
  const some = [20, 21, 22].map((id) => ({ ...PET, id }));

  test('omits nothing but the newest, so that its first list counts, however little was newer then', () => {
    const moments = { 7: 0, 20: LATE + 500, 21: LATE + 500, 22: LATE + 500 };
    const verdict = (late: readonly object[]) =>
      verdictOf(moments, [
        ...from(LATE, [list(ok(OTHER, PET)), list(ok(OTHER)), list(ok(OTHER, PET))]),
        ...from(2 * LATE + 500, [list(ok(OTHER, PET, ...some)), list(ok(OTHER, ...late)), list(ok(OTHER, PET, ...some))]),
      ]);
    expect(verdict([])).toEqual(['list.complete']);
    // One that shows what came later omits this one for another reason.
    expect(verdict(some.slice(2))).toEqual(['list.read-only']);
  });

  test('is known by what it omitted before, where its list is the last one of the run', () => {
    const moments = { 7: LATE + 500, 20: 0, 21: 0, 22: 0 };
    const ending = (before: readonly Exchange[]) =>
      verdictOf(moments, [...from(LATE, before), ...from(2 * LATE + 500, [list(ok(OTHER, PET, ...some)), list(ok(OTHER))])]);
    expect(ending([list(ok(OTHER, ...some)), list(ok(OTHER)), list(ok(OTHER, ...some))])).toEqual(['list.complete']);
    // Where no list was behind before, lists may have removed what they showed.
    expect(ending([list(ok(OTHER, ...some))])).toEqual(['list.read-only']);
  });
});

describe('an animal that the run created', () => {
  test.each<readonly [what: string, exchanges: readonly Exchange[], broken: readonly string[]]>([
    ['may be an item without an id', from(LATE, [read(7n, SHOWN), list(ok(OTHER, {}))]), []],
    ['is everywhere', [list(ok(PET)), read(7n, SHOWN), list(ok(PET)), read(7n, SHOWN)], []],
    ['is in no place', [list(ok(OTHER)), read(7n, MISSING)], ['list.complete']],
    ['is not found by its id', [list(ok(PET)), read(7n, MISSING), read(7n, MISSING)], ['get.success']],
    ['is never listed', [read(7n, SHOWN), list(ok(OTHER)), list(ok(OTHER))], ['list.complete']],
    ['is not in an empty list', [read(7n, SHOWN), list(ok(), { limit: 5 }), list(ok(), { limit: 5 })], ['list.complete']],
    ['may be behind a page of a small limit', [read(7n, SHOWN), list(ok(OTHER), { limit: 5 }), list(ok(OTHER), { limit: 5 })], []],
    [
      'is not found by its status',
      [list(ok(PET)), read(7n, SHOWN), list(ok(), { status: 'sold' }), list(ok(), { status: 'sold' })],
      ['list.filter-complete', 'deprecation.replacement'],
    ],
    ['is not found by another status', [list(ok(PET)), list(ok(OTHER), { status: 'pending' })], []],
    [
      'may be behind a page that is cut where one was that exceeds its limit',
      [read(7n, SHOWN), ...[5, 100].map((limit) => list(others(30), { limit, status: 'sold' }))],
      [],
    ],
    [
      'may be behind a page that is shorter than one with a larger limit: pages may come in tens',
      [read(7n, SHOWN), ...[21, 21, 100].map((limit) => list(others(limit - (limit % 10)), { limit }))],
      [],
    ],
    [
      'is not on a page that is shorter than one with a smaller limit',
      [read(7n, SHOWN), list(others(25), { limit: 25 }), ...[30, 30].map((limit) => list(others(22), { limit }))],
      ['list.complete'],
    ],
    ['is missing from a list now and then', [list(ok(PET)), list(ok(OTHER)), list(ok(PET))], ['list.read-only']],
    ['leaves the list when others are created', [list(ok(PET)), creation, list(ok(OTHER)), read(7n, SHOWN)], ['list.complete']],
    [
      'leaves the list when it is read',
      [list(ok(PET)), read(7n, SHOWN), list(ok(OTHER)), list(ok(OTHER)), read(7n, SHOWN)],
      ['get.repeatable'],
    ],
    ['is missing and found again', [read(7n, SHOWN), read(7n, MISSING), read(7n, SHOWN)], ['get.durable']],
    ['is missing first', [list(ok(PET)), read(7n, MISSING), read(7n, SHOWN)], ['get.durable']],
    ['is found once another is created', [list(ok(PET)), read(7n, MISSING), creation, read(7n, SHOWN)], ['get.success']],
    ['is gone after a creation', [read(7n, SHOWN), creation, read(7n, MISSING), read(7n, MISSING)], ['get.durable']],
    ['is gone after it was read', [read(7n, SHOWN), read(7n, MISSING), read(7n, MISSING)], ['get.repeatable']],
    ['is gone after it was listed', [list(ok(PET)), list(ok(OTHER)), list(ok(OTHER))], ['list.read-only']],
    ['has another name by its id', [list(ok(PET)), read(7n, { status: 200, body: { ...PET, name: 'REX' } })], ['get.agrees-with-list']],
    [
      'has another name in every place',
      [list(ok({ ...PET, name: 'x' })), read(7n, { status: 200, body: { ...PET, name: 'x' } })],
      ['create.round-trip'],
    ],
    ['is read without its status', [read(7n, { status: 200, body: { ...PET, status: undefined } })], ['create.round-trip']],
    ['has another status now and then', [list(ok(PET)), list(ok({ ...PET, status: 'pending' })), list(ok(PET))], ['list.read-only']],
    ['changes with each read', [read(7n, SHOWN), read(7n, { status: 200, body: { ...PET, name: 'rex+' } })], ['get.repeatable']],
  ])('%s', (_what, exchanges, broken) => {
    expect(brokenIn(run(from(LATE, exchanges)))).toEqual(broken);
  });

  test('and that has an unusual name counts where reads miss it now and then, and not where lists do', () => {
    const sent = { ...SENT, name: 'rex!' };
    const shown = { status: 200, body: { ...PET, ...sent } };
    const brokenWith = (...exchanges: readonly Exchange[]) => brokenIn(run(from(LATE, exchanges), { sent, domain: 'unusual' }));
    expect(brokenWith(read(7n, shown), read(7n, MISSING), read(7n, shown))).toEqual(['get.durable']);
    expect(brokenWith(list(ok(shown.body)), list(ok(OTHER)), list(ok(shown.body)))).toEqual([]);
  });

  test('is not looked for by a status that the 201 does not confirm', () => {
    const lists = from(LATE, [list(ok(), { status: 'sold' }), list(ok(), { status: 'sold' })]);
    expect(brokenIn(run(lists, { returned: { ...SENT, status: 'pending' } }))).toEqual([]);
    expect(brokenIn(run(lists))).toEqual(['list.filter-complete']);
  });

  test('is stored as the 201 shows it, or as it was sent', () => {
    const changed = from(LATE, [read(7n, { status: 200, body: { ...PET, name: 'x' } })]);
    expect(brokenIn(run(changed, { returned: { ...SENT, name: 'x' } }))).toEqual([]);
    expect(timelineCases(run(changed), 'create.round-trip').find(({ breach }) => breach !== undefined)?.breach).toMatchObject({
      summary: 'animal 7 has name "x" in GET /pets/7, but was created with name "rex"',
      expected: ['name "rex"'],
      received: 'name "x"',
    });
  });

  test('has a long name, of which a finding shows the beginning', () => {
    const sent = { ...SENT, name: 'a'.repeat(300) };
    const cut = from(LATE, [read(7n, { status: 200, body: { ...PET, name: 'a'.repeat(255) } })]);
    const found = timelineCases(run(cut, { sent }), 'create.round-trip').find(({ breach }) => breach !== undefined)?.breach;
    expect(found?.received).toBe(`name "${'a'.repeat(60)}"… of 255 characters, of which the first 255 agree`);
  });

  test('may be missing within the consistency window', () => {
    expect(brokenIn(run([...from(EARLY, [list(ok(OTHER)), read(7n, MISSING)]), ...from(LATE, [list(ok(PET)), read(7n, SHOWN)])]))).toEqual(
      [],
    );
  });

  test('is a case of each clause that it keeps, with all exchanges that show it', () => {
    const world = run(from(LATE, [list(ok(PET)), list(ok(PET)), read(7n, SHOWN), read(7n, SHOWN)]));
    expect(timelineCases(world, 'list.complete').map(({ event, others = [] }) => [event, ...others].map(({ number }) => number))).toEqual([
      [2, 3],
    ]);
    for (const clause of [
      'get.success',
      'list.read-only',
      'get.durable',
      'get.repeatable',
      'get.agrees-with-list',
      'create.round-trip',
    ] as const)
      expect(
        timelineCases(world, clause).every(({ breach }) => breach === undefined),
        clause,
      ).toBe(true);
  });

  test('says how it was seen and how it was not', () => {
    const [one] = timelineCases(run(from(LATE, [read(7n, SHOWN), list(ok(OTHER)), list(ok(OTHER))])), 'list.complete');
    expect(one?.breach).toMatchObject({
      summary: 'GET /pets?limit=100 omits animal 7 despite having room; GET /pets/7 shows it',
      expected: ['animal 7 in the list'],
      received: '1 other animal, with room for more',
    });
    expect(one?.breach?.exchanges?.map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});

describe('an animal of another client', () => {
  test.each<readonly [what: string, exchanges: readonly Exchange[], broken: readonly string[]]>([
    ['may be taken away', [list(ok(PET)), list(ok(OTHER)), read(7n, MISSING)], []],
    [
      'is changed by the reads between two lists',
      ['rex', 'rex+', 'rex++'].flatMap((name) => [list(ok({ ...PET, name })), read(7n, { status: 200, body: { ...PET, name } })]),
      ['get.repeatable'],
    ],
    ['may change its status once', [list(ok(PET)), list(ok({ ...PET, status: 'pending' }))], []],
    ['does not come and go', [list(ok(PET)), list(ok(OTHER)), list(ok(PET))], ['list.read-only']],
    ['is listed while it is found by its id', [read(7n, SHOWN), list(ok(OTHER)), list(ok(OTHER)), read(7n, SHOWN)], ['list.complete']],
    ['keeps its name', [list(ok(PET)), list(ok({ ...PET, name: 'x' })), list(ok(PET))], ['list.read-only']],
  ])('%s', (_what, exchanges, broken) => {
    const [first, ...rest] = exchanges;
    const all = [...from(0, first === undefined ? [] : [first]), ...from(LATE, rest)];
    expect(brokenIn(run(all, { own: false }))).toEqual(broken);
  });
});

test('many animals that are gone are accused of the first list that lacked them, too early though it was to count', () => {
  const many = [7, 8, 9, 10, 11].map((id) => ({ ...PET, id }));
  const without = from(EARLY, [list(ok(PET, ...many.slice(1))), list(ok()), read(99n, MISSING)]);
  const world = run([...without, ...from(LATE, [list(ok()), list(ok())])], { own: false });
  expect(brokenIn(world)).toEqual(['list.read-only']);
});

describe('what is asked again', () => {
  const owedIn = (world: World): readonly (readonly number[])[] =>
    [owedSights(world).lists, owedSights(world).reads].map((events) => events.map(({ number }) => number));

  test.each<readonly [what: string, world: World, owed: readonly (readonly number[])[]]>([
    ['nothing that shows the animal', run(from(EARLY, [list(ok(PET)), read(7n, SHOWN)])), [[], []]],
    ['what was too early', run(from(EARLY, [list(ok(OTHER)), read(7n, MISSING)])), [[2], [3]]],
    ['no page without room', run(from(EARLY, [list(ok(OTHER), { limit: 1 })])), [[], []]],
    ['no list with another status', run(from(EARLY, [list(ok(OTHER), { status: 'pending' })])), [[], []]],
    ['nothing that came right since', run([...from(EARLY, [list(ok(OTHER))]), ...from(LATE, [list(ok(OTHER, PET))])]), [[], []]],
    ['what is wrong once', run(from(LATE, [read(7n, SHOWN), list(ok(OTHER))])), [[3], []]],
    ['nothing that was wrong three times', run(from(LATE, [list(ok(OTHER)), list(ok(OTHER)), list(ok(OTHER))])), [[], []]],
    [
      "a list that showed another client's animal and then did not, until one counts",
      run(from(0, [list(ok(PET)), list(ok(OTHER)), list(ok(PET))]), { own: false }),
      [[1, 2, 3], []],
    ],
    [
      'no such list that was asked often enough since',
      run(
        [
          ...from(0, [list(ok(PET)), list(ok(OTHER))]),
          ...from(
            LATE,
            Array.from({ length: 6 }, () => list(ok(PET))),
          ),
        ],
        { own: false },
      ),
      [[], []],
    ],
    [
      "what showed another client's animal last",
      run([...from(0, [read(7n, SHOWN)]), ...from(LATE, [list(ok(OTHER)), list(ok(OTHER)), list(ok(OTHER))])], { own: false }),
      [[1], []],
    ],
  ])('%s', (_what, world, owed) => {
    expect(owedIn(world)).toEqual(owed);
  });
});

describe('a value that reads show otherwise than lists for several animals', () => {
  const born = (id: bigint) => ({ id, sent: SENT, exchange: posted(SENT, { status: 201, body: { ...SENT, id: Number(id) } }) });
  const animals = [7n, 20n, 21n, 22n].map(born);
  const shown = animals.map(({ id }) => ({ ...PET, id: Number(id) }));
  const brokenFor = (listing: readonly object[], misread: number): readonly string[] => {
    const reads = shown.slice(0, misread + 1).map((pet) => read(BigInt(pet.id), { status: 200, body: { ...pet, categoryId: 5 } }));
    const exchanges = [
      ...from(
        0,
        animals.map(({ exchange }) => exchange),
      ),
      ...from(LATE, [list(ok(...listing), { limit: listing.length }), ...reads]),
    ];
    const events = exchanges.map((exchange, index) => eventOf({ ...exchange, number: index + 1 }));
    const known = animals.map(({ id, sent }, index) => knownAnimal(id, sent, { exchange: { ...born(id).exchange, number: index + 1 } }));
    return brokenIn(worldOf(events, knowledgeOf(known, [])));
  };
  const others = shown.slice(1);

  test('is misread where no list shows the animal, too', () => {
    expect(brokenFor(others, 3)).toEqual(['get.agrees-with-list']);
  });

  test('says nothing of an animal alone', () => {
    expect(brokenFor(others, 0)).toEqual(['create.round-trip']);
  });
});

describe('what is broken beside it is not the reason', () => {
  const PENDING = { ...PET, status: 'pending' };
  const twice = (exchange: Exchange): readonly Exchange[] => [exchange, exchange];
  const cleared = (clause: (typeof CLAUSES)[number], exchanges: readonly Exchange[]): readonly string[] =>
    timelineCases(run(from(LATE, exchanges)), clause).flatMap((one) => one.cleared ?? []);

  test('why an animal is not listed, where its status is shown otherwise', () => {
    const rotating = [list(ok(PET)), list(ok(PENDING)), list(ok(PET))];
    expect(cleared('list.complete', [...rotating, ...twice(list(ok(OTHER), { limit: 99 }))])).toEqual([
      'list.read-only',
      'list.limit-default',
    ]);
    const filtered = twice(list(ok(), { status: 'sold' }));
    expect(cleared('list.filter-complete', [...rotating.slice(0, 1), ...filtered])).toEqual([]);
  });

  test('why a filter omits it, where the list without the filter shows it each time', () => {
    const omitted = [...twice(list(ok(OTHER), { limit: 99 })), ...twice(list(ok(), { limit: 100, status: 'sold' }))];
    expect(cleared('list.filter-complete', [list(ok(PET)), ...omitted])).toEqual(['list.complete', 'list.limit-default']);
    expect(cleared('list.filter-complete', [list(ok(PET), { limit: 98 }), ...omitted])).toEqual(['list.limit-default']);
  });

  test('why reads miss it, where lists omit it now and then', () => {
    const flapping = [list(ok(PET)), list(ok(OTHER)), list(ok(PET))];
    expect(cleared('get.durable', [...flapping, read(7n, SHOWN), read(7n, MISSING), read(7n, SHOWN)])).toEqual(['list.read-only']);
  });
});

describe('a GET that the API key was rejected for', () => {
  const REJECTED: Reply = { status: 401, body: { code: 'unauthorized', message: 'no', status: 401 } };
  const at = (startedAt: number, exchange: Exchange): Exchange => ({ ...exchange, timings: { startedAt, duration: 10 } });
  const owed = (...exchanges: readonly Exchange[]): readonly number[] => owedRefusals(run(exchanges)).map(({ number }) => number);

  test.each<readonly [what: string, exchanges: readonly Exchange[], owed: readonly number[]]>([
    ['in company is owed', [at(0, read(7n, SHOWN)), at(5, read(9n, REJECTED))], [3]],
    ['alone is not', [at(0, read(7n, SHOWN)), at(20, read(9n, REJECTED))], []],
    ['in company and alone is not', [at(0, read(7n, SHOWN)), at(5, read(9n, REJECTED)), at(20, read(9n, REJECTED))], []],
    ['and was accepted another time is not', [at(0, read(9n, SHOWN)), at(5, read(9n, REJECTED))], []],
    ['that nothing shows to be accepted at all is not', [at(0, list(ok(PET))), at(5, read(9n, REJECTED))], []],
  ])('%s', (_what, exchanges, numbers) => {
    expect(owed(...exchanges)).toEqual(numbers);
  });
});

describe('the page without a limit', () => {
  const animals = (count: number, first = 1) => Array.from({ length: count }, (_unused, index) => ({ ...OTHER, id: first + index }));
  const pair = (without: readonly object[], twenty: readonly object[]) => [list(ok(...without), {}), list(ok(...twenty), { limit: 20 })];
  const known = Array.from({ length: 30 }, (_unused, index) => ({ id: BigInt(index + 1), name: 'ann', categoryId: 1n, status: 'sold' }));
  const worldWith = (exchanges: readonly Exchange[]): World =>
    worldOf(
      from(LATE, exchanges).map((exchange, index) => eventOf({ ...exchange, number: index + 1 })),
      knowledgeOf([knownAnimal(30n, SENT)], known),
    );
  const four = <Item>(items: readonly Item[]): readonly Item[] => [...items, ...items, ...items, ...items];
  const broken = (world: World): boolean => defaultPages(world).some(({ breach }) => breach !== undefined);

  test('is as long as the one with limit=20', () => {
    const world = worldWith(pair(animals(20), animals(20)));
    expect(defaultPages(world)).toHaveLength(1);
    expect(broken(world)).toBe(false);
    expect(owedPages(world)).toEqual([]);
  });

  test('counts as shorter once it is so four times in a row, and is asked until then', () => {
    const once = worldWith(pair(animals(10), animals(20)));
    expect(defaultPages(once)).toEqual([]);
    expect(owedPages(once).map(({ number }) => number)).toEqual([1, 2]);
    const often = worldWith(four(pair(animals(10), animals(20))));
    expect(broken(often)).toBe(true);
    expect(owedPages(often)).toEqual([]);
  });

  test('is no default if it was longer before: a replica that lags is asked now and then', () => {
    const lagging = four(pair(animals(10), animals(20)));
    expect(broken(worldWith([...pair(animals(20), animals(20)), ...lagging]))).toBe(false);
    expect(broken(worldWith([...pair(animals(5), animals(5)), ...lagging]))).toBe(true);
  });

  test('is no default where the list with limit=20 is the shorter one', () => {
    expect(broken(worldWith(four(pair(animals(20), animals(8)))))).toBe(false);
    expect(broken(worldWith(four(pair(animals(25), animals(20)))))).toBe(true);
  });

  test('cuts filtered lists, too, that are as long', () => {
    const filtered = [9, 10].map((length) => list(ok(...animals(length)), { status: 'sold' }));
    const [cut] = defaultPages(worldWith([...four(pair(animals(10), animals(20))), ...filtered]));
    expect((cut?.others ?? []).flatMap(({ number, intent }) => (intent.status === 'sold' ? number : []))).toEqual([10]);
  });

  test('that never changes is a stale list', () => {
    const world = worldWith([...pair(animals(20), animals(20)), ...four(pair(animals(20), animals(20, 11)))]);
    expect(broken(world)).toBe(false);
    expect(stalePages(world).map(({ animal }) => animal)).toEqual([30n]);
  });
});
