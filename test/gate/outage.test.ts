import { afterEach, expect, test } from 'vitest';
import { KEY } from '../../proof/judge-reference.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { judgeServer } from '../../src/library/judge.ts';
import { reporters } from '../../src/library/reporters.ts';
import { type AlertEvent, reactTo } from '../../src/probe/alerts/event.ts';
import { FRESH_STATE } from '../../src/probe/alerts/target-state.ts';
import { createSmoke, type SmokeResult } from '../../src/probe/smoke.ts';
import { summarize } from '../../src/probe/smoke-command.ts';
import { USUAL } from '../probe/samples.ts';
import { type Front, startFront, startSame } from '../support/front.ts';
import { situationsOf } from '../support/judge-samples.ts';
import { runProgram } from '../support/program.ts';

// One outage is one broken requirement, and every output names the same one.

const FAILED = { status: 500, headers: { 'content-type': 'text/plain' }, body: 'boom' } as const;

const fronts: Front[] = [];
afterEach(async () => {
  for (const front of fronts.splice(0)) await front.close();
});

async function serve(front: Promise<Front>): Promise<string> {
  const started = await front;
  fronts.push(started);
  return started.baseUrl;
}

/** A service that fails on these requests, counted from 1. */
function failingOn(isLost: (request: number) => boolean, faults: readonly string[] = []): Promise<string> {
  let requests = 0;
  return serve(
    startFront({
      service: { faults },
      change: () => {
        requests += 1;
        return isLost(requests) ? FAILED : {};
      },
    }),
  );
}

/** What a run says about that service, and what its terminal shows. */
async function judge(
  baseUrl: string,
  depth: 'quick' | 'standard' = 'standard',
): Promise<{ readonly record: RunRecord; readonly code: number; readonly stdout: string }> {
  const record = await judgeServer(baseUrl, { apiKey: KEY, seed: 1, depth });
  return { record, code: record.conclusion.exitCode, stdout: reporters.terminal(record) };
}

const probe = (baseUrl: string): Promise<SmokeResult> =>
  createSmoke({ baseUrl, apiKey: () => KEY, deadline: 20_000 }, { version: '0' }).run();

/** The alert of three such runs in a row. */
function alertOf({ sample }: SmokeResult): AlertEvent | undefined {
  let state = FRESH_STATE;
  const events: AlertEvent[] = [];
  for (let run = 0; run < 3; run += 1) {
    const reaction = reactTo(state, { ...sample, at: sample.at + run * 60_000 }, USUAL);
    state = reaction.state;
    events.push(...reaction.events);
  }
  return events[0];
}

/** The clauses whose blocks the terminal shows, in order. */
const blocksOf = (stdout: string): readonly string[] => [...stdout.matchAll(/^FAIL (\S+)/gm)].flatMap(([, id]) => id ?? []);

test('a service that returns 500 for everything has errors.no-server-error to repair, and nothing else', async () => {
  const args = ['run', '--base-url', await serve(startSame(FAILED)), '--seed', '1'];
  const { code, stdout } = await runProgram(args, { env: { PETSTORE_API_KEY: KEY } });
  expect(code).toBe(1);
  expect(blocksOf(stdout)).toEqual(['errors.no-server-error']);
  expect(stdout).toContain('Not conformant: 1 requirement broken.\n');
  // The only block has said it: a list of one would repeat it.
  expect(stdout).toMatch(/\nStart with errors\.no-server-error: \d+ situations wait for it\.\n/);
});

test('smoke, its summary and the alert of the monitor name the requirement that a run names', async () => {
  const baseUrl = await serve(startSame(FAILED));
  const result = await probe(baseUrl);
  expect(result.sample).toMatchObject({ verdict: 'fail', clause: 'errors.no-server-error', reason: 'status' });
  expect(result.sample.failures.map(({ clause }) => clause)).toEqual(['errors.no-server-error']);
  expect(summarize(result).split('\n')[2]).toContain('- errors.no-server-error (implied): ');
  expect(alertOf(result)).toMatchObject({
    status: 'firing',
    clause: 'errors.no-server-error',
    reason: 'status',
    summary: result.sample.note,
  });
  const { stdout } = await runProgram(['smoke', '--base-url', baseUrl], { env: { PETSTORE_API_KEY: KEY } });
  expect(stdout).toMatch(/\nStart with errors\.no-server-error[.:]/);
});

