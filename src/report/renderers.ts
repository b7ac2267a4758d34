import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderBehavior } from './behavior.ts';
import type { ReportFile } from './formats.ts';
import { renderCtrf } from './render-ctrf.ts';
import { renderHar } from './render-har.ts';
import { renderHtml } from './render-html.ts';
import { renderHttp } from './render-http.ts';
import { renderHurl } from './render-hurl.ts';
import { renderJson } from './render-json.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';
import { failingOf, passingOf } from './requests.ts';

/** The text of each report file as a function of the run record. The command line and the library both take theirs from here. */
export const RENDERERS: Readonly<Record<ReportFile, (record: RunRecord) => string>> = {
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
