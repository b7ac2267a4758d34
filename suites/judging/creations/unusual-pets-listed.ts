import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../../src/clause/outcome.ts';
import { petsOf } from '../../../src/expect/expect.ts';
import type { Field } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { judgeRows } from '../judge-rows.ts';
import { lastLists } from '../lists/large-lists.ts';
import { brokenFields } from './broken-fields.ts';
import { differences } from './differences.ts';
import { judgeField } from './unusual-field.ts';

/** Findings for unusual animals in the large lists that differ from what was sent. */
async function differentInLists(s: Session, field: Field): Promise<readonly (Finding | undefined)[]> {
  const broken = await brokenFields(s);
  if (broken.stored.has(field)) haltInconclusive(`not even the ${field} of plain animals is kept`, 'create.round-trip');
  if (broken.answered.has(field)) haltInconclusive(`the 201 changes the ${field} even of plain animals`, 'create.answer');
  const lists = await lastLists(s);
  const sightings = lists.flatMap((list) => petsOf(list).map((pet) => ({ list, pet })));
  return Promise.all(
    sightings.map(async ({ list, pet }) => {
      const known = s.knowledge.created.get(String(pet.id));
      // A value that the 201 already changed is judged there.
      if (known === undefined || known.plain || differences(known.sent, known.answered).some((other) => other.field === field))
        return undefined;
      return judgeField({ what: '', sent: known.sent, field }, pet, { s, exchanges: [known.exchange, list], where: 'listed' });
    }),
  );
}

/** Judges whether the large lists show the field of unusual animals as it was sent. */
export async function judgeUnusualListed(s: Session, field: Field): Promise<Outcome> {
  const created = [...s.knowledge.created.values()].filter(({ plain }) => !plain).length;
  return judgeRows(s, {
    rows: created === 0 ? [] : [field],
    judge: (one) => differentInLists(s, one),
    evidence: `${created} unusual animals; the first pages show them as sent`,
  });
}
