import { expect, test } from 'vitest';
import { placeholderFault, placeholderIn } from './placeholder.ts';

test.for([
  ['https://${HOST}/v1', '${HOST}'],
  ['https://$(hostname)/v1', '$(hostname)'],
  ['https://$HOST/v1', '$HOST'],
  ['$BASE_URL', '$BASE_URL'],
  ['https://{{host}}/v1', '{{host}}'],
  ['https://<host>/v1', '<host>'],
  ['http://undefined/v1', 'undefined'],
  ['http://user:secret@null:8080', 'null'],
  ['undefined', 'undefined'],
  ['$HOME/key', '$HOME'],
] as const)('placeholderIn finds what nobody filled in: %s', ([text, found]) => {
  expect(placeholderIn(text)).toBe(found);
});

test.for([
  'http://proxy:pa$Word@127.0.0.1:3128',
  '/dev/null',
  'C:\\share$\\reports',
  'https://undefined.example.com/null',
  'list.*',
  'a<b',
  '{id}',
])('placeholderIn finds nothing in %s', (text) => {
  expect(placeholderIn(text)).toBeUndefined();
});

test('placeholderFault names a key that is a placeholder as a whole, and none that contains one', () => {
  for (const key of ['${KEY}', '$PETSTORE_API_KEY', '{{key}}', '<your key>', 'undefined', 'null'])
    expect(placeholderFault(key)).toBe('is a placeholder that nobody filled in');
  for (const key of ['a${KEY}', 'p$KEY', '$ecret', '<a>b', 'undefined1']) expect(placeholderFault(key)).toBeUndefined();
});
