// Causes about what is in front of the service or next to it, and about parameters that are lost on the way.
import { DEFAULT_LIMIT } from '../../clause/limits.ts';
import { PET_STATUSES } from '../../wire/exchange.ts';
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { adviceFor, type CauseRule, type Failure, type RunView, type Sign } from '../cause.ts';
import {
  bodyOf,
  describeExchange,
  hasValidKey,
  numberOf,
  parametersOf,
  shownAnimals,
  shownObject,
  statusOf,
  textOf,
} from '../exchanges.ts';

const CREDENTIALS = ['auth.every-request', 'auth.missing-credential', 'auth.wrong-key', 'auth.wrong-scheme', 'auth.header-only'] as const;
const STALE = ['list.complete', 'list.filter-complete', 'deprecation.replacement'] as const;

const isCredentials = ({ clause }: Failure): boolean => CREDENTIALS.some((id) => id === clause.id);

/** A response to a request without the key that equals, byte by byte, the one that the key got at the same address before. */
function isRepeated({ finding, exchange }: Failure): boolean {
  return finding.exchanges.some(
    (earlier) => hasValidKey(earlier) && earlier.url === exchange.url && bodyOf(earlier) !== '' && bodyOf(earlier) === bodyOf(exchange),
  );
}

/** What caches say about themselves (RFC 9111, section 5.1; X-Cache of CDNs). */
function saysCached({ exchange: { answer: response } }: Failure): boolean {
  if (response.kind === 'failed') return false;
  return response.headers.some(
    ([name, value]) => (name === 'age' && value !== '0') || (/^(?:x-cache|cf-cache-status)$/.test(name) && /hit/i.test(value)),
  );
}

function isCache(signs: readonly { readonly failure: Failure }[], run: RunView): boolean {
  const accepted = signs.map(({ failure }) => failure).filter(isCredentials);
  const everyRequest = accepted.filter(({ clause }) => clause.id === 'auth.every-request');
  if (accepted.some(({ exchange }) => exchange.method === 'POST')) return false;
  return everyRequest.length > 0 && everyRequest.every(isRepeated) && (accepted.some(saysCached) || run.failed(...STALE).length > 0);
}

/** A cache in front of the service that returns a response meant for the key to the next client, whoever it is. */
export const cacheIgnoresKey: CauseRule = {
  id: 'cache-ignores-key',
  title: 'A cache gives responses for the API key to requests without it',
  advice:
    'Send Cache-Control: private, no-store (or Vary: Authorization), and let the cache bypass requests with Authorization (RFC 9111, section 3.5)',
  clauses: [...CREDENTIALS, ...STALE],
  sign: (failure) => {
    const { exchange } = failure;
    const accepted = isCredentials(failure) && !hasValidKey(exchange) && statusOf(exchange) === 200;
    return accepted || STALE.some((id) => id === failure.clause.id) ? describeExchange(exchange) : undefined;
  },
  suffices: isCache,
};

const isFiltered = ({ exchange }: Failure): boolean => parametersOf(exchange).has('status');

/** Whether the same request got, at another time, what it omits here. */
const isNowAndThen = ({ exchange, finding }: Failure): boolean =>
  finding.exchanges.some(({ number, url }) => number !== exchange.number && url === exchange.url);

function isShared(failures: readonly Failure[]): boolean {
  const statuses = Map.groupBy(failures, ({ exchange }) => bodyOf(exchange))
    .values()
    .map((same) => new Set(same.map(({ exchange }) => parametersOf(exchange).get('status'))));
  return statuses.some(({ size }) => size > 1);
}

/** A cache, or a memo, whose key is only the path: a query gets the response to the previous one. */
export const cacheIgnoresQuery: CauseRule = {
  id: 'cache-ignores-query',
  title: 'A cache ignores the query: a list gets the response to another query',
  advice: 'Put the whole query into the key of the cache',
  clauses: [
    ...(['list.status-filter', 'list.complete', 'list.filter-complete', 'list.limit-maximum', 'list.limit-default'] as const),
    ...(['list.filter-with-limit', 'deprecation.replacement'] as const),
  ],
  sign: ({ exchange }) => (exchange.operation === 'listPets' ? describeExchange(exchange) : undefined),
  // What the filtered list should not contain is also in an unfiltered list, or is the previous response.
  suffices: (signs) => {
    const failures = signs.map(({ failure }) => failure);
    const leaked = failures.filter(({ clause }) => clause.id === 'list.status-filter');
    const bodies = new Set(leaked.map(({ exchange }) => bodyOf(exchange)));
    return failures.some(
      (failure) =>
        failure.clause.id === 'list.complete' &&
        !isFiltered(failure) &&
        (bodies.has(bodyOf(failure.exchange)) || (isNowAndThen(failure) && isShared(leaked))),
    );
  },
};

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

