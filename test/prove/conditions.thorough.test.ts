import { describe, expect, test } from 'vitest';
import { defectCalled, judgeBroken } from './grid/defects.ts';

/** When, by the report, the clauses of a defect of the grid are broken. */
async function saidOf(name: string): Promise<readonly (readonly [clause: string, when: string | undefined, asked: true | undefined])[]> {
  const { record } = await judgeBroken(defectCalled(name));
  const failed = record.clauses.filter(({ verdict }) => verdict === 'fail');
  return failed.map(({ id, contrast }) => [id, contrast?.when, contrast?.asked] as const);
}

describe('a run that can not tell when a clause is broken', () => {
  test.each([
    ['get: ends with a comma in the JSON (after a filtered list)', 'media.well-formed'],
    ['create: returns 202 (after a filtered list)', 'create.success'],
  ])('sends the requests before it again, and says which one it takes: %s', async (name, clause) => {
    expect(await saidOf(name)).toEqual([[clause, 'right after GET /pets with a status', true]]);
  });
});
