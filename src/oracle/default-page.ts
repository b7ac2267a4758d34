// The page without a limit and the page with limit=20 show as many animals.

import { DEFAULT_LIMIT } from '../clause/limits.ts';
import { PET_STATUSES } from '../wire/exchange.ts';
import { oncePerObject } from '../wire/once.ts';
import { describe, type Exchange, hasKey, isDocumented } from './exchange.ts';
import type { Case, CaseInTime } from './rule.ts';
import { standingOf } from './standing.ts';
import { limitIn, statusIn } from './timeline-view.ts';
import type { World } from './world.ts';

/** Other clients may add animals between two lists, but not between so many in a row. */
const ROUNDS = 4;

type Pair = { readonly without: Exchange; readonly twenty: Exchange };

const sizeOf = ({ read }: Exchange): number => read.size;
const idsOf = ({ read: { pets = [] } }: Exchange): string => pets.map(({ id }) => String(id)).join();
const differs = ({ without, twenty }: Pair): boolean => sizeOf(without) !== sizeOf(twenty);

const isPage = (one: Exchange, world: World): boolean =>
  hasKey(one) &&
  isDocumented(one) &&
  one.read.pets !== undefined &&
  standingOf(one, world).hasOnlyDocumentedParameters &&
  [undefined, DEFAULT_LIMIT].includes(limitIn(one));

/** By status, pages without a limit, each with the one with limit=20 right before or after it. */
const pairsIn = oncePerObject((world: World): readonly (readonly Pair[])[] => {
  const pages = world.exchanges.filter((one) => isPage(one, world)).toSorted((a, b) => a.at - b.at);
  return [undefined, ...PET_STATUSES].map((status) => {
    const same = pages.filter((one) => statusIn(one) === status);
    return same.slice(1).flatMap((page, index): Pair[] => {
      const before = same[index];
      if (before === undefined || limitIn(before) === limitIn(page)) return [];
      return [limitIn(page) === undefined ? { without: page, twenty: before } : { without: before, twenty: page }];
    });
  });
});

/** Pairs at the end that all differ. A page that never changes is not cut by a default, and neither is one that was longer before. */
function differingAtEnd(pairs: readonly Pair[]): readonly Pair[] {
  const last = pairs.findLastIndex((pair) => !differs(pair));
  const longest = Math.max(...pairs.map(({ without }) => sizeOf(without)));
  // Of two lists that the default allows, the shorter one omits animals; where that is the one with a limit, not because of the default.
  const mayBeCut = ({ without, twenty }: Pair): boolean =>
    sizeOf(without) > DEFAULT_LIMIT || (sizeOf(without) < sizeOf(twenty) && sizeOf(without) === longest);
  const agreed = pairs.slice(0, last + 1).filter((pair) => !differs(pair));
  return pairs.slice(last + 1).filter((pair) => mayBeCut(pair) && !agreed.some(({ without }) => idsOf(without) === idsOf(pair.without)));
}

const areEnoughAnimalsKnown = ({ seen }: World, { without }: Pair): boolean =>
  [...seen.values()].filter(({ status }) => statusIn(without) === undefined || status === statusIn(without)).length >= DEFAULT_LIMIT;

/** When everything has to know all that the run had created by a moment. */
const settledFrom = ({ animals, run }: World, moment = Number.POSITIVE_INFINITY): number =>
  Math.max(0, ...animals.values().flatMap(({ creation, since }) => (creation === undefined || since > moment ? [] : [since + run.window])));

export function defaultPages(world: World): readonly CaseInTime[] {
  return pairsIn(world).flatMap((pairs): readonly CaseInTime[] => {
    const last = pairs.at(-1);
    if (last === undefined || !areEnoughAnimalsKnown(world, last)) return [];
    const differing = differingAtEnd(pairs);
    const [first] = differing;
    const isSettled = ({ at }: Exchange): boolean => settledFrom(world, at) <= at;
    const isProven = differing.length >= ROUNDS && differing.some(({ without, twenty }) => isSettled(without) && isSettled(twenty));
    if (first === undefined) return [{ exchange: last.without, others: pairs.flatMap(({ without, twenty }) => [without, twenty]) }];
    if (!isProven) return [last.without, last.twenty].map((exchange) => ({ exchange, countsAfter: settledFrom(world) }));
    const shown = differing.slice(-ROUNDS);
    const sizes = [...new Set(differing.map(({ without, twenty }) => `${sizeOf(without)} animals, and ${sizeOf(twenty)}`))];
    const breach = {
      summary: `${describe(first.without)} kept returning ${sizes.length === 1 ? sizes[0] : 'a different number of animals than'} with limit=20`,
      expected: ['the same number of animals as with limit=20'],
      failureKinds: [{ place: '[]', expected: 'as many animals as with limit=20', received: 'another number' }],
      received: `${shown.map(({ without, twenty }) => `${sizeOf(without)} and ${sizeOf(twenty)}`).join(', ')} animals, without and with limit=20`,
      shown: shown.flatMap(({ without, twenty }) => [without, twenty]),
    };
    // Every page without a limit of this status is cut there; where nothing is filtered, also those as long that are.
    const [status, size] = [statusIn(first.without), sizeOf(shown.at(-1)?.without ?? first.without)];
    const isCut = (one: Exchange): boolean => statusIn(one) === status || (status === undefined && sizeOf(one) === size);
    const cut = world.exchanges.filter((one) => isPage(one, world) && limitIn(one) === undefined && isCut(one));
    return [{ exchange: first.without, others: [...cut, ...differing.map(({ twenty }) => twenty)], breach }];
  });
}

/** Whether the same list of the same animals came in the same order each time: replicas may have orders of their own, and pages of their own then. */
function isOrderStable({ exchanges }: World): boolean {
  const orders = new Map<string, string>();
  return exchanges.every(({ read: { pets = [] }, sent: { target } }) => {
    const ids = pets.map(({ id }) => id);
    const key = [target, ...ids.toSorted()].join();
    const known = orders.get(key) ?? ids.join();
    orders.set(key, known);
    return known === ids.join();
  });
}

/** A page without a limit that never changes, while the one with limit=20, which was the same before, now shows a new animal. */
export function stalePages(world: World): readonly Case[] {
  if (!isOrderStable(world)) return [];
  return pairsIn(world).flatMap((pairs): readonly Case[] => {
    const first = pairs.find((pair) => idsOf(pair.without) === idsOf(pair.twenty));
    if (first === undefined) return [];
    const later = pairs.slice(pairs.indexOf(first) + 1);
    const stale = later.filter((pair) => idsOf(pair.twenty) !== idsOf(first.twenty));
    const [one] = stale;
    // A list that comes back is no list of before: list.read-only judges what comes and goes.
    if (one === undefined || stale.length < ROUNDS || later.some(({ without }) => idsOf(without) !== idsOf(first.without))) return [];
    const shown = new Set(first.twenty.read.pets?.map(({ id }) => id));
    const newer = one.twenty.read.pets?.find(({ id }) => !shown.has(id) && world.animals.get(id)?.creation !== undefined);
    if (newer === undefined) return [];
    const breach = {
      summary: `${describe(one.without)} still returns only the ${sizeOf(one.without)} animals of before, while ${describe(one.twenty)} now includes animal ${newer.id}, created since`,
      ...{ expected: ['the same animals in both lists'], received: 'the animals of before' },
      failureKinds: [{ place: 'animal', expected: 'shown', received: 'missing' }],
      shown: [first.without, first.twenty, one.twenty, one.without],
    };
    return [{ exchange: one.without, others: stale.map(({ without }) => without), animal: newer.id, breach }];
  });
}
