import { describe, expect, test } from 'vitest';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { COUNT_UP } from '../oracle/exchange-attributes.ts';
import type { Vector } from '../session/vector.ts';
import { type Narrowed, narrow, type Outcome } from './halve.ts';
import { isGroup, type Row } from './row.ts';

/** Narrows from a row, with a service that fails where the function says so; and how many rows were asked. */
function find(start: Row, fails: (row: Row) => boolean | Outcome, known?: readonly [number, number], idle?: number) {
  const search = narrow(
    start,
    WORDING.knowledge((dimension) => (dimension === 'name' ? known : undefined), idle),
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

  test('names no kind where only some of its values fail', () => {
    const failing = ['sold', 'pending'];
    const { found } = find(
      { op: 'list', status: 'sold' },
      (row) => !isGroup(row) && row.op === 'list' && failing.includes(String(row.status)),
    );
    expect(found).toMatchObject({ kind: 'fails', failing: { op: 'list', status: 'sold' }, kinds: [] });
  });

  test('halves packs, and the headers of one client', () => {
    const start: Vector = { op: 'list', credential: 'none', client: ['local client', 'CORS preflight', 'plain HTTP'] };
    const knowledge = WORDING.knowledge(() => undefined);
    const { found, asked } = find(
      start,
      vector((row) => knowledge.headersOf(row).some(([name]) => name === 'x-remote-ip') && row.credential === 'none'),
    );
    const failing = rowOf(found);
    expect(failing !== undefined && !isGroup(failing) ? knowledge.headersOf(failing) : []).toEqual([['x-remote-ip', '127.0.0.1']]);
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

  test('finds in whose company it fails, and asks that once more: what comes and goes may look like company', () => {
    const isAfterError = (row: Row): boolean =>
      isGroup(row) && row.how === 'in turn' && row.rows.some((one) => 'id' in one && one.id === '63 bits');
    expect(find({ op: 'list' }, isAfterError).found).toMatchObject({ kind: 'company', company: 'right after a 404 response' });
    let times = 0;
    const once = (row: Row): boolean => {
      times += isAfterError(row) ? 1 : 0;
      return isAfterError(row) && times === 1;
    };
    expect(find({ op: 'list' }, once).found).toMatchObject({ kind: 'comes and goes' });
  });

  test.each([
    [1_000, 'after 1110 ms without any request'],
    [300, 'after 300 ms without any request'],
  ])('finds that it fails after a pause of %i ms, where one was as long', (least, company) => {
    const fails = (row: Row): boolean => isGroup(row) && (row.pause ?? 0) >= least;
    expect(find({ op: 'list' }, fails, undefined, 1_100.6).found).toMatchObject({ kind: 'company', company });
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

describe('WORDING', () => {
  const textOf = (vector: Vector): string => {
    const [dimension = '', value = ''] = Object.entries(vector).find(([one]) => one !== 'op') ?? [];
    return WORDING.valueText(vector, dimension, value);
  };

  test.each([
    [{ op: 'create', name: 'missing' }, 'without a name'],
    [{ op: 'create', name: '42' }, 'with `"name":42`'],
    [{ op: 'create', name: 'object with the name' }, 'with `"name":{"name":"…"}`'],
    [{ op: 'create', name: 'one emoji' }, 'with a name like `"… 😀"`'],
    [{ op: 'create', shape: 'comment after' }, 'with the body `{"name":"…","categoryId":1} // a comment`'],
    [{ op: 'create', members: 'Name alone' }, 'with the member `"Name":"…"`'],
    [{ op: 'get', id: 'null' }, 'in `GET /pets/null`'],
    [{ op: 'get', id: '63 bits' }, 'for an id that no animal has'],
    [{ op: 'get', id: '300 digits' }, 'for the id "300 digits"'],
    [{ op: 'get', id: 'known + 2^32' }, 'for the id "known + 2^32"'],
    [{ op: 'list', credential: 'scheme twice' }, 'with `Authorization: Bearer Bearer $PETSTORE_API_KEY`'],
    [{ op: 'list', credential: 'query parameter apiKey' }, 'with the API key in the query parameter apiKey'],
    [{ op: 'list', credential: 'first half' }, 'with the credential "first half" in place of the API key'],
  ] as const satisfies readonly (readonly [Vector, string])[])('says %j as it is sent: %s', (vector, text) => {
    expect(textOf(vector)).toBe(text);
  });

  test('says none in words, and no number that nobody would ask for', () => {
    expect(WORDING.predicateText({ name: 'animals', test: { kind: 'most', value: 0, other: 1 } })).toBe('in empty lists');
    expect(WORDING.predicateText({ name: 'animals', test: { kind: 'most', value: 2, other: 5 } })).toBe(
      'in lists of 2 animals or less; 5 is fine',
    );
    expect(WORDING.predicateText({ name: 'status sent', test: { kind: 'is', value: 'unknown' } })).toBeUndefined();
  });

  test('says the remainder of ids, also of those that creations are given', () => {
    for (const name of ['id', 'id given']) {
      expect(COUNT_UP).toContain(name);
      expect(WORDING.predicateText({ name, test: { kind: 'divided', by: 5, rest: 0 } })).toBe('for ids that 5 divides');
      expect(WORDING.predicateText({ name, test: { kind: 'divided', by: 2, rest: 1 } })).toBe('for odd ids');
    }
  });
});