/** A single store that assigns an id twice shows one animal and then the other; two stores alternate. */
function isInTurn(names: readonly string[]): boolean {
  const changes = names.filter((name, index) => index > 0 && name !== names[index - 1]).length;
  return changes > new Set(names).size - 1;
}

/** Whether two reads of one check, moments apart, showed two animals that were created with that id. */
function isMomentsApart(sign: Sign, run: RunView): boolean {
  return sign.failure.clause.id === 'get.repeatable' && namesRead([sign], run).some((names) => new Set(names).size > 1);
}

/** A list that the report shows only in part may have more animals with an id. */
const isCut = (list: RedactedExchange): boolean => !bodyOf(list).trimEnd().endsWith(']');

/** Whether an unfiltered list shows one of two animals that share an id, and a read of that id the other one. */
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

/** Whether an animal was there, missing, and there again: one instance created it, and another does not have it. */
const isMissingBetween = ({ failure }: Sign): boolean => failure.clause.id === 'get.durable';

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
  // A service that makes up an animal for any id also shows another one once the id is given.
  suffices: (signs, run) =>
    run.failed('get.not-found').length === 0 &&
    signs.some(({ failure }) => failure.clause.id === 'create.id-assigned') &&
    (namesRead(signs, run).some(isInTurn) ||
      signs.some((sign) => isMomentsApart(sign, run) || isListedOtherwise(sign, run) || isMissingBetween(sign))),
};

type Parameter = 'limit' | 'status';

const ids = (failure: Failure): readonly string[] => shownAnimals(failure.exchange).map((animal) => numberOf(animal, 'id') ?? '');

/** Whether the lists begin with the same animals, in the parts that are shown. */
function beginAlike(left: Failure, right: Failure): boolean {
  const [a, b] = [ids(left), ids(right)];
  const both = Math.min(a.length, b.length);
  return both >= 3 && a.slice(0, both).every((id, index) => id === b[index]);
}

/** The value of the parameter, if it is the only one and the list shows what it should have left out. */
function ignored({ exchange }: Failure, parameter: Parameter): string | undefined {
  const parameters = parametersOf(exchange);
  const value = parameters.get(parameter);
  if (value === null || [...parameters.keys()].some((name) => name !== 'limit' && name !== 'status')) return undefined;
  const animals = shownAnimals(exchange);
  if (parameter === 'limit') return animals.length >= Number(value) + 2 ? value : undefined;
  const statuses = new Set(animals.map((animal) => textOf(animal, 'status')));
  return PET_STATUSES.filter((status) => statuses.has(status)).length >= 2 && statuses.has(value) ? value : undefined;
}

/** Two values of a parameter, requested alone, that got the same list. */
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

/** A filter that is ignored only occasionally, or only next to another parameter, breaks few of the judged lists. */
function isMostly(signs: readonly Sign[]): boolean {
  const evidence = signs.map(({ failure }) => failure.clause.evidence).find((one) => one !== undefined);
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

/**
 * How many animals lists without a limit show at most, where that is fewer than 20; undefined where a shown body is cut. An early list may be
 * of a time when the store did not have so many.
 */
function shortPage({ finding }: Failure): number | undefined {
  const pages = finding.exchanges.filter((one) => one.operation === 'listPets' && !parametersOf(one).has('limit'));
  if (pages.length === 0 || !pages.every((page) => bodyOf(page).trimEnd().endsWith(']'))) return undefined;
  const most = Math.max(...pages.map((page) => shownAnimals(page).length));
  return most < DEFAULT_LIMIT ? most : undefined;
}

const PAGE_ADVICE: Readonly<Record<string, string>> = {
  'Django REST framework': 'Set PAGE_SIZE, or default_limit of LimitOffsetPagination, to 20',
  'Spring Boot': 'Give limit the defaultValue "20" in @RequestParam, or set spring.data.web.pageable.default-page-size to 20',
};

export const defaultTooSmall: CauseRule = {
  id: 'default-too-small',
  title: (signs) => `The default limit is ${signs.map(({ failure }) => shortPage(failure))[0]} instead of 20`,
  advice: (_signs, { products }) => adviceFor(products, PAGE_ADVICE, 'Set the default of limit to 20 where the query is read'),
  clauses: ['list.limit-default'],
  sign: (failure) => (shortPage(failure) === undefined ? undefined : describeExchange(failure.exchange)),
  // Pages of several lengths, or longer than a limit that was asked for, are cut by something else.
  suffices: (signs, run) =>
    new Set(signs.map(({ failure }) => shortPage(failure))).size === 1 && run.failed('list.limit-maximum').length === 0,
};
