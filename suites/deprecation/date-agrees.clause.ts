import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { haltNotApplicable } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, finding } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { announcementsOf, shownAnnouncement } from './announcements.ts';

/** The document names a day and no time zone: it is 5 December 2030 somewhere on Earth from 10:00 UTC of the day before to 12:00 UTC of the day behind. */
const FIRST_MOMENT = Date.UTC(2030, 11, 4, 10);
const LAST_MOMENT = Date.UTC(2030, 11, 6, 12);

/** What getPet announces does not contradict the date. A header of another form is the business of headers-well-formed. */
function judgeDates(exchange: Exchange): InvariantJudgement {
  if (exchange.request.intent.operation !== 'getPet') return 'not-applicable';
  const dated = announcementsOf(exchange).filter(({ reading }) => reading.time !== undefined);
  if (dated.length === 0) return 'not-applicable';
  for (const announcement of dated) {
    const { name, reading } = announcement;
    const time = reading.time ?? 0;
    const received = shownAnnouncement(announcement);
    if (name === 'sunset' && (time < FIRST_MOMENT || time > LAST_MOMENT)) {
      return {
        summary: `${describeRequest(exchange)} announces another date of removal: ${received}`,
        expected: ['5 December 2030', 'no Sunset header'],
        received,
      };
    }
    if (name === 'deprecation' && time > LAST_MOMENT) {
      return {
        summary: `${describeRequest(exchange)} is deprecated only after its removal: ${received}`,
        expected: ['a date up to 5 December 2030', 'no Deprecation header'],
        received,
      };
    }
  }
  return 'holds';
}

async function announcedDates(s: Session): Promise<Outcome> {
  const pets = await s.fixtures.recognized();
  const reads = await s.all(pets.slice(0, 1), ({ id }) => s.api.get(id));
  if (reads.every((exchange) => judgeDates(exchange) === 'not-applicable')) haltNotApplicable('getPet announces no date');
  return judgeRows(s, {
    rows: reads,
    judge: async (exchange) => {
      const judgement = judgeDates(exchange);
      return typeof judgement === 'string' ? undefined : finding([exchange], judgement);
    },
    evidence: reads.flatMap(announcementsOf).map(shownAnnouncement).join(', '),
  });
}

export const dateAgrees = defineClause({
  id: 'deprecation.date-agrees',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'implied',
  derivation:
    'The operation is deprecated and scheduled for removal on 5 December 2030. Sunset (RFC 8594) is the moment from which a resource is expected to be gone and Deprecation (RFC 9745) that from which it is deprecated; response headers are not shown, so neither need be sent, but one that is sent says something of this date.',
  requirement: 'A Sunset header of getPet, when sent, names 5 December 2030, and a Deprecation header is not dated after it.',
  likelyCause: 'The header is a constant of a template, or day and month are swapped. Clients plan by it.',
  checks: [
    {
      id: 'read',
      title: 'What getPet announces agrees with 5 December 2030',
      step: 'read',
      fault: 'sunset-day-and-month-swapped',
      run: announcedDates,
    },
  ],
  invariants: [{ id: 'always', title: 'No answer of getPet announces another date', fault: 'deprecated-after-sunset', judge: judgeDates }],
});
