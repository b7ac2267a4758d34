import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defineRules } from '../../suites/define.ts';
import { errorsShape } from '../../suites/errors/shape.clause.ts';
import { judgeSession, KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { knowledgeOf, listed, posted, read } from '../../test/support/exchange-samples.ts';
import type { CatalogClauseId, Effect, Step } from '../clause/clause.ts';
import { eventOf, type Rule, type SessionClause } from '../oracle/world.ts';
import { type ReferenceServer, startReference } from '../reference/server.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Session } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { judgeByRules, planOf, recordJudged } from './judging.ts';

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

const lists: Rule = { layer: 'status', judge: ({ intent }) => (intent.operation === 'listPets' ? 'holds' : 'not-applicable') };

/** A check that writes to the diary when it begins and when it ends. */
function check(id: string, shape: Shape) {
  const send = async ({ api }: Session): Promise<void> => {
    diary.push(`${id} begins`);
    await api.list();
    diary.push(`${id} ends`);
  };
  return { id, title: id, fault: 'list-forbidden' as const, send, ...shape };
}

function clauseOf(id: CatalogClauseId, checks: readonly ReturnType<typeof check>[], invariants: readonly string[] = []): SessionClause {
  const met = invariants.map((name) => ({ id: name, title: name, fault: 'list-forbidden' as const }));
  return defineRules({
    id,
    chapter: 'list-pets',
    section: 's',
    level: 'required',
    quote: ['a sentence of the document'],
    requirement: 'd',
    likelyCause: 'h',
    rules: [lists],
    sent: checks,
    met,
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

test('createJudging sends for the checks of a step concurrently and for the steps in turn, and adds the verdicts on invariants', async () => {
  diary.length = 0;
  const { records } = await judgeSession(open, { clauses, effects: ['read', 'write'] });
  expect(records.map(({ id, clause, kind, verdict }) => [id, clause, kind, verdict])).toEqual([
    ['list.success/one', 'list.success', 'check', 'pass'],
    ['get.success/two', 'get.success', 'check', 'pass'],
    ['get.success/three', 'get.success', 'check', 'pass'],
    ['list.success/late', 'list.success', 'check', 'pass'],
    ['list.success/law', 'list.success', 'invariant', 'pass'],
  ]);
  expect(diary.slice(0, 2)).toEqual(['one begins', 'two begins']);
  expect(diary.slice(2, 4).toSorted()).toEqual(['one ends', 'two ends']);
  expect(diary.slice(4)).toEqual(['three begins', 'three ends', 'late begins', 'late ends']);
});

describe('What a part finds', () => {
  const withoutCode = { status: 401, body: { message: 'No key', status: 401 } };
  const withoutStatus = { status: 404, body: { code: 'not_found', message: 'No animal' } };

  /** What the record shows of these exchanges. */
  function shown(exchanges: readonly Exchange[]) {
    const history = { events: exchanges.map(eventOf), known: knowledgeOf(), sent: new Map() };
    const [part] = judgeByRules(history, { clauses: [errorsShape], plan: [] });
    if (part === undefined) throw new Error('errors.shape has no part');
    const { findings, note, cases } = recordJudged(open, part);
    return { summaries: findings.map(({ summary }) => summary), note, cases: cases?.length };
  }

  test('is shown with counter-examples of different kinds before several of one kind, and every case is listed', () => {
    const { summaries, note, cases } = shown([
      ...Array.from({ length: 25 }, (_, index) => listed({ limit: index + 1 }, withoutCode)),
      read(7n, withoutStatus),
      posted({}, { status: 400, body: [] }),
      read(8n, withoutStatus),
    ]);
    const statuses = summaries.map((summary) => /^the (\d+)/.exec(summary)?.[1]);
    expect(statuses.slice(0, 4)).toEqual(['401', '404', '400', '401']);
    expect(summaries).toHaveLength(20);
    expect(note).toContain('limit=1');
    expect(note).toContain('28 of 28 exchanges');
    expect(cases).toBe(28);
  });

  test('is shown by the first twenty if all are of one kind', () => {
    const { summaries } = shown(Array.from({ length: 25 }, (_, index) => listed({ limit: index + 1 }, withoutCode)));
    const limits = summaries.map((summary) => Number(/limit=(\d+)/.exec(summary)?.[1]));
    expect(limits).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  });
});

test('A part has one verdict where the plan has the whole clause and only parts of it are selected.', () => {
  const selected = clauses.map((one) => ({ ...one, checks: one.checks.slice(0, 1) }));
  const plan = planOf({ clauses, effects: ['read', 'intrusive', 'write'] });
  const sent = new Map(plan.flat().map(({ check: { id } }) => [id, { outcome: undefined, duration: 0 }]));
  const run = { events: [], known: open.session.knowledge, sent };
  const ids = judgeByRules(run, { clauses: selected, plan }).map(({ id }) => id);
  expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  expect(ids.length).toBeGreaterThan(selected.length);
});
