import { describe, expect, test } from 'vitest';
import { sampleRecord } from '../../test/report/sample-record.ts';
import { parseProfile } from './parse-profile.ts';
import { profileOf, renderProfile } from './profile.ts';
import { renderJson } from './render-json.ts';

describe('parseProfile', () => {
  test('reads a profile, and makes one of a report', () => {
    const record = sampleRecord();
    expect(parseProfile(renderProfile(record))).toEqual({ ok: true, profile: profileOf(record) });
    expect(parseProfile(renderJson(record))).toEqual({ ok: true, profile: profileOf(record) });
  });

  test.each([
    ['no json', 'it is no JSON'],
    ['[]', 'it is neither a profile nor a report, but an array'],
    ['null', 'it is neither a profile nor a report, but null'],
    ['{}', 'it is neither a behaviour profile (profile.json) nor a report (report.json)'],
    ['{"kind":"behaviour-profile","version":2}', 'the profile has version 2, and this release reads version 1'],
    ['{"kind":"behaviour-profile","version":1,"clauses":{}}', 'the profile has no object "observations"'],
    ['{"clauses":[],"checks":[],"version":9}', 'the report has version 9'],
    ['{"clauses":[],"checks":[],"version":1,"target":{},"tool":{},"traits":{}}', 'the report has no "operations"'],
    ['{"clauses":[1],"checks":[2],"version":1,"target":{},"tool":{},"traits":{},"operations":[]}', 'the report is damaged'],
  ])('says of %s that %s', (text, problem) => {
    const parsed = parseProfile(text);
    expect(parsed.ok ? '' : parsed.problem).toContain(problem);
  });
});
