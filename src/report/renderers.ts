import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderBehavior } from './behavior.ts';
import type { ReportFile } from './formats.ts';
import { renderBadge } from './render-badge.ts';
import { renderHtml } from './render-html.ts';
import { renderJson } from './render-json.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';

/** The command line and the library both take theirs from here. */
export const RENDERERS: Readonly<Record<ReportFile, (record: RunRecord) => string>> = {
  'junit.xml': (record) => renderJunit(record, { diagnosis: diagnose(record) }),
  'report.json': renderJson,
  'behavior.json': renderBehavior,
  'report.html': (record) => renderHtml(record, { diagnosis: diagnose(record) }),
  'badge.svg': renderBadge,
  'summary.md': (record) => renderMarkdown(record, { diagnosis: diagnose(record) }),
};
