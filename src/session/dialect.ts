import type { ClauseId } from '../clause/clause.ts';
import type { Departure } from '../clause/run-record.ts';
import { petView } from '../schema/pet.ts';
import { isInt64 } from '../schema/validators.ts';
import { type Exchange, type HttpResponse, type Intent, isSuccess, type WireRequest } from '../wire/exchange.ts';
import { isJsonObject, type Json, readJson } from '../wire/json.ts';
import { HTTP_LAYER_STATUSES } from '../wire/statuses.ts';

/**
 * How the service departs from the document in the same way everywhere. A departure is confirmed by the first two responses of a place, and
 * only if neither is as documented; from then on everything that reads responses reads them through it.
 */
export type Dialect = {
  note(exchange: Exchange): void;
  /** The exchange, with its response read through what is confirmed at the time of the call. */
  read(exchange: Exchange): Exchange;
  /** Responses to creations that name no animal, once there are two of them: the created animals have to be found another way. */
  nameless(exchange: Exchange): readonly Exchange[];
  identify(exchange: Exchange, id: bigint): void;
  departures(): readonly Departure[];
};

type Form = { readonly status: number; readonly wrapping: string; readonly around?: ClauseId };
type PlaceState = {
  first?: { readonly form: Form | 'unread'; readonly exchange: Exchange };
  settled: boolean;
  /** The form that a second exchange has confirmed, and the one of the two with fewer parameters. */
  adopted?: Form;
  simplest?: Exchange;
};

const CRASHED = 500;

/** 401, or what may stand for it: any other rejection, a redirect to a login, a crash over a missing header. */
const isRejection = (status: number): boolean => status >= 300 && status <= CRASHED && !HTTP_LAYER_STATUSES.includes(status);

/** The place of a response that should be as documented; undefined for any other exchange. */
function placeOf(exchange: Exchange, response: HttpResponse): Place | undefined {
  const { intent } = exchange.request;
  if (intent.credential === 'refused' && isRejection(response.status)) return 'unauthorized';
  if (intent.credential !== 'valid' || !isSuccess(response.status)) return undefined;
  switch (intent.operation) {
    case 'listPets': {
      if (intent.limit === 'open' || intent.status === 'open') return undefined;
      const value = response.json.ok ? response.json.value : undefined;
      if (response.size === 0 || value === null || isEmptyValue(value)) return 'emptyList';
      return value !== undefined && petView(value) !== undefined ? 'singleList' : 'list';
    }
    case 'getPet':
      return 'read';
    case 'createPet':
      return intent.body === 'invalid' ? undefined : 'created';
    default:
      return intent.operation satisfies never;
  }
}

const isEmptyValue = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const isArrayOfOne = ({ json }: HttpResponse): boolean => json.ok && Array.isArray(json.value) && json.value.length === 1;

function formOf(place: Place, response: HttpResponse): Form | 'unread' {
  const unwrapped = unwrap(place, response);
  if (unwrapped === undefined) return 'unread';
  const { wrapping, around } = unwrapped;
  return { status: response.status, wrapping, ...(around === undefined ? {} : { around }) };
}

const WITHOUT_CREDENTIAL = ['accept', 'user-agent', 'traceparent', 'content-type'];

/** Whether at most the credential is wrong with the request. */
function isPlain({ operation, petId, body }: Intent): boolean {
  return operation === 'listPets' || (operation === 'getPet' ? petId !== undefined : body === 'plain');
}

/** Whether the response counts for its place: among lists and rejections, those that the clause of the place judges itself. */
function confirms(place: Place, { request: { intent, headers, query } }: Exchange): boolean {
  if (place === 'list') return intent.limit === 'absent' && intent.status === 'absent';
  if (place === 'unauthorized')
    return query === '' && isPlain(intent) && headers.every(([name]) => WITHOUT_CREDENTIAL.includes(name.toLowerCase()));
  return true;
}

const isSame = (one: Form | 'unread', other: Form | 'unread'): boolean =>
  one !== 'unread' && other !== 'unread' && one.status === other.status && one.wrapping === other.wrapping;

