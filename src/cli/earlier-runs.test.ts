import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { leftoversOf } from './earlier-runs.ts';
import type { RunConfiguration, Target } from './target.ts';

const URL = 'http://127.0.0.1:8080/v1';

/** The leftovers that a report.json of this text names, for a run on the service. */
function leftoversIn(text: string): readonly string[] {
  const reports = mkdtempSync(join(tmpdir(), 'petstore-leftovers-'));
  onTestFinished(() => rmSync(reports, { recursive: true }));
  writeFileSync(join(reports, 'report.json'), text);
  return leftoversOf({ reports } as RunConfiguration, { baseUrl: URL } as Target);
}

const reportOf = (baseUrl: string, created: unknown): string => JSON.stringify({ target: { baseUrl }, animals: { created } });

test('leftoversOf returns the ids of the animals that the last run created on the same service', () => {
  expect(
    leftoversIn(
      reportOf(URL, [
        { id: '7', name: 'A' },
        { id: '9007199254740993', name: 'B' },
      ]),
    ),
  ).toEqual(['7', '9007199254740993']);
  expect(leftoversIn(reportOf('http://127.0.0.1:8081/v1', [{ id: '7', name: 'A' }]))).toEqual([]);
});

test.each(['', 'null', '[]', '{"target":1}', reportOf(URL, 'x'), reportOf(URL, [null, { id: 7 }])])(
  'leftoversOf ignores the report %j',
  (text) => {
    expect(leftoversIn(text)).toEqual([]);
  },
);

test('leftoversOf ignores a folder that is not there', () => {
  expect(leftoversOf({ reports: 'nowhere' } as RunConfiguration, { baseUrl: URL } as Target)).toEqual([]);
});
