import type { ClauseId } from '../../clause/clause.ts';
import type { Departure } from '../../clause/run-record.ts';
import { petView } from '../../schema/pet.ts';
import type { Answer, Exchange, Intent } from '../../wire/exchange.ts';
import { DOCUMENTED, judgeOfForm, PLACES, type Place, unwrap } from './forms.ts';

/**
 * How the service departs from the document in the same way everywhere. A departure is confirmed by the first two responses of a place, and
 * only if neither is as documented; from then on everything that reads responses reads them through it.
 */
export type Dialect = {
  /** Notes the form of a response. */
  note(exchange: Exchange): void;
  /** The exchange, with its response read through what is confirmed at the time of the call. */
  read(exchange: Exchange): Exchange;
  /** Responses to creations that name no animal, once there are two of them: the created animals have to be found another way. */
  nameless(exchange: Exchange): readonly Exchange[];
  /** Sets the id of the animal that the exchange has created. */
  identify(exchange: Exchange, id: bigint): void;
  departures(): readonly Departure[];
};

type Form = { readonly status: number; readonly wrapping: string; readonly around?: ClauseId };
type PlaceState = { first?: { readonly form: Form | 'unread'; readonly exchange: Exchange }; settled: boolean; adopted?: Form };

/** Statuses of the HTTP layer, of rate limits, and of gateways: they say nothing about the credential. */
const BESIDES: readonly number[] = [408, 413, 414, 429, 431];
const CRASHED = 500;

/** 401, or what may stand for it: any other rejection, a redirect to a login, a crash over a missing header. */
const isRejection = (status: number): boolean => status >= 300 && status <= CRASHED && !BESIDES.includes(status);
const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** The place of a response that should be as documented; undefined for any other exchange. */
function placeOf(exchange: Exchange, answer: Answer): Place | undefined {
  const { intent } = exchange.request;
  if (intent.credential === 'refused' && isRejection(answer.status)) return 'unauthorized';
  if (intent.credential !== 'valid' || !isSuccess(answer.status)) return undefined;
  switch (intent.operation) {
    case 'listPets': {
      if (intent.limit === 'open' || intent.status === 'open') return undefined;
      const value = answer.json.ok ? answer.json.value : undefined;
      if (answer.size === 0 || value === null || isEmptyValue(value)) return 'emptyList';
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

/** Whether the list shows one animal as documented. */
const isArrayOfOne = ({ json }: Answer): boolean => json.ok && Array.isArray(json.value) && json.value.length === 1;

function formOf(place: Place, answer: Answer): Form | 'unread' {
  const unwrapped = unwrap(place, answer);
  if (unwrapped === undefined) return 'unread';
  const { wrapping, around } = unwrapped;
  return { status: answer.status, wrapping, ...(around === undefined ? {} : { around }) };
}

const NO_CREDENTIAL = ['accept', 'user-agent', 'traceparent', 'content-type'];

/** Whether at most the credential is wrong with the request. */
function isPlain({ operation, petId, body }: Intent): boolean {
  return operation === 'listPets' || (operation === 'getPet' ? petId !== undefined : body === 'plain');
}

/** Whether the response counts for its place: among lists and rejections, those that the clause of the place judges itself. */
function confirms(place: Place, { request: { intent, headers, query } }: Exchange): boolean {
  if (place === 'list') return intent.limit === 'absent' && intent.status === 'absent';
  if (place === 'unauthorized')
    return query === '' && isPlain(intent) && headers.every(([name]) => NO_CREDENTIAL.includes(name.toLowerCase()));
  return true;
}

const isSame = (one: Form | 'unread', other: Form | 'unread'): boolean =>
  one !== 'unread' && other !== 'unread' && one.status === other.status && one.wrapping === other.wrapping;

function isDocumented(place: Place, form: Form): boolean {
  return form.status === DOCUMENTED[place].status && form.wrapping === 'plain';
}

/** The departures that are read through, one for each clause that judges them. */
function departuresOf(place: Place, { status, wrapping, around }: Form): readonly Departure[] {
  const { what, status: documented, success, record } = DOCUMENTED[place];
  const of = (clause: ClauseId, how: string): Departure => ({ place, clause, description: `${what} ${how}; see ${clause}` });
  const owner = around ?? (wrapping.includes('Location') ? success : record);
  return [
    ...(status === documented ? [] : [of(success, `with status ${status} are read as ${documented}`)]),
    ...(wrapping === 'plain' ? [] : [of(owner, `are read from what stands ${wrapping}`)]),
  ];
}

/** The clause that fails for responses to creations that name no animal. */
function namelessClause(answer: Answer): ClauseId {
  const { status, json, text = '' } = answer;
  const { success, record, status: documented } = DOCUMENTED.created;
  if (status !== documented || text.trim() === '') return success;
  if (!json.ok) return judgeOfForm(answer);
  return json.value === null ? success : record;
}

export function createDialect(): Dialect {
  /**
   * For creations whose responses name no animal: the first such response, once confirmed, and the animals by the number of the request.
   */
  let unnamed: Exchange | undefined;
  const identified = new Map<number, bigint>();
  let departed: Departure | undefined;
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

  return {
    note(exchange) {
      if (exchange.outcome.kind === 'failed') return;
      const { answer } = exchange.outcome;
      const place = placeOf(exchange, answer);
      if (place === 'list' && isArrayOfOne(answer)) states.singleList.settled = true;
      if (place === undefined || states[place].settled || !confirms(place, exchange)) return;
      const state = states[place];
      const form = formOf(place, answer);
      const { first } = state;
      if (first === undefined) {
        state.first = { form, exchange };
        return;
      }
      state.settled = true;
      if (form !== 'unread' && isSame(first.form, form) && !isDocumented(place, form)) state.adopted = form;
      if (place === 'created' && form === 'unread' && first.form === 'unread') unnamed = first.exchange;
    },
    nameless(exchange) {
      if (unnamed === undefined || exchange.outcome.kind === 'failed') return [];
      const { answer } = exchange.outcome;
      if (placeOf(exchange, answer) !== 'created' || formOf('created', answer) !== 'unread') return [];
      return identified.size === 0 ? [unnamed, exchange] : [exchange];
    },
    identify(exchange, id) {
      identified.set(exchange.number, id);
      if (exchange.outcome.kind === 'failed') return;
      const clause = namelessClause(exchange.outcome.answer);
      const description = `${DOCUMENTED.created.what} name no animal, so what they created is found in lists by its name; see ${clause}`;
      departed ??= { place: 'created', clause, description };
    },
    read(exchange) {
      const received = exchange.outcome;
      let translated: Exchange['outcome'] | undefined;
      return {
        ...exchange,
        received,
        get outcome() {
          // What is not confirmed yet may be by the next call.
          if (translated === undefined || translated === received) translated = translate(exchange);
          return translated;
        },
      };
    },
    departures: () => [
      ...PLACES.flatMap((place) => {
        const adopted = adoptedAt(place);
        return adopted === undefined ? [] : departuresOf(place, adopted);
      }),
      ...(departed === undefined ? [] : [departed]),
    ],
  };
}
