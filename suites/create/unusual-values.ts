import type { ClauseId } from '../../src/clause/clause.ts';
import { timelineCases } from '../../src/oracle/timelines.ts';
import { unusualFieldOf } from '../../src/oracle/view.ts';
import type { Event, Rule, World } from '../../src/oracle/world.ts';
import { describeResponse, statusOf } from '../../src/session/read-exchange.ts';
import { isJsonObject, readJson } from '../../src/wire/json.ts';
import { BAD_REQUEST, CREATED } from '../../src/wire/statuses.ts';
import { isOwnedElsewhere } from '../responses.ts';
import { isSimplerCreation, otherValue, sentIn, showName } from './creations.ts';

const MEMBERS = ['name', 'categoryId', 'status'];

/** What may be unusual of a NewPet, and how else than with 400 it may be rejected. */
export type Unusual = {
  readonly clause: ClauseId;
  readonly field: 'name' | 'categoryId';
  readonly mayReject: (status: number, event: Event, world: World) => boolean;
};

/** Whether the NewPet says nothing but what the document shows: what else it is rejected for is no matter of its values. */
function isPlainOtherwise({ exchange: { request } }: Event): boolean {
  const reading = typeof request.body === 'string' ? readJson(request.body) : undefined;
  return reading?.ok === true && isJsonObject(reading.value) && Object.keys(reading.value).every((member) => MEMBERS.includes(member));
}

function isOf(field: Unusual['field'], event: Event, world: World): boolean {
  const { intent } = event;
  return intent.body === 'unusual' && intent.credential === 'valid' && unusualFieldOf(intent, world) === field && isPlainOtherwise(event);
}

/** It is accepted, or rejected with 400; where nothing else is accepted either, that is no matter of the value. */
function judgeStatus(event: Event, world: World, { field, mayReject }: Unusual) {
  const { exchange, response, intent } = event;
  if (!isOf(field, event, world) || response === undefined || isOwnedElsewhere(response)) return 'not-applicable';
  // As it can be read: create.success judges another success.
  const status = statusOf(exchange) ?? 0;
  if (status === CREATED || status === BAD_REQUEST || mayReject(status, event, world)) return 'holds';
  if (!world.accepts('createPet')) return 'not-applicable';
  const what = intent.bodyNote ?? (field === 'name' ? 'with an unusual name' : `with categoryId ${intent.sent?.categoryId}`);
  return {
    summary: `POST /pets with a body ${what} returned ${status}; expected 201 or 400`,
    expected: ['201 with the created Pet', '400 with an Error body'],
    received: describeResponse(exchange),
  };
}

/** How names begin but for those that are special as a whole; no two are alike, and what a service makes of one still begins so where it keeps that much. */
const BEGINNING = /^[A-Za-z]{20}/;

/** Whether the 201 shows another animal, by the name that was sent for that one: that is no matter of a value. */
function showsOther({ intent: { sent }, pet }: Event, { events }: World): boolean {
  const [name] = BEGINNING.exec(pet?.name ?? '') ?? [];
  if (sent === undefined || name === undefined || sent.name.startsWith(name)) return false;
  return events.some(
    ({ intent, exchange }) => intent.operation === 'createPet' && (intent.sent ?? sentIn(exchange))?.name.startsWith(name),
  );
}

function showsOwn({ intent: { sent }, pet }: Event): boolean {
  const [name] = BEGINNING.exec(pet?.name ?? '') ?? [];
  return name !== undefined && sent?.name.startsWith(name) === true;
}

function judgeResponse(event: Event, world: World, { field }: Unusual) {
  const { intent, pet } = event;
  if (showsOther(event, world)) return 'not-applicable';
  const sent = intent.sent?.[field];
  if (!isOf(field, event, world) || sent === undefined || pet?.[field] === undefined || pet.gaps.includes(field)) return 'not-applicable';
  if (pet[field] === sent) return 'holds';
  const show = (value: unknown): string => (typeof value === 'string' ? showName(value) : String(value));
  const [expected, received] = [`${field} ${show(sent)}`, `${field} ${show(pet[field])}`];
  return {
    summary: `${expected} was returned as ${received}`,
    expected: [expected],
    received,
    pointer: `/${field}`,
    failureKinds: [otherValue(field)],
  };
}

/** Clauses of what happens to plain animals just so, or to this one whatever its values are. */
const AFTER = [
  'create.independent',
  'create.id-assigned',
  'create.id-not-adopted',
  'get.identity',
  'list.complete',
  'list.filter-complete',
  'list.status-filter',
  'list.filter-with-limit',
  'list.limit-default',
  'list.limit-maximum',
  'list.unique',
  'list.read-only',
  'get.success',
  'get.durable',
  'get.repeatable',
] as const satisfies readonly ClauseId[];

export function unusualRules(unusual: Unusual): readonly Rule[] {
  const { clause, field } = unusual;
  // A 201 that does not even show plain values as they were sent, or those of others that are created at the same time.
  const simpler: Rule['simpler'] = {
    clauses: ['create.answer', 'create.independent'],
    isTwin: isSimplerCreation,
    explains: ({ breach }) => breach?.pointer === `/${field}`,
  };
  return [
    {
      layer: 'status',
      judge: (event, world) => judgeStatus(event, world, unusual),
      // A service that rejects plain NewPets the same way, as a full one does, rejects these for the same reason.
      simpler: { clauses: ['create.success'], isTwin: isSimplerCreation },
    },
    {
      layer: 'values',
      judge: (event, world) => (showsOwn(event) ? 'not-applicable' : judgeResponse(event, world, unusual)),
      after: ['create.independent', 'create.id-assigned'],
      simpler,
    },
    // The name says whose values the response shows: an id that two animals share explains nothing then.
    {
      layer: 'values',
      judge: (event, world) => (showsOwn(event) ? judgeResponse(event, world, unusual) : 'not-applicable'),
      after: ['create.independent'],
      simpler,
    },
    { layer: 'history', judgeAll: (world) => timelineCases(world, clause), after: AFTER },
  ];
}
