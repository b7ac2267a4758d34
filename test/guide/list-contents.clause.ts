import { describe } from '../../src/oracle/exchange.ts';
import { bounds } from '../../src/oracle/mechanisms.ts';
import type { Clause } from '../../src/oracle/rule.ts';
import { statusIn } from '../../src/oracle/timeline-view.ts';

export const listContents: Clause = {
  id: 'list.status-filter',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['| status | string | one of PetStatus | none (no filtering) | Keep only animals with this status |'],
  level: 'required',
  requirement: 'A list with status=pending shows only pending animals.',
  likelyCause: 'The filter does not reach the query.',
  rules: [
    bounds(
      (exchange) => statusIn(exchange) === 'pending',
      (exchange) => {
        const { pets = [] } = exchange.read;
        // A list without animals could not have been broken.
        if (pets.length === 0) return 'no matter';
        const stranger = pets.find(({ status }) => status !== 'pending');
        if (stranger === undefined) return undefined;
        const { id, status = 'none' } = stranger;
        return {
          summary: `${describe(exchange)} returned animal ${id} with status ${status}`,
          expected: ['only animals with status "pending"'],
          received: `status ${status}`,
          failureKinds: [{ place: '[].status', expected: 'the status asked for', received: 'another status' }],
        };
      },
    ),
  ],
  must: [{ title: 'status pending', accepts: 'listPets', meets: () => true }],
};
