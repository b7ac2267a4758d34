import { describe, expect, test } from 'vitest';
import { shorterRequest } from './clause-lines.ts';
import { table } from './page.ts';

describe('rows of cases', () => {
  const request = 'POST /pets {"name":"…","categoryId":1,"status":"Available"}';

  test.each([
    [100, request],
    [50, 'POST /pets {…,"categoryId":1,"status":"Available"}'],
    [40, 'POST /pets {…,"status":"Available"}'],
  ])('in %i columns, a creation lacks only members that say nothing', (columns, shown) => {
    expect(shorterRequest(request, columns)).toBe(shown);
  });

  test.each([
    'POST /pets {"status":"sold","name":"…"}',
    'POST /pets {"name":"…"}',
    'POST /pets {"name":"a tab","categoryId":1}',
    'GET /pets?limit=1',
  ])('%s keeps what may be the reason', (text) => {
    expect(shorterRequest(text, 10)).toBe(text);
  });

  test('that look the same stand once', () => {
    const rows = ['{"a":"long text 1"}', '{"a":"long text 2"}', '{"b":1}'].map((body) => [`POST /pets ${body}`, '422', 'no']);
    expect(table(rows, { width: 34, first: 20, last: 4 })).toEqual([
      'POST /pets {"a":"long te…  422  no',
      'POST /pets {"b":1}         422  no',
    ]);
  });
});
