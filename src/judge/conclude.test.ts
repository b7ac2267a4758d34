import { expect, test } from 'vitest';
import { sampleClause, sampleRecord } from '../../test/judge-samples.ts';
import type { Level } from '../clause/clause.ts';
import type { Verdict } from '../clause/outcome.ts';
import { clauseRecords, clauseVerdict, conclude, type Ending } from './conclude.ts';

test.each<[readonly Verdict[], Verdict]>([
  [['not-applicable'], 'not-applicable'],
  [['not-applicable', 'inconclusive'], 'inconclusive'],
  [['inconclusive', 'inconclusive'], 'inconclusive'],
  [['pass'], 'pass'],
  [['pass', 'inconclusive'], 'pass'],
  [['observed', 'inconclusive'], 'observed'],
  [['observed', 'pass'], 'pass'],
  [['waived', 'pass', 'inconclusive'], 'waived'],
  [['pass', 'fail', 'waived', 'inconclusive', 'observed'], 'fail'],
])('clauseVerdict of %j is %s', (verdicts, expected) => {
  expect(clauseVerdict(verdicts)).toBe(expected);
});

test('clauseRecords has a record for each clause of which something was judged', () => {
  const clauses = [sampleClause('list.success'), sampleClause('get.success')];
  expect(clauseRecords(clauses, [sampleRecord('get.success/a', 'pass')])).toMatchObject([{ id: 'get.success', verdict: 'pass' }]);
});

test('clauseRecords has the derivation of an implied clause, and of no other', () => {
  const stated = sampleClause('list.success');
  const implied = { ...sampleClause('get.success'), level: 'implied' as const, derivation: 'from two sentences' };
  const checks = [sampleRecord('list.success/a', 'pass'), sampleRecord('get.success/a', 'pass')];
  const [first, second] = clauseRecords([stated, implied], checks);
  expect(first).not.toHaveProperty('derivation');
  expect(second).toMatchObject({ level: 'implied', derivation: 'from two sentences' });
});

type Judged = readonly [level: Level, verdict: Verdict];

function ending(judged: readonly Judged[], changes: Partial<Ending> = {}): Ending {
  const checks = judged.map(([level, verdict], index) => sampleRecord(`${level}.${index}/a`, verdict));
  return {
    checks,
    clauses: judged.map(([level, verdict], index) => ({ id: checks[index]?.clause ?? ('' as never), level, verdict })),
    strict: false,
    interrupted: undefined,
    internalErrors: [],
    unreachable: undefined,
    misfits: [],
    ...changes,
  };
}

const PASS: Judged = ['required', 'pass'];
const strict = { strict: true };

