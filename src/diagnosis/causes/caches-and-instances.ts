// Causes about what is in front of the service or next to it.
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import type { CauseRule, DiagnosedRun, Failure, Sign } from '../cause.ts';
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

/** What caches say about themselves (RFC 9111, section 5.1; X-Cache of CDNs). */
function saysCached({ exchange: { answer: response } }: Failure): boolean {
  if (response.kind === 'failed') return false;
  return response.headers.some(
    ([name, value]) => (name === 'age' && value !== '0') || (/^(?:x-cache|cf-cache-status)$/.test(name) && /hit/i.test(value)),
  );
}

/** Whether only what can be kept is accepted without the key, and only after a request with it, and something is kept. */
function isCache(signs: readonly Sign[], run: DiagnosedRun): boolean {
  const accepted = signs.map(({ failure }) => failure).filter(isCredentials);
  const isAfterKey = accepted.some(({ clause }) => clause.id === 'auth.every-request');
  if (!isAfterKey || accepted.some(({ exchange }) => exchange.method === 'POST')) return false;
  return accepted.some(saysCached) || run.failed(...STALE).length > 0;
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

/** The names that reads of an animal showed, in the order of sending, by address; only names that this run created with that id. */
function namesRead(signs: readonly Sign[], { record }: DiagnosedRun): readonly (readonly string[])[] {
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
function isMomentsApart(sign: Sign, run: DiagnosedRun): boolean {
  return sign.failure.clause.id === 'get.repeatable' && namesRead([sign], run).some((names) => new Set(names).size > 1);
}

/** A list that the report shows only in part may have more animals with an id. */
const isCutInReport = (list: RedactedExchange): boolean => !bodyOf(list).trimEnd().endsWith(']');

/** Whether an unfiltered list shows one of two animals that share an id, and a read of that id the other one. */
function isListedOtherwise({ failure }: Sign, { record }: DiagnosedRun): boolean {
  const { clause, finding, exchange } = failure;
  const list = finding.exchanges.find(({ operation }) => operation === 'listPets');
  if (clause.id !== 'get.agrees-with-list' || list === undefined || parametersOf(list).has('status') || isCutInReport(list)) return false;
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
