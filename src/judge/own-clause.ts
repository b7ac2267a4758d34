import type { Check, CheckId, Invariant, OwnClauseId, Quote } from '../clause/clause.ts';
import { CLAUSE_IDS } from '../clause/clause-ids.ts';
import { type Given, isNeed } from '../clause/needs.ts';
import type { Outcome } from '../clause/outcome.ts';
import type { SessionClause } from '../oracle/rule.ts';
import { establish, type Have } from '../session/fixtures/haves.ts';
import type { Session } from '../session/session.ts';
import type { RunState } from '../session/state/run-state.ts';

/**
 * A check as its author writes it: the id is the slug after that of the clause; it reads and is not exhaustive unless it says otherwise. It
 * runs with what it declared, once that is established.
 */
type CheckDraft<Declared extends readonly Given[]> = Pick<Check<Session>, 'title' | 'step'> & {
  readonly id: string;
  readonly given: Declared;
  readonly run: (session: Session, have: Have<Declared>) => Promise<Outcome>;
} & Partial<Pick<Check<Session>, 'effect' | 'exhaustive'>>;

/** What each of the checks of a clause declares. */
type AllGiven = readonly (readonly Given[])[];

type InvariantDraft = Omit<Invariant<RunState>, 'id' | 'fault'> & { readonly id: string };

/** A clause as its author writes it. */
export type OwnClauseDraft<Declared extends AllGiven = AllGiven> = {
  /** A prefix, area and rule: `acme:list.newest-first`. */
  readonly id: OwnClauseId;
  /** Where the rule is written down. */
  readonly section: string;
  /** What it requires, in one sentence. For an open clause: what is recorded. */
  readonly requirement: string;
  /** The sentences that it rests on, verbatim; the requirement where there are none. */
  readonly quote?: Quote;
  /** The usual cause when it is broken. */
  readonly likelyCause: string;
  /** `required` fails the run when it is broken, `advised` warns, `open` only records. */
  readonly level: 'required' | 'advised' | 'open';
  readonly checks?: { readonly [Index in keyof Declared]: CheckDraft<Declared[Index]> };
  readonly invariants?: readonly InvariantDraft[];
};

/**
 * Clauses from outside that can't be judged: what is wrong with them.
 *
 * @example
 * ```ts
 * import { createJudge, OwnClauseError } from '@petstore-conformance/cli';
 *
 * try {
 *   createJudge({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'secret' });
 * } catch (error) {
 *   if (error instanceof OwnClauseError) console.error(error.message);
 * }
 * ```
 */
export class OwnClauseError extends Error {
  override readonly name = 'OwnClauseError';
}

const ID = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/;
const SLUG = /^[a-z0-9][a-z0-9-]*$/;

const isGiven = (one: Given): boolean => isNeed(one) || ID.test(one) || CLAUSE_IDS.some((id) => id === one);

function checkIds({ id, checks = [], invariants = [] }: OwnClauseDraft): void {
  if (!ID.test(id)) {
    throw new OwnClauseError(
      `the clause "${id}" needs an id of a prefix, an area and a rule in small letters, such as acme:list.newest-first`,
    );
  }
  const slugs = [...checks, ...invariants].map((part) => part.id);
  if (slugs.length === 0) throw new OwnClauseError(`${id} has neither a check nor an invariant, so nothing judges it`);
  const lacking = checks.find(({ given }) => !Array.isArray(given) || !given.every(isGiven));
  if (lacking !== undefined)
    throw new OwnClauseError(
      `${id}: the check "${lacking.id}" needs a list "given" of what it needs, such as ['petList'], or [] for nothing`,
    );
  const bad = slugs.find((slug, index) => !SLUG.test(slug) || slugs.indexOf(slug) !== index);
  if (bad !== undefined)
    throw new OwnClauseError(`${id}: the check "${bad}" needs an id of its own in small letters, such as newest-first`);
}

/**
 * A clause of your own, judged beside those of the interface and reported with them.
 *
 * @example
 * ```ts
 * import { defineClause, failOr, pass } from '@petstore-conformance/cli';
 *
 * export const clauses = [
 *   defineClause({
 *     id: 'acme:list.cache-control',
 *     section: 'House rules, 4',
 *     level: 'required',
 *     requirement: 'Lists are never cached.',
 *     likelyCause: 'The gateway adds its default header.',
 *     checks: [
 *       {
 *         id: 'no-store',
 *         title: 'GET /pets returns cache-control: no-store',
 *         step: 'read',
 *         given: ['petList'],
 *         async run(_session, { petList: { exchange } }) {
 *           const headers = exchange.outcome.kind === 'answered' ? exchange.outcome.answer.headers : [];
 *           const received = headers.find(([name]) => name === 'cache-control')?.[1] ?? 'no cache-control';
 *           const finding = { summary: `GET /pets returned ${received}`, expected: ['no-store'], received, exchanges: [exchange] };
 *           return failOr(received === 'no-store' ? [] : [finding], pass('the first list'));
 *         },
 *       },
 *     ],
 *   }),
 * ];
 * ```
 *
 * @throws OwnClauseError when an id is malformed or nothing judges the clause.
 */
export function defineClause<const Declared extends AllGiven>(draft: OwnClauseDraft<Declared>): SessionClause {
  const { id, section, requirement, likelyCause, level, quote = [requirement], checks = [], invariants = [] }: OwnClauseDraft = draft;
  checkIds(draft);
  const full = (slug: string): CheckId => `${id}/${slug}`;
  return {
    ...{ id, chapter: 'own-rules', section, requirement, likelyCause, level, quote },
    checks: checks.map((check) => ({
      ...{ effect: 'read', exhaustive: false },
      ...check,
      smoke: false,
      id: full(check.id),
      run: (session) => establish(session, check),
    })),
    invariants: invariants.map((invariant) => ({ ...invariant, id: full(invariant.id) })),
  };
}

function isClause(value: unknown): value is SessionClause {
  if (typeof value !== 'object' || value === null) return false;
  const { id, chapter, checks, invariants } = value as Partial<SessionClause>;
  return typeof id === 'string' && ID.test(id) && chapter === 'own-rules' && Array.isArray(checks) && Array.isArray(invariants);
}

/**
 * The clauses of a module that was loaded from `source`: its export `clauses`.
 *
 * @throws OwnClauseError when there are none, or one of them was not made by `defineClause`.
 */
export function ownClausesOf(module: Readonly<Record<string, unknown>>, source: string): readonly SessionClause[] {
  const found = module['clauses'];
  if (!Array.isArray(found) || found.length === 0)
    throw new OwnClauseError(`${source} has no clauses: it exports an array named "clauses"`);
  const foreign = found.findIndex((one) => !isClause(one));
  if (foreign !== -1) throw new OwnClauseError(`${source}: clause ${foreign + 1} of its "clauses" was not made by defineClause`);
  return found as SessionClause[];
}

/** Adds clauses from outside to a registry. Throws OwnClauseError when an id is there already. */
export function withOwnClauses(registry: readonly SessionClause[], own: readonly SessionClause[]): readonly SessionClause[] {
  const known = new Set<string>(registry.map(({ id }) => id));
  for (const { id } of own) {
    if (known.has(id)) throw new OwnClauseError(`there are two clauses with the id ${id}`);
    known.add(id);
  }
  return [...registry, ...own];
}
