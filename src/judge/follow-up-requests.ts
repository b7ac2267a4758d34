// If a run does not show when a clause is broken, requests with a wrong response are repeated: after other requests, together with them, and after a pause;
// and parts of a wrong name are sent.

import { Halt } from '../clause/halt.ts';
import { afterResponse, BESIDE } from '../oracle/contrast/company.ts';
import { FOLLOW_UP } from '../oracle/contrast/follow-up-evidence.ts';
import type { JudgedPart, Wrong } from '../oracle/oracle.ts';
import { type Event, eventOf } from '../oracle/world.ts';
import { agreeOn, FIELDS } from '../schema/pet.ts';
import type { CallOptions } from '../session/client/api.ts';
import type { OpenSession } from '../session/open-session.ts';
import { isCrash } from '../session/read-exchange.ts';
import { type Exchange, PET_STATUSES, type WireRequest } from '../wire/exchange.ts';
import { BAD_REQUEST, CREATED, LEAST_ERROR } from '../wire/statuses.ts';
import { askAboutName } from './name-questions.ts';
import { type Asking, creationLike, nameIn, namesIn, plainest, type Send } from './similar-requests.ts';

/** Headers that are sent otherwise than usual, each alone: a service may depend on one that nearly all requests have, or lack. */
const OTHER_HEADERS: readonly (readonly [name: string, value: string | undefined])[] = [
  ['accept', '*/*'],
  ['accept', undefined],
  ['accept-encoding', 'gzip, deflate, br'],
  ['accept-encoding', undefined],
  ['accept-language', 'de'],
  ['user-agent', undefined],
];

const MOST_QUESTIONS = 3;
/** Milliseconds after which nothing more is sent: a distant or hanging service gets fewer requests. */
const MOST_TIME = 3_000;
/**
 * How often a request is sent on each of its connections: this reveals counters up to seven, and what only the first, the second, or the
 * twentieth request gets.
 */
const ON_CONNECTIONS = [30, 2, 2];
/** How often it is sent after each other request, so that a single flicker decides nothing. */
const TIMES = 2;
/** Milliseconds without any request, and the longest time that is waited for what was broken after a longer one. */
const PAUSE = 120;
const LONGEST_PAUSE = 2_200;
/** How much longer than that one: the time in which a service is idle is measured at a distance. */
const MORE = 1.05;
/** The number of requests in flight next to it, whose bodies arrive in two pieces, and the milliseconds until they are in flight. */
const COMPANY = 4;
const UNTIL_UNDER_WAY = 10;
const MOST_AGAIN = 2;

const isUnauthorized = ({ intent, status }: Event): boolean => intent.credential === 'refused' && status === 401;

const isAccepted = ({ intent, status }: Event): boolean => intent.credential === 'valid' && (status === 200 || status === 201);

const KINDS: readonly ((event: Event) => boolean)[] = [
  (event) => event.intent.operation === 'listPets' && event.exchange.request.query === '' && isAccepted(event),
  (event) => event.intent.operation === 'listPets' && event.intent.status !== 'absent' && isAccepted(event),
  (event) => event.intent.operation === 'getPet' && isAccepted(event),
  ({ intent, status }) => intent.operation === 'getPet' && intent.credential === 'valid' && status === 404,
  (event) => event.intent.operation === 'listPets' && isUnauthorized(event),
  (event) => event.intent.operation === 'getPet' && isUnauthorized(event),
  isRejectedBody,
];

/** A creation that has no effect: the same body was rejected before. */
function isRejectedBody({ intent, status, exchange: { request } }: Event): boolean {
  return (
    intent.operation === 'createPet' &&
    intent.credential === 'valid' &&
    intent.body === 'invalid' &&
    status === BAD_REQUEST &&
    (request.body?.length ?? 0) > 1
  );
}

/** Whether repeating it creates nothing: it reads, or it was rejected and must be. A crash may have created something. */
function createsNothing({ intent, exchange, status = 0 }: Event): boolean {
  const isRejected = status >= LEAST_ERROR && !isCrash(status);
  return exchange.request.method === 'GET' || (isRejected && (intent.body === 'invalid' || intent.credential === 'refused'));
}

/** The kind of a request for a reader: of two clauses that the same requests break, only one is investigated. */
function kindOf(event: Event): string {
  const { operation, credential, body } = event.intent;
  return `${operation} ${credential} ${body} ${createsNothing(event)}`;
}

function questionsIn(parts: readonly JudgedPart[]): readonly JudgedPart[] {
  const byKind = Map.groupBy(parts, ({ undecided = [] }) => (undecided[0] === undefined ? undefined : kindOf(undecided[0].event)));
  return [...byKind].flatMap(([kind, [first]]) => (kind === undefined || first === undefined ? [] : [first])).slice(0, MOST_QUESTIONS);
}

