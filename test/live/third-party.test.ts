import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { ownFolder } from '../support/own-folder.ts';
import { runProgram } from '../support/program.ts';
import { expectationOf } from '../third-party/expectations.ts';
import { type Build, LONGEST_START, startServer } from '../third-party/start-server.ts';
import { chosenServers, needsToolchain } from '../third-party/toolchains.ts';

// Judged where they are asked for: `THIRD_PARTY=1 npx vitest run test/live/third-party.test.ts`.
const KEY = 'kZ4vQ9tLm2Xb7Wd1';
const LONGEST_RUN = 300_000;
const timeout = LONGEST_START + LONGEST_RUN + 30_000;

/** One run of the gate on a server that was started for it, and the required and implied clauses that it finds broken. */
async function judge(name: string, build: Build): Promise<{ code: number | null; red: readonly string[]; stdout: string }> {
  const baseUrl = await startServer(name, build, KEY);
  const cwd = ownFolder();
  const { code, stdout } = await runProgram(['run', '--base-url', baseUrl, '--seed', '1', '--timeout', '20000'], {
    cwd,
    env: { PETSTORE_API_KEY: KEY },
    patience: LONGEST_RUN,
  });
  const { clauses } = JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
  const red = clauses.filter(({ verdict, level }) => verdict === 'fail' && level !== 'advised').map(({ id }) => id);
  return { code, red, stdout };
}

describe.each(chosenServers)('%s', (name) => {
  test('The first run reports what the server gets wrong, and nothing else.', { timeout }, async (context) => {
    needsToolchain(context, name);
    const { code, red } = await judge(name, 'ordinary');
    expect({ code, red: red.toSorted() }).toEqual({ code: 1, red: expectationOf(name).red });
  });

  test('The repaired twin is conformant.', { timeout }, async (context) => {
    needsToolchain(context, name);
    const { code, red, stdout } = await judge(name, 'repaired');
    expect({ code, red }, stdout).toEqual({ code: 0, red: [] });
  });
});
