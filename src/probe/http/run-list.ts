import { html } from 'hono/html';
import type { PastRun, PastRuns } from '../history/history.ts';
import type { ProbeVerdict } from '../sample.ts';
import type { Health } from '../view.ts';
import { cut, type Html, moment, type PageOptions } from './page-parts.ts';

const LONGEST_TEXT = 300;
const COLORS: Readonly<Record<ProbeVerdict, Health>> = { pass: 'up', degraded: 'degraded', fail: 'down', unknown: 'unknown' };

/** When it was, its result, how long it took, and what failed. Its time links to it, for sharing. */
function runItem({ at, verdict, duration, clause, reason, note }: PastRun, options: PageOptions): Html {
  const failed = clause === undefined ? '' : html` <code>${clause}</code>`;
  const text = verdict === 'pass' || options.public ? '' : html`<br><span class="text">${cut(note, LONGEST_TEXT)}</span>`;
  return html`<li id="run-${at}"><a href="#run-${at}">${moment(at)}</a> <span class="pill ${COLORS[verdict]}">${verdict}</span> ${Math.round(duration)} ms${failed}${reason === undefined ? '' : ` (${reason})`}${text}</li>`;
}

function runSection(title: string, runs: readonly PastRun[], options: PageOptions): Html {
  return html`<section class="card" aria-label="${title}"><h2>${title}</h2><ul class="alerts">${runs.map((run) => runItem(run, options))}</ul></section>`;
}

/** The last runs of a target, and the failed ones before them, newest first. */
export function runList({ last, failed }: PastRuns, options: PageOptions): Html {
  if (last.length === 0)
    return html`<section class="card" aria-label="Last runs"><h2>Last runs</h2><p>None in the history; without data.folder none are kept.</p></section>`;
  return html`${runSection('Last runs', last, options)}${failed.length === 0 ? '' : runSection('Failed runs before them', failed, options)}`;
}
