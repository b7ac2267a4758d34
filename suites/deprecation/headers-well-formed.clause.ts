import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { haltNotApplicable } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { describeRequest, findingOf } from '../../src/expect/expect.ts';
import type { Have } from '../../src/session/fixtures/haves.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { announcementsOf, shownAnnouncement } from './announcements.ts';

function judgeForm(exchange: Exchange): InvariantJudgement {
  const announcements = announcementsOf(exchange);
  if (announcements.length === 0) return 'not-applicable';
  for (const announcement of announcements) {
    const { reading } = announcement;
    if (reading.ok) continue;
    const received = shownAnnouncement(announcement);
    return {
      summary: `${describeRequest(exchange)} sent a header that ${reading.problem}: ${received}`,
      expected: ['Deprecation: @ followed by a Unix time in seconds (RFC 9745)', 'Sunset: an IMF-fixdate (RFC 8594)', 'neither header'],
      received,
    };
  }
  return 'holds';
}

async function read(s: Session, { pets }: Have<['pets']>): Promise<Outcome> {
  const reads = await s.all(pets.slice(0, 1), ({ id }) => s.api.get(id));
  if (reads.every((exchange) => judgeForm(exchange) === 'not-applicable'))
    haltNotApplicable('getPet sends neither a Deprecation nor a Sunset header');
  return judgeRows(s, {
    rows: reads,
    judge: async (exchange) => findingOf(exchange, judgeForm(exchange)),
    evidence: reads.flatMap(announcementsOf).map(shownAnnouncement).join(', '),
  });
}

export const headersWellFormed = defineClause({
  id: 'deprecation.headers-well-formed',
  chapter: 'deprecation',
  section: 'RFC 9745, section 2.1; RFC 8594, section 3',
  quote: ['Response headers of any operation: not shown.'],
  level: 'advised',
  requirement: 'A Deprecation header is a structured date, and a Sunset header is an IMF-fixdate that exists in the calendar.',
  likelyCause:
    'The header follows an older draft ("true", an HTTP-date) or is formatted as an ISO date, which client libraries do not parse.',
  checks: [
    {
      id: 'get',
      title: 'The deprecation headers of getPet are well-formed',
      step: 'read',
      given: ['pets'],
      fault: 'sunset-as-iso-date',
      run: read,
    },
  ],
  invariants: [
    { id: 'every-response', title: 'Every Deprecation and Sunset header is well-formed', fault: 'deprecation-as-true', judge: judgeForm },
  ],
});
