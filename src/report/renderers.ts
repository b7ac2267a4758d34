import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderBehavior } from './behavior.ts';
import type { ReportFile } from './formats.ts';
import { renderBadge } from './render-badge.ts';
import { renderDocumentHtml } from './render-document-html.ts';
import { renderDocumentMarkdown } from './render-document-markdown.ts';
import { renderHtml } from './render-html.ts';
import { renderJson } from './render-json.ts';
import { renderJunit } from './render-junit.ts';
import { renderMarkdown } from './render-markdown.ts';

/** Renders a file, which may link to the `others` of the run that are in the same folder. */
type Render = (record: RunRecord, others?: readonly ReportFile[]) => string;

/** The command line and the library both take theirs from here. */
export const RENDERERS: Readonly<Record<ReportFile, Render>> = {
  'junit.xml': (record) => renderJunit(record, { diagnosis: diagnose(record) }),
  'report.json': renderJson,
  'behavior.json': renderBehavior,
  'report.html': (record, others) => renderHtml(record, { diagnosis: diagnose(record), others }),
  'badge.svg': renderBadge,
  'summary.md': (record) => renderMarkdown(record, { diagnosis: diagnose(record) }),
  'document.html': renderDocumentHtml,
  'document.md': renderDocumentMarkdown,
};
