// Parts of the status page: words, times, and the lists of incidents, runs, and changes.

import { html } from 'hono/html';
import type { Incident } from '../alerts/incidents.ts';
import { type Change, describeChange, describePublicly, labelOf } from '../changes/change.ts';
import type { PastRun, PastRuns } from '../history.ts';
import { type ProbeVerdict, reasonWords } from '../sample.ts';
import { cut } from '../text.ts';
import type { Health } from '../view.ts';

export type Html = ReturnType<typeof html>;

export type PageOptions = {
  /** Without addresses and texts of responses. */
  readonly public: boolean;
};

export const WORDS: Readonly<Record<Health, string>> = {
  up: 'Up',
  degraded: 'Degraded',
  down: 'Down',
  unknown: 'Unknown',
  maintenance: 'In maintenance',
};

export const percent = (part: number | undefined, digits = 2): string =>
  part === undefined ? 'no verdict yet' : `${(Math.floor(part * 100 * 10 ** digits) / 10 ** digits).toFixed(digits)} %`;

export const moment = (milliseconds: number): Html =>
  html`<time>${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;

/** `3 min`, `2 h 5 min`: how long something has lasted. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return `${Math.floor(Math.max(0, milliseconds) / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} days`;
}

const LONGEST_SUMMARY = 1_000;

export function exchangeBlock(exchange: string | undefined, options: PageOptions): Html | string {
  if (exchange === undefined || options.public) return '';
  return html`<details><summary>Request and response</summary><pre>${exchange}</pre></details>`;
}

function deliveriesOf({ told }: Incident, status: 'firing' | 'resolved'): Html | string {
  const webhooks = told.filter((one) => one.status === status);
  return webhooks.length === 0 ? '' : html`${webhooks.map(({ webhook, at }) => html`<li>Notified ${webhook} ${moment(at)}</li>`)}`;
}

function story(incident: Incident, now: number, options: PageOptions): Html {
  const { firstSeen, confirmed, mended, clause, reason, summary, failures, total, exchange } = incident;
  const lasted = span((mended ?? now) - firstSeen);
  const head =
    mended === undefined
      ? html`<span class="pill down">Open for ${lasted}</span>`
      : html`<span class="pill up">Resolved after ${lasted}</span>`;
  const of = total === 0 || failures === 0 ? '' : `, ${failures} of ${total} runs failed`;
  return html`<li><h3><code>${clause ?? (reason === null ? 'failing' : reasonWords(reason))}</code>${clause === null || reason === null ? '' : ` (${reasonWords(reason)})`} ${head}</h3>
${options.public ? '' : html`<p class="text">${cut(summary, LONGEST_SUMMARY)}</p>`}
<ol class="story"><li>First seen ${moment(firstSeen)}</li>${confirmed === undefined ? '' : html`<li>Confirmed ${moment(confirmed)}${of}</li>`}${deliveriesOf(incident, 'firing')}${mended === undefined ? '' : html`<li>Resolved ${moment(mended)}</li>`}${deliveriesOf(incident, 'resolved')}</ol>${exchangeBlock(exchange, options)}</li>`;
}

/** Newest first, each from the first failure to its end. */
export function incidentList(incidents: readonly Incident[], now: number, options: PageOptions): Html {
  const list =
    incidents.length === 0 ? html`<p>None.</p>` : html`<ul class="incidents">${incidents.map((one) => story(one, now, options))}</ul>`;
  return html`<section class="card" aria-label="Incidents"><h2>Incidents</h2>${list}</section>`;
}

const LONGEST_NOTE = 300;
const COLORS: Readonly<Record<ProbeVerdict, Health>> = { pass: 'up', degraded: 'degraded', fail: 'down', unknown: 'unknown' };

/** Its time links to it, for sharing. */
function runItem({ at, verdict, duration, clause, reason, note }: PastRun, options: PageOptions): Html {
  const failed = clause === undefined ? '' : html` <code>${clause}</code>`;
  const text = verdict === 'pass' || options.public ? '' : html`<br><span class="text">${cut(note, LONGEST_NOTE)}</span>`;
  return html`<li id="run-${at}"><a href="#run-${at}">${moment(at)}</a> <span class="pill ${COLORS[verdict]}">${verdict}</span> ${Math.round(duration)} ms${failed}${reason === undefined ? '' : ` (${reasonWords(reason)})`}${text}</li>`;
}

function runSection(title: string, runs: readonly PastRun[], options: PageOptions): Html {
  return html`<section class="card" aria-label="${title}"><h2>${title}</h2><ul class="alerts">${runs.map((run) => runItem(run, options))}</ul></section>`;
}

export function runList({ last, failed }: PastRuns, options: PageOptions): Html {
  if (last.length === 0)
    return html`<section class="card" aria-label="Last runs"><h2>Last runs</h2><p>None in the history; without data.folder none are kept.</p></section>`;
  return html`${runSection('Last runs', last, options)}${failed.length === 0 ? '' : runSection('Failed runs before them', failed, options)}`;
}

const LONGEST_CHANGE = 400;

/** What targets do differently from before: not failures, and nothing that alerts unless the configuration says so. */
export function changeList(
  changes: readonly Change[],
  options: PageOptions & { /** Whether each entry names its target. */ readonly named: boolean },
): Html {
  const item = (change: Change): Html => {
    const text = options.public ? describePublicly(change) : describeChange(change);
    const name = options.named ? html`<strong>${change.target}</strong> ` : '';
    return html`<li>${name}<span class="soft">${labelOf(change.kind)}, since</span> ${moment(change.since)}<br><span class="text">${cut(text, LONGEST_CHANGE)}</span></li>`;
  };
  const list = changes.length === 0 ? html`<p>None.</p>` : html`<ul class="alerts">${changes.map(item)}</ul>`;
  return html`<section class="card" aria-label="Last changes"><h2>Last changes</h2>${list}</section>`;
}
