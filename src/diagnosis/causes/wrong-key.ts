import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange, hasValidKey } from '../describe.ts';

export const wrongKey: CauseRule = {
  id: 'wrong-key',
  title: 'The service does not know the API key',
  advice: 'Check that PETSTORE_API_KEY is the key of this deployment, that it is complete, and that it is still valid',
  clauses: CLAUSE_IDS,
  sign: ({ exchange }) => (hasValidKey(exchange) ? describeExchange(exchange) : undefined),
  suffices: (_signs, run) => [...run.statuses().keys()].every((status) => status === '401') && run.statuses().size > 0,
  excludesOthers: true,
};
