// The status page, its style, and the badge.

import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { type AlertEvent, subjectOf } from '../alerts/event.ts';
import { isUnderWay, type MaintenanceWindow, namesOf } from '../alerts/maintenance.ts';
import { daysToRemoval, isRemovalNear, PLANNED_REMOVAL } from '../alerts/removal.ts';
import { reasonWords } from '../sample.ts';
import { cut } from '../text.ts';
import { type HEALTH, type Health, healthOf, type MonitorView, type TargetView } from '../view.ts';
import { changeList, type Html, incidentList, moment, type PageOptions, runList, span, WORDS } from './page-parts.ts';
import { targetCard, targetRow } from './target-card.ts';

export type StatusPageOptions = PageOptions & {
  /** For a screen on a wall: reloading loses the position of readers who use a screen reader or a magnifier. */
  readonly refresh?: boolean;
  /** From 1; beyond the last page, the last one. */
  readonly page?: number;
  /** Only this target, with everything that is known about it. */
  readonly target?: string;
};

const REFRESH_SECONDS = 30;
const MOST_ALERTS = 10;
const MOST_PROBLEMS = 20;
const LONGEST_TEXT = 1_000;
const LONGEST_NAMES = 200;
/** The number of targets per page; and the number up to which each is shown in full. */
const PAGE_SIZE = 100;
const MOST_CARDS = 10;
const ORDER: readonly Health[] = ['down', 'degraded', 'unknown', 'maintenance', 'up'] satisfies readonly (typeof HEALTH)[number][];

type Headline = { readonly health: Health; readonly text: string };

function headline(targets: readonly TargetView[]): Headline {
  const counts: Record<Health, number> = { up: 0, degraded: 0, down: 0, unknown: 0, maintenance: 0 };
  for (const one of targets) counts[healthOf(one)] += 1;
  const { down, degraded, unknown, maintenance } = counts;
  const of = `of ${targets.length} ${targets.length === 1 ? 'target' : 'targets'}`;
  const besides = (number: number, word: string): string => (number > 0 ? `, ${number} ${word}` : '');
  const rest = `${besides(unknown, 'not known')}${besides(maintenance, 'in maintenance')}`;
  if (down > 0) return { health: 'down', text: `${down} ${of} down${besides(degraded, 'degraded')}${rest}` };
  if (degraded > 0) return { health: 'degraded', text: `${degraded} ${of} degraded${rest}` };
  if (unknown > 0) return { health: 'unknown', text: `${unknown} ${of} not known yet${besides(maintenance, 'in maintenance')}` };
  if (maintenance > 0) return { health: 'maintenance', text: `${maintenance} ${of} in maintenance` };
  return { health: 'up', text: targets.length === 1 ? 'The target is up' : `All ${targets.length} targets are up` };
}

function problemList(problems: readonly string[], options: PageOptions): Html | string {
  if (problems.length === 0) return '';
  const more = problems.length - MOST_PROBLEMS;
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => html`<p class="text">${cut(problem, LONGEST_TEXT)}</p>`);
  const texts = options.public ? '' : html`${shown}${more > 0 ? html`<p>and ${more} more</p>` : ''}`;
  return html`<section class="banner unknown" aria-label="The probe itself"><p><strong>The probe itself has a problem</strong></p>${texts}</section>`;
}

function removalNotice(now: number): Html | string {
  if (!isRemovalNear(now)) return '';
  const days = daysToRemoval(now);
  const { operation, date, replacement } = PLANNED_REMOVAL;
  const notice = (when: string, then: string): Html =>
    html`<section class="banner degraded" aria-label="Planned removal"><p><strong>Planned removal</strong></p><p class="text"><code>${operation}</code> ${when} ${date}; its replacement is ${replacement}. ${then}</p></section>`;
  if (days > 0)
    return notice(
      `is scheduled for removal in ${days} ${days === 1 ? 'day' : 'days'}, on`,
      'From that day on, its absence is not an outage.',
    );
  return notice('was scheduled for removal on', 'Its absence is planned, not an outage.');
}

