import { observed } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { defineClause } from '../define.ts';
import { adoptions, farId } from '../judging/creations/client-ids.ts';
import { observeCreations } from '../judging/creations/create-choices.ts';

function kindOf(id: bigint): string {
  if (id <= 0n) return id === 0n ? '0' : 'negative';
  return `${id > 2n ** 31n ? '63' : '31'} bits`;
}

export const createClientId = defineClause({
  id: 'create.client-id',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'open',
  requirement:
    'Records whether an id in the body of a creation is rejected or ignored. Either satisfies "never supplied by the client"; create.id-not-adopted checks that the id is not used.',
  likelyCause: 'No action needed; a rejection shows clients their mistake.',
  checks: [
    {
      id: 'id-in-body',
      title: 'Records the response to an id in the body',
      step: 'final',
      given: ['creation', 'readBack'],
      effect: 'write',
      run: async (s) => {
        const answers = (await adoptions(s)).map(({ owner, id, member, exchange }) => ({
          question: `${member} of ${owner === undefined ? `no animal (${kindOf(id)})` : 'another animal'} in the body`,
          answer: statusOf(exchange) === 201 ? 'ignored' : `rejected with ${statusOf(exchange) ?? 'no response'}`,
        }));
        const odd = await observeCreations(s, [
          { question: 'id null in the body', body: (valid) => ({ value: { ...valid, id: null } }), describe: () => 'ignored' },
          {
            question: 'id as a string of digits in the body',
            body: (valid) => ({ value: { ...valid, id: String(farId(s.options.seed + 1)) } }),
            describe: () => 'ignored',
          },
          {
            question: 'id beyond int64 in the body',
            body: (valid) => ({ value: { ...valid, id: 2n ** 63n } }),
            describe: () => 'ignored',
          },
          { question: 'id as a word in the body', body: (valid) => ({ value: { ...valid, id: 'new' } }), describe: () => 'ignored' },
        ]);
        return observed(...answers, ...odd);
      },
    },
  ],
});
