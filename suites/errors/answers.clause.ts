import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest } from '../../src/session/read-exchange.ts';
import { asReceived, unreadReason } from '../../src/wire/exchange.ts';
import { defineRules } from '../define.ts';
import { LISTS } from '../stimuli/lists.ts';

/**
 * Every request gets a complete response, whatever it contains. Not judged: a kept-alive connection that the service closes at that moment
 * (stale), a timeout because this machine was busy (heldUp), what a proxy or our own settings ended (party), and a body beyond the limit of the suite.
 */
function judgeResponse({ exchange }: Event): 'not-applicable' | 'holds' | Breach {
  const { outcome } = asReceived(exchange);
  if (outcome.kind === 'answered') return 'holds';
  const { message, reason, stale, heldUp, party } = outcome.failure;
  if (stale || heldUp === true || party !== undefined || unreadReason(exchange) !== undefined) return 'not-applicable';
  return {
    summary: `${describeRequest(exchange)} got no complete response: ${message}`,
    expected: ['a complete HTTP response within the deadline'],
    received: message,
    failureKinds: [{ place: 'response', expected: 'a complete response', received: reason }],
  };
}

export const errorsAnswers = defineRules({
  id: 'errors.answers',
  chapter: 'errors',
  section: 'Endpoints',
  quote: ['The service is a pet store catalogue interface over HTTP with JSON bodies.'],
  level: 'implied',
  derivation:
    'The service is an interface over HTTP, and each operation has a status and a body for success and for failure. Without a complete response, a request has neither.',
  requirement:
    'Every request gets a complete HTTP response: no dropped connection, no truncated body, no timeout, and nothing that is not HTTP.',
  likelyCause:
    'A worker was killed, a proxy timed out, or Content-Length does not match the body. Look up the request shown here in the proxy log.',
  rules: [{ layer: 'transport', judge: judgeResponse }],
  sent: [
    {
      id: 'list-and-get',
      title: 'Lists with and without parameters and reads of existing and missing animals get complete responses',
      step: 'more-reads',
      needs: ['pets'],
      send: async (s, { pets }) => {
        const ids = [...pets.slice(0, 1).map(({ id }) => id), await s.fixtures.absentId()];
        const asks = [...LISTS.map((list) => () => s.api.list(list)), ...ids.map((id) => () => s.api.get(id))];
        await s.all(s.portion(asks), (ask) => ask());
      },
    },
  ],
  met: [{ id: 'every-request', title: 'Every request gets a complete response' }],
});
