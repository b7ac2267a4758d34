// What the canary judges: its clauses, the ids of its checks, and their requests.

import { randomInt } from 'node:crypto';
import type { CheckId, ListedClause } from '../../clause/clause.ts';
import { haltInconclusive, haltNotApplicable } from '../../clause/halt.ts';
import { mayBeRemoved, REMOVED_STATUSES } from '../../clause/removal.ts';
import type { Planned } from '../../judge/judging.ts';
import { partsOfKinds } from '../../oracle/kinds.ts';
import { timelineCases } from '../../oracle/timelines.ts';
import { type Case, eventOf, isReadThrough, type Kind, type Rule, type SessionClause } from '../../oracle/world.ts';
import type { NewPetInput } from '../../schema/pet.ts';
import type { Session } from '../../session/session.ts';
import type { RememberedAnimal } from '../../session/state/run-state.ts';
import type { Exchange } from '../../wire/exchange.ts';
import type { Reservation } from './ledger.ts';

/** The clauses for which the canary has its own checks. */
export const CANARY_CLAUSES = ['create.success', 'create.round-trip', 'list.complete', 'get.durable', 'get.identity'] as const;
type CanaryClause = (typeof CANARY_CLAUSES)[number];

/** The slug in the ids of the canary's checks. */
const CANARY_SLUG = 'canary';

/** The id of the canary's check for a clause. */
function canaryCheckId(clause: CanaryClause): CheckId {
  return `${clause}/${CANARY_SLUG}`;
}

/** Whether only the canary has the check with that id: one waivers file also serves runs without a canary. */
export function isOfCanary(id: string): boolean {
  return CANARY_CLAUSES.some((clause) => canaryCheckId(clause) === id);
}

/** The clauses with the checks of the canary in addition to their own: what a waiver of the probe may name. */
export function withCanaryChecks(clauses: readonly ListedClause[]): readonly ListedClause[] {
  return clauses.map((clause) => {
    const name = CANARY_CLAUSES.find((one) => one === clause.id);
    if (name === undefined) return clause;
    return { ...clause, checks: [...clause.checks, { id: canaryCheckId(name), title: 'The animal of the canary' }] };
  });
}

/** Sends a POST that the ledger has reserved, once, and records its result. */
export type CanaryPost = (s: Session, sent: NewPetInput) => Promise<Exchange>;

/** What a run does in addition to its reads: one reserved creation, or another look at the latest created animal. */
export type CanaryPlan =
  | {
      readonly kind: 'create';
      /** Undefined: the category of the first listed animal. */
      readonly categoryId: bigint | undefined;
      /** The ledger has an animal that was created here: a rejection may be a quota. */
      readonly createdEarlier: boolean;
      readonly reserve: (sent: NewPetInput) => Reservation;
    }
  | { readonly kind: 'read'; readonly animal: RememberedAnimal };

/** A kind of cases that the canary sends requests for, and an additional rule of its clause for them. */
type Draft = Kind & {
  readonly clause: CanaryClause;
  readonly title: string;
  readonly send: (s: Session) => Promise<unknown>;
  readonly rule?: Rule;
};

/** Several kinds look at one thing that is done once. */
function once<Value>(make: (s: Session) => Promise<Value>): (s: Session) => Promise<Value> {
  let made: Promise<Value> | undefined;
  return (s) => {
    made ??= make(s);
    return made;
  };
}

/** The number of items in a list, readable or not. */
function countItems({ outcome }: Exchange): number {
  const json = outcome.kind === 'answered' ? outcome.answer.json : undefined;
  return json?.ok === true && Array.isArray(json.value) ? json.value.length : 0;
}

/**
 * Creates one animal, if a list can be read exactly as documented: a service that can't be read is not written to. It is `sold`: a test
 * animal should not be offered to anybody. Resolves to its id, if the service created it.
 */
async function create(s: Session, known: bigint | undefined, post: CanaryPost): Promise<bigint | undefined> {
  const list = await s.api.list({ limit: 100 });
  const { pets } = eventOf(list);
  if (pets === undefined || isReadThrough(eventOf(list)) || (pets.length === 0 && countItems(list) > 0)) return undefined;
  const categoryId = known ?? pets.find((pet) => pet.categoryId !== undefined)?.categoryId;
  if (categoryId === undefined)
    haltInconclusive('no category is known: the store shows no animals, and writes.categoryId is not set', 'choice');
  await post(s, { name: canaryName(), categoryId, status: 'sold' });
  return [...s.knowledge.created.values()][0]?.id;
}

