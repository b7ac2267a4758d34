import { describe, expect, test } from 'vitest';
import { clauses } from '../../../suites/index.ts';
import { judgeSession, KEY, sessionOptions } from '../../../test/prove/judge-reference.ts';
import { listed, posted, RIGHT_KEY, read } from '../../../test/support/exchange-samples.ts';
import { type ReferenceOptions, startReference } from '../../reference/server.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Json } from '../../wire/json.ts';
import type { CreateOptions } from '../client/api.ts';
import { openSession } from '../open-session.ts';
import { createMemory, type RunState, trackRunState } from './run-state.ts';
import { createWriteBudget } from './write-budget.ts';

const INVALID: CreateOptions = { domain: 'invalid', clause: 'create.name-required' };
const NEW_PET = { name: 'conformanceTodayAaab', categoryId: 1 };
const LOST = posted(NEW_PET, 'timeout');
const NAMELESS = posted({ categoryId: 1 }, 'timeout', INVALID);
const OPTIONS = {
  ...{ consistencyWindow: 0, baseUrl: 'http://127.0.0.1:1', now: new Date(0) },
  ...{ runTag: 'today', leftoverIds: [] },
};

function stateAfter(...exchanges: readonly Exchange[]): RunState {
  const { knowledge, take } = trackRunState(OPTIONS);
  for (const exchange of exchanges) take(exchange);
  return knowledge;
}

/** A list of all animals, requested after everything that was created before. */
const all = (...pets: readonly Json[]) => listed({ limit: 100 }, { status: 200, body: pets });
const created = (id: number, sent: object = NEW_PET, options: Parameters<typeof posted>[2] = {}) =>
  posted(sent, { status: 201, body: { id, ...sent } }, options);

const withIntent = (exchange: Exchange, change: Partial<Exchange['request']['intent']>): Exchange => ({
  ...exchange,
  request: { ...exchange.request, intent: { ...exchange.request.intent, ...change } },
});

describe('lost creations', () => {
  test('are given up if a list of all animals does not show them; those that it shows have been created', () => {
    const before = [LOST, NAMELESS];
    expect(stateAfter(...before).ambiguous).toEqual([NEW_PET.name, '(no name)']);
    const { ambiguous, entries, lookedUp } = stateAfter(...before, all({ id: 1, ...NEW_PET }));
    expect([ambiguous, entries, lookedUp]).toEqual([[], [{ id: '1', name: NEW_PET.name }], { left: 0 }]);
  });

  test('without a name may explain an otherwise unexplained animal', () => {
    const { ambiguous, lookedUp } = stateAfter(LOST, NAMELESS, all({ id: 7, name: 'Rex', categoryId: 1 }));
    expect([ambiguous, lookedUp]).toEqual([['(no name)'], { left: 1 }]);
  });

  test('stay if the page is full', () => {
    const full = Array.from({ length: 100 }, (_unused, id) => ({ id, name: 'Rex', categoryId: 1 }));
    expect(stateAfter(LOST, all(...full)).ambiguous).toEqual([NEW_PET.name]);
  });

  test('are looked for again once there are eight more than a list has left', () => {
    const { knowledge, take } = trackRunState(OPTIONS);
    const budget = createWriteBudget({ readOnly: false, maxCreates: 40 }, knowledge);
    for (let time = 0; time < 7; time += 1) take(posted(NEW_PET, 'timeout'));
    take(all());
    for (let time = 0; time < 7; time += 1) take(posted(NEW_PET, 'timeout'));
    expect([knowledge.ambiguous.length, budget.lookUp()]).toEqual([7, undefined]);
    take(posted(NEW_PET, 'timeout'));
    expect(budget.lookUp()).toEqual({ limit: 100 });
  });
});

