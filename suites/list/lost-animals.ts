import { haltInconclusive, inconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { petsOf } from '../../src/expect/expect.ts';
import type { Session } from '../../src/session/session.ts';
import type { KnownAnimal } from '../../src/session/state/run-state.ts';
import type { PetStatus } from '../../src/wire/exchange.ts';
import { largeStore } from '../judging/creations/large-store.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { idsIn } from '../judging/lists/ids-in.ts';
import { largeLists } from '../judging/lists/large-lists.ts';
import { notThereFinding } from './unlisted-animal.ts';

const MOST_UNSEEN = 80;

/** Judges created animals that no large page shows, by their ids. */
async function judgeUnseen(s: Session, animals: readonly KnownAnimal[]): Promise<readonly JudgedRow[]> {
  const pages = await largeLists(s);
  const seen = new Set(pages.flatMap((page) => [...idsIn(page)]));
  const unseen = animals.filter(({ id }) => !seen.has(String(id))).slice(0, MOST_UNSEEN);
  const listed = pages.flatMap((page) => petsOf(page));
  const found = new Map<PetStatus | undefined, Promise<boolean>>();
  /** Whether getPet finds the first listed animal with the status: where it does not, it says nothing of others. */
  const finds = (status: PetStatus | undefined): Promise<boolean> => {
    const alike = listed.find((pet) => pet.status === status);
    const known =
      found.get(status) ?? (alike === undefined ? Promise.resolve(true) : readBack(s, alike.id).then(({ pet }) => pet !== undefined));
    found.set(status, known);
    return known;
  };
  return s.all(unseen, (animal) =>
    judgeRow(async () => {
      const { exchange, pet } = await readBack(s, animal.id);
      if (pet !== undefined) return undefined;
      const { status } = animal.answered;
      if (!(await finds(status))) haltInconclusive(`getPet does not find listed animals with the status ${status} either`, 'get.success');
      return notThereFinding(animal, exchange);
    }),
  );
}

/** Judges whether each created animal is on a large page or can at least be read, once the store is at its largest. */
export async function judgeLostAnimals(s: Session): Promise<Outcome> {
  await largeStore(s);
  const animals = [...s.knowledge.created.values()];
  if (animals.length === 0) return inconclusive('no animal was created', 'create.success');
  return combineRows(
    [{ findings: [], halted: undefined }, ...(await judgeUnseen(s, animals))],
    `${animals.length} created animals are listed or can be read`,
  );
}
