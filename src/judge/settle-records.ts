import type { ClauseId } from '../clause/clause.ts';
import type { ReportedFinding } from '../clause/clause-record.ts';
import { NOT_RECOGNIZED, passNote } from '../clause/outcome.ts';
import type { PartRecord } from '../clause/part-record.ts';
import { failureNote } from '../clause/record-bounds.ts';
import type { Departure } from '../clause/run-record.ts';
import { UNAUTHORIZED } from '../wire/statuses.ts';
import type { RunEvidence } from './conclusion.ts';
import { withCases } from './failure-kinds.ts';

/** A pass proves nothing if the service was never recognized as a pet store. */
function needsStore(record: PartRecord): PartRecord {
  if (record.verdict !== 'pass' && record.verdict !== 'observed') return record;
  return { ...record, verdict: 'inconclusive', why: 'circumstance', note: NOT_RECOGNIZED, observations: [] };
}

const LOCKED_OUT = 'from some point until the end of the run, the service rejected the API key: it was locked out or revoked';

function rejectsKey({ exchanges }: ReportedFinding): boolean {
  const response = exchanges.at(-1)?.answer;
  return response?.kind === 'answered' && response.status === UNAUTHORIZED;
}

/** A key that is permanently rejected from some moment on may have been revoked: the service can no longer be judged. */
function needsKey(record: PartRecord): PartRecord {
  if (record.clause !== 'auth.valid-key' || record.verdict !== 'fail' || !record.findings.every(rejectsKey)) return record;
  return { ...record, verdict: 'inconclusive', why: 'service', note: LOCKED_OUT, findings: [] };
}

const SERVER_ERRORS = 'errors.no-server-error';
const OUTAGE = 'for a while the service returned 5xx to whatever it was sent';

/** Without the cases that an outage explains: it is one defect, which errors.no-server-error reports. */
function outsideOutage(record: PartRecord, outage: ReadonlySet<number>): PartRecord {
  const { cases = [], clause, verdict, evidence } = record;
  if (verdict !== 'fail' || clause === SERVER_ERRORS) return record;
  const stands = (number: number | undefined): boolean => number === undefined || !outage.has(number);
  const others = cases.filter(({ exchange }) => stands(exchange));
  const findings = record.findings.filter(({ exchanges }) => stands(exchanges.at(-1)?.number));
  const explained = cases.length - others.length;
  if (explained === 0) return record;
  const { flaky: _flaky, cases: _cases, failureKinds: _kinds, ...rest } = record;
  const left = evidence === undefined ? undefined : { judged: evidence.judged - explained, broken: others.length };
  const counted = left === undefined ? rest : { ...rest, evidence: left };
  const [first] = others;
  if (first !== undefined) {
    const note = failureNote(first.summary, left ?? { broken: others.length });
    return { ...counted, note, ...withCases(record, { cases: others, findings }) };
  }
  if (left !== undefined && left.judged > 0) return { ...counted, verdict: 'pass', note: passNote(left.judged), findings: [] };
  return { ...counted, verdict: 'inconclusive', why: 'waits', blockedBy: SERVER_ERRORS, note: OUTAGE, findings: [] };
}

function waitsOf(records: readonly PartRecord[]): ReadonlyMap<ClauseId, readonly ClauseId[]> {
  const waits = new Map<ClauseId, ClauseId[]>();
  for (const { clause, blockedBy } of records) if (blockedBy !== undefined) waits.set(clause, [...(waits.get(clause) ?? []), blockedBy]);
  return waits;
}

/**
 * The clause that is waited for in the end: one that failed, or that this run does not judge; undefined if there is none. The clause that a
 * check waits for may itself wait for another one.
 */
function standsInTheWay(
  clause: ClauseId,
  {
    failed,
    judged,
    waits,
  }: { failed: ReadonlySet<ClauseId>; judged: ReadonlySet<ClauseId>; waits: ReadonlyMap<ClauseId, readonly ClauseId[]> },
): ClauseId | undefined {
  const asked = new Set<ClauseId>([clause]);
  for (const one of asked) {
    if (failed.has(one) || !judged.has(one)) return one;
    for (const next of waits.get(one) ?? []) asked.add(next);
  }
  return undefined;
}

/**
 * Settles the records of a run by what only the whole run can tell: nothing passes unless a pet store responded, and checks only wait for
 * clauses that failed in this run. `recognized`: an animal was seen, so what responds is a pet store; `lockedOut`: the API key was rejected
 * from some moment on; `outage`: numbers of the exchanges that failed while every request failed.
 */
export function settleRecords(
  given: readonly PartRecord[],
  { recognized, lockedOut, outage }: { readonly recognized: boolean } & Pick<RunEvidence, 'lockedOut' | 'outage'>,
): readonly PartRecord[] {
  const out = new Set(outage);
  const outside = out.size === 0 ? given : given.map((record) => outsideOutage(record, out));
  const records = lockedOut ? outside.map(needsKey) : outside;
  const failed = new Set(records.filter(({ verdict }) => verdict === 'fail' || verdict === 'waived').map(({ clause }) => clause));
  const judged = new Set(records.map(({ clause }) => clause));
  const waits = waitsOf(records);
  return records.map((record) => {
    const known = recognized ? record : needsStore(record);
    const { blockedBy, ...rest } = known;
    if (blockedBy === undefined) return known;
    const inTheWay = standsInTheWay(blockedBy, { failed, judged, waits });
    return inTheWay === undefined ? { ...rest, why: 'circumstance' } : { ...rest, blockedBy: inTheWay };
  });
}

/** Whether its clause is red, or waits for one that is and that explains its cases. */
const isReported = ({ verdict, blockedBy }: PartRecord): boolean =>
  verdict === 'fail' || verdict === 'waived' || (verdict === 'inconclusive' && blockedBy !== undefined);

/** The clauses that explain a status which a list with parameters gets: those of lists with fewer parameters. */
const SIMPLER: Partial<Record<ClauseId, readonly ClauseId[]>> = {
  'list.filter-with-limit': ['list.limit-accepted', 'list.status-accepted', 'list.success'],
  'list.limit-accepted': ['list.success'],
  'list.status-accepted': ['list.success'],
};

/** Departures that were read through although no clause reports them: a defect of the suite, as sentences. The records are settled. */
export function unreportedDepartures(records: readonly PartRecord[], departures: readonly Departure[]): readonly string[] {
  return departures
    .filter(({ clause }) => {
      const own = records.filter((record) => record.clause === clause);
      const simpler = records.filter((record) => SIMPLER[clause]?.includes(record.clause) === true);
      return own.length > 0 && ![...own, ...simpler].some(isReported);
    })
    .map(({ clause, description }) => `${clause} does not report what is read through: ${description}`);
}
