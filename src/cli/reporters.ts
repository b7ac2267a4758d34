import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderBehavior } from '../report/behavior.ts';
import { renderCtrf } from '../report/render-ctrf.ts';
import { renderHar } from '../report/render-har.ts';
import { renderHtml } from '../report/render-html.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderHttp } from '../report/requests/render-http.ts';
import { renderHurl } from '../report/requests/render-hurl.ts';
import type { PlannedReport } from '../report/write-reports.ts';
import { type FileReporter, REPORT_FILES, type ReporterName, type ReportFile } from './reporter-names.ts';

const RENDERERS: Readonly<Record<ReportFile, (record: RunRecord) => string>> = {
  'junit.xml': renderJunit,
  'report.json': renderJson,
  'behavior.json': renderBehavior,
  'report.html': (record) => renderHtml(record, { diagnosis: diagnose(record) }),
  'summary.md': (record) => renderMarkdown(record, { diagnosis: diagnose(record) }),
  'report.har': renderHar,
  'ctrf.json': renderCtrf,
  'failing.http': renderHttp,
  'failing.hurl': renderHurl,
};

function isFileReporter(name: ReporterName): name is FileReporter {
  return name !== 'terminal';
}

/** The report files of a run, in the order asked for. */
export function plannedReports(record: RunRecord, reporters: readonly ReporterName[]): readonly PlannedReport[] {
  return [...new Set(reporters)]
    .filter(isFileReporter)
    .flatMap((reporter) => REPORT_FILES[reporter].map((file) => ({ reporter, file, render: () => RENDERERS[file](record) })));
}
