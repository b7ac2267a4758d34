import fc from 'fast-check';
import { type PlainShape, plainName, plainShapes } from '../../src/arbitraries/plain-new-pet.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { petsOf, statusOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { brokenFields } from '../judging/creations/broken-fields.ts';
import { differenceFinding } from '../judging/creations/difference-finding.ts';
import { differences } from '../judging/creations/differences.ts';
import { type Made, made } from '../judging/creations/made.ts';
import { plainAnimals, type Stored } from '../judging/creations/plain-animals.ts';
import { type ReadBack, readBack } from '../judging/creations/read-back.ts';
import { requireReadable } from '../judging/creations/require-readable.ts';
import { send } from '../judging/creations/send.ts';
import { judgeBatch } from '../judging/judge-batch.ts';
import { judgeModel } from '../judging/judge-model.ts';
import { judgeProperty } from '../judging/judge-property.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { largeLists } from '../judging/lists/large-lists.ts';

/** A finding when a read shows something other than what was sent, although the 201 showed what was sent. */
export function judgeRead({ sent, exchange, pet: answered }: Made, read: ReadBack): Finding | undefined {
  if (read.pet === undefined) haltInconclusive(`animal ${answered.id} was created but can't be found`, 'list.complete');
  const wrongly = differences(sent, answered).map(({ field }) => field);
  const [difference] = differences(sent, read.pet).filter(({ field }) => !wrongly.includes(field));
  if (difference !== undefined) return differenceFinding([exchange, read.exchange], difference, 'read back');
  // The 201 already differed, and the stored value agrees with it: create.answer judges that.
  if (wrongly.includes('name') || wrongly.includes('categoryId')) haltInconclusive('the 201 does not show what was sent', 'create.answer');
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
      // Differences that getPet or the 201 show too are judged above; get.agrees-with-list judges the status in a list.
      const wrongly = [animal.pet, ...(read.pet === undefined ? [] : [read.pet])].flatMap((other) => differences(animal.sent, other));
      const [difference] = differences(animal.sent, pet).filter(
        ({ field }) => field !== 'status' && !wrongly.some((other) => other.field === field),
      );
      return difference === undefined ? undefined : differenceFinding([animal.exchange, list], difference, 'listed');
    }),
  );
}

const MOST_MODEL_ANIMALS = 14;

/** Creates a plain animal with a generated shape and reads it. */
async function judgeShape(s: Session, { tail, status }: PlainShape): Promise<Finding | undefined> {
  const plain = await s.fixtures.plain(status);
  const creation = await send(s, { ...plain, name: plainName(plain.name, tail) });
  if (statusOf(creation.exchange) !== 201) haltInconclusive('a plain NewPet was rejected', 'create.success');
  const animal = made(creation);
  return judgeRead(animal, await readBack(s, animal.pet.id));
}

/** Halts as blocked when even the first animals are not kept: properties would only show that again. */
async function requireKept(s: Session): Promise<void> {
  const fields = await brokenFields(s);
  const [broken] = [...fields.stored, ...fields.answered];
  if (broken !== undefined) haltInconclusive(`not even the ${broken} of the first animals is kept`, 'create.round-trip');
}

export const createRoundTrip = defineClause({
  id: 'create.round-trip',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    'Pet has every field of NewPet, with the same required rules, plus:',
  ],
  level: 'implied',
  derivation:
    'createPet adds the animal in the request and returns "the created Pet"; getPet and listPets return Pets, which have "every field of NewPet". So they show a created animal with the values of its NewPet, letter by letter and digit by digit.',
  requirement: 'getPet and listPets show the name, categoryId, and status of a created animal exactly as its NewPet had them.',
  likelyCause:
    'A column is too short or folds case, a mapper drops a field, or a default replaces the value sent. Compare the stored row with the request.',
  checks: [
    {
      id: 'read-back',
      title: 'Reads show the first animals as they were sent',
      step: 'write',
      given: ['readBack', 'create.answer', 'list.complete'],
      effect: 'write',
      fault: 'stored-name-lower-case',
      run: async (s) => {
        const stored = await plainAnimals(s);
        return judgeRows(s, {
          rows: stored,
          judge: async ({ animal, read }) => judgeRead(animal, read),
          evidence: `${stored.length} animals read with name, categoryId, and status as sent`,
        });
      },
    },
    {
      id: 'listed',
      title: 'Lists show the first animals as they were sent',
      step: 'write',
      given: ['readBack'],
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
      id: 'generated-animals',
      title: 'Reads show concurrently created plain animals as they were sent',
      step: 'property',
      given: ['creation', 'readBack', 'create.answer', 'list.complete'],
      effect: 'write',
      fault: 'stored-name-cut-at-16',
      run: async (s) => {
        return judgeProperty(s, {
          name: 'round trip of plain animals',
          cases: fc.array(plainShapes(), { minLength: 1, maxLength: 4 }),
          planned: 5,
          most: 5,
          shrinking: 6,
          law: (batch) => judgeBatch(s, { rows: batch, judge: (shape) => judgeShape(s, shape) }),
          evidence: 'plain animals created concurrently and read as sent',
        });
      },
    },
    {
      id: 'any-order',
      title: 'Creations, lists, reads, and rejected requests, in any order and concurrently, leave other animals unchanged',
      step: 'property',
      given: ['creation', 'readBack', 'create.round-trip'],
      effect: 'write',
      fault: 'list-statuses-rotate-now-and-then',
      run: async (s) => {
        await requireKept(s);
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
