import type { RunRecord } from '../../src/clause/run-record.ts';
import { boundFindings } from '../../src/judge/record.ts';
import { startReference } from '../../src/reference/server.ts';
import { openSession } from '../../src/session/open-session.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import { clauses } from '../../suites/index.ts';
import { KEY, recordOfRun, sessionOptions } from '../prove/judge-reference.ts';
import { settingOf } from '../prove/result.ts';
import { judgeSession } from '../support/judge-session.ts';

export type Judgement = {
  readonly session?: Partial<SessionOptions>;
  /** The clauses to judge; all by default. */
  readonly only?: readonly string[];
};

/** Judges the server at that address, as the gate does, and returns the run as in reports. */
export async function judgeAddress(baseUrl: string, { session = settingOf([]).session, only }: Judgement = {}): Promise<RunRecord> {
  const open = await openSession(sessionOptions(baseUrl, session));
  try {
    await open.start();
    const judged = await judgeSession(open, {
      clauses: clauses.filter(({ id }) => only === undefined || only.includes(id)),
      effects: ['read', 'intrusive', 'write'],
    });
    const records = boundFindings(judged.records);
    const summary = open.summary();
    const created = summary.animals.created.length;
    return recordOfRun({
      baseUrl,
      records,
      requests: open.requests(),
      created,
      milliseconds: 0,
      summary,
      evidence: judged.evidence,
      now: new Date(),
    });
  } finally {
    await open.session.close();
  }
}

/** Judges the reference server with one fault of the registry. */
export async function judgeFault(name: string, judgement: Judgement = {}): Promise<RunRecord> {
  const { server, session } = settingOf([name]);
  const reference = await startReference({ ...server, apiKey: KEY });
  try {
    return await judgeAddress(reference.baseUrl, { session, ...judgement });
  } finally {
    await reference.close();
  }
}
