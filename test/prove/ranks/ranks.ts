// Blame by numbers, on today's rules: a rank for each clause in place of the lists of clauses that rules come `after`, and sets of what is special about a request
// in place of the predicates that say which one is simpler. An experiment: the product does not use it.

import type { ClauseId } from '../../../src/clause/clause.ts';
import { type BlamedCase, type CasesByClause, explainCases } from '../../../src/oracle/blame.ts';
import type { TimelineCase } from '../../../src/oracle/shapes.ts';
import type { Case, Event, Rule, SessionClause, World } from '../../../src/oracle/world.ts';
import { USER_AGENT } from '../../../src/wire/exchange.ts';

/** How a model explains: by `after` and by predicates as today, or without them. */
export type Model = {
  readonly name: string;
  /** In place of `after`: any breach of a clause of lower rank on the same exchange or animal, or one with the same symptom. */
  readonly ranks?: 'any symptom' | 'same symptom';
  /** In place of the predicates: the nearest request whose vector is a subset. Of the clauses that rules list today, or of any. */
  readonly subsets?: 'of listed clauses' | 'of any clause';
};

export const MODELS: readonly Model[] = [
  { name: 'today' },
  { name: 'ranks, any symptom', ranks: 'any symptom' },
  { name: 'ranks, same symptom', ranks: 'same symptom' },
  { name: 'subsets', subsets: 'of listed clauses' },
  { name: 'subsets of any clause', subsets: 'of any clause' },
  { name: 'ranks, any symptom; subsets', ranks: 'any symptom', subsets: 'of listed clauses' },
  { name: 'ranks, same symptom; subsets', ranks: 'same symptom', subsets: 'of listed clauses' },
  { name: 'ranks, same symptom; subsets of any clause', ranks: 'same symptom', subsets: 'of any clause' },
];

/** By clause, the clauses after which its rules come. */
type Graph = ReadonlyMap<ClauseId, readonly ClauseId[]>;

/** The edges of the graph that close a cycle, when it is walked from the first clause on. */
function cyclesOf(graph: Graph): ReadonlySet<string> {
  const closing = new Set<string>();
  const done = new Set<ClauseId>();
  function visit(clause: ClauseId, path: readonly ClauseId[]): void {
    if (done.has(clause)) return;
    for (const other of graph.get(clause) ?? []) {
      if (other === clause || path.includes(other)) closing.add(`${clause} ${other}`);
      else visit(other, [...path, clause]);
    }
    done.add(clause);
  }
  for (const clause of graph.keys()) visit(clause, []);
  return closing;
}

/** A number for each clause: the longest path in the graph of `after`, with cycles cut. */
export function ranksOf(clauses: readonly Pick<SessionClause, 'id' | 'rules'>[]): ReadonlyMap<ClauseId, number> {
  const graph: Graph = new Map(clauses.map(({ id, rules }) => [id, [...new Set(rules.flatMap(({ after = [] }) => after))]]));
  const closing = cyclesOf(graph);
  const ranks = new Map<ClauseId, number>();
  function rankOf(clause: ClauseId): number {
    const known = ranks.get(clause);
    if (known !== undefined) return known;
    const others = (graph.get(clause) ?? []).filter((other) => !closing.has(`${clause} ${other}`));
    const rank = others.length === 0 ? 0 : 1 + Math.max(...others.map(rankOf));
    ranks.set(clause, rank);
    return rank;
  }
  for (const { id } of clauses) rankOf(id);
  return ranks;
}

const isFiltered = ({ intent }: Event): boolean => intent.operation === 'listPets' && intent.status !== 'absent';
const placeOf = (event: Event): string => (isFiltered(event) ? 'filtered' : event.intent.operation);

/** The member that is wrong: the field of a timeline, or the end of the pointer. */
function memberOf({ breach, field, aspect }: Case & Pick<TimelineCase, 'field' | 'aspect'>): string {
  const pointed = breach?.pointer?.split('/').findLast((part) => !/^\d*$/.test(part));
  return field ?? pointed ?? aspect ?? '';
}

function expectedStatusOf({ breach }: Case): string {
  return /\b[1-5]\d\d\b/.exec(breach?.expected[0] ?? '')?.[0] ?? '';
}

