import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderJson } from '../../src/report/render-json.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

async function problems(text: string): Promise<unknown> {
  const read = async (name: string): Promise<object> =>
    JSON.parse(await readFile(new URL(`../../schemas/${name}`, import.meta.url), 'utf8'));
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  ajvFormats.default(ajv);
  ajv.addSchema(await read('pet-status.schema.json'));
  const validate = ajv.compile(await read('run-record.schema.json'));
  return validate(JSON.parse(text)) ? [] : validate.errors;
}

describe('renderJson', () => {
  test.each([
    ['a rich run', sampleRecord()],
    ['a hostile service', hostileRecord()],
  ])('writes what the schema of the run record says: %s', async (_name, record) => {
    expect(await problems(renderJson(record))).toEqual([]);
  });

  test('is refused by the schema when it is of another version or has a stray member', async () => {
    expect(await problems(JSON.stringify({ ...sampleRecord(), version: 2 }))).not.toEqual([]);
    expect(await problems(JSON.stringify({ ...sampleRecord(), stray: true }))).not.toEqual([]);
  });

  test('gives the record back as it was, without the key', () => {
    const record = sampleRecord();
    const again: RunRecord = JSON.parse(renderJson(record));
    expect(again).toEqual(JSON.parse(JSON.stringify(record)));
    expect(renderJson(record)).not.toContain(CANARY_KEY);
  });
});
