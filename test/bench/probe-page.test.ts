import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Machine, RESULTS, renderMeasurement } from '../../bench/measure.ts';
import { type ProbeRow, probeMeasurement } from '../../bench/probe-page.ts';

const tablesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('|'));
const probe = { targets: 1, tls: true, runs: 9, failed: 0, skipped: 0, requestsARun: 20, cpuMsARun: 40, atTheEnd: { rss: 100 } };
const blackbox = { runs: 9, requests: 90, failed: 0, cpuMsARun: 20, rss: 25 };

test('probeMeasurement compares the cost of a request, because the exporter requests fewer URLs than a run of the monitor.', () => {
  const { tables } = probeMeasurement([{ probe, blackbox }], 10, {} as Machine);
  expect(tables[0]?.rows).toEqual([[1, 'yes', 9, 0, 0, 20, 40, '2.00', 100, '2.00', 25, '1.0']]);
});

test('probeMeasurement says if the exporter is not installed.', () => {
  const { tables } = probeMeasurement([{ probe, blackbox: undefined }], 10, {} as Machine);
  expect(tables[0]?.rows).toEqual([[1, 'yes', 9, 0, 0, 20, 40, '2.00', 100, 'not installed', '', '']]);
});

test('docs/measured/probe.md shows the content of docs/measured/probe.json.', () => {
  const { figures, machine, date } = JSON.parse(readFileSync(join(RESULTS, 'probe.json'), 'utf8')) as {
    readonly figures: { readonly requests: number; readonly rows: readonly ProbeRow[] };
    readonly machine: Machine;
    readonly date: string;
  };
  const page = renderMeasurement(probeMeasurement(figures.rows, figures.requests, machine), new Date(date));
  expect(tablesOf(readFileSync(join(RESULTS, 'probe.md'), 'utf8'))).toEqual(tablesOf(page));
});