function isDocumented(place: Place, form: Form): boolean {
  return form.status === DOCUMENTED[place].status && form.wrapping === 'plain';
}

function acceptingClause({ limit, status }: Intent): ClauseId {
  if (limit === 'absent') return status === 'absent' ? DOCUMENTED.list.success : 'list.status-accepted';
  return status === 'absent' ? 'list.limit-accepted' : 'list.filter-with-limit';
}

const parametersIn = ({ request: { intent } }: Exchange): number => Number(intent.limit !== 'absent') + Number(intent.status !== 'absent');

function departuresOf(place: Place, { status, wrapping, around }: Form, { intent }: WireRequest): readonly Departure[] {
  const { what, status: documented, record } = DOCUMENTED[place];
  const success = intent.operation === 'listPets' && place !== 'unauthorized' ? acceptingClause(intent) : DOCUMENTED[place].success;
  const of = (clause: ClauseId, how: string): Departure => ({ place, clause, description: `${what} ${how}; see ${clause}` });
  const owner = around ?? (wrapping.includes('Location') ? success : record);
  return [
    ...(status === documented ? [] : [of(success, `with status ${status} are read as ${documented}`)]),
    ...(wrapping === 'plain' ? [] : [of(owner, `are read from what stands ${wrapping}`)]),
  ];
}

function namelessClause(response: HttpResponse): ClauseId {
  const { status, json, text = '' } = response;
  const { success, record, status: documented } = DOCUMENTED.created;
  if (status !== documented || text.trim() === '') return success;
  if (!json.ok) return judgeOfForm(response);
  return json.value === null ? success : record;
}

const READING = Symbol('reading');
type Reading = { readonly exchange: Exchange; translated: Exchange['outcome']; at: number };

