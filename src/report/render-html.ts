import { createHash } from 'node:crypto';
import { raw } from 'hono/html';
import type { RunRecord } from '../clause/run-record.ts';
import { brokenClauses } from './broken-clauses.ts';
import { headline } from './headline.ts';
import { clausesView } from './html/clauses-view.ts';
import { FILTER_STYLES, SCRIPT } from './html/filter.ts';
import { headView } from './html/head-view.ts';
import { latencyView } from './html/latency-view.ts';
import { animalsView, inconclusiveView, observationsView } from './html/list-views.ts';
import { html, type Markup } from './html/markup.ts';
import { matrixView } from './html/matrix-view.ts';
import { STYLES } from './html/styles.ts';
import type { Diagnosis } from './likely-causes.ts';
import { oneLine } from './text.ts';

const SHEET = `${STYLES}${FILTER_STYLES}\n`;

/** Nothing may be loaded, sent, or framed; the only style sheet and the only script are allowed by their hashes. */
const POLICY = `default-src 'none'; style-src '${hashOf(SHEET)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`;

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

type Section = { readonly id: string; readonly title: string; readonly view: Markup | '' };

/** The report as one HTML file that needs no network, and no script except for its search. */
export function renderHtml(record: RunRecord, { diagnosis }: { readonly diagnosis?: Diagnosis | undefined } = {}): string {
  const broken = brokenClauses(record, diagnosis);
  const fails = broken.some(({ standing }) => standing === 'fails');
  const requirements = {
    id: 'requirements',
    title: fails ? 'What is broken' : 'Requirements',
    view: clausesView(record, diagnosis),
  };
  const overview = { id: 'overview', title: 'By chapter', view: matrixView(record) };
  const all: readonly Section[] = [
    ...(fails ? [requirements, overview] : [overview, requirements]),
    { id: 'inconclusive', title: 'Not judged', view: inconclusiveView(record) },
    { id: 'observations', title: 'Left open', view: observationsView(record) },
    { id: 'latency', title: 'Latency', view: latencyView(record) },
    { id: 'animals', title: 'Animals', view: animalsView(record) },
  ];
  const sections = all.filter(({ view }) => view !== '');
  const [first] = sections;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${headline(record)}: ${oneLine(record.target.baseUrl, 120)}</title>
<style>${raw(SHEET)}</style>
</head>
<body id="top">
${first !== undefined && html`<a class="skip" href="#${first.id}">Skip to ${first.title.toLowerCase()}</a>`}
<main>
${headView(record, { broken, diagnosis })}
${sections.length > 1 && html`<nav aria-label="Contents">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>`}
${sections.map(({ view }) => view)}
<p class="top"><a href="#top">Back to the top</a></p>
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`;
  return page.toString();
}
