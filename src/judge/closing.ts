// What no longer holds at the end of a run, by its last requests: a list, a known animal, and a list without the key.

import { mayBeRemoved, REMOVED_STATUSES } from '../clause/removal.ts';
import { describe, type Exchange, hasKey, isDocumented } from '../oracle/exchange.ts';
import type { World } from '../oracle/world.ts';
import { LEAST_ERROR, LEAST_SERVER_ERROR, NOT_FOUND, OK } from '../wire/statuses.ts';

const isPlain = (one: Exchange): boolean => isDocumented(one) && one.facts.client.kind === 'usual';
const isList = (one: Exchange): boolean =>
  one.facts.list !== undefined && one.facts.list.limit.kind !== 'open' && one.facts.list.otherParameters.length === 0;
/** A list that is not found any more is not rejected. */
const isRejected = ({ status = 0 }: Exchange): boolean => status >= LEAST_ERROR && status < LEAST_SERVER_ERROR && status !== NOT_FOUND;

function splitOffLast(some: readonly Exchange[]): { readonly last: Exchange | undefined; readonly before: readonly Exchange[] } {
  return { last: some.at(-1), before: some.slice(0, -1) };
}

function changedList(all: readonly Exchange[]): string | undefined {
  const { last, before } = splitOffLast(all.filter((one) => hasKey(one) && isPlain(one) && isList(one)));
  if (last === undefined || !before.some(({ status }) => status === OK)) return undefined;
  if (last.response === undefined) return `${describe(last)} got no complete response: ${last.failure?.message}`;
  if (last.status !== OK) return `${describe(last)} returned ${last.status}, not 200 as before`;
  if (last.read.pets === undefined) return `${describe(last)} no longer returned a list`;
  const [own] = before.filter(({ sent }) => sent.target === last.sent.target).slice(-1);
  return last.read.size === 0 && (own ?? before.at(-1))?.read.size !== 0 && before.some(({ read }) => read.size > 0)
    ? `${describe(last)} no longer showed any animal`
    : undefined;
}

function changedRead(all: readonly Exchange[], { run, seen, animals }: World): string | undefined {
  const reads = all.filter(
    (one) =>
      hasKey(one) && isPlain(one) && one.facts.id?.kind === 'int64' && (seen.has(one.facts.id.value) || animals.has(one.facts.id.value)),
  );
  const { last, before } = splitOffLast(reads);
  if (last === undefined || !before.some(({ status }) => status === OK)) return undefined;
  if (last.response === undefined) return `${describe(last)} got no complete response: ${last.failure?.message}`;
  const { status = 0 } = last;
  if (status === OK) return last.read.pet === undefined ? `${describe(last)} no longer returned the animal` : undefined;
  const isGone = mayBeRemoved(run.now) && REMOVED_STATUSES.includes(status);
  // Other clients may have removed it.
  return isGone || status === NOT_FOUND ? undefined : `${describe(last)} returned ${status}, not 200 as before`;
}

function acceptedWithoutKey(all: readonly Exchange[]): string | undefined {
  const lists = all.filter((one) => isPlain(one) && isList(one));
  const last = lists.findLast(({ facts }) => facts.credential.kind === 'absent');
  const before = lists.filter((one) => one !== last && (one.facts.credential.kind === 'absent' || one.facts.credential.kind === 'wrong'));
  if (last === undefined || !before.some(isRejected)) return undefined;
  if (last.response === undefined) return `${describe(last)} got no complete response: ${last.failure?.message}`;
  // auth.missing-credential judges which rejection it is.
  return isRejected(last) ? undefined : `${describe(last)} without the API key returned ${last.status}, not 401 as before`;
}

/** Sentences about what held during the run and not at its end, which is the request with that number; by default the last one. */
export function closingOf(world: World, until = Number.POSITIVE_INFINITY): readonly string[] {
  const all = world.all.filter(({ number }) => number <= until).toSorted((one, other) => one.at - other.at);
  const sentences = [changedList(all), changedRead(all, world), acceptedWithoutKey(all)].filter((sentence) => sentence !== undefined);
  return [...new Set(sentences)].map((sentence) => `at the end of the run ${sentence}`);
}
