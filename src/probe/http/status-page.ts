import { html, raw } from 'hono/html';
import type { AlertEvent } from '../alerts/event.ts';
import { daysToRemoval, isRemovalNear, PLANNED_REMOVAL } from '../alerts/removal.ts';
import { availabilityOf, type HEALTH, type Health, healthOf, type MonitorView, type TargetView } from '../view.ts';
import { bars, latencyPlot } from './charts.ts';
import { STYLE } from './style.ts';

type Html = ReturnType<typeof html>;
type PageOptions = {
  readonly public: boolean;
  /** For a screen on a wall: a page that renews itself takes the place away from who reads it by ear or enlarged. */
  readonly refresh?: boolean;
};

const REFRESH_SECONDS = 30;
const MOST_ALERTS = 10;
const WORDS: Readonly<Record<Health, string>> = { up: 'Up', degraded: 'Degraded', down: 'Down', unknown: 'Unknown' };

const percent = (part: number | undefined, digits = 2): string =>
  part === undefined ? 'no verdict yet' : `${(Math.floor(part * 100 * 10 ** digits) / 10 ** digits).toFixed(digits)} %`;
const moment = (milliseconds: number): Html =>
  html`<time>${new Date(milliseconds).toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;

/** `3 min`, `2 h 5 min`: how long something has lasted. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return `${Math.floor(Math.max(0, milliseconds) / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} days`;
}

function headline(targets: readonly TargetView[]): { health: Health; text: string } {
  const count = (health: Health): number => targets.filter((one) => healthOf(one) === health).length;
  const down = count('down');
  const degraded = count('degraded');
  const unknown = count('unknown');
  const of = `of ${targets.length} ${targets.length === 1 ? 'target' : 'targets'}`;
  const besides = (number: number, word: string): string => (number > 0 ? `, ${number} ${word}` : '');
  if (down > 0) return { health: 'down', text: `${down} ${of} down${besides(degraded, 'degraded')}${besides(unknown, 'not known')}` };
  if (degraded > 0) return { health: 'degraded', text: `${degraded} ${of} degraded${besides(unknown, 'not known')}` };
  if (unknown > 0) return { health: 'unknown', text: `${unknown} ${of} not known yet` };
  return { health: 'up', text: targets.length === 1 ? 'The target is up' : `All ${targets.length} targets are up` };
}

function failureList({ last, state }: TargetView, options: PageOptions): Html | string {
  if (last === undefined || last.verdict === 'pass') return '';
  // What a broken probe met is no failure of the target.
  if (last.verdict === 'unknown')
    return html`<p class="own text">Nothing is known of the target: the fault is the probe's own.${options.public ? '' : html`<br>${last.note}`}</p>`;
  const items =
    last.failures.length > 0
      ? last.failures.map(({ clause, level, reason, summary }) => ({
          level,
          head: clause as string,
          reason: reason as string,
          text: summary,
        }))
      : [
          {
            level: last.verdict === 'fail' ? 'required' : 'advised',
            head: last.verdict as string,
            reason: last.reason ?? 'latency or evidence',
            text: last.note,
          },
        ];
  const since = state.failingSince === undefined ? '' : html`, failing since ${moment(state.failingSince)}`;
  return html`<ul class="failures" aria-label="Current failures">${items.map(({ level, head, reason, text }) => html`<li class="${level}"><code>${head}</code> (${reason}${since})${options.public ? '' : html`<br><span class="text">${text}</span>`}</li>`)}</ul>`;
}

/** What was created at the target, and what may be; nothing for one that is only read. */
function creations({ canary }: TargetView): readonly (readonly [string, string])[] {
  if (canary === undefined) return [];
  const { books, left, perDay, lifetime } = canary;
  if (books === undefined) return [['Animals created', 'not known: the ledger cannot be read']];
  const { created, ambiguous, refused, today } = books;
  const others = [...(ambiguous > 0 ? [`${ambiguous} perhaps`] : []), ...(refused > 0 ? [`${refused} refused`] : [])];
  return [
    ['Animals created', [`${created}`, ...others].join(', ')],
    ['May still be created', `${Math.min(left, Math.max(0, perDay - today))} today, ${left} of ${lifetime} in all`],
  ];
}

