// What a run knows about when a clause is broken, and the requests that show it.

import type { ClauseId } from '../clause/clause.ts';
import type { CasesByClause } from '../oracle/blame.ts';
import { type Exchange, isSameOperation } from '../oracle/exchange.ts';
import { requestBefore } from '../oracle/exchange-attributes.ts';
import type { Clause } from '../oracle/rule.ts';
import { loadOf } from '../oracle/standing.ts';
import type { World } from '../oracle/world.ts';
import { type ConditionWording, dimensionsOf, valueIn } from '../plan/halve.ts';
import { type Group, isGroup, type Row } from '../plan/row.ts';
import type { Predicate } from '../plan/tell.ts';
import type { Sent, Vector } from '../session/vector.ts';

/** How often each row is sent to learn whether it fails. */
export const TRIES = 2;

export type Count = { readonly broken: number; readonly of: number };

/** When a clause is broken. */
export type Condition = {
  readonly clause: ClauseId;
  /** As a sentence with its counts; empty for silence. */
  readonly condition: string;
  /** Completes "only …"; undefined where nothing is known, or nothing else was judged. */
  readonly when: string | undefined;
  readonly by: 'halving' | 'search' | 'silence';
  readonly unit: 'response' | 'animal';
  /** The smallest row that fails, and the nearest one that does not. */
  readonly failing: Row | undefined;
  readonly right: Row | undefined;
  /** The cases to which it applies, and all others. */
  readonly broken: Count;
  readonly otherwise: Count;
  /** A request to which it applies and that is wrong, and the nearest one that is right. */
  readonly shown?: { readonly broken: Exchange; readonly twin?: Exchange };
  /** What has to come right before the wrong one, or how many requests have to be in flight together. */
  readonly before?: Exchange;
  readonly atOnce?: number;
  /** The counts are of requests that were sent again to find out. */
  readonly isAsked?: true;
  /** What was wrong was right each time that it was sent again, and nothing shows when it is wrong. */
  readonly isGone?: true;
};
/** A condition, with the cases that are told apart by it. */
export type Found = Omit<Condition, 'shown' | 'before' | 'atOnce'> & {
  readonly inside?: readonly Subject[];
  readonly outside?: readonly Subject[];
  readonly predicates?: readonly Predicate[];
};

export type Asking = {
  readonly clauses: readonly Clause[];
  readonly now: () => World;
  /** Sends each row and says which exchanges came of it; undefined where it may not be sent. */
  readonly ask: (row: Row) => Promise<readonly number[] | undefined>;
  readonly vectorOf: (sent: Sent) => Vector | undefined;
  readonly groupOf: (sent: Sent) => Group | undefined;
  readonly wording: ConditionWording;
};

/** What failed, and what a condition is told about. */
export type Subject = { readonly exchange: Exchange; readonly isBroken: boolean };

/** What a run knows when all was asked. */
export type Ended = { readonly world: World; readonly cases: CasesByClause; readonly asking: Asking };

/** How many values of a dimension two requests do not have in common; those that nobody planned are the farthest. */
function distanceOf(one: Vector | undefined, other: Vector | undefined): number {
  if (one === undefined || other === undefined) return Number.POSITIVE_INFINITY;
  const all = new Set([...dimensionsOf(one), ...dimensionsOf(other)]);
  return [...all].filter((dimension) => JSON.stringify(valueIn(one, dimension)) !== JSON.stringify(valueIn(other, dimension))).length;
}

/** The right request that differs least from the wrong one: of equals, the last, which was asked to compare them. */
function twinOf(broken: Exchange, { right, outside = [] }: Found, { vectorOf }: Asking): Exchange | undefined {
  const wanted = right === undefined || isGroup(right) ? vectorOf(broken.sent) : right;
  const isOther = ({ exchange, isBroken: wrong }: Subject): boolean =>
    !wrong && exchange.response !== undefined && isSameOperation(exchange, broken);
  const near = outside
    .filter(isOther)
    .map(({ exchange }) => ({ exchange, far: distanceOf(vectorOf(exchange.sent), wanted) }))
    .toSorted((a, b) => a.far - b.far || b.exchange.number - a.exchange.number);
  return near[0]?.exchange;
}

/** The exchanges of a group that was asked, as it was asked last. */
function lastOf(group: Group, { groupOf }: Asking, { all }: World): readonly Exchange[] {
  const key = JSON.stringify(group);
  const asked = all.filter(({ sent }) => JSON.stringify(groupOf(sent)) === key);
  return asked.slice(-group.rows.length);
}

const ASKED = { broken: { broken: TRIES, of: TRIES }, otherwise: { broken: 0, of: TRIES }, isAsked: true } as const;

/** The condition with the requests that show it. */
export function shownWith(found: Found, { world, asking }: Ended): Condition {
  const { inside = [], outside: _outside, predicates = [], ...condition } = found;
  const { failing } = found;
  if (failing !== undefined && isGroup(failing) && found.by !== 'silence') {
    const exchanges = lastOf(failing, asking, world);
    const broken = exchanges.at(-1);
    if (broken === undefined) return condition;
    const before = exchanges.at(-2);
    const company = failing.how === 'together' ? { atOnce: failing.rows.length } : before === undefined ? {} : { before };
    // The same requests one after another were sent as often.
    return { ...condition, ...(found.right === undefined || found.isAsked === true ? {} : ASKED), shown: { broken }, ...company };
  }
  const broken = inside.findLast((one) => one.isBroken)?.exchange;
  if (broken === undefined || found.by === 'silence') return condition;
  const twin = found.when === undefined ? undefined : twinOf(broken, found, asking);
  const before = predicates.map(({ name }) => requestBefore(name, broken, world)).find((one) => one !== undefined);
  const isInCompany = predicates.some(({ name, test }) => name === 'others' && test.kind !== 'most');
  return {
    ...condition,
    shown: { broken, ...(twin === undefined ? {} : { twin }) },
    ...(before === undefined ? {} : { before }),
    ...(isInCompany ? { atOnce: loadOf(broken, world).inFlight + 1 } : {}),
  };
}
