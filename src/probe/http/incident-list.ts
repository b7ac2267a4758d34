import { html } from 'hono/html';
import type { Incident } from '../alerts/incident.ts';
import type { Acknowledgment } from '../alerts/target-state.ts';
import { cut, type Html, moment, type PageOptions, span } from './page-parts.ts';

const LONGEST_TEXT = 1_000;

/** A request and its response, collapsed. */
export function exchangeBlock(exchange: string | undefined, options: PageOptions): Html | string {
  if (exchange === undefined || options.public) return '';
  return html`<details><summary>Request and response</summary><pre>${exchange}</pre></details>`;
}

function deliveriesOf({ told }: Incident, status: 'firing' | 'resolved'): Html | string {
  const webhooks = told.filter((one) => one.status === status);
  return webhooks.length === 0 ? '' : html`${webhooks.map(({ webhook, at }) => html`<li>Notified ${webhook} ${moment(at)}</li>`)}`;
}

/** Who has taken over an incident; without the name and the note on the public page. */
export function acknowledgedBy({ by, note, at }: Acknowledgment, options: PageOptions): Html {
  const who = options.public ? '' : html` by <span class="text">${by}${note === null ? '' : `: ${note}`}</span>`;
  return html`Acknowledged ${moment(at)}${who}`;
}

function story(incident: Incident, now: number, options: PageOptions): Html {
  const { firstSeen, confirmed, mended, clause, reason, summary, failures, total, exchange, acknowledged } = incident;
  const lasted = span((mended ?? now) - firstSeen);
  const head =
    mended === undefined
      ? html`<span class="pill down">Open for ${lasted}</span>`
      : html`<span class="pill up">Resolved after ${lasted}</span>`;
  const of = total === 0 || failures === 0 ? '' : `, ${failures} of ${total} runs failed`;
  return html`<li><h3><code>${clause ?? reason ?? 'failing'}</code>${clause === null || reason === null ? '' : ` (${reason})`} ${head}</h3>
${options.public ? '' : html`<p class="text">${cut(summary, LONGEST_TEXT)}</p>`}
<ol class="story"><li>First seen ${moment(firstSeen)}</li>${confirmed === undefined ? '' : html`<li>Confirmed ${moment(confirmed)}${of}</li>`}${deliveriesOf(incident, 'firing')}${acknowledged === undefined ? '' : html`<li>${acknowledgedBy(acknowledged, options)}</li>`}${mended === undefined ? '' : html`<li>Resolved ${moment(mended)}</li>`}${deliveriesOf(incident, 'resolved')}</ol>${exchangeBlock(exchange, options)}</li>`;
}

/** The incidents of a target, newest first, each from the first failure to its end. */
export function incidentList(incidents: readonly Incident[], now: number, options: PageOptions): Html {
  const list =
    incidents.length === 0 ? html`<p>None.</p>` : html`<ul class="incidents">${incidents.map((one) => story(one, now, options))}</ul>`;
  return html`<section class="card" aria-label="Incidents"><h2>Incidents</h2>${list}</section>`;
}