/** Sends a request while others are in flight; `held`: what these send, in two pieces. */
async function inCompany(
  ask: () => Promise<unknown>,
  { held, send, open }: { readonly held: Event; readonly send: Send; readonly open: OpenSession },
): Promise<void> {
  // If the write budget does not allow it, it is not sent: then there is no company.
  const company = Promise.allSettled(
    Array.from({ length: COMPANY }, () => send({ ...held.exchange.request, divided: true }, FOLLOW_UP.company)),
  );
  await open.session.pause(UNTIL_UNDER_WAY);
  try {
    await ask();
  } finally {
    await company;
  }
}

/** What a request may be broken after or next to: each is sent once per time. */
type Occasion = {
  /** In words that complete "Only …", like those of a circumstance. */
  readonly says: string;
  readonly meet: () => Promise<void>;
};

type InCompany = Pick<Asking, 'send' | 'open' | 'events'>;

function pauseFor([wrong]: readonly Wrong[]): number {
  const idle = wrong?.idle ?? 0;
  return idle <= PAUSE ? PAUSE : Math.min(LONGEST_PAUSE, Math.ceil(idle * MORE));
}

function occasionsOf(ask: () => Promise<unknown>, wrong: readonly Wrong[], { send, open, events }: InCompany): readonly Occasion[] {
  const held = plainest(events.filter(isRejectedBody));
  const after = KINDS.flatMap((isOne) => plainest(events.filter(isOne)) ?? []).map(
    ({ exchange, intent, status }): Occasion => ({
      says: afterResponse(intent.operation, status),
      meet: async () => {
        await send(exchange.request, FOLLOW_UP.company);
        await ask();
      },
    }),
  );
  const length = pauseFor(wrong);
  const pause = {
    says: 'after a pause',
    meet: async () => {
      await open.session.pause(length);
      await ask();
    },
  };
  // A long pause is the likeliest reason, so it comes before the time is over.
  return [
    ...(length > PAUSE ? [pause, ...after] : [...after, pause]),
    ...(held === undefined ? [] : [{ says: BESIDE, meet: () => inCompany(ask, { held, send, open }) }]),
  ];
}

/** The request with that header, or without it; undefined if it is sent so already. */
function withHeader(request: WireRequest, [name, value]: (typeof OTHER_HEADERS)[number]): WireRequest | undefined {
  const isIt = ([other]: WireRequest['headers'][number]): boolean => other.toLowerCase() === name;
  if (request.headers.find(isIt)?.[1] === value) return undefined;
  const others = request.headers.filter((header) => !isIt(header));
  return { ...request, headers: value === undefined ? others : [...others, [name, value]] };
}

/** Sends the request with each header in turn, and then as it was: what stopped in between has nothing to do with headers. */
async function withOtherHeaders(ask: (change: (request: WireRequest) => WireRequest | undefined) => Promise<void>): Promise<void> {
  for (const header of OTHER_HEADERS) await ask((request) => withHeader(request, header));
  await ask((request) => request);
}

const LISTS: readonly ((intent: Event['intent']) => boolean)[] = [
  ({ limit, status }) => limit === 'absent' && status === 'absent',
  ...PET_STATUSES.map(
    (one) =>
      ({ limit, status }: Event['intent']) =>
        limit === 'absent' && status === one,
  ),
  ...[1, 20, 100].map(
    (one) =>
      ({ limit, status }: Event['intent']) =>
        limit === one && status === 'absent',
  ),
  ...[2, 6, 21, 51].map(
    (least) =>
      ({ limit, status }: Event['intent']) =>
        status === 'absent' && typeof limit === 'number' && limit >= least && limit < least + 4,
  ),
  ...PET_STATUSES.map(
    (one) =>
      ({ limit, status }: Event['intent']) =>
        limit === 100 && status === one,
  ),
];

function listsOf(events: readonly Event[]): readonly Event[] {
  const lists = events.filter((event) => event.intent.operation === 'listPets' && isAccepted(event));
  return LISTS.flatMap((isOne) => plainest(lists.filter(({ intent }) => isOne(intent))) ?? []);
}

async function askAbout(all: readonly Wrong[], { open, events, send }: Asking): Promise<void> {
  const [wrong] = all;
  if (wrong === undefined) return;
  const { request } = wrong.event.exchange;
  const ask = (options?: Pick<CallOptions, 'connection'>) => send(request, FOLLOW_UP.again, options);
  for (const times of ON_CONNECTIONS) {
    const connection = open.session.api.connect();
    try {
      for (let time = 0; time < times; time += 1) await ask({ connection });
    } finally {
      await connection.close();
    }
  }
  const occasions = occasionsOf(() => ask(), all, { send, open, events });
  for (let time = 0; time < TIMES; time += 1) for (const { meet } of occasions) await meet();
  await withOtherHeaders(async (change) => {
    const changed = change(request);
    if (changed !== undefined) for (let time = 0; time < TIMES; time += 1) await send(changed, FOLLOW_UP.again);
  });
  if (wrong.event.intent.operation !== 'listPets' || wrong.event.intent.credential !== 'valid') return;
  for (const { exchange } of listsOf(events)) await send(exchange.request, FOLLOW_UP.again);
}

