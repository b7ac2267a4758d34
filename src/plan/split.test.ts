import { describe, expect, test } from 'vitest';
import type { Vector } from '../session/vector.ts';
import { createSplitter, halvesOf } from './split.ts';

const pack: Vector = { op: 'create', name: ['quotes', 'SQL', 'tabs', 'one emoji'], space: 'tabs' };

/** Sends rows to a service that rejects these values, until nothing is left to be asked. */
function ask(rows: readonly Vector[], rejects: (value: string) => boolean, most?: number) {
  const splitter = createSplitter(most);
  const asked: Vector[] = [];
  const queue = [...rows];
  for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
    asked.push(row);
    const values = [row.op === 'create' ? row.name : [], row.op === 'create' ? row.category : []]
      .flat()
      .filter((value) => value !== undefined);
    queue.push(...splitter.after(row, values.some((value) => rejects(String(value))) ? 400 : 201));
  }
  return { asked, unanswered: splitter.unanswered() };
}

describe('createSplitter', () => {
  test('asks nothing more where all values of a pack are accepted', () => {
    expect(ask([pack], () => false)).toEqual({ asked: [pack], unanswered: [] });
  });

  test('asks the values of a rejected pack until each was accepted, or rejected alone', () => {
    const { asked, unanswered } = ask([pack], (value) => value === 'SQL');
    expect(asked.slice(1)).toEqual([
      { op: 'create', space: 'tabs', name: ['quotes', 'SQL'] },
      { op: 'create', space: 'tabs', name: ['tabs', 'one emoji'] },
      { op: 'create', space: 'tabs', name: 'quotes' },
      { op: 'create', space: 'tabs', name: 'SQL' },
    ]);
    expect(unanswered).toEqual([]);
  });

  test('asks a name and a category that were rejected together one by one', () => {
    const { asked } = ask([{ op: 'create', name: ['quotes', 'SQL'], category: '300' }], (value) => value === '300');
    expect(asked.slice(1)).toEqual([
      { op: 'create', name: ['quotes', 'SQL'] },
      { op: 'create', category: '300' },
    ]);
  });

  test('asks no plain name of another row by itself', () => {
    const row: Vector = { op: 'create', name: 90_000, category: '300' };
    expect(ask([row], () => true).asked).toEqual([row]);
  });

  test('does not ask again what was accepted in other company', () => {
    const { asked } = ask([{ op: 'create', name: ['quotes', 'tabs', 'one emoji'] }, pack], (value) => value === 'SQL');
    expect(asked.slice(2)).toEqual([{ op: 'create', space: 'tabs', name: 'SQL' }]);
  });

  test('leaves unanswered what it has no requests for, and says which values these are', () => {
    const { asked, unanswered } = ask([pack], () => true, 2);
    expect(asked).toHaveLength(3);
    expect(unanswered.map((row) => row.op === 'create' && row.name)).toEqual(['quotes', 'SQL', 'tabs', 'one emoji']);
  });

  test('without the key, takes 401 for an answer and any other status for none', () => {
    const row: Vector = { op: 'list', credential: 'none', client: ['local client', 'path /health'] };
    const splitter = createSplitter();
    expect(splitter.after(row, 401)).toEqual([]);
    expect(createSplitter().after(row, 204)).toHaveLength(2);
    expect(createSplitter().after(row, 500)).toEqual([]);
  });
});

describe('halvesOf', () => {
  test('has the values of the row between them, and nothing for one value', () => {
    expect(halvesOf({ op: 'list', client: ['Java', 'another origin'] })).toEqual([
      { op: 'list', client: 'Java' },
      { op: 'list', client: 'another origin' },
    ]);
    expect(halvesOf({ op: 'list', client: 'browser', limit: 5 })).toBeUndefined();
  });
});
