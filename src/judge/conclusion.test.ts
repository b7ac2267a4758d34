import { describe, expect, test } from 'vitest';
import { sampleClauses, sampleRecord } from '../../test/support/judge-samples.ts';
import type { ClauseId, Level } from '../clause/clause.ts';
import type { Verdict, Why } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { conclude, type Ending } from './conclusion.ts';

/** What proves the three operations, one situation each. */
const PROOF = [
  'list.success/a',
  'auth.missing-credential/lists',
  'create.success/a',
  'create.name-required/a',
  'get.success/a',
  'get.not-found/a',
];
const ENOUGH = 20;

type Judged = readonly [level: Level, verdict: Verdict, why?: Why, blockedBy?: string];

type Parts = {
  readonly proof?: readonly string[];
  readonly others?: readonly Judged[];
  readonly proved?: Readonly<Record<string, Judged>>;
};

/** A run with the proof of all operations, `ENOUGH` passing situations, and the given others. */
function ending({ proof = PROOF, proved = {}, others = [] }: Parts = {}, changes: Partial<Ending> = {}): Ending {
  const passed = proof.length === 0 ? 0 : ENOUGH;
  const judged: readonly (readonly [id: string, Judged])[] = [
    ...proof.map((id) => [id, proved[id] ?? ['required', 'pass']] as const),
    ...Array.from({ length: passed }, (_unused, index) => [`many.many/${index}`, ['required', 'pass'] as const] as const),
    ...others.map((one, index) => [`${one[0]}.${index}/a`, one] as const),
  ];
  const parts = judged.map(
    ([id, [, verdict, why, blockedBy]]): PartRecord => ({
      ...sampleRecord(id, verdict),
      ...(id.endsWith('/lists') ? { title: 'lists' } : {}),
      ...(why === undefined ? {} : { why }),
      ...(blockedBy === undefined ? {} : { blockedBy: blockedBy as ClauseId }),
    }),
  );
  const levels = Object.fromEntries(judged.map(([id, [level]]) => [id.split('/')[0] ?? '', level]));
  return {
    clauses: sampleClauses(parts, levels),
    evidence: { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: [] },
    now: new Date('2026-11-21'),
    strict: false,
    interrupted: undefined,
    internalErrors: [],
    unreachable: undefined,
    staleWaivers: [],
    ...changes,
  };
}

const alone = (...others: readonly Judged[]): Parts => ({ proof: [], others });
const among = (...others: readonly Judged[]): Parts => ({ others });
const proving = (id: string, ...judged: Judged): Parts => ({ proved: { [id]: judged } });
const strict = { strict: true };
const closing = (...sentences: string[]) => ({
  evidence: { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: sentences },
});
const unasked = { evidence: { askedToWait: 0, rejects: [], lockedOut: false, outage: [], closing: undefined } };
const WAITS: Judged = ['required', 'inconclusive', 'service'];

