import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { createdWithoutStatus } from './reads.ts';

/** A run creates few animals without status while its pages have room. */
const LEAST = 2;

export const defaultOnOutputOnly: CauseRule = {
  id: 'default-on-output-only',
  title: 'Animals that were created without status are missing from lists',
  advice:
    'Store the default status when the animal is created, not on output only; where statuses are a table of their own, use an outer join',
  clauses: ['list.complete', 'list.filter-complete', 'deprecation.replacement'],
  sign: (failure) =>
    failure.exchange.operation === 'listPets' && createdWithoutStatus(failure) === true
      ? `${describeExchange(failure.exchange)}, after a creation without status`
      : undefined,
  // What the replacement of getPet omits says less: each animal is looked for by its status there.
  suffices: (signs, run) =>
    signs.filter(({ failure }) => failure.clause.id !== 'deprecation.replacement').length >= LEAST &&
    !run
      .failed('list.complete', 'list.filter-complete', 'deprecation.replacement', 'get.success', 'get.durable')
      .some((failure) => createdWithoutStatus(failure) === false),
};
