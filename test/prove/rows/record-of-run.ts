// The record of a run of rows against a server that is started for it.

import type { RunRecord } from '../../../src/clause/run-record.ts';
import { toolVersion } from '../../../src/gate/package-files.ts';
import { judgeByRows, rowsRecord } from '../../../src/judge/rows-record.ts';
import { SUITE } from '../../../suites/plan/index.ts';
import { WORDING } from '../../../suites/plan/lore.ts';
import { versionsOf } from '../../../suites/tables/tables.ts';
import { sessionOptions } from '../judge-reference.ts';
import type { Setting } from './judge-server.ts';

export async function recordOfRun({ start, session }: Setting): Promise<RunRecord> {
  const server = await start();
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  try {
    const options = sessionOptions(server.baseUrl, session);
    const told = await judgeByRows({ ...SUITE, options, wording: WORDING }, { versionsOf });
    return rowsRecord({
      options: {
        ...{ session: options, reference: false, strict: false, only: [], skip: [], waivers: [], drift: () => [], today: new Date() },
        ...{ version: toolVersion, registry: SUITE.clauses, selection: [] },
      },
      ...{ told, stopped: undefined, startedAt, duration: Math.round(performance.now() - begin) },
    });
  } finally {
    await server.close();
  }
}
