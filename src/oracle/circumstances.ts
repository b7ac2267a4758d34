// What is special about a request and about an animal: by what broken cases may differ from good ones.

import type { Exchange, Operation } from '../wire/exchange.ts';
import { isJsonObject, type Json, readJson } from '../wire/json.ts';
import type { Event } from './event.ts';
import type { World } from './world.ts';

/** Kinds of circumstances. Of two that tell broken cases from good ones equally well, the one of the kind that stands first is named. */
export const CIRCUMSTANCE_KINDS = [
  'body',
  'parameters',
  'headers',
  'connection',
  'response',
  'before',
  'at the same time',
  'time',
  'count',
] as const;
export type CircumstanceKind = (typeof CIRCUMSTANCE_KINDS)[number];

/** A number of which a threshold may matter. `least` and `most` complete "Only …" with the threshold. */
export type Scale = {
  readonly value: number;
  readonly least: (threshold: number) => string;
  readonly most: (threshold: number) => string;
};

/** One way in which a case may differ from others. */
export type Circumstance = {
  readonly kind: CircumstanceKind;
  /** What is looked at: cases have one value of it, or none. */
  readonly of: string;
  /** Its value in words that complete "Only …": "with limit=13". */
  readonly says: string;
  readonly scale?: Scale;
};

type Sayings = Omit<Circumstance, 'kind' | 'of'>;

function circumstance(kind: CircumstanceKind, of: string, says: string | Sayings): Circumstance {
  return typeof says === 'string' ? { kind, of, says } : { kind, of, ...says };
}

const scaled = (says: string, value: number, least: Scale['least'], most: Scale['most']): Sayings => ({
  says,
  scale: { value, least, most },
});

const METHODS: Readonly<Record<Operation, string>> = { listPets: 'GET /pets', createPet: 'POST /pets', getPet: 'GET /pets/{petId}' };

/** Headers that each request has, or that say nothing of what is asked. */
const USUAL_HEADERS: readonly string[] = ['authorization', 'traceparent', 'content-length', 'content-type'];
/** Headers whose values can be shown: others may hold the API key. */
const TELLING_VALUES: readonly string[] = ['accept', 'accept-encoding', 'accept-language', 'cache-control', 'user-agent'];
const LONGEST_VALUE = 60;

const shorten = (text: string): string => (text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`);

function headerText(name: string, value: string | undefined): string {
  if (value === undefined) return `without ${name}`;
  return TELLING_VALUES.includes(name) ? `with \`${name}: ${shorten(value)}\`` : `with the header ${name}`;
}

/** In what form header fields are written, which means nothing. */
function formOfFields(headers: readonly (readonly [name: string, value: string])[]): string {
  const placeOf = (wanted: string): number => headers.findIndex(([name]) => name.toLowerCase() === wanted);
  if (headers.every(([name]) => name === name.toUpperCase())) return 'with header fields in capitals';
  if (headers.every(([, value]) => value !== value.trim())) return 'with white space around the values of header fields';
  const [first, last] = [placeOf('user-agent'), placeOf('authorization')];
  return first > last && last >= 0 ? 'with header fields in another order' : 'with header fields as usual';
}

/** Headers that are sent in another way than usual, and those that tell clients apart and are not sent. */
function headerCircumstances({ request }: Exchange): readonly Circumstance[] {
  const sent = new Map(TELLING_VALUES.map((name): [string, string | undefined] => [name, undefined]));
  for (const [name, value] of request.headers) if (!USUAL_HEADERS.includes(name.toLowerCase())) sent.set(name.toLowerCase(), value);
  return [
    ...[...sent].map(([name, value]) => circumstance('headers', `header ${name}`, headerText(name, value?.trim()))),
    circumstance('headers', 'form of header fields', formOfFields(request.headers)),
  ];
}

/** Headers of a response that tell where it comes from. */
const TELLING_HEADERS: readonly string[] = [
  'server',
  'via',
  'x-cache',
  'cf-cache-status',
  'x-served-by',
  'x-instance',
  'x-backend',
  'x-pod',
];

