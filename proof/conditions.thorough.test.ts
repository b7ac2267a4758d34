import { expect, test } from 'vitest';
import { defectCalled, judgeBroken } from './grid/defects.ts';

/** When, by the report, the clauses of a defect of the grid are broken. */
async function saidOf(name: string): Promise<readonly (readonly [clause: string, when: string | undefined, asked: true | undefined])[]> {
  const { record } = await judgeBroken(defectCalled(name));
  const failed = record.clauses.filter(({ verdict }) => verdict === 'fail');
  return failed.map(({ id, contrast }) => [id, contrast?.when, contrast?.asked] as const);
}

test('a run that can not tell when a clause is broken sends the requests before it again, and says which one it takes', async () => {
  const name = 'get: ends with a comma in the JSON (after a filtered list)';
  expect(await saidOf(name)).toEqual([['media.well-formed', 'right after GET /pets with a status', true]]);
});

test('a run tells what is wrong each so many-th time', async () => {
  expect(await saidOf('get: the animal has another id (every 40th)')).toContainEqual([
    ...['get.identity', 'in about every 40th response to GET /pets/{petId}', undefined],
  ]);
});
