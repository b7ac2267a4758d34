import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { petOf, petsOf, statusOf } from '../../../src/expect/expect.ts';
import type { Field, NewPetInput, PetView } from '../../../src/schema/pet.ts';
import { uniquePartIn } from '../../../src/session/fixtures/names.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange, PetStatus } from '../../../src/wire/exchange.ts';
import { lastLists } from '../lists/large-lists.ts';
import { notRefused, otherStatus } from '../ownership.ts';
import { type Creation, proveStillCreates, send } from './creations.ts';
import { brokenFields, provePlainFound } from './plain-animals.ts';
import { differenceFinding, differences, lostFinding, readBack, requireReadable, showName } from './read-back.ts';

export type UnusualRow = {
  readonly what: string;
  readonly sent: NewPetInput;
  /** The field that is unusual: the others are judged in the plain domain. */
  readonly field: Field;
  /** Other refusals than 400 that are right here: 413 for a large body, 409 for a name that is taken. */
  readonly also?: readonly number[];
};

const IN_TURN = ['pending', 'sold', undefined] as const;

/** A status for the row of that index: so that no list of one status grows beyond the largest page. */
export function statusInTurn(index: number): PetStatus | undefined {
  return IN_TURN.at(index % IN_TURN.length);
}

type Judging = { readonly s: Session; readonly exchanges: readonly [Exchange, ...Exchange[]]; readonly where: string };

/**
 * Halts when the animal that is shown is another one: its id was given twice, or animals were mixed up. A value alone may be what a change
 * makes of the one that was sent; a name with the unique part of another one is not, nor are two animals that show each other's value.
 */
async function proveOwn(s: Session, { field, sent }: UnusualRow, pet: PetView): Promise<void> {
  // What other creations under way are answered is known when one more answer has come.
  await s.api.get(pet.id);
  if (s.knowledge.sharedIds.has(String(pet.id))) haltInconclusive(`id ${pet.id} was given to two animals`, 'create.id-assigned');
  const shown = uniquePartIn(pet.name ?? '', s.options.runTag);
  const swapped = [...s.knowledge.created.values()].some(
    (other) => other.sent[field] === pet[field] && other.answered[field] === sent[field] && other.sent[field] !== sent[field],
  );
  if (swapped || (shown !== undefined && shown !== uniquePartIn(sent.name, s.options.runTag)))
    haltInconclusive(`another animal, ${showName(pet.name)}, is shown`, 'create.independent');
}

/** The first difference of the field, as a finding. */
async function judgeField(row: UnusualRow, pet: PetView, { s, exchanges, where }: Judging): Promise<Finding | undefined> {
  const difference = differences(row.sent, pet).find(({ field }) => field === row.field);
  if (difference === undefined) requireReadable(row.sent, pet, row.field);
  if (difference === undefined) return undefined;
  await proveOwn(s, row, pet);
  return differenceFinding(exchanges, difference, where);
}

/** Judges what came of an unusual NewPet: 400 with an Error, or 201 and kept exactly, in the answer and when it is read. */
export async function judgeUnusual(s: Session, row: UnusualRow): Promise<Finding | undefined> {
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
  const broken = await brokenFields(s);
  if (broken.stored.has(row.field)) haltInconclusive(`the ${row.field} of plain animals is not kept`, 'create.round-trip');
  const answered = petOf(exchange);
  // A 201 that shows plain values otherwise too is the business of create.answer; what is stored may still be right.
  const inAnswer = broken.answered.has(row.field)
    ? undefined
    : await judgeField(row, answered, { s, exchanges: [exchange], where: 'answered' });
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
    if (found !== undefined) haltInconclusive('an animal was created and not found, another one like it was', 'list.complete');
  }
  return lostFinding(lost.creation, lost.read);
}

/** Unusual animals as the large lists show them: those that getPet shows as sent and a list does not. */
export async function judgeUnusualListed(s: Session, field: Field): Promise<readonly (Finding | undefined)[]> {
  const broken = await brokenFields(s);
  if (broken.stored.has(field)) haltInconclusive(`the ${field} of plain animals is not kept`, 'create.round-trip');
  if (broken.answered.has(field)) haltInconclusive(`the ${field} of plain animals is answered otherwise`, 'create.answer');
  const lists = await lastLists(s);
  const sightings = lists.flatMap((list) => petsOf(list).map((pet) => ({ list, pet })));
  return Promise.all(
    sightings.map(async ({ list, pet }) => {
      const known = s.knowledge.created.get(String(pet.id));
      // What the 201 already showed otherwise is judged there.
      if (known === undefined || known.plain || known.answered[field] !== known.sent[field]) return undefined;
      return judgeField({ what: '', sent: known.sent, field }, pet, { s, exchanges: [known.exchange, list], where: 'listed' });
    }),
  );
}
