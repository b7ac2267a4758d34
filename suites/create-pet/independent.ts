import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, statusOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/session/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { defineClause } from '../define.ts';
import { allMade, type Batch, concurrentBatch, firstLists, type Made, made, oneOfEachStatus, proveListed } from '../shared/creations.ts';
import { judgeRows } from '../shared/judge-rows.ts';
import { OWNER } from '../shared/ownership.ts';
import { brokenFields, provePlainFound } from '../shared/plain-animals.ts';
import { missingFrom } from '../shared/sightings.ts';
import { type Difference, differences, type Field, readBack, showName } from '../shared/stored.ts';

/** A field that one of the batch has from another one. */
function mixedFinding(exchanges: readonly [Exchange, ...Exchange[]], difference: Difference, where: string): Finding {
  return finding(exchanges, {
    summary: `of animals created at the same time one has the ${difference.field} of another ${where}: ${difference.came}, not ${difference.wanted}`,
    wanted: [`${difference.field} ${difference.wanted}`],
    came: `${difference.field} ${difference.came}`,
    pointer: `/${difference.field}`,
  });
}

/** A difference that the value of another animal of the batch explains; other ones are the business of create.round-trip. */
function mixed(animal: Made, pet: PetView, all: readonly Made[]): Difference | undefined {
  return differences(animal.sent, pet).find(({ field }) => all.some((other) => other !== animal && other.sent[field] === pet[field]));
}

type Lost = { readonly lost: Exchange };

async function judgeAnimal(
  s: Session,
  animal: Made,
  about: { all: readonly Made[]; broken: ReadonlySet<Field> },
): Promise<Finding | Lost | undefined> {
  const { all, broken } = about;
  const { exchange: read, pet } = await readBack(s, animal.pet.id);
  const judged = (difference: Difference | undefined): Difference | undefined =>
    difference === undefined || broken.has(difference.field) ? undefined : difference;
  const answered = judged(mixed(animal, animal.pet, all));
  if (answered !== undefined) return mixedFinding([animal.exchange], answered, 'in its 201');
  if (pet === undefined) return { lost: read };
  const stored = judged(mixed(animal, pet, all));
  return stored === undefined ? undefined : mixedFinding([animal.exchange, read], stored, 'in the store');
}

// Fewer may be animals that the service loses now and then, created at the same time or not.
const MANY_LOST = 4;

/** Judges the animals of the batch; lost ones count only together, where animals created one after the other are found. */
async function judgeBatch(s: Session, all: readonly Made[]): Promise<readonly Finding[]> {
  const broken = await brokenFields(s);
  const judged = await s.all(all, async (animal) => ({ animal, came: await judgeAnimal(s, animal, { all, broken }) }));
  const lost = judged.flatMap(({ animal, came }) => (came !== undefined && 'lost' in came ? [{ animal, read: came.lost }] : []));
  const findings = judged.flatMap(({ came }) => (came === undefined || 'lost' in came ? [] : [came]));
  if (findings.length > 0 || lost.length === 0) return findings;
  await provePlainFound(s);
  if (lost.length < MANY_LOST)
    haltInconclusive(`${lost.length} of ${all.length} animals created at the same time are not found`, OWNER.listComplete);
  return lost.map(({ animal, read }) =>
    finding([animal.exchange, read], {
      summary: `of animals created at the same time ${showName(animal.sent.name)} is lost`,
      wanted: ['200 with the animal'],
      came: describeAnswer(read),
    }),
  );
}

/** Halts as blocked by list.filter-complete when the filter leaves out animals as well that were created one after the other. */
async function proveFiltered(s: Session, unlisted: Batch['unlisted']): Promise<void> {
  const { animals } = await firstLists(s);
  for (const { animal, list } of unlisted) {
    const alike = animals.filter(({ sent }) => sent.status !== undefined && sent.status === animal.sent.status).map(({ pet }) => pet);
    if (missingFrom(list, alike).length > 0) haltInconclusive(`status=${animal.sent.status} leaves out other animals too`, OWNER.filterComplete);
  }
}

export const createIndependent = defineClause({
  id: 'create.independent',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  level: 'implied',
  derivation:
    'Each request creates "an animal" of its own body, and each answer is "the created Pet". Nothing makes one creation depend on another that runs at the same time.',
  demands: 'Animals created at the same time keep their data apart, and none is lost.',
  hint: 'Something of the request is kept in a field of a shared object (a controller, a bean, a module variable), or the store is read, changed and written back as a whole.',
  checks: [
    {
      id: 'answered-and-read',
      title: 'Sixteen animals created at the same time are answered and read with their own data',
      step: 'bulk',
      effect: 'write',
      fault: 'concurrent-names-mixed',
      run: async (s) => {
        allMade(await oneOfEachStatus(s));
        const { creations } = await concurrentBatch(s);
        const all = creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
        allMade(creations);
        return judgeRows(s, {
          rows: [all],
          judge: (animals) => judgeBatch(s, animals),
          evidence: `${all.length} animals created at the same time, answered and read with their own data`,
        });
      },
    },
    {
      id: 'listed',
      title: 'Sixteen animals created at the same time are all listed, as far as pages have room',
      step: 'bulk',
      effect: 'write',
      fault: 'concurrent-creations-lost',
      run: async (s) => {
        const { creations, unlisted } = await concurrentBatch(s);
        const all = allMade(creations);
        if (unlisted.length > 0) await proveListed(s);
        return judgeRows(s, {
          rows: [unlisted],
          judge: async (missing) => {
            if (missing.length === all.length) haltInconclusive('none of the animals is listed', OWNER.listComplete);
            const reads = await s.all(missing, ({ animal }) => readBack(s, animal.pet.id));
            // Not listed and not found either: judged above.
            const unlisted = missing.filter((_animal, index) => reads[index]?.pet !== undefined);
            if (unlisted.length > 0) await proveFiltered(s, unlisted);
            if (unlisted.length > 0 && unlisted.length < MANY_LOST) haltInconclusive(`${unlisted.length} animals are not listed`, OWNER.listComplete);
            return unlisted.map(({ animal, list }) =>
              finding([animal.exchange, list], {
                summary: `of animals created at the same time ${showName(animal.sent.name)} is not listed`,
                wanted: [`animal ${animal.pet.id} in the list, which has room for it`],
                came: 'a list without it',
              }),
            );
          },
          evidence: `${all.length} animals created at the same time, none left out by a list with room`,
        });
      },
    },
  ],
});
