import { afterAll, beforeAll, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { haltInconclusive, inconclusive } from '../clause/halt.ts';
import type { Outcome } from '../clause/outcome.ts';
import type { SessionCheck, SessionClause } from '../oracle/world.ts';
import { type ReferenceServer, startReference } from '../reference/server.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { SessionOptions } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { describeInternalError, INTERRUPTED, InternalError, recordPart, sendFor } from './check.ts';

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

function clauseOf(level: 'required' | 'open'): SessionClause {
  return {
    ...{ id: 'list.success', chapter: 'list-pets', section: 's', quote: ['q'], requirement: 'd', likelyCause: 'h', level },
    ...{ checks: [], invariants: [], rules: [] },
  };
}

function record(outcome: Outcome, level: 'required' | 'open' = 'required') {
  const part = { id: 'list.success/one', title: 'It holds', kind: 'check' } as const;
  return recordPart(open, { ...part, clause: clauseOf(level), outcome });
}

function checkOf(send: SessionCheck['send'], effect: SessionCheck['effect'] = 'read'): SessionCheck {
  return { id: 'list.success/one', title: 'It holds', step: 'read', needs: [], effect, smoke: false, exhaustive: false, send };
}

test('recordPart records the result of a part', () => {
  expect(record({ kind: 'pass', evidence: '3 animals' })).toMatchObject({
    ...{ id: 'list.success/one', verdict: 'pass', note: '3 animals', kind: 'check' },
  });
  const missing = record(inconclusive('nothing there', 'circumstance'));
  expect(missing).toMatchObject({ verdict: 'inconclusive', note: 'nothing there' });
  expect(missing).not.toHaveProperty('blockedBy');
  expect(record({ kind: 'inconclusive', missing: 'no list', why: 'waits', blockedBy: 'list.success' })).toMatchObject({
    verdict: 'inconclusive',
    blockedBy: 'list.success',
  });
  const response = {
    kind: 'observed',
    observations: [
      { question: 'q', answer: 'a' },
      { question: 'r', answer: KEY },
    ],
  } as const;
  expect(record(response, 'open')).toMatchObject({
    verdict: 'observed',
    note: 'q: a; r: [key]',
    observations: [
      { question: 'q', answer: 'a' },
      { question: 'r', answer: '[key]' },
    ],
  });
});

test('recordPart keeps twenty findings with their exchanges and every case in short, and shows neither the key nor control characters', async () => {
  const exchange = await open.session.api.list();
  const one = { summary: `says ${KEY}\u001b[2J`, expected: ['200'], received: KEY, exchanges: [exchange] };
  const { findings, cases, note } = record({ kind: 'fail', findings: [one, ...Array.from({ length: 24 }, () => one)] });
  expect(findings).toHaveLength(20);
  expect(cases).toEqual(Array.from({ length: 25 }, () => ({ summary: 'says [key]\\u001b[2J', exchange: exchange.number })));
  expect(note).toMatch(/\(and 24 more\)$/);
  expect(JSON.stringify(findings)).not.toContain(KEY);
  expect(note).not.toContain('\u001b');
});

test('recordPart shows what a finding expected and received, where, and its last twelve exchanges', async () => {
  const exchanges: Exchange[] = [];
  for (let limit = 1; limit <= 14; limit += 1) exchanges.push(await open.session.api.list({ limit }));
  const shown = { summary: 'too many', expected: ['one', KEY], received: 'two', pointer: '/1', exchanges };
  const { note, findings } = record({ kind: 'fail', findings: [shown] });
  expect(note).toBe('too many');
  expect(findings).toMatchObject([{ summary: 'too many', expected: ['one', '[key]'], received: 'two', pointer: '/1' }]);
  const limits = findings.flatMap((finding) => finding.exchanges).map(({ url }) => Number(url.split('=')[1]));
  expect(limits).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
});

test('recordPart makes a failure of an open question an internal error', () => {
  const broken: Outcome = { kind: 'fail', findings: [{ summary: 's', expected: [], received: 'c', exchanges: [] }] };
  expect(() => record(broken, 'open')).toThrow(InternalError);
});

test('sendFor says why not everything was sent, from any depth', async () => {
  expect(
    await sendFor(
      checkOf(async () => undefined),
      { open },
    ),
  ).toBeUndefined();
  const deep = async () => haltInconclusive('no list', 'choice');
  expect(await sendFor(checkOf(deep), { open })).toEqual(inconclusive('no list', 'choice'));
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

test('sendFor makes an exception an internal error', async () => {
  const boom = checkOf(() => Promise.reject(new TypeError('undefined is no function')));
  await expect(sendFor(boom, { open })).rejects.toBeInstanceOf(InternalError);
  await expect(sendFor(boom, { open })).rejects.toHaveProperty('cause.message', 'undefined is no function');
});

test('sendFor ends requests in flight when the run is interrupted, and starts nothing after that', async () => {
  const controller = new AbortController();
  const never = sendFor(
    checkOf(() => new Promise(() => undefined)),
    { open, stop: controller.signal },
  );
  controller.abort('SIGINT');
  expect(await never).toMatchObject({ kind: 'inconclusive', missing: INTERRUPTED });
  let started = false;
  const late = async (): Promise<undefined> => {
    started = true;
  };
  expect(await sendFor(checkOf(late), { open, stop: controller.signal })).toMatchObject({ missing: INTERRUPTED });
  expect(started).toBe(false);
});

test('sendFor does not send the key elsewhere if the session forbids it', async () => {
  const options: SessionOptions = { ...open.session.options, intrusive: false };
  const careful = { ...open, session: { ...open.session, options } };
  const send = async () => undefined;
  expect(await sendFor(checkOf(send, 'intrusive'), { open: careful })).toMatchObject({ kind: 'inconclusive', why: 'choice' });
  expect(await sendFor(checkOf(send, 'intrusive'), { open })).toBeUndefined();
  expect(await sendFor(checkOf(send), { open: careful })).toBeUndefined();
});
