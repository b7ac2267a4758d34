import type { CauseRule } from '../../src/diagnosis/cause.ts';
import { describeExchange, statusOf } from '../../src/diagnosis/exchanges.ts';

export const keyInCookie: CauseRule = {
  id: 'key-in-cookie',
  title: 'The API key is taken from a cookie, too',
  advice: 'Take the key from the Authorization header alone: browsers send cookies with the requests of other sites, too',
  clauses: ['auth.header-only'],
  sign: ({ exchange }) =>
    statusOf(exchange) < 300 && exchange.requestHeaders.some(([name]) => name === 'cookie') ? describeExchange(exchange) : undefined,
};
