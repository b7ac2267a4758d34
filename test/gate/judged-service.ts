// A service on loopback that is judged by the whole program, and what the program has written.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { onTestFinished } from 'vitest';
import { type ReferenceOptions, startReference } from '../../proof/server.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { type Ended, runProgram, type Start } from '../support/program.ts';

export const KEY = 'canary/Key+7&<x>"q"=Zz';

/** A reference server until the test is over. */
export async function serve(options: Omit<ReferenceOptions, 'apiKey'> = {}): Promise<string> {
  const server = await startReference({ seedAnimals: 8, ...options, apiKey: KEY });
  onTestFinished(() => server.close());
  return server.baseUrl;
}

export function gate(baseUrl: string, args: readonly string[] = [], start: Start = {}): Promise<Ended> {
  return runProgram(['run', '--base-url', baseUrl, ...args], { ...start, env: { PETSTORE_API_KEY: KEY, ...start.env } });
}

export function recordIn(cwd: string): RunRecord {
  return JSON.parse(readFileSync(join(cwd, 'reports', 'report.json'), 'utf8')) as RunRecord;
}

type Junit = { testsuites: { '@_tests': string; '@_failures': string; '@_errors': string } };

export function junitIn(cwd: string): Junit['testsuites'] {
  const parser = new XMLParser({ ignoreAttributes: false });
  return (parser.parse(readFileSync(join(cwd, 'reports', 'junit.xml'), 'utf8')) as Junit).testsuites;
}
