import { expect, test } from 'vitest';
import { sampleClause, sampleClauses, sampleRecord } from '../../test/support/judge-samples.ts';
import { type ClauseFailureKind, MORE_TOO_MANY, ONE_TOO_MANY } from '../clause/failure-kind.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { boundWaivers } from './waiver-entries.ts';
import type { Waiver } from './waiver-file.ts';
import { broadNotices, needlessWaivers, staleWaivers, unwaived, waiveParts } from './waivers.ts';

const registry = [
  sampleClause('list.limit-maximum', { checks: ['each', 'with-status'], invariants: ['every-list'] }),
  sampleClause('get.success'),
  sampleClause('list.order', { level: 'open' }),
];
const today = new Date('2026-11-21T23:59:00Z');
const waiver = (id: string, more: Partial<Waiver> = {}): Waiver => ({ id, reason: 'the old gateway', expires: '2026-11-21', ...more });
function apply(given: readonly PartRecord[], ...waivers: Waiver[]) {
  const parts = waiveParts(given, waivers, today);
  const clauses = sampleClauses(parts);
  return { parts, clauses, stale: staleWaivers(clauses, waivers, { registry, today }) };
}

test('waiving makes a waived failure keep its findings and show reason, ticket and expiry on the last day that it holds', () => {
  const { parts, stale } = apply([sampleRecord('get.success/a', 'fail')], waiver('get.success/a', { ticket: 'OPS-7' }));
  expect(stale).toEqual([]);
  expect(parts[0]).toMatchObject({
    verdict: 'waived',
    note: 'the old gateway (OPS-7, until 2026-11-21)',
    findings: [{ summary: 'broken' }],
  });
});

test('waiving shows no ticket if there is none, and leaves alone what does not fail', () => {
  const records = [sampleRecord('get.success/a', 'fail'), sampleRecord('list.limit-maximum/each', 'inconclusive')];
  const { parts } = apply(records, waiver('get.success'), waiver('list.limit-maximum'));
  expect(parts.map(({ verdict, note }) => [verdict, note])).toEqual([
    ['waived', 'the old gateway (until 2026-11-21)'],
    ['inconclusive', 'a note'],
  ]);
});

test('waiving calls an entry no longer needed whatever the state of others', () => {
  const records = [sampleRecord('list.limit-maximum/each', 'pass'), sampleRecord('list.limit-maximum/with-status', 'fail')];
  const needless = expect.stringMatching(/^the waiver of list\.limit-maximum\/each is no longer needed/);
  expect(apply(records, waiver('list.limit-maximum/each')).stale).toEqual([needless]);
  expect(apply(records, waiver('list.limit-maximum/with-status')).stale).toEqual([]);
});

test('waiving covers all checks and invariants of a clause by the id of the clause, and no others', () => {
  const records = ['list.limit-maximum/each', 'list.limit-maximum/every-list', 'get.success/a'].map((id) => sampleRecord(id, 'fail'));
  const { parts } = apply(records, waiver('list.limit-maximum'));
  expect(parts.map(({ verdict }) => verdict)).toEqual(['waived', 'waived', 'fail']);
});

test('waiving prefers the entry of a check to that of its clause', () => {
  const entries = [waiver('get.success', { reason: 'the clause' }), waiver('get.success/a', { reason: 'the check' })];
  expect(apply([sampleRecord('get.success/a', 'fail')], ...entries).parts[0]?.note).toContain('the check');
});

test('waiving leaves a failure standing when its entry has expired, and says so', () => {
  const { parts, stale } = apply([sampleRecord('get.success/a', 'fail')], waiver('get.success', { expires: '2026-11-20' }));
  expect(parts[0]?.verdict).toBe('fail');
  expect(stale).toEqual([
    'the waiver of get.success expired on 2026-11-20 ("the old gateway"): fix the failure, or set a later date if the reason still holds',
  ]);
});

