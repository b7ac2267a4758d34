import { expect, test } from 'vitest';
import { headerFault } from './secret.ts';

test.for([
  ['two lines', 'first\nsecond', 'character 6 of 12 is U+000A'],
  ['a space', 'a key', 'character 2 of 5 is U+0020'],
  ['a letter beyond ASCII', 'schlüssel', 'character 5 of 9 is U+00FC'],
  ['a control character', 'key\u0000', 'character 4 of 4 is U+0000'],
] as const)('headerFault names the place of the first wrong character and never the secret: %s', ([, secret, place]) => {
  expect(headerFault(secret)).toBe(`can't stand in an Authorization header (${place}); was a space or a line end pasted with it?`);
});

test('headerFault finds nothing wrong with visible ASCII', () => {
  expect(headerFault('!~aZ09-._/+=')).toBeUndefined();
});