const isOfCreated: NonNullable<Kind['cases']> = ({ animal }, { known }) => known.created.has(String(animal));

/** An animal that no list has room for, and that can't be read, is shown nowhere. */
const shownNowhere: Rule = {
  layer: 'history',
  judgeAll: (world) => timelineCases(world, 'get.success').filter(({ shape }) => shape === 'lost'),
};

const REMOVED = "getPet has been removed as announced, so animals can't be read by id";
const NOT_CREATED = 'no animal was created that could be looked for';
const NOT_SHOWN = 'no list had room for the animal, and nothing showed it';

function creating({ categoryId }: Extract<CanaryPlan, { kind: 'create' }>, post: CanaryPost): readonly Draft[] {
  const created = once((s) => create(s, categoryId, post));
  return [
    {
      clause: 'create.success',
      title: "Creating the canary's animal returns 201 with the created Pet",
      send: created,
      unmet: 'the list could not be read, so that nothing was created',
    },
    {
      clause: 'create.round-trip',
      title: "A read shows the canary's animal as it was sent",
      send: async (s) => {
        const id = await created(s);
        if (id !== undefined) await s.api.get(id);
      },
      cases: isOfCreated,
      unmet: NOT_CREATED,
    },
    {
      clause: 'list.complete',
      title: "The list shows the canary's animal",
      send: async (s) => {
        const id = await created(s);
        if (id === undefined) return;
        await s.api.list({ limit: 100 });
        // A list with its status may have room even if the unfiltered one does not.
        if (!s.knowledge.listed.has(String(id))) await s.api.list({ status: 'sold', limit: 100 });
      },
      cases: isOfCreated,
      unmet: NOT_SHOWN,
      rule: shownNowhere,
    },
  ];
}

function reading({ id, createdOn }: RememberedAnimal): readonly Draft[] {
  const isOfAnimal = ({ animal, event }: Case): boolean => (animal ?? event.intent.petId) === id;
  const read = once(async (s) => {
    const { status = 0 } = eventOf(await s.api.get(id));
    if (mayBeRemoved(s.options.now) && REMOVED_STATUSES.includes(status)) haltNotApplicable(REMOVED);
  });
  const kind = { send: read, cases: isOfAnimal, unmet: `the animal created on ${createdOn} could not be read` };
  return [
    { ...kind, clause: 'get.durable', title: "The canary's previous animal still exists" },
    { ...kind, clause: 'get.identity', title: "The canary's previous animal is returned with its id" },
    { ...kind, clause: 'create.round-trip', title: "The canary's previous animal is as it was sent" },
  ];
}

/** The clauses as the canary judges them, with the requests of a plan in place of their own checks. */
export function canaryPlan(
  plan: CanaryPlan,
  { clauses, post }: { readonly clauses: readonly SessionClause[]; readonly post: CanaryPost },
): { readonly clauses: readonly SessionClause[]; readonly plan: readonly (readonly Planned[])[] } {
  const drafts = plan.kind === 'create' ? creating(plan, post) : reading(plan.animal);
  const own = clauses.map((clause): SessionClause => {
    const draft = drafts.find((one) => one.clause === clause.id);
    if (draft === undefined) return clause;
    const { clause: id, rule, ...kind } = draft;
    const { checks } = partsOfKinds(id, { sent: [{ ...kind, id: CANARY_SLUG, step: 'write', effect: 'write' }] });
    if (rule === undefined) return { ...clause, checks };
    // The rule does not apply to other cases of the clause, which include the reads of the run.
    return { ...clause, checks, invariants: [], rules: [...clause.rules, rule] };
  });
  const planned = drafts.flatMap(({ clause: id }) => own.filter((one) => one.id === id));
  return { clauses: own, plan: [planned.flatMap((clause) => clause.checks.map((check) => ({ clause, check })))] };
}

export const CANARY_PREFIX = 'probe';
const LONGEST = 20;
const A = 'a'.charCodeAt(0);

/**
 * A new name of the plain domain: 20 ASCII letters, which reveals a name that is cut, with a capital in the middle, which reveals one whose
 * case is folded.
 */
function canaryName(): string {
  const letters = Array.from({ length: LONGEST - CANARY_PREFIX.length }, () => String.fromCharCode(A + randomInt(26))).join('');
  return CANARY_PREFIX + letters.slice(0, 1).toUpperCase() + letters.slice(1);
}