function responseCircumstances({ answer }: Event): readonly Circumstance[] {
  if (answer === undefined) return [];
  return TELLING_HEADERS.flatMap((name) => {
    const value = answer.headers.find(([other]) => other === name)?.[1];
    return value === undefined ? [] : [circumstance('response', name, `in responses with \`${name}: ${shorten(value)}\``)];
  });
}

function limitOf(limit: Event['intent']['limit']): Sayings {
  if (typeof limit !== 'number') return { says: limit === 'absent' ? 'without a limit' : 'with an invalid limit' };
  return scaled(
    `with limit=${limit}`,
    limit,
    (least) => (least === 100 ? 'with limit=100' : `with a limit of ${least} or more`),
    (most) => (most === 1 ? 'with limit=1' : `with a limit of ${most} or less`),
  );
}

function listCircumstances({ intent, exchange }: Event): readonly Circumstance[] {
  const { limit, status } = intent;
  const names = [...new URLSearchParams(exchange.request.query).keys()];
  const others = names.filter((name) => name !== 'limit' && name !== 'status');
  return [
    circumstance('parameters', 'limit', limitOf(limit)),
    circumstance('parameters', 'limit given', limit === 'absent' ? 'without a limit' : 'with a limit'),
    ...(typeof limit === 'number'
      ? [circumstance('parameters', 'parity of limit', `with an ${limit % 2 === 0 ? 'even' : 'odd'} limit`)]
      : []),
    circumstance(
      'parameters',
      'status',
      status === 'absent' ? 'without a status' : status === 'open' ? 'with an invalid status' : `with status=${status}`,
    ),
    circumstance('parameters', 'status given', status === 'absent' ? 'without a status' : 'with a status'),
    circumstance(
      'parameters',
      'both given',
      limit !== 'absent' && status !== 'absent' ? 'with both a limit and a status' : 'with a limit or a status, or neither',
    ),
    circumstance('parameters', 'order', names.length < 2 ? 'with one parameter or none' : `with ${names.join(' before ')} in the query`),
    circumstance(
      'parameters',
      'encoding',
      exchange.request.query.includes('%') ? 'with percent-encoding in the query' : 'without percent-encoding',
    ),
    ...(others.length === 0 ? [] : [circumstance('parameters', 'others', `with ${others.join(' and ')} in the query`)]),
  ];
}

const LETTERS_AND_SPACE = /^[A-Za-z ]*$/;

/** What is special about a name, if anything is. */
function nameKind(name: string): string {
  if (LETTERS_AND_SPACE.test(name)) return 'with a name of ASCII letters';
  if (/^[\x20-\x7e]*$/.test(name)) return 'with a name that has signs or digits';
  if (/\p{Extended_Pictographic}/u.test(name)) return 'with an emoji in the name';
  if (/[\p{Cc}\p{Cf}]/u.test(name)) return 'with a control or format character in the name';
  return 'with letters beyond ASCII in the name';
}

function nameCircumstances(name: string): readonly Circumstance[] {
  const length = [...name].length;
  const last = name.at(-1) ?? '';
  return [
    circumstance(
      'body',
      'length of name',
      scaled(
        `with a name of ${length} characters`,
        length,
        (least) => `with a name of ${least} characters or more`,
        (most) => `with a name of ${most} characters or less`,
      ),
    ),
    circumstance('body', 'kind of name', nameKind(name)),
    circumstance(
      'body',
      'end of name',
      /[aeiou]/i.test(last) ? 'with a name that ends in a vowel' : 'with a name that does not end in a vowel',
    ),
    circumstance('body', 'spaces of name', name === name.trim() ? 'with no space around the name' : 'with a space around the name'),
    ...[...new Set(name.toLowerCase())]
      .filter((letter) => /[a-z]/.test(letter))
      .map((letter) => circumstance('body', `letter ${letter}`, `with the letter ${letter} in the name`)),
  ];
}

function categoryCircumstances(categoryId: bigint): readonly Circumstance[] {
  return [
    circumstance(
      'body',
      'categoryId',
      scaled(
        `with categoryId ${categoryId}`,
        Number(categoryId),
        (least) => `with a categoryId of ${least} or more`,
        (most) => `with a categoryId of ${most} or less`,
      ),
    ),
    circumstance('body', 'parity of categoryId', `with an ${categoryId % 2n === 0n ? 'even' : 'odd'} categoryId`),
  ];
}