describe('conclude', () => {
  test.each<[string, number, Parts, Partial<Ending>?]>([
    ['everything passes', 0, among(['implied', 'pass'], ['advised', 'pass'], ['open', 'observed'])],
    ['a required clause is broken', 1, among(['required', 'fail'])],
    ['an implied clause is broken', 1, among(['implied', 'fail'])],
    ['the only clause is broken', 1, alone(['required', 'fail'])],
    ['a broken clause is waived', 0, among(['required', 'waived'])],
    ['all that was judged is waived', 3, alone(['required', 'waived'])],
    ['advice is broken', 0, among(['advised', 'fail'])],
    ['advice is broken in a strict run', 1, among(['advised', 'fail']), strict],
    ['a situation is undecided for the doing of the service', 0, among(WAITS)],
    ['a situation is undecided for the doing of the service in a strict run', 1, among(WAITS), strict],
    ['an open question is undecided for the doing of the service in a strict run', 0, among(['open', 'inconclusive', 'service']), strict],
    ['a situation is undecided by choice in a strict run', 0, among(['required', 'inconclusive', 'choice']), strict],
    ['a situation is undecided by circumstance in a strict run', 0, among(['required', 'inconclusive', 'circumstance']), strict],
    [
      'a part waits for a waived clause in a strict run',
      0,
      among(['required', 'inconclusive', 'waits', 'required.1'], ['required', 'waived']),
      strict,
    ],
    ['a clause is not applicable in a strict run', 0, among(['required', 'not-applicable']), strict],
    ['everything passes in a strict run', 0, among(['open', 'observed']), strict],
    ['the deadline passed before anything was broken', 3, among(WAITS), { cutShort: 'the deadline of 300 s passed' }],
    ['the deadline passed, and waivers no longer fit', 3, among(), { cutShort: 'the deadline of 300 s passed', staleWaivers: ['x'] }],
    ['the deadline passed after something was broken', 1, among(['required', 'fail']), { cutShort: 'the deadline of 300 s passed' }],
    [
      'the deadline passed while the service was waited for',
      3,
      alone(),
      { cutShort: 'the deadline of 300 s passed', unreachable: 'cannot reach it' },
    ],
    ['a signal came after the deadline', 130, among(), { cutShort: 'the deadline of 300 s passed', interrupted: 'SIGINT' }],
    ['the first contact leaves nothing to judge', 1, alone(), { mistaken: 'every request returned 401' }],
    ['nothing ran', 2, alone()],
    ['everything is undecided', 3, alone(['required', 'inconclusive', 'circumstance'], ['advised', 'inconclusive', 'circumstance'])],
    ['everything is undecided in a strict run', 3, alone(WAITS), strict],
    ['only advice passes while rules are undecided', 3, alone(['required', 'inconclusive', 'choice'], ['advised', 'pass'])],
    ['only observations were made while rules are undecided', 3, alone(['required', 'inconclusive', 'choice'], ['open', 'observed'])],
    ['only open questions were asked for, and answered', 0, alone(['open', 'observed'])],
    ['one of two open questions is answered', 0, alone(['open', 'observed'], ['open', 'inconclusive', 'circumstance'])],
    ['only open questions were asked for, and not answered', 3, alone(['open', 'inconclusive', 'circumstance'])],
    ['only advice was asked for, and followed', 0, alone(['advised', 'pass'])],
    ['a narrow selection passes', 0, alone(['required', 'pass'])],
    ['two of twenty-eight situations are undecided for the doing of the service', 0, among(WAITS, WAITS)],
    ['three of twenty-nine situations are undecided for the doing of the service', 3, among(WAITS, WAITS, WAITS)],
    [
      'many situations are undecided by circumstance',
      0,
      among(...Array.from({ length: 40 }, (): Judged => ['required', 'inconclusive', 'circumstance'])),
    ],
    [
      'many situations are undecided by choice',
      0,
      among(...Array.from({ length: 40 }, (): Judged => ['required', 'inconclusive', 'choice'])),
    ],
    ['the service is another one at the end', 3, {}, closing('at the end of the run GET /pets returned 403, not 200 as before')],
    ['the service was not asked again at the end', 3, {}, unasked],
    ['a clause is broken and the service is another one at the end', 1, among(['required', 'fail']), closing('changed')],
    ['a waiver no longer fits', 1, {}, { staleWaivers: ['expired'] }],
    ['the service differs from the baseline', 1, {}, { drift: ['other'] }],
    ['a waiver no longer fits and all is undecided', 1, alone(WAITS), { staleWaivers: ['expired'] }],
    [
      'a waiver no longer fits and the service was never reached',
      1,
      alone(),
      { staleWaivers: ['expired'], unreachable: 'cannot reach it' },
    ],
    ['the service was never reached', 3, alone(), { unreachable: 'cannot reach it' }],
    ['our own code broke', 3, {}, { internalErrors: ['TypeError'] }],
    ['our own code broke and a clause is broken', 3, among(['required', 'fail']), { internalErrors: ['TypeError'] }],
    ['SIGINT came', 130, {}, { interrupted: 'SIGINT' }],
    ['SIGINT came after a break', 130, among(['required', 'fail']), { interrupted: 'SIGINT' }],
    ['SIGINT came and our own code broke', 130, {}, { interrupted: 'SIGINT', internalErrors: ['TypeError'] }],
    ['SIGTERM came before anything ran', 143, alone(), { interrupted: 'SIGTERM' }],
  ])('ends a run in which %s with %i', (_case, exitCode, parts, changes) => {
    expect(conclude(ending(parts, changes)).exitCode).toBe(exitCode);
  });

  test.each(PROOF)('ends a run that is undecided on %s with 3, unless the user left it out', (id) => {
    for (const why of ['service', 'circumstance', 'waits'] as const)
      expect(conclude(ending(proving(id, 'required', 'inconclusive', why))).exitCode, why).toBe(3);
    expect(conclude(ending(proving(id, 'required', 'inconclusive', 'choice'))).exitCode).toBe(0);
    expect(conclude(ending(proving(id, 'required', 'not-applicable'))).exitCode).toBe(3);
  });

  test.each(PROOF.filter((id) => id.includes('.success')))('ends a run in which %s is waived with 3', (id) => {
    const rejecting = {
      evidence: { askedToWait: 0, rejects: ['listPets', 'createPet', 'getPet'], lockedOut: false, outage: [], closing: [] },
    } as const;
    expect(conclude(ending(proving(id, 'required', 'waived'), rejecting))).toMatchObject({ exitCode: 3 });
  });

  test.each(PROOF.filter((id) => !id.includes('.success')))('ends a run in which %s is waived with 0 only if the service rejects', (id) => {
    const rejecting = {
      evidence: { askedToWait: 0, rejects: ['listPets', 'createPet', 'getPet'], lockedOut: false, outage: [], closing: [] },
    } as const;
    expect(conclude(ending(proving(id, 'required', 'waived'))).exitCode).toBe(3);
    expect(conclude(ending(proving(id, 'required', 'waived'), rejecting)).exitCode).toBe(0);
  });

  test('is green for no combination of an operation that is unproven, a changed service and too many undecided situations', () => {
    for (const unproven of [true, false]) {
      for (const changed of [true, false]) {
        for (const many of [true, false]) {
          const parts = {
            proved: unproven ? { 'get.success/a': ['required', 'inconclusive', 'circumstance'] as const } : {},
            others: many ? [WAITS, WAITS, WAITS, WAITS] : [],
          };
          const { exitCode, reasons } = conclude(ending(parts, changed ? closing('changed') : {}));
          const doubts = [unproven, changed, many].filter(Boolean).length;
          expect([exitCode, reasons.length], JSON.stringify({ unproven, changed, many })).toEqual([doubts === 0 ? 0 : 3, doubts]);
        }
      }
    }
  });
});

