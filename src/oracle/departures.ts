// What was read although it departs from the document, in words, each with the clause that reports it.

import type { ClauseId } from '../clause/clause.ts';
import type { Departure } from '../clause/run-record.ts';
import type { Exchange } from './exchange.ts';
import { DOCUMENTED_STATUS, type Form, PLAIN, type ReadPlace, readPlaceOf } from './readers.ts';
import type { World } from './world.ts';

const CLAUSES_OF_PLACES: Readonly<Record<ReadPlace, { readonly what: string; readonly success: ClauseId; readonly record: ClauseId }>> = {
  list: { what: 'lists', success: 'list.success', record: 'record.pets' },
  singleList: { what: 'lists of one animal', success: 'list.success', record: 'record.pets' },
  emptyList: { what: 'lists without animals', success: 'list.success', record: 'record.pets' },
  read: { what: 'responses to GET /pets/{petId}', success: 'get.success', record: 'record.pet' },
  created: { what: 'responses to POST /pets', success: 'create.success', record: 'record.pet' },
  unauthorized: { what: 'rejections of credentials', success: 'auth.missing-credential', record: 'errors.shape' },
};

/** The clauses of lists, by how many parameters they have. */
function acceptingClause({ facts: { list } }: Exchange): ClauseId {
  if (list?.limit.kind === 'absent') return list.status.kind === 'absent' ? 'list.success' : 'list.status-accepted';
  return list?.status.kind === 'absent' ? 'list.limit-accepted' : 'list.filter-with-limit';
}

const parametersIn = ({ facts: { list } }: Exchange): number =>
  Number(list?.limit.kind !== 'absent') + Number(list?.status.kind !== 'absent');

/** Whether the body is declared as JSON decides which clause judges one that is not strict JSON. */
const isDeclaredAsJson = ({ response }: Exchange): boolean =>
  /json/i.test(response?.headers.find(([name]) => name === 'content-type')?.[1] ?? 'json');

function ownerOfBody(place: ReadPlace, wrapping: string, first: Exchange): ClauseId {
  if (first.response?.json.ok === false && wrapping.includes('strict JSON'))
    return isDeclaredAsJson(first) ? 'media.well-formed' : 'media.json';
  return wrapping.includes('Location') ? CLAUSES_OF_PLACES[place].success : CLAUSES_OF_PLACES[place].record;
}

function departuresAt(place: ReadPlace, { status, wrapping }: Form, through: readonly Exchange[]): readonly Departure[] {
  const [first] = through.toSorted((one, other) => parametersIn(one) - parametersIn(other));
  if (first === undefined) return [];
  const { what, success } = CLAUSES_OF_PLACES[place];
  const isList = first.facts.operation === 'listPets' && place !== 'unauthorized';
  const of = (clause: ClauseId, how: string): Departure => ({ place, clause, description: `${what} ${how}; see ${clause}` });
  const documented = DOCUMENTED_STATUS[place];
  return [
    ...(status === documented ? [] : [of(isList ? acceptingClause(first) : success, `with status ${status} are read as ${documented}`)]),
    ...(wrapping === PLAIN ? [] : [of(ownerOfBody(place, wrapping, first), `are read from what stands ${wrapping}`)]),
  ];
}

/** The departures that something was read through. */
export function departuresOf({ departures, exchanges }: World): readonly Departure[] {
  const through = exchanges.filter(({ read }) => read.hasDeparture);
  const placeOf = ({ facts, response }: Exchange): ReadPlace | undefined =>
    response === undefined ? undefined : readPlaceOf(facts, response);
  return [...departures].flatMap(([place, form]) =>
    departuresAt(
      place,
      form,
      through.filter((one) => placeOf(one) === place),
    ),
  );
}
