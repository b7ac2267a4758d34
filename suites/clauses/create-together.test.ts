import { describe, expect, test } from 'vitest';
import { nameSent } from '../../src/oracle/world.ts';
import { error } from '../../test/support/history.ts';
import { breachesOf, brokenBy, judgementOn, listed, posted, read, type Step } from '../../test/support/judged.ts';

const plain = (letters: string) => ({ name: `ConformanceTest${letters}`, categoryId: 3 });
const made = (id: number, pet: object) => ({ status: 201, body: { id, status: 'available', ...pet } });
const shown = (id: number, pet: object) => ({ status: 200, body: { id, status: 'available', ...pet } });
const birth = (id: number, letters: string): Step => posted(plain(letters), made(id, plain(letters)));
/** On one connection. */
const kept = (step: Step): Step =>
  typeof step.reply === 'object' && 'status' in step.reply ? { ...step, reply: { ...step.reply, connection: 1 } } : step;

const FIRST = birth(1, 'Aaaa');
const SECOND = birth(2, 'Aaab');
const ASKED = ['create.round-trip', 'create.unusual-names', 'create.unusual-categories', 'create.independent'];

describe('creations', () => {
  const names = ['Baaa', 'Baab', 'Baac', 'Baad', 'Baae'];
  /** In flight at the same time, long after all others. */
  const together = (replies: readonly Step['reply'][], categories: readonly number[] = []): readonly Step[] =>
    replies.map((reply, index) => ({
      ...posted({ ...plain(names[index] ?? 'Baaz'), categoryId: categories[index] ?? 3 }, reply),
      at: 20_000 + index,
    }));
  const right = names.map((letters, index) => made(10 + index, plain(letters)));
  const later = (...steps: readonly Step[]): readonly Step[] => steps.map((step, index) => ({ ...step, at: 30_000 + index * 1_000 }));
  const missing = right.map((_one, index) => read(BigInt(10 + index), error(404)));

  test('keep their data if they are concurrent', () => {
    expect(brokenBy([FIRST, SECOND, ...together(right)], ASKED)).toEqual([]);
    const mixed = [made(10, plain('Baab')), ...right.slice(1)];
    expect(brokenBy([FIRST, SECOND, ...together(mixed)], ASKED)).toEqual(['create.independent']);
    // The creation whose name it is, the one that got it, and where that shows.
    const shows = breachesOf('create.independent', [FIRST, SECOND, ...together(mixed)])[0]?.breach?.shown?.map(nameSent);
    expect(shows).toEqual(['Baab', 'Baaa', 'Baaa'].map((letters) => plain(letters).name));
    const stored = later(read(10n, shown(10, plain('Baab'))));
    expect(brokenBy([FIRST, SECOND, ...together(right), ...stored], ASKED)).toEqual(['create.independent']);
  });

  test('are not mixed up by concurrency if a sequential one shows the name of another', () => {
    const previous = posted(plain('Baaf'), made(20, plain('Aaaa')));
    const mixed = together([made(10, plain('Baab')), ...right.slice(1)]);
    expect(brokenBy([FIRST, SECOND, previous, ...mixed], ['create.independent'])).toEqual([]);
  });

  test('are not mixed up if a category is always changed that way', () => {
    const changed = ['Baaa', 'Baab'].map((letters, index) => made(10 + index, { ...plain(letters), categoryId: 4 }));
    const mixed = together(changed, [3, 4]);
    expect(brokenBy(mixed, ['create.independent'])).toEqual([]);
    expect(brokenBy([FIRST, SECOND, ...mixed], ['create.independent'])).toEqual(['create.independent']);
  });

  test('are not lost if they are concurrent', () => {
    const asked = ['create.independent', 'get.success'];
    const found = read(1n, shown(1, plain('Aaaa')));
    const twice = [...missing, ...missing];
    expect(brokenBy([FIRST, SECOND, ...together(right), ...later(found, ...twice)], asked)).toEqual(['create.independent']);
    const lost = read(2n, error(404));
    expect(brokenBy([FIRST, SECOND, ...together(right), ...later(found, lost, lost, ...twice)], asked)).toEqual(['get.success']);
  });

  test('are not lost by concurrency if earlier animals are gone with them', () => {
    const asked = ['create.independent', 'get.durable'];
    const seen = [read(1n, shown(1, plain('Aaaa'))), read(2n, shown(2, plain('Aaab')))];
    const before = [FIRST, SECOND, ...seen, ...together(right)];
    const since = [...missing, ...missing, birth(20, 'Dddd'), read(20n, shown(20, plain('Dddd')))];
    const gone = [1n, 2n, 1n, 2n].map((id) => read(id, error(404)));
    expect(brokenBy([...before, ...later(...since)], asked)).toEqual(['create.independent']);
    expect(brokenBy([...before, ...later(...since, ...gone)], asked)).toEqual(['get.durable']);
  });

  /** Each with a status, and right after it one without, which gets the status that is chosen for it. */
  const pairs = (chosen: (status: string) => string, isRejected = false): readonly Step[] =>
    ['sold', 'sold', 'pending', 'sold', 'pending', 'pending'].flatMap((status, index) => {
      const letters = `Ca${String.fromCharCode(97 + index)}`;
      const sent = { ...plain(`${letters}a`), status };
      const before = isRejected ? posted({ categoryId: 3, status }, error(400)) : posted(sent, made(30 + index, sent));
      return [before, posted(plain(`${letters}b`), made(40 + index, { ...plain(`${letters}b`), status: chosen(status) }))];
    });

  test('do not inherit a status six times out of six', () => {
    const red = (steps: readonly Step[]) => brokenBy([FIRST, ...steps], ['create.independent']);
    expect(red(pairs((status) => status))).toEqual(['create.independent']);
    expect(red(pairs((status) => status, true))).toEqual(['create.independent']);
    expect(red(pairs(() => 'pending'))).toEqual([]);
    expect(red(pairs((status) => status).slice(0, -2))).toEqual([]);
  });

  test('leave no name for the next body on the connection', () => {
    const nameless = (pet: object): Step => kept(posted({ categoryId: 3 }, made(51, pet)));
    const red = (pet: object) => brokenBy([FIRST, kept(birth(50, 'Daaa')), nameless(pet)], ['create.independent', 'create.name-required']);
    expect(red(plain('Daaa'))).toEqual(['create.independent']);
    expect(red({ ...plain('Daaa'), name: 'unnamed' })).toEqual(['create.name-required']);
  });

  test('are accepted after a rejected one', () => {
    let id = 60;
    const own = (reply: 'accepted' | 'rejected'): Step => {
      id += 1;
      const sent = plain(`E${String.fromCharCode(97 + (id % 26))}${String.fromCharCode(97 + Math.floor(id / 26))}x`);
      return kept(posted(sent, reply === 'accepted' ? made(id, sent) : error(400)));
    };
    const nameless = (): Step => kept(posted({ categoryId: 3 }, error(400)));
    const turns = (...afterwards: readonly ('accepted' | 'rejected')[]): readonly Step[] =>
      afterwards.flatMap((after) => [own('accepted'), own('accepted'), nameless(), own(after)]);
    const red = (steps: readonly Step[]) => brokenBy([FIRST, ...steps], ['create.independent']);
    expect(red(turns('rejected', 'rejected', 'rejected'))).toEqual(['create.independent']);
    expect(red(turns('rejected', 'accepted', 'accepted'))).toEqual([]);
    // What is also rejected before is not rejected because of what happened in between.
    const always = [1, 2, 3].flatMap(() => [own('accepted'), own('rejected'), nameless(), own('rejected')]);
    expect(red([...always, own('accepted'), own('rejected')])).toEqual([]);
  });
});

