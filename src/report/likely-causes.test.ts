import { describe, expect, test } from 'vitest';
import { sampleExchange, sampleRecord } from '../../test/report/sample-record.ts';
import type { ClauseId } from '../clause/clause.ts';
import type { ReportedFinding } from '../clause/clause-record.ts';
import type { Cause, Diagnosis } from '../diagnosis/cause.ts';
import { likelyText } from './likely-causes.ts';
import { renderHtml } from './render-html.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';

function cause(title: string, clause: ClauseId): Cause {
  return { id: title, title, explains: [clause], waiting: 0, evidence: [], advice: `Mend that ${title.toLowerCase()}` };
}

const diagnosis: Diagnosis = {
  causes: [
    cause('Every page has one row more', 'list.limit-maximum'),
    cause('Digits are lost', 'create.round-trip'),
    cause('Letters are lost', 'create.round-trip'),
  ],
};

const sample = sampleRecord();
const record = { ...sample, clauses: sample.clauses.map((clause) => ({ ...clause, likelyCause: `What breaks ${clause.id} elsewhere` })) };

function clauseOf(id: ClauseId) {
  const clause = sample.clauses.find((one) => one.id === id);
  if (clause === undefined) throw new Error(`the sample has no ${id}`);
  return clause;
}

function findingOf(status: number): ReportedFinding {
  const exchange = sampleExchange({ number: 1, request: 'POST /pets', body: '{}', status });
  return { summary: `returned ${status}; expected 201`, expected: ['201'], received: '', exchanges: [exchange] };
}

describe('the likely cause of a broken clause', () => {
  test.each([
    ['terminal', renderTerminal(record, { color: false, width: 120, diagnosis })],
    ['HTML', renderHtml(record, { diagnosis })],
    ['Markdown', renderMarkdown(record, { diagnosis })],
    ['JUnit', renderJunit(record, { diagnosis })],
  ])('is the one that was found, or else the general one: %s', (_name, text) => {
    expect(text).toContain('cause 1: Every page has one row more');
    expect(text).toContain('cause 2: Digits are lost; cause 3: Letters are lost');
    expect(text).not.toMatch(/What breaks (?:list\.limit-maximum|create\.round-trip) elsewhere/);
    expect(text).toContain('What breaks errors.answers elsewhere');
  });

  test('has no number if it is the only one', () => {
    const only = { causes: diagnosis.causes.slice(0, 1) };
    const text = renderTerminal(record, { color: false, width: 120, diagnosis: only });
    expect(text).toMatch(/likely {8}Every page has one row more\n/);
    expect(text).toContain('Start with this: Mend that every page has one row more');
    expect(`${text}${renderHtml(record, { diagnosis: only })}`).not.toMatch(/cause 1\b|Start with 1\b/);
  });

  test('is left out if the evidence is a single error status that its list of statuses does not name', () => {
    const clause = { ...clauseOf('create.success'), likelyCause: 'A header is required, or another status (200, 409) is returned.' };
    const said = (...statuses: readonly number[]) =>
      likelyText(clause, { diagnosis: undefined, contrast: undefined, findings: statuses.map(findingOf) });
    expect(said(415, 415)).toBe('');
    for (const statuses of [[409], [415, 409], [201], []]) expect(said(...statuses)).toBe(clause.likelyCause);
    const general = { ...clause, likelyCause: 'A header is required.' };
    expect(likelyText(general, { diagnosis: undefined, contrast: undefined, findings: [findingOf(415)] })).toBe(general.likelyCause);
  });

  test('is left out if every error has the same wrong form: then nothing bypasses what writes the others', () => {
    const clause = { ...clauseOf('errors.shape'), likelyCause: 'Errors of a gateway bypass the handler.' };
    const said = (broken: number): string => {
      const contrast = { unit: 'response', there: { broken, of: 60 }, elsewhere: { broken: 0, of: 0 } } as const;
      return likelyText(clause, { diagnosis: undefined, contrast, findings: [] });
    };
    expect(said(60)).toBe('');
    expect(said(59)).toBe(clause.likelyCause);
  });

  test.each([80, 100])('is shown whole or not at all: %i columns', (width) => {
    const likelyCause = `${'Something that explains it is wrong, or something else is, '.repeat(6)}or its end is lost.`;
    const long = { ...sample, clauses: sample.clauses.map((clause) => ({ ...clause, likelyCause })) };
    const text = renderTerminal(long, { color: false, width }).replace(/\s+/g, ' ');
    expect(text.split(' likely Something ').length).toBeGreaterThan(1);
    expect(text.split(likelyCause)).toHaveLength(text.split(' likely Something ').length);
  });

  test('is shown with its advice if there is no list of causes: JUnit', () => {
    expect(renderJunit(record, { diagnosis })).toContain('Mend that digits are lost. Mend that letters are lost');
  });

  test('that shows only among other requests has a command that sends many at once', () => {
    const atOnce: Diagnosis = { causes: [{ ...cause('Writers lock each other out', 'list.limit-maximum'), atOnce: true }] };
    const text = renderTerminal(record, { color: false, width: 120, diagnosis: atOnce });
    expect(text).toMatch(/try {11}\(for i in \$\(seq 20\); do [^\n]*curl [^\n]*limit=5'[^\n]* & done; wait\) \| sort \| uniq -c\n/);
    expect(text.match(/seq 20/g)).toHaveLength(1);
  });
});
