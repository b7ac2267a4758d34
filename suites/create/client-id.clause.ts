import type { Observation } from '../../src/clause/outcome.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { statusOf } from '../../src/session/read-exchange.ts';
import { defineRules } from '../define.ts';
import { clientIdIn, farId, sendClientIds } from './client-ids.ts';
import { type OpenCreation, observeCreations, sendCreations } from './open-creations.ts';

function kindOf(id: bigint): string {
  if (id <= 0n) return id === 0n ? '0' : 'negative';
  return `${id > 2n ** 31n ? '63' : '31'} bits`;
}

function observeIds(events: readonly Event[], { events: all }: World): readonly Observation[] {
  return events.flatMap((event) => {
    const client = event.intent.body === 'unusual' ? clientIdIn(event) : undefined;
    if (client === undefined) return [];
    const isTaken = all.some(({ pet, done, intent }) => intent.operation === 'createPet' && pet?.id === client.id && done <= event.sent);
    const status = statusOf(event.exchange);
    return [
      {
        question: `${client.member} of ${isTaken ? 'another animal' : `no animal (${kindOf(client.id)})`} in the body`,
        answer: status === 201 ? 'ignored' : `rejected with ${status ?? 'no response'}`,
      },
    ];
  });
}

const odd = (question: string, id: unknown): OpenCreation => ({
  question,
  body: (valid) => ({ value: { ...valid, id } }),
  describe: () => 'ignored',
});

const oddIds = (far: bigint): readonly OpenCreation[] => [
  odd('id null in the body', null),
  odd('id as a string of digits in the body', String(far)),
  odd('id beyond int64 in the body', 2n ** 63n),
  odd('id as a word in the body', 'new'),
];

const ODD = oddIds(0n);

export const createClientId = defineRules({
  id: 'create.client-id',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'open',
  requirement:
    'Records whether an id in the body of a creation is rejected or ignored. Either satisfies "never supplied by the client"; create.id-not-adopted checks that the id is not used.',
  likelyCause: 'No action needed; a rejection shows clients their mistake.',
  sent: [
    {
      id: 'id-in-body',
      title: 'Records the response to an id in the body',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      async send(s) {
        await sendClientIds(s);
        await sendCreations(s, oddIds(farId(s.options.seed + 1)));
      },
      cases: ({ event: { intent, ...event } }) =>
        (intent.body === 'unusual' && clientIdIn({ intent, ...event }) !== undefined) ||
        ODD.some(({ question }) => question === intent.bodyNote),
      observe: (events, world) => [...observeIds(events, world), ...observeCreations(events, ODD)],
    },
  ],
});
