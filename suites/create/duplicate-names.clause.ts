import { createMeeting } from '../../src/session/client/api.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { choiceOf } from './open-creations.ts';

const TWO = 2;

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
      title: 'Records the responses to two more animals that are sent at the same moment and are the same as an earlier one',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      async send(s, { creation }) {
        const created = creation.find(({ exchange }) => statusOf(exchange) === 201);
        if (created === undefined) return;
        // Two at the same moment, so that neither a lookup of the name nor the one response to both is in time for the other.
        const meeting = createMeeting(Math.min(TWO, s.options.concurrency));
        const value = created.sent;
        await s.all(Array.from({ length: TWO }), () => s.api.create({ value }, { domain: 'open', meeting }));
      },
      observe: (events) =>
        events
          .filter(({ intent }) => intent.body === 'open')
          .map((event) => ({ question: 'a second animal with the same name', answer: choiceOf(event) })),
    },
  ],
});
