import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { ownFolder, runProgram } from '../../test/support/program.ts';
import { expectationOf } from './expectations.ts';
import { type Build, LONGEST_START, startServer } from './start-server.ts';
import { chosenServers, needsToolchain } from './toolchains.ts';

// Only judged on request: `THIRD_PARTY=1 npx vitest run corpora/third-party/servers.live.test.ts`.
const KEY = 'kZ4vQ9tLm2Xb7Wd1';
const LONGEST_RUN = 300_000;
const timeout = LONGEST_START + LONGEST_RUN + 30_000;

/** The result of one run of the gate on a server. */
type Judged = {
  readonly code: number | null;
  /** Required and implied clauses that it finds broken. */
  readonly red: readonly string[];
  /** The likely causes in its report, the first to repair first. */
  readonly causes: readonly string[];
  readonly stdout: string;
};

async function judge(name: string, build: Build): Promise<Judged> {
  const baseUrl = await startServer(name, build, KEY);
  const cwd = ownFolder();
  const { code, stdout } = await runProgram(['run', '--base-url', baseUrl, '--seed', '1', '--timeout', '20000'], {
    cwd,
    env: { PETSTORE_API_KEY: KEY },
    patience: LONGEST_RUN,
  });
  const record = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  const red = record.clauses.filter(({ verdict, level }) => verdict === 'fail' && level !== 'advised').map(({ id }) => id);
  return { code, red, causes: diagnose(record).causes.map(({ id }) => id), stdout };
}

describe.each(chosenServers)('%s', (name) => {
  test('The first run reports what the server gets wrong, and nothing else.', { timeout }, async (context) => {
    needsToolchain(context, name);
    const { code, red, causes, stdout } = await judge(name, 'ordinary');
    const expected = expectationOf(name);
    expect({ code, red: red.toSorted() }, stdout).toEqual({ code: 1, red: expected.red });
    // Causes that explain equally much may be in any order.
    expect(causes[0]).toBe(expected.causes[0]);
    expect(causes.toSorted()).toEqual(expected.causes.toSorted());
    expect(stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(expected.lines);
  });

  test('The repaired twin is conformant.', { timeout }, async (context) => {
    needsToolchain(context, name);
    const { code, red, stdout } = await judge(name, 'repaired');
    expect({ code, red }, stdout).toEqual({ code: 0, red: [] });
  });
});
