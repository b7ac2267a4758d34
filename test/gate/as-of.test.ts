import { describe, expect, onTestFinished, test } from 'vitest';
import { EFFECTS } from '../../src/clause/clause.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { toolVersion } from '../../src/gate/package-files.ts';
import { planOf } from '../../src/judge/judging.ts';
import { makeRecord } from '../../src/judge/record.ts';
import { judgeRun } from '../../src/judge/run.ts';
import { listingOf, selectClauses } from '../../src/judge/selection.ts';
import { resolveSessionOptions } from '../../src/library/session-defaults.ts';
import type { SessionClause } from '../../src/oracle/world.ts';
import { startReference } from '../../src/reference/server.ts';
import { renderJunit } from '../../src/report/render-junit.ts';
import { renderOneline } from '../../src/report/render-oneline.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { openSession } from '../../src/session/open-session.ts';
import { clauses } from '../../suites/index.ts';
import { runProgram } from '../support/program.ts';

const KEY = 'k-as-of-Hr52wNq';

type Suite = {
  readonly fault: string;
  readonly only: readonly string[];
  readonly asOf?: string;
  readonly strict?: boolean;
  /** The clauses as a later version has them. */
  readonly later: (clause: SessionClause) => SessionClause;
};

/** The record of a server with one defect, as a later version of the suite would make it. */
async function judged({ fault, only, asOf, strict = false, later }: Suite): Promise<RunRecord> {
  const server = await startReference({ apiKey: KEY, faults: [fault], seedAnimals: 7 });
  onTestFinished(() => server.close());
  const session = resolveSessionOptions({ baseUrl: server.baseUrl, apiKey: KEY, seed: 7, depth: 'quick' });
  const registry = clauses.map(later);
  const selection = { only, skip: [], exhaustive: true };
  const selected = selectClauses(registry, selection);
  const open = await openSession(session);
  onTestFinished(() => open.session.close());
  const plan = planOf({ clauses: selected, effects: EFFECTS });
  const outcome = await judgeRun(open, { clauses: selected, registry, plan, asOf });
  const ids = new Set(selected.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id)));
  return makeRecord({
    options: {
      ...{ session, reference: false, strict, only, skip: [], waivers: [], drift: () => [], today: new Date(), version: toolVersion, asOf },
    },
    listing: listingOf(registry, selection),
    collected: {
      ...outcome,
      records: outcome.records.filter(({ id }) => ids.has(id)),
      internalErrors: outcome.errors.map(({ message }) => message),
      summary: open.summary(),
    },
    stopped: undefined,
    startedAt: '2026-01-01T00:00:00.000Z',
    duration: 1,
  });
}

const LIMIT = { fault: 'limit-plus-one', only: ['list.success', 'list.limit-maximum', 'auth.missing-credential'] };

const withNewClause = (clause: SessionClause): SessionClause => (clause.id === 'list.limit-maximum' ? { ...clause, since: '3.1' } : clause);

/** Only the requests of that check are new; its clause has been there before. */
const withNewCheck = (id: string) => (clause: SessionClause) => ({
  ...clause,
  checks: clause.checks.map((check) => (check.id === id ? { ...check, since: '3.1' as const } : check)),
});

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

  test('what only a newer check sends warns, whichever clause it breaks', async () => {
    const suite = { fault: 'limit-13-refused', only: ['list.success', 'list.limit-*', 'auth.missing-credential'] };
    const now = await judged({ ...suite, later: (clause) => clause });
    expect(now.conclusion.exitCode).toBe(1);
    const broken = now.clauses.filter(({ verdict }) => verdict === 'fail');
    const senders = new Set(
      broken.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges.map(({ check }) => check ?? ''))),
    );
    const later = (clause: SessionClause) => [...senders].reduce((one, id) => withNewCheck(id)(one), clause);
    const record = await judged({ ...suite, later, asOf: '3.0' });
    expect(record.conclusion.exitCode).toBe(0);
    expect(record.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id, newer }) => [id, newer])).toEqual(
      now.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => [id, true]),
    );
  });

  test('a defect that older checks show too fails the run, whatever newer ones add', async () => {
    const record = await judged({ ...LIMIT, later: withNewCheck('list.limit-maximum/each-limit'), asOf: '3.0' });
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