/** What stands in the place of a value, in words. */
function formOf(value: Json | undefined, token: string | undefined): string {
  if (value === undefined) return 'without';
  if (value === null) return 'with null as';
  if (Array.isArray(value)) return 'with an array as';
  if (typeof value === 'object') return 'with an object as';
  if (typeof value === 'boolean') return 'with a boolean as';
  if (typeof value === 'string') return value === '' ? 'with an empty string as' : 'with a string as';
  if (token !== undefined && /e/i.test(token)) return 'with a number in exponent notation as';
  if (token?.includes('.') === true) return 'with a fraction as';
  return 'with an integer as';
}

const FIELDS = ['name', 'categoryId', 'status'] as const;

/** What the fields of a NewPet are in a body, right or wrong. */
function fieldCircumstances(text: string, value: Json): readonly Circumstance[] {
  if (!isJsonObject(value)) return [circumstance('body', 'object', 'with JSON that is not an object')];
  const members = Object.keys(value);
  const others = members.filter((name) => !FIELDS.some((field) => field === name));
  return [
    circumstance('body', 'object', 'with a JSON object'),
    ...FIELDS.map((field) => {
      const own = Object.hasOwn(value, field) ? value[field] : undefined;
      const token = new RegExp(`"${field}"\\s*:\\s*([-+.\\deE]+)`).exec(text)?.[1];
      return circumstance('body', `form of ${field}`, `${formOf(own, token)} ${own === undefined ? `a ${field}` : field}`);
    }),
    ...(members.length < 2
      ? []
      : [circumstance('body', 'first member', `with ${JSON.stringify(members[0])} as the first member of the body`)]),
    circumstance(
      'body',
      'other members',
      others.length === 0 ? 'with no other members' : `with the member ${others.map((one) => JSON.stringify(one)).join(' and ')}`,
    ),
  ];
}

/** What was sent in a creation: as values, and as text. */
function bodyCircumstances({ intent, exchange }: Event): readonly Circumstance[] {
  const { sent, bodyNote, body } = intent;
  const { body: text, divided = false, chunked = false } = exchange.request;
  const reading = typeof text === 'string' ? readJson(text) : undefined;
  return [
    circumstance('body', 'note', bodyNote === undefined ? `with a body that is ${body}` : `with a body ${bodyNote}`),
    ...(sent === undefined
      ? []
      : [
          circumstance('body', 'status', sent.status === undefined ? 'without a status' : `with status "${sent.status}"`),
          circumstance('body', 'status given', sent.status === undefined ? 'without a status' : 'with a status'),
          ...nameCircumstances(sent.name),
          ...categoryCircumstances(sent.categoryId),
        ]),
    ...(typeof text === 'string' && reading?.ok === true ? fieldCircumstances(text, reading.value) : []),
    ...(typeof text !== 'string'
      ? []
      : [
          circumstance('body', 'white space', /^\s|[\n\t]/.test(text) ? 'with white space in the JSON' : 'without white space in the JSON'),
          circumstance('body', 'escapes', text.includes('\\u') ? 'with \\u escapes in the JSON' : 'without \\u escapes in the JSON'),
        ]),
    circumstance('body', 'framing', divided ? 'with a body in two pieces' : chunked ? 'with a chunked body' : 'with a body sent at once'),
  ];
}

function idCircumstances(id: bigint): readonly Circumstance[] {
  return [
    circumstance(
      'parameters',
      'id',
      scaled(
        `of id ${id}`,
        Number(id),
        (least) => `of ids from ${least} on`,
        (most) => `of ids up to ${most}`,
      ),
    ),
    circumstance('parameters', 'parity of id', `of ${id % 2n === 0n ? 'even' : 'odd'} ids`),
  ];
}

/** What is special about an animal: how it was created, by whom, and its id. */
type AnimalFacts = { readonly id: bigint; readonly birth: Event | undefined };

