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

/** A proxy or gateway asks every nth request to retry later, in its own format. */
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

/** Errors of proxies and gateways that are not an Error body. */
export const errorsInfrastructureErrors = faultsOf('errors.infrastructure-errors', {
  'rate-limit-in-html': [
    "The gateway's rate limit returns 429 as an HTML page.",
    page(429, 'text/html', '<html><h1>Too Many Requests</h1></html>'),
  ],
  'rate-limit-in-plain-text': ["The gateway's rate limit returns 429 as plain text.", page(429, 'text/plain', 'Too Many Requests')],
  'rate-limit-without-body': ['The 429 of the gateway has no body.', page(429, 'application/json', '')],
  'unavailable-in-html': [
    'While the service restarts, the load balancer returns its own page: 503 in HTML, with Retry-After.',
    page(503, 'text/html', '<html><h1>503 Service Temporarily Unavailable</h1></html>'),
  ],
  'rate-limit-in-words-of-the-gateway': [
    'The 429 of the gateway is JSON with only a message.',
    page(429, 'application/json', '{"message":"Too Many Requests"}'),
  ],
  'rate-limit-says-503': [
    'The gateway writes status 503 into the Error of its 429.',
    page(429, 'application/json', '{"code":"busy","message":"Too Many Requests","status":503}'),
  ],
});
