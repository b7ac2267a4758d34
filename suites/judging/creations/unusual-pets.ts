import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { describeAnswer, finding, petOf, petsOf, statusOf } from '../../../src/expect/expect.ts';
import type { Field, NewPetInput, PetView } from '../../../src/schema/pet.ts';
import { uniquePartIn } from '../../../src/session/fixtures/names.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange, PetStatus } from '../../../src/wire/exchange.ts';
import { failsListed } from '../../get/existing.ts';
import { largeLists, lastLists } from '../lists/large-lists.ts';
import { idsIn } from '../lists/list-contents.ts';
import { notRefused, otherStatus } from '../ownership.ts';
import { type Creation, send } from './creations.ts';
import { differenceFinding, differences, requireReadable } from './differences.ts';
import { brokenFields, requirePlainFound } from './plain-animals.ts';
import { readBack } from './read-back.ts';
import { requireStillCreates } from './require-creation.ts';
import { showName } from './show-name.ts';

export type UnusualRow = {
  readonly what: string;
  readonly sent: NewPetInput;
  /** The field that is unusual: the others are judged in the plain domain. */
  readonly field: Field;
  /** Statuses besides 400 that are correct rejections here: 413 for a large body, 409 for a name that is taken. */
  readonly also?: readonly number[];
};

const IN_TURN = ['pending', 'sold', undefined] as const;

/** A status for the row with that index, so that no filtered list outgrows the largest page. */
export function statusInTurn(index: number): PetStatus | undefined {
  return IN_TURN.at(index % IN_TURN.length);
}

type Judging = { readonly s: Session; readonly exchanges: readonly [Exchange, ...Exchange[]]; readonly where: string };

/**
 * Halts when the animal shown is a different one: its id was assigned twice, or animals were mixed up. A value alone may be what a change
 * makes of the value sent; a name with the unique part of another name is not, and neither are two animals with swapped values.
 */
async function requireOwnAnimal(s: Session, { field, sent }: UnusualRow, pet: PetView): Promise<void> {
  // After one more response, the results of other creations under way are known.
  await s.api.get(pet.id);
  if (s.knowledge.sharedIds.has(String(pet.id))) haltInconclusive(`id ${pet.id} was assigned to two animals`, 'create.id-assigned');
  const shown = uniquePartIn(pet.name ?? '', s.options.runTag);
  const swapped = [...s.knowledge.created.values()].some(
    (other) => other.sent[field] === pet[field] && other.answered[field] === sent[field] && other.sent[field] !== sent[field],
  );
  if (swapped || (shown !== undefined && shown !== uniquePartIn(sent.name, s.options.runTag)))
    haltInconclusive(`the response shows a different animal, ${showName(pet.name)}`, 'create.independent');
}

/** The first difference of the field, as a finding. */
async function judgeField(row: UnusualRow, pet: PetView, { s, exchanges, where }: Judging): Promise<Finding | undefined> {
  const difference = differences(row.sent, pet).find(({ field }) => field === row.field);
  if (difference === undefined) requireReadable(row.sent, pet, row.field);
  if (difference === undefined) return undefined;
  await requireOwnAnimal(s, row, pet);
  return differenceFinding(exchanges, difference, where);
}

/** Judges an unusual NewPet: it is rejected with 400, or accepted with 201 and kept exactly, in the response and when it is read. */
export async function judgeUnusual(s: Session, row: UnusualRow): Promise<Finding | undefined> {
  const creation: Creation = await send(s, row.sent, 'unusual');
  const { exchange } = creation;
  const wrong = otherStatus(exchange, [201, 400, ...(row.also ?? [])], `POST /pets with ${row.what}`);
  if (wrong !== undefined) {
    await requireStillCreates(s, exchange);
    return wrong;
  }
  const status = statusOf(exchange);
  if (status === 400) return notRefused(exchange, `POST /pets with ${row.what}`);
  if (status !== 201) return undefined;
  const broken = await brokenFields(s);
  const answered = petOf(exchange);
  // create.answer judges a 201 that changes plain values too, and record.pet one that shows none; the stored value may still be correct.
  const inAnswer =
    broken.answered.has(row.field) || answered.gaps.includes(row.field)
      ? undefined
      : await judgeField(row, answered, { s, exchanges: [exchange], where: 'returned' });
  if (inAnswer !== undefined) return inAnswer;
  // If not even plain values are kept, what is stored of unusual ones proves nothing.
  if (broken.stored.has(row.field)) haltInconclusive(`not even the ${row.field} of plain animals is kept`, 'create.round-trip');
  const { exchange: read, pet } = await readBack(s, answered.id);
  if (pet === undefined) return judgeLost(s, row, { creation, read });
  return judgeField(row, pet, { s, exchanges: [exchange, read], where: 'read back' });
}

const MORE_ATTEMPTS = 2;

/** A finding for an animal whose creation returned 201 and that can't be found. */
function lostFinding(creation: { sent: NewPetInput; exchange: Exchange }, seen: Exchange): Finding {
  return finding([creation.exchange, seen], {
    summary: `the creation of animal ${showName(creation.sent.name)} returned 201, but the animal can't be found afterwards`,
    expected: ['200 with the animal'],
    received: describeAnswer(seen),
  });
}

/** An unusual animal that can't be found: sent again, because a service that intermittently loses any animal breaks list.complete. */
async function judgeLost(s: Session, { sent }: UnusualRow, lost: { creation: Creation; read: Exchange }): Promise<Finding | undefined> {
  await requirePlainFound(s);
  for (let attempt = 0; attempt < MORE_ATTEMPTS; attempt += 1) {
    const again = await send(s, sent, 'unusual');
    const found = statusOf(again.exchange) === 201 ? (await readBack(s, petOf(again.exchange).id)).pet : undefined;
    if (found !== undefined) haltInconclusive("one animal was created but can't be found, while another one like it can", 'list.complete');
  }
  // It is there, and getPet does not find others either.
  if ((await failsListed(s)) && (await largeLists(s)).some((list) => idsIn(list).has(String(petOf(lost.creation.exchange).id))))
    haltInconclusive('getPet does not find animals that lists show', 'get.success');
  return lostFinding(lost.creation, lost.read);
}

/** Judges the unusual animals in the large lists: a finding for each that differs from what was sent. */
export async function judgeUnusualListed(s: Session, field: Field): Promise<readonly (Finding | undefined)[]> {
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
