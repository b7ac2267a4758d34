import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { isHtml, tracesOf } from '../fingerprints/traces.ts';

export const noPetStore: CauseRule = {
  id: 'no-pet-store',
  title: 'A web page, a proxy or a file server responds at this address, not the pet store',
  advice: 'Check host and port of the base address',
  clauses: CLAUSE_IDS,
  sign: ({ exchange }) => {
    const traces = tracesOf(exchange);
    return traces !== undefined && isHtml(traces) ? describeExchange(exchange) : undefined;
  },
  suffices: (signs, { record, failures }) => {
    const answered = failures.filter(({ exchange }) => exchange.answer.kind === 'answered' && (exchange.answer.body ?? '') !== '');
    const pets = record.traits.members['pet'] ?? [];
    const errors = record.traits.members['error'] ?? [];
    // Pages that all say 5xx are those of a service that fails.
    const isPage = signs.some(({ failure: { exchange } }) => exchange.answer.kind === 'answered' && exchange.answer.status < 500);
    return isPage && pets.length === 0 && errors.length === 0 && signs.length === answered.length;
  },
  excludesOthers: true,
};
