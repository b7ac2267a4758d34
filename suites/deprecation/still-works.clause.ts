import { GONE_STATUSES, mayBeRemoved, REMOVED_STATUSES } from '../../src/clause/removal.ts';
import type { Case, Event, World } from '../../src/oracle/world.ts';
import { isReadOfKnown } from '../../src/oracle/world.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { asReceived } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { fewOf } from '../stimuli/documented.ts';

const DATE = '5 December 2030';

function removedEarly({ exchange, status }: Event, { known: { now } }: World) {
  return {
    summary: `${describeRequest(exchange)} returned ${status} for a listed animal on ${now.toISOString().slice(0, 10)}, before the removal on ${DATE}`,
    expected: ['200 with a Pet'],
    received: describeResponse(asReceived(exchange)),
  };
}

/**
 * Until the date, a read of an existing animal returns it; from then on, it may report that the operation has been removed. errors.shape
 * judges the form.
 */
function judgeRead(event: Event, world: World) {
  const { status = 0 } = event;
  if (!isReadOfKnown(event, world)) return 'not-applicable';
  if (status === 200) return 'holds';
  if (mayBeRemoved(world.known.now)) return REMOVED_STATUSES.includes(status) ? 'holds' : 'not-applicable';
  // get.success judges single missing animals.
  return GONE_STATUSES.includes(status) ? removedEarly(event, world) : 'not-applicable';
}

/** Until the date: if every read of animals that lists still show returns 404, getPet looks removed. */
function allMissing(world: World): readonly Case[] {
  const { events, known } = world;
  const reads = events.filter((event) => isReadOfKnown(event, world));
  if (mayBeRemoved(known.now) || reads.length === 0 || reads.some(({ status }) => status !== 404)) return [];
  const stillListed = reads.filter(({ intent: { petId }, sent }) =>
    events.some((later) => later.sent > sent && later.pets?.some(({ id }) => id === petId)),
  );
  const [event, ...others] = stillListed;
  return event === undefined ? [] : [{ event, others, breach: removedEarly(event, world) }];
}

export const stillWorks = defineRules({
  id: 'deprecation.still-works',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['The operation is deprecated and is scheduled for removal on 5 December 2030.'],
  level: 'required',
  requirement: `Until ${DATE}, getPet returns animals. From that date on, an Error body with 404, 405, 410, or 501 is also accepted.`,
  likelyCause:
    'The deprecated route was removed from the service or the gateway ahead of schedule. Clients were told that it works until that date.',
  rules: [
    { layer: 'status', judge: judgeRead },
    { layer: 'history', judgeAll: allMissing, after: ['create.id-assigned'] },
  ],
  sent: [
    {
      id: 'by-the-date',
      title: `getPet returns listed animals until ${DATE}, and an animal or a proper Error from then on`,
      step: 'read',
      needs: ['pets'],
      smoke: true,
      send: async (s, { pets }) => s.all(fewOf(pets), ({ id }) => s.fixtures.firstRead(id)),
      cases: () => true,
    },
  ],
});
