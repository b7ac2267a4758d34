import type { Patch, Reply } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { FEW, faultsOf } from '../fault.ts';
import { badId, findOther, onId } from '../helpers/reads.ts';
import { isReplyTo, rewriteIf } from '../helpers/replies.ts';
import { reject } from '../helpers/requests.ts';

/** Returns something other than 404 for a missing animal. */
function respondMissing(change: Partial<Reply>): Patch {
  return rewriteIf(isReplyTo('getPet', 404), () => change);
}

/** Rejects a missing animal with another problem. */
function rejectMissing(status: number, code: string, message: string): Patch {
  return (parts) =>
    reject(({ call, store }) => {
      const id = call.operation === 'getPet' ? parts.parseId(call.petId) : undefined;
      return typeof id === 'bigint' && parts.find(store, id) === undefined ? new Problem(status, code, message) : undefined;
    })(parts);
}

/** Missing animals that do not return 404. */
export const getNotFound = faultsOf('get.not-found', {
  'missing-animal-null': ['A missing animal returns 200 null.', respondMissing({ status: 200, body: 'null' })],
  'missing-animal-empty-object': ['A missing animal returns 200 {}.', respondMissing({ status: 200, body: '{}' })],
  'missing-animal-empty-array': ['A missing animal returns 200 [].', respondMissing({ status: 200, body: '[]' })],
  'missing-animal-no-content': ['A missing animal returns 204.', respondMissing({ status: 204, body: '' })],
  'missing-animal-ok-error': ['A missing animal returns 200 with an Error body.', respondMissing({ status: 200 })],
  'missing-animal-bad-request': [
    'A missing animal returns 400.',
    (parts) => ({
      errorStatus: (problem, call) => (call.operation === 'getPet' && problem.status === 404 ? 400 : parts.errorStatus(problem, call)),
      errorRecord: (problem, call) =>
        parts.errorRecord(
          call.operation === 'getPet' && problem.status === 404 ? new Problem(400, problem.code, problem.message) : problem,
          call,
        ),
    }),
  ],
  'missing-animal-gone': ['A missing animal returns 410.', rejectMissing(410, 'gone', 'The animal is gone')],
  'missing-animal-forbidden': ['A missing animal returns 403.', rejectMissing(403, 'forbidden', 'Not your animal')],
  'missing-animal-made-up': [
    'A missing animal returns a made-up one with the requested id.',
    findOther((_store, id, found) => found ?? { id, name: 'Unknown', categoryId: 1n, status: 'available', createdAt: 0 }),
  ],
  'missing-animal-redirects': [
    'A missing animal redirects to the list.',
    rewriteIf(isReplyTo('getPet', 404), ({ headers }) => ({ status: 302, headers: { ...headers, location: '/v1/pets' } })),
  ],
  'missing-animal-nearest': [
    'A missing id returns the first animal.',
    findOther((store, _id, found) => (found === undefined ? store.animals[0] : undefined)),
    FEW,
  ],
  'beyond-int32-bad-request': ['A missing id beyond 32 bits returns 400.', onId((id) => BigInt.asIntN(32, id) !== id, badId)],
  'beyond-2-53-bad-request': ['A missing id beyond 2^53 returns 400.', onId((id) => id > 2n ** 53n || id < -(2n ** 53n), badId)],
  'negative-id-bad-request': ['A missing negative id returns 400.', onId((id) => id < 0n, badId)],
  'zero-id-answers-animal': ['Id 0 returns the first animal.', findOther((store, id) => (id === 0n ? store.animals[0] : undefined)), FEW],
  'largest-id-bad-request': ['The largest int64 returns 400.', onId((id) => id === 2n ** 63n - 1n, badId)],
  'smallest-id-bad-request': ['The smallest int64 returns 400.', onId((id) => id === -(2n ** 63n), badId)],
  'id-wrapped-to-int32': [
    'petId wraps around at 32 bits: 4294967297 returns animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, BigInt.asIntN(32, id)) }),
    FEW,
  ],
  'id-sign-ignored': [
    'The sign of petId is lost: -1 returns animal 1.',
    (parts) => ({ find: (store, id) => parts.find(store, id < 0n ? -id : id) }),
    FEW,
  ],
});
