import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import type { ReportFile } from '../report/formats.ts';
import { renderOneline } from '../report/render-oneline.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { RENDERERS } from '../report/renderers.ts';

const WIDTH = 120;

/** A report with no link to another file. */
function alone(file: ReportFile): (record: RunRecord) => string {
  return (record) => RENDERERS[file](record);
}

/**
 * Every report as a function of the run record: the text of the file, or of the terminal without colors. The same record gives the same bytes.
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises';
 * import { judgeServer, reporters } from '@petstore-conformance/cli';
 *
 * const record = await judgeServer('http://127.0.0.1:8080/v1', { apiKey: 'secret' });
 * await writeFile('report.html', reporters.html(record));
 * ```
 */
export const reporters = {
  terminal: (record: RunRecord): string => renderTerminal(record, { color: false, width: WIDTH, diagnosis: diagnose(record) }),
  junit: alone('junit.xml'),
  json: alone('report.json'),
  behavior: alone('behavior.json'),
  html: alone('report.html'),
  markdown: alone('summary.md'),
  document: alone('document.html'),
  documentMarkdown: alone('document.md'),
  badge: alone('badge.svg'),
  oneline: renderOneline,
} as const;
