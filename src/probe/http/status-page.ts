// The status page and its style.

import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { count } from '../../report/text.ts';
import { summaryOf } from '../alerts/cause.ts';
import { isUnderWay, type MaintenanceWindow, namesOf } from '../alerts/maintenance.ts';
import { daysToRemoval, isRemovalNear, PLANNED_REMOVAL } from '../alerts/removal.ts';
import { type HEALTH, type Health, healthOf, type MonitorView, type TargetView } from '../monitor-view.ts';
import type { ProbeVerdict, Sample } from '../sample.ts';
import { cut } from '../text.ts';
import {
  card,
  changeList,
  findingList,
  type Html,
  moment,
  type PageOptions,
  runList,
  shortFindings,
  span,
  stateLine,
  strip,
  WORDS,
} from './page-parts.ts';

export type StatusPageOptions = PageOptions & {
  /** For a screen on a wall: reloading loses the position of readers who use a screen reader or a magnifier. */
  readonly refresh?: boolean;
  /** From 1; beyond the last page, the last one. */
  readonly page?: number;
  /** Only this target, with everything that is known about it. */
  readonly target?: string;
};

const REFRESH_SECONDS = 30;
const MOST_CHANGES = 10;
const MOST_RUNS = 20;
/** Runs in the strip of squares. */
const STRIP = 20;
const MOST_PROBLEMS = 20;
const LONGEST_TEXT = 1_000;
const LONGEST_NAMES = 200;
const LONGEST_ADDRESS = 160;
const PAGE_SIZE = 100;
const DAY = 86_400_000;
const ORDER: readonly Health[] = ['down', 'degraded', 'unknown', 'maintenance', 'up'] satisfies readonly (typeof HEALTH)[number][];

type Headline = { readonly health: Health; readonly text: string };

