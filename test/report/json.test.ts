import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderBehavior } from '../../src/report/behavior.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

const DIRECTORY = new URL('../../schemas/', import.meta.url);

/** The errors of a JSON text by one of the project's schemas, without any other file; empty if there are none. */
async function schemaProblems(name: string, text: string): Promise<unknown> {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(await readFile(new URL(name, DIRECTORY), 'utf8')) as AnySchema);
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

const problems = (text: string): Promise<unknown> => schemaProblems('run-record.schema.json', text);

const readSchema = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'));

/** The sample run, with only flaky failures. */
function flakyRecord(): RunRecord {
  const record = sampleRecord();
  return { ...record, clauses: record.clauses.map((clause) => (clause.verdict === 'fail' ? { ...clause, flaky: true } : clause)) };
}

describe('renderJson', () => {
  test.each([
    ['a rich run', sampleRecord()],
    ['a hostile service', hostileRecord()],
    ['failures that did not come again', flakyRecord()],
  ])('writes what the schema of the run record says: %s', async (_name, record) => {
    expect(await problems(renderJson(record))).toEqual([]);
  });

  test('has the statuses of the interface in its one schema file', () => {
    const { $defs } = readSchema('run-record') as { readonly $defs: { readonly petStatus: { readonly enum: unknown } } };
    expect($defs.petStatus.enum).toEqual((readSchema('pet-status') as { readonly enum: unknown }).enum);
  });

  test('is rejected by the schema if it has another version or an extra member', async () => {
    expect(await problems(JSON.stringify({ ...sampleRecord(), version: 2 }))).not.toEqual([]);
    expect(await problems(JSON.stringify({ ...sampleRecord(), stray: true }))).not.toEqual([]);
  });

  test('contains no CI command when printed, and is read as the same record', () => {
    const record = hostileRecord();
    expect(renderJson(record)).not.toMatch(/::|##[a-z]*\[/i);
    expect(JSON.parse(renderJson(record))).toEqual(JSON.parse(JSON.stringify(record)));
  });

  test('is parsed to the same record, without the key', () => {
    const record = sampleRecord();
    const again: RunRecord = JSON.parse(renderJson(record));
    expect(again).toEqual(JSON.parse(JSON.stringify(record)));
    expect(renderJson(record)).not.toContain(CANARY_KEY);
  });
});

describe('renderBehavior', () => {
  test('writes what the schema of the profile says', async () => {
    expect(await schemaProblems('behavior.schema.json', renderBehavior(sampleRecord()))).toEqual([]);
    expect(await schemaProblems('behavior.schema.json', renderBehavior(hostileRecord()))).toEqual([]);
  });

  test('is the same bytes whatever the order of clauses and operations, and has what differs by run at its end', () => {
    const record = sampleRecord();
    const shuffled = {
      ...record,
      clauses: record.clauses.toReversed(),
      operations: record.operations.toReversed(),
    };
    expect(renderBehavior(shuffled)).toBe(renderBehavior(record));
    const later = {
      ...record,
      startedAt: '2027-01-01T00:00:00.000Z',
      operations: record.operations.map((one) => ({ ...one, durations: [1] })),
    };
    const behaviour = (text: string): string => text.slice(0, text.indexOf('"run"'));
    expect(behaviour(renderBehavior(later))).toBe(behaviour(renderBehavior(record)));
  });
});
