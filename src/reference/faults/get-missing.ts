import type { Parts } from '../core/parts.ts';
import { Problem } from '../core/problem.ts';
import { type Fault, fault, few } from './fault.ts';
import { badId, findOther, onId } from './find-animal.ts';
import { crash, isAnswer, refuse, rewriteIf } from './helpers.ts';

const missing = 'get.not-found';

/** Answers a missing animal otherwise than 404. */
function answerMissing(status: number, body?: string): (parts: Parts) => Partial<Parts> {
  return (parts) => rewriteIf(parts, isAnswer('getPet', 404), () => (body === undefined ? { status } : { status, body }));
}

/** Missing animals that are not answered 404. */
export const getMissingFaults: readonly Fault[] = [
  fault('missing-animal-null', missing, 'A missing animal is answered 200 null.', answerMissing(200, 'null')),
  fault('missing-animal-empty-object', missing, 'A missing animal is answered 200 {}.', answerMissing(200, '{}')),
  fault('missing-animal-empty-array', missing, 'A missing animal is answered 200 [].', answerMissing(200, '[]')),
  fault('missing-animal-no-content', missing, 'A missing animal is answered 204.', answerMissing(204, '')),
  fault('missing-animal-ok-error', missing, 'A missing animal is answered 200 with an Error body.', answerMissing(200)),
  fault('missing-animal-bad-request', missing, 'A missing animal is answered 400.', (parts) => ({
    errorStatus: (problem, call) => (call.operation === 'getPet' && problem.status === 404 ? 400 : parts.errorStatus(problem, call)),
    errorRecord: (problem, call) =>
      parts.errorRecord(
        call.operation === 'getPet' && problem.status === 404 ? new Problem(400, problem.code, problem.message) : problem,
        call,
      ),
  })),
  fault('missing-animal-gone', missing, 'A missing animal is answered 410.', (parts) =>
    refuse(parts, ({ call, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return typeof id === 'bigint' && parts.find(store, id) === undefined ? new Problem(410, 'gone', 'The animal is gone') : undefined;
    }),
  ),
  fault('missing-animal-forbidden', missing, 'A missing animal is answered 403.', (parts) =>
    refuse(parts, ({ call, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return typeof id === 'bigint' && parts.find(store, id) === undefined ? new Problem(403, 'forbidden', 'Not your animal') : undefined;
    }),
  ),
  fault('missing-animal-crashes', 'errors.no-server-error', 'A missing animal crashes: 500.', (parts) => ({
    find: (store, id) => parts.find(store, id) ?? crash(),
  })),
  fault(
    'missing-animal-made-up',
    missing,
    'A missing animal is answered as a made-up one with the id asked for.',
    findOther((_store, id, found) => found ?? { id, name: 'Unknown', categoryId: 1n, status: 'available', createdAt: 0 }),
  ),
  fault('missing-animal-redirects', missing, 'A missing animal redirects to the list.', (parts) =>
    rewriteIf(parts, isAnswer('getPet', 404), ({ headers }) => ({ status: 302, headers: { ...headers, location: '/v1/pets' } })),
  ),
  fault(
    'missing-animal-nearest',
    missing,
    'A missing id answers the first animal.',
    findOther((store, _id, found) => (found === undefined ? store.animals[0] : undefined)),
    few,
  ),
  fault(
    'beyond-int32-bad-request',
    missing,
    'A missing id beyond 32 bits is answered 400.',
    onId((id) => BigInt.asIntN(32, id) !== id, badId),
  ),
  fault(
    'beyond-2-53-bad-request',
    missing,
    'A missing id beyond 2^53 is answered 400.',
    onId((id) => id > 2n ** 53n || id < -(2n ** 53n), badId),
  ),
  fault(
    'negative-id-bad-request',
    missing,
    'A missing negative id is answered 400.',
    onId((id) => id < 0n, badId),
  ),
  fault(
    'zero-id-answers-animal',
    missing,
    'Id 0 answers the first animal.',
    findOther((store, id) => (id === 0n ? store.animals[0] : undefined)),
    few,
  ),
  fault(
    'largest-id-bad-request',
    missing,
    'The largest int64 is answered 400.',
    onId((id) => id === 2n ** 63n - 1n, badId),
  ),
  fault(
    'smallest-id-bad-request',
    missing,
    'The smallest int64 is answered 400.',
    onId((id) => id === -(2n ** 63n), badId),
  ),
  fault(
    'id-wrapped-to-int32',
    missing,
    'petId wraps round at 32 bits: 4294967297 answers animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, BigInt.asIntN(32, id)) }),
    few,
  ),
  fault(
    'id-sign-ignored',
    missing,
    'The sign of petId is lost: -1 answers animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, id < 0n ? -id : id) }),
    few,
  ),
  fault(
    'id-beyond-int32-crashes',
    'errors.no-server-error',
    'An id beyond 32 bits crashes.',
    onId((id) => BigInt.asIntN(32, id) !== id, crash),
  ),
  fault(
    'id-largest-crashes',
    'errors.no-server-error',
    'The largest int64 crashes: the next one is computed.',
    onId((id) => id === 2n ** 63n - 1n, crash),
  ),
  fault('id-outside-int64-crashes', 'errors.no-server-error', 'An id outside int64 crashes.', (parts) => ({
    parseId: (text) => (/^-?\d{19,}$/.test(text) && BigInt.asIntN(64, BigInt(text)) !== BigInt(text) ? crash() : parts.parseId(text)),
  })),
  fault('id-not-a-number-crashes', 'errors.no-server-error', 'A petId that is no number crashes.', (parts) => ({
    parseId: (text) => (/^-?\d+$/.test(text) ? parts.parseId(text) : crash()),
  })),
];
