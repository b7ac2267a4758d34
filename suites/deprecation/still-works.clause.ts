import { haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { GONE_STATUSES, mayBeRemoved, REMOVED_STATUSES } from '../../src/clause/removal.ts';
import { answerOf, describeRequest, finding, isErrorBody, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { fewOf, isListed } from '../get/reading.ts';
import { conclude, judgeRows } from '../judging/judge-rows.ts';
import { judgeable } from '../judging/ownership.ts';

const DATE = '5 December 2030';

/** A few listed animals, read. */
async function readListed(s: Session): Promise<readonly Exchange[]> {
  const pets = await s.fixtures.recognized();
  return s.all(fewOf(pets), async ({ id }) => judgeable(await s.fixtures.firstRead(id)));
}

function removedEarly(exchange: Exchange, now: Date): Finding {
  return finding([exchange], {
    summary: `${describeRequest(exchange)}, an animal that the list shows, is answered ${answerOf(exchange).status} on ${now.toISOString().slice(0, 10)}, before ${DATE}`,
    expected: ['200 with a Pet'],
  });
}

/** Those that are about an animal that a list shows now: others may have been taken away since they were listed. */
async function stillListed(s: Session, reads: readonly Exchange[]): Promise<readonly Exchange[]> {
  const listed = await s.all(reads, async ({ request: { intent } }) => intent.petId !== undefined && isListed(s, intent.petId));
  const shown = reads.filter((_unused, index) => listed[index] === true);
  return shown.length > 0 ? shown : haltInconclusive('the animals that were to be read were taken away meanwhile', 'circumstance');
}

/** Before the date: an animal comes back. Single missing ones are the business of get.success; none at all looks like a removal. */
async function beforeTheDate(s: Session, reads: readonly Exchange[]): Promise<Outcome> {
  const gone = reads.filter((exchange) => GONE_STATUSES.includes(answerOf(exchange).status));
  const missing = reads.every((exchange) => statusOf(exchange) === 404) ? await stillListed(s, reads) : [];
  const findings = [...gone, ...missing].map((exchange) => removedEarly(exchange, s.options.now));
  if (findings.length > 0) return conclude([{ findings, halted: undefined }], '');
  const works = reads.find((exchange) => statusOf(exchange) === 200);
  if (works === undefined) return inconclusive(`getPet answered ${reads.map(statusOf).join(', ')}`, 'get.success');
  return pass(`animal ${petOf(works).id} was read on ${s.options.now.toISOString().slice(0, 10)}, before ${DATE}`);
}

/** From the date on: an animal, or an answer that says that the operation is gone. */
async function fromTheDate(s: Session, reads: readonly Exchange[]): Promise<Outcome> {
  return judgeRows(s, {
    rows: reads,
    judge: async (exchange) => {
      const { status } = answerOf(exchange);
      if (status === 200) {
        petOf(exchange);
        return undefined;
      }
      if (!REMOVED_STATUSES.includes(status)) haltInconclusive(`${describeRequest(exchange)} answered ${status}`, 'get.success');
      if (!isErrorBody(answerOf(exchange)))
        haltInconclusive(`${describeRequest(exchange)} answered ${status} without an Error body`, 'errors.shape');
      return undefined;
    },
    evidence: `from ${DATE} on, getPet answered ${reads.map(statusOf).join(', ')}`,
  });
}

export const stillWorks = defineClause({
  id: 'deprecation.still-works',
  chapter: 'deprecation',
  section: 'Endpoints: 3. Get an animal (deprecated)',
  level: 'required',
  requirement: `Until ${DATE} getPet answers animals; from then on an Error with 404, 405, 410 or 501 is as good.`,
  likelyCause:
    'The deprecated operation was taken out of the router or of the gateway before its date. Clients were told that they have time until then.',
  checks: [
    {
      id: 'by-the-date',
      title: `Listed animals are read until ${DATE}, or the removal is answered properly from then on`,
      step: 'read',
      smoke: true,
      fault: 'get-removed-with-410',
      run: async (s) => {
        const reads = await readListed(s);
        return mayBeRemoved(s.options.now) ? fromTheDate(s, reads) : beforeTheDate(s, reads);
      },
    },
  ],
});
