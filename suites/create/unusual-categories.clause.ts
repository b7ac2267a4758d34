import fc from 'fast-check';
import { unusualCategories } from '../../src/arbitraries/unusual-new-pet.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { judgeUnusual, statusInTurn } from '../judging/creations/unusual-pets.ts';
import { judgeUnusualFound } from '../judging/creations/unusual-pets-filtered.ts';
import { judgeUnusualListed } from '../judging/creations/unusual-pets-listed.ts';
import { judgeBatch } from '../judging/judge-batch.ts';
import { judgeProperty } from '../judging/judge-property.ts';
import { judgeRows } from '../judging/judge-rows.ts';

/**
 * Rejections that may say that there is no such category. Whether it must exist, and whether one that does not is an invalid value, is not shown:
 * the body is judged by errors.shape.
 */
const UNKNOWN = [403, 404, 409, 410, 422];

/** What a filter or a join may lose: created while the lists have room to show that. */
const FIRST = [
  { categoryId: 0n, status: 'pending' },
  { categoryId: -1n, status: 'pending' },
  { categoryId: 2n ** 53n + 1n, status: 'sold' },
] as const;

const CATEGORIES = [
  2n ** 7n,
  2n ** 8n,
  2n ** 15n,
  2n ** 16n,
  2n ** 24n + 1n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n) - 1n,
  2n ** 32n,
  2n ** 53n - 1n,
  2n ** 53n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

async function judgeCategory(s: Session, categoryId: bigint): Promise<Finding | undefined> {
  const plain = await s.fixtures.plain(statusInTurn(CATEGORIES.indexOf(categoryId)));
  return judgeUnusual(s, { what: `categoryId ${categoryId}`, sent: { ...plain, categoryId }, field: 'categoryId', also: UNKNOWN });
}

export const createUnusualCategories = defineClause({
  id: 'create.unusual-categories',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    '| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |',
    'Success: `201`, body is the created Pet, including the assigned `id`.',
  ],
  level: 'implied',
  derivation:
    'categoryId is an int64, and whether the category must exist is not shown, so a service may reject any category, with 400 or with a 4xx that says that there is none. But if it returns 201, the "body is the created Pet", which has the categoryId of the NewPet with all the digits of an int64. It is an animal like any other, so the filter for its status finds it.',
  requirement:
    'An unusual categoryId within int64 is either rejected with an Error body, or accepted, kept digit by digit, and found by the list.',
  likelyCause: 'The number passes through a double (JavaScript, JSON libraries) or a 32-bit column.',
  checks: [
    {
      id: 'found',
      title: 'Categories 0, -1, and 2^53+1 are rejected, or kept and found under their status',
      step: 'write',
      given: ['creation', 'kept', 'list.filter-complete'],
      exhaustive: true,
      effect: 'write',
      fault: 'filter-misses-category-zero',
      run: async (s) => {
        return judgeRows(s, {
          rows: [FIRST],
          judge: async (rows) =>
            judgeUnusualFound(
              s,
              await s.all(rows, async ({ categoryId, status }) => ({
                what: `categoryId ${categoryId}`,
                sent: { ...(await s.fixtures.plain(status)), categoryId },
                field: 'categoryId' as const,
                also: UNKNOWN,
              })),
            ),
          evidence: `${FIRST.length} categories, each rejected, or kept digit by digit and found under its status`,
        });
      },
    },
    {
      id: 'edges',
      title: 'Categories at the limits of 7, 8, 15, 16, 24, 31, 32, 53, and 63 bits are rejected or kept',
      step: 'large-store',
      given: ['creation', 'kept'],
      exhaustive: true,
      effect: 'write',
      fault: 'stored-category-through-double',
      run: async (s) => {
        return judgeRows(s, {
          rows: CATEGORIES,
          judge: (categoryId) => judgeCategory(s, categoryId),
          evidence: `${CATEGORIES.length} categories, each rejected or kept digit by digit`,
        });
      },
    },
    {
      id: 'listed',
      title: 'Lists show unusual categories as they were sent',
      step: 'final',
      given: ['creation', 'readBack', 'create.answer', 'create.independent', 'create.round-trip'],
      effect: 'write',
      fault: 'list-category-zero',
      run: async (s) => {
        return judgeUnusualListed(s, 'categoryId');
      },
    },
    {
      id: 'generated-categories',
      title: 'Generated categories from all of int64 are rejected or kept',
      step: 'property',
      given: ['creation', 'kept'],
      effect: 'write',
      fault: 'stored-category-fifteen-digits',
      run: async (s) => {
        return judgeProperty(s, {
          name: 'unusual categories',
          cases: fc.array(unusualCategories(), { minLength: 1, maxLength: 3 }),
          planned: 3,
          most: 3,
          shrinking: 6,
          law: (batch) => judgeBatch(s, { rows: batch, judge: (categoryId) => judgeCategory(s, categoryId) }),
          evidence: 'generated categories, each rejected or kept digit by digit',
        });
      },
    },
  ],
});