describe('what was created', () => {
  test('is recorded with what was sent, in the order of the history', () => {
    const { created: known, entries, credible } = stateAfter(created(1), created(2, { name: 'Rex', categoryId: 2 }));
    expect([...known.values()].map(({ id, sent, plain }) => [id, sent, plain])).toEqual([
      [1n, { name: NEW_PET.name, categoryId: 1n }, true],
      [2n, { name: 'Rex', categoryId: 2n }, true],
    ]);
    expect([entries.length, credible]).toEqual([2, true]);
  });

  test.each<[string, Exchange]>([
    ['an invalid body', created(1, NEW_PET, INVALID)],
    ['raw bytes', posted(JSON.stringify(NEW_PET), { status: 201, body: { id: 1, ...NEW_PET } })],
    ['a wrong key', created(1, NEW_PET, { credential: { ...RIGHT_KEY, standing: 'refused' } })],
  ])('from %s is reported, but checks do not continue with it', (_what, exchange) => {
    const state = stateAfter(exchange);
    expect([state.created.size, state.credible, state.entries]).toEqual([0, false, [{ id: '1', name: NEW_PET.name }]]);
  });

  test('with the id of another keeps the first one known', () => {
    const { created: known, sharedIds } = stateAfter(created(1), created(1, { name: 'Rex', categoryId: 2 }));
    expect([known.get('1')?.sent.name, [...sharedIds]]).toEqual([NEW_PET.name, ['1']]);
  });

  test('by undocumented requests is recorded; what these show is not', () => {
    const state = stateAfter(
      withIntent(created(1), { undocumented: true }),
      withIntent(all({ id: 2, ...NEW_PET }), { undocumented: true }),
    );
    expect([state.entries.length, state.seen.size]).toEqual([1, 0]);
  });

  test('from invalid bodies counts for the clause that forbids them', () => {
    expect(stateAfter(created(1, { categoryId: 1 }, INVALID), created(2, { categoryId: 1 }, INVALID)).acceptedInvalid).toEqual(
      new Map([['create.name-required', 2]]),
    );
  });
});

const error = (status: number) => ({ status, body: { code: 'x', message: 'y', status } });

describe('rejected creations', () => {
  test('have names that must not be seen, unless another creation had the same', () => {
    const rejected = posted(NEW_PET, error(400), INVALID);
    expect([...stateAfter(rejected).refusedNames]).toEqual([[NEW_PET.name, rejected]]);
    expect(stateAfter(rejected, created(1)).refusedNames.size).toBe(0);
    expect(stateAfter(created(1), rejected).refusedNames.size).toBe(0);
  });

  test.each([
    [507, 'invalid', 1],
    [507, 'plain', 0],
    [403, 'plain', 1],
  ] as const)('by a quota with %d are judged as what they were sent as (%s)', (status, domain, refused) => {
    const limited = { by: 'quota', domain } as const;
    const state = stateAfter(withIntent(posted(NEW_PET, error(status)), { body: 'open', limited }));
    expect([state.creationQuota, state.refusedNames.size]).toEqual([status, refused]);
  });

  test('count once a list or a read shows the animal of one, until a list of all animals does not show theirs', () => {
    const other = { ...NEW_PET, name: 'conformanceTodayAaac' };
    const rejections = [posted(NEW_PET, error(400), INVALID), posted(other, error(413)), posted({ categoryId: 1 }, error(400), INVALID)];
    expect(stateAfter(...rejections)).toMatchObject({ ambiguous: [], entries: [], uncheckedRejections: 3 });
    expect(stateAfter(...rejections, all())).toMatchObject({ ambiguous: [], uncheckedRejections: 0 });
    const seen = [...rejections, read(7n, { status: 200, body: { id: 7, ...other } })];
    expect(stateAfter(...seen)).toMatchObject({ ambiguous: [NEW_PET.name, '(no name)'], entries: [{ id: '7', name: other.name }] });
    expect(stateAfter(...seen, all({ id: 7, ...other })).ambiguous).toEqual([]);
    expect(stateAfter(...seen, all({ id: 7, ...other }), ...rejections.slice(2)).ambiguous).toEqual(['(no name)']);
  });

  test('without a name count once a list shows several new animals without one', () => {
    const rejection = posted({ categoryId: 1 }, error(400), INVALID);
    const pets = [1, 2].map((id) => ({ id, name: '', categoryId: 1 }));
    expect(stateAfter(all(), rejection, rejection, all(...pets)).ambiguous).toEqual(['(no name)', '(no name)']);
    expect(stateAfter(all(...pets), rejection, rejection, all(...pets)).ambiguous).toEqual([]);
    expect(stateAfter(all(), rejection, rejection, all(...pets.slice(1))).ambiguous).toEqual([]);
  });

  test.each([429, 500])('count as rejected only if it was the request that was rejected, which %d does not say', (status) => {
    expect(stateAfter(posted(NEW_PET, error(status), INVALID)).uncheckedRejections).toBe(0);
  });

  test('of a key that may not create are not a quota', () => {
    expect(
      stateAfter(withIntent(posted(NEW_PET, error(403)), { body: 'open', limited: { by: 'key', domain: 'plain' } })).creationQuota,
    ).toBe(undefined);
  });
});

