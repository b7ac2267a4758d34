import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { clauses } from '../../suites/index.ts';

// A copy of the Pet Store Service Interface Specification, the document that the suite judges by, as its owner published it. It changes
// only together with that document.
const DOCUMENT = readFileSync(new URL('pet-store-interface.md', import.meta.url), 'utf8');

const SHORTEST = 15;

describe('quotes', () => {
  test.each(clauses.flatMap(({ id, quote = [] }) => quote.map((sentence) => [id, sentence] as const)))(
    '%s quotes the document letter by letter: %s',
    (_id, sentence) => {
      expect(sentence.length).toBeGreaterThan(SHORTEST);
      expect(DOCUMENT).toContain(sentence);
    },
  );
});
