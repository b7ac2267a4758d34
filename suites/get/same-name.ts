import { inconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { Session } from '../../src/session/session.ts';
import { judgeRow, judgeRows } from '../judging/judge-rows.ts';
import { judgeStillAsCreated } from './still-as-created.ts';

/**
 * Creates an animal and then one with the same name and a different status. Whether a service allows the second is open; that the first
 * animal stays unchanged is not.
 */
export async function judgeSameName(s: Session): Promise<Outcome> {
  const first = await s.fixtures.create('sold');
  const before = await judgeRow(() => judgeStillAsCreated(s, first));
  if (before.findings.length > 0) return inconclusive('the first animal is not read back as it was created', 'create.round-trip');
  const second = judgeable(await s.api.create({ value: { ...first.sent, status: 'available' } }, { domain: 'open' }));
  return judgeRows(s, {
    rows: [first],
    judge: (animal) => judgeStillAsCreated(s, animal),
    evidence: `an animal is unchanged after creating another one with its name returned ${statusOf(second)}`,
  });
}
