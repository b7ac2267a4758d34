import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import type { Field, NewPetInput, PetView } from '../../../src/schema/pet.ts';
import { uniquePartIn } from '../../../src/session/fixtures/names.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Exchange } from '../../../src/wire/exchange.ts';
import { differenceFinding } from './difference-finding.ts';
import { differences } from './differences.ts';
import { requireOwnId } from './read-back.ts';
import { requireReadable } from './require-readable.ts';
import { showName } from './show-name.ts';

export type UnusualRow = {
  readonly what: string;
  readonly sent: NewPetInput;
  /** The field that is unusual: the others are judged in the plain domain. */
  readonly field: Field;
  /** Statuses besides 400 that are correct rejections here: 413 for a large body, 409 for a name that is taken. */
  readonly also?: readonly number[];
};

type Judging = { readonly s: Session; readonly exchanges: readonly [Exchange, ...Exchange[]]; readonly where: string };

/**
 * Halts when the animal shown is a different one: its id was assigned twice, or animals were mixed up. A value alone may be what a change
 * makes of the value sent; a name with the unique part of another name is not, and neither are two animals with swapped values.
 */
async function requireOwnAnimal(s: Session, { field, sent }: UnusualRow, pet: PetView): Promise<void> {
  // After one more response, the results of other creations under way are known.
  await s.api.get(pet.id);
  requireOwnId(s, pet.id);
  const shown = uniquePartIn(pet.name ?? '', s.options.runTag);
  const swapped = [...s.knowledge.created.values()].some(
    (other) => other.sent[field] === pet[field] && other.answered[field] === sent[field] && other.sent[field] !== sent[field],
  );
  if (swapped || (shown !== undefined && shown !== uniquePartIn(sent.name, s.options.runTag)))
    haltInconclusive(`the response shows a different animal, ${showName(pet.name)}`, 'create.independent');
}

/** The first difference of the field, as a finding. */
export async function judgeField(row: UnusualRow, pet: PetView, { s, exchanges, where }: Judging): Promise<Finding | undefined> {
  const difference = differences(row.sent, pet).find(({ field }) => field === row.field);
  if (difference === undefined) requireReadable(row.sent, pet, row.field);
  if (difference === undefined) return undefined;
  await requireOwnAnimal(s, row, pet);
  return differenceFinding(exchanges, difference, where);
}