/** Current windows and those of the next week, with their reasons: of all targets, or of the one that is shown. */
function maintenanceNotice({ maintenance, now }: MonitorView, { target }: StatusPageOptions): Html | string {
  const own = maintenance.filter(({ targets }) => target === undefined || targets.length === 0 || targets.includes(target));
  if (own.length === 0) return '';
  const item = (window: MaintenanceWindow): Html =>
    html`<p class="text"><b>${cut(namesOf(window), LONGEST_NAMES)}</b> ${isUnderWay(window, now) ? '' : html`from ${moment(window.from)} `}until ${moment(window.to)}: ${cut(window.reason, LONGEST_TEXT)}</p>`;
  const more = own.length > MOST_PROBLEMS ? html`<p>and ${own.length - MOST_PROBLEMS} more</p>` : '';
  return html`<section class="banner maintenance" aria-label="Maintenance"><p><strong>Maintenance</strong></p>${own.slice(0, MOST_PROBLEMS).map(item)}${more}</section>`;
}

function alertList(alerts: readonly AlertEvent[], options: PageOptions): Html {
  if (alerts.length === 0) return html`<section class="card" aria-label="Last alerts"><h2>Last alerts</h2><p>None.</p></section>`;
  return html`<section class="card" aria-label="Last alerts"><h2>Last alerts</h2><ul class="alerts">${alerts
    .slice(0, MOST_ALERTS)
    .map(
      (event) =>
        html`<li>${moment(Date.parse(event.at))} <strong>${subjectOf(event)}</strong> ${event.status}<br><span class="text"><code>${event.clause ?? ''}</code>${event.reason === null ? '' : ` (${reasonWords(event.reason)})`}${options.public ? '' : html` ${cut(event.summary, LONGEST_TEXT)}`}</span></li>`,
    )}</ul></section>`;
}

/** Another part of the page, in the same variant. */
function linkTo(part: Readonly<Record<string, string>>, options: StatusPageOptions): string {
  const query = new URLSearchParams({
    ...part,
    ...(options.public ? { public: '' } : {}),
    ...(options.refresh === true ? { refresh: '' } : {}),
  });
  return `?${String(query)}`;
}

export function pageOf(targets: number, wanted = 1): { readonly page: number; readonly pages: number } {
  const pages = Math.max(1, Math.ceil(targets / PAGE_SIZE));
  return { page: Math.min(Math.max(1, wanted), pages), pages };
}

function pageLinks(targets: number, label: string, options: StatusPageOptions): Html | string {
  const { page, pages } = pageOf(targets, options.page);
  if (pages === 1) return '';
  const link = (to: number, text: string): Html | string =>
    to < 1 || to > pages ? '' : html` <a href="${linkTo({ page: String(to) }, options)}">${text}</a>`;
  const first = (page - 1) * PAGE_SIZE + 1;
  const last = Math.min(targets, page * PAGE_SIZE);
  return html`<nav aria-label="${label}"><p>Targets ${first} to ${last} of ${targets}, failing ones first.${link(page - 1, 'Previous')}${link(page + 1, 'Next')}</p></nav>`;
}

/** Worst first: in full if they are few, otherwise as a list. */
function targetList({ targets, now }: MonitorView, options: StatusPageOptions): Html {
  const byHealth = ORDER.flatMap((health) => targets.filter((one) => healthOf(one) === health));
  const link = (one: TargetView): string => linkTo({ target: one.target.name }, options);
  if (targets.length <= MOST_CARDS) return html`${byHealth.map((one) => targetCard(one, now, { ...options, link: link(one) }))}`;
  const { page } = pageOf(targets.length, options.page);
  const rows = byHealth.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);
  const row = (one: TargetView): Html => targetRow(one, now, { ...options, link: link(one) });
  const links = (label: string): Html | string => pageLinks(targets.length, label, options);
  return html`${links('Pages')}<section class="card" aria-label="Targets"><ul class="rows">${rows.map(row)}</ul></section>${links('Pages, below the targets')}`;
}

