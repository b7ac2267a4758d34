import { describe, expect, test } from 'vitest';
import { clauses as judging } from '../../suites/clauses/index.ts';
import { error, history, pet } from '../../test/support/history.ts';
import type { CatalogClauseId } from '../clause/clause-ids.ts';
import { SelectionError } from '../clause/patterns.ts';
import { judgeHistory } from '../oracle/verdicts.ts';
import { selectClauses, unmetNotices } from './selection.ts';

const clauses = judging.map(({ id, chapter }) => ({ id: id as CatalogClauseId, chapter }));
const select = (only: readonly string[], skip: readonly string[] = []) => selectClauses(clauses, { only, skip });
const selected = (...args: Parameters<typeof select>): readonly string[] => [...(select(...args).clauses ?? [])];

describe('selectClauses', () => {
  test('selects everything, and says nothing, without patterns', () => {
    expect(select([])).toEqual({ clauses: undefined, notices: [] });
  });

  test('takes a chapter, the start of its ids, a clause, and a glob', () => {
    const auth = clauses.filter(({ id }) => id.startsWith('auth.')).map(({ id }) => id);
    expect(selected(['authentication'])).toEqual(auth);
    expect(selected(['auth'])).toEqual(auth);
    expect(selected(['auth.*'])).toEqual(auth);
    expect(selected(['auth.wrong-key'])).toEqual(['auth.wrong-key']);
    expect(selected([], ['auth.*'])).toHaveLength(clauses.length - auth.length);
    expect(selected(['auth.*'], ['auth.wrong-*'])).toEqual(auth.filter((id) => !id.startsWith('auth.wrong-')));
  });

  test('says how many clauses were judged, and why', () => {
    expect(select(['auth.wrong-key']).notices).toEqual([
      `Only 1 of ${clauses.length} clauses was judged, because of --only auth.wrong-key; the others were not judged, and what only their requests show was not seen`,
    ]);
  });

  test('takes a check of 2.x in --only for its clause, and skips no clause for one of its checks', () => {
    const { clauses: found, notices } = select(['list.limit-accepted/boundaries', 'list.limit-accepted']);
    expect([...(found ?? [])]).toEqual(['list.limit-accepted']);
    expect(select(['list.limit-accepted/boundaries']).notices[1]).toBe(
      '--only list.limit-accepted/boundaries names checks of version 2: it judges list.limit-accepted, a clause is judged as a whole',
    );
    expect(notices).toHaveLength(2);
    expect(selected([], ['create.unusual-names/very-long'])).toHaveLength(clauses.length);
    expect(select([], ['create.unusual-names/very-long']).notices).toEqual([
      '--skip create.unusual-names/very-long names checks of version 2: it does not skip create.unusual-names, a clause is judged as a whole',
    ]);
  });

  test.each([
    ['lists.*', 'did you mean list.*'],
    ['auth.wrong-kye', 'did you mean auth.wrong-key'],
    [' auth.wrong-key', 'did you mean auth.wrong-key'],
    ['authent', 'authentication is a chapter'],
    ['auth.wrong-key,auth.valid-key', 'an option takes one pattern'],
    ['xyz', '`explain clauses` shows all ids'],
  ])('explains what %s may mean', (pattern, advice) => {
    expect(() => select([pattern])).toThrow(SelectionError);
    expect(() => select([pattern])).toThrow(advice);
  });

  test('rejects a selection that leaves nothing to judge', () => {
    expect(() => select(['auth.*'], ['authentication'])).toThrow('--only and --skip together leave nothing to judge');
  });
});

test('unmetNotices says what the rows of selected clauses did not meet', () => {
  const run = history();
  run.add({ target: '/pets?limit=1' }, { status: 200, body: [pet(1)] });
  run.add({ target: '/pets?limit=20', credential: undefined }, error(401));
  const verdicts = judgeHistory(judging, run.now()).filter(({ clause }) => clause.id === 'list.limit-accepted');
  expect(unmetNotices(verdicts)).toEqual(['list.limit-accepted alone: 4 of 5 not met: limit 2 to 19, limit 20, limit 21 to 99, limit 100']);
});
