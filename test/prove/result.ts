// The servers of the registry, how they are judged, and what a pass over one has shown.

import { isBinding } from '../../src/clause/clause.ts';
import type { PartRecord } from '../../src/clause/part-record.ts';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { UsageError } from '../../src/cli/option-spec.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import type { SessionClause } from '../../src/oracle/world.ts';
import { hashOf } from '../../src/probe/schedule.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { faultOfPart } from '../../src/reference/faults/parts.ts';
import { lookUp, startReference, UnknownNameError } from '../../src/reference/server.ts';
import { variants } from '../../src/reference/variants/index.ts';
import { contrastText } from '../../src/report/broken-clauses.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { openSession } from '../../src/session/open-session.ts';
import type { Depth, SessionOptions } from '../../src/session/session.ts';
import { clauses } from '../../suites/index.ts';
import {
  judgeReference,
  judgeSession,
  KEY,
  type ReferenceJudgement,
  type ReferenceRun,
  recordOfRun,
  sessionOptions,
} from './judge-reference.ts';

type Named = { readonly subject: RegistrySubject; readonly clause: string };

const SUBJECTS: readonly Named[] = [
  ...variants.map(({ name }) => ({ subject: { kind: 'variant' as const, name }, clause: '' })),
  ...faults.map(({ name, clause }) => ({ subject: { kind: 'fault' as const, name }, clause })),
];
const ALL_NAMES = [...new Set([...SUBJECTS.map(({ subject }) => subject.name), ...faults.map(({ clause }) => clause)])];

function nearTo(wanted: string): readonly string[] {
  try {
    return [
      lookUp(
        'name',
        ALL_NAMES.map((name) => ({ name })),
        wanted,
      ).name,
    ];
  } catch (error) {
    if (error instanceof UnknownNameError) return error.near.slice(0, 3);
    throw error;
  }
}

function matching(wanted: string): readonly RegistrySubject[] {
  const exact = SUBJECTS.filter(({ subject, clause }) => subject.name === wanted || clause === wanted);
  const found = exact.length > 0 ? exact : SUBJECTS.filter(({ subject }) => subject.name.includes(wanted));
  if (found.length > 0) return found.map(({ subject }) => subject);
  const near = nearTo(wanted);
  const advice = near.length === 0 ? '"explain faults" shows them all' : `did you mean ${near.join(' or ')}?`;
  throw new UsageError(`no fault or variant is called "${wanted}", and no clause with faults; ${advice}`);
}

/**
 * The servers that the names stand for: a fault or a variant, all faults of a clause, or whatever has the text in its name. All of them
 * where nothing is named. Throws UsageError with the nearest names where nothing fits.
 */
export function selectSubjects(names: readonly string[]): readonly RegistrySubject[] {
  if (names.length === 0) return SUBJECTS.map(({ subject }) => subject);
  return [...new Set(names.flatMap(matching))];
}

const FEW_ANIMALS = 7;
// A hanging fault must not make the proof long; a busy machine must not look like one.
const FAULT_TIMEOUT = 2_000;
/** What hangs nowhere may take longer: a busy machine must not make it look slow. */
export const CONFORMING_TIMEOUT = 10_000;
export const FAULT_WINDOW = 500;

/** One server of the registry. */
export type RegistrySubject = { readonly kind: 'fault' | 'variant'; readonly name: string };

/** One server of which a history can be kept: of the registry, or a hold-out. */
export type RecordedSubject = RegistrySubject | { readonly kind: 'holdout'; readonly name: string };

/** What is judged: a fault, a variant, or several faults at once. */
export type Subject = RegistrySubject | { readonly kind: 'combination'; readonly name: string; readonly faults: readonly string[] };

/** The verdict on a part: for an undecided one whose doing it is, and the clause that it waits for. */
export type PartResult = { readonly verdict: string; readonly why?: string; readonly waitsFor?: string };

/** What one pass over a server has shown: every table and every test of the proof is made of these. */
export type Result = {
  readonly kind: (Subject | RecordedSubject)['kind'];
  readonly name: string;
  /** Broken clauses of required and implied level, and those of advised level. */
  readonly red: readonly string[];
  readonly advised: readonly string[];
  readonly parts: Readonly<Record<string, PartResult>>;
  /** Notes of failed and undecided parts, for whoever looks into a gap. */
  readonly notes: Readonly<Record<string, string>>;
  /** What was read through, in the words of the report. */
  readonly departures: readonly string[];
  /** The likely causes in their order, each with the clauses that it explains. */
  readonly causes: readonly { readonly id: string; readonly clauses: readonly string[] }[];
  /** When the clause of a fault is broken, according to the report; empty where it says nothing. */
  readonly when: string;
  /** Requests until the first finding; 0 for none. */
  readonly requestsUntilFound: number;
  readonly requests: number;
  readonly created: number;
  readonly milliseconds: number;
  /** What a run of the gate would end with. */
  readonly exitCode: number;
  readonly headline: string;
  /** Lines that the terminal report of the run has. */
  readonly lines: number;
  /** Parts of the clause of a fault that fail only when nothing else is judged, so that nothing else is sent. */
  readonly failAlone: readonly string[];
};

