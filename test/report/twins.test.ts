import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderCtrf } from '../../src/report/render-ctrf.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { renderJunit } from '../../src/report/render-junit.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { sampleExchange, sampleRecord } from './sample-record.ts';

const twin = sampleExchange({ number: 4_711, request: 'GET /pets?limit=37', status: 200, answer: '[]' });

/** The record in which each broken check has a contrast with that request. */
function withTwin(record: RunRecord): RunRecord {
  const contrast = {
    when: 'with a limit of 38',
    unit: 'response',
    there: { broken: 1, of: 1 },
    elsewhere: { broken: 0, of: 9 },
    twin,
  } as const;
  return { ...record, checks: record.checks.map((check) => (check.verdict === 'fail' ? { ...check, contrast } : check)) };
}

test.each<readonly [format: string, render: (record: RunRecord) => string]>([
  ['JUnit', renderJunit],
  ['CTRF', renderCtrf],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
  ['JSON', renderJson],
  ['the terminal with --verbose', (record) => renderTerminal(record, { color: false, width: 100, detail: 'verbose' })],
])('%s shows how to send the nearest request that passes', (_format, render) => {
  // Each format escapes quotes differently: what follows the origin is the same in all.
  expect(render(withTwin(sampleRecord()))).toMatch(/curl [^\n]*limit=37/);
  expect(render(sampleRecord())).not.toContain('limit=37');
});