describe('the headline of conclude', () => {
  test.each<[string, Parts, Partial<Ending>?]>([
    ['conformant: 8 of 8 clauses judged', among(['open', 'observed'])],
    ['conformant: 7 of 8 clauses judged, 1 not applicable', among(['required', 'not-applicable'])],
    [
      'conformant: 9 of 10 clauses judged, 1 undecided by circumstance',
      among(['required', 'inconclusive', 'circumstance'], ['open', 'observed'], ['open', 'observed']),
    ],
    [
      'conformant where judged: 7 of 10 clauses, 1 left out by choice, 1 undecided by circumstance, 1 undecided because of the service; a note',
      among(['required', 'inconclusive', 'choice'], ['required', 'inconclusive', 'circumstance'], WAITS),
    ],
    ['conformant, with 1 warning: 8 of 8 clauses judged', among(['advised', 'fail'])],
    [
      'conformant but for 1 waived clause; 2 situations could not be judged because of it; 8 of 10 clauses judged, 2 waiting for others',
      among(['required', 'waived'], ['required', 'inconclusive', 'waits', 'required.0'], ['open', 'inconclusive', 'waits', 'required.0']),
    ],
    ['conformant but for 2 waived clauses; 9 of 9 clauses judged', among(['required', 'waived'], ['required', 'waived'])],
    ['conformant: 1 of 1 clause judged; only parts of listPets, createPet, getPet were selected', alone(['required', 'pass'])],
    [
      'conformant: 5 of 5 clauses judged; only parts of createPet were selected',
      { proof: PROOF.filter((id) => !id.startsWith('create.')) },
    ],
    ['not conformant: 1 clause broken', among(['required', 'fail'])],
    ['not conformant under --strict: 1 advised clause broken', among(['advised', 'fail']), strict],
    [
      'not conformant under --strict: 1 advised clause broken, 1 situation undecided because of the service',
      among(['advised', 'fail'], WAITS),
      strict,
    ],
    ['interrupted by SIGINT: 27 of 28 situations judged by then', among(['required', 'fail'], WAITS), { interrupted: 'SIGINT' }],
    [
      'could not be judged: 4 of 11 clauses; the service asked to wait 1,152 times',
      among(WAITS, WAITS, WAITS, WAITS),
      { evidence: { askedToWait: 1152, rejects: [], lockedOut: false, outage: [], closing: [] } },
    ],
    ['could not be judged: 4 of 11 clauses', among(WAITS, WAITS, WAITS, WAITS)],
    ['could not be judged: GET /pets returned 403', {}, closing('GET /pets returned 403')],
  ])('is "%s"', (headline, parts, changes) => {
    expect(conclude(ending(parts, changes)).headline).toBe(headline);
  });
});

