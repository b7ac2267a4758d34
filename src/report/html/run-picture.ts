// The run over time: what was in flight, and what was broken.

import type { RunRecord, RunTimeline } from '../../clause/run-record.ts';
import { OPERATIONS } from '../../wire/exchange.ts';
import type { BrokenClause } from '../broken-clauses.ts';
import { count, duration, oneLine, thousands } from '../text.ts';
import { html, type Markup } from './page.ts';
import { along, moment, percent, stretched } from './pictures.ts';
import { clauseLabel } from './requirements.ts';

/** Heights, in CSS pixels. */
const [LANE, HEAD, AXIS, TICK] = [14, 20, 20, 12];
/** No bar is so short that nobody sees it: a share of the width. */
const SHORTEST = 0.0012;
const [MOST_BARS, MOST_TRACKS, MOST_LANES, MOST_PHASES] = [5_000, 12, 24, 40];
/** Characters of a title that fit into a share of the width, on a wide screen; and the share that a digit of its number takes on a narrow one. */
const [CHARACTERS, DIGIT] = [150, 0.028];

type Scale = { readonly span: number; readonly share: (milliseconds: number) => number };

type Bar = { readonly start: number; readonly length: number; readonly lane: number; readonly operation: string; readonly status: number };

function barsOf({ starts, durations, lanes, operations, classes }: RunTimeline): readonly Bar[] {
  return starts.slice(0, MOST_BARS).map((start, place) => ({
    ...{ start, length: durations[place] ?? 0, lane: lanes[place] ?? 0 },
    ...{ operation: OPERATIONS[operations[place] ?? 0] ?? OPERATIONS[0], status: classes[place] ?? 0 },
  }));
}

const scaleOf = (bars: readonly Bar[]): Scale => {
  const span = Math.max(1, ...bars.map(({ start, length }) => start + length));
  return { span, share: (milliseconds) => Math.min(1, Math.max(0, milliseconds / span)) };
};

function pathOf(bars: readonly Bar[], { share }: Scale): string {
  return bars
    .map(({ start, length, lane }) => `M${along(share(start))} ${lane * LANE + LANE / 2}h${along(Math.max(SHORTEST, share(length)))}`)
    .join('');
}

const outcomeOf = ({ status }: Bar): string => (status === 2 ? 'taken' : status === 0 || status === 5 ? 'failed' : 'rejected');

/** The bars of requests, one path for all that look the same; those that break a requirement last, above the others. */
function barsView(bars: readonly Bar[], wrong: ReadonlySet<Bar>, scale: Scale): readonly Markup[] {
  const groups = Map.groupBy(
    bars.filter((one) => !wrong.has(one)),
    (one) => `${one.operation} ${outcomeOf(one)}`,
  );
  return [...groups, ['wrong', [...wrong]] as const].map(([look, some]) => html`<path class="${look}" d="${pathOf(some, scale)}"/>`);
}

type Phase = { readonly title: string; readonly from: number; readonly until: number };

function phasesOf({ phases }: RunTimeline, { span }: Scale): readonly Phase[] {
  return phases
    .slice(0, MOST_PHASES)
    .map(({ title, from }, index) => ({ title: oneLine(title, 60), from, until: phases[index + 1]?.from ?? span }));
}

/** Bands with the number of the phase, and its title where there is room. */
function bandsView(phases: readonly Phase[], { share }: Scale, height: number): readonly Markup[] {
  return phases.map(({ title, from, until }, index) => {
    const [x, width] = [share(from), share(until) - share(from)];
    const name = title.length + 3 < width * CHARACTERS ? html`<tspan class="title"> ${title}</tspan>` : '';
    const label = width < DIGIT * String(index + 1).length ? '' : html`<text x="${percent(x)}" dx="4" y="14">${index + 1}${name}</text>`;
    return html`<rect class="band${index % 2 === 1 ? ' odd' : ''}" x="${percent(x)}" width="${percent(Math.max(0, width))}" y="0" height="${height}"/>${label}`;
  });
}

/** The step between moments at round numbers of milliseconds, of which the run has a handful. */
function stepOf(span: number): number {
  const rough = span / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5].map((one) => one * power).find((one) => one >= rough) ?? 10 * power;
}

function axisView({ span, share }: Scale, y: number): readonly Markup[] {
  const step = stepOf(span);
  const decimals = Math.max(0, 3 - Math.floor(Math.log10(step)));
  return Array.from({ length: Math.floor(span / step) + 1 }, (_unused, index) => {
    const [x, label] = [share(index * step), `${((index * step) / 1_000).toFixed(index === 0 ? 0 : decimals)} s`];
    const anchor = x < 0.03 ? 'start' : x > 0.94 ? 'end' : 'middle';
    return html`<line class="edge" x1="${percent(x)}" x2="${percent(x)}" y1="${HEAD}" y2="${y}"/><text x="${percent(x)}" y="${y + 15}" text-anchor="${anchor}">${label}</text>`;
  });
}

type Track = { readonly broken: BrokenClause; readonly moments: readonly number[]; readonly of: number };

