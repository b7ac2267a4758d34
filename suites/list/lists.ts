import type { Breach } from '../../src/clause/clause.ts';
import { MORE_TOO_MANY, ONE_TOO_MANY } from '../../src/clause/failure-kind.ts';
import type { Event, Rule, World } from '../../src/oracle/world.ts';
import { asStatus } from '../../src/schema/pet.ts';
import type { ListParameters } from '../../src/session/client/api.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, type Exchange, type HttpResponse, PET_STATUSES, type PetStatus } from '../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../src/wire/json.ts';
import { isOwnedElsewhere } from '../responses.ts';

/** A list request as the document describes it: the API key, valid parameters, and no others. */
export type PlainList = { readonly limit: number | 'absent'; readonly status: PetStatus | 'absent'; readonly response: HttpResponse };

type Judgement = ReturnType<NonNullable<Rule['judge']>>;

/** As `plainList`, but other parameters are allowed: if such a list is accepted, they change neither limit nor status. */
export function listBesideOthers({ request: { intent }, outcome }: Exchange): PlainList | undefined {
  if (intent.operation !== 'listPets' || intent.credential !== 'valid' || outcome.kind === 'failed') return undefined;
  const { limit, status } = intent;
  return limit === 'open' || status === 'open' ? undefined : { limit, status, response: outcome.answer };
}

export function plainList(exchange: Exchange): PlainList | undefined {
  const names = [...new URLSearchParams(exchange.request.query).keys()];
  return names.some((name) => name !== 'limit' && name !== 'status') ? undefined : listBesideOthers(exchange);
}

/** `GET /pets?limit=5&status=sold`. */
export function situationOf({ limit, status }: Pick<PlainList, 'limit' | 'status'>): string {
  const parts = [limit === 'absent' ? '' : `limit=${limit}`, status === 'absent' ? '' : `status=${status}`].filter((part) => part !== '');
  return `GET /pets${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/** Breaches of these kinds have the same reason in lists with one parameter and with both. */
const TOO_LONG = 'more animals than the limit';
const STRANGER = 'an animal with another status';

type Parameters = 'neither' | 'limit' | 'status' | 'both';

function parametersOf({ limit, status }: PlainList): Parameters {
  if (limit === 'absent') return status === 'absent' ? 'neither' : 'status';
  return status === 'absent' ? 'limit' : 'both';
}

/** Documented lists with these parameters return 200. A rejected key, a crash, and a wait say nothing about the parameters. */
export function accepts(parameters: Parameters): (event: Event) => Judgement {
  return ({ exchange }) => {
    const letter = asReceived(exchange);
    const list = plainList(letter);
    if (list === undefined || parametersOf(list) !== parameters) return 'not-applicable';
    const { status } = list.response;
    if (status === 200) return 'holds';
    if (isOwnedElsewhere(list.response)) return 'not-applicable';
    return {
      summary: `${describeRequest(exchange)} returned ${status}; expected 200`,
      expected: ['200 with Pets'],
      received: describeResponse(letter),
    };
  };
}

export function tooLong(list: PlainList, most: number): Breach | undefined {
  const count = (itemsOf(list.response) ?? []).length;
  if (count <= most) return undefined;
  return {
    summary: `${situationOf(list)} returned ${count} animals; expected at most ${most}`,
    expected: [`at most ${most} ${most === 1 ? 'animal' : 'animals'}`],
    received: `${count} animals`,
    failureKinds: [
      { place: '[]', expected: 'at most as many animals as the limit', received: count === most + 1 ? ONE_TOO_MANY : MORE_TOO_MANY },
    ],
    symptom: TOO_LONG,
  };
}

/** The first animal of the list without the requested status, or without any. record.pets judges values that are not a PetStatus. */
export function strangerIn(list: PlainList, expected: PetStatus): Breach | undefined {
  const strangers = (itemsOf(list.response) ?? []).flatMap((item, index) => {
    const status = isJsonObject(item) ? item['status'] : null;
    return status !== expected && (status === undefined || asStatus(status) !== undefined) ? [{ index, status }] : [];
  });
  const [first] = strangers;
  if (first === undefined) return undefined;
  const { index, status } = first;
  const received = status === undefined ? 'no status' : `status ${JSON.stringify(status)}`;
  return {
    summary: `${situationOf(list)} returned an animal with ${received}`,
    expected: [`only animals with status "${expected}"`],
    received: `item ${index} has ${received}`,
    pointer: status === undefined ? `/${index}` : `/${index}/status`,
    failureKinds: [...new Set(strangers.map((one) => (one.status === undefined ? 'missing' : 'another status')))].map((kind) => ({
      ...{ place: '[].status', expected: 'the status asked for', received: kind },
    })),
    symptom: STRANGER,
  };
}

/** Whether more animals (of the status, if there is one) are known than the limit allows, so that a list could exceed it. */
export function holdsBack(
  { limit, status = 'absent' }: { readonly limit: number; readonly status?: PetStatus | 'absent' },
  { known }: World,
): boolean {
  const alike =
    status === 'absent'
      ? known.seen.size
      : known.seen
          .values()
          .filter((pet) => pet.status === status)
          .toArray().length;
  return alike > limit;
}

export const isFilled = ({ pets = [] }: Event): boolean => pets.length > 0;

/** Whether a simpler list request has one of the parameters of this one, with the same value, or none. */
export function isPartOf({ intent: simpler }: Event, { intent: own }: Event): boolean {
  if (simpler.operation !== 'listPets') return false;
  return [simpler.limit, own.limit].includes('absent') || simpler.limit === own.limit
    ? simpler.status === 'absent' || simpler.status === own.status
    : false;
}

/** The lists that show all animals while there are few. */
export const FIRST_LISTS: readonly ListParameters[] = [
  {},
  { limit: 20 },
  { limit: 100 },
  ...PET_STATUSES.map((status) => ({ status, limit: 100 })),
];

/** Two lists that are equal, and two that differ by at most one animal. */
export const TWINS: readonly ListParameters[] = [{}, { limit: 20 }, { limit: 100 }, { limit: 99 }];

export function askWhole(s: Session): Promise<readonly Exchange[]> {
  return s.all([{}, ...PET_STATUSES.map((status) => ({ status }))], (filter) => s.api.list({ ...filter, limit: 100 }));
}

/** The items of a 200 response that is an array, of any type; undefined for any other response. */
export function itemsOf(response: HttpResponse): readonly Json[] | undefined {
  return response.status === 200 && response.json.ok && Array.isArray(response.json.value) ? response.json.value : undefined;
}
