import { expect, test } from 'vitest';
import type { ClauseRecord, MustRecord } from '../clause/clause-record.ts';
import { type ClauseFailureKind, MORE_TOO_MANY, ONE_TOO_MANY } from '../clause/failure-kind.ts';
import type { Verdict } from '../clause/outcome.ts';
import type { Waiver } from './waiver-file.ts';
import { applyWaivers, boundWaivers, broadNotices, examineWaivers, needlessWaivers, unknownWaiver, unwaived } from './waivers.ts';

const MAXIMUM = 'list.limit-maximum';
const registry = [{ id: MAXIMUM }, { id: 'get.success' }, { id: 'list.order' }];
const today = new Date('2026-11-21T23:59:00Z');
const waiver = (id: string, more: Partial<Waiver> = {}): Waiver => ({ id, reason: 'the old gateway', expires: '2026-11-21', ...more });
const apply = (clauses: readonly ClauseRecord[], ...waivers: Waiver[]) => applyWaivers(clauses, waivers, { registry, today });

const mustOf = (verdict: Verdict, index = 0): MustRecord => ({ title: `situation ${index}`, verdict, note: 'a note' });

/** A record of a clause with one `must` of each of these verdicts. */
function record(id: string, verdict: Verdict, musts: readonly Verdict[] = [verdict]): ClauseRecord {
  return {
    id: id as ClauseRecord['id'],
    ...{ chapter: 'list-pets', section: 'List animals', level: 'required', requirement: 'r', likelyCause: 'c', verdict, note: 'a note' },
    musts: musts.map(mustOf),
    findings: verdict === 'fail' ? [{ summary: 'broken', expected: ['200'], received: '500', exchanges: [] }] : [],
    observations: [],
  };
}

const kindOf = (received: string): ClauseFailureKind => ({ operation: 'listPets', place: '[]', expected: 'at most the limit', received });
const ONE = kindOf(ONE_TOO_MANY);
const MORE = kindOf(MORE_TOO_MANY);
const CRASH: ClauseFailureKind = { operation: 'listPets', place: 'HTTP status', expected: '200', received: '5xx' };

/** A failed clause with one case and one finding of each of these kinds. */
function failing(id: string, ...failureKinds: readonly ClauseFailureKind[]): ClauseRecord {
  const places = (place: number) => (failureKinds.length === 1 ? {} : { failureKinds: [place] });
  return {
    ...record(id, 'fail', ['fail', 'pass']),
    findings: failureKinds.map((kind, place) => ({ summary: kind.received, expected: [], received: '', exchanges: [], ...places(place) })),
    cases: failureKinds.map((kind, place) => ({ summary: kind.received, exchange: place + 1, ...places(place) })),
    failureKinds: failureKinds.map((kind) => ({ ...kind, cases: 1 })),
    evidence: { judged: 9, broken: failureKinds.length },
  };
}
const bound = (kind: Partial<ClauseFailureKind>, more: Partial<Waiver> = {}) => waiver(MAXIMUM, { ...kind, ...more });

test('applyWaivers makes a waived failure keep its findings and show reason, ticket and expiry on the last day that it holds', () => {
  const { clauses, staleWaivers } = apply([record('get.success', 'fail', ['fail', 'pass'])], waiver('get.success', { ticket: 'OPS-7' }));
  expect(staleWaivers).toEqual([]);
  const note = 'the old gateway (OPS-7, until 2026-11-21)';
  expect(clauses[0]).toMatchObject({ verdict: 'waived', note, findings: [{ summary: 'broken' }] });
  expect(clauses[0]?.musts).toMatchObject([{ verdict: 'waived', note }, { verdict: 'pass' }]);
});

test('applyWaivers shows no ticket if there is none, and leaves alone what does not fail', () => {
  const { clauses } = apply([record('get.success', 'fail'), record(MAXIMUM, 'inconclusive')], waiver('get.success'), waiver(MAXIMUM));
  expect(clauses.map(({ verdict, note }) => [verdict, note])).toEqual([
    ['waived', 'the old gateway (until 2026-11-21)'],
    ['inconclusive', 'a note'],
  ]);
});

test('applyWaivers takes the clause of a check of an earlier version, and prefers its entry', () => {
  const entries = [waiver('get.success', { reason: 'the clause' }), waiver('get.success/a', { reason: 'the check' })];
  expect(apply([record('get.success', 'fail')], ...entries).clauses[0]?.note).toContain('the check');
  expect(examineWaivers(entries, { unknown: (one) => unknownWaiver(one, registry), today }).warnings).toEqual([
    { position: 1, text: 'get.success/a is a check of an earlier version: get.success is taken for it until version 4, so write that id' },
  ]);
});