/** What is wrong on an exchange: with equal symptoms, one breach may be the reason for the other. */
const symptomOf = (one: Case): string => `${memberOf(one)} ${expectedStatusOf(one)}`;

const USUAL_HEADERS: Readonly<Record<string, string>> = {
  accept: 'application/json',
  'user-agent': USER_AGENT,
  'content-type': 'application/json',
};

/** What is special about a request: a name and a value for each dimension in which it is not the plainest of its operation. */
export type Vector = ReadonlySet<string>;

function headerValues({ exchange: { request } }: Event): readonly string[] {
  const sent = request.headers.map(([name, value]) => [name.toLowerCase(), value] as const);
  const special = sent.filter(([name, value]) => !['authorization', 'traceparent'].includes(name) && USUAL_HEADERS[name] !== value);
  const names = new Set(sent.map(([name]) => name));
  const missing = Object.keys(USUAL_HEADERS).filter((name) => !names.has(name) && (name !== 'content-type' || request.body !== undefined));
  return [...special.map(([name, value]) => `header ${name}: ${value}`), ...missing.map((name) => `without ${name}`)];
}

function bodyValues({ intent }: Event): readonly string[] {
  const { body, bodyNote, bodyClause, sent } = intent;
  const status = sent?.status === undefined ? [] : [`status ${sent.status}`];
  if (body === 'plain') return [...status, ...(bodyNote === undefined ? [] : [`body ${bodyNote}`])];
  return body === 'none' ? [] : [...status, `body ${bodyNote ?? bodyClause ?? `${body} ${sent?.name} ${sent?.categoryId}`}`];
}

function queryValues({ intent, exchange: { request } }: Event): readonly string[] {
  if (intent.operation !== 'listPets' || request.query === '') return [];
  const parts = request.query.split('&');
  const isOrdered = !/^status=.*&limit=/.test(request.query);
  return [...parts.map((part) => `query ${part}`), ...(isOrdered ? [] : ['status before limit'])];
}

/** The request as a vector, read from today's intents and the bytes on the wire. `usualKey` is the note of the plain API key. */
export function vectorOf(event: Event, { usualKey, isKnown }: { readonly usualKey: string; readonly isKnown: boolean }): Vector {
  const { intent, exchange } = event;
  const { request } = exchange;
  return new Set([
    ...(intent.credentialNote === usualKey ? [] : [`credential ${intent.credentialNote}`]),
    ...queryValues(event),
    ...bodyValues(event),
    ...headerValues(event),
    ...(intent.operation === 'getPet' && !isKnown ? [`id ${request.path}`] : []),
    ...(intent.undocumented === true ? [`path ${request.path}`] : []),
    ...(intent.before === 'the API key' ? ['after the API key'] : []),
    ...(request.chunked === true ? ['chunked'] : []),
    ...(request.divided === true ? ['divided'] : []),
  ]);
}

/** Whether the request is a simpler one: nothing is special about it that is not about the other, and less is. */
export function isSimpler(simpler: Vector, own: Vector): boolean {
  return simpler.size < own.size && simpler.isSubsetOf(own);
}

/** The vectors of the requests of a run, and which are subsets. */
function simplerIn({ events, known }: World): (simpler: Event, own: Event) => boolean {
  const usualKey = events.find(({ intent }) => intent.credential === 'valid')?.intent.credentialNote ?? '';
  const vectors = new WeakMap<Event, { readonly key: string; readonly vector: Vector }>();
  const of = (event: Event) => {
    const kept = vectors.get(event);
    if (kept !== undefined) return kept;
    const { petId } = event.intent;
    const isKnown = petId !== undefined && (known.seen.has(String(petId)) || known.created.has(String(petId)));
    const vector = vectorOf(event, { usualKey, isKnown });
    const made = { vector, key: [...vector].join('\n') };
    vectors.set(event, made);
    return made;
  };
  const subsets = new Map<string, Map<string, boolean>>();
  return (simpler, own) => {
    if (simpler.intent.operation !== own.intent.operation) return false;
    const [one, other] = [of(simpler), of(own)];
    const byKey = subsets.get(other.key) ?? new Map<string, boolean>();
    subsets.set(other.key, byKey);
    const known = byKey.get(one.key) ?? isSimpler(one.vector, other.vector);
    byKey.set(one.key, known);
    return known;
  };
}

