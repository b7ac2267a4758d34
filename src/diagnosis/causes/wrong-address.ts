import { CLAUSE_IDS } from '../../clause/clause-ids.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';

const SILENT = ['401', '404', '405'];

export const wrongAddress: CauseRule = {
  id: 'wrong-address',
  title: 'The base address is not that of the pet store',
  advice: (_signs, { record }) =>
    /\/v1$/.test(record.target.baseUrl)
      ? `Check host and path of the base address: nothing is served at ${record.target.baseUrl}/pets`
      : `Add /v1 to the base address: ${record.target.baseUrl.replace(/\/$/, '')}/v1`,
  clauses: CLAUSE_IDS,
  sign: ({ exchange }) => describeExchange(exchange),
  suffices: (_signs, run) => {
    const seen = run.statuses();
    return (seen.get('404') ?? 0) > 0 && [...seen.keys()].every((status) => SILENT.includes(status)) && run.statuses('listPets').has('404');
  },
  excludesOthers: true,
};
