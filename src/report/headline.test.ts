import { expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { ExitCode } from '../clause/run-record.ts';
import { givenName, headline, judgedText, otherReasons } from './headline.ts';

function said(exitCode: ExitCode, text: string, changes: Parameters<typeof sampleRecord>[0] = {}): string {
  return headline(sampleRecord({ conclusion: { exitCode, headline: text, reasons: [] }, ...changes }));
}

const NOTHING = { clauses: [] };

test.each([
  [1, 'not conformant: 4 clauses broken', {}, 'Not conformant: 4 requirements broken, 1 warning'],
  [
    1,
    'not conformant: 4 clauses broken; the deadline of 8 s passed, 9 of 33 situations judged by then',
    {},
    'Not conformant: 4 requirements broken, 1 warning; the deadline of 8 s passed, 9 of 33 situations judged by then',
  ],
  [1, 'no clause is broken, but 1 waiver no longer fits', NOTHING, 'Not conformant: no clause is broken, but 1 waiver no longer fits'],
  [1, 'not conformant under --strict: 1 advised clause broken', NOTHING, 'Not conformant under --strict: 1 advised clause broken'],
  [1, 'conformant, but 7 behaviors differ from the baseline', {}, 'Conformant, but 7 behaviors differ from the baseline'],
  [0, 'conformant, with 1 warning', {}, 'Conformant, with 1 warning'],
  [
    0,
    'conformant where judged: 62 of 85 clauses; the service accepts no more creations after 8 (507)',
    {},
    'Conformant where judged: 62 of 85 clauses; the service accepts no more creations after 8 (507)',
  ],
  [0, 'conformant', NOTHING, 'Conformant'],
  [0, 'conformant: 79 of 80 clauses judged, 1 not applicable', {}, 'Conformant: 79 of 80 clauses judged, 1 not applicable'],
  [
    0,
    'conformant but for 2 waived clauses; 9 situations could not be judged because of them; 70 of 80 clauses judged',
    {},
    'Conformant but for 2 waived clauses; 9 situations could not be judged because of them; 70 of 80 clauses judged',
  ],
  [3, 'the service could not be judged', NOTHING, 'Could not be judged'],
  [
    3,
    'the suite itself broke: no verdict can be trusted',
    NOTHING,
    'Could not be judged: the suite itself broke: no verdict can be trusted',
  ],
  [130, 'interrupted by SIGINT: 9 of 33 situations judged by then', {}, 'Interrupted by SIGINT: 9 of 33 situations judged by then'],
] as const)('headline of exit code %i: %s', (exitCode, text, changes, expected) => {
  expect(said(exitCode, text, changes)).toBe(expected);
});

test('judgedText counts clauses as the headline of a green run does', () => {
  const sample = sampleRecord();
  const applicable = sample.clauses
    .filter(({ verdict }) => verdict === 'pass')
    .slice(0, 2)
    .map(({ id }) => id);
  const clauses = sample.clauses.map((clause) =>
    applicable.includes(clause.id) ? { ...clause, verdict: 'not-applicable' as const } : clause,
  );
  expect(judgedText({ ...sample, clauses })).toBe('24 of 28 clauses judged, 2 not applicable, 2 undecided by circumstance');
});

test('otherReasons leaves out the ids that reports show in full', () => {
  const reasons = ['record.pet', 'auth.header-only', 'the waiver of x expired'];
  expect(otherReasons(sampleRecord({ conclusion: { exitCode: 1, headline: '', reasons } }))).toEqual(['the waiver of x expired']);
});

test('otherReasons leaves out what the headline says', () => {
  const reasons = ['list.success saw 3 requests', 'the waiver of x expired'];
  const conclusion = { exitCode: 3, headline: `could not be judged: ${reasons[0]}`, reasons } as const;
  expect(otherReasons(sampleRecord({ conclusion }))).toEqual(['the waiver of x expired']);
});

test('givenName is a name that --name gave, and not host and port, which the address has', () => {
  const named = (name: string) => givenName(sampleRecord({ target: { baseUrl: 'http://pets.example:8080/v1', reference: false, name } }));
  expect(named('staging\nblue')).toEqual(['staging blue']);
  expect(named('pets.example:8080')).toEqual([]);
});
