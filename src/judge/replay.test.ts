import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeReference, KEY, sessionOptions } from '../../test/prove/judge-reference.ts';
import { sampleRecord as sampleRun } from '../../test/report/sample-record.ts';
import { listed, posted, read } from '../../test/support/exchange-samples.ts';
import { sampleClauses, sampleRecord } from '../../test/support/judge-samples.ts';
import type { InvariantJudgement } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { Halt, inconclusive, notApplicable } from '../clause/halt.ts';
import type { Outcome } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { partsOfKinds } from '../oracle/kinds.ts';
import type { Event, SessionClause } from '../oracle/world.ts';
import { type ReferenceServer, startReference } from '../reference/server.ts';
import { type OpenSession, openSession } from '../session/open-session.ts';
import type { Session, SessionOptions } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import { type Failing, failingParts, failuresToReplay, foreignRequest, replay } from './replay.ts';
import { foreignPart } from './resend.ts';

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

const BROKEN: Outcome = { kind: 'fail', findings: [{ summary: 'broken', expected: [], received: '', exchanges: [] }] };

const FINE: Outcome = { kind: 'pass', evidence: 'fine' };

const WORDING = {
  ...{ id: 'list.success', chapter: 'list-pets', section: 's', level: 'required' },
  ...{ quote: ['a sentence of the document'], requirement: 'd', likelyCause: 'h' },
} as const satisfies Partial<SessionClause>;

/** A clause whose check `one` has these outcomes, one per try. */
function scripted(outcomes: readonly Outcome[]): SessionClause {
  const left = [...outcomes];
  let now: Outcome | undefined;
  const send = async ({ api }: Session): Promise<void> => {
    now = left.shift() ?? inconclusive('no more tries were meant', 'circumstance');
    if (now.kind !== 'pass' && now.kind !== 'fail') throw new Halt(now);
    await api.list({ limit: 7 });
  };
  const { checks } = partsOfKinds('list.success', { sent: [{ id: 'one', title: 'one holds', step: 'read', send }] });
  const judge = () => (now?.kind === 'fail' ? { summary: 'broken', expected: [], received: '' } : ('holds' as const));
  return { ...WORDING, checks, invariants: [], rules: [{ layer: 'values', judge }] };
}

/** A clause with the invariant that no list has a limit of five. */
function lawful(judge: (exchange: Exchange) => InvariantJudgement = noFive): SessionClause {
  const rules = [{ part: 'list.success/law', layer: 'values', judge: ({ exchange }: Event) => judge(exchange) }] as const;
  return { ...WORDING, checks: [], invariants: [{ id: 'list.success/law', title: 'law holds' }], rules };
}
function noFive({ request: { intent } }: Exchange): InvariantJudgement {
  return intent.limit === 5 ? { summary: 'a limit of five', expected: [], received: '' } : 'holds';
}

function recordOf(clauses: readonly ClauseRecord[]): RunRecord {
  const target = { baseUrl: reference.baseUrl, reference: false };
  return { ...sampleRun(), target, clauses };
}

/** A broken invariant that these exchanges showed. */
function brokenLaw(...exchanges: readonly Exchange[]): PartRecord {
  const findings = [{ summary: 's', expected: [], received: '', exchanges: exchanges.map((exchange) => open.redact(exchange)) }];
  return { ...sampleRecord('list.success/law', 'fail'), kind: 'invariant', findings };
}

type Again = { readonly tries?: number; readonly session?: Partial<SessionOptions> };

async function again(clause: SessionClause, broken: readonly PartRecord[], { tries = 2, session = {} }: Again = {}) {
  const options = sessionOptions(reference.baseUrl, session);
  const clauses = sampleClauses(broken);
  return replay({ registry: [clause], session: options, tries, record: recordOf(clauses), failures: failingParts(clauses, [clause]) });
}

test.each([
  [[], ['a.x', 'b.x', 'd.x', 'list.success']],
  [['a.x'], ['a.x']],
  [['a.x/one'], ['a.x']],
  [['*.x'], ['a.x', 'b.x', 'd.x']],
  [
    ['b.x', 'a.x/two'],
    ['a.x', 'b.x'],
  ],
  [['list-pets'], ['a.x', 'b.x', 'd.x', 'list.success']],
])('failuresToReplay takes what failed or was waived: %j', (patterns, expected) => {
  expect(failuresToReplay(mixedRecord(), patterns).map(({ id }) => id)).toEqual(expected);
});

test('a replay sends again whatever a run may have sent', async () => {
  const foreign = new Set<string | undefined>();
  let sent = 0;
  await judgeReference(
    {},
    {
      onExchange: (exchange) => {
        sent += 1;
        foreign.add(foreignPart(open.redact(exchange), reference.baseUrl));
      },
    },
  );
  expect(sent).toBeGreaterThan(1_000);
  expect([...foreign]).toEqual([undefined]);
});

