import type { RunRecord } from '../clause/run-record.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import type { PlannedReport } from '../report/write-reports.ts';
import type { ReporterName } from './reporter-names.ts';

type FileReporter = Exclude<ReporterName, 'terminal'>;

const FILES: Readonly<Record<FileReporter, { readonly file: string; readonly render: (record: RunRecord) => string }>> = {
  junit: { file: 'junit.xml', render: (record) => renderJunit(record) },
  json: { file: 'report.json', render: renderJson },
  markdown: { file: 'summary.md', render: (record) => renderMarkdown(record) },
};

function isFileReporter(name: ReporterName): name is FileReporter {
  return name !== 'terminal';
}

/** Whether anything is to be written to the folder of reports. */
export function writesFiles(reporters: readonly ReporterName[]): boolean {
  return reporters.some(isFileReporter);
}

/** The report files of a run, in the order asked for. */
export function plannedReports(record: RunRecord, reporters: readonly ReporterName[]): readonly PlannedReport[] {
  return [...new Set(reporters)]
    .filter(isFileReporter)
    .map((name) => ({ reporter: name, file: FILES[name].file, render: () => FILES[name].render(record) }));
}
