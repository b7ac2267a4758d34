import type { CauseRule, Sign } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Fingerprint } from '../fingerprints/fingerprint.ts';
import { writerOf } from '../fingerprints/index.ts';
import type { Failure } from '../run-view.ts';
import { statusOf } from './reads.ts';
import { REJECTIONS } from './rejected-with-422.ts';

/** Who wrote the responses; where a product is among them, it also wrote what several write. */
function writersOf(signs: readonly Sign[]): readonly Fingerprint[] {
  const all = [...new Set(signs.map(({ failure }) => writerOf(failure.exchange)).filter((writer) => writer !== undefined))];
  const named = all.filter(({ product }) => product !== undefined);
  return named.length > 0 ? named : all;
}

const isRejection = ({ clause }: Failure): boolean => REJECTIONS.some((id) => id === clause.id);

const list = new Intl.ListFormat('en-US');

/** Errors that the framework, its router or a middleware wrote in the service's place. */
export const errorsByFramework: CauseRule = {
  id: 'errors-by-framework',
  title: (signs) => {
    const products = [...new Set(writersOf(signs).flatMap(({ product }) => product ?? []))];
    const subject = products.length === 0 ? 'A framework or a proxy' : list.format(products);
    return `${subject} ${products.length > 1 ? 'write' : 'writes'} error responses instead of the service`;
  },
  advice: (signs) => [...new Set(writersOf(signs).map(({ advice }) => advice))].join('. '),
  clauses: ['errors.shape', 'errors.status-agrees', 'media.json', 'media.well-formed', ...REJECTIONS],
  sign: (failure) => {
    const { exchange } = failure;
    const writer = statusOf(exchange) >= 400 ? writerOf(exchange) : undefined;
    // The status of a rejection is a repair of its own, unless the same line decides it.
    if (isRejection(failure) && !(writer?.validates === true && statusOf(exchange) === 422)) return undefined;
    return writer === undefined ? undefined : `${describeExchange(exchange)}: written by ${writer.writer}`;
  },
};
