import fc from 'fast-check';
import { type PlainShape, plainName, plainShapes } from '../../src/arbitraries/plain-new-pet.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { petsOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { type Made, made, proveCreation, send } from '../judging/creations/creations.ts';
import { brokenFields, plainAnimals, type Stored } from '../judging/creations/plain-animals.ts';
import { differenceFinding, differences, type ReadBack, readBack, requireReadable } from '../judging/creations/read-back.ts';
import { judgeModel } from '../judging/judge-model.ts';
import { judgeProperty } from '../judging/judge-property.ts';
import { judgeBatch, judgeRows } from '../judging/judge-rows.ts';
import { largeLists } from '../judging/lists/large-lists.ts';

/** What is read of an animal that is not what was sent, where the 201 still said what was sent. */
export function judgeRead({ sent, exchange, pet: answered }: Made, read: ReadBack): Finding | undefined {
  if (read.pet === undefined) haltInconclusive(`animal ${answered.id} was created and is not found`, 'list.complete');
  const wrongly = differences(sent, answered).map(({ field }) => field);
  const [difference] = differences(sent, read.pet).filter(({ field }) => !wrongly.includes(field));
  if (difference !== undefined) return differenceFinding([exchange, read.exchange], difference, 'read back');
  // The 201 already said otherwise: what is stored agrees with it, so the answer is what is wrong.
  if (wrongly.includes('name') || wrongly.includes('categoryId')) haltInconclusive('the 201 does not carry what was sent', 'create.answer');
  requireReadable(sent, read.pet);
  return undefined;
}

async function judgeListed(s: Session, stored: readonly Stored[]): Promise<readonly (Finding | undefined)[]> {
  const lists = await largeLists(s);
  return lists.flatMap((list) =>
    petsOf(list).map((pet) => {
      const own = stored.find(({ animal }) => animal.pet.id === pet.id);
      if (own === undefined) return undefined;
      const { animal, read } = own;
      // What getPet and the 201 say wrongly as well is judged above; the status in a list is get.agrees-with-list's.
      const wrongly = [animal.pet, ...(read.pet === undefined ? [] : [read.pet])].flatMap((other) => differences(animal.sent, other));
      const [difference] = differences(animal.sent, pet).filter(
        ({ field }) => field !== 'status' && !wrongly.some((other) => other.field === field),
      );
      return difference === undefined ? undefined : differenceFinding([animal.exchange, list], difference, 'listed');
    }),
  );
}

const MOST_MODEL_ANIMALS = 14;

/** Creates a plain animal of a generated shape and reads it. */
async function judgeShape(s: Session, { tail, status }: PlainShape): Promise<Finding | undefined> {
  const plain = await s.fixtures.plain(status);
  const creation = await send(s, { ...plain, name: plainName(plain.name, tail) });
  if (statusOf(creation.exchange) !== 201) haltInconclusive('a plain NewPet is not created', 'create.success');
  const animal = made(creation);
  return judgeRead(animal, await readBack(s, animal.pet.id));
}

/** Halts as blocked when even the first animals are not kept: properties would only show it again. */
async function proveKept(s: Session): Promise<void> {
  await proveCreation(s);
  const fields = await brokenFields(s);
  const [broken] = [...fields.stored, ...fields.answered];
  if (broken !== undefined) haltInconclusive(`the ${broken} of the first animals is not kept`, 'create.round-trip');
}

export const createRoundTrip = defineClause({
  id: 'create.round-trip',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  level: 'implied',
  derivation:
    'createPet adds the animal of the request and answers "the created Pet"; getPet and listPets answer Pets, which have "every field of NewPet". So what they show of a created animal is what the NewPet said, letter by letter and digit by digit.',
  requirement:
    'What is stored is what was sent: getPet and listPets show name, categoryId and status of a created animal as in its NewPet.',
  likelyCause:
    'A column is too short or folds case, a mapper drops a field, or a default replaces what was sent. Compare the row in the store with the request.',
  checks: [
    {
      id: 'read',
      title: 'The first animals are read as they were sent',
      step: 'write',
      effect: 'write',
      fault: 'stored-name-lower-case',
      run: async (s) => {
        const stored = await plainAnimals(s);
        return judgeRows(s, {
          rows: stored,
          judge: async ({ animal, read }) => judgeRead(animal, read),
          evidence: `${stored.length} animals read with name, categoryId and status as sent`,
        });
      },
    },
    {
      id: 'listed',
      title: 'The first animals are listed as they were sent',
      step: 'write',
      effect: 'write',
      fault: 'list-name-shortened',
      run: async (s) => {
        const stored = await plainAnimals(s);
        return judgeRows(s, {
          rows: [stored],
          judge: (all) => judgeListed(s, all),
          evidence: `${stored.length} animals listed with name and categoryId as sent`,
        });
      },
    },
    {
      id: 'generated',
      title: 'Any plain animals, several at a time, are read as they were sent',
      step: 'property',
      effect: 'write',
      fault: 'stored-name-cut-at-16',
      run: async (s) => {
        await proveCreation(s);
        return judgeProperty(s, {
          name: 'round trip of plain animals',
          cases: fc.array(plainShapes(), { minLength: 1, maxLength: 4 }),
          planned: 5,
          most: 5,
          shrinking: 6,
          law: (batch) => judgeBatch(s, { rows: batch, judge: (shape) => judgeShape(s, shape) }),
          evidence: 'plain animals created at the same time and read as sent',
        });
      },
    },
    {
      id: 'any-order',
      title: 'Whatever is created, listed, read and refused, in any order and at the same time, animals stay what they are',
      step: 'property',
      effect: 'write',
      fault: 'list-statuses-rotate-now-and-then',
      run: async (s) => {
        await proveKept(s);
        const found = (await plainAnimals(s)).flatMap(({ animal: { sent }, read: { pet } }) => (pet === undefined ? [] : [{ sent, pet }]));
        const known = found.map(({ sent, pet }) => ({
          id: pet.id,
          name: sent.name,
          categoryId: sent.categoryId,
          status: sent.status ?? pet.status,
        }));
        return judgeModel(s, { name: 'operations in any order', planned: 20, known, writes: true, mostAnimals: MOST_MODEL_ANIMALS });
      },
    },
  ],
});
