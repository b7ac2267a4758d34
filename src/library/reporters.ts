import type { RunRecord } from '../clause/run-record.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { renderOneline } from '../report/render-oneline.ts';
import { renderTerminal } from '../report/render-terminal.ts';
import { RENDERERS } from '../report/renderers.ts';

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
  junit: RENDERERS['junit.xml'],
  json: RENDERERS['report.json'],
  behavior: RENDERERS['behavior.json'],
  html: RENDERERS['report.html'],
  markdown: RENDERERS['summary.md'],
  badge: RENDERERS['badge.svg'],
  oneline: renderOneline,
} as const;
