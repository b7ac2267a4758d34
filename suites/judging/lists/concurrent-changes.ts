import { inconclusive } from '../../../src/clause/halt.ts';
import type { Outcome } from '../../../src/clause/outcome.ts';
import { petsOf, statusOf } from '../../../src/expect/expect.ts';
import type { PetView } from '../../../src/schema/pet.ts';
import type { Session } from '../../../src/session/session.ts';
import { askList } from './ask-list.ts';

const LARGEST = 100;
const LEAST = 2;

/** How other clients change the store from one list to the next. */
type Churn = {
  /** Lists with animals that are not ours and that earlier lists did not show. */
  readonly newcomers: number;
  /** Lists in which another client's animal has a different status than in the list before. */
  readonly restatused: number;
  /** Animals of other clients that a list showed and that neither the next list nor getPet shows. */
  readonly departures: number;
};

const MOST_SOUGHT = 3;

/** Those of the first few animals that getPet does not find. */
async function notFound(s: Session, animals: readonly PetView[]): Promise<readonly PetView[]> {
  const reads = await s.all(animals.slice(0, MOST_SOUGHT), async (animal) => ({ animal, read: await s.api.get(animal.id) }));
  return reads.filter(({ read }) => statusOf(read) === 404).map(({ animal }) => animal);
}

/** Watches the store until one of the changes has been seen often enough or the consistency window ends. */
async function seesChange(s: Session, changes: readonly (keyof Churn)[]): Promise<boolean> {
  const isOurs = ({ id, name }: PetView): boolean =>
    s.knowledge.created.has(String(id)) || (name ?? '').toLowerCase().includes(s.options.runTag.toLowerCase());
  const shown = new Map<bigint, PetView>();
  const churn = { newcomers: 0, restatused: 0, departures: 0 };
  const enough = (): boolean => changes.some((change) => churn[change] >= LEAST);
  await s.poll(async () => {
    const list = await askList(s, { limit: LARGEST });
    const pets = petsOf(list).filter((pet) => !isOurs(pet));
    const ids = new Set(pets.map(({ id }) => id));
    if (shown.size > 0 && pets.some(({ id }) => !shown.has(id))) churn.newcomers += 1;
    if (pets.some(({ id, status }) => shown.has(id) && shown.get(id)?.status !== status)) churn.restatused += 1;
    if (changes.includes('departures')) {
      const departed = await notFound(
        s,
        [...shown.values()].filter(({ id }) => !ids.has(id)),
      );
      churn.departures += departed.length;
      for (const { id } of departed) shown.delete(id);
    }
    for (const pet of pets) shown.set(pet.id, pet);
    return list;
  }, enough);
  return enough();
}

/**
 * The outcome, unless it is a failure about other clients' animals while other clients change the store so fast that such animals
 * appear, disappear, or are bought within a few requests: then nothing observed about them is the suite's doing.
 */
export async function unlessStoreIsVolatile(s: Session, outcome: Outcome, changes: readonly (keyof Churn)[]): Promise<Outcome> {
  if (outcome.kind !== 'fail') return outcome;
  const ours = new Set(s.knowledge.created.keys());
  const isAboutOurs = outcome.findings.some(({ exchanges }) =>
    exchanges.some(({ request }) => ours.has(request.path.split('/').at(-1) ?? '')),
  );
  if (isAboutOurs) return outcome;
  return (await seesChange(s, changes))
    ? inconclusive('other clients modify the store too quickly to compare consecutive requests', 'circumstance')
    : outcome;
}
