import { observed } from '../../src/clause/halt.ts';
import { petsOf } from '../../src/expect/expect.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { defineClause } from '../define.ts';
import { askLargest } from '../judging/lists/ask-largest.ts';
import { idsIn } from '../judging/lists/ids-in.ts';

const LEAST = 3;

function isSorted<Key extends bigint | string>(keys: readonly Key[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? key) <= key);
}

/** The apparent order of the animals in a list. */
function orderOf(pets: readonly PetView[]): string {
  if (pets.length < LEAST) return 'too few animals to tell';
  const ids = pets.map(({ id }) => id);
  if (isSorted(ids)) return 'by id';
  if (isSorted(ids.toReversed())) return 'by descending id';
  return isSorted(pets.map(({ name }) => name ?? '')) ? 'by name' : 'not apparent';
}

export const listOrder = defineClause({
  id: 'list.order',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
  level: 'open',
  requirement:
    'Records the order of a list, and whether the order stays the same when the list is requested again. The document states none.',
  likelyCause: 'No action needed; clients must not rely on an order.',
  checks: [
    {
      id: 'order',
      title: 'Records the order of two lists',
      step: 'final',
      given: ['petList'],
      run: async (s) => {
        const lists = [await askLargest(s), await askLargest(s)];
        const [first = [], second = []] = lists.map((list) => [...idsIn(list)]);
        const common = first.filter((id) => second.includes(id));
        const stable = common.join() === second.filter((id) => common.includes(id)).join();
        const [list] = lists;
        return observed(
          { question: 'order of the list', answer: list === undefined ? 'no list' : orderOf(petsOf(list)) },
          { question: 'order of two lists', answer: stable ? 'the same' : 'different' },
        );
      },
    },
  ],
});