test('applyWaivers leaves a failure standing when its entry has expired, and says so', () => {
  const { clauses, staleWaivers } = apply([record('get.success', 'fail')], waiver('get.success', { expires: '2026-11-20' }));
  expect(clauses[0]?.verdict).toBe('fail');
  expect(staleWaivers).toEqual([
    'the waiver of get.success expired on 2026-11-20 ("the old gateway"): fix the failure, or set a later date if the reason still holds',
  ]);
});

test('applyWaivers names an entry that matches nothing, and what may have been meant', () => {
  expect(apply([], waiver('list.limit-max'), waiver('get.success/canary')).staleWaivers).toEqual([
    'the waiver of list.limit-max matches no clause (did you mean list.limit-maximum, list.order?): correct its id or remove it',
    'the waiver of get.success/canary is for a check of the canary, which was removed in version 3: remove the entry',
  ]);
});

test.each([
  ['passes', record(MAXIMUM, 'pass', ['pass', 'pass']), 1],
  ['is an open question', record(MAXIMUM, 'observed', []), 1],
  ['still fails', record(MAXIMUM, 'fail', ['pass', 'fail']), 0],
  ['passed, but was not judged in part', record(MAXIMUM, 'pass', ['pass', 'inconclusive']), 0],
  ['was not judged', record(MAXIMUM, 'inconclusive'), 0],
  ['does not apply', record(MAXIMUM, 'not-applicable'), 0],
  ['was left out', record('get.success', 'pass'), 0],
  ['passed, but not all was sent that shows it', { ...record(MAXIMUM, 'pass'), curtailed: true as const }, 0],
])('applyWaivers calls an entry no longer needed only if all that it waives was judged and passes: it %s', (_case, clause, stale) => {
  expect(apply([clause], waiver(MAXIMUM)).staleWaivers).toHaveLength(stale);
});

test('applyWaivers covers only the kind that an entry is bound to, and says of another one what was waived and what this is', () => {
  const { clauses, staleWaivers } = apply([failing(MAXIMUM, ONE)], bound(ONE));
  expect(clauses[0]).toMatchObject({ verdict: 'waived', failureKinds: [{ ...ONE, waiver: { entry: 1, reason: 'the old gateway' } }] });
  expect(staleWaivers).toEqual([]);
  const other = apply([failing(MAXIMUM, MORE)], bound(ONE));
  expect(other.clauses[0]).toMatchObject({
    verdict: 'fail',
    besideWaivers:
      'waived was listPets, []: expected at most the limit, received one too many (entry 1). ' +
      'This is listPets, []: expected at most the limit, received more than one too many',
  });
  expect(other.staleWaivers).toEqual([
    'the waiver of list.limit-maximum (listPets, []: expected at most the limit, received one too many) is no longer needed, because nothing that it waived fails: remove it',
  ]);
});

test('applyWaivers fails a clause with two kinds by the one that no entry covers, with its cases alone', () => {
  const contrast = { unit: 'response', there: { broken: 2, of: 2 }, elsewhere: { broken: 0, of: 7 } } as const;
  const { clauses, staleWaivers } = apply([{ ...failing(MAXIMUM, ONE, CRASH), contrast, flaky: true }], bound(ONE));
  expect(clauses[0]).toMatchObject({
    ...{ verdict: 'fail', note: '5xx', evidence: { judged: 9, broken: 1 } },
    cases: [{ summary: '5xx' }],
    findings: [{ summary: '5xx' }],
    failureKinds: [{ ...ONE, waiver: { entry: 1 } }, CRASH],
    besideWaivers: expect.stringContaining('. This is listPets, HTTP status: expected 200, received 5xx'),
  });
  expect(clauses[0]).not.toHaveProperty('contrast');
  expect(clauses[0]).not.toHaveProperty('flaky');
  expect(staleWaivers).toEqual([]);
  expect(apply([failing(MAXIMUM, ONE, CRASH)], bound(ONE), bound(CRASH)).clauses[0]).toMatchObject({ verdict: 'waived' });
});