export function createDialect(): Dialect {
  /**
   * For creations whose responses name no animal: the first such response, once confirmed, and the animals by the number of the request.
   */
  let unnamed: Exchange | undefined;
  const identified = new Map<number, bigint>();
  let departed: Departure | undefined;
  let learned = 0;
  /** Whether a request with the API key was served since the first rejection. */
  let isServed = false;
  const states: Record<Place, PlaceState> = {
    list: { settled: false },
    singleList: { settled: false },
    emptyList: { settled: false },
    read: { settled: false },
    created: { settled: false },
    unauthorized: { settled: false },
  };

  /** The form that a place is read through. An animal instead of a list is a list of one only if the service has lists. */
  function adoptedAt(place: Place): Form | undefined {
    const listed = states.list.first !== undefined && states.list.first.form !== 'unread';
    return place === 'singleList' && !listed ? undefined : states[place].adopted;
  }

  const isDeparted = (): boolean => departed !== undefined || PLACES.some((place) => states[place].adopted !== undefined);

  function translate(exchange: Exchange): Exchange['outcome'] {
    const { outcome } = exchange;
    if (outcome.kind === 'failed' || !isDeparted()) return outcome;
    const place = placeOf(exchange, outcome.answer);
    if (place === 'created' && departed !== undefined && formOf(place, outcome.answer) === 'unread') {
      const id = identified.get(exchange.number);
      const json = id === undefined ? outcome.answer.json : { ok: true as const, value: { id } };
      return { kind: 'answered', answer: { ...outcome.answer, status: DOCUMENTED.created.status, json } };
    }
    const adopted = place === undefined ? undefined : adoptedAt(place);
    if (place === undefined || adopted === undefined || !isSame(formOf(place, outcome.answer), adopted)) return outcome;
    const { value = null } = unwrap(place, outcome.answer) ?? {};
    const json = place === 'unauthorized' ? outcome.answer.json : { ok: true as const, value };
    return { kind: 'answered', answer: { ...outcome.answer, status: DOCUMENTED[place].status, json } };
  }

  /** One getter for all exchanges: with one of its own, each would be an object of a shape of its own, and slow to read. */
  function outcomeOfRead(this: { readonly [READING]: Reading }): Exchange['outcome'] {
    const reading = this[READING];
    // What is not confirmed yet may be once more is learned.
    if (reading.at !== learned && reading.translated === reading.exchange.outcome) {
      reading.translated = translate(reading.exchange);
      reading.at = learned;
    }
    return reading.translated;
  }

  return {
    note(exchange) {
      if (exchange.outcome.kind === 'failed') return;
      const { answer: response } = exchange.outcome;
      if (exchange.request.intent.credential === 'valid' && response.status < CRASHED) isServed = true;
      const place = placeOf(exchange, response);
      if (place === 'list' && isArrayOfOne(response)) states.singleList.settled = true;
      if (place === undefined || states[place].settled || !confirms(place, exchange)) return;
      const state = states[place];
      const form = formOf(place, response);
      const { first } = state;
      // A crash is a rejection only if requests with the key are served in between: otherwise the service is down.
      const hasCrashed = first !== undefined && (first.form === 'unread' || first.form.status >= CRASHED);
      const isDown = place === 'unauthorized' && response.status >= CRASHED && hasCrashed && !isServed;
      learned += 1;
      if (first === undefined || isDown) {
        state.first = { form, exchange };
        if (place === 'unauthorized') isServed = false;
        return;
      }
      state.settled = true;
      state.simplest = parametersIn(exchange) < parametersIn(first.exchange) ? exchange : first.exchange;
      if (form !== 'unread' && isSame(first.form, form) && !isDocumented(place, form)) state.adopted = form;
      if (place === 'created' && form === 'unread' && first.form === 'unread') unnamed = first.exchange;
    },
    nameless(exchange) {
      if (unnamed === undefined || exchange.outcome.kind === 'failed') return [];
      const { answer: response } = exchange.outcome;
      if (placeOf(exchange, response) !== 'created' || formOf('created', response) !== 'unread') return [];
      return identified.size === 0 ? [unnamed, exchange] : [exchange];
    },
    identify(exchange, id) {
      identified.set(exchange.number, id);
      learned += 1;
      if (exchange.outcome.kind === 'failed') return;
      const clause = namelessClause(exchange.outcome.answer);
      const description = `${DOCUMENTED.created.what} name no animal, so what they created is found in lists by its name; see ${clause}`;
      departed ??= { place: 'created', clause, description };
    },
    read(exchange) {
      const { outcome: received, ...rest } = exchange;
      const read = { ...rest, received };
      Object.defineProperty(read, READING, { value: { exchange, translated: received, at: -1 } satisfies Reading });
      return Object.defineProperty(read, 'outcome', { get: outcomeOfRead, enumerable: true, configurable: true }) as Exchange;
    },
    departures: () => [
      ...PLACES.flatMap((place) => {
        const adopted = adoptedAt(place);
        const { simplest } = states[place];
        return adopted === undefined || simplest === undefined ? [] : departuresOf(place, adopted, simplest.request);
      }),
      ...(departed === undefined ? [] : [departed]),
    ],
  };
}

/**
 * The places to which the document assigns one form of response: a list, one of a single animal or of none, a read animal, a created one, a
 * rejected credential.
 */
const PLACES = ['list', 'singleList', 'emptyList', 'read', 'created', 'unauthorized'] as const;
type Place = (typeof PLACES)[number];

export type Documented = { readonly status: number; readonly success: ClauseId; readonly record: ClauseId; readonly what: string };

const DOCUMENTED: Readonly<Record<Place, Documented>> = {
  list: { status: 200, success: 'list.success', record: 'record.pets', what: 'lists' },
  singleList: { status: 200, success: 'list.success', record: 'record.pets', what: 'lists of one animal' },
  emptyList: { status: 200, success: 'list.success', record: 'record.pets', what: 'lists without animals' },
  read: { status: 200, success: 'get.success', record: 'record.pet', what: 'responses to GET /pets/{petId}' },
  unauthorized: { status: 401, success: 'auth.missing-credential', record: 'errors.shape', what: 'rejections of credentials' },
  created: { status: 201, success: 'create.success', record: 'record.pet', what: 'responses to POST /pets' },
};

/** The value inside a body, how it is wrapped (`plain` if it is not), and the clause that judges what is around it. */
export type Unwrapped = { readonly wrapping: string; readonly value: Json; readonly around?: ClauseId };

