// Clauses from outside, as their authors write them.

import { LAYERS, type OwnClauseId, type Quote } from '../clause/clause.ts';
import { CLAUSE_IDS } from '../clause/clause-ids.ts';
import {
  mustOf,
  type OwnClause,
  OwnClauseError,
  type OwnInvariant,
  type OwnKind,
  type OwnRule,
  observe,
  ruleOf,
  ruleOfInvariant,
} from '../oracle/own.ts';
import type { Clause } from '../oracle/rule.ts';
import { isRaw, problemOfRaw, type RawRequest, rawVector } from '../session/raw.ts';
import type { Vector } from '../session/vector.ts';
import type { PetStatus } from '../wire/exchange.ts';

type OfAll = {
  /** Without the API key, or with another one. */
  readonly credential?: 'none' | 'like the key';
  /** Who sends it: what that changes in the headers. */
  readonly client?: OwnClient;
  readonly connection?: 'kept' | 'fresh';
};

export type OwnClient =
  | 'curl'
  | 'browser'
  | 'User-Agent of a browser'
  | 'python'
  | 'Java'
  | 'no User-Agent'
  | 'no Accept'
  | 'any media type'
  | 'gzip, deflate, or br'
  | 'German'
  | 'no cache'
  | 'request and correlation ids';

/** A request by what is special about it: all else is as usual. A text that begins with an equals sign is sent as it is. */
export type OwnVector =
  | (OfAll & { readonly op: 'list'; readonly limit?: number | `=${string}`; readonly status?: PetStatus })
  /** `id`: the place of an animal in the first list, from 0; -1 for the newest; `=37` for that id; `63 bits` for one that no animal has. */
  | (OfAll & { readonly op: 'get'; readonly id?: number | `=${string}` | '63 bits' })
  | (OfAll & {
      readonly op: 'create';
      /**
       * A plain name that no other request has, with a text in JSON after it (`=>" Zoë"`) or before it (`=<"~"`), or with so many letters; all
       * namesakes have the same.
       */
      readonly name?: `=>"${string}"` | `=<"${string}"` | `=letters ${number}` | 'namesake' | 'missing';
      /** By default, one that the service accepts; the others are JSON. */
      readonly category?: `=${string}` | 'missing';
      readonly status?: PetStatus | `=${string}`;
    });

/** A request of a clause from outside: what is special about it, or written out. */
export type OwnRow = OwnVector | RawRequest;

/** A clause as its author writes it. */
export type OwnClauseDraft = {
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
  /** Laws that judge each exchange by itself, without a history and without blame. */
  readonly invariants?: readonly OwnInvariant[];
  /** What it sends. All rules judge all requests of the run, whoever sent them. */
  readonly rows?: readonly OwnRow[];
} & (
  | {
      /** `required` fails the run if it is broken, `advised` warns. */
      readonly level: 'required' | 'advised';
      readonly rules?: readonly OwnRule[];
      /** Which cases the rules have, each kind of which must be met; by default one kind, all of them. */
      readonly met?: readonly Omit<OwnKind, 'observe'>[];
    }
  | {
      /** Only records what its kinds `observe`; it has no rules. */
      readonly level: 'open';
      readonly rules?: never;
      readonly met: readonly (OwnKind & Required<Pick<OwnKind, 'observe'>>)[];
    }
);

const ID = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*\.[a-z0-9][a-z0-9-]*$/;
const SLUG = /^[a-z0-9][a-z0-9-]*$/;

const PAGE = 'docs/own-clauses.md of this package';
/** What to do about a clause for version 1. */
export const REWRITE_CHECKS = `rewrite them as rules, as ${PAGE} shows under "Rewriting a clause of an earlier version"`;
/** What to do about one for version 2. */
export const REWRITE_SENT = `write its requests as "rows", as ${PAGE} shows under "Requests of your own"`;

const isClauseId = (one: string): boolean => ID.test(one) || CLAUSE_IDS.some((id) => id === one);

/** `read, write or final`. */
const anyOf = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** What is wrong with a rule, for authors whose editor does not check types; undefined if nothing is. */
function problemOfRule({ layer, judge, judgeAll, after = [], simpler }: OwnRule): string | undefined {
  if (typeof (judge ?? judgeAll) !== 'function') return 'needs a function "judge" or "judgeAll"';
  if (!LAYERS.includes(layer)) return `needs a "layer": ${anyOf(LAYERS)}`;
  const unknown = [...after, ...(simpler?.clauses ?? [])].find((one) => !isClauseId(one));
  return unknown === undefined ? undefined : `names "${unknown}", which is not the id of a clause`;
}

const OPERATIONS: readonly unknown[] = ['list', 'get', 'create'];

function problemOfRow(row: unknown): string | undefined {
  if (typeof row !== 'object' || row === null) return 'is not an object';
  if (isRaw(row)) return problemOfRaw(row);
  const { op, ...values } = row as Readonly<Record<string, unknown>>;
  if (!OPERATIONS.includes(op)) return `has the op ${JSON.stringify(op)}: there are list, get and create`;
  const [odd] = Object.entries(values).find(([name, value]) => name === 'raw' || !['string', 'number'].includes(typeof value)) ?? [];
  return odd === undefined ? undefined : `has a value of "${odd}" that is neither a text nor a number`;
}

