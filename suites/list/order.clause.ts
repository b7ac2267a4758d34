import type { Observation } from '../../src/clause/outcome.ts';
import type { Event } from '../../src/oracle/world.ts';
import type { PetView } from '../../src/schema/pet.ts';
import { defineRules } from '../define.ts';
import { largePage } from '../stimuli/lists.ts';
import { readPets } from './open-lists.ts';

const LEAST = 3;

function isSorted<Key extends bigint | string>(keys: readonly Key[]): boolean {
  return keys.every((key, index) => index === 0 || (keys[index - 1] ?? key) <= key);
}

const idsOf = (pets: readonly PetView[]): readonly bigint[] => [...new Set(pets.map(({ id }) => id))];

function orderOf(pets: readonly PetView[]): string {
  if (pets.length < LEAST) return 'too few animals to tell';
  const ids = pets.map(({ id }) => id);
  if (isSorted(ids)) return 'by id';
  if (isSorted(ids.toReversed())) return 'by descending id';
  return isSorted(pets.map(({ name }) => name ?? '')) ? 'by name' : 'not apparent';
}

/** The order in the last two readable lists: the lists before them showed that there are animals, and how large a page can be. */
function observeOrder(events: readonly Event[]): readonly Observation[] {
  const lists = events.filter((event) => readPets(event) !== undefined);
  const query = lists.at(-1)?.exchange.request.query;
  const [first, second] = lists
    .filter(({ exchange }) => exchange.request.query === query)
    .slice(-2)
    .map(readPets);
  if (first === undefined || second === undefined) return [];
  const [ids, others] = [idsOf(first), idsOf(second)];
  const inBoth = new Set(ids).intersection(new Set(others));
  const commonOf = (some: readonly bigint[]): string => some.filter((id) => inBoth.has(id)).join();
  return [
    { question: 'order of the list', answer: orderOf(first) },
    { question: 'order of two lists', answer: commonOf(ids) === commonOf(others) ? 'the same' : 'different' },
  ];
}

export const listOrder = defineRules({
  id: 'list.order',
  chapter: 'list-pets',
  section: 'Endpoints: 1. List animals',
  quote: ['The operation is described as returning a paginated list. The parameters and fields that select a later page: not shown.'],
  level: 'open',
  requirement:
    'Records the order of a list, and whether the order stays the same when the list is requested again. The document states none.',
  likelyCause: 'No action needed; clients must not rely on an order.',
  sent: [
    {
      id: 'order',
      title: 'Records the order of two lists',
      step: 'final',
      needs: ['petList'],
      send: async (s) => {
        const largest = await largePage(s, { limit: 100 });
        await s.api.list(largest);
        await s.api.list(largest);
      },
      observe: observeOrder,
      unmet: 'there are no two lists whose animals can be read',
    },
  ],
});