const isListOfRecords = (value: Json): boolean => Array.isArray(value) && value.every((item) => isJsonObject(item));

/** The animal whose other fields are in a member next to its id. */
function attributesIn(item: Json): Unwrapped | undefined {
  if (!isJsonObject(item) || item['id'] === undefined) return undefined;
  const { id } = item;
  const [found, second] = Object.entries(item).flatMap(([name, member]) => {
    const value = isJsonObject(member) ? { ...member, id } : undefined;
    return value === undefined || petView(value) === undefined ? [] : [{ name, value }];
  });
  return found === undefined || second !== undefined ? undefined : { wrapping: `in the member "${found.name}"`, value: found.value };
}

/** The animals of an array that wraps each of them, or all of them, in something else. */
function unwrapItems(items: readonly Json[]): Unwrapped {
  const plain = { wrapping: 'plain', value: items as Json[] };
  if (items.length === 0) return plain;
  if (items.every((item) => Array.isArray(item) && isListOfRecords(item)))
    return { wrapping: 'in an array within the array', value: items.flatMap((item) => (Array.isArray(item) ? item : [])) };
  const unwrapped = items.map((item) => (petView(item) === undefined ? (petIn(item) ?? attributesIn(item)) : undefined));
  const [first] = unwrapped;
  const values = unwrapped.flatMap((one) => (one === undefined || one.wrapping !== first?.wrapping ? [] : [one.value]));
  return first === undefined || values.length < items.length ? plain : { wrapping: `${first.wrapping} of each item`, value: values };
}

function textIn(value: Json): Json | undefined {
  const read = typeof value === 'string' ? readJson(value) : undefined;
  return read?.ok === true && typeof read.value !== 'string' ? read.value : undefined;
}

/** The only member, at most one level deep, that holds an array of records. */
function listIn(value: Json): Unwrapped | undefined {
  const text = textIn(value);
  if (Array.isArray(text)) return { wrapping: 'in a JSON string', value: text };
  if (!isJsonObject(value)) return undefined;
  const keyed = Object.values(value);
  if (keyed.length > 0 && keyed.every((member) => petView(member) !== undefined))
    return { wrapping: 'in an object of animals', value: keyed };
  const members = Object.entries(value);
  const own = members.filter(([, member]) => isListOfRecords(member)).map(([name, member]) => ({ name, member }));
  const nested = members.flatMap(([outer, object]) =>
    isJsonObject(object)
      ? Object.entries(object)
          .filter(([, member]) => isListOfRecords(member))
          .map(([name, member]) => ({ name: `${outer}.${name}`, member }))
      : [],
  );
  const [found, second] = own.length > 0 ? own : nested;
  return found === undefined || second !== undefined ? undefined : { wrapping: `in the member "${found.name}"`, value: found.member };
}

