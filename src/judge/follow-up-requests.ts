// If a run does not show when a clause is broken, requests with a wrong response are repeated: after other requests, together with them, and after a pause;
// and parts of a wrong name are sent.
import { Halt } from '../clause/halt.ts';
import { BESIDE } from '../oracle/contrast/company.ts';
import { FOLLOW_UP } from '../oracle/contrast/follow-up-evidence.ts';
import { METHODS } from '../oracle/contrast/of-request.ts';
import type { JudgedPart, Wrong } from '../oracle/oracle.ts';
import { type Event, eventOf } from '../oracle/world.ts';
import type { CallOptions } from '../session/client/api.ts';
import type { OpenSession } from '../session/open-session.ts';
import { isCrash } from '../session/read-exchange.ts';
import { type Exchange, PET_STATUSES } from '../wire/exchange.ts';
import { askAboutName } from './name-questions.ts';
import { type Asking, creationLike, nameIn, namesIn, plainest, type Send } from './similar-requests.ts';

/** The number of different kinds of requests that are investigated in a run. */
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
/** The maximum number of broken creations that are repeated once more. */
const MOST_AGAIN = 2;

const REJECTED = 400;

const isUnauthorized = ({ intent, status }: Event): boolean => intent.credential === 'refused' && status === 401;

const isAccepted = ({ intent, status }: Event): boolean => intent.credential === 'valid' && (status === 200 || status === 201);

/** The kinds of requests after which another one may be broken, as predicates on the events of a run. */
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
    status === REJECTED &&
    (request.body?.length ?? 0) > 1
  );
}

/** Whether repeating it creates nothing: it reads, or it was rejected and must be. A crash may have created something. */
function createsNothing({ intent, exchange, status = 0 }: Event): boolean {
  const isRejected = status >= REJECTED && !isCrash(status);
  return exchange.request.method === 'GET' || (isRejected && (intent.body === 'invalid' || intent.credential === 'refused'));
}

/** The kind of a request for a reader: of two clauses that the same requests break, only one is investigated. */
function kindOf(event: Event): string {
  const { operation, credential, body } = event.intent;
  return `${operation} ${credential} ${body} ${createsNothing(event)}`;
}

/** The parts to investigate: the first of those whose requests are of one kind. */
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
type Company = {
  /** In words that complete "Only …", like those of a circumstance. */
  readonly says: string;
  readonly meet: () => Promise<void>;
};

type InCompany = Pick<Asking, 'send' | 'open' | 'events'>;

/** As long a pause as before the first wrong response. */
function pauseFor([wrong]: readonly Wrong[]): number {
  const idle = wrong?.idle ?? 0;
  return idle <= PAUSE ? PAUSE : Math.min(LONGEST_PAUSE, Math.ceil(idle * MORE));
}

function companiesOf(ask: () => Promise<unknown>, wrong: readonly Wrong[], { send, open, events }: InCompany): readonly Company[] {
  const held = plainest(events.filter(isRejectedBody));
  const after = KINDS.flatMap((isOne) => plainest(events.filter(isOne)) ?? []).map(
    ({ exchange, intent, status }): Company => ({
      says: `right after ${METHODS[intent.operation]} returned ${status}`,
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

/** Lists with parameters of each kind, as the run has sent them. */
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

/** A list of each kind that the run has sent and that was accepted. */
function listsOf(events: readonly Event[]): readonly Event[] {
  const lists = events.filter((event) => event.intent.operation === 'listPets' && isAccepted(event));
  return LISTS.flatMap((isOne) => plainest(lists.filter(({ intent }) => isOne(intent))) ?? []);
}

/** Investigates a response whose request creates nothing. */
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
  const companies = companiesOf(() => ask(), all, { send, open, events });
  for (let time = 0; time < TIMES; time += 1) for (const { meet } of companies) await meet();
  if (wrong.event.intent.operation !== 'listPets' || wrong.event.intent.credential !== 'valid') return;
  for (const { exchange } of listsOf(events)) await send(exchange.request, FOLLOW_UP.again);
}

/** The number of broken responses that had this company: the same request before, or others in flight. */
const countOf = ({ says }: Company, wrong: readonly Wrong[]): number => wrong.filter((one) => one.says.has(says)).length;

/**
 * Investigates a creation: each time for a new animal, first in the company of the broken ones, and a second time if it is broken again.
 * Few animals may be left to create.
 */
async function askAboutCreation(wrong: readonly Wrong[], { open, events, send, isBroken }: Asking): Promise<void> {
  const used = namesIn(events, open);
  const like = wrong.find(({ event }) => nameIn(event, open) !== undefined);
  let isBrokenNow = false;
  const ask = async (): Promise<void> => {
    const request = like === undefined ? undefined : creationLike(like.event, { open, used });
    const exchange = request === undefined ? undefined : await send(request, FOLLOW_UP.again);
    isBrokenNow = exchange !== undefined && isBroken(exchange);
  };
  const companies = [...companiesOf(ask, wrong, { send, open, events }), { says: 'right after POST /pets returned 201', meet: ask }];
  let again = MOST_AGAIN;
  for (const { meet } of companies.toSorted((a, b) => countOf(b, wrong) - countOf(a, wrong))) {
    await meet();
    if (!isBrokenNow || again === 0) continue;
    again -= 1;
    await meet();
  }
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
    const asking = { open, events, send, isBroken: (exchange: Exchange) => isBroken(exchange, part) };
    try {
      if (part.contrast?.ofWholeName === true) await askAboutName(wrong, asking);
      else await (createsNothing(first.event) ? askAbout : askAboutCreation)(wrong, asking);
    } catch (error) {
      // What can't be sent any more stays unknown.
      if (!(error instanceof Halt)) throw error;
    }
  }
}
