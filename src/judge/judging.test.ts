import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineClause, type SuiteClause } from '../../suites/define.ts';
import { KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { judgeSession } from '../../test/support/judge-session.ts';
import type { CatalogClauseId, Effect, Step } from '../clause/clause.ts';
import { inconclusive, pass } from '../clause/halt.ts';
import type { Outcome } from '../clause/outcome.ts';
import { type ReferenceServer, startReference } from '../reference/server.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import { planOf } from './judging.ts';

let open: OpenSession;
let reference: ReferenceServer;
beforeAll(async () => {
  reference = await startReference({ apiKey: KEY, seedAnimals: 3 });
  open = await openSession(sessionOptions(reference.baseUrl));
});
afterAll(async () => {
  await open.session.close();
  await reference.close();
});

type Shape = { readonly step: Step; readonly effect?: Effect; readonly smoke?: boolean };
const diary: string[] = [];

/** A check that writes into the diary when it begins and when it ends. */
function check(id: string, shape: Shape) {
  const run = async (): Promise<Outcome> => {
    diary.push(`${id} begins`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    diary.push(`${id} ends`);
    return pass(id);
  };
  return { id, title: id, fault: 'list-forbidden' as const, given: [] as const, run, ...shape };
}

function clauseOf(id: CatalogClauseId, checks: readonly ReturnType<typeof check>[], invariants: readonly string[] = []): SuiteClause {
  const laws = invariants.map((name) => ({ id: name, title: name, fault: 'list-forbidden' as const, judge: () => 'holds' as const }));
  return defineClause({
    id,
    chapter: 'list-pets',
    section: 's',
    level: 'required',
    quote: ['a sentence of the document'],
    requirement: 'd',
    likelyCause: 'h',
    checks,
    invariants: laws,
  });
}

const clauses = [
  clauseOf('list.success', [check('late', { step: 'final' }), check('one', { step: 'read', smoke: true })], ['law']),
  clauseOf('get.success', [
    check('two', { step: 'read' }),
    check('odd', { step: 'read', effect: 'intrusive' }),
    check('three', { step: 'write', effect: 'write', smoke: true }),
  ]),
];

test.each<[string, Omit<Parameters<typeof planOf>[0], 'clauses'>, string[][]]>([
  [
    'all effects',
    { effects: ['read', 'intrusive', 'write'] },
    [['list.success/one', 'get.success/two', 'get.success/odd'], ['get.success/three'], ['list.success/late']],
  ],
  ['reading only', { effects: ['read'] }, [['list.success/one', 'get.success/two'], ['list.success/late']]],
  ['the selection of the probe', { effects: ['read', 'write'], smoke: true }, [['list.success/one'], ['get.success/three']]],
  ['the selection of the probe that reads', { effects: ['read'], smoke: true }, [['list.success/one']]],
  ['whatever the selection', { effects: ['write'], smoke: false }, [['get.success/three']]],
  ['no effect', { effects: [] }, []],
])('planOf orders checks by their steps: %s', (_case, options, expected) => {
  const plan = planOf({ clauses, ...options });
  expect(plan.map((group) => group.map((planned) => planned.check.id))).toEqual(expected);
  for (const planned of plan.flat()) expect(planned.check.id.startsWith(planned.clause.id)).toBe(true);
});

test('createJudging runs the checks of a step together and the steps in turn, and adds the verdicts on invariants', async () => {
  // What nobody has seen an animal of passes nothing.
  expect((await judgeSession(open, { clauses, effects: ['read'] })).records.map(({ verdict }) => verdict)).not.toContain('pass');
  diary.length = 0;
  await open.session.api.list();
  const { records } = await judgeSession(open, { clauses, effects: ['read', 'write'] });
  expect(records.map(({ id, clause, kind, verdict }) => [id, clause, kind, verdict])).toEqual([
    ['list.success/one', 'list.success', 'check', 'pass'],
    ['get.success/two', 'get.success', 'check', 'pass'],
    ['get.success/three', 'get.success', 'check', 'pass'],
    ['list.success/late', 'list.success', 'check', 'pass'],
    ['list.success/law', 'list.success', 'invariant', 'pass'],
  ]);
  expect(diary.slice(0, 4)).toEqual(['one begins', 'two begins', 'one ends', 'two ends']);
  expect(diary.slice(4)).toEqual(['three begins', 'three ends', 'late begins', 'late ends']);
});

test('the proof rejects a check that waits for a clause that it does not declare', async () => {
  const waits = { ...check('one', { step: 'read' }), run: async () => inconclusive('no list', 'list.success') };
  const undeclared = [clauseOf('list.order', [waits])];
  await expect(judgeSession(open, { clauses: undeclared, effects: ['read'] })).rejects.toThrow(/list\.order\/one waits for list\.success/);
});
