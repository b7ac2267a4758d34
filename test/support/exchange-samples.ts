import { readBody } from '../../src/wire/body.ts';
import { type Exchange, type HttpResponse, type Intent, USER_AGENT, type WireRequest } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';

/** A response as a server writes it: a body as a value (with exact bigints); JSON unless the headers say otherwise. */
export type Reply = { readonly status: number; readonly body?: unknown; readonly headers?: HttpResponse['headers'] };

let number = 0;

function exchangeOf(request: Omit<WireRequest, 'headers'>, { status, body, headers }: Reply): Exchange {
  number += 1;
  const answer = {
    ...{ status, headers: headers ?? [['content-type', 'application/json'] as const] },
    ...readBody(Buffer.from(body === undefined ? '' : writeJson(body))),
  };
  return {
    ...{ number, timings: { startedAt: number, duration: 1 }, retried: false, postponed: 0 },
    request: {
      ...request,
      headers: [
        ['accept', 'application/json'],
        ['user-agent', USER_AGENT],
      ],
    },
    outcome: { kind: 'answered', answer },
  };
}

const intentOf = (operation: Intent['operation']): Intent => ({
  ...{ operation, credential: 'valid', credentialNote: 'the API key', limit: 'absent', status: 'absent' },
  ...{ body: operation === 'createPet' ? 'plain' : 'none', bodyClause: undefined, petId: undefined },
});

/** A list without parameters. */
export const listed = (reply: Reply): Exchange =>
  exchangeOf({ method: 'GET', path: '/pets', query: '', body: undefined, intent: intentOf('listPets') }, reply);

/** A creation. */
export const posted = (body: unknown, reply: Reply): Exchange =>
  exchangeOf({ method: 'POST', path: '/pets', query: '', body: writeJson(body), intent: intentOf('createPet') }, reply);