/** Circumstances of a case that is about an animal, whatever response shows it. */
export function animalCircumstances({ id, birth }: AnimalFacts, company: Company): readonly Circumstance[] {
  const created =
    birth === undefined
      ? []
      : [
          ...bodyCircumstances(birth),
          ...headerCircumstances(birth.exchange),
          ...connectionCircumstances(birth, company),
          ...companyCircumstances(birth, company).filter(({ kind }) => kind !== 'count'),
        ];
  return [
    circumstance('body', 'creator', birth === undefined ? 'of animals that were there before' : 'of animals that this run created'),
    ...created.map((one) => ({ ...one, of: `creation: ${one.of}`, says: ofCreation(one.says), ...scaleOfCreation(one) })),
    ...idCircumstances(id),
  ];
}

const ofCreation = (says: string): string => `of animals created ${says}`;

function scaleOfCreation({ scale }: Circumstance): Pick<Circumstance, 'scale'> {
  if (scale === undefined) return {};
  return {
    scale: { ...scale, least: (threshold) => ofCreation(scale.least(threshold)), most: (threshold) => ofCreation(scale.most(threshold)) },
  };
}

/** What happened before and beside each request of a run. */
export type Company = {
  readonly before: ReadonlyMap<number, Event>;
  /** The request right before on the same connection. */
  readonly onConnection: ReadonlyMap<number, Event>;
  readonly underWay: ReadonlyMap<number, number>;
  /** Place among the requests of its operation, from 1. */
  readonly turn: ReadonlyMap<number, number>;
};

/** Seen from its own moment of sending: what had ended last, and what had not ended. */
export function companyOf({ events }: World): Company {
  const bySending = events.toSorted((a, b) => a.sent - b.sent || a.number - b.number);
  const byEnding = events.toSorted((a, b) => a.done - b.done);
  const before = new Map<number, Event>();
  const underWay = new Map<number, number>();
  const turn = new Map<number, number>();
  const turns = new Map<Operation, number>();
  let ended = 0;
  bySending.forEach((event, index) => {
    while (ended < byEnding.length && (byEnding[ended]?.done ?? Number.POSITIVE_INFINITY) <= event.sent) ended += 1;
    const last = byEnding[ended - 1];
    if (last !== undefined) before.set(event.number, last);
    underWay.set(event.number, index - ended);
    const next = (turns.get(event.intent.operation) ?? 0) + 1;
    turns.set(event.intent.operation, next);
    turn.set(event.number, next);
  });
  return { before, onConnection: neighborsOf(events), underWay, turn };
}

/** The requests of each connection in their order: what came right before. */
function neighborsOf(events: readonly Event[]): ReadonlyMap<number, Event> {
  const byConnection = Map.groupBy(
    events.filter(({ answer }) => answer?.connection !== undefined),
    ({ answer }) => answer?.connection?.id,
  );
  const before = new Map<number, Event>();
  for (const all of byConnection.values()) {
    const inTurn = all.toSorted((a, b) => (a.answer?.connection?.turn ?? 0) - (b.answer?.connection?.turn ?? 0));
    inTurn.forEach((event, index) => {
      const last = inTurn[index - 1];
      if (last !== undefined) before.set(event.number, last);
    });
  }
  return before;
}

/** Whether the connection was new, and what else was sent on it. */
function connectionCircumstances({ number, answer }: Event, { onConnection }: Company): readonly Circumstance[] {
  const turn = answer?.connection?.turn;
  if (turn === undefined) return [];
  const last = onConnection.get(number);
  return [
    circumstance('connection', 'connection', turn === 1 ? 'on a new connection' : 'on a connection that was used before'),
    ...(last === undefined
      ? []
      : [
          circumstance('connection', 'last on the connection', `on a connection that has just returned ${last.status ?? 'nothing'}`),
          circumstance(
            'connection',
            'credential on the connection',
            `on a connection that was used with ${last.intent.credentialNote} before`,
          ),
          circumstance(
            'connection',
            'operation on the connection',
            `on a connection on which ${METHODS[last.intent.operation]} has just returned ${last.status ?? 'nothing'}`,
          ),
        ]),
    circumstance(
      'connection',
      'turn on the connection',
      scaled(
        `in request ${turn} of its connection`,
        turn,
        (least) => (least === 2 ? 'on a connection that was used before' : `from request ${least} of its connection on`),
        (most) => (most === 1 ? 'on a new connection' : `in the first ${most} requests of its connection`),
      ),
    ),
  ];
}