test('applyWaivers takes a field that an entry does not have for anything', () => {
  expect(apply([failing(MAXIMUM, ONE, CRASH)], bound({ operation: 'listPets' })).clauses[0]?.verdict).toBe('waived');
  expect(apply([failing(MAXIMUM, ONE)], bound({ operation: 'getPet' })).clauses[0]?.verdict).toBe('fail');
});

test('applyWaivers lets an entry for a limit that is ignored cover a list with just one too many, and not the other way round', () => {
  expect(apply([failing(MAXIMUM, ONE, MORE)], bound(MORE)).clauses[0]?.verdict).toBe('waived');
  expect(apply([failing(MAXIMUM, ONE, MORE)], bound(ONE)).clauses[0]?.verdict).toBe('fail');
  expect(unwaived([failing(MAXIMUM, ONE, MORE)], []).map(({ kind }) => kind)).toEqual([MORE]);
});

test('applyWaivers does not call an entry stale whose failure comes and goes, or that is removed from its file anyway', () => {
  const gone = [record(MAXIMUM, 'pass')];
  expect(apply(gone, bound(ONE)).staleWaivers).toHaveLength(1);
  expect(apply(gone, bound(ONE, { flaky: true }), waiver(MAXIMUM, { flaky: true })).staleWaivers).toEqual([]);
  expect(applyWaivers(gone, [bound(ONE)], { registry, today, prunes: true }).staleWaivers).toEqual([]);
});

test('broadNotices names the entries that cover every failure of what was judged', () => {
  const said = broadNotices([failing(MAXIMUM, ONE)], [bound(ONE), waiver(MAXIMUM), waiver('get.success')], today);
  expect(said).toEqual([
    '1 waiver covers every failure of list.limit-maximum, whatever else breaks there; `run --update-waivers` binds it to what fails now',
  ]);
  expect(broadNotices([failing(MAXIMUM, ONE)], [bound(ONE)], today)).toEqual([]);
});

test('unwaived has each kind of failure of a clause with its first case, what it hides, and marks what did not recur', () => {
  const contrast = { when: 'with limit=37', unit: 'response', there: { broken: 1, of: 1 }, elsewhere: { broken: 0, of: 1 } } as const;
  const flaky = { ...failing('get.success', CRASH), flaky: true as const };
  const waiting: ClauseRecord = { ...record('list.order', 'pass'), musts: [{ ...mustOf('inconclusive'), blockedBy: 'get.success' }] };
  const found = unwaived([{ ...failing(MAXIMUM, ONE, CRASH), contrast }, flaky, waiting], [bound(CRASH, { expires: '2020-01-01' })]);
  expect(found).toEqual([
    { id: MAXIMUM, kind: ONE, condition: 'only with limit=37', comment: ONE_TOO_MANY },
    { id: 'get.success', kind: CRASH, flaky: true, comment: 'hides 1 situation; 5xx' },
  ]);
});

test('unwaived marks a clause as flaky that is broken sometimes, if nothing shows when', () => {
  const flakyOf = (clause: ClauseRecord) => unwaived([clause], []).map(({ flaky }) => flaky);
  expect(flakyOf(failing(MAXIMUM, ONE))).toEqual([true]);
  const everyTime = { ...failing(MAXIMUM, ONE), musts: [mustOf('fail')], evidence: { judged: 1, broken: 1 } };
  expect(flakyOf(everyTime)).toEqual([undefined]);
  const contrast = { unit: 'response', there: { broken: 9, of: 9 }, elsewhere: { broken: 0, of: 0 } } as const;
  expect(flakyOf({ ...failing(MAXIMUM, ONE), contrast })).toEqual([undefined]);
  const { clauses } = apply([failing(MAXIMUM, ONE, CRASH)], bound(ONE));
  expect(unwaived(clauses, [bound(ONE)])[0]).not.toHaveProperty('flaky');
});

test('boundWaivers has the failures that an entry for every failure covers now, and needlessWaivers the entries without any', () => {
  const entries = [waiver(MAXIMUM), bound(CRASH), waiver('get.success')];
  const { clauses } = apply([failing(MAXIMUM, ONE, CRASH)], ...entries);
  expect([...boundWaivers(clauses, entries, today)].map(([position, found]) => [position, found.map(({ kind }) => kind)])).toEqual([
    [0, [ONE]],
  ]);
  expect(needlessWaivers([failing(MAXIMUM, ONE)], entries, registry)).toEqual([1]);
  expect(needlessWaivers([{ ...failing(MAXIMUM, ONE), curtailed: true }], entries, registry)).toEqual([]);
});
