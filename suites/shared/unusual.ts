import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import type { NewPetInput, PetView } from '../../src/session/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { type Creation, proveStillCreates, send } from './creations.ts';
import { lastLists } from './large-lists.ts';
import { notRefused, OWNER, otherStatus } from './ownership.ts';
import { brokenFields, provePlainFound } from './plain-animals.ts';
import { differenceFinding, differences, type Field, lostFinding, readBack } from './stored.ts';

const LONG_VALUE = 15;

export type UnusualRow = {
  readonly what: string;
  readonly sent: NewPetInput;
  /** The field that is unusual: the others are judged in the plain domain. */
  readonly field: Field;
  /** Other refusals than 400 that are right here: 413 for a large body, 409 for a name that is taken. */
  readonly also?: readonly number[];
};

const sentValues = new WeakMap<Session, Set<unknown>>();

/** Values of unusual animals sent so far: one that comes back for another animal has been mixed up, not changed. */
function valuesOf(s: Session): Set<unknown> {
  const values = sentValues.get(s) ?? new Set<unknown>();
  sentValues.set(s, values);
  return values;
}

type Judging = { readonly s: Session; readonly exchanges: readonly [Exchange, ...Exchange[]]; readonly where: string };

/** The first difference of the field, as a finding. */
function judgeField(row: UnusualRow, pet: PetView, { s, exchanges, where }: Judging): Finding | undefined {
  const difference = differences(row.sent, pet).find(({ field }) => field === row.field);
  if (difference === undefined) return undefined;
  if (valuesOf(s).has(pet[row.field]))
    haltInconclusive(`the ${row.field} ${difference.came} of another animal is shown`, OWNER.independent);
  return differenceFinding(exchanges, difference, where);
}

/** Judges what came of an unusual NewPet: 400 with an Error, or 201 and kept exactly, in the answer and when it is read. */
export async function judgeUnusual(s: Session, row: UnusualRow): Promise<Finding | undefined> {
  // A short name may be what a change makes of another one, and so may a number: only names with the unique part are no coincidence.
  if (row.field === 'name' && row.sent.name.length > LONG_VALUE) valuesOf(s).add(row.sent.name);
  const creation: Creation = await send(s, row.sent, 'unusual');
  const { exchange } = creation;
  const wrong = otherStatus(exchange, [201, 400, ...(row.also ?? [])], `a NewPet with ${row.what}`);
  if (wrong !== undefined) {
    await proveStillCreates(s, exchange);
    return wrong;
  }
  const status = statusOf(exchange);
  if (status === 400) return notRefused(exchange, `a NewPet with ${row.what}`);
  if (status !== 201) return undefined;
  // Where not even a plain value is kept, that says nothing about unusual ones.
  if ((await brokenFields(s)).has(row.field)) haltInconclusive(`the ${row.field} of plain animals is not kept`, OWNER.roundTrip);
  const answered = petOf(exchange);
  const inAnswer = judgeField(row, answered, { s, exchanges: [exchange], where: 'answered' });
  if (inAnswer !== undefined) return inAnswer;
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) return judgeLost(s, row, { creation, read });
  return judgeField(row, pet, { s, exchanges: [exchange, read], where: 'read back' });
}

const MORE_ATTEMPTS = 2;

/** An unusual animal that is not found: sent again, as a service that loses any animal now and then breaks list.complete. */
async function judgeLost(s: Session, { sent }: UnusualRow, lost: { creation: Creation; read: Exchange }): Promise<Finding | undefined> {
  await provePlainFound(s);
  for (let attempt = 0; attempt < MORE_ATTEMPTS; attempt += 1) {
    const again = await send(s, sent, 'unusual');
    const found = statusOf(again.exchange) === 201 ? (await readBack(s, petOf(again.exchange).id)).pet : undefined;
    if (found !== undefined) haltInconclusive('an animal was created and not found, another one like it was', OWNER.listComplete);
  }
  return lostFinding(lost.creation, lost.read);
}

/** Unusual animals as the large lists show them: those that getPet shows as sent and a list does not. */
export async function judgeUnusualListed(s: Session, field: Field): Promise<readonly (Finding | undefined)[]> {
  if ((await brokenFields(s)).has(field)) haltInconclusive(`the ${field} of plain animals is not kept`, OWNER.roundTrip);
  const lists = await lastLists(s);
  return lists.flatMap((list) =>
    petsOf(list).map((pet) => {
      const known = s.knowledge.created.get(String(pet.id));
      // What the 201 already showed otherwise is judged there.
      if (known === undefined || known.plain || known.answered[field] !== known.sent[field]) return undefined;
      return judgeField({ what: '', sent: known.sent, field }, pet, { s, exchanges: [known.exchange, list], where: 'listed' });
    }),
  );
}