test.each<[headline: string, Partial<Ending>, Parts?]>([
  ['conformant, but 2 behaviors differ from the baseline', { drift: ['one', 'other'] }],
  ['conformant, but 1 waiver no longer fits', { staleWaivers: ['expired'] }],
  ['conformant, but 1 behavior differs from the baseline, and 2 waivers no longer fit', { drift: ['one'], staleWaivers: ['a', 'b'] }],
  ['no clause is broken, but 1 behavior differs from the baseline', { drift: ['one'] }, alone(WAITS)],
])('a run that only a waiver or the baseline fails says so: %s', (headline, changes, parts = {}) => {
  const conclusion = conclude(ending(parts, changes));
  expect(conclusion).toMatchObject({ headline, exitCode: 1 });
});

test.each<[string, readonly string[], Parts, Partial<Ending>?]>([
  ['nothing, where everything passes', [], {}],
  [
    'what differs from the baseline, and once what to do about it',
    ['one', 'other', "fix the service, or use this run's behavior.json as the baseline"],
    {},
    { drift: ['one', 'other'] },
  ],
  [
    'what broke and what no longer fits',
    ['required.0', 'the waiver of x.y expired'],
    among(['required', 'fail']),
    { staleWaivers: ['the waiver of x.y expired'] },
  ],
  ['advice that was not followed', ['advised.0'], among(['advised', 'fail'])],
  ['what is not strictly right', ['advised.0', 'required.1'], among(['advised', 'fail'], WAITS), strict],
  [
    'what broke in our own code before what broke',
    ['TypeError', 'required.0'],
    among(['required', 'fail']),
    { internalErrors: ['TypeError'] },
  ],
  ['why the service was not reached', ['cannot reach it'], alone(), { unreachable: 'cannot reach it' }],
  ['that nothing was judged', ['no clause has a verdict'], alone()],
  ['that nothing passed', ['no required or implied clause passed'], alone(['required', 'inconclusive', 'circumstance'])],
  [
    'how much the service kept from being judged',
    ['4 of 30 situations of required and implied clauses are undecided because of the service, which is more than a tenth'],
    among(WAITS, WAITS, WAITS, WAITS),
  ],
  ['what broke before an interruption', ['required.0'], among(['required', 'fail']), { interrupted: 'SIGTERM' }],
])('conclude states as reasons %s', (_case, reasons, parts, changes) => {
  expect(conclude(ending(parts, changes)).reasons).toEqual(reasons);
});