/** The shown events, in the same variant. */
function feedQuery({ target, public: hidden }: StatusPageOptions): string {
  const query = new URLSearchParams({ ...(target === undefined ? {} : { target }), ...(hidden ? { public: '' } : {}) });
  return query.size === 0 ? '' : `?${String(query)}`;
}

function frame(view: MonitorView, { health, text }: Headline, options: StatusPageOptions & { readonly content: Html }): string {
  const { version, now, startedAt } = view;
  return String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${options.refresh === true ? html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}<meta name="robots" content="noindex"><title>${text}</title><style>${raw(STYLE)}</style></head>
<body><header><h1>Pet store status</h1></header><main><section class="banner ${health}" aria-label="Summary"><p><strong>${text}</strong></p><p>${moment(now)}</p></section>${problemList(view.problems, options)}${maintenanceNotice(view, options)}${removalNotice(now)}
${options.content}</main>
<footer><p>petstore-conformance ${version}, running for ${span(now - startedAt)}. <a href="feed.atom${feedQuery(options)}">Feed of events</a></p></footer></body></html>`);
}

/**
 * The status page: one static document, with every text escaped by the template. Its size is bounded whatever the number of targets and
 * whatever services return. Undefined for an unknown target.
 */
export function statusPage(view: MonitorView, options: StatusPageOptions): string | undefined {
  if (options.target === undefined) {
    const content = html`${targetList(view, options)}
${alertList(view.alerts, options)}
${changeList(view.changes.slice(0, MOST_ALERTS), { ...options, named: true })}`;
    return frame(view, headline(view.targets), { ...options, content });
  }
  const one = view.targets.find(({ target }) => target.name === options.target);
  if (one === undefined) return undefined;
  const health = healthOf(one);
  const alerts = view.alerts.filter(({ target }) => target === options.target);
  const content = html`${targetCard(one, view.now, options)}
${incidentList(one.incidents(), view.now, options)}
${runList(one.runs(), options)}
${alertList(alerts, options)}
${changeList(one.changes(), { ...options, named: false })}<p><a href="${linkTo({}, options)}">All targets</a></p>`;
  return frame(view, { health, text: `${one.target.name}: ${WORDS[health]}` }, { ...options, content });
}

const COLORS: Readonly<Record<Health, string>> = {
  up: '#1a7f37',
  degraded: '#9a6700',
  down: '#cf222e',
  unknown: '#57606a',
  maintenance: '#0969da',
};
const CHARACTER = 7;

/** As in READMEs, without scripts, fonts, or links. */
export function badge(name: string, health: Health): string {
  const left = name.length * CHARACTER + 14;
  const right = health.length * CHARACTER + 14;
  const width = left + right;
  const label = `${name}: ${health}`;
  return String(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}"><title>${label}</title><rect width="${left}" height="20" fill="#24292f"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[health]}"/><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11"><text x="${left / 2}" y="14" textLength="${left - 14}">${name}</text><text x="${left + right / 2}" y="14" textLength="${right - 14}">${health}</text></g></svg>`,
  );
}

