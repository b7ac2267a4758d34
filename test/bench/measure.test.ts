import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import {
  keepMeasurement,
  lineChart,
  type Machine,
  type Measurement,
  machine,
  percentile,
  spreadOf,
  spreadText,
  versionsOf,
} from '../../bench/measure.ts';
import { probeMeasurement } from '../../bench/probe-page.ts';
import { ownFolder } from '../support/program.ts';

test('spreadOf is the median and the range of measurements, in any order', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, most: 3, samples: 3 });
  expect(spreadOf([4, 1, 3, 2])).toEqual({ median: 2.5, least: 1, most: 4, samples: 4 });
  expect(spreadOf([])).toEqual({ median: 0, least: 0, most: 0, samples: 0 });
  expect(spreadText(spreadOf([1, 2, 4]), 1)).toBe('2.0 (1.0 to 4.0)');
  expect(spreadText(spreadOf([7]))).toBe('7');
  expect(percentile([5, 1, 4, 2, 3], 0.8)).toBe(5);
});

describe('keepMeasurement', () => {
  const measurement: Measurement = {
    name: 'sample',
    title: 'A sample',
    command: 'npm run sample',
    about: ['What it is.'],
    machine: machine(),
    versions: versionsOf(['undici']),
    tables: [{ title: 'Rows', columns: ['depth', 'time, ms'], rows: [['quick | first', 12]], notes: ['A note.'] }],
    drawings: { 'sample.svg': { title: 'A curve', svg: '<svg/>\n' } },
    figures: { rows: [12] },
  };

  test('writes a page with the machine, the versions and the command, the figures, and the drawings', () => {
    const folder = ownFolder();
    expect(keepMeasurement(measurement, folder)).toHaveLength(3);
    const page = readFileSync(join(folder, 'sample.md'), 'utf8');
    expect(page).toContain('| quick \\| first | 12       |');
    expect(page).toContain('![A curve](sample.svg)');
    expect(page).toMatch(/Measured on \d{4}-\d\d-\d\d by `npm run sample` at commit .+ cores, .*node \d+\.\d+\.\d+, undici \d/);
    const kept = JSON.parse(readFileSync(join(folder, 'sample.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(kept)).toEqual(['command', 'date', 'machine', 'versions', 'figures']);
    expect(kept['figures']).toEqual({ rows: [12] });
  });
});

test('lineChart is well-formed and draws each curve within its frame', () => {
  const curves = [
    { label: 'a & b', points: [[0, 0] as const, [50, 10] as const] },
    { label: 'c', points: [[0, 5] as const, [500, 50] as const] },
  ];
  const svg = lineChart(curves, { title: 'x < y', x: { label: 'x', most: 100 }, y: { label: 'y', most: 20 } });
  expect(XMLValidator.validate(svg)).toBe(true);
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(svg) as { svg: { path: { '@_d': string; '@_fill'?: string }[] } };
  const drawn = parsed.svg.path.filter((path) => path['@_fill'] === 'none').map((path) => path['@_d']);
  expect(drawn).toEqual(['M60.0 350.0L380.0 195.0', 'M60.0 272.5L700.0 40.0']);
});

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