describe('create.refused-stores-nothing', () => {
  const CLAUSE = 'create.refused-stores-nothing';
  const PLAIN = birth(3, 'Rrrr');
  const list = (...pets: readonly object[]): Step => listed({ limit: 100 }, { status: 200, body: pets });
  const nameless = (id: number): object => ({ id, name: '', categoryId: 3 });
  const without = posted({ name: 7, categoryId: 3 }, error(400));
  const red = (...steps: readonly Step[]) => brokenBy([PLAIN, ...steps], [CLAUSE]);

  test('finds the name of a rejected creation, in a list and alone, unless an animal was renamed', () => {
    const [rejected, REX] = [posted({ ...plain('Rexx'), color: 'brown' }, error(400)), { id: 9, ...plain('Rexx') }];
    const shows = (step: Step) => judgementOn(CLAUSE, [PLAIN, rejected, step]);
    expect(shows(list({ ...REX, name: 'Tom' }))).toBe('holds');
    expect(shows(list({ ...REX, id: 8, name: 'Tom' }, REX))).toMatchObject({
      summary: 'GET /pets?limit=100 shows animal 9, "ConformanceTestRexx", although its creation was rejected (400)',
      ...{ pointer: '/1', shown: [{ status: 400 }, { status: 200 }] },
    });
    expect(shows(read(9n, shown(9, REX)))).toMatchObject({ summary: expect.stringContaining('GET /pets/9 shows animal 9') });
    expect(shows(read(3n, shown(3, { ...REX, id: 3 })))).toBe('holds');
    expect(shows(listed({}, 'timeout'))).toBe('not-applicable');
    expect(judgementOn(CLAUSE, [PLAIN, list(REX)])).toBe('not-applicable');
  });

  test('is broken if two animals without a name appear between two lists, after a body without one was rejected', () => {
    expect(red(list(), without, list(nameless(8), nameless(9)))).toEqual([CLAUSE]);
    // One that was accepted without a name has its own place in the list.
    expect(red(list(), made201(7), without, list(nameless(8), nameless(9)), list(nameless(7)))).toEqual([CLAUSE]);
  });

  const both = [nameless(8), nameless(9)];
  const made201 = (id: number): Step => posted({ name: '', categoryId: 3 }, { status: 201, body: nameless(id) });
  test.each<[string, readonly Step[]]>([
    ['one alone', [list(), without, list(nameless(8))]],
    ['those that were there before', [list(...both), without, list(...both)]],
    ['those that came before the rejection', [list(), list(...both), without, list(...both)]],
    ['those that were created without a name', [list(), made201(8), made201(9), without, list(...both)]],
    ['as many as creations were lost', [list(), posted(plain('Lost'), 'timeout'), without, list(...both)]],
    ['animals with a name that are shown without it', [list(), without, list(nameless(3), ...both)]],
  ])('says nothing of %s', (_what, steps) => {
    expect(red(...steps)).toEqual([]);
  });

  const found = read(3n, shown(3, plain('Rrrr')));
  const gone = read(3n, error(404));

  test('is broken if an animal that was read twice is gone after a rejection, but not within the consistency window', () => {
    expect(red(found, found, without, gone)).toEqual([CLAUSE]);
    const early = [PLAIN, found, found, without, gone].map((step, index) => ({ ...step, at: index * 20 }));
    expect(brokenBy(early, [CLAUSE])).toEqual([]);
  });

  test.each<[string, readonly Step[]]>([
    ['it is read once before', [found, without, gone]],
    ['nothing is rejected in between', [without, found, found, gone]],
    ['something is rejected between the reads that find it too', [found, found, gone, without, gone]],
    ['it is seen again', [found, found, without, gone, found]],
    ['it is seen in a list again', [found, found, without, gone, list({ id: 3, ...plain('Rrrr') })]],
    ['reading it fails', [found, found, without, read(3n, error(500))]],
  ])('is not broken if %s', (_what, steps) => {
    expect(red(...steps)).toEqual([]);
  });
});
