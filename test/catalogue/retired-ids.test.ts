import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { CheckId } from '../../src/clause/clause.ts';
import { RETIRED_IDS } from '../../src/clause/clause-ids.ts';
import { selectFailed } from '../../src/cli/earlier-runs.ts';
import type { RunConfiguration } from '../../src/cli/target.ts';
import { readWaivers } from '../../src/cli/waivers-option.ts';
import { failingParts, failuresToReplay } from '../../src/judge/replay.ts';
import { selectClauses, selectionNotice } from '../../src/judge/selection.ts';
import { waiveParts } from '../../src/judge/waivers.ts';
import { openHistory } from '../../src/probe/history.ts';
import { clauses } from '../../suites/index.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { sampleClauses, sampleRecord as samplePart } from '../support/judge-samples.ts';
import { ownFolder } from '../support/program.ts';
import IDS_OF_VERSION_1 from './ids-of-version-1.json' with { type: 'json' };

const parts = clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants].map(({ id }) => id as string));

test('Retired ids are not current ids, and their replacements are.', () => {
  const today = [...clauses.map(({ id }) => id as string), ...parts];
  expect([...RETIRED_IDS.keys()].filter((id) => today.includes(id))).toEqual([]);
  expect([...RETIRED_IDS.values()].filter((id) => !today.includes(id))).toEqual([]);
});

test('Each id of version 1 is current or retired: reports, waivers, and pipelines name it.', () => {
  expect(IDS_OF_VERSION_1.filter((id) => !parts.includes(id) && !RETIRED_IDS.has(id))).toEqual([]);
});

/** Ids that no version had: one judged today by a part, and one by a whole clause. */
const OF_PART = 'list.success/first-of-all';
const PART = 'list.success/without-parameters';
const OF_CLAUSE = 'list.limit-maximum/first-of-all';
const CLAUSE = 'list.limit-maximum';
const ofClause = parts.filter((id) => id.startsWith(`${CLAUSE}/`));

const noticeOf = (id: string, now: string): string =>
  `${id} is a check of an earlier version: ${now} is taken for it until version 3, so write that id`;

describe('an id that is retired', () => {
  beforeAll(() => {
    const table = RETIRED_IDS as Map<string, string>;
    table.set(OF_PART, PART).set(OF_CLAUSE, CLAUSE);
    return () => {
      table.delete(OF_PART);
      table.delete(OF_CLAUSE);
    };
  });

  const selectedBy = (only: readonly string[], skip: readonly string[] = []) =>
    selectClauses(clauses, { only, skip, exhaustive: true }).flatMap(({ checks, invariants }) =>
      [...checks, ...invariants].map(({ id }) => id as string),
    );

  test('selects what judges it now, for --only and --skip', () => {
    expect(selectedBy([OF_PART])).toEqual([PART]);
    expect(selectedBy([OF_CLAUSE])).toEqual(ofClause);
    expect(selectedBy(['list.success', CLAUSE], [OF_PART, OF_CLAUSE])).toEqual(selectedBy(['list.success'], [PART]));
  });

  test('is named in the report of a run that it selects', () => {
    const notices = selectionNotice({ registry: clauses, selected: clauses.slice(0, 1), only: [OF_PART], skip: [OF_CLAUSE] });
    expect(notices.slice(1)).toEqual([noticeOf(OF_PART, PART), noticeOf(OF_CLAUSE, CLAUSE)]);
  });

  test('waives what judges it now, with a warning', async () => {
    const file = join(ownFolder(), 'waivers.yaml');
    const entry = (id: string): string => `  - { id: ${id}, reason: known, expires: 2026-12-31 }\n`;
    writeFileSync(file, `waivers:\n${entry(OF_PART)}${entry(OF_CLAUSE)}`);
    const today = new Date('2026-12-01T00:00:00Z');
    const { waivers, warnings } = await readWaivers({ waivers: file, updateWaivers: false }, today);
    expect(warnings).toEqual([noticeOf(OF_PART, PART), noticeOf(OF_CLAUSE, CLAUSE)]);
    const failed = [PART, ...ofClause, 'list.unique/every-list'].map((id) => samplePart(id, 'fail'));
    const waived = waiveParts(failed, waivers, today);
    expect(waived.map(({ verdict }) => verdict)).toEqual([...failed.slice(1).map(() => 'waived'), 'fail']);
  });

  const record = sampleRecord({ clauses: sampleClauses([OF_PART, OF_CLAUSE].map((id) => samplePart(id, 'fail'))) });
  const ofBoth = parts.filter((id) => id.startsWith('list.success/') || id.startsWith(`${CLAUSE}/`));

  test('is judged again by --failed, with its whole clause', async () => {
    const reports = ownFolder();
    writeFileSync(join(reports, 'report.json'), JSON.stringify(record));
    const configuration = { failed: true, reports, only: [], ownClauses: [] } as unknown as RunConfiguration;
    const failed = await selectFailed(configuration, { baseUrl: record.target.baseUrl });
    expect(failed?.only).toEqual(expect.arrayContaining(ofBoth));
    expect(failed).toMatchObject({ wholeTraffic: true, warnings: [] });
  });

  test('is sent again by replay, with its whole clause', () => {
    expect(failuresToReplay(record, [OF_PART]).map(({ id }) => id)).toEqual(['list.success']);
    expect(failuresToReplay(record, [CLAUSE]).map(({ id }) => id)).toEqual([CLAUSE]);
    const again = failingParts(record.clauses, clauses).flatMap((one) => one.parts.map(({ id }) => id));
    expect(again.toSorted()).toEqual(ofBoth.toSorted());
  });

  test('keeps its turn in the history of the probe', () => {
    const file = join(ownFolder(), 'history.db');
    const history = openHistory({ file, maxBytes: 1e9, now: Date.now, onProblem: () => undefined });
    const turn = { verdict: 'pass', requests: 1, confirmed: false } as const;
    history.keepTurns('production', [{ ...turn, check: OF_PART as CheckId, at: 1 }]);
    expect(history.turns('production')).toEqual(new Map([[PART, { ...turn, check: PART, at: 1 }]]));
    history.keepTurns('production', [{ ...turn, check: PART, at: 2 }]);
    expect(history.turns('production')?.get(PART)?.at).toBe(2);
  });
});