const countOf = ({ says }: Occasion, wrong: readonly Wrong[]): number => wrong.filter((one) => one.says.has(says)).length;

/**
 * Investigates a creation: each time for a new animal, after and next to what the broken ones were most often after and next to, and a second time if it is
 * broken again. Few animals may be left to create.
 */
async function askAboutCreation(wrong: readonly Wrong[], { open, events, send, isBroken, isMostly }: Asking): Promise<void> {
  const used = namesIn(events, open);
  const like = wrong.find(({ event }) => nameIn(event, open) !== undefined);
  // What a 201 does not show, a read of the animal does.
  const read = like === undefined || isBroken(like.event.exchange) ? undefined : plainest(events.filter(isAcceptedRead));
  let isBrokenNow = false;
  const create = async (change = (request: WireRequest): WireRequest | undefined => request): Promise<Exchange | undefined> => {
    const another = like === undefined ? undefined : creationLike(like.event, { open, used });
    const request = another === undefined ? undefined : change(another);
    return request === undefined ? undefined : await send(request, FOLLOW_UP.again);
  };
  const ask = async (change?: (request: WireRequest) => WireRequest | undefined): Promise<void> => {
    const exchange = await create(change);
    const id = exchange === undefined ? undefined : eventOf(exchange).pet?.id;
    const shown = read === undefined || id === undefined ? exchange : await send(readLike(read, id), FOLLOW_UP.company);
    isBrokenNow = shown !== undefined && (read === undefined ? isBroken(shown) : isShownOtherwise(shown, exchange));
  };
  const askOtherwise = async (change: (request: WireRequest) => WireRequest | undefined): Promise<void> => {
    // What is sent so already needs no name.
    if (like === undefined || change(like.event.exchange.request) === undefined) return;
    await ask(change);
    if (!isBrokenNow) await ask(change);
  };
  // Where most creations are broken, a header that most have is likelier than what came before.
  if (isMostly) await withOtherHeaders(askOtherwise);
  const occasions = [
    ...occasionsOf(() => ask(), wrong, { send, open, events }),
    {
      says: afterResponse('createPet', CREATED),
      meet: async () => {
        // A read in between would be the request right before.
        if (read !== undefined) await create();
        await ask();
      },
    },
  ];
  let again = MOST_AGAIN;
  for (const { meet } of occasions.toSorted((a, b) => countOf(b, wrong) - countOf(a, wrong))) {
    await meet();
    if (!isBrokenNow || again === 0) continue;
    again -= 1;
    await meet();
  }
  if (!isMostly) await withOtherHeaders(askOtherwise);
}

const isAcceptedRead = (event: Event): boolean => event.intent.operation === 'getPet' && isAccepted(event);

function isShownOtherwise(read: Exchange, creation: Exchange | undefined): boolean {
  const { pet } = eventOf(read);
  const sent = creation === undefined ? undefined : eventOf(creation).intent.sent;
  if (pet === undefined || sent === undefined) return false;
  const told = { status: undefined, ...sent, gaps: [] };
  return FIELDS.some((field) => told[field] !== undefined && !agreeOn(field, told, pet));
}

function readLike({ exchange: { request } }: Event, id: bigint): WireRequest {
  const path = request.path.slice(0, request.path.lastIndexOf('/') + 1);
  return { ...request, path: `${path}${id}`, intent: { ...request.intent, petId: id } };
}

export type FollowUpOptions = {
  readonly open: OpenSession;
  readonly stop: AbortSignal;
  /** Whether the response breaks what the part is about, if the response alone shows that. */
  readonly isBroken: (exchange: Exchange, part: JudgedPart) => boolean;
};

/** Sends follow-up requests for parts whose cases do not show when the clause is broken. Creates only what the write budget allows. */
export async function sendFollowUps(parts: readonly JudgedPart[], { open, stop, isBroken }: FollowUpOptions): Promise<void> {
  const begin = open.elapsed();
  const events = open.history.exchanges.map(eventOf);
  const pauses = parts.map(({ undecided = [] }) => pauseFor(undecided)).filter((length) => length > PAUSE);
  const most = MOST_TIME + TIMES * Math.max(0, ...pauses);
  const isOver = (): boolean => stop.aborted || open.session.outOfTime() || open.elapsed() - begin > most;
  const send: Send = async (what, asker, options = {}) =>
    isOver() ? undefined : await open.again({ request: { ...what, asker } }, options);
  for (const part of questionsIn(parts)) {
    const { undecided: wrong = [] } = part;
    const [first] = wrong;
    if (first === undefined || isOver()) return;
    const { judged, broken } = part.evidence;
    const asking = { open, events, send, isBroken: (exchange: Exchange) => isBroken(exchange, part), isMostly: 2 * broken > judged };
    try {
      if (part.contrast?.ofWholeName === true) await askAboutName(wrong, asking);
      else await (createsNothing(first.event) ? askAbout : askAboutCreation)(wrong, asking);
    } catch (error) {
      // What can't be sent any more stays unknown.
      if (!(error instanceof Halt)) throw error;
    }
  }
}
