// What lists and reads show of animals, over time: the shape of a contradiction names the clause.
import { describe, expect, test } from 'vitest';
import { timelineCases } from '../../src/oracle/timelines.ts';
import { error, NAME } from '../../test/support/history.ts';
import { breachesOf, historyOf, judgementOn, listed, posted, read, type Step } from '../../test/support/judged.ts';

const SENT = { name: NAME, categoryId: 3, status: 'sold' };
const PET = { id: 7, ...SENT };
const OTHER = { id: 8, name: 'Ann', categoryId: 3, status: 'sold' };
const PENDING = { ...PET, status: 'pending' };
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

/** Milliseconds: within the window of an animal created at 0, and past it. */
const [EARLY, LATE] = [100, 5_000];
const ok = (...pets: readonly object[]) => ({ status: 200, body: pets });
const MISSING = error(404);
const SHOWN = { status: 200, body: PET };
const list = (reply: Step['reply'], parameters: object = { limit: 100 }): Step => listed({ ...parameters }, reply);
const others = (count: number, more: object = {}) =>
  ok(...Array.from({ length: count }, (_unused, index) => ({ ...OTHER, id: 100 + index, ...more })));
const another = posted({ ...SENT, name: 'ConformanceTestElse' }, error(400));

/** The steps one after the other, from a moment on. */
const from = (start: number, steps: readonly Step[], apart = 100): readonly Step[] =>
  steps.map((step, index) => ({ ...step, at: start + apart * index }));

const birth = (sent: object = SENT, returned: object = sent): Step => ({
  ...posted(sent, { status: 201, body: { id: 7, ...returned } }),
  at: 0,
});

/** The clauses that rules about sights find broken for animal 7, whatever explains them. */
function redFor(steps: readonly Step[], animal = 7n, run: Parameters<typeof historyOf>[1] = {}): readonly string[] {
  const world = historyOf(steps, run).now();
  return CLAUSES.filter((clause) => timelineCases(world, clause).some((one) => one.breach !== undefined && one.animal === animal));
}

