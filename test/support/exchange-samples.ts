import { readBody } from '../../src/wire/body.ts';
import { type Exchange, type HttpResponse, type Operation, type Outgoing, USER_AGENT } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';
import { type RedactedExchange, type RedactOptions, redactParts } from '../../src/wire/redacted-exchange.ts';

/** What reports say about a request besides its bytes. */
export type Intent = {
  readonly operation: Operation;
  readonly credential: 'valid' | 'refused';
  /** In words. */
  readonly credentialNote: string;
};
export type SentExchange = Exchange<Outgoing & { readonly intent: Intent }>;

/** An exchange as reports show it. */
export function redactExchange(exchange: SentExchange, options: RedactOptions): RedactedExchange {
  const { number, outcome, timings, retried, postponed } = exchange;
  const { method, path, query, headers, body, chunked = false, intent } = exchange.request;
  const target = `${path}${query === '' ? '' : `?${query}`}`;
  const { operation, credential, credentialNote } = intent;
  return redactParts(
    {
      ...{ number, method, target, headers, body, chunked, operation, outcome, retried, postponed },
      ...{ ...timings, hasKey: credential === 'valid', credential: credentialNote },
    },
    options,
  );
}

/** A response as a server writes it: a body as a value (with exact bigints); JSON unless the headers say otherwise. */
export type Reply = { readonly status: number; readonly body?: unknown; readonly headers?: HttpResponse['headers'] };

let number = 0;

function exchangeOf(request: Omit<SentExchange['request'], 'headers'>, { status, body, headers }: Reply): SentExchange {
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

const intentOf = (operation: Operation): Intent => ({ operation, credential: 'valid', credentialNote: 'the API key' });

/** A list without parameters. */
export const listed = (reply: Reply): SentExchange =>
  exchangeOf({ method: 'GET', path: '/pets', query: '', body: undefined, intent: intentOf('listPets') }, reply);

/** A creation. */
export const posted = (body: unknown, reply: Reply): SentExchange =>
  exchangeOf({ method: 'POST', path: '/pets', query: '', body: writeJson(body), intent: intentOf('createPet') }, reply);
