import { createRequire } from 'node:module';
import { Ajv, type AnySchemaObject } from 'ajv';
import draft06 from 'ajv/dist/refs/json-schema-draft-06.json' with { type: 'json' };
import ajvFormats from 'ajv-formats';
import { validate } from 'ctrf';
import { describe, expect, test } from 'vitest';
import type { RunRecord } from '../../src/clause/run-record.ts';
import { renderCtrf } from '../../src/report/render-ctrf.ts';
import { renderHar } from '../../src/report/render-har.ts';
import { CANARY_KEY, hostileRecord, sampleRecord } from './sample-record.ts';

// The package is older than ES modules, and has no types.
const require = createRequire(import.meta.url);
const harSchemas: Record<string, AnySchemaObject> = require('har-schema');

const RECORDS: readonly (readonly [name: string, record: RunRecord])[] = [
  ['a rich run', sampleRecord()],
  ['a hostile service', hostileRecord()],
  ['a run without a single check', sampleRecord({ clauses: [], checks: [] })],
];

type Har = { readonly log: { readonly entries: readonly { request: { url: string }; response: { status: number }; comment: string }[] } };

function harProblems(text: string): unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  ajvFormats.default(ajv);
  ajv.addMetaSchema(draft06);
  ajv.addSchema(Object.values(harSchemas));
  const check = ajv.getSchema('har.json');
  if (check === undefined) throw new Error('there is no schema of HAR');
  return check(JSON.parse(text)) ? [] : check.errors;
}

describe('renderHar', () => {
  test.each(RECORDS)('writes what the public schema of HAR says: %s', (_name, record) => {
    expect(harProblems(renderHar(record))).toEqual([]);
  });

  test('is rejected by that schema when an entry lacks its time', () => {
    expect(harProblems(renderHar(sampleRecord()).replaceAll('"time":', '"no-time":'))).not.toEqual([]);
  });

  test('has each exchange behind a failure once, in the order of sending, with what it shows', () => {
    const { log } = JSON.parse(renderHar(sampleRecord())) as Har;
    expect(
      log.entries.map(({ request, response }) => `${request.url.replace('https://staging.pets.example', '')} ${response.status}`),
    ).toEqual([
      '/v1/pets 401',
      '/v1/pets 400',
      '/v1/pets?limit=5 200',
      '/v1/pets?limit=1 200',
      '/v1/pets 201',
      '/v1/pets?status=pending&limit=100 200',
      '/v1/pets/77 200',
      '/v1/pets/9223372036854775807 0',
    ]);
    expect(log.entries[1]?.comment).toBe(
      'auth.precedence/sample: the request without a key returned 400, not 401\nrecord.pet/sample: the request without a key returned 400, not 401',
    );
  });
});

describe('renderCtrf', () => {
  test.each(RECORDS)('writes what the public schema of CTRF says: %s', (_name, record) => {
    expect(validate(JSON.parse(renderCtrf(record)))).toMatchObject({ valid: true });
  });

  test('is rejected by that schema without its summary', () => {
    expect(validate(JSON.parse(renderCtrf(sampleRecord()).replace('"summary"', '"sum"')))).toMatchObject({ valid: false });
  });

  test('counts failures as the exit code does', () => {
    const { results } = JSON.parse(renderCtrf(sampleRecord())) as { results: { summary: object } };
    expect(results.summary).toMatchObject({ tests: 33, passed: 25, failed: 4, skipped: 3, pending: 0, other: 1, suites: 9 });
  });
});

test.each([
  ['renderHar', renderHar],
  ['renderCtrf', renderCtrf],
])('%s does not show the key, and writes the same bytes each time', (_name, render) => {
  expect(render(sampleRecord())).not.toContain(CANARY_KEY);
  expect(render(sampleRecord())).toBe(render(sampleRecord()));
});
