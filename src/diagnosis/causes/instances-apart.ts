import type { RedactedExchange } from '../../wire/redact.ts';
import type { CauseRule, Sign } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { RunView } from '../run-view.ts';
import { bodyOf, numberOf, parametersOf, shownAnimals, shownObject, statusOf, textOf } from './reads.ts';

/** The names that reads of an animal showed, in the order of sending, by address; only names that this run created with that id. */
function namesRead(signs: readonly Sign[], { record }: RunView): readonly (readonly string[])[] {
  const exchanges = new Map(signs.flatMap(({ failure }) => failure.finding.exchanges.map((exchange) => [exchange.number, exchange])));
  const created = new Set(record.animals.created.map(({ id, name }) => `${id} ${name}`));
  const names = new Map<string, string[]>();
  for (const exchange of [...exchanges.values()].toSorted((a, b) => a.number - b.number)) {
    const name = statusOf(exchange) === 200 && exchange.operation === 'getPet' ? shownObject(exchange)?.['name'] : undefined;
    const id = /(-?\d+)$/.exec(exchange.url)?.[1];
    if (typeof name !== 'string' || !created.has(`${id} ${name}`)) continue;
    names.set(exchange.url, [...(names.get(exchange.url) ?? []), name]);
  }
  return [...names.values()];
}

/** One store that gives an id twice shows one animal after the other; two stores show them in turn. */
function isInTurn(names: readonly string[]): boolean {
  const changes = names.filter((name, index) => index > 0 && name !== names[index - 1]).length;
  return changes > new Set(names).size - 1;
}

/** Whether two reads of one check, moments apart, showed two animals that were created with that id. */
function isMomentsApart(sign: Sign, run: RunView): boolean {
  return sign.failure.clause.id === 'get.repeatable' && namesRead([sign], run).some((names) => new Set(names).size > 1);
}

/** A list that the report shows in part may have more animals of an id. */
const isCut = (list: RedactedExchange): boolean => !bodyOf(list).trimEnd().endsWith(']');

/** Whether a list without filter shows one of two animals that have an id, and a read of that id the other one. */
function isListedOtherwise({ failure }: Sign, { record }: RunView): boolean {
  const { clause, finding, exchange } = failure;
  const list = finding.exchanges.find(({ operation }) => operation === 'listPets');
  if (clause.id !== 'get.agrees-with-list' || list === undefined || parametersOf(list).has('status') || isCut(list)) return false;
  const [id, name] = [/(-?\d+)$/.exec(exchange.url)?.[1], shownObject(exchange)?.['name']];
  const listed = shownAnimals(list)
    .filter((animal) => numberOf(animal, 'id') === id)
    .map((animal) => textOf(animal, 'name'));
  const created = record.animals.created.filter((animal) => animal.id === id).map((animal) => animal.name);
  return listed.length === 1 && [name, ...listed].every((one) => typeof one === 'string' && created.includes(one)) && listed[0] !== name;
}

/** Whether an animal was there, missing, and there again: what one instance created, another one does not have. */
const isMissingBetween = ({ failure }: Sign): boolean => failure.check.id === 'get.durable/every-read';

export const instancesApart: CauseRule = {
  id: 'instances-apart',
  title: 'Requests reach several instances, each with its own data',
  advice: 'Let all instances share one database (ids from it too), or run only one instance',
  clauses: [
    ...([
      'create.id-assigned',
      'create.round-trip',
      'create.id-not-adopted',
      'create.answer',
      'create.independent',
      'create.status-optional',
    ] as const),
    ...(['get.repeatable', 'get.durable', 'get.agrees-with-list', 'get.identity', 'get.success', 'record.same-animal'] as const),
    ...([
      'list.complete',
      'list.filter-complete',
      'list.read-only',
      'list.unique',
      'list.status-filter',
      'deprecation.replacement',
    ] as const),
  ],
  sign: ({ exchange }) => describeExchange(exchange),
  suffices: (signs, run) =>
    signs.some(({ failure }) => failure.clause.id === 'create.id-assigned') &&
    (namesRead(signs, run).some(isInTurn) ||
      signs.some((sign) => isMomentsApart(sign, run) || isListedOtherwise(sign, run) || isMissingBetween(sign))),
};
