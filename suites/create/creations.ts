// How the clauses of creations read one: what was sent, what the response shows, and whether a plain one succeeds.

import type { Breach } from '../../src/clause/clause.ts';
import { viewOf } from '../../src/oracle/view.ts';
import type { Case, Event, World } from '../../src/oracle/world.ts';
import { asStatus, type Field, type NewPetInput, type PetView } from '../../src/schema/pet.ts';
import { describeResponse, statusOf } from '../../src/session/read-exchange.ts';
import type { Creation, Session } from '../../src/session/session.ts';
import { isTooLarge } from '../../src/session/state/creation-limits.ts';
import { type Exchange, isSuccess } from '../../src/wire/exchange.ts';
import { isJsonObject, readJson } from '../../src/wire/json.ts';
import { oncePerObject } from '../../src/wire/once.ts';
import { cleanText } from '../../src/wire/redact.ts';
import { CREATED } from '../../src/wire/statuses.ts';
import { isOwnedElsewhere, NO_BODY } from '../responses.ts';

const LENGTH_REQUIRED = 411;

/** What a NewPet says, of a creation with the API key whose body is a plain one, however it is spelled. */
export function plainIn({ exchange, intent }: Event): NewPetInput | undefined {
  if (intent.operation !== 'createPet' || intent.credential !== 'valid') return undefined;
  // It is open whether a service takes chunks; if it does, the NewPet in them is as plain as any other.
  if (intent.body !== 'plain' && !(intent.body === 'open' && exchange.request.chunked === true && intent.limited === undefined))
    return undefined;
  return intent.sent ?? sentIn(exchange);
}

/** The kind of failure of a 201 that shows another value than was sent. */
export const otherValue = (field: Field) => ({ place: field, expected: 'the value sent', received: 'another value' });

/** What is wrong where the response is not 201 with a Pet. record.pet judges everything else about the Pet. */
export function notCreated({ exchange, response, status }: Event, situation: string): Breach | undefined {
  const expected: Breach['expected'] = ['201 with the created Pet'];
  const received = describeResponse(exchange);
  if (status !== CREATED) return { summary: `${situation} returned ${status}; expected 201`, expected, received };
  const isEmpty = response?.size === 0 || response?.text?.trim() === '' || (response?.json.ok === true && response.json.value === null);
  return isEmpty
    ? { summary: `${situation} returned 201 without the created Pet`, expected, received, failureKinds: [NO_BODY] }
    : undefined;
}

/** A creation is read as one where its success is worded otherwise. */
const isCreated = ({ status, pet }: Event): boolean => status === CREATED || pet !== undefined;

type Owner = 'create.success' | 'create.status-values' | 'create.status-optional';

/**
 * The clause of a plain NewPet that was not created: its status makes the difference where others were created and none with that status. Where some
 * without a status are rejected and none with one, as the suite spells both, it is what precedes them.
 */
function ownerOf({ status }: NewPetInput, { events }: World): Owner {
  const all = events.flatMap((one) => {
    const sent = plainIn(one);
    if (sent === undefined || one.response === undefined || isOwnedElsewhere(one.response)) return [];
    // A success that is worded otherwise has accepted the status as well.
    const isMade = isCreated(one) || isSuccess(one.status);
    return [{ isAlike: sent.status === status, isMade, isUsual: one.intent.sent !== undefined }];
  });
  const isNowAndThen = all.some(({ isAlike, isMade }) => isAlike && isMade);
  const rejected = all.filter(({ isMade, isUsual }) => isUsual && !isMade);
  const isOfStatus = isNowAndThen
    ? status === undefined && rejected.length > 1 && rejected.every(({ isAlike }) => isAlike)
    : all.some(({ isMade }) => isMade);
  if (!isOfStatus) return 'create.success';
  return status === undefined ? 'create.status-optional' : 'create.status-values';
}

const describe = ({ intent: { bodyNote } }: Event, { status }: NewPetInput): string =>
  bodyNote ?? (status === undefined ? 'without a status' : `with status "${status}"`);

