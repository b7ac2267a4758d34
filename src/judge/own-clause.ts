import { type CheckId, type InvariantJudgement, LAYERS, NEEDS, type OwnClauseId, type Quote, STEPS } from '../clause/clause.ts';
import { CLAUSE_IDS } from '../clause/clause-ids.ts';
import { type AllNeeds, partsOfKinds, type SendingDraft, type SilentDraft, type Usual } from '../oracle/kinds.ts';
import type { Kind, Rule, SessionClause } from '../oracle/world.ts';
import type { Fixtures, Session } from '../session/session.ts';
import type { RunState } from '../session/state/run-state.ts';
import type { Exchange } from '../wire/exchange.ts';

/**
 * What a kind of your own sends with. `api` has the three operations; `fixtures` make a NewPet that the service accepts (`plain`; `draft`
 * if it must be rejected anyway), an accepted category, an id that no animal has, or existing animals. `all` works on a list with as many
 * requests at a time as the run allows. Nothing here judges or waits for a verdict: rules do, afterwards.
 */
export type Sender = Pick<Session, 'options' | 'api' | 'all' | 'cases' | 'outOfTime' | 'notice'> & {
  readonly fixtures: Pick<Fixtures, 'plain' | 'draft' | 'category' | 'absentId' | 'withStatus' | 'sample' | 'many'>;
};

type InvariantDraft = {
  readonly id: string;
  readonly title: string;
  readonly judge: (exchange: Exchange, knowledge: RunState) => InvariantJudgement;
};

type Kinds<Needs extends AllNeeds, Besides = unknown> = {
  /**
   * Kinds of cases with their own requests, each with an id that is unique in the clause, a title, the `step` of the run in which it sends,
   * and its preconditions: `pets`, `petList`, `readable`, `creation`. Its cases are its own requests, unless `cases` chooses among all of
   * the run.
   */
  readonly sent?: {
    readonly [Index in keyof Needs]: SendingDraft<Needs[Index], Sender> & Pick<Usual, 'effect' | 'exhaustive'> & Besides;
  };
  /** Kinds of cases in any requests, whoever sent them: all cases of the rules, unless `cases` chooses. */
  readonly met?: readonly (SilentDraft & Besides)[];
};

/** A clause as its author writes it. */
export type OwnClauseDraft<Needs extends AllNeeds = AllNeeds> = {
  /** Prefix, area and rule: `acme:list.newest-first`. */
  readonly id: OwnClauseId;
  /** Where the rule is written down. */
  readonly section: string;
  /** What it requires, in one sentence. For an open clause: what is recorded. */
  readonly requirement: string;
  /** The sentences that it rests on, verbatim; the requirement if there are none. */
  readonly quote?: Quote;
  /** The usual cause when it is broken. */
  readonly likelyCause: string;
  /** Invariants that judge each exchange by itself as it arrives, without a history and without blame. */
  readonly invariants?: readonly InvariantDraft[];
} & (
  | ({
      /** `required` fails the run if it is broken, `advised` warns. */
      readonly level: 'required' | 'advised';
      /** They judge every exchange of the run, whoever sent it. Without kinds, all their cases are one part, `every-response`. */
      readonly rules?: readonly Rule[];
    } & Kinds<Needs>)
  | ({
      /** Only records what its kinds `observe`; it has no rules. */
      readonly level: 'open';
      readonly rules?: never;
    } & Kinds<Needs, Required<Pick<Kind, 'observe'>>>)
);

/**
 * Clauses from outside that can't be judged, and what is wrong with them.
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

/** What to do about a clause for version 1. */
export const REWRITE_CHECKS =
  'rewrite them as rules, as docs/own-clauses.md of this package shows under "Rewriting a clause that has checks"';

const isClauseId = (one: string): boolean => ID.test(one) || CLAUSE_IDS.some((id) => id === one);

/** `read, write or final`. */
const anyOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** What is wrong with a rule, for authors whose editor does not check types; undefined if nothing is. */
function problemOfRule({ layer, judge, judgeAll, after = [], simpler }: Rule): string | undefined {
  if (typeof (judge ?? judgeAll) !== 'function') return 'needs a function "judge" or "judgeAll"';
  if (!LAYERS.includes(layer)) return `needs a "layer": ${anyOf(LAYERS)}`;
  const unknown = [...after, ...(simpler?.clauses ?? [])].find((one) => !isClauseId(one));
  return unknown === undefined ? undefined : `names "${unknown}", which is not the id of a clause`;
}

function problemOfSending({ send, step, needs = [] }: SendingDraft<AllNeeds[number], Sender>): string | undefined {
  if (typeof send !== 'function') return 'needs a function "send"';
  if (!STEPS.includes(step)) return `needs a "step": ${anyOf(STEPS)}`;
  const isList = Array.isArray(needs) && needs.every((need) => Object.hasOwn(NEEDS, need));
  return isList ? undefined : `needs a list "needs" of ${anyOf(Object.keys(NEEDS))}, or none`;
}

