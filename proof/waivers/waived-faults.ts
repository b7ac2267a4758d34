// Whether waivers that one run wrote fit other runs on the same defect: with other seeds, at other depths, and of `smoke`.

import type { ClauseRecord, ReportedContrast } from '../../src/clause/clause-record.ts';
import { clauseRecordsOf } from '../../src/judge/clause-records.ts';
import { changeWaivers, EXPIRY_TO_BE_WRITTEN, parseWaivers, REASON_TO_BE_WRITTEN, type Waiver } from '../../src/judge/waiver-file.ts';
import { applyWaivers, unwaived } from '../../src/judge/waivers.ts';
import type { SessionOptions } from '../../src/session/session.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { versionsOf } from '../../suites/tables/tables.ts';
import { faults } from '../faults/index.ts';
import { probeServer } from '../judge-probe.ts';
import { sessionOptions } from '../judge-reference.ts';
import { faultySetting, judgeSetting } from '../judge-server.ts';

const SEEDS = [1, 20261121, 987654321];

/** What a run found, as far as waivers look at it. */
export type Found = Pick<
  ClauseRecord,
  'id' | 'verdict' | 'note' | 'curtailed' | 'musts' | 'failureKinds' | 'flaky' | 'cases' | 'evidence' | 'contrast' | 'besideWaivers'
>;

/** The runs on one fault, by their names; those of the seeds write waivers. */
export type FaultRuns = { readonly fault: string; readonly runs: Readonly<Record<string, readonly Found[]>> };

const withoutExchanges = ({ when, unit, there, elsewhere }: ReportedContrast): ReportedContrast => ({
  ...(when === undefined ? {} : { when }),
  ...{ unit, there, elsewhere },
});

/** Without exchanges: of the cases, the first that is of each kind of failure. */
function foundIn(records: readonly ClauseRecord[]): readonly Found[] {
  return records.map(({ id, verdict, note, curtailed, musts, failureKinds, flaky, cases = [], evidence, contrast }) => {
    const firsts = (failureKinds ?? []).flatMap((_kind, place) => cases.findIndex((one) => (one.failureKinds ?? [0]).includes(place)));
    return {
      ...{ id, verdict, note, musts },
      ...(curtailed === undefined ? {} : { curtailed }),
      ...(evidence === undefined ? {} : { evidence }),
      ...(contrast === undefined ? {} : { contrast: withoutExchanges(contrast) }),
      ...(failureKinds === undefined ? {} : { failureKinds, cases: cases.filter((_one, place) => place === 0 || firsts.includes(place)) }),
      ...(flaky === undefined ? {} : { flaky }),
    };
  });
}

async function smoke(fault: string): Promise<readonly Found[]> {
  const { start, session } = faultySetting([fault]);
  const { last } = await probeServer(start, session, { runs: 1, limits: { budget: 0 } });
  return foundIn(clauseRecordsOf(last, { session: sessionOptions(last.world.run.baseUrl, session), versionsOf }));
}

async function gate(fault: string, changes: Partial<SessionOptions>): Promise<readonly Found[]> {
  return foundIn((await judgeSetting(faultySetting([fault]), { session: changes })).clauses);
}

/** Judges a fault under three seeds, and as `smoke` does; unless `swift`, also at the other depths. */
export async function runsOn(fault: string, { swift = false }: { readonly swift?: boolean } = {}): Promise<FaultRuns> {
  const depth = swift ? 'quick' : 'standard';
  const runs: Record<string, readonly Found[]> = {};
  for (const seed of SEEDS) runs[`seed ${seed}`] = await gate(fault, { seed, depth });
  if (!swift) {
    runs['quick'] = await gate(fault, { seed: 4, depth: 'quick' });
    runs['thorough'] = await gate(fault, { seed: 5, depth: 'thorough' });
  }
  runs['smoke'] = await smoke(fault);
  return { fault, runs };
}

const whole = (found: readonly Found[]): readonly ClauseRecord[] =>
  clauses.map(({ id, chapter, section, level, requirement, likelyCause }) => ({
    ...{ chapter, section, level, requirement, likelyCause, findings: [], observations: [] },
    ...(found.find((one) => one.id === id) ?? { id, verdict: 'inconclusive', note: 'not judged', musts: [] }),
  }));

/** The entries that `--update-waivers` writes for a run, filled in. */
export function waiversFor(found: readonly Found[]): readonly Waiver[] {
  const added = unwaived(whole(found), []);
  const text = changeWaivers(undefined, { file: 'waivers.yaml', added, bound: new Map(), removed: new Set() });
  const filled = text.replaceAll(REASON_TO_BE_WRITTEN, 'known').replaceAll(EXPIRY_TO_BE_WRITTEN, '2999-12-31');
  return parseWaivers(filled, 'waivers.yaml');
}

export type Misfit = {
  readonly fault: string;
  readonly from: string;
  readonly to: string;
  /** `narrow`: a clause with entries fails otherwise. `new`: a clause without entries fails. */
  readonly kind: 'stale' | 'narrow' | 'new';
  readonly text: string;
};

/** What of the waivers of each seed does not fit another run. */
export function misfitsOf({ fault, runs }: FaultRuns): readonly Misfit[] {
  const written = Object.entries(runs).filter(([name]) => name.startsWith('seed'));
  return written.flatMap(([from, found]) => {
    const waivers = waiversFor(found);
    return Object.entries(runs).flatMap(([to, other]): Misfit[] => {
      const { clauses: judged, staleWaivers } = applyWaivers(whole(other), waivers, { registry: clauses, today: new Date() });
      return [
        // The probe leaves it to the gate which entries are stale.
        ...(to === 'smoke' ? [] : staleWaivers).map((text): Misfit => ({ fault, from, to, kind: 'stale', text })),
        ...judged.flatMap(({ id, verdict, note, besideWaivers }): Misfit[] => {
          const kind = besideWaivers === undefined ? 'new' : 'narrow';
          return verdict === 'fail' ? [{ fault, from, to, kind, text: `${id}: ${besideWaivers ?? note}` }] : [];
        }),
      ];
    });
  });
}

/** Whether a misfit is one of the waivers: a run that only reads may find another clause broken than one that writes, which then needs an entry, too. */
export const isOfWaivers = ({ kind, to }: Misfit): boolean => kind !== 'new' || to !== 'smoke';

/** Every eighth fault or so: the same whenever faults are added at the end of a clause. */
export function drawnFaults(step = 8): readonly string[] {
  return faults.filter((_fault, index) => index % step === 0).map(({ name }) => name);
}
