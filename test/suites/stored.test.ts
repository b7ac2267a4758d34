// Rules about what creations store, on handmade histories.
import { describe, expect, test } from 'vitest';
import type { ClauseId } from '../../src/clause/clause.ts';
import { judgeCases } from '../../src/oracle/oracle.ts';
import { eventOf } from '../../src/oracle/world.ts';
import { trackRunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { clauses } from '../../suites/index.ts';
import { listed, posted, type Reply, read } from '../support/exchange-samples.ts';

const STORED: readonly ClauseId[] = ['create.round-trip', 'create.unusual-names', 'create.unusual-categories', 'create.independent'];
const LATE = 5_000;

type Step = { readonly exchange: Exchange; readonly at: number; readonly asker: string };

/** The broken clauses about stored values that nothing explains; including `others`. */
function brokenBy(steps: readonly Step[], others: readonly ClauseId[] = []): readonly string[] {
  const { knowledge, take } = trackRunState({
    ...{ consistencyWindow: 2_000, baseUrl: 'http://127.0.0.1:9/v1', now: new Date('2026-11-21T12:00:00Z') },
    ...{ runTag: 'tests', leftoverIds: [] },
  });
  const exchanges = steps.map(
    ({ exchange, at, asker }, index): Exchange => ({
      ...exchange,
      ...{ number: index + 1, timings: { startedAt: at, duration: 10 }, request: { ...exchange.request, asker } },
    }),
  );
  for (const exchange of exchanges) take(exchange);
  const history = { events: exchanges.map(eventOf), known: knowledge, unsent: new Map() };
  return [...judgeCases(clauses, history)].flatMap(([id, all]) =>
    [...STORED, ...others].includes(id) && all.some(({ breach, explainedBy }) => breach !== undefined && explainedBy === undefined)
      ? [id]
      : [],
  );
}

let clock = 0;
/** A step after all others, or at the same time as the previous one. */
function step(exchange: Exchange, { together = false, asker = 'a/b' }: { together?: boolean; asker?: string } = {}): Step {
  clock += together ? 0 : 100;
  return { exchange, at: clock, asker };
}

const PLAIN = { name: 'conformanceTestsAaaa', categoryId: 1 };
const plain = (letters: string): typeof PLAIN => ({ ...PLAIN, name: `conformanceTests${letters}` });
const made = (id: number, pet: object): Reply => ({ status: 201, body: { id, status: 'available', ...pet } });
const shown = (id: number, pet: object): Reply => ({ status: 200, body: { id, status: 'available', ...pet } });
const refused = (status: number): Reply => ({ status, body: { code: 'c', message: 'm', status } });
const FIRST = step(posted(PLAIN, made(1, PLAIN)));
const SECOND = step(posted(plain('Aaab'), made(2, plain('Aaab'))));
const ODD = { ...PLAIN, name: 'conformanceTestsAaac Zoë' };
const FAR = { ...plain('Aaad'), categoryId: 2 ** 40 };
const unusual = (body: object, reply: Reply): Step => step(posted(body, reply, { domain: 'unusual' }));
const later = (exchange: Exchange): Step => ({ exchange, at: LATE + clock++, asker: 'a/b' });

describe('an unusual value', () => {
  test.each<readonly [what: string, steps: readonly Step[], broken: readonly string[]]>([
    ['may be rejected', [unusual(ODD, refused(400)), unusual(FAR, refused(400))], []],
    [
      'is rejected with 400',
      [unusual(ODD, refused(422)), unusual(FAR, refused(405))],
      ['create.unusual-categories', 'create.unusual-names'],
    ],
    ['may be a category that there is not', [unusual(FAR, refused(422))], []],
    ['may be too long', [unusual({ ...PLAIN, name: 'a'.repeat(300) }, refused(413))], []],
    ['may be a name that another run has left', [unusual({ ...PLAIN, name: 'null' }, refused(409))], []],
    ['is no name that is taken where nobody has it', [unusual(ODD, refused(409))], ['create.unusual-names']],
    [
      'may be a name that is taken where one is almost like it',
      [
        unusual({ ...PLAIN, name: 'conformanceTestsAaac Zoe' }, made(3, { ...PLAIN, name: 'conformanceTestsAaac Zoe' })),
        unusual(ODD, refused(409)),
      ],
      [],
    ],
    ['is returned as it was sent', [unusual(ODD, made(3, { ...ODD, name: 'conformanceTestsAaac Zoe' }))], ['create.unusual-names']],
    ['is returned with all its digits', [unusual(FAR, made(3, { ...FAR, categoryId: 7 }))], ['create.unusual-categories']],
    ['is kept', [unusual(ODD, made(3, ODD)), step(read(3n, shown(3, { ...ODD, name: 'x' })))], ['create.unusual-names']],
    [
      'is kept in each place',
      [
        unusual(ODD, made(3, ODD)),
        step(read(3n, shown(3, { ...ODD, name: 'x' }))),
        step(listed({}, { status: 200, body: [{ id: 3, ...ODD }] })),
      ],
      ['create.unusual-names'],
    ],
    [
      'is kept no better than plain ones',
      [step(read(1n, shown(1, { ...PLAIN, name: 'x' }))), unusual(ODD, made(3, ODD)), step(read(3n, shown(3, { ...ODD, name: 'x' })))],
      ['create.round-trip'],
    ],
  ])('%s', (_what, steps, broken) => {
    expect(brokenBy([FIRST, SECOND, ...steps]).toSorted()).toEqual(broken);
  });

  const odd = { ...ODD, status: 'sold' };
  const beside = { ...plain('Aaae'), status: 'sold' };
  const filtered = (...pets: readonly object[]): Step => later(listed({ status: 'sold', limit: 100 }, { status: 200, body: pets }));

  test('does not hide the animal', () => {
    const found = [read(3n, shown(3, odd)), read(4n, shown(4, beside))].map(later);
    const steps = [FIRST, SECOND, unusual(odd, made(3, odd)), step(posted(beside, made(4, beside))), ...found];
    const kept = { id: 4, ...beside };
    expect(brokenBy([...steps, filtered(kept), filtered(kept), filtered(kept)], ['list.filter-complete'])).toEqual([
      'create.unusual-names',
    ]);
    expect(brokenBy([...steps, filtered(), filtered(), filtered()], ['list.filter-complete'])).toEqual(['list.filter-complete']);
  });
});

describe('creations', () => {
  const names = ['Baaa', 'Baab', 'Baac', 'Baad', 'Baae'];
  const together = (replies: readonly Reply[], categories: readonly number[] = []): readonly Step[] =>
    replies.map((reply, index) =>
      step(posted({ ...plain(names[index] ?? 'Baaz'), categoryId: categories[index] ?? 1 }, reply), { together: index > 0 }),
    );
  const right = names.map((letters, index) => made(10 + index, plain(letters)));

  test('keep their data if they are concurrent', () => {
    expect(brokenBy([FIRST, SECOND, ...together(right)])).toEqual([]);
    const mixed = [made(10, plain('Baab')), ...right.slice(1)];
    expect(brokenBy([FIRST, SECOND, ...together(mixed)])).toEqual(['create.independent']);
    const stored = step(read(10n, shown(10, plain('Baab'))));
    expect(brokenBy([FIRST, SECOND, ...together(right), stored])).toEqual(['create.independent']);
  });

  test('are not mixed up by concurrency if a sequential one shows the name of another', () => {
    const previous = step(posted(plain('Baaf'), made(20, PLAIN)));
    expect(brokenBy([FIRST, SECOND, previous, ...together([made(10, plain('Baab')), ...right.slice(1)])])).toEqual([]);
  });

  test('are not mixed up if a category is always changed that way', () => {
    const replies = [made(10, { ...plain('Baaa'), categoryId: 3 }), made(11, { ...plain('Baab'), categoryId: 3 })];
    expect(brokenBy([FIRST, SECOND, ...together(replies, [2, 3])])).toEqual([]);
    const kept = step(posted({ ...plain('Baaf'), categoryId: 2 }, made(20, { ...plain('Baaf'), categoryId: 2 })));
    expect(brokenBy([FIRST, SECOND, kept, ...together(replies, [2, 3])])).toEqual(['create.independent']);
  });

  test('are not lost if they are concurrent', () => {
    const missing = Array.from({ length: 5 }, (_unused, index) => later(read(BigInt(10 + index), refused(404))));
    const found = later(read(1n, shown(1, PLAIN)));
    expect(brokenBy([FIRST, SECOND, ...together(right), found, ...missing], ['get.success'])).toEqual(['create.independent']);
    const lost = later(read(2n, refused(404)));
    expect(brokenBy([FIRST, SECOND, ...together(right), found, lost, ...missing], ['get.success'])).toEqual(['get.success']);
  });

  test('are not lost by concurrency if earlier animals are gone with them', () => {
    const missing = Array.from({ length: 5 }, (_unused, index) => later(read(BigInt(10 + index), refused(404))));
    const seen = [step(read(1n, shown(1, PLAIN))), step(read(2n, shown(2, plain('Aaab'))))];
    const since = [later(posted(plain('Dddd'), made(20, plain('Dddd')))), later(read(20n, shown(20, plain('Dddd'))))];
    const gone = [read(1n, refused(404)), read(2n, refused(404))].map(later);
    const before = [FIRST, SECOND, ...seen, ...together(right)];
    expect(brokenBy([...before, ...missing, ...since], ['get.durable'])).toEqual(['create.independent']);
    expect(brokenBy([...before, ...missing, ...since, ...gone], ['get.durable'])).toEqual(['get.durable']);
  });

  const BEFORE = ['sold', 'sold', 'pending', 'sold', 'pending', 'pending'];
  const pairs = (chosen: (status: string) => string, rejected = false): readonly Step[] =>
    BEFORE.flatMap((status, index) => {
      const letters = `Ca${String.fromCharCode(97 + index)}`;
      const before = rejected
        ? posted({ categoryId: 1, status }, refused(400), { domain: 'invalid', clause: 'create.name-required' })
        : posted({ ...plain(`${letters}a`), status }, made(30 + index, { ...plain(`${letters}a`), status }));
      const without = posted(plain(`${letters}b`), made(40 + index, { ...plain(`${letters}b`), status: chosen(status) }));
      return [step(before), step(without)];
    });

  test('do not inherit a status six times out of six', () => {
    expect(brokenBy([FIRST, ...pairs((status) => status)])).toEqual(['create.independent']);
    expect(brokenBy([FIRST, ...pairs((status) => status, true)])).toEqual(['create.independent']);
    expect(brokenBy([FIRST, ...pairs(() => 'pending')])).toEqual([]);
    expect(brokenBy([FIRST, ...pairs((status) => status).slice(0, -2)])).toEqual([]);
  });

  const nameless = (reply: Reply): Step =>
    step(posted({ categoryId: 1 }, reply, { domain: 'invalid', clause: 'create.name-required' }), { asker: 'c/d' });
  const own = (letters: string, reply: Reply): Step => step(posted(plain(letters), reply), { asker: 'c/d' });

  test('leave no name for the next body on the connection', () => {
    const accused: readonly ClauseId[] = ['create.name-required'];
    expect(brokenBy([FIRST, own('Daaa', made(50, plain('Daaa'))), nameless(made(51, plain('Daaa')))], accused)).toEqual([
      'create.independent',
    ]);
    expect(brokenBy([FIRST, own('Daaa', made(50, plain('Daaa'))), nameless(made(51, { ...PLAIN, name: 'unnamed' }))], accused)).toEqual([
      'create.name-required',
    ]);
  });

  test('are accepted after a rejected one', () => {
    const accepted = made(50, plain('Daaa'));
    const turn = (before: Reply, after: Reply): readonly Step[] => [own('Daaa', before), nameless(refused(400)), own('Daab', after)];
    expect(brokenBy([FIRST, ...turn(accepted, refused(400)), ...turn(accepted, refused(400))])).toEqual(['create.independent']);
    expect(brokenBy([FIRST, ...turn(accepted, refused(400)), ...turn(accepted, made(51, plain('Daab')))])).toEqual([]);
    // What is also rejected before is not rejected because of what happened in between.
    expect(brokenBy([FIRST, ...turn(refused(400), refused(400)), ...turn(refused(400), refused(400))])).toEqual([]);
  });
});
