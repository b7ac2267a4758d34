// When a clause is broken, by what is known of the cases that a run has: nothing is asked for it.

import type { ClauseId, Layer } from '../clause/clause.ts';
import type { JudgedCase } from '../oracle/blame.ts';
import { attributesOf, BEFORE, COUNT_UP, COURSE, IN_ORDER, KINDS_OF_REQUESTS, STATES } from '../oracle/exchange-attributes.ts';
import type { Clause } from '../oracle/rule.ts';
import { statusOf, timelineViewOf } from '../oracle/timeline-view.ts';
import type { World } from '../oracle/world.ts';
import { type ConditionWording, dimensionsOf, valueIn } from '../plan/halve.ts';
import { periodOf } from '../plan/period.ts';
import { holds, type Known, type Predicate, type tell } from '../plan/tell.ts';
import type { Vector } from '../session/vector.ts';
import { LEAST_ERROR } from '../wire/statuses.ts';
import { inSeconds } from '../wire/wording.ts';
import type { Asking, Condition, Count, Found, Subject } from './condition.ts';

export const isBroken = ({ breach, explainedBy }: JudgedCase): boolean => breach !== undefined && explainedBy === undefined;
export const countOf = (subjects: readonly Subject[]): Count => ({
  broken: subjects.filter((one) => one.isBroken).length,
  of: subjects.length,
});

/** A share of cases with a condition that is as good as all of them: another condition may keep some from failing. */
export const NEARLY = 0.9;
/** Fewer cases without a condition show nothing. */
export const FEW = 3;
export const NOTHING: Count = { broken: 0, of: 0 };

export type Sentence = Pick<Found, 'condition' | 'when' | 'broken' | 'otherwise' | 'inside' | 'outside'>;

export function sentence(texts: readonly string[], inside: readonly Subject[], outside: readonly Subject[]): Sentence {
  const [broken, otherwise] = [countOf(inside), countOf(outside)];
  const base = { broken, otherwise, inside, outside };
  const counts = `${broken.broken} of ${broken.of}; otherwise ${otherwise.broken} of ${otherwise.of}`;
  // Where nothing else is judged, there is nothing that it would be different from.
  if (texts.length === 0 || (otherwise.of < FEW && broken.broken === broken.of))
    return { ...base, condition: eachTime(broken), when: undefined };
  // What is fine stands at the end of a sentence, or in parentheses.
  const said =
    texts.length === 1
      ? (texts[0] ?? '')
      : texts
          .map((text) => text.replace(/; (\S+ is fine)$/, ' ($1)'))
          .join(' and ')
          .replace(/ responses and in (?=GET|POST)/, ' responses to ');
  const condition = otherwise.broken === 0 ? `Only ${said}: ${counts}` : `${said.charAt(0).toUpperCase()}${said.slice(1)}: ${counts}`;
  return { ...base, condition, when: said };
}

const eachTime = ({ broken, of }: Count): string => `${broken === of ? 'each time' : 'in the plainest request too'}: ${broken} of ${of}`;

const FORM: readonly Layer[] = ['media type', 'JSON', 'schema'];

export type CountedCase = { readonly known: Known; readonly isBroken: boolean; readonly subject: Subject };

/** What is known of a request, and which values its row names. */
export function knownOf({ exchange }: Subject, clause: Clause | undefined, world: World, vectorOf: Asking['vectorOf']): Known {
  const vector = vectorOf(exchange.sent);
  // Of the form of responses, which response it is says when; of all else, it is what is wrong.
  const isOfForm = ({ letter, layer }: Clause['rules'][number]): boolean => letter === true && FORM.includes(layer);
  const isForm = clause?.rules.some(isOfForm) === true && exchange.status !== undefined;
  const response = isForm
    ? ([
        ['error response', (exchange.status ?? 0) >= LEAST_ERROR ? 'yes' : 'no'],
        ['response', exchange.status ?? 0],
      ] as const)
    : [];
  const values =
    vector === undefined ? [] : dimensionsOf(vector).map((dimension) => [`row ${dimension}`, String(valueIn(vector, dimension))] as const);
  return new Map<string, string | number>([...response, ...attributesOf(exchange, world), ...values]);
}

/** What is known of the animals that a clause is broken for, and of those that it is not. */
export function animalCases(cases: readonly JudgedCase[], world: World): readonly CountedCase[] {
  const made = new Map<bigint, CountedCase>();
  for (const one of cases) {
    const { animal: id, explainedBy, exchange } = one;
    const animal = id === undefined ? undefined : timelineViewOf(world).animals.get(id);
    if (id === undefined || animal === undefined || explainedBy !== undefined || (made.get(id)?.isBroken === true && !isBroken(one)))
      continue;
    const { creation } = animal;
    const born = creation === undefined ? [] : attributesOf(creation, world);
    const status = statusOf(animal);
    const known = new Map([
      ...born,
      ['whose', creation === undefined ? 'there before' : 'created'],
      ['id', Number(id)],
      ...(status === undefined ? [] : [['status of the animal', status] as const]),
    ] as [string, string | number][]);
    made.set(id, { known, isBroken: isBroken(one), subject: { exchange: creation ?? exchange, isBroken: isBroken(one) } });
  }
  return [...made.values()];
}

