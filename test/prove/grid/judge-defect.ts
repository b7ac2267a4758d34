import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readCall } from '../../../src/reference/core/incoming.ts';
import type { Context, Parts } from '../../../src/reference/core/parts.ts';
import { Problem } from '../../../src/reference/core/problem.ts';
import { problemReply } from '../../../src/reference/core/replies.ts';
import { seed } from '../../../src/reference/core/seed.ts';
import { createStore } from '../../../src/reference/core/store.ts';
import { clauses } from '../../../suites/index.ts';
import { judgeServer, KEY, type ReferenceRun } from '../judge-reference.ts';
import { CONFORMING_TIMEOUT, FAULT_WINDOW } from '../result.ts';
import { breakParts, type Defect, defectCalled } from './defects.ts';

const BASE_PATH = '/v1';
const CATEGORIES = [1n, 2n, 3n, 4n, 5n];
const BINDING = new Set<string>(clauses.filter(({ level }) => level === 'required' || level === 'implied').map(({ id }) => id));

/** What the gate says of a server with one defect. */
export type DefectResult = {
  readonly name: string;
  /** Required and implied clauses that it finds broken: none means that the defect was missed. */
  readonly red: readonly string[];
  /** How many requests of the run the defect changed something for. */
  readonly applied: number;
  readonly requests: number;
  readonly milliseconds: number;
};

/** A server of these parts on a socket; the registry's server takes names only. */
async function startServer(parts: Parts, seedAnimals: number) {
  const store = createStore();
  seed(store, parts, seedAnimals, CATEGORIES);
  const server = createServer(async (incoming, outgoing) => {
    const call = readCall(incoming, BASE_PATH);
    const context: Context = { call, store, parts, apiKey: KEY, now: () => new Date() };
    try {
      await parts.send(await parts.handle(context), outgoing, call);
    } catch {
      if (outgoing.headersSent || outgoing.destroyed) outgoing.destroy();
      else await parts.send(problemReply(context, new Problem(500, 'internal', 'Something went wrong')), outgoing, call);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE_PATH}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** Judges a server with a defect of the grid, or the same server without one, as the proof judges a fault. */
export async function judgeBroken(defect: Defect | undefined): Promise<{ readonly run: ReferenceRun; readonly applied: number }> {
  const { parts, applied } = breakParts(defect, { clock: { now: () => Date.now() } });
  const run = await judgeServer(() => startServer(parts, defect?.seedAnimals ?? 8), {
    session: { timeout: CONFORMING_TIMEOUT, consistencyWindow: FAULT_WINDOW },
  });
  return { run, applied: applied() };
}

/** What the gate says of the defect of that name. */
export async function judgeDefect(name: string): Promise<DefectResult> {
  const { run, applied } = await judgeBroken(defectCalled(name));
  const failed = run.records.filter(({ verdict, clause }) => verdict === 'fail' && BINDING.has(clause));
  const red = [...new Set(failed.map(({ clause }): string => clause))].sort();
  return { name, red, applied, requests: run.requests, milliseconds: run.milliseconds };
}
