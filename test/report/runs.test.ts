import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { expect, test } from 'vitest';
import { compareRuns, renderRunsHtml, renderRunsMarkdown } from '../../src/report/runs.ts';
import { hostileRecord, sampleRecord } from './sample-record.ts';

const both = () => {
  const record = sampleRecord();
  const sound = { verdict: 'pass', musts: [], findings: [], cases: [] } as const;
  const repaired = record.clauses.map((clause) => (clause.id === 'record.pet' ? { ...clause, ...sound } : clause));
  return compareRuns([
    { name: 'before', record },
    { name: 'after', record: { ...record, clauses: repaired } },
  ]);
};

test('compareRuns has one row per clause in the order of the document, and knows which verdicts differ', () => {
  const { chapters } = both();
  const rows = chapters.flatMap((one) => one.rows);
  expect(rows).toHaveLength(sampleRecord().clauses.length);
  expect(rows.filter(({ differs }) => differs).map(({ id }) => id)).toEqual(['record.pet']);
  expect(rows.find(({ differs }) => differs)?.cells).toMatchObject([{ status: 'failed' }, { status: 'passed', found: '' }]);
});

test('what one run did not judge is not a difference', () => {
  const record = sampleRecord();
  const { chapters } = compareRuns([
    { name: 'all', record },
    { name: 'none', record: { ...record, clauses: [] } },
  ]);
  const rows = chapters.flatMap((one) => one.rows);
  expect(rows.every(({ cells, differs }) => cells[1] === undefined && !differs)).toBe(true);
});

test('the Markdown page shows what differs first', () => {
  const text = renderRunsMarkdown(both());
  expect(text).toContain('Different verdicts on 1 of 28 requirements.');
  expect(text.indexOf('`record.pet`')).toBeLessThan(text.indexOf('### Where they agree'));
  expect(text).toMatch(/\| `record\.pet` \| required \| ❌ failed: .* \| ✅ passed \|/);
});

test('neither page turns texts of a service into markup', () => {
  const comparison = compareRuns([{ name: '<script>alert(1)</script>', record: hostileRecord() }]);
  expect(renderRunsHtml(comparison)).not.toMatch(/<(?:script|img|iframe)/i);
  const shown = micromark(renderRunsMarkdown(comparison), { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true });
  expect(shown).not.toMatch(/<(?:script|img|iframe)/i);
});

test('the HTML page hides what passes in all runs, and not what is broken in all of them', () => {
  const comparison = both();
  const rows = comparison.chapters.flatMap((one) => one.rows);
  expect(rows.filter(({ broken }) => broken).map(({ id }) => id)).toContain('list.limit-maximum');
  expect(rows.find(({ id }) => id === 'record.pet')).toMatchObject({ differs: true, broken: false });
  const text = renderRunsMarkdown(comparison);
  expect(text.indexOf('### Broken in all of them')).toBeLessThan(text.indexOf('`list.limit-maximum`'));
  expect(text.indexOf('`list.limit-maximum`')).toBeLessThan(text.indexOf('### Where they agree'));
  expect(renderRunsHtml(comparison)).toMatch(/<tr class="broken"><th scope="row"[^>]*>list\.<wbr>limit-maximum/);
});