describe('an animal that the run created', () => {
  const twice = (step: Step): readonly Step[] => [step, step];
  const SOLD = { status: 'sold' };
  test.each<readonly [what: string, steps: readonly Step[], broken: readonly string[]]>([
    ['may be an item without an id', [read(7n, SHOWN), list(ok(OTHER, {}))], []],
    ['is everywhere', [list(ok(PET)), read(7n, SHOWN), list(ok(PET)), read(7n, SHOWN)], []],
    ['is in no place', [list(ok(OTHER)), read(7n, MISSING)], ['list.complete']],
    ['is not found by its id', [list(ok(PET)), ...twice(read(7n, MISSING))], ['get.success']],
    ['is never listed', [read(7n, SHOWN), ...twice(list(ok(OTHER)))], ['list.complete']],
    ['is not in an empty list', [read(7n, SHOWN), ...twice(list(ok(), { limit: 5 }))], ['list.complete']],
    ['may be after a page of a small limit', [read(7n, SHOWN), ...twice(list(ok(OTHER), { limit: 1 }))], []],
    [
      'is not found by its status',
      [list(ok(PET)), read(7n, SHOWN), ...twice(list(ok(), SOLD))],
      ['list.filter-complete', 'deprecation.replacement'],
    ],
    ['is not found by another status', [list(ok(PET)), list(ok(OTHER), { status: 'pending' })], []],
    [
      'may be after a page that is cut where one was that exceeds its limit',
      [read(7n, SHOWN), ...[5, 100].map((limit) => list(others(30), { limit, ...SOLD }))],
      [],
    ],
    [
      'may be after a page that is shorter than one with a larger limit: pages may come in tens',
      [read(7n, SHOWN), ...[21, 21, 100].map((limit) => list(others(limit - (limit % 10)), { limit }))],
      [],
    ],
    [
      'is not on a page that is shorter than one with a smaller limit',
      [read(7n, SHOWN), list(others(25), { limit: 25 }), ...twice(list(others(22), { limit: 30 }))],
      ['list.complete'],
    ],
    ['is missing from a list now and then', [list(ok(PET)), list(ok(OTHER)), list(ok(PET))], ['list.read-only']],
    ['leaves the list when others are created', [list(ok(PET)), another, list(ok(OTHER)), read(7n, SHOWN)], ['list.complete']],
    ['leaves the list when it is read', [list(ok(PET)), read(7n, SHOWN), ...twice(list(ok(OTHER))), read(7n, SHOWN)], ['get.repeatable']],
    ['is missing and found again', [read(7n, SHOWN), read(7n, MISSING), read(7n, SHOWN)], ['get.durable']],
    ['is missing first', [list(ok(PET)), read(7n, MISSING), read(7n, SHOWN)], ['get.durable']],
    ['is found once another is created', [list(ok(PET)), read(7n, MISSING), another, read(7n, SHOWN)], ['get.success']],
    ['is gone after a creation', [read(7n, SHOWN), another, ...twice(read(7n, MISSING))], ['get.durable']],
    ['is gone after it was read', [read(7n, SHOWN), ...twice(read(7n, MISSING))], ['get.repeatable']],
    ['is gone after it was listed', [list(ok(PET)), ...twice(list(ok(OTHER)))], ['list.read-only']],
    ['has another name by its id', [list(ok(PET)), read(7n, { status: 200, body: { ...PET, name: 'X' } })], ['get.agrees-with-list']],
    [
      'has another name in every place',
      [list(ok({ ...PET, name: 'X' })), read(7n, { status: 200, body: { ...PET, name: 'X' } })],
      ['create.round-trip'],
    ],
    ['is read without its status', [read(7n, { status: 200, body: { ...PET, status: undefined } })], ['create.round-trip']],
    ['has another status now and then', [list(ok(PET)), list(ok(PENDING)), list(ok(PET))], ['list.read-only']],
    ['changes with each read', [read(7n, SHOWN), read(7n, { status: 200, body: { ...PET, name: `${NAME}+` } })], ['get.repeatable']],
  ])('%s', (_what, steps, broken) => {
    expect(redFor([birth(), ...from(LATE, steps)])).toEqual(broken);
  });

  test('and that has an unusual name counts where reads miss it now and then, and not where lists do', () => {
    const sent = { ...SENT, name: `${NAME}!` };
    const shown = { status: 200, body: { id: 7, ...sent } };
    const red = (...steps: readonly Step[]) => redFor([birth(sent), ...from(LATE, steps)]);
    expect(red(read(7n, shown), read(7n, MISSING), read(7n, shown))).toEqual(['get.durable']);
    expect(red(list(ok(shown.body)), list(ok(OTHER)), list(ok(shown.body)))).toEqual([]);
  });

  test('is left out by the list where reads show it still, once a read without it would say nothing', () => {
    const red = (...steps: readonly Step[]) => redFor([birth(), ...from(LATE, steps)], 7n, { now: new Date('2031-01-01') });
    expect(red(list(ok(PET)), another, ...twice(list(ok(OTHER))))).toEqual(['get.durable']);
    expect(red(list(ok(PET)), another, ...twice(list(ok(OTHER))), read(7n, SHOWN))).toEqual(['list.complete']);
    // The lists have done it, whatever reads show.
    expect(red(list(ok(PET)), ...twice(list(ok(OTHER))), read(7n, SHOWN))).toEqual(['list.read-only']);
  });

  test('is not looked for by a status that the 201 does not confirm', () => {
    const lists = from(LATE, twice(list(ok(), SOLD)));
    expect(redFor([birth(SENT, { ...SENT, status: 'pending' }), ...lists])).toEqual([]);
    expect(redFor([birth(), ...lists])).toEqual(['list.filter-complete']);
  });

  test('is stored as the 201 shows it, or as it was sent', () => {
    const changed = from(LATE, [read(7n, { status: 200, body: { ...PET, name: 'x' } })]);
    expect(redFor([birth(SENT, { ...SENT, name: 'x' }), ...changed])).toEqual([]);
    expect(judgementOn('create.round-trip', [birth(), ...changed])).toMatchObject({
      summary: `animal 7 has name "x" in GET /pets/7, but was created with name "${NAME}"`,
      expected: [`name "${NAME}"`],
      received: 'name "x"',
    });
  });

  test('has a long name, of which a finding shows the beginning', () => {
    const sent = { ...SENT, name: 'a'.repeat(300) };
    const world = historyOf([birth(sent), ...from(LATE, [read(7n, { status: 200, body: { ...PET, name: 'a'.repeat(255) } })])]).now();
    const [found] = ['create.round-trip', 'create.unusual-names'].flatMap((clause) =>
      timelineCases(world, clause as 'create.round-trip').flatMap(({ breach }) => breach?.received ?? []),
    );
    expect(found).toBe(`name "${'a'.repeat(60)}"… of 255 characters, of which the first 255 agree`);
  });

  test('may be missing within the consistency window', () => {
    const early = from(EARLY, [list(ok(OTHER)), read(7n, MISSING)]);
    expect(redFor([birth(), ...early, ...from(LATE, [list(ok(PET)), read(7n, SHOWN)])])).toEqual([]);
  });

  test('is a case of each clause that it keeps, with all exchanges that show it', () => {
    const world = historyOf([birth(), ...from(LATE, [...twice(list(ok(PET))), ...twice(read(7n, SHOWN))])]).now();
    const numbers = timelineCases(world, 'list.complete').map(({ exchange, others: rest = [] }) =>
      [exchange, ...rest].map(({ number }) => number),
    );
    expect(numbers).toEqual([[2, 3]]);
    for (const clause of CLAUSES.slice(2, 7)) expect(timelineCases(world, clause).every(({ breach }) => breach === undefined)).toBe(true);
  });

  test('says how it was seen and how it was not', () => {
    const world = historyOf([birth(), ...from(LATE, [read(7n, SHOWN), ...twice(list(ok(OTHER)))])]).now();
    const [one] = timelineCases(world, 'list.complete');
    expect(one?.breach).toMatchObject({
      summary: 'GET /pets?limit=100 omits animal 7 despite having room; GET /pets/7 shows it',
      expected: ['animal 7 in the list'],
      received: '1 other animal, with room for more',
    });
    expect(one?.breach?.shown?.map(({ number }) => number)).toEqual([1, 2, 3]);
  });
});

