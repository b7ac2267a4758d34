// The page without a limit compared to the page with limit=20: both must show the same number of animals.
import { DEFAULT_LIMIT } from '../clause/limits.ts';
import { describeRequest } from '../session/read-exchange.ts';
import { PET_STATUSES } from '../wire/exchange.ts';
import { isStatedList } from './view.ts';
import type { Case, Event, World } from './world.ts';

/** Other clients may add animals between two lists, but not between so many in a row. */
const ROUNDS = 4;

type Pair = { readonly without: Event; readonly twenty: Event };

const sizeOf = ({ pets = [] }: Event): number => pets.length;
const differs = ({ without, twenty }: Pair): boolean => sizeOf(without) !== sizeOf(twenty);
const idsOf = ({ pets = [] }: Event): string => pets.map(({ id }) => String(id)).join();

function pairsIn({ events }: World): readonly (readonly Pair[])[] {
  const lists = events
    .filter((event) => isStatedList(event) && event.pets !== undefined && ['absent', DEFAULT_LIMIT].includes(event.intent.limit))
    .toSorted((a, b) => a.sent - b.sent);
  return ['absent', ...PET_STATUSES].map((status) => {
    const same = lists.filter(({ intent }) => intent.status === status);
    return same.slice(1).flatMap((event, index): Pair[] => {
      const before = same[index];
      if (before === undefined || before.intent.limit === event.intent.limit) return [];
      const [without, twenty] = event.intent.limit === 'absent' ? [event, before] : [before, event];
      return [{ without, twenty }];
    });
  });
}

/**
 * Pairs at the end that all differ. A page that never changes is not cut by a default, and neither is one that was longer before: list.complete judges
 * what a cache or a replica omits.
 */
function differingAtEnd(pairs: readonly Pair[]): readonly Pair[] {
  const last = pairs.findLastIndex((pair) => !differs(pair));
  const longest = Math.max(...pairs.map(({ without }) => sizeOf(without)));
  // Of two lists that the default allows, the shorter one omits animals; where that is the one with a limit, not because of the default.
  const mayBeCut = ({ without, twenty }: Pair): boolean =>
    sizeOf(without) > DEFAULT_LIMIT || (sizeOf(without) < sizeOf(twenty) && sizeOf(without) === longest);
  const ending = pairs.slice(last + 1);
  const agreed = pairs.slice(0, last + 1).filter((pair) => !differs(pair));
  return ending.filter(mayBeCut).filter(({ without }) => !agreed.some((pair) => idsOf(pair.without) === idsOf(without)));
}

/** Whether so many animals are known that a smaller default would show. */
function isExercised({ known }: World, { without: { intent } }: Pair): boolean {
  const alike = known.seen.values().filter(({ status }) => intent.status === 'absent' || status === intent.status);
  return [...alike].length >= DEFAULT_LIMIT;
}

/** Whether everything had to know by then what the run had created by then. */
function wasSettled({ sent }: Event, { known }: World): boolean {
  return known.created.values().every(({ createdAt }) => createdAt > sent || createdAt + known.consistencyWindow <= sent);
}

/** Whether pages that differ were asked for often enough, and once when no lag could be the reason: what is created later changes nothing in that. */
function isProven(differing: readonly Pair[], world: World): boolean {
  return (
    differing.length >= ROUNDS && differing.some(({ without, twenty }) => [without, twenty].every((event) => wasSettled(event, world)))
  );
}

export function defaultPages(world: World): readonly Case[] {
  return pairsIn(world).flatMap((pairs): readonly Case[] => {
    const last = pairs.at(-1);
    if (last === undefined || !isExercised(world, last)) return [];
    const differing = differingAtEnd(pairs);
    const [first] = differing;
    const events = pairs.flatMap(({ without, twenty }) => [without, twenty]);
    if (first === undefined || !isProven(differing, world)) return differing.length > 0 ? [] : [{ event: last.without, others: events }];
    const { status } = first.without.intent;
    const shown = differing.slice(-ROUNDS);
    const breach = {
      summary: `GET /pets${status === 'absent' ? '' : `?status=${status}`} kept returning a different number of animals than with limit=20 throughout the consistency window`,
      expected: ['the same number of animals as with limit=20'],
      failureKinds: [{ place: '[]', expected: 'as many animals as with limit=20', received: 'another number' }],
      received: `${shown.map(({ without, twenty }) => `${sizeOf(without)} and ${sizeOf(twenty)}`).join(', ')} animals, without and with limit=20`,
      exchanges: shown.flatMap(({ without, twenty }) => [without.exchange, twenty.exchange]),
    };
    // Every page without a limit of this status is cut there; where nothing is filtered, also those as long that are.
    const size = sizeOf(shown.at(-1)?.without ?? first.without);
    const isCut = (event: Event): boolean => event.intent.status === status || (status === 'absent' && sizeOf(event) === size);
    const cut = world.events.filter((event) => isStatedList(event) && event.intent.limit === 'absent' && isCut(event));
    return [{ event: first.without, others: [...cut, ...differing.map(({ twenty }) => twenty)], breach }];
  });
}

/** Pairs that differ, and that were not asked often enough yet, or too early. */
export function owedPages(world: World): readonly Event[] {
  return pairsIn(world).flatMap((pairs) => {
    const last = pairs.at(-1);
    if (last === undefined || !isExercised(world, last)) return [];
    const differing = differingAtEnd(pairs);
    return differing.length > 0 && !isProven(differing, world) ? [last.without, last.twenty] : [];
  });
}

/**
 * A page without a limit that never changes, while the one with limit=20, which was the same before, now shows an animal that the run created: it is
 * a case of list.complete.
 */
export function stalePages(world: World): readonly Case[] {
  const { known } = world;
  return pairsIn(world).flatMap((pairs): readonly Case[] => {
    const first = pairs.find((pair) => idsOf(pair.without) === idsOf(pair.twenty));
    if (first === undefined) return [];
    const later = pairs.slice(pairs.indexOf(first) + 1);
    const stale = later.filter((pair) => idsOf(pair.twenty) !== idsOf(first.twenty));
    const [one] = stale;
    // A list that comes back is no list of before: list.read-only judges what comes and goes.
    if (one === undefined || stale.length < ROUNDS || later.some(({ without }) => idsOf(without) !== idsOf(first.without))) return [];
    const shown = new Set(first.twenty.pets?.map(({ id }) => id));
    const newer = one.twenty.pets?.find(({ id }) => !shown.has(id) && known.created.has(String(id)));
    if (newer === undefined) return [];
    const breach = {
      summary: `${describeRequest(one.without.exchange)} still returns only the ${sizeOf(one.without)} animals of before, while ${describeRequest(one.twenty.exchange)} now includes animal ${newer.id}, created since`,
      expected: ['the same animals in both lists'],
      received: 'the animals of before',
      failureKinds: [{ place: 'animal', expected: 'shown', received: 'missing' }],
      exchanges: [first.without, first.twenty, one.twenty, one.without].map(({ exchange }) => exchange),
    };
    return [{ event: one.without, others: stale.map(({ without }) => without), animal: newer.id, breach }];
  });
}
