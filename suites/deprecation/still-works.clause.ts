import { haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { GONE_STATUSES, mayBeRemoved, REMOVED_STATUSES } from '../../src/clause/removal.ts';
import { answerOf, describeRequest, finding, isErrorBody, petOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { fewOf } from '../get/few-of.ts';
import { combineRows, judgeRows } from '../judging/judge-rows.ts';
import { isListed } from '../judging/lists/is-listed.ts';

const DATE = '5 December 2030';

/** A few of the animals, read. */
async function readFew(s: Session, pets: readonly PetView[]): Promise<readonly Exchange[]> {
  return s.all(fewOf(pets), async ({ id }) => judgeable(await s.fixtures.firstRead(id)));
}

function removedEarly(exchange: Exchange, now: Date): Finding {
  return finding([exchange], {
    summary: `${describeRequest(exchange)} returned ${answerOf(exchange).status} for a listed animal on ${now.toISOString().slice(0, 10)}, before the removal on ${DATE}`,
    expected: ['200 with a Pet'],
  });
}

/** The reads of animals that a list still shows: other clients may have removed the rest since they were listed. */
async function stillListed(s: Session, reads: readonly Exchange[]): Promise<readonly Exchange[]> {
  const listed = await s.all(reads, async ({ request: { intent } }) => intent.petId !== undefined && isListed(s, intent.petId));
  const shown = reads.filter((_unused, index) => listed[index] === true);
  return shown.length > 0 ? shown : haltInconclusive('the animals disappeared from the lists before they were read', 'circumstance');
}

/** Before the date, reads return animals. get.success judges single missing animals; if every one is missing, getPet looks removed. */
async function beforeTheDate(s: Session, reads: readonly Exchange[]): Promise<Outcome> {
  const gone = reads.filter((exchange) => GONE_STATUSES.includes(answerOf(exchange).status));
  const missing = reads.every((exchange) => statusOf(exchange) === 404) ? await stillListed(s, reads) : [];
  const findings = [...gone, ...missing].map((exchange) => removedEarly(exchange, s.options.now));
  if (findings.length > 0) return combineRows([{ findings, halted: undefined }], '');
  const works = reads.find((exchange) => statusOf(exchange) === 200);
  if (works === undefined) return inconclusive(`getPet returned ${reads.map(statusOf).join(', ')}`, 'get.success');
  return pass(`animal ${petOf(works).id} was read on ${s.options.now.toISOString().slice(0, 10)}, before ${DATE}`);
}

/** From the date on: an animal, or a response that says that the operation is gone. */
async function fromTheDate(s: Session, reads: readonly Exchange[]): Promise<Outcome> {
  return judgeRows(s, {
    rows: reads,
    judge: async (exchange) => {
      const { status } = answerOf(exchange);
      if (status === 200) {
        petOf(exchange);
        return undefined;
      }
      if (!REMOVED_STATUSES.includes(status)) haltInconclusive(`${describeRequest(exchange)} returned ${status}`, 'get.success');
      if (!isErrorBody(answerOf(exchange)))
        haltInconclusive(`${describeRequest(exchange)} returned ${status} without an Error body`, 'errors.shape');
      return undefined;
    },
    evidence: `after ${DATE}, getPet returned ${reads.map(statusOf).join(', ')}`,
  });
}

export const stillWorks = defineClause({
  id: 'deprecation.still-works',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  quote: ['The operation is deprecated and is scheduled for removal on 5 December 2030.'],
  level: 'required',
  requirement: `Until ${DATE}, getPet returns animals. From that date on, an Error body with 404, 405, 410, or 501 is also accepted.`,
  likelyCause:
    'The deprecated route was removed from the service or the gateway ahead of schedule. Clients were told that it works until that date.',
  checks: [
    {
      id: 'by-the-date',
      title: `getPet returns listed animals until ${DATE}, and an animal or a proper Error from then on`,
      step: 'read',
      given: ['pets', 'read', 'errors.shape'],
      smoke: true,
      fault: 'get-removed-with-410',
      run: async (s, { pets }) => {
        const reads = await readFew(s, pets);
        return mayBeRemoved(s.options.now) ? fromTheDate(s, reads) : beforeTheDate(s, reads);
      },
    },
  ],
});
