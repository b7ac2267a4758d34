// What a run of rows reports of servers of the registry.

import { join } from 'node:path';
import type { RunRecord } from '../../../src/clause/run-record.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { toolVersion } from '../../../src/gate/package-files.ts';
import { judgeByRows, rowsRecord } from '../../../src/judge/rows-record.ts';
import { faults } from '../../../src/reference/faults/index.ts';
import type { ReportFile } from '../../../src/report/formats.ts';
import { renderTerminal } from '../../../src/report/render-terminal.ts';
import { RENDERERS } from '../../../src/report/renderers.ts';
import { writeReports } from '../../../src/report/write-reports.ts';
import { SUITE } from '../../../suites/plan/index.ts';
import { WORDING } from '../../../suites/plan/lore.ts';
import { versionsOf } from '../../../suites/tables/tables.ts';
import { readCommandLine } from '../../support/command-line.ts';
import { sessionOptions } from '../judge-reference.ts';
import { selectSubjects } from '../result.ts';
import { registrySetting, type Setting } from './judge-server.ts';

/** Characters of a line of a terminal. */
const WIDTH = 100;

const { values, words } = readCommandLine({
  usage: `Usage: node test/prove/rows/report.ts [--reports FOLDER] [--line] [--part N/OF] [NAME...]

Runs rows against the faults and variants of these names, or of all, and prints what a terminal shows.

  --reports FOLDER   all reports of each, in a folder of its name
  --line             of each only how the run ends, and how many lines the terminal has
  --part N/OF        one part of several, for several processes`,
  options: { reports: { type: 'string' }, line: { type: 'boolean', default: false }, part: { type: 'string', default: '1/1' } },
  words: faults.length,
});
const [part = 1, of = 1] = values.part.split('/').map(Number);

async function recordOfRun({ start, session }: Setting): Promise<RunRecord> {
  const server = await start();
  const begin = performance.now();
  const startedAt = new Date().toISOString();
  try {
    const options = sessionOptions(server.baseUrl, session);
    const told = await judgeByRows({ ...SUITE, options, wording: WORDING }, { versionsOf });
    return rowsRecord({
      options: {
        ...{ session: options, reference: false, strict: false, only: [], skip: [], waivers: [], drift: () => [], today: new Date() },
        ...{ version: toolVersion, registry: SUITE.clauses, selection: [] },
      },
      ...{ told, stopped: undefined, startedAt, duration: Math.round(performance.now() - begin) },
    });
  } finally {
    await server.close();
  }
}

for (const { kind, name } of selectSubjects(words).filter((_subject, index) => index % of === part - 1)) {
  const record = await recordOfRun(registrySetting({ kind, name }));
  const text = renderTerminal(record, {
    color: false,
    width: WIDTH,
    groups: false,
    detail: 'short',
    diagnosis: diagnose(record),
    files: [],
  });
  if (values.line) {
    const { exitCode, headline, reasons } = record.conclusion;
    const own = faults.find((one) => kind === 'fault' && one.name === name)?.clause;
    console.log(JSON.stringify({ kind, name, own, exitCode, lines: text.split('\n').length, headline, reasons }));
  } else console.log(text);
  if (values.reports === undefined) continue;
  const files = Object.entries(RENDERERS).map(([file, render]) => ({
    ...{ reporter: file, file },
    render: () => render(record, Object.keys(RENDERERS) as ReportFile[]),
  }));
  await writeReports(files, join(values.reports, name));
}
