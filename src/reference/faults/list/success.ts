import type { Patch } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { EMPTY_STORE, faultsOf } from '../fault.ts';
import { isEmptyList, isListed, rewriteIf } from '../helpers/replies.ts';
import { reject, rejectForMoments } from '../helpers/requests.ts';

/** Rejects lists. */
function rejectList(problem: (query: URLSearchParams) => Problem | undefined): Patch {
  return reject(({ call }) => (call.operation === 'listPets' ? problem(call.query) : undefined));
}

function noList(status: number): Patch {
  return rejectList(() => new Problem(status, 'no_list', 'The list is not available'));
}

/** Lists that fail. */
export const listSuccess = faultsOf('list.success', {
  'list-needs-limit': [
    'limit is required: a list without parameters returns 400.',
    rejectList((query) => (query.has('limit') ? undefined : new Problem(400, 'missing_limit', 'limit is required'))),
  ],
  'list-needs-status': [
    'status is required: a list without it returns 400.',
    rejectList((query) => (query.has('status') ? undefined : new Problem(400, 'missing_status', 'status is required'))),
  ],
  'list-forbidden': ['listPets is for administrators only: 403.', noList(403)],
  'list-not-found': ['listPets is not routed: 404.', noList(404)],
  'list-not-implemented': ['listPets returns 501.', noList(501)],
  'list-partial-content': ['A page that is not the whole store returns 206.', rewriteIf(isListed, () => ({ status: 206 }))],
  'list-not-modified-since': [
    'The cache in front of the service answers every list with an If-Modified-Since header: 304, whatever the client has.',
    rewriteIf(
      (reply, context) => isListed(reply, context) && context.call.headers['if-modified-since'] !== undefined,
      () => ({ status: 304, body: '' }),
    ),
  ],
  'list-created-status': ['A list returns 201.', rewriteIf(isListed, () => ({ status: 201 }))],
  'list-redirects-to-slash': [
    '/pets redirects to /pets/ with 301.',
    rewriteIf(isListed, ({ headers }) => ({ status: 301, headers: { ...headers, location: '/v1/pets/' } })),
  ],
  'empty-list-no-content': ['An empty list returns 204.', rewriteIf(isEmptyList, () => ({ status: 204, body: '' })), EMPTY_STORE],
  'empty-list-not-found': [
    'An empty list returns 404.',
    rewriteIf(isEmptyList, () => ({ status: 404, body: '{"code":"not_found","message":"No animals","status":404}' })),
    EMPTY_STORE,
  ],
  'list-gone-for-moments': [
    'The worker that serves listPets is recycled every hundred requests, and for 150 ms the router has no route to it: 404.',
    rejectForMoments('listPets', { every: 100, problem: new Problem(404, 'not_found', 'There is no such route') }),
    {
      seedAnimals: 8,
    },
  ],
});
