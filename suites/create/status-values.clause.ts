import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { type Creation, oneOfEachStatus } from '../judging/creations/creations.ts';
import { judgePlainCreation } from '../judging/creations/plain-creation-invariant.ts';
import { readBack, requireReadable } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { judgeable } from '../judging/ownership.ts';

async function judgeStatus(s: Session, creation: Creation, all: readonly Creation[]): Promise<Finding | undefined> {
  const { sent, exchange } = creation;
  if (statusOf(judgeable(exchange)) !== 201) {
    if (!all.some((other) => statusOf(other.exchange) === 201)) haltInconclusive('no plain animal could be created', 'create.success');
    return finding([exchange], {
      summary: `a NewPet with status ${sent.status} is answered ${statusOf(exchange)}, while others are created`,
      expected: ['201 with the created Pet'],
    });
  }
  const answered = petOf(exchange);
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) haltInconclusive(`animal ${answered.id} was created and is not found`, 'list.complete');
  if (pet.status === sent.status) return undefined;
  requireReadable(sent, pet, 'status');
  // The 201 said otherwise: then what is stored is not what was created.
  if (answered.status === sent.status)
    haltInconclusive(`the 201 said ${sent.status}, and ${pet.status ?? 'no status'} is stored`, 'create.round-trip');
  return finding([exchange, read], {
    summary: `an animal created as ${sent.status} is ${pet.status ?? 'without status'}`,
    expected: [`status ${sent.status}`],
    received: pet.status === undefined ? 'no status' : `status ${pet.status}`,
    pointer: '/status',
  });
}

export const createStatusValues = defineClause({
  id: 'create.status-values',
  chapter: 'create-pet',
  section: 'PetStatus',
  level: 'required',
  requirement: 'An animal may be created with each of available, pending and sold, and has that status.',
  likelyCause: 'A workflow lets animals begin in one state only, or the status of the request is not mapped.',
  checks: [
    {
      id: 'each-status',
      title: 'Each status is accepted at creation and is the status of the animal',
      step: 'write',
      effect: 'write',
      fault: 'create-sold-becomes-available',
      run: async (s) => {
        const all = await oneOfEachStatus(s);
        const rows = all.filter(({ sent }) => sent.status !== undefined);
        return judgeRows(s, {
          rows,
          judge: (creation) => judgeStatus(s, creation, all),
          evidence: 'available, pending and sold are accepted and kept',
        });
      },
    },
  ],
  invariants: [
    {
      id: 'accepted',
      title: 'No plain NewPet is refused for its status',
      fault: 'create-pending-refused',
      judge: judgePlainCreation('create.status-values', (status) => `a NewPet is answered ${status} for its status`),
    },
  ],
});
