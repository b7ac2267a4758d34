import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { faults } from '../../proof/faults/index.ts';
import { DOCUMENT_DIGEST } from '../../src/clause/document-digest.ts';
import { documentText, SENTENCES } from '../../src/clause/interface-document.ts';
import { clauses } from '../../suites/clauses/index.ts';

const ids = clauses.map(({ id }) => id as string);
const named: readonly string[] = SENTENCES.flatMap((sentence) => ('clauses' in sentence ? sentence.clauses : []));

describe('the catalogue', () => {
  test.each(ids)('has a sentence of the document behind %s', (id) => {
    expect(named).toContain(id);
  });

  test('has a fault for each clause that judges, and for no other', () => {
    const judging = clauses.filter(({ level }) => level !== 'open').map(({ id }) => id as string);
    expect([...new Set<string>(faults.map(({ clause }) => clause))].toSorted()).toEqual(judging.toSorted());
  });

  test('is of the document whose digest reports have', () => {
    const bytes = readFileSync(new URL('pet-store-interface.md', import.meta.url));
    expect(DOCUMENT_DIGEST).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`);
  });

  test('keeps its ids: reports, waivers and --only name them', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toMatchSnapshot('clauses');
  });

  test('keeps the titles of its musts: reports name them, and waivers of checks of 2.x', () => {
    const titles = clauses.map(({ id, must }) => [id, must.map(({ title }) => title)] as const);
    expect(titles.filter(([, all]) => new Set(all).size < all.length)).toEqual([]);
    expect(Object.fromEntries(titles.filter(([, { length }]) => length > 0))).toMatchSnapshot('musts');
  });
});

// A copy of the Pet Store Service Interface Specification, the document that the suite judges by, as its owner published it. It changes
// only together with that document.
const DOCUMENT = readFileSync(new URL('pet-store-interface.md', import.meta.url), 'utf8');

const SHORTEST = 15;

describe('the document in reports', () => {
  test('is the document, letter by letter', () => {
    expect(documentText()).toBe(DOCUMENT);
  });

  test('has an anchor of its own for each sentence, which outlives changes of the others', () => {
    const anchors = SENTENCES.map(({ id }) => id);
    expect(new Set(anchors).size).toBe(anchors.length);
    expect(anchors.filter((id) => !/^[a-z]+(?:-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(anchors).toMatchSnapshot('sentences');
  });

  test.each(SENTENCES)('names the clauses of "$text" once, or says why there are none', (sentence) => {
    if ('clauses' in sentence) expect(new Set(sentence.clauses).size).toBe(sentence.clauses.length);
    else expect(sentence.notJudged.length).toBeGreaterThan(20);
  });

  test.each(clauses.filter(({ quote }) => quote !== undefined).map((clause) => [clause.id, clause] as const))(
    'has %s at a sentence that the clause quotes',
    (id, { quote = [] }) => {
      const own = SENTENCES.filter((sentence) => 'clauses' in sentence && sentence.clauses.some((one) => one === id));
      expect(own.filter(({ text }) => quote.some((sentence) => text.includes(sentence) || sentence.includes(text)))).not.toEqual([]);
    },
  );
});

describe('quotes', () => {
  test.each(clauses.flatMap(({ id, quote = [] }) => quote.map((sentence) => [id, sentence] as const)))(
    '%s quotes the document letter by letter: %s',
    (_id, sentence) => {
      expect(sentence.length).toBeGreaterThan(SHORTEST);
      expect(DOCUMENT).toContain(sentence);
    },
  );
});