function headline(targets: readonly TargetView[]): Headline {
  const counts: Record<Health, number> = { up: 0, degraded: 0, down: 0, unknown: 0, maintenance: 0 };
  for (const one of targets) counts[healthOf(one)] += 1;
  const { down, degraded, unknown, maintenance } = counts;
  const of = `of ${count(targets.length, 'target')}`;
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

/** What the one alert about many targets says. */
function causeNotice({ causes }: MonitorView): readonly Html[] {
  return causes.map(
    (one) =>
      html`<section class="banner ${one.cause === 'internal' ? 'unknown' : 'down'}" aria-label="One cause"><p><strong>One cause, one alert</strong></p><p class="text">${summaryOf(one)}</p><p>since ${moment(one.since)}</p></section>`,
  );
}

function removalNotice(now: number): Html | string {
  if (!isRemovalNear(now)) return '';
  const days = daysToRemoval(now);
  const { operation, date, replacement } = PLANNED_REMOVAL;
  const notice = (when: string, then: string): Html =>
    html`<section class="banner degraded" aria-label="Planned removal"><p><strong>Planned removal</strong></p><p class="text"><code>${operation}</code> ${when} ${date}; its replacement is ${replacement}. ${then}</p></section>`;
  if (days > 0) return notice(`is scheduled for removal in ${count(days, 'day')}, on`, 'From that day on, its absence is not an outage.');
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

/** A target in the list: one or two thousand bytes, with a link to the rest. */
function targetRow(one: TargetView, now: number, options: StatusPageOptions): Html {
  const { target, last } = one;
  const run = last === undefined ? 'no run yet' : `last run ${span(now - last.at)} ago, ${Math.round(last.duration)} ms`;
  const address = options.public ? '' : html`<span class="text">${cut(target.baseUrl, LONGEST_ADDRESS)}</span>, `;
  return html`<li><div class="line"><h2><a href="${linkTo({ target: target.name }, options)}">${target.name}</a> ${stateLine(one, now)}</h2>${strip(one.runs(STRIP))}</div>
<p class="soft">${address}${run}</p>${last?.verdict === 'unknown' ? unknownNotice(last, options) : last === undefined ? '' : shortFindings(last, options)}</li>`;
}

/** Worst first, a hundred per page. */
function targetList({ targets, now }: MonitorView, options: StatusPageOptions): Html {
  const byHealth = ORDER.flatMap((health) => targets.filter((one) => healthOf(one) === health));
  const { page } = pageOf(targets.length, options.page);
  const rows = byHealth.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map((one) => targetRow(one, now, options));
  const links = (label: string): Html | string => pageLinks(targets.length, label, options);
  return html`${links('Pages')}<section class="card" aria-label="Targets"><ul class="rows">${rows}</ul></section>${links('Pages, below the targets')}`;
}

/** Findings of a broken probe are not failures of the target. */
function unknownNotice({ note }: Pick<Sample, 'note'>, options: PageOptions): Html {
  return html`<p class="own text">Nothing is known about the target: the probe itself has a problem.${options.public ? '' : html`<br>${cut(note, LONGEST_TEXT)}`}</p>`;
}

function facts({ target, last, state, coverage }: TargetView, now: number, options: PageOptions): Html {
  const { of, met, failing } = coverage;
  const sent = `${met} of ${of}${failing.length > 0 ? `, ${count(failing.length, 'clause')} failing` : ''}`;
  const end = (last?.certificateExpiry ?? 0) * 1_000;
  const days = Math.floor((end - now) / DAY);
  const rows: readonly (readonly [string, Html | string])[] = [
    ...(options.public ? [] : [['Address', html`<span class="text">${target.baseUrl}</span>`] as const]),
    [
      'Last run',
      last === undefined ? 'none yet' : `${span(now - last.at)} ago, ${Math.round(last.duration)} ms, ${count(last.requests, 'request')}`,
    ],
    ...(state.window.length === 0
      ? []
      : [['Failed of the last runs', `${state.window.filter(Boolean).length} of ${state.window.length}`] as const]),
    ...(of === 0 ? [] : [['Requests of the plan, 24 h', sent] as const]),
    ...(end === 0
      ? []
      : [['Certificate', html`${end <= now ? 'ended' : 'ends'} ${moment(end)}${end <= now ? '' : `, in ${count(days, 'day')}`}`] as const]),
  ];
  return html`<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

const HEADS: Readonly<Record<ProbeVerdict, string>> = { pass: 'Warnings', degraded: 'Degraded', fail: 'Failing', unknown: 'Unknown' };

function failuresNow({ last, state }: TargetView, options: PageOptions): Html | string {
  if (last === undefined || (last.verdict === 'pass' && last.failures.length === 0)) return '';
  const head = HEADS[last.verdict];
  if (last.verdict === 'unknown') return card(head, unknownNotice(last, options));
  const isFailing = last.verdict === 'fail' && state.failingSince !== undefined;
  return card(head, findingList(last, options), isFailing ? html`<span class="soft">since ${moment(state.failingSince)}</span>` : '');
}

/** What was wrong when a run last failed. */
function failuresBefore(one: TargetView, options: PageOptions): Html | string {
  const failed = one.lastFailure();
  if (failed === undefined || one.last?.verdict === 'fail') return '';
  return card('Last failure', findingList(failed, options), html`<span class="soft">${moment(failed.at)}</span>`);
}

function targetPage(one: TargetView, now: number, options: StatusPageOptions): Html {
  const last = one.runs(MOST_RUNS);
  const failed = one.failedRuns(2 * MOST_RUNS).filter(({ at }) => at < (last.at(-1)?.at ?? 0));
  const debug = options.public
    ? ''
    : html`, <a href="probe?target=${one.target.name}&amp;debug=true">a run now, with all of its requests</a>`;
  return html`${card(`Target ${one.target.name}`, html`<p>${stateLine(one, now)}</p>${strip(one.runs(STRIP))}${facts(one, now, options)}`)}
${failuresNow(one, options)}${failuresBefore(one, options)}
${runList('Last runs', last, { ...options, shown: one.last?.note })}
${failed.length === 0 ? '' : runList('Failed runs before them', failed, options)}
${changeList(one.changes(), { ...options, named: false })}<p><a href="${linkTo({}, options)}">All targets</a>${debug}</p>`;
}

function frame(view: MonitorView, { health, text }: Headline, options: StatusPageOptions & { readonly content: Html }): string {
  const { version, now, startedAt } = view;
  return String(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${options.refresh === true ? html`<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}<meta name="robots" content="noindex"><title>${text}</title><style>${raw(STYLE)}</style></head>
<body><header><h1>Pet store status</h1></header><main><section class="banner ${health}" aria-label="Summary"><p><strong>${text}</strong></p><p>${moment(now)}</p></section>${problemList(view.problems, options)}${causeNotice(view)}${maintenanceNotice(view, options)}${removalNotice(now)}
${options.content}</main>
<footer><p>petstore-conformance ${version}, running for ${span(now - startedAt)}.</p></footer></body></html>`);
}

/**
 * The status page: one static document, with every text escaped by the template. Its size is bounded whatever the number of targets and
 * whatever services return. Undefined for an unknown target.
 */
export function statusPage(view: MonitorView, options: StatusPageOptions): string | undefined {
  const { targets, changes, now } = view;
  if (options.target === undefined) {
    const content = html`${targetList(view, options)}
${changeList(changes.slice(0, MOST_CHANGES), { ...options, named: true })}`;
    return frame(view, headline(targets), { ...options, content });
  }
  const one = targets.find(({ target }) => target.name === options.target);
  if (one === undefined) return undefined;
  const health = healthOf(one);
  return frame(view, { health, text: `${one.target.name}: ${WORDS[health]}` }, { ...options, content: targetPage(one, now, options) });
}

/** The whole style of the status page: inline, and allowed only by its hash. */
const STYLE = `:root{color-scheme:light dark;--bg:#f6f8fa;--card:#fff;--line:#d0d7de;--text:#1f2328;--soft:#57606a;--up:#1a7f37;--degraded:#9a6700;--down:#cf222e;--unknown:#57606a;--maintenance:#0969da}
@media (prefers-color-scheme:dark){:root{--bg:#0d1117;--card:#161b22;--line:#30363d;--text:#e6edf3;--soft:#9198a1;--up:#3fb950;--degraded:#d29922;--down:#ff7b72;--unknown:#9198a1;--maintenance:#58a6ff}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
main,header,footer{max-width:62rem;margin:0 auto;padding:0 1rem}header{padding-top:1.75rem}footer{padding-bottom:2rem;color:var(--soft);font-size:.85rem}a{color:inherit}
h1{font-size:1.45rem;margin:0}h2{font-size:1.05rem;margin:0}h3{font-size:.85rem;margin:.6rem 0 .2rem;color:var(--soft);font-weight:600}h2 .soft,h2 .pill{font-weight:400}
.banner,.card{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.8rem 1rem;margin:1rem 0}.banner{border-left:.4rem solid var(--unknown)}.banner p{margin:0}.banner strong{font-size:1.05rem}
.up{--of:var(--up)}.degraded,.advised{--of:var(--degraded)}.down,.required,.implied{--of:var(--down)}.unknown{--of:var(--unknown)}.maintenance{--of:var(--maintenance)}
.banner{border-left-color:var(--of)}.pill{font-size:.8rem;color:var(--of);border:1px solid currentColor;border-radius:1rem;padding:.05rem .6rem;white-space:nowrap}path{fill:var(--of)}
.soft{color:var(--soft);font-size:.85rem}.text,code{overflow-wrap:anywhere}time{white-space:nowrap}p{margin:.2rem 0}
ul{margin:.4rem 0 0;padding:0;list-style:none}.rows>li{border-top:1px solid var(--line);padding:.55rem 0}.rows>li:first-child{border-top:0;padding-top:0}
.line{display:flex;gap:.3rem 1rem;justify-content:space-between;align-items:center;flex-wrap:wrap}
.findings>li,.own{border-left:.25rem solid var(--of,var(--unknown));padding:.1rem .7rem;margin:.4rem 0}nav a{margin-left:.8rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr));gap:.6rem;margin:.9rem 0 0}dt{color:var(--soft);font-size:.8rem}dd{margin:0;font-variant-numeric:tabular-nums}
code,pre{font:.85em/1.45 ui-monospace,SFMono-Regular,Menlo,monospace}pre{margin:0;padding:.6rem .8rem;border:1px solid var(--line);border-radius:.4rem;background:var(--bg);white-space:pre-wrap;overflow-wrap:anywhere}`;

/** Nothing is loaded, nothing runs, and nothing may frame the page. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
