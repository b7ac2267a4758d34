import { html } from 'hono/html';
import { reasonWords, type Sample } from '../sample.ts';
import { cut } from '../text.ts';
import { failuresOf, healthOf, type TargetView, warningsOf } from '../view.ts';
import { acknowledgedBy, exchangeBlock, type Html, moment, type PageOptions, span, WORDS } from './page-parts.ts';

const LISTED = { most: 2, longest: 160 };
const WHOLE = { most: 100, longest: 1_000 };
const DAY = 86_400_000;

type Failure = {
  readonly level: string;
  readonly head: string;
  /** Missing if it is the title, as for an incident without a broken clause. */
  readonly reason?: string;
  readonly text: string;
  readonly exchange?: string | undefined;
};

/** What is wrong according to the last run: its failures, preceded by what decided the verdict if they did not. */
function shownOf(last: Sample): readonly Failure[] {
  const { verdict, reason, note, failures } = last;
  const shown = [...failuresOf({ last }), ...warningsOf({ last })];
  const listed = shown.map(({ clause, summary, reason: why, consequenceOf, ...failure }) => ({
    ...{ ...failure, head: clause, text: summary },
    reason: consequenceOf === undefined ? reasonWords(why) : `${reasonWords(why)}, consequence of ${consequenceOf}`,
  }));
  if (verdict === 'pass' || failures.some(({ level, clause }) => level !== 'advised' || clause === last.clause)) return listed;
  return [
    verdict === 'fail'
      ? { level: 'required', head: reason === undefined ? verdict : reasonWords(reason), text: note }
      : { level: 'advised', head: verdict, reason: reason === undefined ? 'latency or evidence' : reasonWords(reason), text: note },
    ...listed,
  ];
}

function failureList({ last, state }: TargetView, options: PageOptions, limits = WHOLE): Html | string {
  const { most, longest } = limits;
  const listed = limits === LISTED;
  if (last === undefined) return '';
  // Findings of a broken probe are not failures of the target.
  if (last.verdict === 'unknown')
    return html`<p class="own text">Nothing is known about the target: the probe itself has a problem.${options.public ? '' : html`<br>${cut(last.note, longest)}`}</p>`;
  // The page and the alert name the same clause first.
  const failures = shownOf(last).toSorted(
    (left, right) => Number(right.head === state.outage?.clause) - Number(left.head === state.outage?.clause),
  );
  if (failures.length === 0) return '';
  const more = failures.length > most ? html`<li>and ${failures.length - most} more</li>` : '';
  const since = state.failingSince === undefined || last.verdict === 'pass' ? [] : [html`failing since ${moment(state.failingSince)}`];
  const about = (reason: string | undefined): Html | string => {
    const parts = [...(reason === undefined ? [] : [reason]), ...since];
    return parts.length === 0 ? '' : html` (${parts.map((part, index) => html`${index === 0 ? '' : ', '}${part}`)})`;
  };
  const item = ({ level, head, reason, text, exchange }: Failure): Html =>
    html`<li class="${level}"><code>${head}</code>${about(reason)}${options.public ? '' : html`<br><span class="text">${cut(text, longest)}</span>`}${listed ? '' : exchangeBlock(exchange, options)}</li>`;
  return html`<ul class="failures" aria-label="${last.verdict === 'pass' ? 'Warnings' : 'Current failures'}">${failures.slice(0, most).map(item)}${more}</ul>`;
}

/** Of the last day. */
function coverageRow({ coverage }: TargetView): readonly (readonly [string, string])[] {
  const { of, passed, failing, notApplicable } = coverage;
  if (of === 0) return [];
  const judged = `${passed + failing.length + notApplicable} of ${of} judged`;
  return [['Rotating checks, 24 h', failing.length > 0 ? `${judged}, ${failing.length} failing` : judged]];
}

function certificateRow({ last }: TargetView, now: number): readonly (readonly [string, string])[] {
  if (last?.certificateExpiry === undefined) return [];
  const end = last.certificateExpiry * 1000;
  const days = Math.floor((end - now) / DAY);
  const day = new Date(end).toISOString().slice(0, 10);
  return [['Certificate', end <= now ? `ended on ${day}` : `ends on ${day}, in ${days} ${days === 1 ? 'day' : 'days'}`]];
}

function facts(one: TargetView, now: number): Html {
  const { last, state } = one;
  const rows: readonly (readonly [string, string])[] = [
    ['Last run', last === undefined ? 'none yet' : `${span(now - last.at)} ago, ${Math.round(last.duration)} ms`],
    ['Failures of last runs', `${state.window.filter(Boolean).length} of ${state.window.length}`],
    ...coverageRow(one),
    ...certificateRow(one, now),
  ];
  return html`<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function pill(one: TargetView, now: number): Html {
  const { state, last } = one;
  const health = healthOf(one);
  const since = state.downSince === undefined || health === 'maintenance' ? '' : ` for ${span(now - state.downSince)}`;
  const warnings = warningsOf({ last }).length;
  const besides = warnings === 0 ? '' : `, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return html`<span class="pill ${health}">${WORDS[health]}${since}${besides}</span>`;
}

function takenOver({ state: { outage } }: TargetView, options: PageOptions): Html | string {
  return outage?.acknowledged === undefined ? '' : html`<p class="soft">${acknowledgedBy(outage.acknowledged, options)}</p>`;
}

export function targetCard(
  one: TargetView,
  now: number,
  options: PageOptions & { /** The page of this target alone. */ readonly link?: string },
): Html {
  const { target } = one;
  return html`<section class="card" aria-label="${target.name}">
<h2>${options.link === undefined ? target.name : html`<a href="${options.link}">${target.name}</a>`} ${pill(one, now)}${options.public ? '' : html`<span class="url">${target.baseUrl}</span>`}</h2>
${takenOver(one, options)}${failureList(one, options)}
${facts(one, now)}
</section>`;
}

/** A target in a long list: one or two thousand bytes, with a link to the rest. */
export function targetRow(one: TargetView, now: number, options: PageOptions & { readonly link: string }): Html {
  const { target, last } = one;
  const run = last === undefined ? 'no run yet' : `last run ${span(now - last.at)} ago, ${Math.round(last.duration)} ms`;
  return html`<li><div class="line"><h2><a href="${options.link}">${target.name}</a> ${pill(one, now)}${options.public ? '' : html`<span class="url">${cut(target.baseUrl, LISTED.longest)}</span>`}</h2></div>
<p class="soft">${run}</p>${takenOver(one, options)}${failureList(one, options, LISTED)}</li>`;
}