test('failuresToReplay rejects a pattern that names no failure, and suggests a similar one', () => {
  expect(() => failuresToReplay(mixedRecord(), ['c.x/one'])).toThrow('no clause that failed matches "c.x/one"');
  expect(() => failuresToReplay(mixedRecord(), ['list.suces'])).toThrow('did you mean list.success');
});

function mixedRecord(): RunRecord {
  return recordOf(
    sampleClauses([
      sampleRecord('a.x/one', 'fail'),
      sampleRecord('b.x/one', 'fail'),
      sampleRecord('b.x/two', 'pass'),
      sampleRecord('c.x/one', 'inconclusive'),
      sampleRecord('d.x/one', 'waived'),
      sampleRecord('list.success/one', 'fail'),
    ]),
  );
}

describe('replay of a check', () => {
  const failure = sampleRecord('list.success/one', 'fail');

  test.each<[string, readonly Outcome[], number, string]>([
    ['still failing', [BROKEN, BROKEN], 2, 'broken'],
    ['flaky', [FINE, BROKEN], 1, 'broken'],
    ['flaky', [BROKEN, inconclusive('nothing there', 'circumstance')], 1, 'broken'],
    ['fixed', [FINE, FINE], 0, 'which does not break it'],
    ['fixed', [FINE, notApplicable('it is gone')], 0, 'which does not break it'],
    ['fixed', [{ kind: 'observed', observations: [{ question: 'q', answer: 'a' }] }, FINE], 0, 'which does not break it'],
    ['inconclusive', [FINE, inconclusive('nothing there', 'circumstance')], 0, 'nothing there'],
    ['inconclusive', [notApplicable('it is gone'), notApplicable('it is gone')], 0, 'it is gone'],
  ])('calls it %s after its tries', async (state, outcomes, failed, note) => {
    expect(await again(scripted(outcomes), [failure])).toEqual([
      { clause: 'list.success', warning: false, state, failed, tries: 2, note: expect.stringContaining(note) },
    ]);
  });

  test('is a warning if the run had --as-of, and the clause is newer', async () => {
    const [replayed] = await again(scripted([BROKEN, BROKEN]), [{ ...failure, newer: true }]);
    expect(replayed).toMatchObject({ state: 'still failing', warning: true });
  });

  test('sends again what showed it, also if the check itself sends other requests', async () => {
    const [own, law] = [scripted([FINE, FINE]), lawful()];
    const clause = { ...own, rules: [...own.rules, { ...law.rules[0], part: failure.id }] } as SessionClause;
    const shown = { ...failure, findings: brokenLaw(listed({ limit: 5 }, { status: 200, body: [] })).findings };
    expect((await again(clause, [shown], { tries: 1 }))[0]).toMatchObject({ state: 'still failing', note: 'a limit of five' });
    expect((await again(clause, [failure], { tries: 1 }))[0]).toMatchObject({ state: 'fixed' });
  });

  test('sends again what its contrast says, together where only that shows it', async () => {
    const sent = new Map<number, Event>();
    const note = (event: Event) => {
      sent.set(event.number, event);
      return 'holds' as const;
    };
    const own = scripted([FINE]);
    const clause = { ...own, rules: [...own.rules, { part: failure.id, layer: 'values', judge: note }] } as SessionClause;
    const share = { broken: 1, of: 1 };
    const [before, broken] = [3, 4].map((limit) => open.redact(listed({ limit }, { status: 200, body: [] })));
    const contrast = { unit: 'response', there: share, elsewhere: share, before, broken, atOnce: 3 } as const;
    await again(clause, [{ ...failure, contrast } as PartRecord], { tries: 1 });
    const of = (limit: number) => [...sent.values()].filter(({ intent }) => intent.limit === limit);
    expect([of(3).length, of(4).length]).toEqual([1, 3]);
    // All were sent before the first was answered.
    expect(Math.max(...of(4).map((event) => event.sent))).toBeLessThanOrEqual(Math.min(...of(4).map(({ done }) => done)));
    const alone = { concurrency: 1 };
    const [replayed] = await again(scripted([FINE]), [{ ...failure, contrast } as PartRecord], { tries: 1, session: alone });
    expect(replayed).toMatchObject({ state: 'inconclusive' });
  });

  test('reads what it creates only after the request that follows a creation', async () => {
    const sent = new Map<number, string>();
    const note = ({ number, intent }: Event) => {
      sent.set(number, intent.operation);
      return 'holds' as const;
    };
    const own = scripted([FINE]);
    const clause = { ...own, rules: [...own.rules, { part: failure.id, layer: 'values', judge: note }] } as SessionClause;
    const share = { broken: 1, of: 1 };
    const headers = [['content-type', 'application/json']] as const;
    const creation = posted({ name: 'rex', categoryId: 1 }, { status: 201, body: {} });
    const before = open.redact({
      ...creation,
      request: { ...creation.request, headers: [...creation.request.headers, ...headers] },
    });
    const broken = open.redact(listed({ limit: 5 }, { status: 200, body: [] }));
    const contrast = { unit: 'response', there: share, elsewhere: share, before, broken } as const;
    await again(clause, [{ ...failure, contrast } as PartRecord], { tries: 1 });
    expect([...sent.values()].join(' ')).toContain('createPet listPets getPet');
  });

  test('does not reject the report for a request that only the check itself sends', () => {
    const own = open.redact(listed({}, { status: 200, body: [] }, { rawQuery: 'q=1' }));
    const finding = (check: string) => ({ summary: 's', expected: [], received: '', exchanges: [{ ...own, check }] });
    const ofOwn = (check: string): readonly Failing[] =>
      failingParts(sampleClauses([{ ...failure, findings: [finding(check)] }]), [scripted([])]);
    expect(foreignRequest(recordOf([]), ofOwn(failure.id))).toBeUndefined();
    const record = { ...recordOf([]), target: { baseUrl: own.url.replace(/\/pets.*/, ''), reference: false } };
    expect(foreignRequest(record, ofOwn(failure.id))).toBeUndefined();
    expect(foreignRequest(record, ofOwn('list.success/other'))).toBe('the parameter q');
  });

  test('is inconclusive for a clause that is gone, and sends nothing for it', async () => {
    const nowhere = { baseUrl: 'http://127.0.0.1:9/v1' };
    const [gone] = await again(scripted([]), [sampleRecord('list.gone/one', 'fail')], { session: nowhere });
    expect(gone).toMatchObject({ state: 'inconclusive', tries: 2, note: 'it is not among the clauses of this release' });
    const mixed = await again(scripted([BROKEN]), [sampleRecord('list.gone/one', 'fail'), failure], { tries: 1 });
    expect(mixed.map(({ clause, state }) => [clause, state])).toEqual([
      ['list.gone', 'inconclusive'],
      ['list.success', 'still failing'],
    ]);
  });

  test('judges all parts of a clause whose situations have other titles', async () => {
    const [replayed] = await again(scripted([BROKEN, BROKEN]), [sampleRecord('list.success/gone', 'fail')]);
    expect(replayed).toMatchObject({ state: 'still failing', failed: 2 });
  });
});

