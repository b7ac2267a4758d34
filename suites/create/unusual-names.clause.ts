import { unusualTails } from '../../src/arbitraries/valid-requests.ts';
import { LARGEST_LIMIT } from '../../src/clause/limits.ts';
import type { World } from '../../src/oracle/world.ts';
import { PET_STATUSES } from '../../src/wire/exchange.ts';
import { CONTENT_TOO_LARGE } from '../../src/wire/statuses.ts';
import { ALIKE_NAMES, BARE_NAMES, CHARACTER_NAMES, FIRST_NAMES, LONG_NAMES, withName } from '../cases/unusual-names.ts';
import { defineRules } from '../define.ts';
import { createNamed, createUnusual, createVeryLong, largeStore, spelledAs } from '../stimuli/creations.ts';
import { sendDrawn } from '../stimuli/drawn.ts';
import { lastLists } from '../stimuli/lists.ts';
import { unusualRules } from './unusual-values.ts';

/** Statuses for a name that is taken: 422 counts only if the service also returned it for the exact name of another animal. */
const [CONFLICT, UNPROCESSABLE] = [409, 422];
/** Characters of a plain name at most. */
const SHORT = 20;
/** Letters at the end of a plain name that count the names of the run. */
const COUNTER = 4;

/** What is left of a name for a collation that does not look closely. */
const skeletonOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase();

/** Whether another animal may have the name: one of this run that is almost called so, or, of a name that is not this run's own, any. */
function mayBeTaken(name: string, { known }: World): boolean {
  const created = [...known.created.values()];
  const isOwn = created.some(({ plain, sent }) => plain && name.includes(sent.name.slice(0, -COUNTER)));
  return !isOwn || created.some(({ sent }) => sent.name !== name && skeletonOf(sent.name) === skeletonOf(name));
}

/** Whether a NewPet with the exact name of an animal before it got that status. */
function isForTaken(status: number, { events, known }: World): boolean {
  const created = [...known.created.values()];
  return events.some(
    (event) =>
      event.status === status &&
      event.intent.body !== 'invalid' &&
      created.some(({ sent, exchange }) => sent.name === event.intent.sent?.name && exchange.number < event.number),
  );
}

const rules = unusualRules({
  clause: 'create.unusual-names',
  field: 'name',
  // Length and uniqueness rules of name are not shown.
  mayReject: (status, { intent: { sent } }, world) =>
    sent !== undefined &&
    ((status === CONTENT_TOO_LARGE && sent.name.length > SHORT) ||
      ((status === CONFLICT || (status === UNPROCESSABLE && isForTaken(status, world))) && mayBeTaken(sent.name, world))),
});

const USUAL = { needs: ['creation'], effect: 'write' } as const;

export const createUnusualNames = defineRules({
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
    'If the name comes back changed: a column or an encoding is too small, or text is escaped, trimmed, normalized, or decoded on the way in but not on the way out.',
  rules,
  sent: [
    {
      ...USUAL,
      id: 'found',
      title:
        'Names with accents, an emoji, the words of statuses, or U+0000, a long name, and an empty one are rejected, or kept and found under their status',
      step: 'write',
      send: async (s) => {
        await s.all(FIRST_NAMES, async (row) => createUnusual(s, withName(await s.fixtures.plain(row.status), row), spelledAs(row)));
        const statuses = PET_STATUSES.filter((status) => FIRST_NAMES.some((row) => row.status === status));
        await s.all(statuses, (status) => s.api.list({ status, limit: LARGEST_LIMIT }));
      },
    },
    {
      ...USUAL,
      id: 'characters',
      title: 'Names with all kinds of characters are rejected or kept',
      step: 'large-store',
      send: (s) => createNamed(s, CHARACTER_NAMES),
    },
    {
      ...USUAL,
      id: 'lengths',
      title: 'Names of up to 4,096 characters are rejected with 400 or 413, or kept',
      step: 'large-store',
      exhaustive: true,
      send: (s) => createNamed(s, LONG_NAMES),
    },
    {
      ...USUAL,
      id: 'special',
      title: 'Names that are special as a whole (a space, null, digits, __proto__) are rejected or kept',
      step: 'large-store',
      exhaustive: true,
      send: async (s) => {
        await createNamed(s, BARE_NAMES);
        const [other] = [...s.knowledge.created.values()];
        if (other === undefined) return;
        await createUnusual(
          s,
          { ...(await s.fixtures.plain()), name: String(other.id) },
          { note: 'with a name that is the id of another animal' },
        );
        await s.api.get(other.id);
      },
    },
    {
      ...USUAL,
      id: 'alike',
      title: 'Names that differ only in an accent, a combining mark, a zero-width space or an emoji are rejected, or kept apart',
      step: 'large-store',
      exhaustive: true,
      send: async (s) => {
        const plain = await s.fixtures.plain('pending');
        await s.all(s.portion(ALIKE_NAMES), (row) => createUnusual(s, withName(plain, row), { note: `with ${row.what}` }));
      },
    },
    {
      ...USUAL,
      id: 'listed',
      title: 'Lists show unusual names as they were sent',
      step: 'final',
      send: async (s) => {
        await largeStore(s);
        await lastLists(s);
      },
      cases: ({ event, others = [] }) => [event, ...others].some(({ intent }) => intent.operation === 'listPets'),
      unmet: 'no list showed an animal with an unusual name',
    },
    {
      ...USUAL,
      id: 'very-long',
      title: 'Names of 16,384 and 65,536 letters, and of 30,000 three-byte characters, are rejected with 400 or 413, or kept',
      step: 'final',
      send: createVeryLong,
    },
    {
      ...USUAL,
      id: 'generated-names',
      title: 'Generated names from all of Unicode, and of naughty strings, are rejected or kept',
      step: 'property',
      shortestFirst: true,
      send: (s) =>
        sendDrawn(s, {
          name: 'unusual names',
          values: unusualTails(),
          batch: [1, 3],
          planned: 4,
          most: 4,
          shrinking: 6,
          rules,
          send: async (tail) => {
            const plain = await s.fixtures.plain();
            const isBehind = (tail.charCodeAt(0) + tail.length) % 2 === 0;
            return createUnusual(s, { ...plain, name: isBehind ? `${plain.name}${tail}` : `${tail}${plain.name}` });
          },
        }),
    },
  ],
});
