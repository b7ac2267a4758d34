import fc from 'fast-check';
import { unusualTails } from '../../src/arbitraries/unusual-new-pet.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { ALIKE_NAMES, BARE_NAMES, CHARACTER_NAMES, FIRST_NAMES, LONG_NAMES, withName } from '../cases/unusual-names.ts';
import { defineClause } from '../define.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { judgeUnusual } from '../judging/creations/unusual-pets.ts';
import { judgeUnusualFound } from '../judging/creations/unusual-pets-filtered.ts';
import { judgeUnusualListed } from '../judging/creations/unusual-pets-listed.ts';
import { judgeBatch } from '../judging/judge-batch.ts';
import { judgeProperty } from '../judging/judge-property.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { judgeNames } from './kept-names.ts';
import { judgeVeryLong } from './very-long-names.ts';

const CONFLICT = 409;
const CONTENT_TOO_LARGE = 413;

/** Names that differ in nothing that a careless collation sees. */
async function judgeAlike(s: Session): Promise<Outcome> {
  const plain = await s.fixtures.plain('pending');
  return judgeRows(s, {
    rows: ALIKE_NAMES,
    judge: (row) => judgeUnusual(s, { what: `a name with ${row.what}`, sent: withName(plain, row), field: 'name', also: [CONFLICT] }),
    evidence: `${ALIKE_NAMES.length} names that differ in an accent, an emoji or a zero-width space, each rejected or kept`,
  });
}

export const createUnusualNames = defineClause({
  id: 'create.unusual-names',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    "| name | string | - | yes | The animal's name |",
    'Length, character and uniqueness rules of name: not shown.',
    'Success: `201`, body is the created Pet, including the assigned `id`.',
  ],
  level: 'implied',
  derivation:
    'name is a string, and "Length, character and uniqueness rules of name" are not shown, so a service may reject any unusual name with 400. But if it returns 201, the "body is the created Pet", which has the name of the NewPet, and so does the stored animal. It is an animal like any other, so the filter for its status finds it.',
  requirement: 'An unusual name is either rejected with 400 and an Error body, or accepted, kept letter by letter, and found by the list.',
  likelyCause:
    'A column or an encoding is too small, or text is escaped, trimmed, normalized, or decoded on the way in but not on the way out.',
  checks: [
    {
      // Earlier runs may have left an animal with an empty name: with unique names, 409 is acceptable too.
      id: 'found',
      title: 'Names with accents, an emoji, or U+0000, a long name, and an empty one are rejected, or kept and found under their status',
      step: 'write',
      given: ['creation', 'kept', 'list.filter-complete'],
      effect: 'write',
      fault: 'filter-misses-accents',
      run: async (s) => {
        return judgeRows(s, {
          rows: [FIRST_NAMES],
          judge: async (names) => {
            const rows = await s.all(names, async (row) => ({
              what: row.what,
              sent: withName(await s.fixtures.plain(row.status), row),
              field: 'name' as const,
              also: row.name('') === '' ? [CONFLICT] : [CONTENT_TOO_LARGE],
            }));
            return judgeUnusualFound(s, rows);
          },
          evidence: `${FIRST_NAMES.length} names, each rejected, or kept letter by letter and found under its status`,
        });
      },
    },
    {
      id: 'characters',
      title: 'Names with all kinds of characters are rejected or kept',
      step: 'large-store',
      given: ['creation', 'kept'],
      effect: 'write',
      fault: 'stored-name-trimmed',
      run: (s) => judgeNames(s, CHARACTER_NAMES, { also: [], evidence: 'names with all kinds of characters' }),
    },
    {
      id: 'lengths',
      title: 'Names of up to 4,096 characters are rejected with 400 or 413, or kept',
      step: 'large-store',
      given: ['creation', 'kept'],
      exhaustive: true,
      effect: 'write',
      fault: 'stored-name-cut-at-255',
      run: (s) => judgeNames(s, LONG_NAMES, { also: [CONTENT_TOO_LARGE], evidence: 'names of 21 to 4,096 characters' }),
    },
    {
      // Earlier runs may have left animals with these names: with unique names, 409 is acceptable too.
      id: 'special',
      title: 'Names that are special as a whole (a space, null, digits, __proto__) are rejected or kept',
      step: 'large-store',
      given: ['creation', 'kept'],
      exhaustive: true,
      effect: 'write',
      fault: 'stored-name-placeholder-replaced',
      run: (s) => judgeNames(s, BARE_NAMES, { also: [CONFLICT], evidence: 'names that are special as a whole' }),
    },
    {
      // Where names are unique by a collation, the later ones are taken.
      id: 'alike',
      title: 'Names that differ only in an accent, a combining mark, a zero-width space or an emoji are rejected, or kept apart',
      step: 'large-store',
      given: ['creation', 'kept'],
      exhaustive: true,
      effect: 'write',
      fault: 'name-key-takes-emoji-for-one',
      run: judgeAlike,
    },
    {
      id: 'listed',
      title: 'Lists show unusual names as they were sent',
      step: 'final',
      given: ['kept', 'create.answer'],
      effect: 'write',
      fault: 'list-name-shortened',
      run: async (s) => {
        await largeStore(s);
        return judgeUnusualListed(s, 'name');
      },
    },
    {
      id: 'very-long',
      title: 'Names of 16,384 and 65,536 letters, and of 30,000 three-byte characters, are rejected with 400 or 413, or kept',
      step: 'final',
      given: ['creation', 'kept'],
      effect: 'write',
      fault: 'stored-name-cut-at-256',
      run: judgeVeryLong,
    },
    {
      id: 'generated-names',
      title: 'Generated names from all of Unicode are rejected or kept',
      step: 'property',
      given: ['creation', 'kept'],
      effect: 'write',
      fault: 'stored-name-without-controls',
      run: async (s) => {
        return judgeProperty(s, {
          name: 'unusual names',
          cases: fc.array(unusualTails(), { minLength: 1, maxLength: 3 }),
          planned: 5,
          most: 5,
          shrinking: 6,
          law: (tails) =>
            judgeBatch(s, {
              rows: tails,
              judge: async (tail) => {
                const plain = await s.fixtures.plain();
                return judgeUnusual(s, {
                  what: 'a generated name',
                  sent: { ...plain, name: tail.charCodeAt(0) % 2 === 0 ? `${plain.name}${tail}` : `${tail}${plain.name}` },
                  field: 'name',
                });
              },
            }),
          evidence: 'generated names, each rejected with 400 or kept letter by letter',
        });
      },
    },
  ],
});
