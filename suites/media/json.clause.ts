import type { Breach } from '../../src/clause/clause.ts';
import { type Case, type Event, isRightButForKey, type World } from '../../src/oracle/world.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import { describeRequest, describeResponse, isRejected, statusOf } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, type Exchange, type WireRequest } from '../../src/wire/exchange.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { LEAST_SERVER_ERROR } from '../../src/wire/statuses.ts';
import { defineRules } from '../define.ts';
import { hasOwnBody, mediaTypeOf } from '../responses.ts';
import {
  type Documented,
  documentedReads,
  documentedRejections,
  documentedWrites,
  isCreationWithDocumentedStatus,
  isReadWithDocumentedStatus,
} from '../stimuli/documented.ts';

// Clients that accept more than the usual one, or phrase it differently: all of them accept JSON.

/** `what` completes "a client …". */
export type Client = { readonly what: string } & Pick<CallOptions, 'headers' | 'without' | 'undocumented'>;

const CLIENTS: readonly Client[] = [
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

const LISTERS: readonly Client[] = [
  ...['gzip', 'deflate', 'br', 'zstd', 'identity', 'zstd;q=0.9, br;q=1.0, gzip;q=0'].map((codings) => ({
    what: `with Accept-Encoding: ${codings}`,
    headers: [['accept-encoding', codings] as const],
  })),
  // Otherwise list.success would judge what media.json judges.
  { what: 'with weights in its Accept header', headers: [['accept', 'application/json;q=0.5, */*;q=0.1']], undocumented: true },
  { what: 'that accepts events, too', headers: [['accept', 'application/json, text/event-stream']], undocumented: true },
  ...['application/xml', 'text/csv', 'application/vnd.api+json', 'application/yaml'].map((type) => ({
    what: `that prefers ${type}`,
    headers: [['accept', `${type}, application/json;q=0.9`] as const],
    undocumented: true,
  })),
];

type Headers = WireRequest['headers'];

const ACCEPTING = ['accept', 'accept-encoding', 'accept-language'];
/** Headers that identify clients, and headers that differ in each request. */
const OF_CLIENTS = [...ACCEPTING, 'user-agent', 'traceparent'];
const USUAL: Headers = [['accept', 'application/json']];

const acceptedBy = oncePerObject((headers: Headers): string =>
  ACCEPTING.map((name) => headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '').join('\n'),
);

const KNOWN = new Map(
  [...CLIENTS, ...LISTERS].map((client) => [
    acceptedBy([...(client.headers ?? []), ...(client.without === undefined ? USUAL : [])]),
    client,
  ]),
);

function clientOf({ exchange: { request } }: Event): Client | undefined {
  return KNOWN.get(acceptedBy(request.headers));
}

const isUsual = ({ exchange: { request }, intent }: Event): boolean =>
  intent.undocumented !== true && acceptedBy(request.headers) === acceptedBy(USUAL);

/** The content of a request, without what identifies the client: each request is looked at several times in each judgment. */
const contentOf = oncePerObject(({ method, path, query, body, headers }: WireRequest): string => {
  const others = headers.filter(([name]) => !OF_CLIENTS.includes(name.toLowerCase()));
  return [method, path, query, String(body), ...others.map(([name, value]) => `${name}: ${value}`)].join('\n');
});

const SUCCESS_STATUS = { listPets: 200, createPet: 201, getPet: 200 } as const;

function documentedStatus(event: Event, world: World): number | undefined {
  const { operation, credential, body, petId } = event.intent;
  if (credential === 'refused') return 401;
  if (isRightButForKey(event, world)) return SUCCESS_STATUS[operation];
  if (body === 'invalid') return 400;
  return petId === undefined ? undefined : 404;
}

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
    received: describeResponse(exchange),
    failureKinds: [{ place: 'HTTP status', expected: 'as for other clients' }],
  };
}

/**
 * Requests for which a client got, twice, a status other than the usual one, while the usual client got its own before and again
 * afterwards.
 */
