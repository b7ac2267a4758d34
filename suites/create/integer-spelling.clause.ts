import { writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { sentIn } from './creations.ts';
import { type OpenCreation, observeCreations, sendCreations } from './open-creations.ts';

const spelled = (question: string, spell: (category: bigint) => string): OpenCreation => ({
  question,
  body: ({ name, categoryId }) => ({ raw: `{"name":${writeJson(name)},"categoryId":${spell(categoryId)}}` }),
  describe: ({ categoryId }, event) =>
    String(categoryId) === String(sentIn(event.exchange)?.categoryId) ? 'accepted as the same number' : 'accepted as a different number',
});

const CREATIONS: readonly OpenCreation[] = [
  spelled('categoryId written with .0', (category) => `${category}.0`),
  spelled('categoryId written with e0', (category) => `${category}e0`),
  spelled('categoryId written with 0e-1', (category) => `${category}0e-1`),
];

export const createIntegerSpelling = defineRules({
  id: 'create.integer-spelling',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: ['| categoryId | integer | int64 | yes | Identifier of the category the animal belongs to |'],
  level: 'open',
  requirement:
    'Records whether the service accepts an integer written as a fraction (1.0, 1e0). To JSON Schema it is an integer, to many parsers it is not, and the document does not say.',
  likelyCause: 'No action needed; clients should send plain integers.',
  sent: [
    {
      id: 'fraction-spellings',
      title: 'Records the response to integers written as 1.0 and 1e0',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: (s) => sendCreations(s, CREATIONS),
      observe: (events) => observeCreations(events, CREATIONS),
    },
  ],
});
