import { describe, expect, onTestFinished, test } from 'vitest';
import { startReference } from '../../proof/server.ts';
import type { ClauseId } from '../../src/clause/clause.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { toolVersion } from '../../src/gate/package-files.ts';
import { judgeRun } from '../../src/judge/judging.ts';
import { runRecordOf } from '../../src/judge/record.ts';
import { resolveSessionOptions } from '../../src/library/session-defaults.ts';
import type { Clause } from '../../src/oracle/rule.ts';
import { renderJunit } from '../../src/report/render-junit.ts';
import { renderOneline } from '../../src/report/render-oneline.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import type { Vector } from '../../src/session/vector.ts';
import { SUITE } from '../../suites/plan/index.ts';
import { WORDING } from '../../suites/plan/narrowing.ts';
import { versionsOf } from '../../suites/tables/tables.ts';
import { runProgram } from '../support/program.ts';

const KEY = 'k-as-of-Hr52wNq';

type Suite = {
  readonly fault: string;
  readonly only: readonly ClauseId[];
  readonly asOf?: string;
  readonly strict?: boolean;
  /** The clauses as a later version has them, and the requests that it has added. */
  readonly later?: (clause: Clause) => Clause;
  readonly isNew?: (vector: Vector) => boolean;
};

/** The record of a server with one defect, as a later version of the suite would make it. */
async function judged({ fault, only, asOf, strict = false, later = (clause) => clause, isNew = () => false }: Suite): Promise<RunRecord> {
  const server = await startReference({ apiKey: KEY, faults: [fault], seedAnimals: 7 });
  onTestFinished(() => server.close());
  const session = resolveSessionOptions({ baseUrl: server.baseUrl, apiKey: KEY, seed: 7, depth: 'quick' });
  const registry = SUITE.clauses.map(later);
  const data = await judgeRun(
    { ...SUITE, clauses: registry, only: new Set(only), options: session, wording: WORDING },
    { versionsOf: (vector) => (isNew(vector) ? ['3.1'] : versionsOf(vector)), asOf },
  );
  return runRecordOf({
    options: {
      ...{ session, reference: false, strict, only, skip: [], waivers: [], drift: () => [], today: new Date(), version: toolVersion, asOf },
      ...{ registry, selection: [] },
    },
    ...{ data, stopped: undefined, startedAt: '2026-01-01T00:00:00.000Z', duration: 1 },
  });
}

const LIMIT = { fault: 'limit-plus-one', only: ['list.success', 'list.limit-maximum', 'auth.missing-credential'] } as const;

const withNewClause = (clause: Clause): Clause => (clause.id === 'list.limit-maximum' ? { ...clause, since: '3.1' } : clause);

const hasLimit =
  (limit: number) =>
  ({ op, ...values }: Vector): boolean =>
    op === 'list' && 'limit' in values && values.limit === limit;

describe('--as-of', () => {
  test('a clause that is newer fails the run by default, and warns as of the version before', async () => {
    const now = await judged({ ...LIMIT, later: withNewClause });
    expect(now.conclusion).toMatchObject({ exitCode: 1, reasons: ['list.limit-maximum'] });
    const record = await judged({ ...LIMIT, later: withNewClause, asOf: '3.0' });
    expect(record.conclusion).toMatchObject({ exitCode: 0, headline: expect.stringContaining('with 1 warning') });
    expect(record.clauses.find(({ id }) => id === 'list.limit-maximum')).toMatchObject({ verdict: 'fail', newer: true });
    expect(record).toMatchObject({ options: { asOf: '3.0' } });
    expect(record.notices).toContainEqual(
      'Newer than --as-of 3.0, and at most a warning: list.limit-maximum (3.1); broken by that alone: list.limit-maximum',
    );
    expect(renderOneline(record)).toMatch(/^conformant .* failed=0 warnings=1 /);
    expect(renderTerminal(record, { color: false, width: 120, detail: 'verbose' })).toContain('WARN list.limit-maximum');
    expect(renderJunit(record)).not.toContain('<failure');
  });

  test('it fails again as of the version that has it, and warns even in a strict run as of the one before', async () => {
    expect((await judged({ ...LIMIT, later: withNewClause, asOf: '3.1' })).conclusion.exitCode).toBe(1);
    const strict = await judged({ ...LIMIT, later: withNewClause, asOf: '3.0', strict: true });
    expect(strict.conclusion.exitCode).toBe(0);
  });

  test('what only newer requests show warns', async () => {
    const suite = { fault: 'limit-13-refused', only: ['list.success', 'list.limit-accepted', 'auth.missing-credential'] } as const;
    const now = await judged(suite);
    expect(now.conclusion).toMatchObject({ exitCode: 1, reasons: ['list.limit-accepted'] });
    const record = await judged({ ...suite, isNew: hasLimit(13), asOf: '3.0' });
    expect(record.conclusion.exitCode).toBe(0);
    expect(record.clauses.filter(({ verdict }) => verdict === 'fail')).toMatchObject([{ id: 'list.limit-accepted', newer: true }]);
  });

  test('a defect that older requests show too fails the run, whatever newer ones add', async () => {
    const record = await judged({ ...LIMIT, isNew: hasLimit(1), asOf: '3.0' });
    expect(record.conclusion).toMatchObject({ exitCode: 1 });
  });

  test.each([
    ['3', 'is not a version such as 3.0'],
    ['latest', 'is not a version such as 3.0'],
    ['2.1', 'is too old'],
    ['99.0', 'is newer than this release'],
  ])('%s is a mistake', async (version, problem) => {
    const { code, stderr } = await runProgram(['run', '--reference', '--as-of', version]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/^error: --as-of: /m) });
    expect(stderr).toContain(problem);
  });
});
