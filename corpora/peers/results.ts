import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Judged } from './judge-server.ts';

/** The first line of a results file: what was measured, and the cost of the conforming server without any variant. */
export type Measured = {
  readonly peer: string;
  readonly version: string;
  readonly date: string;
  readonly plain: Pick<Judged, 'milliseconds' | 'processor' | 'requests'>;
};

/** All measurements of a program. */
export type Results = Measured & { readonly judged: readonly Judged[] };

/** The content of the file; undefined if it does not exist. */
export function readResults(file: string): Results | undefined {
  if (!existsSync(file)) return undefined;
  const [head = '{}', ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  return { ...(JSON.parse(head) as Measured), judged: rows.map((row) => JSON.parse(row) as Judged) };
}

/** Starts a new results file. */
export function beginResults(file: string, measured: Measured): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(measured)}\n`);
}

/** Adds a server to the results. */
export function addResult(file: string, judged: Judged): void {
  appendFileSync(file, `${JSON.stringify(judged)}\n`);
}
