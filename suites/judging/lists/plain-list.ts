import type { Answer, Exchange, PetStatus } from '../../../src/wire/exchange.ts';

/** A list request as the document describes it: the API key, valid parameters, and no others. */
export type PlainList = { readonly limit: number | 'absent'; readonly status: PetStatus | 'absent'; readonly answer: Answer };

/** Like `plainList`, but other parameters are allowed: if such a list is accepted, they change neither limit nor status. */
export function listBesideOthers(exchange: Exchange): PlainList | undefined {
  const { intent } = exchange.request;
  if (intent.operation !== 'listPets' || intent.credential !== 'valid' || exchange.outcome.kind === 'failed') return undefined;
  const { limit, status } = intent;
  return limit === 'open' || status === 'open' ? undefined : { limit, status, answer: exchange.outcome.answer };
}

/** The parameters and the response of a list that the document describes; undefined for any other exchange, or without a response. */
export function plainList(exchange: Exchange): PlainList | undefined {
  const names = [...new URLSearchParams(exchange.request.query).keys()];
  return names.some((name) => name !== 'limit' && name !== 'status') ? undefined : listBesideOthers(exchange);
}

/** `GET /pets?limit=5&status=sold`. */
export function situationOf({ limit, status }: Pick<PlainList, 'limit' | 'status'>): string {
  const parts = [limit === 'absent' ? '' : `limit=${limit}`, status === 'absent' ? '' : `status=${status}`].filter((part) => part !== '');
  return `GET /pets${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}
