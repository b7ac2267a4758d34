import { describe, expect, test } from 'vitest';
import { createRequestShortener } from './clause-lines.ts';

describe('rows of cases', () => {
  const request = 'POST /pets {"name":"…","categoryId":1,"status":"Available"}';

  test.each([
    [100, request],
    [50, 'POST /pets {…,"categoryId":1,"status":"Available"}'],
    [40, 'POST /pets {…,"status":"Available"}'],
  ])('in %i columns, a creation lacks only members that tell nothing', (columns, shown) => {
    expect(createRequestShortener([request])(request, columns)).toBe(shown);
  });

  test('a category that differs stays', () => {
    const other = request.replace('1', '2');
    expect(createRequestShortener([request, other])(request, 40)).toBe('POST /pets {…,"categoryId":1,"status":"Available"}');
  });

  test.each(['POST /pets {"status":"sold","name":"…"}', 'POST /pets {"name":"…"}', 'POST /pets {"name":"a tab"}', 'GET /pets?limit=1'])(
    '%s keeps what may be the reason',
    (text) => {
      expect(createRequestShortener([text])(text, 10)).toBe(text);
    },
  );
});