describe('replay of an invariant', () => {
  const five = () => listed({ limit: 5 }, { status: 200, body: [] });
  const six = () => listed({ limit: 6 }, { status: 200, body: [] });
  const elsewhere = () => listed({ limit: 5 }, { status: 200, body: [] }, { rawQuery: `token=${KEY}` });
  const creation = () => posted({ name: 'rex', categoryId: 1 }, { status: 201, body: {} });

  test.each<[string, () => Exchange[], string]>([
    ['still failing', () => [five()], 'a limit of five'],
    ['still failing', () => [elsewhere(), five()], 'a limit of five'],
    ['fixed', () => [six()], 'exchanges judged, none of which breaks it'],
    ['fixed', () => [read(424_242n, { status: 404, body: {} })], 'exchanges judged, none of which breaks it'],
    ['inconclusive', () => [six(), elsewhere()], 'not all of its requests were sent again'],
    ['inconclusive', () => [elsewhere(), six()], 'not all of its requests were sent again'],
    ['inconclusive', () => [creation()], 'not all of its requests were sent again'],
  ])('sends the recorded exchanges and calls it %s', async (state, exchanges, note) => {
    const [replayed] = await again(lawful(), [brokenLaw(...exchanges())], { tries: 1, session: { readOnly: true } });
    expect(replayed).toMatchObject({ state, tries: 1, note: expect.stringContaining(note) });
  });

  test('judges the requests of its checks as well, and is broken while one of its parts fails', async () => {
    const asked: (number | string)[] = [];
    const note = ({ request: { intent } }: Exchange): InvariantJudgement => {
      asked.push(intent.limit);
      return 'holds';
    };
    const [own, law] = [scripted([BROKEN]), lawful(note)];
    const clause = { ...own, invariants: law.invariants, rules: [...own.rules, ...law.rules] };
    const check = { ...brokenLaw(five()), ...sampleRecord('list.success/one', 'fail'), findings: brokenLaw(five()).findings };
    const replayed = await again(clause, [check, brokenLaw(six())], { tries: 1 });
    expect(replayed.map(({ state }) => state)).toEqual(['still failing']);
    expect([...new Set(asked)]).toEqual(['absent', 5, 6, 7]);
  });

  test.each<[string, () => Exchange[]]>([
    ['the report has none', () => []],
    ['the path is no encoding of an id', () => [read('%', { status: 400, body: {} })]],
  ])('does not call it fixed if no exchange is sent again: %s', async (_case, exchanges) => {
    const [replayed] = await again(lawful(), [brokenLaw(...exchanges())], { tries: 1 });
    expect(replayed).toMatchObject({
      state: 'inconclusive',
      note: expect.stringContaining('not all of its requests were sent again'),
    });
  });

  test('does not call it fixed if it does not apply to what is sent again', async () => {
    const [replayed] = await again(
      lawful(() => 'not-applicable'),
      [brokenLaw(six())],
      { tries: 2 },
    );
    expect(replayed).toMatchObject({ state: 'inconclusive', failed: 0, tries: 2 });
  });
});