test('waiving names an entry that matches nothing, and what may have been meant', () => {
  expect(apply([], waiver('list.limit-max')).stale).toEqual([
    expect.stringMatching(
      /^the waiver of list\.limit-max matches no clause and no check \(did you mean list\.limit-maximum.*: correct its id or remove it$/,
    ),
  ]);
});

test.each([
  ['passes', ['pass', 'pass', 'pass'], 1],
  ['is an open question', ['observed', 'observed', 'observed'], 1],
  ['still fails in part', ['pass', 'fail', 'pass'], 0],
  ['was inconclusive in part', ['pass', 'inconclusive', 'pass'], 0],
  ['was left out in part', ['pass', 'pass'], 0],
  ['was left out', [], 0],
] as const)(
  'waiving calls an entry no longer needed only if all that it waives was judged and passes: it %s',
  (_case, verdicts, staleWaivers) => {
    const ids = ['list.limit-maximum/each', 'list.limit-maximum/with-status', 'list.limit-maximum/every-list'];
    const records = verdicts.map((verdict, index) => sampleRecord(ids[index] ?? '', verdict));
    expect(apply(records, waiver('list.limit-maximum')).stale).toHaveLength(staleWaivers);
  },
);

const kindOf = (received: string): ClauseFailureKind => ({ must: 'listPets', place: '[]', expected: 'at most the limit', received });
const ONE = kindOf(ONE_TOO_MANY);
const MORE = kindOf(MORE_TOO_MANY);
const CRASH: ClauseFailureKind = { must: 'listPets', place: 'HTTP status', expected: '200', received: '5xx' };

/** A failed check with one case and one finding of each of these kinds. */
function failing(id: string, ...failureKinds: readonly ClauseFailureKind[]): PartRecord {
  const places = (place: number) => (failureKinds.length === 1 ? {} : { failureKinds: [place] });
  const record = sampleRecord(id, 'fail');
  return {
    ...record,
    findings: failureKinds.map((kind, place) => ({ summary: kind.received, expected: [], received: '', exchanges: [], ...places(place) })),
    cases: failureKinds.map((kind, place) => ({ summary: kind.received, exchange: place + 1, ...places(place) })),
    failureKinds: failureKinds.map((kind) => ({ ...kind, cases: 1 })),
    evidence: { judged: 9, broken: failureKinds.length },
  };
}

const EACH = 'list.limit-maximum/each';
const whole = (each: PartRecord): readonly PartRecord[] => [
  each,
  sampleRecord('list.limit-maximum/with-status', 'pass'),
  sampleRecord('list.limit-maximum/every-list', 'pass'),
];
const bound = (kind: Partial<ClauseFailureKind>, more: Partial<Waiver> = {}) => waiver('list.limit-maximum', { ...kind, ...more });

test('waiving covers only the kind that an entry is bound to, and says of another one what was waived and what this is', () => {
  const { parts, stale } = apply(whole(failing(EACH, ONE)), bound(ONE));
  expect(parts[0]).toMatchObject({ verdict: 'waived', failureKinds: [{ ...ONE, waiver: { entry: 1, reason: 'the old gateway' } }] });
  expect(stale).toEqual([]);
  const other = apply(whole(failing(EACH, MORE)), bound(ONE));
  expect(other.parts[0]).toMatchObject({
    verdict: 'fail',
    besideWaivers:
      'waived was listPets, []: expected at most the limit, received one too many (entry 1). ' +
      'This is listPets, []: expected at most the limit, received more than one too many',
  });
  expect(other.stale).toEqual([
    'the waiver of list.limit-maximum (listPets, []: expected at most the limit, received one too many) is no longer needed, because nothing that it waived fails: remove it',
  ]);
});

test('waiving fails a check with two kinds by the one that no entry covers, with its cases alone', () => {
  const { parts, stale } = apply(whole(failing(EACH, ONE, CRASH)), bound(ONE));
  expect(parts[0]).toMatchObject({
    ...{ verdict: 'fail', note: '5xx', evidence: { judged: 9, broken: 1 } },
    cases: [{ summary: '5xx' }],
    findings: [{ summary: '5xx' }],
    failureKinds: [{ ...ONE, waiver: { entry: 1 } }, CRASH],
    besideWaivers: expect.stringContaining('. This is listPets, HTTP status: expected 200, received 5xx'),
  });
  expect(parts[0]?.cases).toHaveLength(1);
  expect(stale).toEqual([]);
  expect(apply(whole(failing(EACH, ONE, CRASH)), bound(ONE), bound(CRASH)).parts[0]).toMatchObject({ verdict: 'waived' });
});

test('waiving takes a field that an entry does not have for anything', () => {
  expect(apply([failing(EACH, ONE, CRASH)], bound({ must: 'listPets' })).parts[0]?.verdict).toBe('waived');
  expect(apply([failing(EACH, ONE)], bound({ must: 'getPet' })).parts[0]?.verdict).toBe('fail');
});

test('waiving lets an entry for a limit that is ignored cover a list with just one too many, and not the other way round', () => {
  expect(apply([failing(EACH, ONE, MORE)], bound(MORE)).parts[0]?.verdict).toBe('waived');
  expect(apply([failing(EACH, ONE, MORE)], bound(ONE)).parts[0]?.verdict).toBe('fail');
  expect(unwaived(sampleClauses([failing(EACH, ONE, MORE)]), [], today).map(({ kind }) => kind)).toEqual([MORE]);
});

test('waiving does not call an entry stale whose clause was not judged, or whose failure comes and goes', () => {
  const gone = whole(sampleRecord(EACH, 'pass'));
  expect(apply(gone, bound(ONE)).stale).toHaveLength(1);
  expect(apply(gone, bound(ONE, { flaky: true })).stale).toEqual([]);
  expect(apply(gone, waiver('list.limit-maximum', { flaky: true })).stale).toEqual([]);
  expect(apply(gone.slice(1), bound(ONE)).stale).toEqual([]);
  expect(apply(whole(sampleRecord(EACH, 'inconclusive')), bound(ONE)).stale).toEqual([]);
  expect(apply([failing(EACH, ONE)], bound(ONE, { flaky: true })).parts[0]?.verdict).toBe('waived');
});

test('broadNotices names the entries that cover every failure of what was judged', () => {
  const said = broadNotices(sampleClauses([failing(EACH, ONE)]), [bound(ONE), waiver('list.limit-maximum'), waiver('get.success')], today);
  expect(said).toEqual([
    '1 waiver covers every failure of list.limit-maximum, whatever else breaks there; `run --update-waivers` binds it to what fails now',
  ]);
  expect(broadNotices(sampleClauses([failing(EACH, ONE)]), [bound(ONE)], today)).toEqual([]);
});

test('unwaived has each kind of failure of a clause once, with its first case, and marks what did not recur', () => {
  const second = {
    ...failing('list.limit-maximum/with-status', ONE, CRASH),
    contrast: { when: 'with limit=37', unit: 'response', there: { broken: 1, of: 1 }, elsewhere: { broken: 0, of: 1 } },
  } as const;
  const flaky = { ...failing('get.success/a', CRASH), flaky: true };
  expect(unwaived(sampleClauses([failing(EACH, ONE), second, flaky]), [bound(CRASH, { expires: '2020-01-01' })], today)).toEqual([
    { id: 'list.limit-maximum', kind: ONE, condition: 'only with limit=37', comment: ONE_TOO_MANY },
    { id: 'get.success', kind: CRASH, flaky: true, comment: '5xx' },
  ]);
});

test('unwaived marks a clause as flaky that is broken sometimes, if nothing shows when', () => {
  const flakyOf = (...parts: readonly PartRecord[]) => unwaived(sampleClauses(parts), [], today).map(({ flaky }) => flaky);
  expect(flakyOf(failing(EACH, ONE))).toEqual([true]);
  const everyTime = { ...failing(EACH, ONE), evidence: { judged: 1, broken: 1 } };
  expect(flakyOf(everyTime)).toEqual([undefined]);
  expect(flakyOf(...whole(everyTime))).toEqual([true]);
  const contrast = { unit: 'response', there: { broken: 9, of: 9 }, elsewhere: { broken: 0, of: 0 } } as const;
  expect(flakyOf(...whole({ ...everyTime, contrast }))).toEqual([undefined]);
  const { clauses } = apply(whole({ ...failing(EACH, ONE, CRASH), contrast }), bound(ONE));
  expect(unwaived(clauses, [bound(ONE)], today)).toMatchObject([{ kind: CRASH }]);
  expect(unwaived(clauses, [bound(ONE)], today)[0]).not.toHaveProperty('flaky');
});

test('boundWaivers has the failures that an entry for every failure covers now, and needlessWaivers the entries without any', () => {
  const entries = [waiver('list.limit-maximum'), bound(CRASH), waiver('get.success')];
  const { clauses } = apply(whole(failing(EACH, ONE, CRASH)), ...entries);
  expect([...boundWaivers(clauses, entries, today)].map(([position, found]) => [position, found.map(({ kind }) => kind)])).toEqual([
    [0, [ONE]],
  ]);
  expect(needlessWaivers(sampleClauses(whole(failing(EACH, ONE))), entries, registry)).toEqual([1]);
});