test('lists and reads show animals, the latest view of each', () => {
  const { seen, listed: shown } = stateAfter(
    created(1),
    all({ id: 1, ...NEW_PET }, { id: 2, name: 'Rex', categoryId: 1 }),
    read(2n, { status: 200, body: { id: 2, name: 'Balu', categoryId: 1 } }),
  );
  expect([...seen.values()].map(({ name }) => name)).toEqual([NEW_PET.name, 'Balu']);
  expect([...shown]).toEqual(['1']);
});

/** The comparable content of a run state. */
function contentOf({ remember: _memory, leftovers, ...state }: RunState) {
  return { ...state, found: leftovers.found(), anyAnimal: leftovers.anyAnimal() };
}

describe('folding the history of a run again gives the state that the run ended with', () => {
  test.each<[string, Omit<ReferenceOptions, 'apiKey'>, Partial<Record<keyof RunState, (state: RunState) => number>>]>([
    ['of a conforming service', {}, { created: ({ created: known }) => known.size, refusedNames: ({ refusedNames }) => refusedNames.size }],
    [
      'of one that accepts what is invalid',
      { faults: ['number-name-accepted'] },
      { acceptedInvalid: ({ acceptedInvalid }) => acceptedInvalid.size },
    ],
    ['of one that loses responses to creations', { faults: ['drops-on-create'] }, { entries: ({ entries }) => entries.length }],
    [
      'of one that takes no more creations',
      { variants: ['storage-for-30-creations'] },
      { creationQuota: ({ creationQuota }) => Number(creationQuota) },
    ],
  ])('%s', async (_what, server, shows) => {
    const reference = await startReference({ ...server, apiKey: KEY });
    const options = sessionOptions(reference.baseUrl, { depth: 'quick' });
    const open = await openSession(options);
    await open.start();
    // Creates animals and reads them: most of what a run knows.
    await judgeSession(open, {
      clauses: clauses.filter(({ id }) => /^(?:create|get)\./.test(id)),
      effects: ['read', 'intrusive', 'write'],
    });
    await open.session.close();
    await reference.close();
    const { knowledge } = open.session;
    const again = trackRunState(options);
    for (const exchange of open.history.exchanges) again.take(exchange);
    expect(contentOf(again.knowledge)).toEqual(contentOf(knowledge));
    // Equal, and not because both are empty.
    for (const count of Object.values(shows)) expect(count(knowledge)).toBeGreaterThan(0);
  });
});

const noNames = (): string[] => [];

test('createMemory returns the same value for the same function, and another one for others', () => {
  const remember = createMemory();
  remember(noNames).push('Rex');
  expect(remember(noNames)).toEqual(['Rex']);
  expect(remember((): string[] => [])).toEqual([]);
});

test('createMemory keeps each run apart from the others', () => {
  createMemory()(noNames).push('Rex');
  expect(createMemory()(noNames)).toEqual([]);
});

test('createMemory makes a value once, even undefined', () => {
  const remember = createMemory();
  let made = 0;
  const nothing = (): undefined => {
    made += 1;
  };
  remember(nothing);
  remember(nothing);
  expect(made).toBe(1);
});
