import { describe, expect, test } from 'vitest';
import { renderHtml } from '../../src/report/render-html.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

describe('renderHtml', () => {
  test('stays of bounded size whatever a service returns', () => {
    expect(renderHtml(hostileRecord('&'.repeat(5_000_000))).length).toBeLessThan(4_000_000);
  });

  test('does not show the key, and is the same bytes each time', () => {
    expect(renderHtml(sampleRecord())).not.toContain(CANARY_KEY);
    expect(renderHtml(sampleRecord())).toBe(renderHtml(sampleRecord()));
  });

  test.each([
    [0, 'Conformant'],
    [2, 'Nothing judged'],
    [3, 'Could not be judged'],
    [130, 'Interrupted'],
    [143, 'Interrupted'],
  ] as const)('says exit code %i in words: %s', (exitCode, words) => {
    const html = renderHtml(sampleRecord({ conclusion: { exitCode, headline: 'because', reasons: [] }, clauses: [], operations: [] }));
    expect(html).toContain(`<h1>${words}</h1>`);
  });
});
