import { expect, test } from 'vitest';
import { salvage } from './salvage.ts';

test.each([
  ['a byte order mark', '\ufeff[{"id":1}]'],
  ['a prefix against hijacking', ')]}\'\n[{"id":1}]'],
  ['a warning before it', 'Notice: undefined index\n[{"id":1}]'],
  ['a comment', '[{"id":1} /* one */]'],
  ['a trailing comma', '[{"id":1,},]'],
  ['a call around it', 'callback([{"id":1}]);'],
  ['single quotes', "[{'id':1}]"],
  ['itself behind it', '[{"id":1}][{"id":1}]'],
])('salvage reads JSON with %s', (_case, text) => {
  expect(salvage(text)).toEqual([{ id: 1 }]);
});

test('salvage reads lines of records as an array, and the literals of Python', () => {
  expect(salvage('{"id":1}\n{"id":2}')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(salvage('[{"id":1,"status":None,"sold":True}]')).toEqual([{ id: 1, status: null, sold: true }]);
});

test('salvage reads NaN as null, keeps every digit, and leaves strings alone where nothing is wrong', () => {
  expect(salvage('{"a":NaN}')).toEqual({ a: null });
  expect(salvage('x {"a":9007199254740993}')).toEqual({ a: 9007199254740993n });
  expect(salvage('x {"a":"/* b */,}"}')).toEqual({ a: '/* b */,}' });
});

test.each([undefined, '', 'nothing', '<html></html>', '[1', '}{'])('salvage finds nothing in %j', (text) => {
  expect(salvage(text)).toBeUndefined();
});
