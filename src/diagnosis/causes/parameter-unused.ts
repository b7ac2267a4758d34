import { PET_STATUSES } from '../../wire/exchange.ts';
import type { CauseRule, Sign } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { numberOf, parametersOf, shownAnimals, textOf } from './reads.ts';

type Parameter = 'limit' | 'status';

const ids = (failure: Failure): readonly string[] => shownAnimals(failure.exchange).map((animal) => numberOf(animal, 'id') ?? '');

/** Whether the lists begin with the same animals, as far as both are shown. */
function beginAlike(left: Failure, right: Failure): boolean {
  const [a, b] = [ids(left), ids(right)];
  const both = Math.min(a.length, b.length);
  return both >= 3 && a.slice(0, both).every((id, index) => id === b[index]);
}

/** The value of the parameter, where the request has no other one and the list shows what it should have left out. */
function ignored({ exchange }: Failure, parameter: Parameter): string | undefined {
  const parameters = parametersOf(exchange);
  const value = parameters.get(parameter);
  if (value === null || [...parameters.keys()].some((name) => name !== 'limit' && name !== 'status')) return undefined;
  const animals = shownAnimals(exchange);
  if (parameter === 'limit') return animals.length >= Number(value) + 2 ? value : undefined;
  const statuses = new Set(animals.map((animal) => textOf(animal, 'status')));
  return PET_STATUSES.filter((status) => statuses.has(status)).length >= 2 && statuses.has(value) ? value : undefined;
}

/** Two values of a parameter, asked for alone, that got the same list. */
function isSameWhateverAsked(parameter: Parameter, signs: readonly Sign[]): boolean {
  const alone = signs.map(({ failure }) => failure).filter(({ exchange }) => parametersOf(exchange).size === 1);
  const [first, ...others] = alone;
  if (first === undefined) return false;
  const value = ignored(first, parameter);
  return others.some((other) => ignored(other, parameter) !== value && beginAlike(first, other));
}

/** Small limits and larger ones: a service may have a smallest page, or lose its bound at a large one. */
function isAnyLimit(signs: readonly Sign[]): boolean {
  const limits = signs.map(({ failure }) => Number(parametersOf(failure.exchange).get('limit')));
  return Math.min(...limits) <= 2 && Math.max(...limits) >= 5;
}

/** A filter that is ignored once in a while, or beside some other parameter, breaks few of the lists that were judged. */
function isMostly(signs: readonly Sign[]): boolean {
  const evidence = signs.map(({ failure }) => failure.check.evidence).find((one) => one !== undefined);
  return evidence === undefined || evidence.broken >= 0.8 * evidence.judged;
}

export const limitUnused: CauseRule = {
  id: 'limit-unused',
  title: 'The limit parameter never reaches the query',
  advice: 'Follow limit from the route to the query: is it read from the query string, under that name, and passed on?',
  clauses: ['list.limit-maximum', 'list.filter-with-limit'],
  sign: (failure) => (ignored(failure, 'limit') === undefined ? undefined : describeExchange(failure.exchange)),
  suffices: (signs) => isSameWhateverAsked('limit', signs) && isAnyLimit(signs),
};

export const statusUnused: CauseRule = {
  id: 'status-unused',
  title: 'The status parameter never reaches the query',
  advice: 'Follow status from the route to the query: is it read from the query string, under that name, and passed on?',
  clauses: ['list.status-filter', 'list.filter-with-limit'],
  sign: (failure) => (ignored(failure, 'status') === undefined ? undefined : describeExchange(failure.exchange)),
  suffices: (signs) => isSameWhateverAsked('status', signs) && isMostly(signs),
};
