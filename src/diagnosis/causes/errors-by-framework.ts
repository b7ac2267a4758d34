import type { CauseRule, Sign } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Fingerprint } from '../fingerprints/fingerprint.ts';
import { writerOf } from '../fingerprints/index.ts';
import { statusOf } from './reads.ts';

function writersOf(signs: readonly Sign[]): readonly Fingerprint[] {
  const all = [...new Set(signs.map(({ failure }) => writerOf(failure.exchange)).filter((writer) => writer !== undefined))];
  const sure = all.filter(({ ambiguous }) => ambiguous !== true);
  return sure.length > 0 ? sure : all;
}

const list = new Intl.ListFormat('en-US');

/** Errors that the framework, its router or a middleware wrote in the service's place. */
export const errorsByFramework: CauseRule = {
  id: 'errors-by-framework',
  title: (signs) => {
    const products = [...new Set(writersOf(signs).map(({ product }) => product))];
    return `${list.format(products)} ${products.length === 1 ? 'writes' : 'write'} error responses instead of the service`;
  },
  advice: (signs) => [...new Set(writersOf(signs).map(({ advice }) => advice))].join('. '),
  clauses: ['errors.shape', 'errors.status-agrees', 'media.json', 'media.well-formed'],
  sign: ({ exchange }) => {
    const writer = statusOf(exchange) >= 400 ? writerOf(exchange) : undefined;
    return writer === undefined ? undefined : `${describeExchange(exchange)}: written by ${writer.writer}`;
  },
};
