// A run of rows, as all reports have it.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunRecord, RunSummary } from '../src/clause/run-record.ts';
import { schemaProblem } from '../src/cli/report-file.ts';
import { judgeRun } from '../src/judge/judging.ts';
import { defineClause } from '../src/judge/own-clause.ts';
import { type RunRecordOptions, runRecordOf } from '../src/judge/record.ts';
import type { RunInput } from '../src/judge/run.ts';
import type { ReportFile } from '../src/report/formats.ts';
import { RENDERERS } from '../src/report/renderers.ts';
import type { SessionOptions } from '../src/session/session.ts';
import { SUITE, suiteWith } from '../suites/plan/index.ts';
import { WORDING } from '../suites/plan/narrowing.ts';
import { versionsOf } from '../suites/tables/tables.ts';
import { KEY, sessionOptions } from './judge-reference.ts';
import { faultySetting, type Started } from './judge-server.ts';
import { startReference } from './server.ts';

type Changes = {
  readonly session?: Partial<SessionOptions>;
  readonly run?: Partial<RunInput>;
  readonly options?: Partial<RunRecordOptions>;
  readonly summary?: Partial<RunSummary>;
};

/** Each run names its animals otherwise. */
const tags = ['aster', 'briar', 'cedar', 'daisy', 'elder', 'furze', 'gorse', 'hazel'];

async function recordOf(baseUrl: string, { session, run, options, summary }: Changes = {}): Promise<RunRecord> {
  const asked = sessionOptions(baseUrl, { depth: 'quick', runTag: tags.shift() ?? '', ...session });
  const told = await judgeRun({ ...SUITE, ...run, options: asked, wording: WORDING }, { versionsOf });
  return runRecordOf({
    options: {
      ...{ session: asked, reference: false, strict: false, only: [], skip: [], waivers: [], drift: () => [], today: new Date() },
      ...{ version: '3.0.0', registry: SUITE.clauses, selection: [], ...options },
    },
    ...{
      data: { ...told, summary: { ...told.summary, ...summary } },
      stopped: undefined,
      startedAt: new Date().toISOString(),
      duration: 1,
    },
  });
}

/** Every report of it, which nothing may keep from being made. */
const reportsOf = (record: RunRecord): readonly string[] =>
  Object.values(RENDERERS).map((render) => render(record, Object.keys(RENDERERS) as ReportFile[]));

describe('the record of a run of rows', () => {
  let conforming: Started;
  let faulty: Started;

  beforeAll(async () => {
    conforming = await startReference({ apiKey: KEY });
    faulty = await faultySetting(['limit-plus-one']).start();
  });
  afterAll(() => Promise.all([conforming.close(), faulty.close()]));

  it('of a conforming service is green, and fits its schema', async () => {
    const record = await recordOf(conforming.baseUrl);
    expect(record.conclusion).toMatchObject({ exitCode: 0, reasons: [] });
    expect(schemaProblem('run-record', JSON.parse(JSON.stringify(record)))).toBeUndefined();
    expect(record.plan?.pairs.met).toBeGreaterThan(0);
    expect(record.clauses.filter(({ verdict }) => verdict === 'observed').length).toBeGreaterThan(5);
    expect(record.animals.created.length).toBeGreaterThan(10);
  });

  it('of a broken one says what is broken and when, in every report and without the key', async () => {
    const record = await recordOf(faulty.baseUrl);
    expect(record.conclusion).toMatchObject({ exitCode: 1, reasons: ['list.limit-maximum'] });
    expect(schemaProblem('run-record', JSON.parse(JSON.stringify(record)))).toBeUndefined();
    const clause = record.clauses.find(({ id }) => id === 'list.limit-maximum');
    expect(clause?.findings[0]?.summary).toMatch(/returned \d+ animals; expected at most/);
    expect(clause?.cases?.[0]?.row).toMatchObject({ op: 'list' });
    for (const report of reportsOf(record)) expect(report).not.toContain(KEY);
  });

  it('does not fail for what a waiver covers', async () => {
    const waivers = [{ id: 'list.limit-maximum', reason: 'known', expires: '2999-01-01' }];
    const record = await recordOf(faulty.baseUrl, { options: { waivers } });
    expect(record.conclusion.exitCode).toBe(0);
    expect(record.clauses.find(({ id }) => id === 'list.limit-maximum')?.verdict).toBe('waived');
  });

  it('of a service that nobody reaches, of a wrong key, and of something else has no verdicts', async () => {
    const page = createServer((_request, response) => response.end('<html>')).listen(0, '127.0.0.1');
    await once(page, 'listening');
    const elsewhere = `http://127.0.0.1:${(page.address() as AddressInfo).port}/v1`;
    const wrongKey = await recordOf(conforming.baseUrl, { session: { apiKey: 'another-key-altogether' } });
    const noStore = await recordOf(elsewhere);
    page.close();
    await once(page, 'close');
    const nobody = await recordOf(elsewhere);
    expect([wrongKey, noStore, nobody].map(({ conclusion: { exitCode } }) => exitCode)).toEqual([1, 1, 3]);
    expect([wrongKey, noStore, nobody].flatMap(({ clauses }) => clauses)).toEqual([]);
    for (const record of [wrongKey, noStore, nobody]) expect(reportsOf(record).join('')).not.toContain('another-key-altogether');
  });

  it('of a run that is stopped says that it was', async () => {
    const stop = AbortSignal.timeout(300);
    const record = await recordOf(conforming.baseUrl, { run: { stop } });
    expect(record.clauses.every(({ verdict }) => verdict !== 'fail')).toBe(true);
    expect(record.conclusion.exitCode).toBe(3);
  });

  it('is not green where responses were read through, and no clause reports it', async () => {
    const departures = [{ place: 'list', clause: 'list.success', description: 'lists with status 206 are read as 200' }] as const;
    const { conclusion } = await recordOf(conforming.baseUrl, { summary: { departures } });
    expect(conclusion.exitCode).toBe(3);
    expect(conclusion.reasons.join()).toContain('list.success does not report what is read through: lists with status 206');
  });

  it('is not green where a clause of one’s own throws', async () => {
    const own = defineClause({
      ...{ id: 'acme:run.throws', section: 'House rules', level: 'required', requirement: 'Something holds.', likelyCause: 'Something.' },
      rules: [
        {
          layer: 'values',
          judge() {
            throw new Error('a slip');
          },
        },
      ],
    });
    const suite = suiteWith([own], { apiKey: KEY });
    const record = await recordOf(conforming.baseUrl, { run: suite, options: { registry: suite.clauses } });
    expect(record.conclusion.exitCode).toBe(3);
    expect(record.conclusion.reasons.join()).toContain('acme:run.throws threw an error instead of judging');
  });
});