function tracksOf({ broken: named, starts }: RunTimeline, broken: readonly BrokenClause[]): readonly Track[] {
  return broken.flatMap((one) => {
    const { places = [], of = places.length } = named.find(({ clause }) => clause === one.clause.id) ?? {};
    return places.length === 0 ? [] : [{ broken: one, moments: places.flatMap((place) => starts[place] ?? []), of }];
  });
}

/** When requests broke a clause, under the bars: it leads to the block of the clause. */
function trackView({ broken: { clause }, moments, of }: Track, { span, share }: Scale): Markup {
  const [first = 0, last = 0] = [moments[0], moments.at(-1)];
  const when = first === last ? `at ${moment(first, span)}` : `from ${moment(first, span)} to ${moment(last, span)}`;
  const ticks = [...new Set(moments.map((at) => along(share(at))))].map((x) => `M${x} 0v${TICK}`).join('');
  return html`<li><a href="${clauseLabel(clause.id).href}"><code>${clauseLabel(clause.id).text}</code> <span class="aside">${count(of, 'request')}, ${when}</span>
<svg height="${TICK}" aria-hidden="true">${stretched({ y: 0, height: TICK }, html`<path class="tick" d="${ticks}"/>`)}</svg></a></li>`;
}

const KEYS = [
  ['listPets taken', 'list'],
  ['createPet taken', 'creation'],
  ['getPet taken', 'read'],
  ['listPets rejected', 'rejected'],
  ['listPets failed', 'no response, or 5xx'],
  ['wrong', 'breaks a requirement'],
] as const;

function keysView(bars: readonly Bar[], hasWrong: boolean): Markup {
  const looks = new Set(bars.flatMap((one) => [`${one.operation} taken`, `listPets ${outcomeOf(one)}`]));
  const shown = KEYS.filter(([look]) => (look === 'wrong' ? hasWrong : looks.has(look)));
  return html`<ul class="keys" aria-label="What the bars mean">${shown.map(
    ([look, words]) =>
      html`<li><svg height="14" viewBox="0 0 24 14" aria-hidden="true"><path class="${look}" d="M2 7h20"/></svg>${words}</li>`,
  )}</ul>`;
}

/** The picture; nothing if the record has no timeline. `broken`: the clauses in the order of repair. */
export function runView({ timeline }: RunRecord, broken: readonly BrokenClause[]): Markup | '' {
  if (timeline === undefined || timeline.starts.length === 0) return '';
  const bars = barsOf(timeline).map((bar) => ({ ...bar, lane: Math.min(bar.lane, MOST_LANES - 1) }));
  const scale = scaleOf(bars);
  const phases = phasesOf(timeline, scale);
  const tracks = tracksOf(timeline, broken);
  const known = new Set(tracks.map((track) => track.broken.clause.id));
  const wrong = new Set(
    timeline.broken.flatMap(({ clause, places }) => (known.has(clause) ? places.flatMap((place) => bars[place] ?? []) : [])),
  );
  const lanes = Math.max(...bars.map(({ lane }) => lane)) + 1;
  const height = HEAD + lanes * LANE + 4;
  const hidden = tracks.length - MOST_TRACKS;
  const words = wordsOf({ timeline, lanes, scale, wrong });
  return html`<figure class="picture">
<svg height="${height + AXIS}" role="img" aria-labelledby="run-title run-words"><title id="run-title">The requests of the run over time, one row for each that is in flight with others</title>
${bandsView(phases, scale, height)}${axisView(scale, height)}
${stretched({ y: HEAD, height: lanes * LANE }, barsView(bars, wrong, scale))}</svg>
${tracks.length > 0 && html`<ol class="tracks" aria-label="When each requirement was broken">${tracks.slice(0, MOST_TRACKS).map((track) => trackView(track, scale))}</ol>`}
${hidden > 0 && html`<p class="aside">and ${count(hidden, 'more broken requirement')}</p>`}
<figcaption><span id="run-words">${words}</span>${keysView(bars, wrong.size > 0)}</figcaption>
<details class="fold"><summary>${count(phases.length, 'phase')}, numbered above</summary>
<ol class="named">${phases.map(({ title, from }) => html`<li>${title} <span class="aside">from ${moment(from, scale.span)}</span></li>`)}</ol></details>
</figure>`;
}

type Told = { readonly timeline: RunTimeline; readonly lanes: number; readonly scale: Scale; readonly wrong: ReadonlySet<Bar> };

function wordsOf({ timeline: { requests, starts, broken }, lanes, scale: { span }, wrong }: Told): string {
  const left = requests > starts.length ? `, ${thousands(starts.length)} of which are drawn` : '';
  const said = `${count(requests, 'request')} in ${duration(span)}${left}, at most ${lanes} in flight at once.`;
  const moments = [...wrong].map(({ start }) => start).sort((a, b) => a - b);
  const [first, last] = [moments[0], moments.at(-1)];
  if (first === undefined || last === undefined) return said;
  const most = broken.some(({ of }) => of !== undefined) ? 'More than ' : '';
  const [verb, when] =
    first === last
      ? ['breaks', `it was sent at ${moment(first, span)}`]
      : ['break', `the first was sent at ${moment(first, span)}, the last at ${moment(last, span)}`];
  return `${said} ${most}${thousands(wrong.size)} of them ${verb} a requirement: ${when}.`;
}