describe('an animal of another client', () => {
  const named = ['Rex', 'Rex+', 'Rex++'].flatMap((name) => [list(ok({ ...PET, name })), read(7n, { status: 200, body: { ...PET, name } })]);
  test.each<readonly [what: string, steps: readonly Step[], broken: readonly string[]]>([
    ['may be taken away', [list(ok(PET)), list(ok(OTHER)), read(7n, MISSING)], []],
    ['is changed by the reads between two lists', named, ['get.repeatable']],
    ['may change its status once', [list(ok(PET)), list(ok(PENDING))], []],
    ['does not come and go', [list(ok(PET)), list(ok(OTHER)), list(ok(PET))], ['list.read-only']],
    ['is listed while it is found by its id', [read(7n, SHOWN), list(ok(OTHER)), list(ok(OTHER)), read(7n, SHOWN)], ['list.complete']],
    ['keeps its name', [list(ok(PET)), list(ok({ ...PET, name: 'x' })), list(ok(PET))], ['list.read-only']],
  ])('%s', (_what, [first, ...rest], broken) => {
    expect(redFor([...from(0, first === undefined ? [] : [first]), ...from(LATE, rest)])).toEqual(broken);
  });
});

test('many animals that are gone are accused of the first list that lacked them, too early though it was to count', () => {
  const many = [8, 9, 10, 11].map((id) => ({ ...OTHER, id, name: `Ann${id}` }));
  const early = from(EARLY, [list(ok(PET, ...many)), list(ok()), read(99n, MISSING)]);
  expect(redFor([...early, ...from(LATE, [list(ok()), list(ok())])])).toEqual(['list.read-only']);
});