const isSameSymptom = (one: Case, other: Case): boolean => one.event.status === other.event.status && symptomOf(one) === symptomOf(other);

/** The clauses with a breach of the symptom, by exchange and by animal. */
function brokenBySymptom(cases: CasesByClause, isAny: boolean) {
  const broken = new Map<string, Set<ClauseId>>();
  const note = (key: string, clause: ClauseId): void => {
    const clauses = broken.get(key) ?? new Set();
    broken.set(key, clauses.add(clause));
  };
  const keysOf = (one: BlamedCase): readonly string[] => {
    const symptom = isAny ? '' : symptomOf(one);
    const place = isAny ? '' : placeOf(one.event);
    return [
      ...[one.event, ...(one.others ?? [])].map(({ number }) => `exchange ${number} ${symptom}`),
      ...(one.animal === undefined ? [] : [`animal ${one.animal} ${place} ${symptom}`]),
    ];
  };
  for (const [clause, all] of cases) {
    for (const one of all) if (one.breach !== undefined) for (const key of keysOf(one)) note(key, clause);
  }
  return (one: BlamedCase): ReadonlySet<ClauseId> => new Set(keysOf(one).flatMap((key) => [...(broken.get(key) ?? [])]));
}

/** A rule as the model blames by it. */
function mapped(rule: Rule, simpler: Rule['simpler'], { ranks, subsets }: Model): Rule {
  const { after, simpler: listed, ...rest } = rule;
  return {
    ...rest,
    ...(ranks === undefined && after !== undefined ? { after } : {}),
    ...(subsets === undefined && listed !== undefined ? { simpler: listed } : {}),
    ...(subsets !== undefined && simpler !== undefined ? { simpler } : {}),
  };
}

/** Explains breaches as the model does: by layers and by requests with the API key as today, else by ranks and subsets. */
export function explainBy(model: Model, ranks: ReadonlyMap<ClauseId, number>): typeof explainCases {
  return (cases, world) => {
    const isTwin = simplerIn(world);
    const withBreach = [...cases].filter(([, all]) => all.some(({ breach }) => breach !== undefined)).map(([clause]) => clause);
    const byRank = withBreach.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    const simplerOf = ({ simpler }: Rule): Rule['simpler'] => {
      if (model.subsets === 'of any clause') return { clauses: byRank, isTwin, explains: isSameSymptom };
      return simpler === undefined ? undefined : { clauses: simpler.clauses, isTwin };
    };
    const rules = new Map<Rule, Rule>();
    const ruleOf = (rule: Rule): Rule => {
      const known = rules.get(rule) ?? mapped(rule, simplerOf(rule), model);
      rules.set(rule, known);
      return known;
    };
    const told = explainCases(new Map([...cases].map(([id, all]) => [id, all.map((one) => ({ ...one, rule: ruleOf(one.rule) }))])), world);
    const beside = brokenBySymptom(cases, model.ranks === 'any symptom');

    function reasonOf(clause: ClauseId, one: BlamedCase): ClauseId | undefined {
      const own = ranks.get(clause) ?? 0;
      return [...beside(one)].find((other) => (ranks.get(other) ?? 0) < own && one.cleared?.includes(other) !== true);
    }

    /** With the rule as it is, by which parts know their cases. */
    function explained(clause: ClauseId, one: BlamedCase, rule: Rule): BlamedCase {
      const isOpen = model.ranks !== undefined && one.breach !== undefined && one.explainedBy === undefined;
      const explainedBy = isOpen ? reasonOf(clause, one) : undefined;
      return { ...one, rule, ...(explainedBy === undefined ? {} : { explainedBy }) };
    }

    return new Map(
      [...cases].map(([clause, all]) => [
        clause,
        all.map(({ rule }, index) => {
          const one = told.get(clause)?.[index];
          if (one === undefined) throw new Error(`a case of ${clause} is missing`);
          return explained(clause, one, rule);
        }),
      ]),
    );
  };
}
