// Judges servers of the registry, and says what that has shown.

import type { MustRecord } from '../src/clause/clause-record.ts';
import type { RunRecord } from '../src/clause/run-record.ts';
import { diagnose } from '../src/diagnosis/diagnose.ts';
import { hashOf } from '../src/probe/schedule.ts';
import { contrastText } from '../src/report/broken-clauses.ts';
import { renderTerminal } from '../src/report/render-terminal.ts';
import type { Depth } from '../src/session/session.ts';
import { KEY } from './judge-reference.ts';
import { faultySetting, type Judgement, judgeSetting, registrySetting, type Setting } from './judge-server.ts';
import { isNamed, type Reached, type RegistrySubject, type Result, type Subject } from './result.ts';
import { faultCalled } from './server.ts';

/** Characters of a line of the terminal report. */
const WIDTH = 100;
/** Animals that a thorough run may create: more than it does. */
const MOST_CREATIONS = 320;

export type SubjectOptions = {
  readonly swift?: boolean;
  readonly depth?: Depth;
  readonly seed?: number;
  /** Milliseconds for a response of a server with faults; by default as few as for a fault that hangs. */
  readonly timeout?: number;
  /** Names of variants: what a service with the faults also chooses where the document leaves that open. */
  readonly upon?: readonly string[];
};

const reachedBy = ({ verdict, why, blockedBy }: Pick<MustRecord, 'verdict' | 'why' | 'blockedBy'>): Reached => ({
  verdict,
  ...(why === undefined ? {} : { why }),
  ...(blockedBy === undefined ? {} : { waitsFor: blockedBy }),
});

/** What is reported has no key. */
function withoutKey(text: string, name: string): string {
  if (text.includes(KEY)) throw new Error(`the reports of ${name} contain the API key`);
  return text;
}

/** The number of the first request that breaks a clause; 0 for none. */
function firstRequest({ clauses }: RunRecord): number {
  const numbers = clauses.flatMap(({ verdict, cases = [] }) => (verdict === 'fail' ? cases.flatMap(({ exchange = [] }) => exchange) : []));
  return numbers.length === 0 ? 0 : Math.min(...numbers);
}

/** What a run has shown. */
export function resultOf({ kind, name }: Pick<Subject, 'kind' | 'name'>, record: RunRecord): Result {
  const { clauses, conclusion, operations } = record;
  const failed = clauses.filter(({ verdict }) => verdict === 'fail');
  const idsOf = (isAdvised: boolean): readonly string[] =>
    failed.filter(({ level }) => (level === 'advised') === isAdvised).map(({ id }) => id);
  const own = kind === 'fault' ? failed.find(({ id }) => id === faultCalled(name).clause) : undefined;
  const report = withoutKey(renderTerminal(record, { color: false, width: WIDTH }), name);
  withoutKey(JSON.stringify(record), name);
  return {
    ...{ kind, name, red: idsOf(false), advised: idsOf(true) },
    clauses: Object.fromEntries(clauses.map((clause) => [clause.id, reachedBy(clause)])),
    situations: Object.fromEntries(
      clauses.flatMap(({ id, musts }) =>
        musts.filter(({ verdict }) => verdict !== 'pass').map((must) => [`${id}: ${must.title}`, reachedBy(must)]),
      ),
    ),
    notes: Object.fromEntries(
      clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive').map(({ id, note }) => [id, note]),
    ),
    departures: record.departures.map(({ description }) => description),
    when: contrastText(own?.contrast),
    causes: diagnose(record).causes.map(({ id, explains }) => ({ id, clauses: explains })),
    requestsUntilFound: firstRequest(record),
    requests: operations.reduce((sum, { requests }) => sum + requests, 0),
    created: record.animals.created.length,
    milliseconds: record.duration,
    exitCode: conclusion.exitCode,
    headline: [conclusion.headline, ...conclusion.reasons].join('; '),
    lines: report.split('\n').length,
  };
}

async function judgeVariant(subject: RegistrySubject, { swift = false, depth = 'standard', seed }: SubjectOptions): Promise<Result> {
  const drawn = swift ? { seed: hashOf(subject.name) } : seed === undefined ? {} : { seed };
  return resultOf(subject, await judgeSetting(registrySetting(subject), { session: { depth, ...drawn } }));
}

async function shows(subject: Subject, setting: Setting, judgement: Judgement): Promise<boolean> {
  return isNamed(subject.name, resultOf(subject, await judgeSetting(setting, { ...judgement, explained: false })));
}

/** What shows a fault in less than a whole run: the clause that it breaks by itself, else a quick run. */
async function judgeSwiftly(subject: Subject, setting: Setting, clause: string): Promise<Result | undefined> {
  for (const shortcut of [{ only: [clause] }, { session: { depth: 'quick' } }] satisfies readonly Judgement[]) {
    const shown = resultOf(subject, await judgeSetting(setting, { ...shortcut, explained: false }));
    if (isNamed(subject.name, shown)) return shown;
  }
  return undefined;
}

/**
 * Judges one server of the registry as the gate does. `swift` judges a variant with a seed of its own, and a fault, where that is enough to show it, by
 * the clause that it breaks alone, or by a quick run.
 */
export async function judgeSubject(subject: Subject, options: SubjectOptions = {}): Promise<Result> {
  const { swift = false, depth = 'standard', seed, timeout, upon = [] } = options;
  if (subject.kind === 'variant') return judgeVariant(subject, options);
  const { start, session } = faultySetting(subject.kind === 'combination' ? subject.faults : [subject.name], upon);
  const setting: Setting = { start, session: { ...session, ...(timeout === undefined ? {} : { timeout }) } };
  const clause = subject.kind === 'fault' ? faultCalled(subject.name).clause : undefined;
  const swiftly = swift && clause !== undefined ? await judgeSwiftly(subject, setting, clause) : undefined;
  if (swiftly !== undefined) return swiftly;
  // Which clauses are broken is all that is asked of a combination.
  const explained = subject.kind !== 'combination';
  const result = resultOf(subject, await judgeSetting(setting, { session: { depth, ...(seed === undefined ? {} : { seed }) }, explained }));
  if (clause === undefined || depth !== 'standard' || isNamed(subject.name, result)) return result;
  // Among all requests of a run some sequences never come about: the clause by itself has to find it then.
  if (await shows(subject, setting, { only: [clause] })) return { ...result, shownBy: 'its clause alone' };
  const thorough: Judgement = { session: { depth: 'thorough', maxCreates: MOST_CREATIONS } };
  return (await shows(subject, setting, thorough)) ? { ...result, shownBy: 'depth thorough' } : result;
}
