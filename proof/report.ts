// What a run of rows reports of servers of the registry.

import { join } from 'node:path';
import { diagnose } from '../src/diagnosis/diagnose.ts';
import type { ReportFile } from '../src/report/formats.ts';
import { renderTerminal } from '../src/report/render-terminal.ts';
import { RENDERERS } from '../src/report/renderers.ts';
import { writeReports } from '../src/report/write-reports.ts';
import { readCommandLine } from '../test/support/command-line.ts';
import { faults } from './faults/index.ts';
import { judgeSetting, registrySetting } from './judge-server.ts';
import { selectSubjects } from './result.ts';

/** Characters of a line of a terminal. */
const WIDTH = 100;

const { values, words } = readCommandLine({
  usage: `Usage: node proof/report.ts [--reports FOLDER] [--line] [--part N/OF] [NAME...]

Runs rows against the faults and variants of these names, or of all, and prints what a terminal shows.

  --reports FOLDER   all reports of each, in a folder of its name
  --line             of each only how the run ends, and how many lines the terminal has
  --part N/OF        one part of several, for several processes`,
  options: { reports: { type: 'string' }, line: { type: 'boolean', default: false }, part: { type: 'string', default: '1/1' } },
  words: faults.length,
});
const [part = 1, of = 1] = values.part.split('/').map(Number);

for (const { kind, name } of selectSubjects(words).filter((_subject, index) => index % of === part - 1)) {
  const record = await judgeSetting(registrySetting({ kind, name }));
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
