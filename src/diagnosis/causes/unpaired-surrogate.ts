import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { statusOf } from './reads.ts';

/** Half of a surrogate pair, as JSON spells it. */
const HALF = /\\ud[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})|(?<!\\ud[89ab][\da-f]{2})\\ud[c-f][\da-f]{2}/i;

/** The same in bytes, as a report shows what UTF-8 doesn't have. */
const DAMAGED = '\ufffd';

const sent = ({ exchange }: Failure): string => exchange.requestBody ?? '';
const isCrash = ({ exchange }: Failure): boolean => exchange.method === 'POST' && statusOf(exchange) >= 500;

export const unpairedSurrogate: CauseRule = {
  id: 'unpaired-surrogate',
  title: 'Half of a surrogate pair in a text is accepted, and cannot be written again',
  advice:
    'Reject such a text with 400 where the body is validated: JSON can spell it ("\\ud800"), but UTF-8 cannot encode it (Python: text.encode() raises UnicodeEncodeError)',
  clauses: ['errors.no-server-error'],
  sign: (failure) =>
    isCrash(failure) && (HALF.test(sent(failure)) || sent(failure).includes(DAMAGED)) ? describeExchange(failure.exchange) : undefined,
  // Where any body may crash the service, this one is not special.
  suffices: (signs, { failures }) => {
    const others = failures.filter((failure) => isCrash(failure) && !signs.some((sign) => sign.failure.exchange === failure.exchange));
    const isPlain = (failure: Failure): boolean => /^\{"name":"[A-Za-z]+","categoryId":\d+\}$/.test(sent(failure));
    return signs.some(({ failure }) => HALF.test(sent(failure))) && !others.some(isPlain);
  },
};