describe('where no other list has room', () => {
  const full = list(others(100, { status: 'pending' }));
  const named = (id: number) => ({ ...SENT, name: `ConformanceTest${'abcdefghijklmnopqrstuvwxyz'.charAt(id)}x`, id });
  const create = (id: number): Step => posted({ ...named(id), id: undefined }, { status: 201, body: named(id) });
  const early = [20, 21, 22, 23];

  test.each<readonly [what: string, sight: readonly Step[], broken: readonly string[]]>([
    ['is unlisted like all others of its status', [], ['list.complete', 'deprecation.replacement']],
    [
      'is left out by the filter where lists show one of its status',
      [list(ok({ ...PET, id: 20, name: 'ConformanceTestux' }))],
      ['list.filter-complete', 'deprecation.replacement'],
    ],
  ])('an animal that lists with its status omit %s', (_what, sight, broken) => {
    const steps = [
      ...from(0, early.map(create), 20),
      ...from(LATE, [...early.map((id) => read(BigInt(id), { status: 200, body: named(id) })), list(ok(OTHER)), ...sight]),
      { ...create(7), at: LATE + 1_500 },
      ...from(2 * LATE + 1_500, [
        full,
        read(7n, { status: 200, body: named(7) }),
        ...[1, 2].map(() => list(ok(OTHER), { status: 'sold' })),
      ]),
    ];
    expect(redFor(steps)).toEqual(broken);
  });

  test('an animal that only filtered lists no longer show is gone', () => {
    const filtered = (...pets: readonly object[]): Step => list(ok(...pets), { status: 'sold' });
    const steps = [list(ok(named(7))), filtered(named(7)), another, full, filtered(), filtered()];
    expect(redFor([create(7), ...from(LATE, steps)])).toEqual(['get.durable']);
  });
});

describe('a replica of before', () => {
  const pet = (id: number) => ({ ...SENT, name: `ConformanceTest${'abcdefghijklmnopqrstuvwxyz'.charAt(id)}y`, id });
  const create = (id: number, at: number): Step => ({ ...posted({ ...pet(id), id: undefined }, { status: 201, body: pet(id) }), at });
  const some = [20, 21, 22];
  const shows = (...ids: readonly number[]): Step => list(ok(OTHER, ...ids.map(pet)));
  const inTime = (steps: readonly Step[]): readonly Step[] => steps.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0));

  test('omits nothing but the newest, so that its first list counts, however little was newer then', () => {
    const verdict = (late: readonly number[]) =>
      redFor(
        inTime([
          create(7, 0),
          ...some.map((id, index) => create(id, LATE + 500 + 20 * index)),
          ...from(LATE, [shows(7), shows(), shows(7)]),
          ...from(2 * LATE + 1_500, [shows(7, ...some), shows(...late), shows(7, ...some)]),
        ]),
      );
    expect(verdict([])).toEqual(['list.complete']);
    // One that shows what came later omits this one for another reason.
    expect(verdict([22])).toEqual(['list.read-only']);
  });

  test('is known by what it omitted before, where its list is the last one of the run', () => {
    const ending = (before: readonly Step[]) =>
      redFor(
        inTime([
          create(7, LATE + 500),
          ...some.map((id, index) => create(id, 20 * index)),
          ...from(LATE, before),
          ...from(2 * LATE + 1_500, [shows(7, ...some), shows()]),
        ]),
      );
    expect(ending([shows(...some), shows(), shows(...some)])).toEqual(['list.complete']);
    // Where no list was behind before, lists may have removed what they showed.
    expect(ending([shows(...some)])).toEqual(['list.read-only']);
  });
});

