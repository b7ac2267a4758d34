// Parts of the status page: words, times, what is wrong with a target, its runs, and its changes.

import { html } from 'hono/html';
import { count } from '../../report/text.ts';
import { type Change, describeChange, describePublicly, labelOf } from '../changes/change.ts';
import { reasonWords, type SampleFailure } from '../failure.ts';
import { CONFIRMATION, type LastFailure, type PastRun } from '../history.ts';
import { type Health, healthOf, type TargetView, warningsOf } from '../monitor-view.ts';
import type { ProbeVerdict } from '../sample.ts';
import { cut } from '../text.ts';

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

export const moment = (milliseconds: number): Html => {
  const text = new Date(milliseconds).toISOString().slice(0, 19);
  return html`<time datetime="${text}Z">${text.replace('T', ' ')} UTC</time>`;
};

/** `3 min`, `2 h 5 min`: how long something has lasted. */
export function span(milliseconds: number): string {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000);
  if (minutes < 1) return `${Math.floor(Math.max(0, milliseconds) / 1_000)} s`;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  return `${Math.floor(minutes / 1_440)} days`;
}

/** `Down since 2026-11-21 12:00:00 UTC (34 min)`. */
export function stateLine(one: TargetView, now: number): Html {
  const health = healthOf(one);
  const warnings = warningsOf(one).length;
  const besides = warnings === 0 ? '' : `, ${count(warnings, 'warning')}`;
  const since = one.since === undefined ? '' : html` <span class="soft">since ${moment(one.since)} (${span(now - one.since)})</span>`;
  return html`<span class="pill ${health}">${WORDS[health]}${besides}</span>${since}`;
}

/** The clause or, without one, the reason in words; then the reason in parentheses. */
function headOf({ clause, reason }: { readonly clause?: string | undefined; readonly reason?: string | undefined }): Html {
  const words = reason === undefined ? '' : reasonWords(reason);
  if (clause === undefined) return html`<code>${words === '' ? 'latency or evidence' : words}</code>`;
  return html`<code>${clause}</code>${words === '' ? '' : ` (${words})`}`;
}

type Failed = Omit<LastFailure, 'at'>;

/** What decided the verdict of a run first, if its failures do not say it; then its broken clauses. */
function findingsOf(run: Failed): readonly (Pick<SampleFailure, 'summary'> & Partial<SampleFailure>)[] {
  const { verdict, reason, clause, note, shown, failures: broken } = run;
  if (verdict === 'pass' || broken.some((one) => one.level !== 'advised' || one.clause === clause)) return broken;
  return [{ ...(reason === undefined ? {} : { reason }), ...shown, summary: note }, ...broken];
}

const LONGEST_SUMMARY = 1_000;
const LONGEST_IN_LIST = 160;
const MOST_FINDINGS = 20;

/** In one line for each of the first two: for a list of many targets. */
export function shortFindings(run: Failed, options: PageOptions): Html | string {
  const findings = findingsOf(run);
  if (findings.length === 0) return '';
  const item = (one: (typeof findings)[number]): Html =>
    html`<li class="${one.level ?? 'required'}">${headOf(one)}${options.public ? '' : html` <span class="text">${cut(one.summary, LONGEST_IN_LIST)}</span>`}</li>`;
  return html`<ul class="findings">${findings.slice(0, 2).map(item)}${findings.length > 2 ? html`<li>and ${findings.length - 2} more</li>` : ''}</ul>`;
}

function code(label: string, text: string | undefined): Html | string {
  return text === undefined ? '' : html`<h3>${label}</h3><pre>${text}</pre>`;
}

/** What a run found broken: each clause, and of the first one when it is broken, how to see it again, and the exchange. */
export function findingList(run: Failed, options: PageOptions): Html {
  const findings = findingsOf(run);
  const item = ({ level = 'required', summary, condition, command, exchange, consequenceOf, ...head }: (typeof findings)[number]): Html => {
    const shown = html`<p class="text">${cut(summary, LONGEST_SUMMARY)}</p>${condition === undefined ? '' : html`<p class="text"><b>When</b> ${condition}</p>`}${code('Try', command)}${code('Request and response', exchange)}`;
    return html`<li class="${level}">${headOf(head)}${consequenceOf === undefined ? '' : html`, consequence of <code>${consequenceOf}</code>`}${options.public ? '' : shown}</li>`;
  };
  const more = findings.length - MOST_FINDINGS;
  return html`<ul class="findings">${findings.slice(0, MOST_FINDINGS).map(item)}${more > 0 ? html`<li>and ${more} more</li>` : ''}</ul>`;
}

export function card(title: string, content: Html | string, aside: Html | string = ''): Html {
  return html`<section class="card" aria-label="${title}"><h2>${title}${aside === '' ? '' : html` ${aside}`}</h2>${content}</section>`;
}

const COLORS: Readonly<Record<ProbeVerdict, Health>> = { pass: 'up', degraded: 'degraded', fail: 'down', unknown: 'unknown' };
const SQUARE = 8;
const GAP = 2;

/** The last runs as squares, the newest on the right: one path for each verdict, because a list shows a hundred targets. */
export function strip(runs: readonly PastRun[]): Html | string {
  if (runs.length === 0) return '';
  const paths = new Map<ProbeVerdict, string>();
  for (const [index, { verdict }] of runs.toReversed().entries())
    paths.set(verdict, `${paths.get(verdict) ?? ''}M${index * (SQUARE + GAP)} 0h${SQUARE}v16h-${SQUARE}z`);
  const counts = [...Map.groupBy(runs, ({ verdict }) => verdict)].map(([verdict, of]) => `${of.length} ${verdict}`).join(', ');
  const drawn = [...paths].map(([verdict, path]) => html`<path class="${COLORS[verdict]}" d="${path}"/>`);
  return html`<svg width="${runs.length * (SQUARE + GAP)}" height="16" role="img" aria-label="Last ${runs.length} runs: ${counts}">${drawn}</svg>`;
}

const LONGEST_NOTE = 300;

const plain = (note: string): string => (note.startsWith(CONFIRMATION) ? note.slice(CONFIRMATION.length) : note);

/** Newest first. A text that stands above is not repeated: in the run after it, or `shown` before the list. */
export function runList(
  title: string,
  runs: readonly PastRun[],
  { shown = '', ...options }: PageOptions & { readonly shown?: string | undefined },
): Html {
  const item = ({ at, verdict, duration, clause, reason, note }: PastRun, index: number): Html => {
    const why = clause === undefined && reason === undefined ? '' : html` ${headOf({ clause, reason })}`;
    const confirms = note.startsWith(CONFIRMATION);
    const isShown = verdict !== 'pass' && !options.public && plain(note) !== plain(runs[index - 1]?.note ?? shown);
    const text = isShown ? html`<br><span class="text">${cut(plain(note), LONGEST_NOTE)}</span>` : '';
    return html`<li>${moment(at)} <span class="pill ${COLORS[verdict]}">${verdict}</span> ${confirms ? 'confirmation, ' : ''}${Math.round(duration)} ms${why}${text}</li>`;
  };
  return card(title, runs.length === 0 ? html`<p>None.</p>` : html`<ul class="rows">${runs.map(item)}</ul>`);
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
  return card('Last changes', changes.length === 0 ? html`<p>None.</p>` : html`<ul class="rows">${changes.map(item)}</ul>`);
}
