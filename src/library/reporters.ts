import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderBehavior } from '../report/behavior.ts';
import { renderCtrf } from '../report/render-ctrf.ts';
import { renderHar } from '../report/render-har.ts';
import { renderHtml } from '../report/render-html.ts';
import { renderJson } from '../report/render-json.ts';
import { renderJunit } from '../report/render-junit.ts';
import { renderMarkdown } from '../report/render-markdown.ts';
import { renderTerminal } from '../report/render-terminal.ts';

const WIDTH = 120;

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
  junit: (record: RunRecord): string => renderJunit(record, { diagnosis: diagnose(record) }),
  json: (record: RunRecord): string => renderJson(record),
  behavior: (record: RunRecord): string => renderBehavior(record),
  html: (record: RunRecord): string => renderHtml(record, { diagnosis: diagnose(record) }),
  markdown: (record: RunRecord): string => renderMarkdown(record, { diagnosis: diagnose(record) }),
  har: (record: RunRecord): string => renderHar(record),
  ctrf: (record: RunRecord): string => renderCtrf(record, { diagnosis: diagnose(record) }),
} as const;
