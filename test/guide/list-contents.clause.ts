import { defineRules } from '../../suites/define.ts';

export const listContents = defineRules({
  id: 'list.status-filter',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |'],
  level: 'required',
  requirement: 'A list with status=pending shows only pending animals.',
  likelyCause: 'The filter does not reach the query.',
  rules: [
    {
      layer: 'values',
      judge({ intent, pets = [] }) {
        // A list without animals could not have been broken.
        if (intent.credential !== 'valid' || intent.status !== 'pending' || pets.length === 0) return 'not-applicable';
        const stranger = pets.find(({ status }) => status !== 'pending');
        if (stranger === undefined) return 'holds';
        const { id, status = 'none' } = stranger;
        return {
          summary: `GET /pets?status=pending returned animal ${id} with status ${status}`,
          expected: ['only animals with status "pending"'],
          received: `status ${status}`,
        };
      },
    },
  ],
  sent: [
    {
      id: 'pending',
      title: 'status=pending keeps only pending animals',
      step: 'read',
      needs: ['pets'],
      async send(s) {
        // There must be one, or the list proves nothing.
        await s.fixtures.withStatus('pending');
        await s.api.list({ status: 'pending' });
      },
      unmet: 'status=pending shows no animal',
    },
  ],
});