const levels = new Map<string, string>(clauses.map((clause) => [clause.id, clause.level]));

function firstRequest(records: readonly PartRecord[]): number {
  const numbers = records.flatMap(({ findings }) => findings.flatMap(({ exchanges }) => exchanges.slice(-1).map(({ number }) => number)));
  return numbers.length === 0 ? 0 : Math.min(...numbers);
}

function partOf({ verdict, why, blockedBy }: PartRecord): PartResult {
  return { verdict, ...(why === undefined ? {} : { why }), ...(blockedBy === undefined ? {} : { waitsFor: blockedBy }) };
}

function whenBroken(clause: string, failed: readonly PartRecord[]): string {
  return contrastText(failed.find((record) => record.clause === clause && record.contrast !== undefined)?.contrast);
}

/** What a run has shown; of a fault that it does not show, also what judging its clause alone has. */
export function resultOf({ kind, name }: Subject | RecordedSubject, run: ReferenceRun, alone?: ReferenceRun): Result {
  const failed = run.records.filter(({ verdict }) => verdict === 'fail');
  const ids = [...new Set(failed.map(({ clause }) => clause as string))].sort();
  const record = recordOfRun(run);
  const failAlone = alone?.records.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id) ?? [];
  return {
    kind,
    name,
    red: ids.filter((id) => levels.get(id) !== 'advised'),
    advised: ids.filter((id) => levels.get(id) === 'advised'),
    parts: Object.fromEntries(run.records.map((record) => [record.id, partOf(record)])),
    notes: Object.fromEntries(
      run.records.filter(({ verdict }) => verdict === 'fail' || verdict === 'inconclusive').map(({ id, note }) => [id, note]),
    ),
    departures: run.summary.departures.map(({ description }) => description),
    when: kind === 'fault' ? whenBroken(faultCalled(name).clause, failed) : '',
    causes: diagnose(record).causes.map(({ id, explains }) => ({ id, clauses: explains })),
    requestsUntilFound: firstRequest(failed),
    requests: run.requests,
    created: run.created,
    milliseconds: run.milliseconds,
    exitCode: record.conclusion.exitCode,
    headline: [record.conclusion.headline, ...record.conclusion.reasons].join('; '),
    failAlone: failAlone.filter((id) => !failed.some((one) => one.id === id)),
    lines: renderTerminal(record, { color: false, width: 100 }).split('\n').length,
  };
}

function faultCalled(name: string): (typeof faults)[number] {
  const fault = faults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`prove: there is no fault ${name}`);
  return fault;
}

/** The clause that the fault breaks, for judging it alone. */
export function clauseBrokenBy(name: string): readonly SessionClause[] {
  const { clause } = faultCalled(name);
  return clauses.filter(({ id }) => id === clause);
}

/** The server that has these faults, with what they need to show, and a session that suits it. */
export function settingOf(names: readonly string[]) {
  const chosen = names.map(faultCalled);
  const at = chosen.map(({ needs }) => needs?.now).find((now) => now !== undefined);
  const now = at === undefined ? undefined : new Date(at);
  const basePath = chosen.map((fault) => fault.basePath).find((path) => path !== undefined);
  const seeds = chosen.flatMap(({ needs }) => (needs?.seedAnimals === undefined ? [] : [needs.seedAnimals]));
  const server = {
    faults: names,
    seedAnimals: seeds.length === 0 ? FEW_ANIMALS : Math.max(...seeds),
    ...(basePath === undefined ? {} : { basePath }),
    ...(now === undefined ? {} : { now: () => now }),
  };
  return { server, session: { timeout: FAULT_TIMEOUT, consistencyWindow: FAULT_WINDOW, ...(now === undefined ? {} : { now }) } };
}

/** The binding parts, of whatever clause, that the fault must turn red. */
function partsShowing(name: string) {
  const binding = clauses.filter(isBinding);
  return binding.flatMap(({ checks, invariants }) => [...checks, ...invariants].filter(({ id }) => faultOfPart(id) === name));
}

