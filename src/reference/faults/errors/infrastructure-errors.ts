import type { Context, Patch, Reply } from '../../core/parts.ts';
import { Problem } from '../../core/problem.ts';
import { problemReply } from '../../core/replies.ts';
import { faultsOf } from '../fault.ts';
import { everyNth } from '../helpers/counters.ts';

const RETRY = { 'retry-after': '0' };
const EVERY = 47;

function problem(context: Context, status: number): Reply {
  return problemReply(context, new Problem(status, 'later', 'Come back later', RETRY));
}

/** Every nth request is told to come back by whatever stands in front of the service, in words of its own. */
function inFront(reply: (context: Context) => Reply): Patch {
  return (parts) => {
    const isTurn = everyNth(EVERY);
    return { handle: (context) => (isTurn() ? reply(context) : parts.handle(context)) };
  };
}

function page(status: number, type: string, body: string): Patch {
  return inFront((context) => {
    const { headers, ...reply } = problem(context, status);
    return { ...reply, headers: { ...headers, 'content-type': type }, body };
  });
}

/** Errors of what stands in front of the service that are no Errors. */
export const errorsInfrastructureErrors = faultsOf('errors.infrastructure-errors', {
  'rate-limit-in-html': [
    'The gateway limits the rate of requests with a page: 429 in HTML.',
    page(429, 'text/html', '<html><h1>Too Many Requests</h1></html>'),
  ],
  'rate-limit-in-plain-text': ['The gateway limits the rate of requests in plain text.', page(429, 'text/plain', 'Too Many Requests')],
  'rate-limit-without-body': ['The 429 of the gateway has no body.', page(429, 'application/json', '')],
  'unavailable-in-html': [
    'While the service restarts the load balancer shows its page: 503 in HTML, with Retry-After.',
    page(503, 'text/html', '<html><h1>503 Service Temporarily Unavailable</h1></html>'),
  ],
  'rate-limit-in-words-of-the-gateway': [
    'The 429 of the gateway is JSON with a message only.',
    page(429, 'application/json', '{"message":"Too Many Requests"}'),
  ],
  'rate-limit-says-503': [
    'The gateway writes status 503 into the Error of its 429.',
    page(429, 'application/json', '{"code":"busy","message":"Too Many Requests","status":503}'),
  ],
});
