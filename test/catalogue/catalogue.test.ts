import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { DOCUMENT_DIGEST } from '../../src/clause/document-digest.ts';
import { PARTS_WITH_FAULT } from '../../src/reference/faults/parts.ts';
import { clauses } from '../../suites/index.ts';
import { statements } from './document.ts';

const ids = clauses.map(({ id }) => id as string);
const named = statements.flatMap((statement) => ('clauses' in statement ? statement.clauses : []));
const parts = clauses.flatMap(({ checks, invariants }) => [...checks, ...invariants]);

describe('the catalogue', () => {
  test.each(statements)('has clauses for "$section: $says"', (statement) => {
    if ('clauses' in statement) expect(statement.clauses.filter((id) => !ids.includes(id))).toEqual([]);
    else expect(statement.notJudged.length).toBeGreaterThan(20);
  });

  test.each(ids)('has a statement of the document behind %s', (id) => {
    expect(named).toContain(id);
  });

  test.each(clauses.map((clause) => [clause.id, clause] as const))('judges %s by at least one check or invariant', (_id, clause) => {
    expect(clause.checks.length + clause.invariants.length).toBeGreaterThan(0);
  });

  test('has rules for all clauses, except for open questions', () => {
    expect(clauses.filter(({ level, rules }) => (level === 'open') !== (rules.length === 0)).map(({ id }) => id)).toEqual([]);
  });

  test('has a fault for each part that judges, and for no other', () => {
    const judging = clauses.filter(({ level }) => level !== 'open').flatMap(({ checks, invariants }) => [...checks, ...invariants]);
    expect([...PARTS_WITH_FAULT].sort()).toEqual(judging.map(({ id }) => id as string).sort());
  });

  test('is of the document whose digest reports have', () => {
    const bytes = readFileSync(new URL('pet-store-interface.md', import.meta.url));
    expect(DOCUMENT_DIGEST).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  });

  test('has unique ids', () => {
    const all = [...ids, ...parts.map(({ id }) => id as string)];
    expect(all.filter((id, index) => all.indexOf(id) !== index)).toEqual([]);
  });

  test('keeps its ids: reports, waivers and --only name them', () => {
    expect([...ids].sort()).toMatchSnapshot('clauses');
    expect(parts.map(({ id }) => id as string).sort()).toMatchSnapshot('checks and invariants');
  });
});

// A copy of the Pet Store Service Interface Specification, the document that the suite judges by, as its owner published it. It changes
// only together with that document.
const DOCUMENT = readFileSync(new URL('pet-store-interface.md', import.meta.url), 'utf8');

const SHORTEST = 15;

describe('quotes', () => {
  test.each(clauses.flatMap(({ id, quote = [] }) => quote.map((sentence) => [id, sentence] as const)))(
    '%s quotes the document letter by letter: %s',
    (_id, sentence) => {
      expect(sentence.length).toBeGreaterThan(SHORTEST);
      expect(DOCUMENT).toContain(sentence);
    },
  );
});
