import { html } from 'hono/html';
import type { Slice } from '../history.ts';
import { reasonWords, type Sample } from '../sample.ts';
import { cut } from '../text.ts';
import { availabilityOf, failuresOf, type Health, healthOf, type TargetView, warningsOf } from '../view.ts';
import { exchangeBlock, type Html, moment, type PageOptions, percent, span, WORDS } from './page-parts.ts';

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
  const { target, last, counts, state } = one;
  const month = availabilityOf(counts('month'), target.objective);
  const rows: readonly (readonly [string, string])[] = [
    ['Last run', last === undefined ? 'none yet' : `${span(now - last.at)} ago, ${Math.round(last.duration)} ms`],
    ['Uptime 24 h', percent(availabilityOf(counts('day'), target.objective).uptime)],
    ['Uptime 90 days', percent(availabilityOf(counts('quarter'), target.objective).uptime)],
    ['Objective', percent(target.objective, 1)],
    [
      'Error budget, 30 days',
      month.budgetLeft === undefined ? percent(undefined) : month.budgetLeft < 0 ? 'spent' : `${percent(month.budgetLeft, 0)} left`,
    ],
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

export function targetCard(
  one: TargetView,
  now: number,
  options: PageOptions & { /** The page of this target alone. */ readonly link?: string },
): Html {
  const { target } = one;
  const [hours, days] = [one.hours(), one.days()];
  const { svg, top } = latencyPlot(hours, { to: now });
  return html`<section class="card" aria-label="${target.name}">
<h2>${options.link === undefined ? target.name : html`<a href="${options.link}">${target.name}</a>`} ${pill(one, now)}${options.public ? '' : html`<span class="url">${target.baseUrl}</span>`}</h2>
${failureList(one, options)}
${facts(one, now)}
<div class="grid"><div><h3>24 hours</h3>${bars(hours, { to: now, days: false, label: `Health of ${target.name} in each of the last 24 hours` })}<div class="scale"><span>24 h ago</span><span>now</span></div></div>
<div><h3>90 days</h3>${bars(days, { to: now, days: true, label: `Health of ${target.name} on each of the last 90 days` })}<div class="scale"><span>90 days ago</span><span>today</span></div></div>
<div><h3>Duration, 24 hours</h3>${svg}<div class="scale"><span>0 to ${Math.round(top)} ms, mean and slowest</span><span>now</span></div></div></div>
</section>`;
}

/** A target in a long list: one or two thousand bytes, with a link to the rest. */
export function targetRow(one: TargetView, now: number, options: PageOptions & { readonly link: string }): Html {
  const { target, last, counts } = one;
  const uptime = (of: 'day' | 'quarter'): string => percent(availabilityOf(counts(of), target.objective).uptime);
  const run = last === undefined ? 'no run yet' : `last run ${span(now - last.at)} ago, ${Math.round(last.duration)} ms`;
  return html`<li><div class="line"><h2><a href="${options.link}">${target.name}</a> ${pill(one, now)}${options.public ? '' : html`<span class="url">${cut(target.baseUrl, LISTED.longest)}</span>`}</h2>${thinBars(one.hours(), { to: now, label: `Health of ${target.name} in each of the last 24 hours` })}</div>
<p class="soft">24 h: ${uptime('day')}, 90 days: ${uptime('quarter')}, ${run}</p>${failureList(one, options, LISTED)}</li>`;
}

const HOUR = 3_600_000;
const BAR = 10;
const GAP = 2;
const HEIGHT = 34;

type Svg = ReturnType<typeof html>;

/** The worst result of a slice that a person should see: one failure in an hour shows, but only as that. */
export function sliceHealth({ counts }: Slice): Health {
  const judged = counts.pass + counts.degraded + counts.fail;
  if (judged === 0) return 'unknown';
  if (counts.fail > 0) return counts.fail / judged >= 0.5 ? 'down' : 'degraded';
  return counts.degraded / judged >= 0.5 ? 'degraded' : 'up';
}

/** Every slot of a range in order, including those without a run. */
export function slotsOf(
  slices: readonly Slice[],
  range: { to: number; count: number; step: number },
): readonly { readonly from: number; readonly slice: Slice | undefined }[] {
  const known = new Map(slices.map((slice) => [slice.from, slice]));
  const last = Math.floor(range.to / range.step) * range.step;
  return Array.from({ length: range.count }, (_unused, index) => {
    const from = last - (range.count - 1 - index) * range.step;
    return { from, slice: known.get(from) };
  });
}

const describeSlot = (from: number, slice: Slice | undefined, step: number): string => {
  const when = new Date(from)
    .toISOString()
    .slice(0, step === DAY ? 10 : 16)
    .replace('T', ' ');
  if (slice === undefined) return `${when}: no runs`;
  const { pass, degraded, fail, unknown } = slice.counts;
  return `${when} UTC: ${pass} passed, ${degraded} degraded, ${fail} failed${unknown > 0 ? `, ${unknown} unknown` : ''}`;
};

/** One bar per slot: its color shows the health, its height the share of the runs that did not fail, its title the numbers. */
function bars(slices: readonly Slice[], options: { to: number; days: boolean; label: string }): Svg {
  const step = options.days ? DAY : HOUR;
  const slots = slotsOf(slices, { to: options.to, count: options.days ? 90 : 24, step });
  const width = slots.length * (BAR + GAP) - GAP;
  return html`<svg class="bars" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${options.label}">${slots.map(
    ({ from, slice }, index) => {
      const health = slice === undefined ? 'none' : sliceHealth(slice);
      return html`<rect class="b-${health}" x="${index * (BAR + GAP)}" y="0" width="${BAR}" height="${HEIGHT}" rx="2"><title>${describeSlot(from, slice, step)}</title></rect>`;
    },
  )}</svg>`;
}

/** The same without the numbers, as small as possible: one path per health, because a list shows a hundred. */
function thinBars(slices: readonly Slice[], options: { to: number; label: string }): Svg {
  const slots = slotsOf(slices, { to: options.to, count: 24, step: HOUR });
  const paths = new Map<string, string>();
  slots.forEach(({ slice }, index) => {
    const health = slice === undefined ? 'none' : sliceHealth(slice);
    paths.set(health, `${paths.get(health) ?? ''}M${index * (BAR + GAP)} 0h${BAR}v${HEIGHT}h-${BAR}z`);
  });
  const drawn = [...paths].map(([health, path]) => html`<path class="b-${health}" d="${path}"/>`);
  return html`<svg class="thin" viewBox="0 0 ${slots.length * (BAR + GAP) - GAP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${options.label}">${drawn}</svg>`;
}

const PLOT_WIDTH = 480;
const PLOT_HEIGHT = 64;

/** Mean (line) and slowest (area) duration of the runs in each hour. */
function latencyPlot(slices: readonly Slice[], options: { to: number }): { readonly svg: Svg; readonly top: number } {
  const slots = slotsOf(slices, { to: options.to, count: 24, step: HOUR });
  const top = Math.max(1, ...slices.map(({ maxDuration }) => maxDuration));
  const x = (index: number): string => ((index / (slots.length - 1)) * PLOT_WIDTH).toFixed(1);
  const y = (value: number): string => (PLOT_HEIGHT - 2 - (value / top) * (PLOT_HEIGHT - 6)).toFixed(1);
  const runs: { index: number; slice: Slice }[][] = [[]];
  slots.forEach(({ slice }, index) => {
    if (slice === undefined) runs.push([]);
    else runs.at(-1)?.push({ index, slice });
  });
  const drawn = runs.filter((run) => run.length > 0);
  const svg = html`<svg class="plot" viewBox="0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="Duration of runs over the last 24 hours: mean as a line, slowest as an area, up to ${Math.round(top)} milliseconds">${drawn.map(
    (run) => {
      // A single hour is drawn as a short stroke: a point has no length.
      const points =
        run.length > 1
          ? run
          : run.flatMap(({ index, slice }) => [
              { index: Math.max(0, index - 0.4), slice },
              { index: Math.min(slots.length - 1, index + 0.4), slice },
            ]);
      const first = points[0]?.index ?? 0;
      const last = points.at(-1)?.index ?? 0;
      const area = points.map(({ index, slice }) => `${x(index)},${y(slice.maxDuration)}`).join(' ');
      return html`<polygon class="p-max" points="${x(first)},${PLOT_HEIGHT} ${area} ${x(last)},${PLOT_HEIGHT}"/><polyline class="p-mean" points="${points.map(({ index, slice }) => `${x(index)},${y(slice.meanDuration)}`).join(' ')}"/>`;
    },
  )}</svg>`;
  return { svg, top };
}
