// Clients that accept more than the usual one, or phrase it differently: all of them accept JSON.
import type { Breach } from '../../src/clause/clause.ts';
import { describeAnswer, describeRequest, statusOf } from '../../src/expect/expect.ts';
import type { Event } from '../../src/oracle/event.ts';
import type { Case } from '../../src/oracle/rule.ts';
import { isRightButForKey, type World } from '../../src/oracle/world.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, type Exchange, type WireRequest } from '../../src/wire/exchange.ts';
import type { Documented } from '../stimuli/documented.ts';

/** `what` completes "a client …". */
export type Client = { readonly what: string } & Pick<CallOptions, 'headers' | 'without' | 'undocumented'>;

/** Headers that common clients send. */
export const CLIENTS: readonly Client[] = [
  { what: 'without an Accept header', without: ['accept'] },
  { what: 'that accepts anything', headers: [['accept', '*/*']] },
  {
    what: 'that prefers JSON and accepts compressed bodies',
    headers: [
      ['accept', 'application/json, text/plain, */*'],
      ['accept-encoding', 'gzip, deflate, br'],
    ],
  },
  {
    what: 'that is a browser',
    headers: [
      ['accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
      ['accept-language', 'de-DE,de;q=0.9,en;q=0.5'],
      ['accept-encoding', 'gzip, deflate, br'],
    ],
  },
];

/** Accept headers that are sent with a single list: each content coding, and media types with weights. */
export const LISTERS: readonly Client[] = [
  ...['gzip', 'deflate', 'br', 'zstd', 'identity', 'zstd;q=0.9, br;q=1.0, gzip;q=0'].map((codings) => ({
    what: `with Accept-Encoding: ${codings}`,
    headers: [['accept-encoding', codings] as const],
  })),
  // Otherwise list.success would judge what media.json judges.
  { what: 'with weights in its Accept header', headers: [['accept', 'application/json;q=0.5, */*;q=0.1']], undocumented: true },
];

type Headers = WireRequest['headers'];

const ACCEPTING = ['accept', 'accept-encoding', 'accept-language'];
/** Headers that identify clients, and headers that differ in each request. */
const OF_CLIENTS = [...ACCEPTING, 'user-agent', 'traceparent'];
const USUAL: Headers = [['accept', 'application/json']];

/** The headers that say which responses a client accepts. */
function acceptedBy(headers: Headers): string {
  return ACCEPTING.map((name) => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '').join('\n');
}

const KNOWN = new Map(
  [...CLIENTS, ...LISTERS].map((client) => [
    acceptedBy([...(client.headers ?? []), ...(client.without === undefined ? USUAL : [])]),
    client,
  ]),
);

/** The client of the tables that sends such requests; undefined for the usual client and for any other. */
export function clientOf({ exchange: { request } }: Event): Client | undefined {
  return KNOWN.get(acceptedBy(request.headers));
}

const isUsual = ({ exchange: { request }, intent }: Event): boolean =>
  intent.undocumented !== true && acceptedBy(request.headers) === acceptedBy(USUAL);

/** The content of a request, without what identifies the client. */
function askedIn({ exchange: { request } }: Event): string {
  const { method, path, query, body, headers } = request;
  const others = headers.filter(([name]) => !OF_CLIENTS.includes(name.toLowerCase()));
  return [method, path, query, String(body), ...others.map(([name, value]) => `${name}: ${value}`)].join('\n');
}

const SUCCESS = { listPets: 200, createPet: 201, getPet: 200 } as const;

/** The status that the document names for the request; undefined if it names none. */
function documentedStatus(event: Event, world: World): number | undefined {
  const { operation, credential, body, petId } = event.intent;
  if (credential === 'refused') return 401;
  if (isRightButForKey(event, world)) return SUCCESS[operation];
  if (body === 'invalid') return 400;
  return petId === undefined ? undefined : 404;
}

const LEAST_SERVER_ERROR = 500;

/** Whether the status is below 500 and differs from the usual one, from the documented one (the usual one may be wrong), and from 401. */
function isOfClient(
  { status = 0 }: Event,
  { usual, documented }: { readonly usual: number; readonly documented: number | undefined },
): boolean {
  return status < LEAST_SERVER_ERROR && ![usual, documented, 401].includes(status);
}

function otherStatus({ exchange, status }: Event, { what }: Client, usual: number): Breach {
  return {
    summary: `${describeRequest(exchange)} returned ${status} to a client ${what}; other clients get ${usual}`,
    expected: [`${usual} as application/json, whatever else the client accepts`],
    received: describeAnswer(exchange),
  };
}

/**
 * Requests for which a client got, twice, a status other than the usual one, while the usual client got its own before and again
 * afterwards.
 */
export function otherStatuses(world: World): readonly Case[] {
  const decided = world.events.filter(({ intent, answer }) => intent.credential !== 'open' && answer !== undefined);
  const inOrder = decided.toSorted((a, b) => a.sent - b.sent);
  return [...Map.groupBy(inOrder, askedIn).values()].flatMap((same): readonly Case[] => {
    const theirs = Map.groupBy(same, clientOf);
    const usuals = same.filter(isUsual);
    return [...theirs].flatMap(([client, [first, second]]): readonly Case[] => {
      if (client === undefined || first === undefined || second === undefined) return [];
      const before = usuals.findLast(({ sent }) => sent < first.sent);
      const after = usuals.find(({ sent }) => sent > second.sent);
      const usual = before?.status;
      if (before === undefined || usual === undefined || after?.status !== usual) return [];
      // Of the usual request: what a client with weights gets is open, but the documented status is never wrong.
      const documented = documentedStatus(before, world);
      if (![first, second].every((event) => isOfClient(event, { usual, documented }))) return [];
      return [{ event: first, others: [second], breach: otherStatus(first, client, usual) }];
    });
  });
}

const received = (exchange: Exchange): number | undefined => statusOf(asReceived(exchange));

/** Sends requests as other clients: if one gets another status, both are sent again, because the difference may be momentary. */
export function sendAs(s: Session, clients: readonly Client[], documented: readonly Documented[]): Promise<unknown> {
  return s.all(s.portion(clients), (client) =>
    s.all(documented, async ({ ask, usual }) => {
      if (received(await ask(client)) === received(usual)) return;
      await ask(client);
      await ask({});
    }),
  );
}