const IDLE = 50;

function companyCircumstances(event: Event, { before, underWay, turn }: Company): readonly Circumstance[] {
  const last = before.get(event.number);
  const others = underWay.get(event.number) ?? 0;
  const idle = last === undefined || others > 0 ? 0 : event.sent - last.done;
  const nth = turn.get(event.number) ?? 0;
  const at = event.sent;
  return [
    ...(last === undefined
      ? []
      : [
          circumstance('before', 'operation before', `right after ${METHODS[last.intent.operation]}`),
          circumstance('before', 'status before', `right after a ${last.status ?? 'failed'} response`),
          circumstance('before', 'response before', `right after ${METHODS[last.intent.operation]} returned ${last.status ?? 'nothing'}`),
        ]),
    circumstance('at the same time', 'under way', others === 0 ? 'with no other request under way' : 'while another request is under way'),
    circumstance(
      'at the same time',
      'how many under way',
      scaled(
        `with ${others} others under way`,
        others,
        (least) => `with ${least} or more other requests under way`,
        (most) => `with ${most} or fewer other requests under way`,
      ),
    ),
    circumstance(
      'time',
      'idle',
      scaled(
        idle < IDLE ? 'without a pause before' : `after ${(idle / 1_000).toFixed(1)} s without any request`,
        idle,
        (least) => `after ${(least / 1_000).toFixed(2)} s or more without any request`,
        (most) => `within ${(most / 1_000).toFixed(2)} s of the request before`,
      ),
    ),
    circumstance(
      'time',
      'since the start',
      scaled(
        `${(at / 1_000).toFixed(1)} s after the start`,
        at,
        (least) => `from ${(least / 1_000).toFixed(1)} s after the start on`,
        (most) => `within ${(most / 1_000).toFixed(1)} s of the start`,
      ),
    ),
    circumstance(
      'count',
      'turn',
      scaled(
        `in request ${nth} of its kind`,
        nth,
        (least) => `from request ${least} of its kind on`,
        (most) => `in the first ${most} requests of its kind`,
      ),
    ),
  ];
}

const LEAST_LONG = 2;

/** What is sent in place of the API key. */
function credentialCircumstances({ intent, exchange }: Event): readonly Circumstance[] {
  const { credential, credentialNote } = intent;
  const value = exchange.request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  const [, token = ''] = value?.trim().split(/\s+/) ?? [];
  return [
    circumstance('parameters', 'credential', `with ${credentialNote}`),
    ...(credential === 'valid'
      ? []
      : [
          circumstance(
            'parameters',
            'authorization',
            value === undefined ? 'without an Authorization header' : 'with an Authorization header',
          ),
          ...(token.length < LEAST_LONG
            ? []
            : [
                circumstance(
                  'parameters',
                  'length of token',
                  scaled(
                    `with a token of ${token.length} characters`,
                    token.length,
                    (least) => `with a token of ${least} characters or more`,
                    (most) => `with a token of ${most} characters or less`,
                  ),
                ),
              ]),
        ]),
  ];
}

/** All circumstances of an exchange. */
export function eventCircumstances(event: Event, company: Company): readonly Circumstance[] {
  const { intent, exchange } = event;
  const own =
    intent.operation === 'listPets'
      ? listCircumstances(event)
      : intent.operation === 'createPet'
        ? bodyCircumstances(event)
        : intent.petId === undefined
          ? []
          : idCircumstances(intent.petId);
  return [
    circumstance('parameters', 'operation', `in ${METHODS[intent.operation]}`),
    ...credentialCircumstances(event),
    ...own,
    ...headerCircumstances(exchange),
    ...connectionCircumstances(event, company),
    ...responseCircumstances(event),
    ...companyCircumstances(event, company),
  ];
}
