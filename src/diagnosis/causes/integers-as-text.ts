import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import { bodyOf } from './reads.ts';

export const integersAsText: CauseRule = {
  id: 'integers-as-text',
  title: '64-bit integers are written as JSON strings',
  advice:
    'Write id and categoryId as JSON numbers (Jackson: no ToStringSerializer; protobuf JSON: a mapping of your own, as int64 is a string there)',
  clauses: ['record.pet', 'record.pets'],
  sign: ({ exchange, finding }) => {
    const member = /\/(id|categoryId)$/.exec(finding.pointer ?? '')?.[1];
    const written = new RegExp(`"${member}"\\s*:\\s*"-?\\d+"`);
    return member !== undefined && written.test(bodyOf(exchange)) ? describeExchange(exchange, written) : undefined;
  },
};
