import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, describeRequest, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Field, PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { concurrentBatch } from '../judging/creations/concurrent-batch.ts';
import { type Difference, differences } from '../judging/creations/differences.ts';
import { firstLists } from '../judging/creations/first-lists.ts';
import { allMade, type Made, made } from '../judging/creations/made.ts';
import { type ReadBack, readBack } from '../judging/creations/read-back.ts';
import { requireFirstListed } from '../judging/creations/require-first-listed.ts';
import { requirePlainFound } from '../judging/creations/require-plain-found.ts';
import { showName } from '../judging/creations/show-name.ts';
import { combineRows, judgeRow, judgeRows } from '../judging/judge-rows.ts';
import { missingFrom } from '../judging/lists/missing-from.ts';
import { CREATED, inheritedStatus, REFUSED } from './inherited-status.ts';
import { judgeSameConnection } from './same-connection.ts';
import { type Unlisted, unlistedAnimals } from './unlisted-animals.ts';

type Shown = { readonly animal: Made; readonly pet: PetView; readonly seen: readonly Exchange[] };

/** A finding for a field that one animal of the batch took from another. */
function mixedFinding({ animal, seen }: Shown, difference: Difference, where: string): Finding {
  return finding([animal.exchange, ...seen], {
    summary: `concurrent creations were mixed up: an animal has the ${difference.field} of another one ${where}: ${difference.received}; expected ${difference.expected}`,
    expected: [`${difference.field} ${difference.expected}`],
    received: `${difference.field} ${difference.received}`,
    pointer: `/${difference.field}`,
  });
}

/** Whether the same value was returned correctly in one case and wrongly in another: a consistent change is a rule, not a mix-up. */
function isErratic(shown: readonly Shown[], field: Field, sent: unknown): boolean {
  return new Set(shown.filter(({ animal }) => animal.sent[field] === sent).map(({ pet }) => pet[field])).size > 1;
}

/** The values of the animal that are not its own but those of another one in the batch. */
function takenBy(one: Shown, shown: readonly Shown[]): readonly Difference[] {
  const others = shown.filter((other) => other !== one);
  return differences(one.animal.sent, one.pet).filter(({ field }) => others.some(({ animal }) => animal.sent[field] === one.pet[field]));
}

/**
 * Animals shown with the name, category, or status of another one in the batch. Where all got the value of the last one, `alone` tells that from
 * a rule: animals that were created one after the other, shown the same way.
 */
async function mixedIn(shown: readonly Shown[], where: string, alone: () => Promise<readonly Shown[]>): Promise<readonly Finding[]> {
  if (shown.every((one) => takenBy(one, shown).length === 0)) return [];
  const all = [...shown, ...(await alone())];
  return shown.flatMap((one) => {
    const mixed = takenBy(one, shown).find(({ field }) => field === 'name' || isErratic(all, field, one.animal.sent[field]));
    return mixed === undefined ? [] : [mixedFinding(one, mixed, where)];
  });
}

const inItsResponse = (animal: Made): Shown => ({ animal, pet: animal.pet, seen: [] });

type Read = ReadBack & { readonly animal: Made };

/** Whether the read shows another animal, which get.identity judges. */
const isForeign = ({ animal, pet }: Read): boolean => pet !== undefined && pet.id !== animal.pet.id;

function inTheStore(reads: readonly Read[]): readonly Shown[] {
  return reads.flatMap((read) => {
    const { animal, pet, exchange } = read;
    return pet === undefined || isForeign(read) ? [] : [{ animal, pet, seen: [exchange] }];
  });
}

/** Halts as blocked by create.answer when each 201 shows the previous creation, even for sequential creations. */
async function requireNotPrevious(s: Session): Promise<void> {
  const creations = (await s.fixtures.firstCreations()).filter(({ exchange }) => statusOf(exchange) === 201);
  const previous = creations.filter((creation, index) => index > 0 && petOf(creation.exchange).name === creations[index - 1]?.sent.name);
  if (previous.length > 1) haltInconclusive('each 201 shows the previous creation', 'create.answer');
}

// Fewer may be animals that the service loses intermittently, with or without concurrency.
const MANY_LOST = 4;

/** Judges the animals of the batch in their 201 and as getPet shows them; lost ones count only together. */
async function judgeBatch(s: Session, all: readonly Made[]): Promise<readonly Finding[]> {
  const alone = async (): Promise<readonly Made[]> =>
    (await s.fixtures.firstCreations()).filter(({ exchange }) => statusOf(exchange) === 201).map(made);
  const answered = await mixedIn(all.map(inItsResponse), 'in its 201', async () => (await alone()).map(inItsResponse));
  if (answered.length > 0) {
    await requireNotPrevious(s);
    return answered;
  }
  const read = (animals: readonly Made[]): Promise<readonly Read[]> =>
    s.all(animals, async (animal) => ({ animal, ...(await readBack(s, animal.pet.id)) }));
  const reads = await read(all);
  const stored = await mixedIn(inTheStore(reads), 'in the store', async () => inTheStore(await read(await alone())));
  const lost = reads.filter(({ pet }) => pet === undefined);
  if (stored.length > 0) return stored;
  const foreign = reads.find(isForeign);
  if (foreign !== undefined) haltInconclusive(`${describeRequest(foreign.exchange)} returned another animal`, 'get.identity');
  if (lost.length === 0) return [];
  await requirePlainFound(s);
  if (lost.length < MANY_LOST)
    haltInconclusive(`${lost.length} of ${all.length} concurrently created animals can't be found`, 'list.complete');
  return lost.map(({ animal, exchange }) =>
    finding([animal.exchange, exchange], {
      summary: `animal ${showName(animal.sent.name)} was created concurrently with others and is lost`,
      expected: ['200 with the animal'],
      received: describeAnswer(exchange),
    }),
  );
}

