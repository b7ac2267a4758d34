import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { ClauseId } from '../clause/clause.ts';
import { groupBlocked, namedChecks } from './blocked.ts';
import { withVerdict } from './tally.ts';

describe('groupBlocked', () => {
  const [one, two] = withVerdict(sampleRecord(), 'inconclusive');
  const judged = [one, two].flatMap((judged) => (judged === undefined ? [] : [judged]));

  test('puts together what one repair would settle, and names a few of them', () => {
    const { groups, single } = groupBlocked([...judged, ...judged]);
    expect(groups.map(({ by, judged }) => [by, judged.length])).toEqual([['create.success', 4]]);
    expect(single).toEqual([]);
    expect(namedChecks(groups[0]?.judged ?? [])).toBe(
      '4 checks (auth.header-only/sample, list.filter-complete/sample, auth.header-only/sample, …)',
    );
  });

  test('leaves alone what nothing blocks, and what is the only one of its clause', () => {
    const alone = judged.map(({ check, clause }, index) => ({ clause, check: { ...check, blockedBy: `clause.${index}` as ClauseId } }));
    expect(groupBlocked(alone)).toEqual({ groups: [], single: alone });
  });
});