/** Every plain NewPet sent with the API key is created, as far as the clause is the one that says so. */
export function judgePlain(clause: Owner, event: Event, world: World): 'not-applicable' | 'holds' | Breach {
  const { response, status, exchange } = event;
  const sent = plainIn(event);
  if (sent === undefined || response === undefined || isOwnedElsewhere(response)) return 'not-applicable';
  // With white space around it, a plain NewPet may be larger than a service takes.
  if (isTooLarge(exchange)) return 'not-applicable';
  // RFC 9110, section 15.5.12: media.any-client advises against it.
  if (exchange.request.chunked === true && status === LENGTH_REQUIRED) return 'not-applicable';
  const ofStatus = sent.status === undefined ? 'create.status-optional' : 'create.status-values';
  if (clause !== 'create.success' && clause !== ofStatus) return 'not-applicable';
  const wrong = notCreated(event, `POST /pets with a plain NewPet ${describe(event, sent)}`);
  if (wrong === undefined) return 'holds';
  // A 201 has accepted the status, whatever is wrong with its body.
  if (status === CREATED) return clause === 'create.success' ? wrong : 'holds';
  return ownerOf(sent, world) === clause ? wrong : 'not-applicable';
}

/** Whether it is a creation without an unusual value: what happens to those that have one says nothing about simpler ones. */
export const isSimplerCreation = ({ intent: { operation, body } }: Event): boolean => operation === 'createPet' && body !== 'unusual';

/** The first plain NewPet without a status, and of each status. */
export function isOfFirst({ event }: Case, world: World): boolean {
  return firstsIn(world).has(event);
}

const firstsIn = oncePerObject(({ events }: World): ReadonlySet<Event> => {
  const byStatus = new Map<string | undefined, Event>();
  for (const event of events) {
    const { sent, body, credential } = event.intent;
    if (sent !== undefined && body === 'plain' && credential === 'valid' && !byStatus.has(sent.status)) byStatus.set(sent.status, event);
  }
  return new Set(byStatus.values());
});

export function shownIn({ intent, pet, pets = [] }: Event): readonly PetView[] {
  if (intent.operation === 'createPet' || intent.undocumented === true || intent.credential !== 'valid') return [];
  return pet === undefined ? pets : [pet];
}

type Sight = { readonly exchange: Exchange; readonly pet: PetView };

/** What lists and reads show of the animal that the creation made, in the order of asking. */
export function sightsOf({ pet, number }: Event, world: World): readonly Sight[] {
  const animal = pet === undefined ? undefined : viewOf(world).animals.get(pet.id);
  if (animal?.birth?.number !== number) return [];
  return animal.looks.flatMap(({ event, shown }) => {
    const seen = shown.get(animal.id);
    return seen === undefined ? [] : [{ exchange: event.exchange, pet: seen }];
  });
}

/** Reads the animals of creations, and requests a list where one of them can't be read. */
export async function look(s: Session, creations: readonly Creation[]): Promise<void> {
  const reads = await s.all(
    creations.flatMap(({ exchange }) => returnedId(exchange) ?? []),
    (id) => s.api.get(id),
  );
  if (reads.some((read) => statusOf(read) !== 200)) await s.api.list({ limit: 100 });
}

export function sentIn(exchange: Exchange): NewPetInput | undefined {
  const { body } = exchange.request;
  const reading = typeof body === 'string' ? readJson(body) : undefined;
  if (reading?.ok !== true || !isJsonObject(reading.value)) return undefined;
  const { name, categoryId, status } = reading.value;
  if (typeof name !== 'string' || (typeof categoryId !== 'bigint' && !Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId as number | bigint), ...(known === undefined ? {} : { status: known }) };
}

/** The id in the JSON object of a response, as digits; undefined if it is not an integer. */
export function returnedId({ outcome }: Exchange): string | undefined {
  if (outcome.kind === 'failed' || !outcome.answer.json.ok || !isJsonObject(outcome.answer.json.value)) return undefined;
  const { id } = outcome.answer.json.value;
  return typeof id === 'bigint' || Number.isSafeInteger(id) ? String(id) : undefined;
}

const LONGEST_BODY = 120;

export function describeBody({ request: { body } }: Exchange): string {
  if (body === undefined || body.length === 0) return '(empty)';
  return cleanText(typeof body === 'string' ? body : Buffer.from(body).toString('utf8'), LONGEST_BODY).replace(/\s+/g, ' ');
}

export const LONGEST_NAME = 60;

export function showName(name: string | undefined): string {
  if (name === undefined) return 'no name';
  const quoted = JSON.stringify(name.slice(0, LONGEST_NAME));
  return name.length <= LONGEST_NAME ? cleanText(quoted) : `${cleanText(quoted)}… of ${name.length} characters`;
}