/** Halts as blocked by list.filter-complete when the filter omits sequentially created animals too. */
async function requireFiltered(s: Session, unlisted: readonly Unlisted[]): Promise<void> {
  const { animals } = await firstLists(s);
  for (const { animal, list } of unlisted) {
    const alike = animals.filter(({ sent }) => sent.status !== undefined && sent.status === animal.sent.status).map(({ pet }) => pet);
    if (missingFrom(list, alike).length > 0)
      haltInconclusive(`status=${animal.sent.status} omits other animals too`, 'list.filter-complete');
  }
}

export const createIndependent = defineClause({
  id: 'create.independent',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    'If status is omitted on creation, the default is not stated.',
  ],
  level: 'implied',
  derivation:
    'Each request adds an animal from its own body, and each response is "the created Pet". Nothing makes a creation depend on a concurrent or an earlier one: the default for an omitted status, whatever it is, does not come from another body.',
  requirement:
    'Each animal is created from its own request only: concurrent creations do not mix their data, none is lost, and none inherits data from the request before it.',
  likelyCause:
    'Request data is kept in a field of a shared object (a controller, a bean, a module variable), or the store is read, changed, and written back as a whole.',
  checks: [
    {
      id: 'answered-and-read',
      title: 'Sixteen concurrently created animals are returned and read with their own data',
      step: 'large-store',
      given: ['readBack', 'create.answer', 'get.identity', 'list.complete'],
      exhaustive: true,
      effect: 'write',
      fault: 'concurrent-names-mixed',
      run: async (s) => {
        const { creations } = await concurrentBatch(s);
        const all = creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
        if (all.length === 0) allMade(creations);
        return judgeRows(s, {
          rows: [all],
          judge: (animals) => judgeBatch(s, animals),
          evidence: `${all.length} concurrently created animals, returned and read with their own data`,
        });
      },
    },
    {
      id: 'listed',
      title: 'Lists with room show all sixteen concurrently created animals',
      step: 'large-store',
      given: ['readBack', 'list.complete', 'list.filter-complete'],
      effect: 'write',
      fault: 'concurrent-creations-unlisted',
      run: async (s) => {
        const batch = await concurrentBatch(s);
        const all = allMade(batch.creations);
        const unlisted = await unlistedAnimals(s, batch);
        if (unlisted.length > 0) await requireFirstListed(s);
        return judgeRows(s, {
          rows: [unlisted],
          judge: async (missing) => {
            if (missing.length === all.length) haltInconclusive('the lists show none of the animals', 'list.complete');
            const reads = await s.all(missing, ({ animal }) => readBack(s, animal.pet.id));
            // The check above judges animals that can't be read either.
            const unlisted = missing.filter((_animal, index) => reads[index]?.pet !== undefined);
            if (unlisted.length > 0) await requireFiltered(s, unlisted);
            if (unlisted.length > 0 && unlisted.length < MANY_LOST)
              haltInconclusive(`${unlisted.length} animals are not listed`, 'list.complete');
            return unlisted.map(({ animal, list }) =>
              finding([animal.exchange, list], {
                summary: `animal ${showName(animal.sent.name)} was created concurrently with others and is not listed`,
                expected: [`animal ${animal.pet.id} in the list, which has room`],
                received: 'a list without it',
              }),
            );
          },
          evidence: `${all.length} concurrently created animals, none omitted by a list with room`,
        });
      },
    },
    {
      id: 'same-connection',
      title: 'A creation on a reused connection is processed independently of the one before it',
      step: 'large-store',
      given: ['creation', 'created', 'create.name-required', 'create.status-values'],
      effect: 'write',
      fault: 'creation-after-refusal-refused-on-connection',
      run: async (s) =>
        combineRows(
          [await judgeRow(() => judgeSameConnection(s))],
          'a creation, a rejected creation, and another creation on one connection, each processed independently',
        ),
    },
    {
      id: 'own-status',
      title: 'An animal created without a status does not inherit the status of the previous request, accepted or rejected',
      step: 'final',
      given: ['creation', 'readBack', 'create.status-optional'],
      effect: 'write',
      fault: 'status-of-refused-body',
      run: async (s) => {
        const judged = [await judgeRow(() => inheritedStatus(s, CREATED)), await judgeRow(() => inheritedStatus(s, REFUSED))];
        return combineRows(judged, 'animals created without a status did not get the status of the previous request');
      },
    },
  ],
});
