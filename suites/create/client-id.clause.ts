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
  level: 'open',
  requirement:
    'Recorded: whether an id in the body of a creation is refused or ignored. It is "never supplied by the client"; both keep to that. That it is not adopted is create.id-not-adopted.',
  likelyCause: 'Nothing has to be done; a refusal shows clients their mistake.',
  checks: [
    {
      id: 'answers',
      title: 'The answers to an id in the body are recorded',
      step: 'final',
      effect: 'write',
      run: async (s) => {
        const answers = (await adoptions(s)).map(({ owner, id, member, exchange }) => ({
          question: `${member} of ${owner === undefined ? `no animal (${kindOf(id)})` : 'another animal'} in the body`,
          answer: statusOf(exchange) === 201 ? 'ignored' : `refused with ${statusOf(exchange) ?? 'no answer'}`,
        }));
        const odd = await observeCreations(s, [
          { question: 'id null in the body', body: (valid) => ({ value: { ...valid, id: null } }), describe: () => 'ignored' },
          {
            question: 'id as a text of digits in the body',
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