describe('a value that reads show otherwise than lists for several animals', () => {
  const named = (id: number) => ({ ...SENT, name: `ConformanceTest${'abcdefghijklmnopqrstuvwxyz'.charAt(id)}z`, id });
  const all = [7, 20, 21, 22];
  const redWith = (listing: readonly number[], misread: number): readonly string[] =>
    redFor([
      ...from(
        0,
        all.map((id) => posted({ ...named(id), id: undefined }, { status: 201, body: named(id) })),
        20,
      ),
      ...from(LATE, [
        list(ok(...listing.map(named)), { limit: listing.length }),
        ...all.slice(0, misread + 1).map((id) => read(BigInt(id), { status: 200, body: { ...named(id), categoryId: 5 } })),
      ]),
    ]);

  test('is misread where no list shows the animal, too', () => {
    expect(redWith(all.slice(1), 3)).toEqual(['get.agrees-with-list']);
  });

  test('says nothing of an animal alone', () => {
    expect(redWith(all.slice(1), 0)).toEqual(['create.round-trip']);
  });
});

describe('what is broken next to it is not the reason', () => {
  const twice = (step: Step): readonly Step[] => [step, step];
  const cleared = (clause: (typeof CLAUSES)[number], steps: readonly Step[]): readonly string[] =>
    timelineCases(historyOf([birth(), ...from(LATE, steps)]).now(), clause).flatMap((one) => one.cleared ?? []);

  test('why an animal is not listed, where its status is shown otherwise', () => {
    const rotating = [list(ok(PET)), list(ok(PENDING)), list(ok(PET))];
    expect(cleared('list.complete', [...rotating, ...twice(list(ok(OTHER), { limit: 99 }))])).toEqual([
      'list.read-only',
      'list.limit-default',
    ]);
    expect(cleared('list.filter-complete', [list(ok(PET)), ...twice(list(ok(), { status: 'sold' }))])).toEqual([]);
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

describe('the page without a limit', () => {
  const animals = (count: number, first = 1) =>
    Array.from({ length: count }, (_unused, index) => ({ ...OTHER, id: first + index, name: `Ann${first + index}` }));
  const pair = (without: readonly object[], twenty: readonly object[]): readonly Step[] => [
    list(ok(...without), {}),
    list(ok(...twenty), { limit: 20 }),
  ];
  /** All of them are known. */
  const KNOWN: Step = { ...list(ok(...animals(30))), at: 0 };
  const four = (steps: readonly Step[]): readonly Step[] => [...steps, ...steps, ...steps, ...steps];
  const red = (steps: readonly Step[]) => breachesOf('list.limit-default', [KNOWN, ...from(LATE, steps)]).length > 0;

  test('is as long as the one with limit=20', () => {
    expect(red(pair(animals(20), animals(20)))).toBe(false);
  });

  test('counts as shorter once it is so four times in a row', () => {
    expect(red(pair(animals(10), animals(20)))).toBe(false);
    expect(red(four(pair(animals(10), animals(20))))).toBe(true);
  });

  test('is no default if it was longer before: a replica that lags is asked now and then', () => {
    const lagging = four(pair(animals(10), animals(20)));
    expect(red([...pair(animals(20), animals(20)), ...lagging])).toBe(false);
    expect(red([...pair(animals(5), animals(5)), ...lagging])).toBe(true);
  });

  test('is no default where the list with limit=20 is the shorter one', () => {
    expect(red(four(pair(animals(20), animals(8))))).toBe(false);
    expect(red(four(pair(animals(25), animals(20))))).toBe(true);
  });

  test('that never changes is a stale list', () => {
    const newer = [{ ...PET, id: 300 }, ...animals(19)];
    const created: Step = { ...posted(SENT, { status: 201, body: { ...PET, id: 300 } }), at: 200 };
    const steps = [KNOWN, created, ...from(LATE, [...pair(animals(20), animals(20)), ...four(pair(animals(20), newer))])];
    expect(breachesOf('list.limit-default', steps)).toEqual([]);
    expect(breachesOf('list.complete', steps).map(({ animal }) => animal)).toEqual([300n]);
  });
});