test.each<[string, number, readonly Judged[], Partial<Ending>?]>([
  ['everything passes', 0, [PASS, ['implied', 'pass'], ['advised', 'pass'], ['open', 'observed']]],
  ['a required clause is broken', 1, [PASS, ['required', 'fail']]],
  ['an implied clause is broken', 1, [PASS, ['implied', 'fail']]],
  ['the only clause is broken', 1, [['required', 'fail']]],
  ['a broken clause is waived', 0, [PASS, ['required', 'waived']]],
  ['all that was judged is waived', 0, [['required', 'waived']]],
  ['advice is broken', 0, [PASS, ['advised', 'fail']]],
  ['advice is broken in a strict run', 1, [PASS, ['advised', 'fail']], strict],
  ['a check is inconclusive', 0, [PASS, ['required', 'inconclusive']]],
  ['a check is inconclusive in a strict run', 1, [PASS, ['required', 'inconclusive']], strict],
  ['advice is broken and a check inconclusive in a strict run', 1, [PASS, ['advised', 'fail'], ['required', 'inconclusive']], strict],
  ['an open question is inconclusive in a strict run', 0, [PASS, ['open', 'inconclusive']], strict],
  ['everything passes in a strict run', 0, [PASS, ['open', 'observed']], strict],
  ['the deadline passed before anything was broken', 3, [PASS, ['required', 'inconclusive']], { deadline: 300 }],
  ['the deadline passed, and waivers no longer fit', 3, [PASS], { deadline: 300, misfits: ['x'] }],
  ['the deadline passed after something was broken', 1, [PASS, ['required', 'fail']], { deadline: 300 }],
  ['the deadline passed while the service was waited for', 3, [], { deadline: 300, unreachable: 'cannot reach it' }],
  ['a signal came after the deadline', 130, [PASS], { deadline: 300, interrupted: 'SIGINT' }],
  ['nothing ran', 2, []],
  [
    'everything is inconclusive',
    3,
    [
      ['required', 'inconclusive'],
      ['advised', 'inconclusive'],
    ],
  ],
  ['everything is inconclusive in a strict run', 3, [['required', 'inconclusive']], strict],
  [
    'only advice passes while rules are inconclusive',
    3,
    [
      ['required', 'inconclusive'],
      ['advised', 'pass'],
    ],
  ],
  [
    'only observations were made while rules are inconclusive',
    3,
    [
      ['required', 'inconclusive'],
      ['open', 'observed'],
    ],
  ],
  ['only open questions were asked for, and answered', 0, [['open', 'observed']]],
  [
    'one of two open questions is answered',
    0,
    [
      ['open', 'observed'],
      ['open', 'inconclusive'],
    ],
  ],
  ['only open questions were asked for, and not answered', 3, [['open', 'inconclusive']]],
  ['only advice was asked for, and followed', 0, [['advised', 'pass']]],
  ['a waiver no longer fits', 1, [PASS], { misfits: ['expired'] }],
  ['a waiver no longer fits and all is inconclusive', 1, [['required', 'inconclusive']], { misfits: ['expired'] }],
  ['the service was never reached', 3, [], { unreachable: 'cannot reach it' }],
  ['the first contact leaves nothing to judge', 1, [], { mistaken: 'every request returned 401' }],
  ['our own code broke', 3, [PASS], { internalErrors: ['TypeError'] }],
  ['SIGINT came', 130, [PASS], { interrupted: 'SIGINT' }],
  ['SIGINT came after a break', 130, [['required', 'fail']], { interrupted: 'SIGINT' }],
  ['SIGTERM came before anything ran', 143, [], { interrupted: 'SIGTERM' }],
])('conclude ends a run in which %s with %i', (_case, exitCode, judged, changes) => {
  expect(conclude(ending(judged, changes)).exitCode).toBe(exitCode);
});

test('conclude names what broke, what no longer fits and what advice was not followed', () => {
  expect(conclude(ending([['required', 'fail']], { misfits: ['the waiver of x.y expired'] }))).toMatchObject({
    headline: 'not conformant: 1 clause broken',
    reasons: ['required.0', 'the waiver of x.y expired'],
  });
  expect(conclude(ending([PASS, ['advised', 'fail']]))).toMatchObject({ headline: 'conformant, with 1 warning', reasons: ['advised.1'] });
});

const INCONCLUSIVE: Judged = ['required', 'inconclusive'];

test.each<[string, readonly string[], readonly Judged[], Partial<Ending>?]>([
  ['nothing, where everything passes', [], [PASS]],
  ['what is not strictly right', ['advised.1', 'required.2/a'], [PASS, ['advised', 'fail'], INCONCLUSIVE], strict],
  ['what broke in our own code before what broke', ['TypeError', 'required.0'], [['required', 'fail']], { internalErrors: ['TypeError'] }],
  ['why the service was not reached', ['cannot reach it'], [], { unreachable: 'cannot reach it' }],
  ['why nothing else is judged', ['every request returned 401'], [], { mistaken: 'every request returned 401' }],
  ['that no check ran', ['no check ran'], []],
  ['that nothing is conclusive', ['every check of a required or implied clause is inconclusive'], [INCONCLUSIVE]],
  ['what broke before an interrupt', ['required.0'], [['required', 'fail'], PASS], { interrupted: 'SIGTERM' }],
])('conclude gives as reasons %s', (_case, reasons, judged, changes) => {
  expect(conclude(ending(judged, changes)).reasons).toEqual(reasons);
});

test('conclude calls a run without warnings conformant and no more', () => {
  expect(conclude(ending([PASS])).headline).toBe('conformant');
});

test('conclude says of an interrupted run how much was judged', () => {
  const run = ending([PASS, ['required', 'fail'], INCONCLUSIVE], { interrupted: 'SIGINT' });
  expect(conclude(run).headline).toBe('interrupted by SIGINT: 2 of 3 checks judged until then');
});
