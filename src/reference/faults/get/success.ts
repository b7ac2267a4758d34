import { FEW, faultsOf, WRITES } from '../fault.ts';
import { onEveryNth } from '../helpers/counters.ts';
import { badId, hide, onId } from '../helpers/reads.ts';
import { showPet } from '../helpers/records.ts';
import { isRead, rewriteIf } from '../helpers/replies.ts';

/** Animals that cannot be read. */
export const getSuccess = faultsOf('get.success', {
  'get-misses-even-ids': ['One of two partitions is not queried: even ids return 404.', hide(({ id }) => id % 2n === 0n), FEW],
  'get-misses-sold': ['Reading a sold animal returns 404.', hide(({ status }) => status === 'sold'), FEW],
  'get-misses-default-status': [
    'Reading an animal created without a status returns 404.',
    (parts) => ({ defaultStatus: () => undefined, ...hide(({ status }) => status === undefined)(parts) }),
    FEW,
  ],
  'get-misses-newest': [
    'Reading the newest animal returns 404 until another one is created.',
    hide((pet, { animals }) => pet === animals.at(-1)),
    WRITES,
  ],
  'get-misses-negative-ids': [
    'Ids are random int64, and negative ones are not routed: 404.',
    (parts) => ({
      assignId: (store, body) => (parts.assignId(store, body) % 2n === 0n ? 1n : -1n) * (store.lastId + 1000n),
      ...hide(({ id }) => id < 0n)(parts),
    }),
    FEW,
  ],
  'get-refuses-large-ids': [
    'Ids are snowflakes, and those beyond 2^53 return 400.',
    (parts) => ({ assignId: (store, body) => 2n ** 60n + parts.assignId(store, body), ...onId((id) => id > 2n ** 53n, badId)(parts) }),
    FEW,
  ],
  'get-not-modified': [
    'Every second read of an animal returns 304.',
    onEveryNth(2, (isTurn) =>
      rewriteIf(
        (reply, context) => isRead(reply, context) && isTurn(),
        () => ({ status: 304, body: '' }),
      ),
    ),
    FEW,
  ],
  'get-redirects': [
    'Reading an animal returns 301 to the id followed by a slash.',
    rewriteIf(isRead, ({ headers }) => ({ status: 301, headers: { ...headers, location: '/v1/pets/1/' } })),
    FEW,
  ],
  'list-shows-row-numbers': [
    'The list shows row numbers as ids: getPet does not find them.',
    showPet('list', (pet) => ({ id: pet.id + 500_000n })),
    FEW,
  ],
});