/** The whole style of the status page: inline, and allowed only by its hash. */
const STYLE = `:root{color-scheme:light dark;--bg:#f6f8fa;--card:#fff;--line:#d0d7de;--text:#1f2328;--soft:#57606a;--up:#1a7f37;--degraded:#9a6700;--down:#cf222e;--unknown:#6e7781;--none:#d8dee4;--maintenance:#0969da}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--card:#161b22;--line:#30363d;--text:#e6edf3;--soft:#9198a1;--up:#3fb950;--degraded:#d29922;--down:#ff7b72;--unknown:#8b949e;--none:#30363d;--maintenance:#58a6ff}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,footer{max-width:62rem;margin:0 auto;padding:0 1rem}header{padding-top:1.75rem}footer{padding-bottom:2rem;color:var(--soft);font-size:.85rem}
h1{font-size:1.45rem;margin:0}h2{font-size:1.05rem;margin:0;display:flex;gap:.6rem;align-items:center;flex-wrap:wrap}h3{font-size:.85rem;margin:0 0 .35rem;color:var(--soft);font-weight:600}
.banner{border-radius:.6rem;border:1px solid var(--line);border-left-width:.4rem;background:var(--card);padding:.8rem 1rem;margin:1rem 0}
.banner.up{border-left-color:var(--up)}.banner.degraded{border-left-color:var(--degraded)}.banner.down{border-left-color:var(--down)}.banner.unknown{border-left-color:var(--unknown)}.banner.maintenance{border-left-color:var(--maintenance)}
.banner p{margin:0}.banner strong{font-size:1.05rem}.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:1rem;margin:1rem 0}
.pill{font-size:.75rem;font-weight:600;border-radius:1rem;padding:.1rem .6rem;border:1px solid currentColor}.pill.up{color:var(--up)}.pill.degraded{color:var(--degraded)}.pill.down{color:var(--down)}.pill.unknown{color:var(--unknown)}.pill.maintenance{color:var(--maintenance)}
.url{color:var(--soft);font-size:.85rem;font-weight:400;overflow-wrap:anywhere}.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(17rem,1fr));margin-top:.9rem}
svg{display:block;width:100%}svg.bars,svg.plot{height:48px}svg.plot{border-bottom:1px solid var(--line)}.b-up{fill:var(--up)}.b-degraded{fill:var(--degraded)}.b-down{fill:var(--down)}.b-unknown{fill:var(--unknown)}.b-none{fill:var(--none)}
.p-max{fill:var(--none)}.p-mean{fill:none;stroke:var(--up);stroke-width:2;vector-effect:non-scaling-stroke}.p-limit{stroke:var(--degraded);stroke-dasharray:4 4;vector-effect:non-scaling-stroke}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.6rem;margin:.9rem 0 0}dt{color:var(--soft);font-size:.78rem}dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
ul.failures{list-style:none;margin:.9rem 0 0;padding:0}ul.failures li{border-left:.25rem solid var(--down);padding:.2rem .7rem;margin:.4rem 0}ul.failures li.advised{border-left-color:var(--degraded)}code{font:.85em ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.own{border-left:.25rem solid var(--unknown);padding:.2rem .7rem;margin:.9rem 0 0}.text{overflow-wrap:anywhere}time{white-space:nowrap}.scale{display:flex;justify-content:space-between;color:var(--soft);font-size:.75rem}ul.alerts{list-style:none;margin:.5rem 0 0;padding:0;font-size:.88rem}ul.alerts li{border-top:1px solid var(--line);padding:.4rem 0}ul.alerts time{color:var(--soft);margin-right:.4rem}
ul.rows{list-style:none;margin:0;padding:0}ul.rows>li{border-top:1px solid var(--line);padding:.6rem 0}ul.rows>li:first-child{border-top:0}.line{display:flex;gap:.5rem 1rem;justify-content:space-between;align-items:center;flex-wrap:wrap}svg.thin{width:12rem;height:1.2rem}.soft{color:var(--soft);font-size:.85rem;margin:.2rem 0 0}nav a{margin-left:.8rem}
a{color:inherit}details{margin:.4rem 0 0}summary{cursor:pointer;color:var(--soft);font-size:.85rem}pre{margin:.4rem 0 0;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem;background:var(--bg);font:.8rem/1.45 ui-monospace,SFMono-Regular,Menlo,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
ul.incidents{list-style:none;margin:.5rem 0 0;padding:0}ul.incidents>li{border-top:1px solid var(--line);padding:.7rem 0}ul.incidents>li:first-child{border-top:0}ul.incidents h3{display:flex;gap:.5rem;align-items:center;flex-wrap:wrap;color:var(--text)}ul.incidents p{margin:.2rem 0}ol.story{list-style:none;margin:.4rem 0 0;padding:0 0 0 .8rem;border-left:2px solid var(--line);font-size:.88rem}ol.story time{color:var(--soft);margin-left:.3rem}`;

/** Nothing is loaded, nothing runs, and nothing may frame the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
