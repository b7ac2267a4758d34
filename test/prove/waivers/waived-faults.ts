// Whether waivers that one run wrote fit other runs on the same defect: with other seeds, at other depths, and of `smoke`.

import type { ReportedContrast } from '../../../src/clause/clause-record.ts';
import type { PartRecord } from '../../../src/clause/part-record.ts';
import { clauseRecords } from '../../../src/judge/clause-verdicts.ts';
import { selectClauses } from '../../../src/judge/selection.ts';
import { changeWaivers, EXPIRY_TO_BE_WRITTEN, parseWaivers, REASON_TO_BE_WRITTEN, type Waiver } from '../../../src/judge/waiver-file.ts';
import { staleWaivers, unwaived, waiveParts } from '../../../src/judge/waivers.ts';
import { createSmoke } from '../../../src/probe/smoke.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import { startReference } from '../../../src/reference/server.ts';
import type { SessionOptions } from '../../../src/session/session.ts';
import { clauses } from '../../../suites/index.ts';
import { probeClauses } from '../../../suites/probe.ts';
import { judgeReference, KEY } from '../judge-reference.ts';
import { settingOf } from '../result.ts';

const SEEDS = [1, 20261121, 987654321];
const DEADLINE = 30_000;
const quick = selectClauses(clauses, { only: [], skip: [], exhaustive: false });

/** What a run found, as far as waivers look at it. */
export type Found = Pick<PartRecord, 'id' | 'clause' | 'verdict' | 'note' | 'failureKinds' | 'flaky' | 'cases' | 'evidence' | 'contrast'>;

/** The runs on one fault, by their names; those of the seeds write waivers. `swift`: these were of depth quick. */
export type FaultRuns = { readonly fault: string; readonly swift: boolean; readonly runs: Readonly<Record<string, readonly Found[]>> };

const withoutExchanges = ({ when, unit, there, elsewhere }: ReportedContrast): ReportedContrast => ({
  ...(when === undefined ? {} : { when }),
  ...{ unit, there, elsewhere },
});

function foundIn(records: readonly Found[]): readonly Found[] {
  return records.map(({ id, clause, verdict, note, failureKinds, flaky, cases, evidence, contrast }) => ({
    ...{ id, clause, verdict, note },
    ...(evidence === undefined ? {} : { evidence }),
    ...(contrast === undefined ? {} : { contrast: withoutExchanges(contrast) }),
    ...(failureKinds === undefined ? {} : { failureKinds, cases: (cases ?? []).slice(0, 1) }),
    ...(flaky === undefined ? {} : { flaky }),
  }));
}

async function smoke(fault: string): Promise<readonly Found[]> {
  const { server, session } = settingOf([fault]);
  const reference = await startReference({ ...server, apiKey: KEY });
  try {
    const { baseUrl } = reference;
    const now = session.now ?? new Date();
    const { run } = await createSmoke(
      { baseUrl, apiKey: () => KEY, deadline: DEADLINE },
      { clauses: probeClauses, version: '0', now: () => now },
    ).run();
    return foundIn((run?.record.clauses ?? []).map((clause) => ({ ...clause, id: `${clause.id}/all`, clause: clause.id })));
  } finally {
    await reference.close();
  }
}

async function gate(fault: string, changes: Partial<SessionOptions>): Promise<readonly Found[]> {
  const { server, session } = settingOf([fault]);
  const judged = changes.depth === 'quick' ? quick : clauses;
  const { records } = await judgeReference(server, { session: { ...session, ...changes }, judged });
  return foundIn(records);
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
  return { fault, swift, runs };
}

const titles = new Map<string, string>(
  clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id, title }) => [id, title])),
);
const whole = (found: Found): PartRecord => ({
  ...{ kind: 'check', title: titles.get(found.id) ?? found.id, findings: [], observations: [] },
  ...found,
});

/** The entries that `--update-waivers` writes for a run, filled in. */
export function waiversFor(found: readonly Found[]): readonly Waiver[] {
  const added = unwaived(clauseRecords(clauses, found.map(whole), { readOnly: true }), [], new Date());
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
export function misfitsOf({ fault, swift, runs }: FaultRuns): readonly Misfit[] {
  // As if a quick run judged whole clauses, so that its entries may be stale.
  const registry = swift ? quick : clauses;
  const written = Object.entries(runs).filter(([name]) => name.startsWith('seed'));
  return written.flatMap(([from, found]) => {
    const waivers = waiversFor(found);
    return Object.entries(runs).flatMap(([to, other]): Misfit[] => {
      const today = new Date();
      const judged = clauseRecords(registry, waiveParts(other.map(whole), waivers, today), { readOnly: true });
      return [
        // The probe leaves it to the gate which entries are stale.
        ...(to === 'smoke' ? [] : staleWaivers(judged, waivers, { registry, today })).map(
          (text): Misfit => ({ fault, from, to, kind: 'stale', text }),
        ),
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