function facts(one: TargetView, now: number): Html {
  const { target, last, hours, days, state } = one;
  const month = availabilityOf(days.slice(-30), target.objective);
  const rows: readonly (readonly [string, string])[] = [
    ['Last run', last === undefined ? 'none yet' : `${span(now - last.at)} ago, ${Math.round(last.duration)} ms`],
    ['Uptime 24 h', percent(availabilityOf(hours, target.objective).uptime)],
    ['Uptime 90 days', percent(availabilityOf(days, target.objective).uptime)],
    ['Objective', percent(target.objective, 1)],
    [
      'Error budget, 30 days',
      month.budgetLeft === undefined ? percent(undefined) : month.budgetLeft < 0 ? 'spent' : `${percent(month.budgetLeft, 0)} left`,
    ],
    ['Failures of last runs', `${state.window.filter(Boolean).length} of ${state.window.length}`],
    ...creations(one),
  ];
  return html`<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function card(one: TargetView, now: number, options: PageOptions): Html {
  const { target, hours, days, state } = one;
  const health = healthOf(one);
  const { svg, top } = latencyPlot(hours, { to: now });
  const since = state.downSince === undefined ? '' : ` for ${span(now - state.downSince)}`;
  return html`<section class="card" aria-label="${target.name}">
<h2>${target.name} <span class="pill ${health}">${WORDS[health]}${since}</span>${options.public ? '' : html`<span class="url">${target.baseUrl}</span>`}</h2>
${failureList(one, options)}
${facts(one, now)}
<div class="grid"><div><h3>24 hours</h3>${bars(hours, { to: now, days: false, label: `Health of ${target.name} in each of the last 24 hours` })}<div class="scale"><span>24 h ago</span><span>now</span></div></div>
<div><h3>90 days</h3>${bars(days, { to: now, days: true, label: `Health of ${target.name} on each of the last 90 days` })}<div class="scale"><span>90 days ago</span><span>today</span></div></div>
<div><h3>Duration, 24 hours</h3>${svg}<div class="scale"><span>0 to ${Math.round(top)} ms, mean and slowest</span><span>now</span></div></div></div>
</section>`;
}

function removalNotice(now: number): Html | string {
  if (!isRemovalNear(now)) return '';
  const days = daysToRemoval(now);
  const { operation, date, replacement } = PLANNED_REMOVAL;
  const notice = (when: string, then: string): Html =>
    html`<section class="banner degraded" aria-label="Planned removal"><p><strong>Planned removal</strong></p><p class="text"><code>${operation}</code> ${when} ${date}; its replacement is ${replacement}. ${then}</p></section>`;
  if (days > 0)
    return notice(
      `is to be removed in ${days} ${days === 1 ? 'day' : 'days'}, on`,
      'From that day its absence counts as planned, not as an outage.',
    );
  return notice('was to be removed on', 'Its absence is planned, and no outage.');
}

function alertList(alerts: readonly AlertEvent[], options: PageOptions): Html {
  if (alerts.length === 0) return html`<section class="card" aria-label="Last alerts"><h2>Last alerts</h2><p>None.</p></section>`;
  return html`<section class="card" aria-label="Last alerts"><h2>Last alerts</h2><ul class="alerts">${alerts
    .slice(0, MOST_ALERTS)
    .map(
      (event) =>
        html`<li>${moment(Date.parse(event.at))} <strong>${event.target}</strong> ${event.status}<br><span class="text"><code>${event.clause ?? ''}</code>${event.reason === null ? '' : ` (${event.reason})`}${options.public ? '' : html` ${event.summary}`}</span></li>`,
    )}</ul></section>`;
}

/** The status page: one static document, every text escaped by the template, worst targets first. */
export function statusPage(view: MonitorView, options: PageOptions): string {
  const { health, text } = headline(view.targets);
  const order: readonly Health[] = ['down', 'degraded', 'unknown', 'up'] satisfies readonly (typeof HEALTH)[number][];
  const targets = [...view.targets].sort((a, b) => order.indexOf(healthOf(a)) - order.indexOf(healthOf(b)));
  const problems =
    view.problems.length === 0
      ? ''
      : html`<section class="banner unknown" aria-label="The probe itself"><p><strong>The probe itself has a problem</strong></p>${options.public ? '' : view.problems.map((problem) => html`<p class="text">${problem}</p>`)}</section>`;
  return String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${options.refresh === true ? html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}<meta name="robots" content="noindex"><title>${text}</title><style>${raw(STYLE)}</style></head>
<body><header><h1>Pet store status</h1></header><main><section class="banner ${health}" aria-label="Summary"><p><strong>${text}</strong></p><p>${moment(view.now)}</p></section>${problems}${removalNotice(view.now)}
${targets.map((one) => card(one, view.now, options))}
${alertList(view.alerts, options)}</main>
<footer><p>petstore-conformance ${view.version}, running for ${span(view.now - view.startedAt)}.</p></footer></body></html>`);
}
