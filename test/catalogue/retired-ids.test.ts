import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CHECK_IDS } from '../../src/clause/check-ids.ts';
import { RETIRED_IDS } from '../../src/clause/clause-ids.ts';
import { selectFailed } from '../../src/cli/earlier-runs.ts';
import type { RunConfiguration } from '../../src/cli/target.ts';
import { readWaivers } from '../../src/cli/waivers-option.ts';
import { selectClauses } from '../../src/judge/selection.ts';
import { waiveClauses } from '../../src/judge/waivers.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { sampleRecord } from '../report/sample-record.ts';
import { sampleClauses, sampleRecord as samplePart } from '../support/judge-samples.ts';
import { ownFolder } from '../support/program.ts';
import IDS_OF_VERSION_1 from './ids-of-version-1.json' with { type: 'json' };

test('Retired ids are not current ids, and their replacements are, or were checks of version 2.', () => {
  const known = [...clauses.map(({ id }) => id as string), ...CHECK_IDS];
  expect([...RETIRED_IDS.keys()].filter((id) => known.includes(id))).toEqual([]);
  expect([...RETIRED_IDS.values()].filter((id) => !known.includes(id))).toEqual([]);
});

test('Each id of version 1 is known or retired: reports, waivers, and pipelines name it.', () => {
  expect(IDS_OF_VERSION_1.filter((id) => !CHECK_IDS.includes(id) && !RETIRED_IDS.has(id))).toEqual([]);
});

/** Ids that no version had: one judged today by a part, and one by a whole clause. */
const OF_PART = 'list.success/first-of-all';
const PART = 'list.success/without-parameters';
const OF_CLAUSE = 'list.limit-maximum/first-of-all';
const CLAUSE = 'list.limit-maximum';
describe('an id that is retired', () => {
  beforeAll(() => {
    const table = RETIRED_IDS as Map<string, string>;
    table.set(OF_PART, PART).set(OF_CLAUSE, CLAUSE);
    return () => {
      table.delete(OF_PART);
      table.delete(OF_CLAUSE);
    };
  });

  test('selects the clause that judges it now, and the report says so', () => {
    const { clauses: selected, notices } = selectClauses(clauses, { only: [OF_PART, OF_CLAUSE], skip: [] });
    expect([...(selected ?? [])].toSorted()).toEqual([CLAUSE, 'list.success']);
    expect(notices).toContain(`--only ${OF_PART} names checks of version 2: it judges list.success, a clause is judged as a whole`);
  });

  test('waives what judges it now, with a warning', async () => {
    const file = join(ownFolder(), 'waivers.yaml');
    const entry = (id: string): string => `  - { id: ${id}, reason: known, expires: 2026-12-31 }\n`;
    writeFileSync(file, `waivers:\n${entry(OF_PART)}${entry(OF_CLAUSE)}`);
    const today = new Date('2026-12-01T00:00:00Z');
    const { waivers, warnings } = await readWaivers({ waivers: file, updateWaivers: false }, today);
    const noticeOf = (id: string, clause: string): string =>
      `${id} is a check of an earlier version: ${clause} is taken for it until version 4, so write that id`;
    expect(warnings).toEqual([noticeOf(OF_PART, 'list.success'), noticeOf(OF_CLAUSE, CLAUSE)]);
    const failed = sampleClauses([PART, OF_CLAUSE, 'list.unique/every-list'].map((id) => samplePart(id, 'fail')));
    expect(waiveClauses(failed, waivers, today).map(({ verdict }) => verdict)).toEqual(['waived', 'waived', 'fail']);
  });

  test('is sent again by --failed, as its clause', async () => {
    const reports = ownFolder();
    const failed = sampleClauses([OF_PART, OF_CLAUSE].map((id) => samplePart(id, 'fail')));
    const record = sampleRecord({ clauses: failed.map((clause) => ({ ...clause, again: { rows: [{ op: 'list' }], musts: [] } })) });
    writeFileSync(join(reports, 'report.json'), JSON.stringify(record));
    const configuration = { failed: true, reports, only: [], skip: [], ownClauses: [] } as unknown as RunConfiguration;
    const selection = await selectFailed(configuration, { baseUrl: record.target.baseUrl });
    expect(selection?.again.map(({ clause }) => clause)).toEqual(['list.success', CLAUSE]);
    expect(selection?.seed).toBe(record.options.seed);
  });
});
