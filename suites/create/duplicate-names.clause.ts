import { statusOf } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { choiceOf } from './open-creations.ts';

export const createDuplicateNames = defineRules({
  id: 'create.duplicate-names',
  chapter: 'create-pet',
  section: 'Gaps',
  quote: ['Length, character and uniqueness rules of name: not shown.'],
  level: 'open',
  requirement:
    'Records whether the service creates a second animal with a name that is taken. "Length, character and uniqueness rules of name: not shown." If it does, the response is 201 (create.success) with a new id (create.id-assigned); no response is a crash.',
  likelyCause: 'No action needed; a rejection should be an Error that states the reason.',
  sent: [
    {
      id: 'second-animal',
      title: 'Records the response to a second animal with the same name',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      async send(s, { creation }) {
        const created = creation.find(({ exchange }) => statusOf(exchange) === 201);
        if (created !== undefined) await s.api.create({ value: created.sent }, { domain: 'open' });
      },
      // choiceOf: accepted, rejected with a status, or a success without an animal.
      observe: (events) =>
        events
          .filter(({ intent }) => intent.body === 'open')
          .map((event) => ({ question: 'a second animal with the same name', answer: choiceOf(event) })),
    },
  ],
});
