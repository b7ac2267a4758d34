import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { finding, petOf, statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Creation, Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { judgePlainCreation } from '../judging/creations/plain-creation-invariant.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { requireReadable } from '../judging/creations/require-readable.ts';
import { judgeRows } from '../judging/judge-rows.ts';

async function judgeStatus(s: Session, creation: Creation, all: readonly Creation[]): Promise<Finding | undefined> {
  const { sent, exchange } = creation;
  if (statusOf(judgeable(exchange)) !== 201) {
    if (!all.some((other) => statusOf(other.exchange) === 201)) haltInconclusive('no plain animal could be created', 'create.success');
    return finding([exchange], {
      summary: `POST /pets with status "${sent.status}" returned ${statusOf(exchange)}; others returned 201`,
      expected: ['201 with the created Pet'],
    });
  }
  const answered = petOf(exchange);
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) haltInconclusive(`animal ${answered.id} was created but can't be found`, 'list.complete');
  if (pet.status === sent.status) return undefined;
  requireReadable(sent, pet, 'status');
  // The 201 showed the status sent, so only the stored value is wrong.
  if (answered.status === sent.status)
    haltInconclusive(`the 201 showed ${sent.status}, but ${pet.status ?? 'no status'} is stored`, 'create.round-trip');
  return finding([exchange, read], {
    summary: `an animal created as ${sent.status} is ${pet.status ?? 'without a status'}`,
    expected: [`status ${sent.status}`],
    received: pet.status === undefined ? 'no status' : `status ${pet.status}`,
    pointer: '/status',
  });
}

export const createStatusValues = defineClause({
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
  checks: [
    {
      id: 'each-status',
      title: 'Accepts each status at creation and keeps it',
      step: 'first-page',
      given: ['readBack', 'create.round-trip', 'list.complete'],
      effect: 'write',
      fault: 'create-sold-becomes-available',
      run: async (s) => {
        const all = await s.fixtures.firstCreations();
        const rows = all.filter(({ sent }) => sent.status !== undefined);
        return judgeRows(s, {
          rows,
          judge: (creation) => judgeStatus(s, creation, all),
          evidence: 'available, pending, and sold were accepted and kept',
        });
      },
    },
  ],
  invariants: [
    {
      id: 'every-plain-body',
      title: 'No plain NewPet is rejected for its status',
      fault: 'create-pending-refused',
      judge: judgePlainCreation('create.status-values', (status) => `POST /pets returned ${status} because of its status; expected 201`),
    },
  ],
});
