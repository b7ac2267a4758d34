import { USER_AGENT } from '../../wire/exchange.ts';
import { isCut, REDACTED, type RedactedExchange } from '../../wire/redact.ts';
import { LONGEST_COMMAND, oneLine } from '../text.ts';

/** A header as sent; each format writes the API key in it as its variable. */
export type StepHeader = { readonly name: string; readonly value: string; readonly holdsKey: boolean };

/** A request of a case, for a file of requests. */
export type Step = {
  readonly method: string;
  /** Relative to the base address. An id that an earlier step received is between the parts. */
  readonly path: readonly (string | { readonly idOf: number })[];
  /** All except the usual User-Agent. */
  readonly headers: readonly StepHeader[];
  /** A header that every tool sends and this request lacks; undefined if none. */
  readonly lacks: (typeof USUAL)[number] | undefined;
  readonly body: string | undefined;
  /** Its response has the id of a new animal that a later step needs. */
  readonly makes: boolean;
  readonly curl: string;
  /** Why a file of requests can't contain it, or undefined. */
  readonly obstacle: string | undefined;
};

const KEY_CREDENTIAL = `Bearer ${REDACTED}`;
const SHELL_KEY = 'Bearer $PETSTORE_API_KEY"';
/** Headers that tools add unless a request has them. */
const USUAL = ['accept', 'user-agent'] as const;

/** The requests of exchanges that belong together, in order. */
export function stepsOf(exchanges: readonly RedactedExchange[], baseUrl: string): readonly Step[] {
  return exchanges.map((one, index) => stepOf(one, { baseUrl, before: exchanges.slice(0, index), after: exchanges.slice(index + 1) }));
}

type Around = { readonly baseUrl: string; readonly before: readonly RedactedExchange[]; readonly after: readonly RedactedExchange[] };

/** The id of the animal that an exchange created, in the digits of the response. */
function madeId({ method, answer }: RedactedExchange): string | undefined {
  return method === 'POST' && answer.kind === 'answered' && answer.status === 201
    ? /"id"\s*:\s*(-?\d+)/.exec(answer.body ?? '')?.[1]
    : undefined;
}

const readsId = ({ url }: RedactedExchange, id: string | undefined): boolean => id !== undefined && url.endsWith(`/pets/${id}`);

/** Exchanges in groups that can be sent separately: a creation and the reads of its animal are one. */
export function apart(exchanges: readonly RedactedExchange[]): readonly (readonly RedactedExchange[])[] {
  const groups: RedactedExchange[][] = [];
  for (const exchange of exchanges) {
    const group = groups.find((one) => one.some((other) => readsId(exchange, madeId(other))));
    if (group === undefined) groups.push([exchange]);
    else group.push(exchange);
  }
  return groups;
}

function stepOf(exchange: RedactedExchange, { baseUrl, before, after }: Around): Step {
  const { method, url, requestBody, curl } = exchange;
  const maker = before.findIndex((one) => readsId(exchange, madeId(one)));
  const path = url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
  const own = madeId(exchange);
  return {
    method,
    path: maker === -1 ? [path] : ['/pets/', { idOf: maker }],
    headers: exchange.requestHeaders
      .filter(([name, value]) => name !== 'user-agent' || value !== USER_AGENT)
      .map(([name, value]) => headerOf(exchange, name, value)),
    lacks: USUAL.find((own) => !exchange.requestHeaders.some(([name]) => name === own)),
    body: requestBody,
    makes: after.some((one) => readsId(one, own)),
    curl: oneLine(curl, LONGEST_COMMAND),
    obstacle: obstacleOf(exchange, baseUrl),
  };
}

/** A wrong key is written as sent, and the API key as a variable. */
function headerOf({ curl }: RedactedExchange, name: string, value: string): StepHeader {
  const holdsKey = name === 'authorization' && value === KEY_CREDENTIAL && curl.includes(SHELL_KEY);
  return { name, value, holdsKey };
}

function obstacleOf(exchange: RedactedExchange, baseUrl: string): string | undefined {
  const { url, requestBody = '', requestHeaders, partial } = exchange;
  const texts = [
    url,
    requestBody,
    ...requestHeaders.filter(([name, value]) => !headerOf(exchange, name, value).holdsKey).map(([, value]) => value),
  ];
  if (partial === true || texts.some((text) => text.includes(REDACTED) || isCut(text))) return 'the report does not hold the whole request';
  if (!url.startsWith(baseUrl)) return 'it goes to another address';
  return undefined;
}
