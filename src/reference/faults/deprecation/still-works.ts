import type { Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { FEW, faultsOf } from '../fault.ts';
import { reject } from '../helpers/requests.ts';

function removed(status: number): Patch {
  return reject(({ call }) => (call.operation === 'getPet' ? new Problem(status, 'removed', 'Use GET /pets?status=') : undefined));
}

/** A removal that comes too early. */
export const deprecationStillWorks = faultsOf('deprecation.still-works', {
  'get-removed-with-410': ['getPet is already removed: 410.', removed(410)],
  'get-removed-with-501': ['getPet is already removed: 501.', removed(501)],
  'get-removed-with-405': ['getPet is already removed: 405.', removed(405)],
  'get-removed-with-404': ['getPet is already removed: 404 for every id.', removed(404), FEW],
  'get-removed-on-the-eve': [
    'getPet is removed on 4 December 2030, a day early.',
    reject(({ call, now }) =>
      call.operation === 'getPet' && now().getTime() >= Date.UTC(2030, 11, 4)
        ? new Problem(410, 'removed', 'getPet is removed')
        : undefined,
    ),
    { seedAnimals: 8, now: '2030-12-04T12:00:00Z' },
  ],
});
