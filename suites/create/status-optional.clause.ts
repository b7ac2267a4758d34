import type { Breach } from '../../src/clause/clause.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { agreeOn } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { defineRules } from '../define.ts';
import { sendNewPet } from '../stimuli/creations.ts';
import { isOfFirst, judgePlain, look, plainIn, sightsOf } from './creations.ts';

/**
 * A list or a read shows the status that the service chose as its 201 did. A 201 that omits a status that is shown later is not wrong (the
 * status of a Pet is optional): create.default-status records it.
 */
function judgeChosen(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  const sent = plainIn(event);
  const { pet, exchange } = event;
  if (sent === undefined || sent.status !== undefined || pet?.status === undefined) return 'not-applicable';
  // A list that omits the status of an animal is for get.agrees-with-list.
  const sights = sightsOf(event, world).filter((one) => one.pet.status !== undefined || one.exchange.request.intent.operation === 'getPet');
  const [first] = sights;
  if (first === undefined) return 'not-applicable';
  if (sights.some((sight) => agreeOn('status', pet, sight.pet))) return 'holds';
  return {
    summary: `an animal created without a status is ${pet.status} in the 201, but ${first.pet.status ?? 'without a status'} when it is read`,
    expected: [`status ${pet.status}`],
    received: first.pet.status === undefined ? 'no status' : `status ${first.pet.status}`,
    pointer: '/status',
    failureKinds: [
      { place: 'status', expected: 'the status of its creation', received: first.pet.status === undefined ? 'missing' : 'another status' },
    ],
    exchanges: [exchange, first.exchange],
  };
}

const ROUNDS = 2;

async function sendAfterOthers(s: Session): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    await sendNewPet(s, await s.fixtures.plain('sold'));
    await sendNewPet(s, await s.fixtures.plain());
  }
}

export const createStatusOptional = defineRules({
  id: 'create.status-optional',
  chapter: 'create-pet',
  section: 'NewPet (request body for creating an animal)',
  quote: [
    '| status | string | enum PetStatus | no | Availability status |',
    'If status is omitted on creation, the default is not stated.',
  ],
  level: 'required',
  requirement: 'status is optional. If the 201 shows a default status, getPet shows the same one; the document does not say which.',
  likelyCause:
    'The validator requires the field, the value comes from the previous request, or the default is applied when an animal is shown instead of when it is stored.',
  rules: [
    {
      layer: 'status',
      judge: (event, world) => judgePlain('create.status-optional', event, world),
      simpler: { clauses: ['create.success'], isTwin: (simpler) => plainIn(simpler)?.status !== undefined },
    },
    { layer: 'values', judge: judgeChosen, after: ['create.answer'] },
  ],
  sent: [
    {
      id: 'without-status',
      title: 'Accepts a NewPet without a status, and reads show the status that the 201 shows',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => look(s, (await s.fixtures.firstCreations()).slice(0, 1)),
      cases: (one, world) => one.event.intent.sent?.status === undefined && isOfFirst(one, world),
    },
    {
      id: 'after-others',
      title: 'Accepts a NewPet without a status right after one with a status',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: sendAfterOthers,
    },
  ],
  met: [
    {
      id: 'every-body-without-status',
      title: 'No plain NewPet is rejected for lack of a status, or stored with another one than the 201 shows',
    },
  ],
});