/** By predicates of which `look` finds those that matter. */
export function toldCondition(
  clause: ClauseId,
  cases: readonly CountedCase[],
  { asking, unit, look }: { readonly asking: Asking; readonly unit: Condition['unit']; readonly look: typeof tell },
): Found | undefined {
  const { wording } = asking;
  const counted = cases.toSorted((one, other) => one.subject.exchange.at - other.subject.exchange.at);
  const rows = [...new Set(counted.flatMap(({ known }) => [...known.keys()].filter((name) => name.startsWith('row '))))];
  const predicates = look(counted, {
    names: [...wording.names, ...rows],
    ...{ countUp: COUNT_UP, inOrder: IN_ORDER, kinds: KINDS_OF_REQUESTS, before: BEFORE, states: STATES, course: COURSE },
    isSaid: (predicate) => predicate.name.startsWith('row ') || wording.predicateText(predicate) !== undefined,
  });
  if (predicates.length === 0) return undefined;
  const inside = counted.filter(({ known }) => predicates.every((one) => holds(one, known))).map(({ subject }) => subject);
  const outside = counted.map(({ subject }) => subject).filter((one) => !inside.includes(one));
  const vectorsIn = (subjects: readonly Subject[]): readonly Vector[] =>
    subjects.flatMap(({ exchange }) => asking.vectorOf(exchange.sent) ?? []);
  const [vector] = vectorsIn(inside.filter((one) => one.isBroken));
  const text = (predicate: Predicate): string => {
    const dimension = predicate.name.replace(/^row /, '');
    const named = vector === undefined ? undefined : valueIn(vector, dimension);
    const isOfRow = predicate.name !== dimension && vector !== undefined && named !== undefined;
    return isOfRow ? wording.valueText(vector, dimension, named) : (wording.predicateText(predicate) ?? predicate.name);
  };
  const right = vectorsIn(outside).find((one) => one.op === vector?.op);
  return { clause, by: 'search', unit, failing: vector, right, predicates, ...sentence(predicates.map(text), inside, outside) };
}

/** So many broken cases in a row are not isolated ones. */
const LEAST_IN_A_ROW = 5;

/** What was broken for some time and at no other: of what was right when it was sent again. */
export function passingCondition(clause: ClauseId, subjects: readonly Subject[]): Found | undefined {
  const broken = subjects.filter((one) => one.isBroken);
  const from = Math.min(...broken.map(({ exchange }) => exchange.at));
  const until = Math.max(...broken.map(({ exchange }) => exchange.done));
  const inside = subjects.filter(({ exchange: { at, done } }) => at >= from && done <= until);
  const outside = subjects.filter((one) => !inside.includes(one));
  if (broken.length < Math.max(LEAST_IN_A_ROW, NEARLY * inside.length) || outside.length < FEW) return undefined;
  const text = `${inSeconds(from)} to ${inSeconds(until)} after the start`;
  return { clause, failing: undefined, right: undefined, by: 'search', unit: 'response', ...sentence([text], inside, outside) };
}

/** What is broken each so many-th time, of the requests of one operation: in all, or on their connections. */
export function recurringCondition(clause: ClauseId, subjects: readonly Subject[], { everyText }: ConditionWording): Found | undefined {
  const operations = new Set(subjects.filter((one) => one.isBroken).map(({ exchange }) => exchange.facts.operation));
  const alike = subjects
    .filter(({ exchange }) => operations.size === 1 && operations.has(exchange.facts.operation))
    .toSorted((one, other) => one.exchange.done - other.exchange.done);
  const flags = (some: readonly Subject[]): readonly boolean[] => some.map((one) => one.isBroken);
  const every = periodOf([flags(alike)]);
  const onConnections = [...Map.groupBy(alike, ({ exchange }) => exchange.response?.connection?.id).values()].map(flags);
  const period = every ?? periodOf(onConnections);
  const [operation] = operations;
  if (operation === undefined || period === undefined) return undefined;
  const text = everyText(operation, period, every === undefined);
  const told = Object.groupBy(subjects, (one) => (one.isBroken ? 'broken' : 'right'));
  return {
    ...{ clause, failing: undefined, right: undefined, by: 'search', unit: 'response' },
    ...sentence([text], told.broken ?? [], told.right ?? []),
  };
}
