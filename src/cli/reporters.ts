import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderBehavior } from '../report/behavior.ts';
import { renderCtrf } from '../report/render-ctrf.ts';
import { renderHar } from '../report/render-har.ts';
import { renderHtml } from '../report/render-html.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { failingOf, passingOf } from '../report/requests/groups.ts';
import { renderHttp } from '../report/requests/render-http.ts';
import { renderHurl } from '../report/requests/render-hurl.ts';
import type { PlannedReport } from '../report/write-reports.ts';
import { type FileReporter, REPORT_FILES, type ReporterName, type ReportFile } from './reporter-names.ts';

const RENDERERS: Readonly<Record<ReportFile, (record: RunRecord) => string>> = {
  'junit.xml': (record) => renderJunit(record, { diagnosis: diagnose(record) }),
  'report.json': renderJson,
  'behavior.json': renderBehavior,
  'report.html': (record) => renderHtml(record, { diagnosis: diagnose(record) }),
  'summary.md': (record) => renderMarkdown(record, { diagnosis: diagnose(record) }),
  'report.har': renderHar,
  'ctrf.json': (record) => renderCtrf(record, { diagnosis: diagnose(record) }),
  'failing.http': (record) => renderHttp(record, { what: 'failed', groups: failingOf(record) }),
  'failing.hurl': (record) => renderHurl(record, { what: 'failed', groups: failingOf(record) }),
  'passing.http': (record) => renderHttp(record, { what: 'passed', groups: passingOf(record) }),
  'passing.hurl': (record) => renderHurl(record, { what: 'passed', groups: passingOf(record) }),
};

function isFileReporter(name: ReporterName): name is FileReporter {
  return name !== 'terminal';
}

/** The report files of a run, in the requested order; those of passing checks if their exchanges were kept. */
export function plannedReports(record: RunRecord, reporters: readonly ReporterName[]): readonly PlannedReport[] {
  return [...new Set(reporters)]
    .filter(isFileReporter)
    .flatMap((reporter) =>
      REPORT_FILES[reporter]
        .filter((file) => record.passing !== undefined || !file.startsWith('passing.'))
        .map((file) => ({ reporter, file, render: () => RENDERERS[file](record) })),
    );
}
