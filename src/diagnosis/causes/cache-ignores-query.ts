import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { bodyOf, parametersOf } from './reads.ts';

const isFiltered = ({ exchange }: Failure): boolean => parametersOf(exchange).has('status');

/** A cache, or a memo, whose key is the path alone: a query gets the response to the one before. */
export const cacheIgnoresQuery: CauseRule = {
  id: 'cache-ignores-query',
  title: 'A cache ignores the query: a list gets the response to another query',
  advice: 'Put the whole query into the key of the cache',
  clauses: [
    ...(['list.status-filter', 'list.complete', 'list.filter-complete', 'list.limit-maximum', 'list.limit-default'] as const),
    ...(['list.filter-with-limit', 'deprecation.replacement'] as const),
  ],
  sign: ({ exchange }) => (exchange.operation === 'listPets' ? describeExchange(exchange) : undefined),
  // The body that a filter should not have got is also that of a list without filter, which is incomplete for it.
  suffices: (signs) => {
    const failures = signs.map(({ failure }) => failure);
    const leaked = new Set(failures.filter(({ clause }) => clause.id === 'list.status-filter').map(({ exchange }) => bodyOf(exchange)));
    return failures.some(
      (failure) => failure.clause.id === 'list.complete' && !isFiltered(failure) && leaked.has(bodyOf(failure.exchange)),
    );
  },
};
