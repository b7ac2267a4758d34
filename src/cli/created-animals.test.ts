import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownFolder } from '../../test/support/program.ts';
import { createResidue, unknownIds } from './created-animals.ts';

const animals = (ids: readonly string[], ambiguous: readonly string[] = []) => ({
  ...{ created: ids.map((id) => ({ id, name: 'x' })), ambiguous, budget: 250, prefix: 'Conformance' },
});

describe('createResidue', () => {
  test('writes each id once, and nothing but an int64: the ids may become SQL', () => {
    const file = join(ownFolder(), 'ids');
    writeFileSync(file, 'of the run before');
    const residue = createResidue({ created: file, after: undefined }, (text) => text);
    expect(readFileSync(file, 'utf8')).toBe('');
    residue.note(animals(['7', '-9223372036854775808', '7', '?', '1; DROP TABLE pets', '2\n3']));
    expect(readFileSync(file, 'utf8')).toBe('7\n-9223372036854775808\n');
  });
});

describe('unknownIds', () => {
  test('counts creations without a response and responses without an id', () => {
    expect(unknownIds(animals(['7']))).toBeUndefined();
    expect(unknownIds(animals(['7', '?'], ['Lost', 'Other']))).toMatch(
      /^the ids of 3 further animals are unknown: 2 creations .*, 1 response /,
    );
  });
});
