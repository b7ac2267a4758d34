import type { Breach } from '../../src/clause/clause.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import { defineRules } from '../define.ts';
import { isOfFirst, judgePlain, look, plainIn, sightsOf } from './creations.ts';

/** Whether the status may be that of another creation in flight: others that were sent with the right one are shown with it. */
function mayBeMixedUp({ number, sent, done, intent }: Event, { events }: World): boolean {
  const others = events.filter((other) => other.intent.operation === 'createPet' && other.number !== number);
  const isKept = others.some(
    ({ pet, ...other }) => other.intent.sent?.status === intent.sent?.status && pet?.status === intent.sent?.status,
  );
  return isKept && others.some((other) => other.sent < done && other.done > sent);
}

/** Broken where the 201 and all lists and reads show another status than was sent. Other clauses judge it where only one of them does. */
function judgeKept(event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  const sent = plainIn(event);
  const { pet, exchange } = event;
  if (sent?.status === undefined || pet === undefined || pet.gaps.includes('status')) return 'not-applicable';
  if (pet.status === sent.status) return 'holds';
  const sights = sightsOf(event, world).filter((sight) => !sight.pet.gaps.includes('status'));
  const [first] = sights;
  if (first === undefined || sights.some((sight) => sight.pet.status === sent.status)) return 'not-applicable';
  // create.independent judges that.
  if (mayBeMixedUp(event, world)) return 'not-applicable';
  return {
    summary: `an animal created as ${sent.status} is ${first.pet.status ?? 'without a status'}`,
    expected: [`status ${sent.status}`],
    received: first.pet.status === undefined ? 'no status' : `status ${first.pet.status}`,
    pointer: '/status',
    failureKinds: [
      { place: 'status', expected: 'the status of its creation', received: first.pet.status === undefined ? 'missing' : 'another status' },
    ],
    exchanges: [exchange, first.exchange],
  };
}

export const createStatusValues = defineRules({
  id: 'create.status-values',
  chapter: 'create-pet',
  section: 'PetStatus',
  quote: [
    '| status | string | enum PetStatus | no | Availability status |',
    'A string with exactly these allowed values: `available`, `pending`, `sold`.',
  ],
  level: 'required',
  requirement: 'createPet accepts each of available, pending, and sold as status, and the animal has that status.',
  likelyCause:
    'A strict validator takes no text for the status, a workflow allows only one initial state, or the status in the request is not mapped.',
  rules: [
    {
      layer: 'status',
      judge: (event, world) => judgePlain('create.status-values', event, world),
      simpler: {
        clauses: ['create.success'],
        isTwin: (simpler) => plainIn(simpler) !== undefined && plainIn(simpler)?.status === undefined,
      },
    },
    { layer: 'values', judge: judgeKept },
  ],
  sent: [
    {
      id: 'each-status',
      title: 'Accepts each status at creation and keeps it',
      step: 'first-page',
      needs: ['creation'],
      effect: 'write',
      send: async (s) => look(s, await s.fixtures.firstCreations()),
      cases: (one, world) => one.event.intent.sent?.status !== undefined && isOfFirst(one, world),
    },
  ],
  met: [
    {
      id: 'every-plain-body',
      title: 'No plain NewPet is rejected for its status, or stored with another one',
    },
  ],
});
