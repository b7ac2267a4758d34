import { unusualCategories } from '../../src/arbitraries/valid-requests.ts';
import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import { createMeeting } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { createUnusual, statusInTurn } from '../stimuli/creations.ts';
import { sendDrawn } from '../stimuli/drawn.ts';
import { lastLists } from '../stimuli/lists.ts';
import { unusualRules } from './unusual-values.ts';

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

/** At or beyond each width of integers; round numbers where any will do, because what formats numbers may drop zeros or group digits. */
const CATEGORIES = [
  130n,
  300n,
  40_000n,
  70_000n,
  2n ** 24n + 1n,
  2n ** 31n - 1n,
  2n ** 31n,
  -3_000_000_000n,
  5_000_000_000n,
  2n ** 53n - 1n,
  // Like the number of a payment card.
  4_111_111_111_111_111n,
  -(2n ** 53n) - 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
];

/** Probably no animal has it or one of the next ones that end in zero; seeds choose among so many. */
const FIRST_NEW_CATEGORY = 7_730_000n;
const NEW_CATEGORIES = 1_000;

const rules = unusualRules({
  clause: 'create.unusual-categories',
  field: 'categoryId',
  mayReject: (status) => UNKNOWN.includes(status),
});

async function createInNew(s: Session): Promise<void> {
  const categoryId = FIRST_NEW_CATEGORY + BigInt(s.options.seed % NEW_CATEGORIES) * 10n;
  const options = { note: 'with a new categoryId', meeting: createMeeting(Math.min(2, s.options.concurrency)) };
  const createOne = async () => createUnusual(s, { ...(await s.fixtures.plain('sold')), categoryId }, options);
  await s.all([createOne, createOne], (create) => create());
  await createOne();
}

async function createIn(s: Session, categoryId: bigint): Promise<readonly Exchange[]> {
  const plain = await s.fixtures.plain(statusInTurn(CATEGORIES.indexOf(categoryId)));
  return createUnusual(s, { ...plain, categoryId }, { note: `with categoryId ${categoryId}` });
}

const USUAL = { needs: ['creation'], effect: 'write' } as const;

export const createUnusualCategories = defineRules({
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
  rules,
  sent: [
    {
      ...USUAL,
      id: 'found',
      title:
        'Categories 0, -1, and 2^53+1, and a new one that two concurrent creations use, are rejected, or kept and found under their status',
      step: 'write',
      exhaustive: true,
      send: async (s) => {
        const createFirst = FIRST.map(({ categoryId, status }) => async () => {
          await createUnusual(s, { ...(await s.fixtures.plain(status)), categoryId }, { note: `with categoryId ${categoryId}` });
        });
        await s.all([() => createInNew(s), ...createFirst], (create) => create());
        await s.all(['pending', 'sold'], (status) => s.api.list({ status, limit: LARGEST_LIMIT }));
      },
    },
    {
      ...USUAL,
      id: 'edges',
      title: 'Categories around the limits of 7, 8, 15, 16, 24, 31, 32, 53, and 63 bits are rejected or kept',
      step: 'large-store',
      exhaustive: true,
      send: async (s) => s.all(s.portion(CATEGORIES), (categoryId) => createIn(s, categoryId)),
    },
    {
      ...USUAL,
      id: 'listed',
      title: 'Lists show unusual categories as they were sent',
      step: 'final',
      send: lastLists,
      cases: ({ event, others = [] }) => [event, ...others].some(({ intent }) => intent.operation === 'listPets'),
      unmet: 'no list showed an animal with an unusual category',
    },
    {
      ...USUAL,
      id: 'generated-categories',
      title: 'Generated categories from all of int64 are rejected or kept',
      step: 'property',
      shortestFirst: true,
      send: (s) =>
        sendDrawn(s, {
          name: 'unusual categories',
          values: unusualCategories(),
          batch: [1, 3],
          planned: 2,
          most: 2,
          shrinking: 6,
          rules,
          send: (categoryId) => createIn(s, categoryId),
        }),
    },
  ],
});
