import { expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderBadge } from '../../src/report/render-badge.ts';
import { renderHtml } from '../../src/report/render-html.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { renderJunit } from '../../src/report/render-junit.ts';
import { renderMarkdown } from '../../src/report/render-markdown.ts';
import { renderOneline } from '../../src/report/render-oneline.ts';
import { renderTerminal } from '../../src/report/render-terminal.ts';
import { compareRuns, renderRunsHtml, renderRunsMarkdown } from '../../src/report/runs.ts';
import { undecidedText } from '../../src/report/tally.ts';
import { sampleClauses, sampleRecord as samplePart } from '../support/judge-samples.ts';
import { BESIDE_WAIVERS, sampleExchange, sampleRecord } from './sample-record.ts';

const twin = sampleExchange({ number: 4_711, request: 'GET /pets?limit=37', status: 200, response: '[]' });

/** The record in which each broken clause has a contrast with that request. */
function withTwin(record: RunRecord): RunRecord {
  const contrast = {
    when: 'with a limit of 38',
    unit: 'response',
    there: { broken: 1, of: 1 },
    elsewhere: { broken: 0, of: 9 },
    twin,
  } as const;
  return { ...record, clauses: record.clauses.map((clause) => (clause.verdict === 'fail' ? { ...clause, contrast } : clause)) };
}

test.each<readonly [format: string, render: (record: RunRecord) => string]>([
  ['JUnit', renderJunit],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
  ['JSON', renderJson],
  ['the terminal with --verbose', (record) => renderTerminal(record, { color: false, width: 100, detail: 'verbose' })],
])('%s shows how to send the nearest request that passes', (_format, render) => {
  // Each format escapes quotes differently: what follows the origin is the same in all.
  expect(render(withTwin(sampleRecord()))).toMatch(/curl [^\n]*limit=37/);
  expect(render(sampleRecord())).not.toContain('limit=37');
});

test.each<readonly [format: string, render: (record: RunRecord) => string]>([
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
  ['JSON', renderJson],
  ['the badge', renderBadge],
  ['one line', renderOneline],
  ['the terminal', (record) => renderTerminal(record, { color: false, width: 100 })],
])('%s shows what --name calls the service', (_format, render) => {
  const { target, ...record } = sampleRecord();
  expect(render({ ...record, target: { ...target, name: 'the blue one' } })).toContain('the blue one');
});

const clauses = sampleClauses([
  samplePart('list.unique/a', 'pass'),
  samplePart('list.unique/b', 'inconclusive'),
  samplePart('list.unique/c', 'inconclusive'),
  samplePart('list.order/a', 'pass'),
]);
const record = { ...sampleRecord(), clauses };

test('a clause that passed in part says how much of it is undecided, one that passed completely says nothing', () => {
  expect(clauses.map(undecidedText)).toEqual(['2 of 3 situations undecided', '']);
});

const runs = compareRuns([
  { name: 'one', record },
  { name: 'two', record },
]);
test.for([
  ['the terminal', renderTerminal(record, { color: false, width: 100 }), /2 passed +2 situations undecided/],
  [
    'report.html',
    renderHtml(record),
    /list\.unique<\/code> <span class="aside">required<\/span> <span class="aside">2 of 3 situations undecided/,
  ],
  ['the summary', renderMarkdown(record), /situations undecided \|[\s\S]*\| 2 \|/],
  ['JUnit', renderJunit(record), /<system-out>a note\nundecided: b holds: a note\nundecided: c holds: a note<\/system-out>/],
  ['the matrix', renderRunsHtml(runs), /passed<\/span><p>2 of 3 situations undecided/],
  ['the matrix in Markdown', renderRunsMarkdown(runs), /✅ passed: 2 of 3 situations undecided/],
] as const)('%s says so', ([, text, expected]) => {
  expect(text).toMatch(expected);
  expect(text.match(/situations? undecided|undecided: /g)?.length).toBeLessThanOrEqual(6);
});

test.for([
  ['the terminal', renderTerminal(sampleRecord(), { color: false, width: 100 })],
  ['report.html', renderHtml(sampleRecord())],
  ['the summary', renderMarkdown(sampleRecord())],
  ['JUnit', renderJunit(sampleRecord())],
] as const)('%s says which entry of the waivers covers a failure, and what one beside others is', ([, text]) => {
  const said = text.replace(/[\\`*]/g, '').replace(/\s+/g, ' ');
  const covered =
    /fixed in the next release \(PET-112, until 2026-12-24\); entry 2 covers createPet, HTTP status: expected 401, received 4xx/;
  expect(said).toMatch(covered);
  expect(said).toContain(BESIDE_WAIVERS);
});
