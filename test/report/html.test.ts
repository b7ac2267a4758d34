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

  test('begins with the verdict, what to repair first, and its command; then comes what is broken, then the run', () => {
    const html = renderHtml(sampleRecord());
    const parts = [
      '<h1>',
      'Repair first',
      'class="command"',
      '</header>',
      'class="tallies"',
      'id="requirements"',
      'id="run"',
      'id="overview"',
    ];
    const places = parts.map((part) => html.indexOf(part));
    expect(places.toSorted((one, other) => one - other)).toEqual(places);
    expect(places[0]).toBeGreaterThan(0);
    const head = html.slice(0, places[3]);
    expect(head.match(/href="#clause-record.pet"/g)).toHaveLength(1);
    expect(head).toContain('curl -sS -i ');
  });

  test('has the facts of the run, with a picture or without', () => {
    const { timeline: _none, ...record } = sampleRecord();
    expect(renderHtml(record)).toContain('<dt>Seed</dt>');
    expect(renderHtml(record)).not.toContain('class="picture"');
  });

  test('counts as evidence what was seen of the requirements that hold, and not of one that is a warning', () => {
    const [clause] = sampleRecord().clauses;
    if (clause === undefined) throw new Error('the sample has clauses');
    const must = { title: 'lists', note: '' };
    const holds = {
      ...clause,
      verdict: 'pass',
      evidence: { judged: 1_200, broken: 0 },
      musts: [{ ...must, verdict: 'pass' }],
      findings: [],
    } as const;
    const warns = {
      ...clause,
      level: 'advised',
      verdict: 'fail',
      evidence: { judged: 500, broken: 1 },
      musts: [{ ...must, verdict: 'pass' }],
    } as const;
    const conclusion = { exitCode: 0, headline: 'conformant, with 1 warning', reasons: [] } as const;
    const html = renderHtml(sampleRecord({ conclusion, clauses: [holds, warns] }));
    expect(html).toMatch(
      /1 requirement holds\. The evidence: seen to hold in 1 situation, and 1,200 times in the responses to [\d,]+ requests?\./,
    );
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