test('requests that fail intermittently are one thing to repair, and what else they break is its consequence', async () => {
  const { stdout, record } = await judge(await failingOn((request) => request > 100 && request % 7 === 0), 'quick');
  const broken = record.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(broken).toEqual(expect.arrayContaining(['errors.no-server-error', 'media.json']));
  expect(blocksOf(stdout)[0]).toBe('errors.no-server-error');
  expect(stdout).toContain('\n  consequence   of errors.no-server-error: none of these requests was served\n');
  expect(stdout).toMatch(
    /\nNot conformant: \d+ requirements broken, \d+ of them (?:a consequence|consequences) of errors\.no-server-error(?:, \d+ warnings?)?\.\n/,
  );
  expect(stdout).toMatch(/\n {2}Consequences of errors\.no-server-error: /);
  expect(stdout).toMatch(/\nStart with errors\.no-server-error[.:]/);
});

test('a service that fails at everything with a page of its framework is not treated as a web page', async () => {
  const body = '<!DOCTYPE html>\n<html lang="en">\n<body>\n<pre>Internal Server Error</pre>\n</body>\n</html>\n';
  const { stdout } = await judge(await serve(startSame({ status: 500, headers: { 'content-type': 'text/html; charset=utf-8' }, body })));
  expect(blocksOf(stdout)[0]).toBe('errors.no-server-error');
  expect(stdout).toMatch(/\nStart with errors\.no-server-error[.:]/);
  expect(stdout).not.toContain('Check the host');
});

test('what is broken apart from an outage is to be repaired too', async () => {
  const { stdout } = await judge(await failingOn((request) => request > 100 && request % 7 === 0, ['limit-plus-one']), 'quick');
  expect(blocksOf(stdout)[0]).toBe('errors.no-server-error');
  expect(blocksOf(stdout)).toContain('list.limit-maximum');
  expect(stdout).toMatch(/\nStart with errors\.no-server-error[.:]/);
});

test('after an outage everything is judged, and the finding says when it was', async () => {
  const { code, stdout, record } = await judge(await failingOn((request) => request > 700 && request <= 1_400));
  expect(code).toBe(1);
  expect(blocksOf(stdout)).toEqual(['errors.no-server-error']);
  expect(stdout).toMatch(/\n {2}when {10}only [\d.]+ m?s to [\d.]+ s after the start: [\d,]+ of [\d,]+ responses; otherwise 0 of [\d,]+\n/);
  expect(record.notices.join('\n')).toMatch(
    /The service returned 500 for [\d.]+ s from [\d.]+ s after the start of the run on: it was down; after that, [5-7]\d\d requests that failed were sent once more/,
  );
  // Where 201 was the right response to none of the few requests before the outage, a precondition may be missing.
  const undecided = situationsOf(record).filter(({ verdict, why }) => verdict === 'inconclusive' && why !== 'choice');
  expect(undecided.length).toBeLessThan(8);
});

test('a service that breaks off all connections for two seconds is judged completely afterwards', async () => {
  let requests = 0;
  let downUntil = Number.POSITIVE_INFINITY;
  const baseUrl = await serve(
    startFront({
      breaksOff: () => {
        requests += 1;
        if (requests === 700) downUntil = Date.now() + 2_000;
        return requests >= 700 && Date.now() < downUntil;
      },
    }),
  );
  const { code, stdout, record } = await judge(baseUrl);
  expect(code).toBe(1);
  expect(blocksOf(stdout)).toEqual(['errors.answers']);
  expect(record.notices.join('\n')).toMatch(
    /The service returned no complete response for [\d.]+ s from [\d.]+ s after the start of the run on: it was down; after that, \d+ requests that failed were sent once more/,
  );
  expect(situationsOf(record).filter(({ verdict }) => verdict === 'inconclusive')).toEqual([]);
});
