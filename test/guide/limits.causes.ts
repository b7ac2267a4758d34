import type { CauseRule } from '../../src/diagnosis/cause.ts';
import { describeExchange, parametersOf, statusOf } from '../../src/diagnosis/exchanges.ts';

export const largestLimitExcluded: CauseRule = {
  id: 'largest-limit-excluded',
  title: 'limit=100 is rejected: the largest limit counts as one too many',
  advice: 'Compare the limit with <= 100 where it is validated',
  clauses: ['list.limit-accepted', 'list.filter-with-limit'],
  sign: ({ exchange }) =>
    exchange.operation === 'listPets' && statusOf(exchange) === 400 && parametersOf(exchange).get('limit') === '100'
      ? describeExchange(exchange)
      : undefined,
};
