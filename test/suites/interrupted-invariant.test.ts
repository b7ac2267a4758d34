import type { Exchange } from '../../src/wire/exchange.ts';
import { knowledgeOf, read } from '../exchange-samples.ts';
import { broken, testInvariant } from './judge-invariant.ts';

const PET = { status: 200, body: { id: 7, name: 'rex', categoryId: 1, status: 'sold' } };
const MISSING = { status: 404, body: { code: 'not_found', message: 'no', status: 404 } };

/** The exchange, begun so many milliseconds after the run. */
function at(startedAt: number, exchange: Exchange): Exchange {
  return { ...exchange, timings: { startedAt, duration: 1 } };
}

const { consistencyWindow } = knowledgeOf();
const LATE = consistencyWindow + 10;

testInvariant('get.durable/every-read', [
  ['a first read', read(7n, PET), 'not-applicable'],
  ['a second read', [at(0, read(7n, PET)), at(LATE, read(7n, PET))], 'holds'],
  [
    'an animal that is missing and found again',
    [at(0, read(7n, PET)), at(LATE, read(7n, MISSING)), at(LATE + 10, read(7n, PET))],
    broken('the animal exists', undefined, { received: '404', expected: '200' }),
  ],
  ['an animal that is gone for good', [at(0, read(7n, PET)), at(LATE, read(7n, MISSING))], 'not-applicable'],
  ['a 404 before the animal was there', [at(0, read(7n, MISSING)), at(5, read(7n, PET)), at(LATE + 5, read(7n, PET))], 'holds'],
  [
    'replicas that differ within the consistency window',
    [at(0, read(7n, PET)), at(5, read(7n, MISSING)), at(LATE, read(7n, PET))],
    'holds',
  ],
  ['a read that was under way when the 404 came', [at(0, read(7n, PET)), at(LATE, read(7n, MISSING)), at(LATE, read(7n, PET))], 'holds'],
  ['another animal', [at(0, read(7n, PET)), at(LATE, read(8n, MISSING)), at(LATE + 10, read(7n, PET))], 'holds'],
]);
