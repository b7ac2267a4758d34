import { describe, expect, test } from 'vitest';
import { WORDING } from '../../suites/plan/lore.ts';
import type { Vector } from '../session/rows.ts';
import { type Narrowed, narrow, type Outcome } from './halve.ts';
import { isGroup, type Row } from './row.ts';

/** Narrows from a row, with a service that fails where the function says so; and how many rows were asked. */
function find(start: Row, fails: (row: Row) => boolean | Outcome, known?: readonly [number, number]) {
  const search = narrow(
    start,
    WORDING.lore((dimension) => (dimension === 'name' ? known : undefined)),
  );
  let asked = 0;
  let next = search.next([]);
  while (next.done !== true) {
    asked += next.value.length;
    next = search.next(
      next.value.map((row): Outcome => {
        const outcome = fails(row);
        return outcome === true ? 'fails' : outcome === false ? 'right' : outcome;
      }),
    );
  }
  return { found: next.value, asked };
}

const rowOf = (found: Narrowed): Row | undefined => (found.kind === 'fails' ? found.failing : undefined);
const vector =
  (is: (vector: Vector) => boolean) =>
  (row: Row): boolean =>
    !isGroup(row) && is(row);
const list = (row: Row): Extract<Vector, { op: 'list' }> => (isGroup(row) || row.op !== 'list' ? { op: 'list' } : row);

describe('narrow', () => {
  test('leaves out all that a row fails without, and keeps the pair that it needs', () => {
    const start: Vector = { op: 'list', limit: 'abc', status: 'sold', client: 'curl', fields: 'in capitals', connection: 'fresh' };
    const { found } = find(start, (row) => list(row).status !== undefined && list(row).connection === 'fresh');
    expect(rowOf(found)).toEqual({ op: 'list', status: 'sold', connection: 'fresh' });
    expect(found).toMatchObject({ kind: 'fails', kinds: ['status'] });
    expect(found.kind === 'fails' && found.right).toBeDefined();
  });

  test('halves packs, and the headers of one client', () => {
    const start: Vector = { op: 'list', credential: 'none', client: ['local client', 'CORS preflight', 'plain HTTP'] };
    const lore = WORDING.lore(() => undefined);
    const { found, asked } = find(
      start,
      vector((row) => lore.headersOf(row).some(([name]) => name === 'x-remote-ip') && row.credential === 'none'),
    );
    const failing = rowOf(found);
    expect(failing !== undefined && !isGroup(failing) ? lore.headersOf(failing) : []).toEqual([['x-remote-ip', '127.0.0.1']]);
    expect(asked).toBeLessThan(30);
  });

  test('finds the first limit that fails, an odd one, and a single one', () => {
    const by = (fails: (limit: number) => boolean) =>
      find({ op: 'list', limit: 81, client: 'curl' }, (row) => typeof list(row).limit === 'number' && fails(Number(list(row).limit)));
    expect(by((limit) => limit > 50).found).toMatchObject({ ranges: { limit: { kind: 'least', value: 51, other: 50 } } });
    expect(by((limit) => limit % 2 === 1).found).toMatchObject({ ranges: { limit: { kind: 'odd' } } });
    expect(by((limit) => limit === 81).found).toMatchObject({ ranges: { limit: { kind: 'exactly', value: 81 } } });
    expect(by(() => true).found).toMatchObject({ ranges: { limit: { kind: 'any' } } });
  });

  test('finds that the length of a name is the reason, and from which on', () => {
    const lengthOf = (row: Row): number => {
      const name = isGroup(row) || row.op !== 'create' ? undefined : row.name;
      return name === undefined ? 20 : Number(/^=letters (\d+)$/.exec(String(name))?.[1] ?? 200);
    };
    const { found } = find({ op: 'create', name: ['quotes', 'SQL'], status: 'sold' }, (row) => lengthOf(row) > 80, [64, 100]);
    expect(found).toMatchObject({
      failing: { op: 'create', name: '=letters 100' },
      ranges: { name: { kind: 'least', value: 81, other: 80 } },
    });
  });

  test('finds the character of a name', () => {
    const { found } = find({ op: 'create', name: ['quotes', 'SQL', 'tabs'] }, (row) => {
      const name = isGroup(row) || row.op !== 'create' ? undefined : row.name;
      return [name].flat().some((one) => one === 'SQL' || one === 'quotes' || String(one).includes("'"));
    });
    expect(rowOf(found)).toEqual({ op: 'create', name: `=>"'"` });
  });

  test('finds that any character of a kind will do', () => {
    const { found } = find({ op: 'create', name: 'one emoji' }, (row) => {
      const name = isGroup(row) || row.op !== 'create' ? '' : String(row.name ?? '');
      return name === 'one emoji' || /[\u{10000}-\u{10ffff}]/u.test(name);
    });
    expect(found).toMatchObject({ failing: { op: 'create', name: '=>"😀"' }, kinds: ['name'] });
    expect(WORDING.kindText({ op: 'create', name: '=>"😀"' }, 'name')).toBe('with a character beyond U+FFFF in the name');
  });

  test('finds what is usual and needed: a list without a status', () => {
    const { found } = find({ op: 'list', client: 'curl' }, (row) => list(row).status === undefined);
    expect(found).toMatchObject({ failing: { op: 'list' }, usual: ['status'], right: { op: 'list', status: 'available' } });
  });

  test('says that it comes and goes where two tries differ, or the row fails no more', () => {
    expect(find({ op: 'get', id: 3 }, () => 'mixed').found).toEqual({
      kind: 'comes and goes',
      asked: { op: 'get', id: 3 },
      outcome: 'mixed',
    });
    expect(find({ op: 'get', id: 3 }, () => 'unasked').found).toEqual({ kind: 'unasked' });
  });

  test('leaves out members of a group, and tells whether they fail one after another', () => {
    const get = (id: number): Vector => ({ op: 'get', id });
    const fails = (row: Row): boolean =>
      isGroup(row) && row.how === 'together' && row.rows.filter((one) => one.op === 'get' && one.id !== 3).length >= 2;
    const { found } = find({ how: 'together', rows: [1, 2, 3, 4, 5, 6, 7].map(get) }, fails);
    expect(found).toMatchObject({ kind: 'fails', failing: { how: 'together' }, right: { how: 'in turn' } });
    expect(found.kind === 'fails' && isGroup(found.failing) ? found.failing.rows : []).toHaveLength(2);
  });
});
