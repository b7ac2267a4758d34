import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { bodyOf, parametersOf } from './reads.ts';

const isFiltered = ({ exchange }: Failure): boolean => parametersOf(exchange).has('status');

/** Whether the same request got what it omits here at another time. */
const isNowAndThen = ({ exchange, finding }: Failure): boolean =>
  finding.exchanges.some(({ number, url }) => number !== exchange.number && url === exchange.url);

/** Whether lists of different statuses got the same body. */
function isShared(failures: readonly Failure[]): boolean {
  const statuses = Map.groupBy(failures, ({ exchange }) => bodyOf(exchange))
    .values()
    .map((same) => new Set(same.map(({ exchange }) => parametersOf(exchange).get('status'))));
  return statuses.some(({ size }) => size > 1);
}

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
  // What a filter should not have got is also what a list without filter got, which is incomplete for it; or it got that of before.
  suffices: (signs) => {
    const failures = signs.map(({ failure }) => failure);
    const leaked = failures.filter(({ clause }) => clause.id === 'list.status-filter');
    const bodies = new Set(leaked.map(({ exchange }) => bodyOf(exchange)));
    return failures.some(
      (failure) =>
        failure.clause.id === 'list.complete' &&
        !isFiltered(failure) &&
        (bodies.has(bodyOf(failure.exchange)) || (isNowAndThen(failure) && isShared(leaked))),
    );
  },
};