/** The animal that is the body, its only record, or its only item. */
function petIn(value: Json): Unwrapped | undefined {
  if (petView(value) !== undefined) return { wrapping: 'plain', value };
  if (Array.isArray(value)) {
    const [only] = value;
    return value.length === 1 && only !== undefined && petView(only) !== undefined
      ? { wrapping: 'in an array of one', value: only }
      : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const [found, second] = Object.entries(value).filter(([, member]) => petView(member) !== undefined);
  if (found === undefined) return attributesIn(value);
  return second !== undefined ? undefined : { wrapping: `in the member "${found[0]}"`, value: found[1] };
}

const ID_AT_THE_END = /\/(-?\d{1,19})\/?$/;

function locatedIn({ headers, text }: HttpResponse): Unwrapped | undefined {
  const location = headers.find(([name]) => name === 'location')?.[1];
  const digits = (text ?? '').trim() === '' ? ID_AT_THE_END.exec(location ?? '')?.[1] : undefined;
  if (digits === undefined || !isInt64(BigInt(digits))) return undefined;
  return { wrapping: 'in the Location header', value: { id: BigInt(digits) } };
}

/** Only an id says what was created. */
function idIn(value: Json): Unwrapped | undefined {
  return isJsonObject(value) && isInt64(value['id']) ? { wrapping: 'plain', value } : undefined;
}

function salvaged(response: HttpResponse): HttpResponse | undefined {
  const value = response.json.ok ? undefined : salvage(response.text);
  return value === undefined ? undefined : { ...response, json: { ok: true, value } };
}

/** The clause that judges a body that is not JSON: it depends on whether the body is declared as JSON. */
function judgeOfForm({ headers }: HttpResponse): ClauseId {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? 'json';
  return /json/i.test(type) ? 'media.well-formed' : 'media.json';
}

/** The value in a 2xx of that place, however it is wrapped; undefined if nothing can be read from it. */
function unwrap(place: Place, response: HttpResponse): Unwrapped | undefined {
  const readable = place === 'unauthorized' ? undefined : salvaged(response);
  if (readable === undefined) return unwrapStrict(place, response);
  const unwrapped = unwrapStrict(place, readable);
  const wrapping = 'in a body that is not strict JSON';
  return unwrapped?.wrapping === 'plain' ? { ...unwrapped, wrapping, around: judgeOfForm(response) } : undefined;
}

function unwrapStrict(place: Place, response: HttpResponse): Unwrapped | undefined {
  const { json } = response;
  switch (place) {
    case 'list':
      if (!json.ok) return undefined;
      return Array.isArray(json.value) ? unwrapItems(json.value) : listIn(json.value);
    case 'singleList':
      if (!json.ok) return undefined;
      return Array.isArray(json.value) ? { wrapping: 'plain', value: json.value } : { wrapping: 'without an array', value: [json.value] };
    case 'emptyList':
      if (json.ok && Array.isArray(json.value)) return { wrapping: 'plain', value: json.value };
      return {
        wrapping:
          response.size === 0 ? 'in a response without a body' : `as ${json.ok && isJsonObject(json.value) ? 'an empty object' : 'null'}`,
        value: [],
      };
    case 'read':
      return json.ok ? petIn(json.value) : undefined;
    case 'unauthorized':
      // A rejection is one by its status; its body is read as is.
      return { wrapping: 'plain', value: json.ok ? json.value : null };
    case 'created':
      return (json.ok ? (petIn(json.value) ?? idIn(json.value)) : undefined) ?? locatedIn(response);
    default:
      return place satisfies never;
  }
}

const TRAILING_COMMA = /,(?=\s*[}\]])/g;
const NOT_A_NUMBER = /(?<=[:,[]\s*)-?(?:NaN|Infinity)\b/g;
const PYTHON: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
const OF_PYTHON = /(?<=[:,[]\s*)(?:None|True|False)\b/g;
const LINE_COMMENT = /^\s*\/\/.*$/gm;
const BLOCK_COMMENT = /\/\*.*?\*\//gs;

/** From the first opening bracket to the last closing one: what surrounds it (a byte order mark, a prefix, a warning) is left out. */
function inBrackets(text: string): string | undefined {
  const begin = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf(']'), text.lastIndexOf('}'));
  return begin === -1 || end < begin ? undefined : text.slice(begin, end + 1);
}

function inLines(text: string): string {
  return `[${text.trim().split('\n').join(',')}]`;
}

function undoubled(text: string): string {
  const half = text.slice(0, text.length / 2);
  return text === half + half ? half : text;
}

/** The value in a body that is JSON except for something that a strict reader rejects; undefined if there is none. */
export function salvage(text: string | undefined): Json | undefined {
  const whole = text === undefined ? undefined : inBrackets(text);
  if (whole === undefined) return undefined;
  const plain = whole.replace(BLOCK_COMMENT, '').replace(LINE_COMMENT, '').replace(TRAILING_COMMA, '').replace(NOT_A_NUMBER, 'null');
  const quoted = whole.includes('"') ? whole : whole.replaceAll("'", '"');
  const python = plain.replace(OF_PYTHON, (literal) => PYTHON[literal] ?? literal);
  for (const candidate of new Set([whole, plain, python, quoted, undoubled(whole), inLines(whole)])) {
    const read = readJson(candidate);
    if (read.ok) return read.value;
  }
  return undefined;
}
