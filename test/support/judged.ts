// Tables of judgements: requests with what they got, and what the rules of a clause say about the last of them.

import { expect, test } from 'vitest';
import type { StatedKind } from '../../src/clause/failure-kind.ts';
import { expectedStatuses } from '../../src/clause/failure-kind.ts';
import { casesOf, explainBreaches } from '../../src/oracle/blame.ts';
import type { Breach, Case } from '../../src/oracle/rule.ts';
import { judgeHistory, type Verdict } from '../../src/oracle/verdicts.ts';
import type { Run } from '../../src/oracle/world.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { type Answered, type Asked, type Failed, history } from './history.ts';

type Reply = Answered | Failed | 'timeout';
export type Step = { readonly asked: Asked; readonly reply: Reply; readonly at?: number; readonly isJudged?: true };
type Parameters = Readonly<Record<string, string | number>>;

const stepOf = (asked: Asked, reply: Reply): Step => ({ asked, reply });
export const NO_KEY = { credential: undefined } as const;

export function listed(parameters: Parameters, reply: Reply, more: Asked = {}): Step {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
  return stepOf({ target: query.length === 0 ? '/pets' : `/pets?${query.join('&')}`, ...more }, reply);
}
export const read = (id: bigint | string, reply: Reply, more: Asked = {}): Step => stepOf({ target: `/pets/${id}`, ...more }, reply);
export const posted = (body: unknown, reply: Reply, more: Asked = {}): Step => stepOf({ body, ...more }, reply);

/** The history of the requests, one a second but for those that say when. */
export function historyOf(steps: readonly Step[], run: Partial<Run> = {}) {
  const made = history(run);
  for (const { asked, reply, at } of steps) made.add(asked, reply === 'timeout' ? undefined : reply, at);
  return made;
}

/** The request that is judged, where it is not the last one. */
export const judged = (step: Step): Step => ({ ...step, isJudged: true });

function casesIn(id: string, steps: readonly Step[]): readonly Case[] {
  const own = clauses.filter((clause) => clause.id === id);
  if (own.length === 0) throw new Error(`there is no clause ${id}`);
  const cases = [...casesOf(own, historyOf(steps).now()).values()].flat();
  for (const one of cases) if (one.breach !== undefined) expectFinding(one, one.breach);
  return cases;
}

/** A finding has no empty text, says what was expected and received as its summary does, and shows the exchange that it is about. */
function expectFinding({ exchange, others = [] }: Case, breach: Breach): void {
  const { summary, expected, received, failureKinds = [], shown = [exchange] } = breach;
  const kinds = failureKinds.flatMap((kind) => [kind.place, kind.expected, kind.received ?? summary]);
  expect([summary, received, ...expected, ...kinds].filter((text) => text === '' || /undefined|\[object/.test(text))).toEqual([]);
  const [, status, wanted] = / returned (\d{3}); expected (\d.*)$/.exec(summary) ?? [];
  expect(expected.length).toBeGreaterThan(0);
  if (wanted !== undefined) {
    expect(expected.map((one) => one.slice(0, 3)).toSorted()).toEqual(wanted.split(' or ').toSorted());
    expect(received.slice(0, 3)).toBe(status);
  }
  expect(shown.filter(({ number }) => [exchange, ...others].some((one) => one.number === number))).not.toEqual([]);
}

/** What breaks the clause, whatever may explain it. */
export const breachesOf = (id: string, steps: readonly Step[]): readonly Case[] =>
  casesIn(id, steps).filter(({ breach }) => breach !== undefined);

/** What the rules of the clause say about that request: the first thing that is wrong, or else whether they hold. */
export function judgementOn(id: string, steps: readonly Step[]): Breach | 'holds' | 'not-applicable' {
  const all = casesIn(id, steps);
  const own = steps.findIndex(({ isJudged }) => isJudged) + 1 || steps.length;
  const cases = all.filter(({ exchange, others = [] }) => [exchange, ...others].some(({ number }) => number === own));
  const breach = cases.find((one) => one.breach !== undefined)?.breach;
  return breach ?? (cases.length > 0 ? 'holds' : 'not-applicable');
}

/** What is found: words of the summary, and the place in the body. */
type Broken = { readonly summary: string | RegExp; readonly pointer?: string };
export const broken = (summary: string | RegExp, pointer?: string): Broken => ({ summary, ...(pointer === undefined ? {} : { pointer }) });

/** A request, or several in order, and the judgement on the last one or on the one that is marked. */
export type Row = readonly [
  name: string,
  steps: Step | readonly Step[],
  expected: Broken | 'holds' | 'not-applicable',
  before?: readonly Step[],
];

/** A rule names the kinds of a failure, without values, unless the expected statuses do. */
function expectKinds(kinds: readonly StatedKind[], expected: readonly string[]): void {
  if (kinds.length === 0) expect(expectedStatuses({ expected })).toBeDefined();
  for (const { place, expected: right, received = '' } of kinds) {
    const words = [place, received, ...(place === 'HTTP status' ? [] : [right])].join(' ');
    // These are words of the document.
    expect(words.replace(/\/v1|HTTP\/1|limit=20|int64|UTF-8/g, '')).not.toMatch(/\d/);
  }
}

/** One test for each row. */
export function testClause(clause: string, rows: readonly Row[]): void {
  for (const [name, steps, expected, before = []] of rows) {
    test(`${clause} judges ${name}`, () => {
      const judgement = judgementOn(clause, [...before, steps].flat());
      if (typeof expected === 'string' || typeof judgement === 'string') {
        expect(judgement).toEqual(expected);
        return;
      }
      const { summary, pointer } = expected;
      expect(judgement.summary).toEqual(typeof summary === 'string' ? expect.stringContaining(summary) : expect.stringMatching(summary));
      expect(judgement.pointer).toBe(pointer);
      expectKinds(judgement.failureKinds ?? [], judgement.expected);
    });
  }
}

/** The clauses that are broken by what nothing explains, of those asked for. */
export function brokenBy(steps: readonly Step[], asked: readonly string[]): readonly string[] {
  const world = historyOf(steps).now();
  return [...explainBreaches(casesOf(clauses, world), world)].flatMap(([id, all]) => {
    for (const one of all) if (one.breach !== undefined) expectFinding(one, one.breach);
    return asked.includes(id) && all.some(({ breach, explainedBy }) => breach !== undefined && explainedBy === undefined) ? [id] : [];
  });
}

export const verdictOn = (id: string, steps: readonly Step[]): Verdict | undefined =>
  judgeHistory(clauses, historyOf(steps).now()).find(({ clause }) => clause.id === id);