/** Throws OwnClauseError for what the types forbid, because clauses may be JavaScript. */
function checkDraft(draft: OwnClauseDraft): void {
  const { id, level, rules = [], sent = [], met = [], invariants = [] } = draft;
  if (!ID.test(id)) {
    throw new OwnClauseError(
      `the clause "${id}" needs an id of a prefix, an area and a rule in small letters, such as acme:list.newest-first`,
    );
  }
  if ('checks' in draft) throw new OwnClauseError(`${id} has checks, which are gone since version 2.0.0: ${REWRITE_CHECKS}`);
  const kinds = [...sent, ...met];
  if (rules.length + kinds.length + invariants.length === 0)
    throw new OwnClauseError(`${id} has neither rules nor invariants, so nothing judges it`);
  const slugs = [...kinds, ...invariants].map((part) => part.id);
  const bad = slugs.find((slug, index) => !SLUG.test(slug) || slugs.indexOf(slug) !== index);
  if (bad !== undefined) throw new OwnClauseError(`${id}: the part "${bad}" needs an id of its own in small letters, such as newest-first`);
  if (level === 'open' && rules.length > 0) throw new OwnClauseError(`${id} is open, so it has no rules: its kinds "observe"`);
  if (level !== 'open' && rules.length === 0 && kinds.length > 0)
    throw new OwnClauseError(`${id} has no rules, so nothing judges the cases of "${kinds[0]?.id}"`);
  const silent = level === 'open' ? kinds.find(({ observe }) => typeof observe !== 'function') : undefined;
  if (silent !== undefined) throw new OwnClauseError(`${id} is open: "${silent.id}" needs a function "observe"`);
  const [problem] = [
    ...rules.map((rule, index) => [`rule ${index + 1}`, problemOfRule(rule)] as const),
    ...sent.map((kind) => [`"${kind.id}"`, problemOfSending(kind)] as const),
  ].filter(([, text]) => text !== undefined);
  if (problem !== undefined) throw new OwnClauseError(`${id}: ${problem.join(' ')}`);
}

/**
 * An invariant as a rule: called once for each exchange, with what the run knows when it is first judged, and explained by nothing else. An
 * exception of the first call is thrown again.
 */
function ruleOfPart({ judge }: InvariantDraft, part: CheckId): Rule {
  const known = new WeakMap<Exchange, () => InvariantJudgement>();
  const ask = (exchange: Exchange, knowledge: RunState): (() => InvariantJudgement) => {
    try {
      const judgement = judge(exchange, knowledge);
      return () => judgement;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  };
  return {
    ...{ part, layer: 'history', letter: true },
    judge({ exchange }, world) {
      const judgement = known.get(exchange) ?? ask(exchange, world.known);
      known.set(exchange, judgement);
      return judgement();
    },
  };
}

const everyResponse = (title: string): readonly SilentDraft[] => [{ id: 'every-response', title }];

/**
 * A clause of your own, judged together with those of the interface, and reported with them. Its rules are pure functions that judge each
 * exchange of the run, given the whole run, and return `not-applicable`, `holds` (if the response could have broken the rule), or what is
 * wrong. They need no requests of their own, and may have some: a kind of `sent` sends and judges nothing.
 *
 * @example
 * ```ts
 * import { defineClause } from '@petstore-conformance/cli';
 *
 * export const clauses = [
 *   defineClause({
 *     id: 'acme:list.cache-control',
 *     section: 'House rules, 4',
 *     level: 'required',
 *     requirement: 'Lists are never cached.',
 *     likelyCause: 'The gateway adds its default header.',
 *     rules: [
 *       {
 *         layer: 'values',
 *         judge({ intent, status, response }) {
 *           if (intent.operation !== 'listPets' || status !== 200) return 'not-applicable';
 *           const received = response?.headers.find(([name]) => name === 'cache-control')?.[1] ?? 'no Cache-Control';
 *           if (received === 'no-store') return 'holds';
 *           return { summary: `GET /pets returned ${received}`, expected: ['Cache-Control: no-store'], received };
 *         },
 *       },
 *     ],
 *     sent: [{ id: 'long-list', title: 'A long list is not cached', step: 'read', send: ({ api }) => api.list({ limit: 100 }) }],
 *     met: [{ id: 'every-list', title: 'No list is cached' }],
 *   }),
 * ];
 * ```
 *
 * @throws OwnClauseError when an id is malformed, nothing judges the clause, or it has checks as clauses for version 1 do.
 */
export function defineClause<const Needs extends AllNeeds>(draft: OwnClauseDraft<Needs>): SessionClause {
  const { id, section, requirement, likelyCause, level, quote = [requirement], ...judging }: OwnClauseDraft = draft;
  checkDraft(draft);
  const { rules = [], sent = [], met = [], invariants = [] } = judging;
  const isOfRulesAlone = rules.length > 0 && sent.length + met.length === 0;
  const kinds = partsOfKinds(id, { sent, met: isOfRulesAlone ? everyResponse(requirement) : met });
  const alone = invariants.map((one) => ({ id: `${id}/${one.id}` as CheckId, title: one.title, draft: one }));
  return {
    ...{ id, chapter: 'own-rules', section, requirement, likelyCause, level, quote },
    rules: [...rules, ...alone.map(({ draft, id }) => ruleOfPart(draft, id))],
    checks: kinds.checks.map((check) => ({ ...check, smoke: false })),
    invariants: [...kinds.invariants, ...alone.map(({ draft: _draft, ...one }) => one)],
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

/** Adds clauses from outside to a registry. Throws OwnClauseError if an id already exists. */
export function withOwnClauses(registry: readonly SessionClause[], own: readonly SessionClause[]): readonly SessionClause[] {
  const known = new Set<string>(registry.map(({ id }) => id));
  for (const { id } of own) {
    if (known.has(id)) throw new OwnClauseError(`there are two clauses with the id ${id}`);
    known.add(id);
  }
  return [...registry, ...own];
}
