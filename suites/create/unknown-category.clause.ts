import { defineRules } from '../define.ts';
import { choiceOf } from './open-creations.ts';

/** No store has so many categories. */
const UNLIKELY = 2n ** 62n + 12_345n;

export const unknownCategory = defineRules({
  id: 'create.unknown-category',
  chapter: 'create-pet',
  section: 'Gaps',
  quote: ['Category record (its own fields and endpoints): not shown beyond the categoryId reference.'],
  level: 'open',
  requirement:
    'Records whether a category must exist, and how an animal of one that does not is rejected. Only the identifier of a category is shown. A rejection has an Error body (errors.shape), and nothing is stored (create.refused-stores-nothing).',
  likelyCause: 'No action needed; document the status of the rejection if clients may rely on it.',
  sent: [
    {
      id: 'unlikely',
      title: 'Records the response to an animal of a category that is unlikely to exist',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => s.api.create({ value: { ...(await s.fixtures.plain()), categoryId: UNLIKELY } }, { domain: 'open' }),
      observe: (events) =>
        events
          .filter(({ intent }) => intent.sent?.categoryId === UNLIKELY)
          .map((event) => ({ question: 'a category that does not exist', answer: choiceOf(event) })),
    },
  ],
});
