import { afterAll, beforeAll, expect, test } from 'vitest';
import { defineClause, type InvariantDraft, type SuiteClause } from '../../suites/define.ts';
import { KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { haltInconclusive, inconclusive, observed, pass } from '../clause/halt.ts';
import type { Outcome } from '../clause/outcome.ts';
import { type ReferenceServer, startReference } from '../reference/server.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Session, SessionOptions } from '../session/session.ts';
import { createInvariantJudge } from './invariant-judge.ts';
import { describeInternalError, InternalError, judgeCheck } from './judge-check.ts';
import { INTERRUPTED } from './within-bounds.ts';

let reference: ReferenceServer;
let open: OpenSession;

beforeAll(async () => {
  reference = await startReference({ apiKey: KEY, seedAnimals: 3 });
  open = await openSession(sessionOptions(reference.baseUrl));
});

afterAll(async () => {
  await open.session.close();
  await reference.close();
});

type Shape = { readonly level?: 'required' | 'open'; readonly invariants?: readonly InvariantDraft[] };

function clauseOf(run: (session: Session) => Promise<Outcome>, { level = 'required', invariants = [] }: Shape = {}): SuiteClause {
  const check = { id: 'one', title: 'It holds', step: 'read', given: [], run } as const;
  const common = { id: 'list.success', chapter: 'list-pets', section: 's', quote: ['q'], requirement: 'd', likelyCause: 'h' } as const;
  if (level === 'open') return defineClause({ ...common, level, checks: [check], invariants });
  const fault = 'list-forbidden';
  const judging = invariants.map((invariant) => ({ ...invariant, fault }) as const);
  return defineClause({ ...common, level, checks: [{ ...check, fault }], invariants: judging });
}

async function judge(run: (session: Session) => Promise<Outcome>, { level, stop }: { level?: 'open'; stop?: AbortSignal } = {}) {
  const clause = clauseOf(run, level === undefined ? {} : { level });
  const [check] = clause.checks;
  if (check === undefined) throw new Error('the clause has no check');
  return judgeCheck(check, { clause, open, ...(stop === undefined ? {} : { stop }) });
}

test('judgeCheck gives the verdict that a check returns, or throws from any depth', async () => {
  expect(await judge(async () => pass('3 animals'))).toMatchObject({
    id: 'list.success/one',
    verdict: 'pass',
    note: '3 animals',
    kind: 'check',
  });
  const missing = await judge(async () => inconclusive('nothing there', 'circumstance'));
  expect(missing).toMatchObject({ verdict: 'inconclusive', note: 'nothing there' });
  expect(missing).not.toHaveProperty('blockedBy');
  const deep = async (): Promise<Outcome> => haltInconclusive('no list', 'list.success');
  expect(await judge(deep)).toMatchObject({ verdict: 'inconclusive', note: 'no list', blockedBy: 'list.success' });
  expect(open.summary().notices).toContain('list.success/one waits for list.success, which its "given" does not declare');
  const answer = observed({ question: 'q', answer: 'a' }, { question: 'r', answer: KEY });
  expect(await judge(async () => answer, { level: 'open' })).toMatchObject({
    verdict: 'observed',
    note: 'q: a; r: [key]',
    observations: [
      { question: 'q', answer: 'a' },
      { question: 'r', answer: '[key]' },
    ],
  });
});

test('judgeCheck keeps twenty findings with their exchanges and every case in short, and shows neither the key nor control characters', async () => {
  const broken = async ({ api }: Session): Promise<Outcome> => {
    const exchange = await api.list();
    const one = { summary: `says ${KEY}\u001b[2J`, expected: ['200'], received: KEY, exchanges: [exchange] };
    return { kind: 'fail', findings: [one, ...Array.from({ length: 24 }, () => one)] };
  };
  const record = await judge(broken);
  expect(record.findings).toHaveLength(20);
  expect(record.cases).toEqual(Array.from({ length: 25 }, () => ({ summary: 'says [key]\\u001b[2J', exchange: 1 })));
  expect(record.note).toMatch(/\(and 24 more\)$/);
  expect(JSON.stringify(record)).not.toContain(KEY);
  expect(record.note).not.toContain('\u001b');
});

test('judgeCheck shows of a finding what was wanted, what came, where, and the last twelve exchanges', async () => {
  const broken = async ({ api }: Session): Promise<Outcome> => {
    const exchanges = [];
    for (let limit = 1; limit <= 14; limit += 1) exchanges.push(await api.list({ limit }));
    const shown = { summary: 'too many', expected: ['one', KEY], received: 'two', pointer: '/1', exchanges };
    return { kind: 'fail', findings: [shown] };
  };
  const { note, findings } = await judge(broken);
  expect(note).toBe('too many');
  expect(findings).toMatchObject([{ summary: 'too many', expected: ['one', '[key]'], received: 'two', pointer: '/1' }]);
  const limits = findings.flatMap(({ exchanges }) => exchanges).map(({ url }) => Number(url.split('=')[1]));
  expect(limits).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
});

test('judgeCheck tells how long a check took', async () => {
  const slow = (): Promise<Outcome> => new Promise((resolve) => setTimeout(() => resolve(pass('')), 30));
  const begin = performance.now();
  const { duration } = await judge(slow);
  expect(duration).toBeGreaterThanOrEqual(29);
  expect(duration).toBeLessThanOrEqual(Math.ceil(performance.now() - begin));
});

test('describeInternalError shows the stack of what caused it', () => {
  const cause = new TypeError('undefined is no function');
  expect(describeInternalError(new InternalError('a.b/c broke', { cause }))).toBe(`a.b/c broke: ${cause.stack}`);
  expect(describeInternalError(new InternalError('a.b/c broke'))).toBe('a.b/c broke');
  expect(describeInternalError(cause)).toBe(cause.stack);
  expect(describeInternalError('a text')).toBe('a text');
  delete cause.stack;
  expect(describeInternalError(new InternalError('a.b/c broke', { cause }))).toBe('a.b/c broke: undefined is no function');
  expect(describeInternalError(cause)).toBe('undefined is no function');
});

test('judgeCheck makes an exception, and a failure of an open question, an internal error', async () => {
  const boom = async (): Promise<Outcome> => Promise.reject(new TypeError('undefined is no function'));
  await expect(judge(boom)).rejects.toBeInstanceOf(InternalError);
  await expect(judge(boom)).rejects.toHaveProperty('cause.message', 'undefined is no function');
  const broken: Outcome = { kind: 'fail', findings: [{ summary: 's', expected: [], received: 'c', exchanges: [] }] };
  await expect(judge(async () => broken, { level: 'open' })).rejects.toBeInstanceOf(InternalError);
});

test('judgeCheck ends a check that is under way when the run is interrupted, and starts none after that', async () => {
  const controller = new AbortController();
  const never = judge(() => new Promise(() => undefined), { stop: controller.signal });
  controller.abort('SIGINT');
  expect(await never).toMatchObject({ verdict: 'inconclusive', note: INTERRUPTED });
  let started = false;
  const late = async (): Promise<Outcome> => {
    started = true;
    return pass('');
  };
  expect(await judge(late, { stop: controller.signal })).toMatchObject({ note: INTERRUPTED });
  expect(started).toBe(false);
});

test('judgeCheck does not send the key elsewhere where the session forbids it', async () => {
  const options: SessionOptions = { ...open.session.options, intrusive: false };
  const careful = { ...open, session: { ...open.session, options } };
  const clause = clauseOf(async () => pass('sent'));
  const [check] = clause.checks;
  if (check === undefined) throw new Error('the clause has no check');
  expect(await judgeCheck({ ...check, effect: 'intrusive' }, { clause, open: careful })).toMatchObject({ verdict: 'inconclusive' });
  expect(await judgeCheck({ ...check, effect: 'intrusive' }, { clause, open })).toMatchObject({ verdict: 'pass' });
  expect(await judgeCheck(check, { clause, open: careful })).toMatchObject({ verdict: 'pass' });
});

test('createInvariantJudge counts what it judged, keeps its counter-examples, and one that breaks takes no other with it', async () => {
  const fresh = await openSession(sessionOptions(reference.baseUrl));
  const invariant = { title: 't' };
  const clause = clauseOf(async () => pass(''), {
    invariants: [
      { ...invariant, id: 'holds', judge: () => 'holds' },
      {
        ...invariant,
        id: 'odd',
        judge: ({ number }) => (number % 2 === 1 ? { summary: `number ${number}`, expected: [], received: '' } : 'holds'),
      },
      {
        ...invariant,
        id: 'once',
        judge: ({ number }) => (number === 3 ? { summary: 'number 3', expected: [], received: '' } : 'holds'),
      },
      { ...invariant, id: 'never', judge: () => 'not-applicable' },
      { ...invariant, id: 'throws', judge: () => haltInconclusive('a defect of ours', 'circumstance') },
    ],
  });
  const invariants = createInvariantJudge(fresh, [clause]);
  for (let sent = 0; sent < 10; sent += 1) await fresh.session.api.list();
  const [holds, odd, once, never, throws] = invariants.settle();
  expect(holds).toMatchObject({ verdict: 'pass', findings: [], evidence: { judged: 10, broken: 0 } });
  expect(odd).toMatchObject({ verdict: 'fail', note: 'number 1 (5 of 10 exchanges)', evidence: { judged: 10, broken: 5 } });
  expect(odd).toHaveProperty('findings.length', 5);
  expect(once).toMatchObject({ note: 'number 3', findings: [{ exchanges: [{ number: 3 }] }], evidence: { judged: 10, broken: 1 } });
  expect(never).toMatchObject({ verdict: 'not-applicable', findings: [], evidence: { judged: 0 } });
  expect(throws).toBeInstanceOf(InternalError);
  expect(throws).toHaveProperty('cause.outcome.missing', 'a defect of ours');
  await fresh.session.close();
});

test('createInvariantJudge passes nothing before a valid animal was seen, and judges nothing after an interrupt', async () => {
  const fresh = await openSession(sessionOptions(reference.baseUrl));
  const controller = new AbortController();
  const clause = clauseOf(async () => pass(''), { invariants: [{ id: 'holds', title: 't', judge: () => 'holds' }] });
  const invariants = createInvariantJudge(fresh, [clause], { stop: controller.signal });
  await fresh.session.api.get(424_242n);
  expect(invariants.settle()).toMatchObject([{ verdict: 'inconclusive', findings: [], evidence: { judged: 1 } }]);
  controller.abort('SIGINT');
  await fresh.session.api.list();
  expect(invariants.settle()).toMatchObject([{ evidence: { judged: 1 } }]);
  await fresh.session.close();
});

test('createInvariantJudge makes a finding on an open question an internal error', async () => {
  const fresh = await openSession(sessionOptions(reference.baseUrl));
  const judge = () => ({ summary: 's', expected: [], received: '' });
  const clause = clauseOf(async () => pass(''), { level: 'open', invariants: [{ id: 'law', title: 't', judge }] });
  const invariants = createInvariantJudge(fresh, [clause]);
  await fresh.session.api.list();
  expect(invariants.settle()).toEqual([expect.any(InternalError)]);
  await fresh.session.close();
});
