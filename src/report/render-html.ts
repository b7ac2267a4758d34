import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { RunRecord } from '../clause/run-record.ts';
import { clausesView } from './html/clauses-view.ts';
import { headView, verdictWords } from './html/head-view.ts';
import { latencyView } from './html/latency-view.ts';
import { animalsView, failuresView, inconclusiveView, observationsView, waiversView } from './html/list-views.ts';
import { html } from './html/markup.ts';
import { matrixView } from './html/matrix-view.ts';
import { STYLES } from './html/styles.ts';
import { failuresOf } from './tally.ts';
import { oneLine } from './text.ts';

/** Nothing may be loaded, run, sent or framed; the one style sheet is known by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLES).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** The report as one HTML file that needs no network and no script. */
export function renderHtml(record: RunRecord): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${verdictWords(record)}: ${oneLine(record.target.baseUrl, 120)}</title>
<style>${raw(STYLES)}</style>
</head>
<body>
<main>
${headView(record)}
${matrixView(record)}
${failuresView(record, failuresOf(record))}
${inconclusiveView(record)}
${waiversView(record)}
${observationsView(record)}
${latencyView(record)}
${animalsView(record)}
${clausesView(record)}
</main>
</body>
</html>
`;
  return page.toString();
}