/** Whether the run fails the clause that the fault breaks, and each binding part, of whatever clause, that it must turn red. */
export function isShown(name: string, { red, advised, parts }: Result): boolean {
  const showing = partsShowing(name);
  return [...red, ...advised].includes(faultCalled(name).clause) && showing.every(({ id }) => parts[id]?.verdict === 'fail');
}

const cheap = clauses.map((clause) => ({ ...clause, checks: clause.checks.filter(({ exhaustive }) => !exhaustive) }));

export type SubjectOptions = {
  readonly swift?: boolean;
  readonly depth?: Depth;
  readonly seed?: number;
  /** Milliseconds for a response of a server with faults; by default as few as for a fault that hangs. */
  readonly timeout?: number;
  /** Ids of kinds and checks whose requests are not sent. */
  readonly without?: readonly string[];
  /** Names of variants: what a service with the faults also chooses where the document leaves that open. */
  readonly upon?: readonly string[];
};

/** The clauses without these kinds and checks. */
function leaveOut(all: readonly SessionClause[], without: readonly string[]): readonly SessionClause[] {
  return without.length === 0 ? all : all.map((one) => ({ ...one, checks: one.checks.filter(({ id }) => !without.includes(id)) }));
}

/**
 * Judges one server of the registry by all checks. `swift` judges a variant by all checks, too, with cases of properties that are others for each
 * variant, and a fault, where that is enough to show it, by the clause that it breaks alone, or by a quick run.
 */
export async function judgeSubject(
  subject: Subject,
  {
    swift = false,
    depth = 'standard',
    seed,
    timeout = FAULT_TIMEOUT,
    without = [],
    upon = [],
    keep,
  }: SubjectOptions & Pick<ReferenceJudgement, 'keep'> = {},
): Promise<Result> {
  const judged = leaveOut(depth === 'quick' ? cheap : clauses, without);
  const seeded = seed === undefined ? {} : { seed };
  if (subject.kind === 'variant') {
    const variant = variants.find((one) => one.name === subject.name);
    if (variant === undefined) throw new Error(`prove: there is no variant ${subject.name}`);
    const now = variant.now === undefined ? {} : { now: variant.now() };
    const drawn = swift ? { depth, seed: hashOf(variant.name) } : { depth, ...seeded };
    const session = { timeout: CONFORMING_TIMEOUT, ...drawn, ...now };
    return resultOf(subject, await judgeReference({ variants: [variant.name] }, { session, judged, keep }));
  }
  const { server: faulty, session: usual } = settingOf(subject.kind === 'combination' ? subject.faults : [subject.name]);
  const server = { ...faulty, variants: upon };
  const session = { ...usual, timeout };
  const fault = subject.kind === 'fault' ? faultCalled(subject.name) : undefined;
  const explained = fault !== undefined && !swift;
  if (swift && fault !== undefined) {
    const shortcuts: readonly ReferenceJudgement[] = [
      { session, judged: leaveOut(clauseBrokenBy(fault.name), without) },
      { session: { ...session, depth: 'quick' }, judged: leaveOut(cheap, without) },
    ];
    for (const shortcut of shortcuts) {
      const shown = resultOf(subject, await judgeReference(server, { ...shortcut, explained }));
      if (isShown(fault.name, shown)) return shown;
    }
  }
  const run = await judgeReference(server, { session: { ...session, depth, ...seeded }, judged, explained, keep });
  const result = resultOf(subject, run);
  if (fault === undefined || depth !== 'standard' || isShown(fault.name, result)) return result;
  // Among all requests of a run some sequences never come about: the clause by itself has to find it then.
  const alone = { session, judged: leaveOut(clauseBrokenBy(fault.name), without), explained, keep };
  return resultOf(subject, run, await judgeReference(server, alone));
}

/** What a run with `--only CLAUSE` says about a server, and what it sends for it. */
export type Only = {
  /** Whether the clause is red. */
  readonly red: boolean;
  readonly requests: number;
  readonly created: number;
};

/** Judges a server with these faults, or the conforming one, by one clause alone. */
export async function judgeOnly(clause: string, names: readonly string[]): Promise<Only> {
  const { server, session } = settingOf(names);
  // As a selection of the clause does: what mixes requests of all kinds is left out.
  const judged = clauses
    .filter(({ id }) => id === clause)
    .map((one) => ({ ...one, checks: one.checks.filter(({ mixing }) => mixing !== true) }));
  const { records, requests, created } = await judgeReference(server, { session, judged });
  return { red: records.some((record) => record.clause === clause && record.verdict === 'fail'), requests, created };
}

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
    const summary = open.summary();
    const created = summary.animals.created.length;
    return recordOfRun({
      baseUrl,
      records: judged.records,
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
