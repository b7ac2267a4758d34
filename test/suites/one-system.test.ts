import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INVALID_BODY_CLAUSES } from '../../src/clause/clause-ids.ts';
import { clauses } from '../../suites/index.ts';

const SUITES = join(import.meta.dirname, '..', '..', 'suites');

/** Chapters that rules judge, by their folders, and single clauses of others. These lists only grow. */
const CHAPTERS = ['versioning', 'auth', 'list', 'get', 'deprecation', 'errors', 'media', 'record'] as const;
const CLAUSES = [
  ...INVALID_BODY_CLAUSES,
  'create.answer',
  'create.refused-stores-nothing',
  'create.round-trip',
  'create.client-id',
  'create.default-status',
  'create.duplicate-members',
  'create.duplicate-names',
  'create.id-assigned',
  'create.id-not-adopted',
  'create.success',
  'create.text-encoding',
  'create.unknown-category',
  'create.unknown-members',
  'create.integer-spelling',
  'create.request-media-type',
  'create.status-optional',
  'create.status-values',
  'create.success',
  'create.unusual-names',
  'create.unusual-categories',
  'create.independent',
] as const;

/** What belongs to checks that judge themselves: they wait, stop, and say whom they wait for. */
const OF_CHECKS = [/\/halt\.ts'/, /\/needs\.ts'/, /\/haves\.ts'/, /\/judge-rows\.ts'/, /\.poll\(/, /\bdefineClause\(/];

function filesOf(chapter: string): readonly string[] {
  const folder = join(SUITES, chapter);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name));
}

/** The file of a clause: its folder is its chapter, and it says the id. */
function fileOf(id: string): string {
  const file = filesOf(id.split('.')[0] ?? '').find(
    (one) => one.endsWith('.clause.ts') && readFileSync(one, 'utf8').includes(`id: '${id}'`),
  );
  if (file === undefined) throw new Error(`no file has the clause ${id}`);
  return file;
}

test.each([...new Set([...CHAPTERS.flatMap(filesOf), ...CLAUSES.map(fileOf)])])(
  '%s has nothing of the checks that judge themselves',
  (file) => {
    const text = readFileSync(file, 'utf8');
    expect(OF_CHECKS.filter((sign) => sign.test(text)).map(String)).toEqual([]);
  },
);

test('Each clause is judged by rules alone or by checks alone.', () => {
  for (const { id, checks, invariants, rules } of clauses) {
    const judging = [...checks.filter(({ run }) => run !== undefined), ...invariants.filter(({ judge }) => judge !== undefined)];
    if (rules === undefined) expect(judging, id).toHaveLength(checks.length + invariants.length);
    else expect(judging, id).toEqual([]);
  }
});

test('All clauses of a finished chapter have rules, except for open questions.', () => {
  const judging = clauses.filter(({ level }) => level !== 'open');
  const finished = judging.filter(({ id }) => [...CHAPTERS, ...CLAUSES].some((one) => id === one || id.startsWith(`${one}.`)));
  expect(finished.filter(({ rules = [] }) => rules.length === 0)).toEqual([]);
});
