import { describe, expect, test } from 'vitest';
import { KEY, sessionOptions } from '../../proof/judge-reference.ts';
import { settingOf } from '../../proof/result.ts';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { OPENING, planOf } from '../../suites/plan/index.ts';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { compose } from '../../suites/tables/tables.ts';
import type { CatalogClauseId } from '../clause/clause-ids.ts';
import type { SessionOptions } from '../session/session.ts';
import { type RunResult, runSuite } from './run.ts';

type Changes = Partial<SessionOptions> & { readonly only?: readonly CatalogClauseId[] };

async function run(server: Omit<ReferenceOptions, 'apiKey'>, { only, ...changes }: Changes = {}): Promise<RunResult> {
  const reference = await startReference({ ...server, apiKey: KEY });
  try {
    const options = sessionOptions(reference.baseUrl, { consistencyWindow: 500, ...changes });
    const selected = only === undefined ? {} : { only: new Set(only) };
    return await runSuite({ options, clauses, compose, opening: OPENING, planOf, wording: WORDING, ...selected });
  } finally {
    await reference.close();
  }
}

const withFault = (name: string, ...only: readonly CatalogClauseId[]): Promise<RunResult> => run(settingOf([name]).server, { only });
const askedIn = ({ phases }: RunResult): number => phases.find(({ title }) => title === 'asking when it fails')?.requests ?? 0;
const LONG = 120_000;

describe('conditionsOf', () => {
  test('asks nothing of a conforming service', { timeout: LONG }, async () => {
    const result = await run({}, { depth: 'quick' });
    expect(result.conditions).toEqual([]);
    expect(askedIn(result)).toBe(0);
  });

  test('says from which length on names are broken, and asks no more than 200 requests', { timeout: LONG }, async () => {
    const result = await withFault('stored-name-cut-at-64', 'create.unusual-names');
    const [condition] = result.conditions;
    expect(condition).toMatchObject({ clause: 'create.unusual-names', by: 'halving', right: { op: 'create', name: '=letters 64' } });
    expect(condition?.condition).toMatch(/^Only with a name of 65 characters or more; 64 is fine: \d+ of \d+; otherwise 0 of \d+$/);
    expect(askedIn(result)).toBeGreaterThan(0);
    expect(askedIn(result)).toBeLessThanOrEqual(200);
  });

  test('says up to which limit a list is broken, with the rows that show it', { timeout: LONG }, async () => {
    const { conditions } = await withFault('limit-below-5-refused', 'list.limit-accepted');
    expect(conditions).toHaveLength(1);
    expect(conditions[0]).toMatchObject({ clause: 'list.limit-accepted', right: { op: 'list', limit: 5 } });
    expect(conditions[0]?.condition).toMatch(/^Only with a limit of 4 or less; 5 is fine: (\d+) of \1; otherwise 0 of \d+$/);
  });

  test('names each of several values that fail, if nothing else does', { timeout: LONG }, async () => {
    const { conditions } = await withFault('comments-accepted', 'create.body-json');
    expect(conditions.map(({ clause }) => clause)).toEqual(['create.body-json']);
    const [, one = '', other = ''] =
      /^Only with the body `(.*)` or the body `(.*)`: (\d+) of \3; otherwise 0 of \d+$/.exec(conditions[0]?.condition ?? '') ?? [];
    expect([one, other].toSorted()).toEqual([
      expect.stringMatching(/^\{"name".* \/\/ a comment$/),
      expect.stringMatching(/^\{\/\* a comment/),
    ]);
  });

  test('says nothing of what it could not ask alone, if all that lacks it is broken, too', { timeout: LONG }, async () => {
    const faults = ['null-category-accepted', 'null-name-accepted', 'text-category-accepted', 'comments-accepted'];
    const { conditions } = await run(settingOf(faults).server, { maxCreates: 100 });
    const category = conditions.find(({ clause }) => clause === 'create.category-required');
    expect(Object.keys(category?.failing ?? {}).length).toBeGreaterThan(3);
    expect(category?.condition).toMatch(/^Only with `"categoryId":null`: (\d+) of \1; otherwise 0 of \d+$/);
  });

  test('pauses as long as before the one wrong response', { timeout: LONG }, async () => {
    const { conditions } = await withFault('first-after-idle-second-crashes', 'errors.no-server-error');
    expect(conditions).toMatchObject([{ clause: 'errors.no-server-error', when: expect.stringMatching(/^after \d{4} ms .*without any/) }]);
    expect(conditions[0]).not.toHaveProperty('isGone');
  });

  test('creates no animal of a run that must not, and tells what it can from what was sent', { timeout: LONG }, async () => {
    const { created, conditions } = await run(settingOf(['limit-below-5-refused']).server, {
      readOnly: true,
      only: ['list.limit-accepted'],
    });
    expect(created).toBe(0);
    expect(conditions.map(({ condition }) => condition)).toEqual([expect.stringContaining('with a limit of 4 or less; 5 is fine')]);
  });
});

describe('a pack that a service rejects', () => {
  test('is asked in halves, until each of its values was accepted or rejected alone', { timeout: LONG }, async () => {
    const { verdicts, world, vectorOf } = await run(
      { variants: ['name-of-basic-plane'] },
      { consistencyWindow: 2_000, only: ['create.unusual-names'] },
    );
    expect(verdicts.filter(({ verdict }) => verdict === 'fail').map(({ clause }) => clause.id)).toEqual([]);
    expect(world.unsent.filter((one) => one.missing.includes('rejected with other values'))).toEqual([]);
    const alone = world.creations.flatMap(({ sent, status }) => {
      const vector = vectorOf(sent);
      return vector?.op === 'create' && typeof vector.name === 'string' && status === 400 ? [vector.name] : [];
    });
    expect(alone).toEqual(expect.arrayContaining(['one emoji', 'tag sequence', 'beyond the BMP', '80 emoji']));
  });
});