function otherStatuses(world: World): readonly Case[] {
  const decided = world.events.filter(({ intent, response }) => intent.credential !== 'open' && response !== undefined);
  const inOrder = decided.toSorted((a, b) => a.sent - b.sent);
  return [...Map.groupBy(inOrder, ({ exchange }) => contentOf(exchange.request)).values()].flatMap((same): readonly Case[] => {
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
function sendAs(s: Session, clients: readonly Client[], documented: readonly Documented[]): Promise<unknown> {
  return s.all(s.portion(clients), (client) =>
    s.all(documented, async ({ ask, usual }) => {
      if (received(await ask(client)) === received(usual)) return;
      await ask(client);
      await ask({});
    }),
  );
}

/** A response body of the interface is application/json. Among undocumented requests, only those of other clients are judged. */
function judgeMediaType(event: Event): 'not-applicable' | 'holds' | Breach {
  const { response, exchange, intent } = event;
  if (response === undefined || !hasOwnBody(response)) return 'not-applicable';
  if (intent.undocumented === true && clientOf(event) === undefined) return 'not-applicable';
  const sent = response.headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
  if (mediaTypeOf(response) === 'application/json' && sent.length === 1) return 'holds';
  const received = sent.length === 0 ? 'no Content-Type' : `Content-Type ${sent.join(' and ')}`;
  return {
    summary: `the ${response.status} response to ${describeRequest(exchange)} has a body with ${received}`,
    expected: ['Content-Type: application/json'],
    received,
    failureKinds: [
      { place: 'header Content-Type', expected: 'application/json', received: sent.length === 0 ? 'missing' : 'another value' },
    ],
  };
}

export const mediaJson = defineRules({
  id: 'media.json',
  chapter: 'media-type',
  section: 'What the service does',
  quote: ['All requests and responses that have a body use the media type `application/json`.'],
  level: 'required',
  requirement:
    'Every response body, success or error, has the media type application/json, whatever else the client accepts; parameters and letter case are free.',
  likelyCause:
    'The framework or a proxy sends errors as HTML or text, the framework negotiates other formats, or a handler writes JSON without setting the header.',
  rules: [
    { layer: 'media type', letter: true, undocumented: true, judge: judgeMediaType },
    { layer: 'status', judgeAll: otherStatuses },
  ],
  sent: [
    {
      id: 'list-and-get',
      title: 'Successes and errors of listPets and getPet are application/json',
      step: 'read',
      needs: ['pets'],
      send: documentedReads,
      cases: ({ event }) => isReadWithDocumentedStatus(event),
    },
    {
      id: 'other-clients',
      title: 'Browsers, clients that accept anything, and clients without an Accept header get application/json',
      step: 'read',
      needs: ['pets'],
      send: async (s) => sendAs(s, CLIENTS, await documentedReads(s)),
    },
    {
      id: 'other-listers',
      title:
        'Clients that accept a single content coding, weight their media types, accept events, or prefer another media type get application/json',
      step: 'read',
      needs: ['pets'],
      send: async (s) => sendAs(s, LISTERS, (await documentedReads(s)).slice(0, 1)),
    },
    {
      id: 'create',
      title: 'Successes and errors of createPet are application/json',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: documentedWrites,
      cases: ({ event }) => isCreationWithDocumentedStatus(event),
    },
    {
      id: 'other-writers',
      title:
        'A creation without an Accept header gets the Pet, and rejected ones from browsers and clients that accept anything get application/json',
      step: 'large-store',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // One that is accepted is not sent again: it leaves an animal each time.
      send: async (s) => {
        await s.api.create({ value: await s.fixtures.plain() }, { domain: 'plain', without: ['accept'] });
        await sendAs(
          s,
          CLIENTS,
          (await documentedRejections(s)).filter(({ usual }) => isRejected(usual)),
        );
      },
    },
  ],
  met: [
    {
      id: 'every-body',
      title: 'Every body is application/json',
      cases: ({ event, others }) => event.intent.undocumented !== true && others === undefined,
    },
  ],
});
