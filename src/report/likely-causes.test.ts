import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import type { Diagnosis, LikelyCause } from './likely-causes.ts';
import { renderHtml } from './render-html.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';
import { renderTerminal } from './render-terminal.ts';

function cause(title: string, clause: LikelyCause['explains'][number]['clause']): LikelyCause {
  return { id: title, title, explains: [{ clause }], waiting: 0, evidence: [], advice: `Mend that ${title.toLowerCase()}` };
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