/** Throws OwnClauseError for what was written for an earlier version. */
function checkVersion(draft: OwnClauseDraft): void {
  const { id } = draft;
  if ('checks' in draft) throw new OwnClauseError(`${id} has checks, which are gone since version 2.0.0: ${REWRITE_CHECKS}`);
  if ('sent' in draft) throw new OwnClauseError(`${id} has "sent", which is gone since version 3.0.0: ${REWRITE_SENT}`);
}

/** Throws OwnClauseError for what the types forbid, because clauses may be JavaScript. */
function checkDraft(draft: OwnClauseDraft): void {
  const { id, level, rules = [], rows = [], invariants = [] } = draft;
  const met: readonly OwnKind[] = draft.met ?? [];
  if (!ID.test(id)) {
    throw new OwnClauseError(
      `the clause "${id}" needs an id of a prefix, an area and a rule in small letters, such as acme:list.newest-first`,
    );
  }
  checkVersion(draft);
  if (rules.length + met.length + invariants.length === 0)
    throw new OwnClauseError(`${id} has neither rules nor invariants, so nothing judges it`);
  const slugs = [...met, ...invariants].map((part) => part.id);
  const bad = slugs.find((slug, index) => !SLUG.test(slug) || slugs.indexOf(slug) !== index);
  if (bad !== undefined) throw new OwnClauseError(`${id}: the part "${bad}" needs an id of its own in small letters, such as newest-first`);
  if (level === 'open' && rules.length > 0) throw new OwnClauseError(`${id} is open, so it has no rules: its kinds "observe"`);
  if (level !== 'open' && rules.length === 0 && met.length > 0)
    throw new OwnClauseError(`${id} has no rules, so nothing judges the cases of "${met[0]?.id}"`);
  const silent = level === 'open' ? met.find(({ observe }) => typeof observe !== 'function') : undefined;
  if (silent !== undefined) throw new OwnClauseError(`${id} is open: "${silent.id}" needs a function "observe"`);
  const [problem] = [
    ...rules.map((rule, index) => [`rule ${index + 1}`, problemOfRule(rule)] as const),
    ...rows.map((row, index) => [`row ${index + 1}`, problemOfRow(row)] as const),
  ].filter(([, text]) => text !== undefined);
  if (problem !== undefined) throw new OwnClauseError(`${id}: ${problem.join(' ')}`);
}

/**
 * A clause of your own, judged together with those of the interface, and reported with them. Its rules are pure functions that judge each
 * exchange of the run, given the whole run, and return `not-applicable`, `holds` (if the response could have broken the rule), or what is
 * wrong. Its rows are requests that the run sends for it.
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
 *     rows: [
 *       { op: 'list', limit: 100, client: 'browser' },
 *       { method: 'GET', target: '/pets?limit=100', headers: { 'x-tenant': 'acme' } },
 *     ],
 *   }),
 * ];
 * ```
 *
 * @throws OwnClauseError when an id or a row is malformed, nothing judges the clause, or it is one for an earlier version.
 */
export function defineClause(draft: OwnClauseDraft): OwnClause {
  checkDraft(draft);
  const { id, section, requirement, likelyCause, level, quote = [requirement], rules = [], invariants = [] } = draft;
  const met: readonly OwnKind[] = draft.met ?? [];
  const rows = (draft.rows ?? []).map((row): Vector => (isRaw(row) ? rawVector(row) : { ...row }));
  const sends = { sends: rows.length > 0 };
  const kinds = met.length > 0 || rules.length === 0 ? met : [{ id: 'every-response', title: requirement }];
  const judging = rules.map((rule) => ruleOf(rule, met));
  const laws = invariants.map((one) => ({ one, rule: ruleOfInvariant(one) }));
  return {
    ...{ id, chapter: 'own-rules', section, requirement, likelyCause, level, quote, rows },
    rules: [...judging, ...laws.map(({ rule }) => rule)],
    must:
      level === 'open'
        ? []
        : [...kinds.map((kind) => mustOf(kind, judging, sends)), ...laws.map(({ one, rule }) => mustOf(one, [rule], sends))],
    ...(level === 'open' ? { open: { observe: (exchanges, world) => observe(met, exchanges, world) } } : {}),
  };
}

/** Whatever copy of this package has made it. */
function isClause(value: unknown): value is OwnClause {
  if (typeof value !== 'object' || value === null) return false;
  const { id, chapter, must, rows } = value as Partial<OwnClause>;
  return typeof id === 'string' && ID.test(id) && chapter === 'own-rules' && Array.isArray(must) && Array.isArray(rows);
}

/**
 * The clauses of a module that was loaded from `source`: its export `clauses`.
 *
 * @throws OwnClauseError when there are none, or one of them was not made by `defineClause`.
 */
export function ownClausesOf(module: Readonly<Record<string, unknown>>, source: string): readonly OwnClause[] {
  const found = module['clauses'];
  if (!Array.isArray(found) || found.length === 0)
    throw new OwnClauseError(`${source} has no clauses: it exports an array named "clauses"`);
  const foreign = found.findIndex((one) => !isClause(one));
  if (foreign !== -1) throw new OwnClauseError(`${source}: clause ${foreign + 1} of its "clauses" was not made by defineClause`);
  return found as OwnClause[];
}

/** The rules of clauses from outside that threw, each as an error that names its clause. */
export function errorsOfOwn(verdicts: readonly { readonly clause: Clause; readonly thrown?: unknown }[]): readonly Error[] {
  return verdicts.flatMap((verdict) =>
    'thrown' in verdict
      ? [new Error(`${verdict.clause.id} threw an error instead of judging; this is a mistake in the clause`, { cause: verdict.thrown })]
      : [],
  );
}
