import { expect, test } from 'vitest';
import { sampleClause } from '../../test/support/judge-samples.ts';
import { selectClauses, selectedWithoutOthers, selectionNotice, suggestIds } from './selection.ts';

const registry = [
  sampleClause('list.success', { checks: ['plain', 'with-limit'] }),
  sampleClause('list.limit-maximum', { checks: ['each'], invariants: ['every-list'], exhaustive: true }),
  sampleClause('record.pet', { checks: [], invariants: ['pets'] }),
];

function selected(only: readonly string[], skip: readonly string[] = [], exhaustive = true): string[] {
  return selectClauses(registry, { only, skip, exhaustive }).flatMap(({ checks, invariants }) =>
    [...checks, ...invariants].map(({ id }) => id as string),
  );
}

const ALL = [
  'list.success/plain',
  'list.success/with-limit',
  'list.limit-maximum/each',
  'list.limit-maximum/every-list',
  'record.pet/pets',
];

test.each([
  ['nothing', [], [], ALL],
  ['a clause', ['list.success'], [], ALL.slice(0, 2)],
  ['a check', ['list.success/plain'], [], ALL.slice(0, 1)],
  ['an invariant', ['record.pet/pets'], [], ALL.slice(4)],
  ['all clauses whose ids begin alike', ['list.*'], [], ALL.slice(0, 4)],
  ['a chapter by its name', ['list-pets'], [], ALL],
  ['a chapter by the beginning of its ids', ['list'], [], ALL.slice(0, 4)],
  ['all but a chapter by the beginning of its ids', [], ['list'], ALL.slice(4)],
  ['a star across the slash', ['*limit*'], [], ALL.slice(1, 4)],
  ['two patterns', ['record.*', '*/plain'], [], [ALL[0], ALL[4]]],
  ['all but a clause', [], ['list.success'], ALL.slice(2)],
  ['what begins alike but one check', ['list.*'], ['*/each'], [ALL[0], ALL[1], ALL[3]]],
] as const)('selectClauses takes %s', (_case, only, skip, wanted) => {
  expect(selected(only, skip)).toEqual(wanted);
});

test('without exhaustive they are left out, unless they are named', () => {
  expect(selected([], [], false)).toEqual(ALL.filter((id) => id !== 'list.limit-maximum/each'));
  expect(selected(['list.limit-maximum'], [], false)).toEqual(['list.limit-maximum/each', 'list.limit-maximum/every-list']);
});

test('a check that mixes all kinds of requests is left out if only its clause is selected', () => {
  const [clause] = registry;
  const [plain, mixed] = clause?.checks ?? [];
  if (clause === undefined || plain === undefined || mixed === undefined) throw new Error('the sample has two checks');
  const mixing = [{ ...clause, checks: [plain, { ...mixed, mixing: true }] }];
  const checks = (...only: string[]): string[] =>
    selectClauses(mixing, { only, skip: [], exhaustive: true }).flatMap((one) => one.checks.map(({ id }) => id as string));
  expect(checks('list.success')).toEqual([plain.id]);
  for (const wider of [[], [mixed.id], ['list-pets'], ['list.*']].map((only) => checks(...only))) expect(wider).toContain(mixed.id);
});

test.each([
  ['a misspelt clause, naming near ones', ['list.sucess'], [], 'did you mean'],
  ['a pattern of another tongue', ['[a-z]+'], [], '"[a-z]+" matches no chapter, no clause and no check'],
  ['an empty pattern', [''], [], 'matches no chapter'],
  ['two patterns in one option', ['list.*,record.pet'], [], 'repeat it for each (a variable takes several, separated by commas)'],
  ['the beginning of a chapter', ['list-p'], [], 'list-pets is a chapter'],
  ['a --skip that matches nothing', [], ['nothing.*'], 'shows all ids'],
  ['what leaves nothing', ['record.pet'], ['record.*'], 'leave nothing to judge'],
] as const)('selectClauses rejects %s', (_case, only, skip, words) => {
  expect(() => selected(only, skip)).toThrow(words);
});

test.each([
  [
    'what shares most letters first, then the shortest',
    'list.limit-max',
    ['list.limit-maximum', 'list.limit-maximum/each', 'list.limit-maximum/every-list', 'list.success/with-limit', 'list.*'],
  ],
  ['all of a chapter', 'lists', ['list.*', 'list.success', 'list.success/plain', 'list.limit-maximum', 'list.success/with-limit']],
  ['what holds the whole text before what shares words', 'pet', ['record.pet', 'record.pet/pets']],
  ['what stands between the stars', '*SUCCESS*', ['list.success', 'list.success/plain', 'list.success/with-limit']],
])('suggestIds names %s', (_case, wanted, ids) => {
  expect(suggestIds(wanted, registry)).toBe(`did you mean ${ids.join(', ')}?`);
});

test.each(['*', 'xyz', 'of.my.in'])('suggestIds names nothing if nothing resembles %s', (wanted) => {
  const short = sampleClause('in.of', { checks: ['my'] });
  expect(suggestIds(wanted, [...registry, short])).toBe('`explain checks` shows all ids');
});

test('suggestIds names the shorter of two equally near ids first, wherever it is', () => {
  const clauses = [sampleClause('get.pet-long', { checks: [] }), sampleClause('get.pet', { checks: [] })];
  expect(suggestIds('pet', clauses)).toBe('did you mean get.pet, get.pet-long?');
});

const shape = sampleClause('errors.shape', { checks: ['own'], invariants: ['every-error'] });
const [success, , pet] = registry;

test.each([
  ['a clause that judges what others send', [shape], ['errors.shape']],
  ['its invariant, for which all clauses send', [{ ...shape, checks: [] }], []],
  ['its own check', [{ ...shape, invariants: [] }], []],
  ['a clause beside it that sends', [shape, ...(success === undefined ? [] : [success])], []],
])('selectedWithoutOthers of %s', (_what, selected, wanted) => {
  expect(selectedWithoutOthers({ only: ['errors'], selected })).toEqual(wanted);
});

test('selectedWithoutOthers is empty where nothing was selected, or a repair is judged', () => {
  expect(selectedWithoutOthers({ only: [], selected: [shape] })).toEqual([]);
  expect(selectedWithoutOthers({ only: ['errors'], selected: [shape], because: '--failed' })).toEqual([]);
});

test('selectionNotice says that what only the requests of others show was not seen, unless all clauses sent', () => {
  const noticeOf = (selected: typeof registry) => selectionNotice({ only: ['x'], skip: [], registry, selected })[0];
  expect(noticeOf([shape])).toContain('the others were not judged, and what only their requests show was not seen');
  expect(noticeOf(pet === undefined ? [] : [pet])).toMatch(/the others were not judged$/);
});
