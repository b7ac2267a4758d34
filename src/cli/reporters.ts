import type { RunRecord } from '../clause/run-record.ts';
import { renderProfile } from '../report/profile.ts';
import { renderCtrf } from '../report/render-ctrf.ts';
import { renderHar } from '../report/render-har.ts';
import { renderHtml } from '../report/render-html.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import type { PlannedReport } from '../report/write-reports.ts';
import type { ReporterName } from './reporter-names.ts';

type FileReporter = Exclude<ReporterName, 'terminal'>;
type ReportFile = { readonly file: string; readonly render: (record: RunRecord) => string };

const FILES: Readonly<Record<FileReporter, readonly ReportFile[]>> = {
  junit: [{ file: 'junit.xml', render: (record) => renderJunit(record) }],
  json: [
    { file: 'report.json', render: renderJson },
    { file: 'profile.json', render: renderProfile },
  ],
  html: [{ file: 'report.html', render: renderHtml }],
  markdown: [{ file: 'summary.md', render: (record) => renderMarkdown(record) }],
  har: [{ file: 'report.har', render: renderHar }],
  ctrf: [{ file: 'ctrf.json', render: renderCtrf }],
};

function isFileReporter(name: ReporterName): name is FileReporter {
  return name !== 'terminal';
}

/** The report files of a run, in the order asked for. */
export function plannedReports(record: RunRecord, reporters: readonly ReporterName[]): readonly PlannedReport[] {
  return [...new Set(reporters)]
    .filter(isFileReporter)
    .flatMap((reporter) => FILES[reporter].map(({ file, render }) => ({ reporter, file, render: () => render(record) })));
}
