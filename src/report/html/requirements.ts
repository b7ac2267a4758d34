// The requirements in the page: tiles by chapter, every clause with its cases, and the filters.

import { CHAPTERS, LEVELS, type Level } from '../../clause/clause.ts';
import type { ClauseRecord, MustRecord } from '../../clause/clause-record.ts';
import type { RunRecord } from '../../clause/run-record.ts';
import type { Diagnosis } from '../../diagnosis/cause.ts';
import {
  acceptedText,
  areAcceptedBodies,
  type BrokenClause,
  brokenClauses,
  caseText,
  type DistinctCase,
  describeBroken,
  extentOf,
  hiddenCases,
  likelyOf,
  placeText,
  twinText,
  waitingText,
  waivedClauses,
  waivedTexts,
  whenText,
} from '../broken-clauses.ts';
import { causeAt, causeName } from '../likely-causes.ts';
import { CHAPTER_COLUMNS, type ChapterCounts, chaptersOf, columnCounts, columnWord, type Policy, undecidedText } from '../tally.ts';
import { count, oneLine, plain } from '../text.ts';
import { companyCommand } from '../try-command.ts';
import { commandView, exchangeView, sequenceView, withCode } from './exchange-view.ts';
import { lifeView } from './life-picture.ts';
import { html, type Markup } from './page.ts';
import { markView, SHOWN_VERDICTS, type Status, shownStatusOf, signView, statusWord } from './status.ts';

const LEVEL_NOTES: Readonly<Record<Level, string>> = {
  required: 'stated',
  implied: 'follows from what is stated',
  advised: 'a standard says so; a warning',
  open: 'left open; recorded',
};

/** The run at a glance: one tile per clause, chapters down, levels across, verdicts by sign and color. */
export function matrixView(record: RunRecord): Markup | '' {
  if (record.clauses.length === 0) return '';
  const present = SHOWN_VERDICTS.filter((status) => record.clauses.some((clause) => shownStatusOf(clause, record.options) === status));
  return html`<section id="overview"><h2>Requirements by chapter</h2>
<table class="matrix"><thead><tr><th scope="col">Chapter</th>${LEVELS.map(
    (level) => html`<th scope="col">${level}<span>${LEVEL_NOTES[level]}</span></th>`,
  )}</tr></thead>
<tbody>${chaptersOf(record).map(
    ({ chapter, clauses }) =>
      html`<tr><th scope="row">${chapter.replaceAll('-', ' ')}</th>${LEVELS.map((level) =>
        levelCell({ level, clauses: clauses.filter((clause) => clause.level === level), policy: record.options }),
      )}</tr>`,
  )}</tbody></table>
<p class="legend">${present.map((status) => html`<span><span class="tile ${status}">${signView(status)}</span> ${statusWord(status)}</span>`)}</p>
</section>`;
}

function levelCell({ level, clauses, policy }: { level: Level; clauses: readonly ClauseRecord[]; policy: Policy }): Markup {
  if (clauses.length === 0) return html`<td class="none"></td>`;
  return html`<td data-level="${level}"><ul>${clauses.map((clause) => tile(clause, policy))}</ul></td>`;
}

function tile(clause: ClauseRecord, policy: Policy): Markup {
  const { id, requirement } = clause;
  const status = shownStatusOf(clause, policy);
  const slug = id.slice(id.indexOf('.') + 1);
  return html`<li><a class="tile ${status}" href="#${anchorOf(id)}" title="${oneLine(requirement, 200)}">${signView(status)} ${oneLine(slug, 60)}<span class="unseen">: ${[statusWord(status), undecidedText(clause)].filter((one) => one !== '').join(', ')}</span></a></li>`;
}

/** Every clause once: the broken ones first, in the order of repair, the others by chapter; and the filters. */
export function clausesView(record: RunRecord, diagnosis: Diagnosis | undefined): Markup | '' {
  if (record.clauses.length === 0) return '';
  const broken = brokenClauses(record, diagnosis);
  const waived = new Map(waivedClauses(record).map((one) => [one.clause.id, one]));
  const inFront = new Set(broken.map(({ clause }) => clause.id));
  const view = (clause: ClauseRecord, one: BrokenClause | undefined): Markup => clauseView(clause, { record, broken: one, diagnosis });
  return html`<section id="requirements"><h2>Requirements</h2>
${toolbar(record)}
${
  broken.length > 0 &&
  html`<div class="chapter" data-part="broken"><h3>${broken.some(({ runEffect }) => runEffect === 'fails') ? 'What is broken, and in which order to repair it' : 'Warnings'}</h3>
${broken.map((one) => view(one.clause, one))}</div>`
}
${chaptersOf(record).map(({ chapter, clauses }) => {
  const left = clauses.filter(({ id }) => !inFront.has(id));
  if (left.length === 0) return false;
  return html`<details class="chapter" data-part="${chapter}"><summary><h3>${chapter.replaceAll('-', ' ')}</h3> <span class="aside">${describe(columnCounts(left, record.options))}</span></summary>
${left.map((clause) => view(clause, waived.get(clause.id)))}</details>`;
})}
<p class="nothing" id="nothing" hidden>No requirement matches.</p>
</section>`;
}

function describe(counts: ChapterCounts): string {
  return CHAPTER_COLUMNS.filter((column) => counts[column] > 0)
    .map((column) => `${counts[column]} ${columnWord(column, counts[column])}`)
    .join(', ');
}

/** Filters that work without a script, and a search that needs one and is shown by it. */
function toolbar(record: RunRecord): Markup {
  const amounts = Map.groupBy(record.clauses, (clause) => shownStatusOf(clause, record.options));
  const present = SHOWN_VERDICTS.filter((status) => amounts.has(status));
  return html`<div class="toolbar" role="search" aria-label="Requirements">
<label>Status <select id="status" autocomplete="off"><option value="">all</option>${present.map(
    (status) => html`<option value="${status}">${statusWord(status).replace(/^a /, '')} (${amounts.get(status)?.length ?? 0})</option>`,
  )}</select></label>
<label>Chapter <select id="chapter" autocomplete="off"><option value="">all</option>${chaptersOf(record).map(
    ({ chapter, clauses }) => html`<option value="${chapter}">${chapter.replaceAll('-', ' ')} (${clauses.length})</option>`,
  )}</select></label>
<label class="scripted" hidden>Search <input type="search" id="search" autocomplete="off" placeholder="id, text, status, body"></label>
<output class="scripted aside" id="matches" hidden>${count(record.clauses.length, 'requirement')}</output>
</div>`;
}

export function anchorOf(clause: string): string {
  return `clause-${clause}`;
}

export const clauseLabel = (clause: string): { readonly href: string; readonly text: string } => ({
  href: `#${anchorOf(clause)}`,
  text: oneLine(clause, 120),
});

export function clauseLink(clause: string): Markup {
  return html`<a href="#${anchorOf(clause)}"><code>${oneLine(clause, 120)}</code></a>`;
}

type Parts = {
  readonly record: RunRecord;
  readonly broken: BrokenClause | undefined;
  readonly diagnosis: Diagnosis | undefined;
};

/** A collapsed clause: the finding, and inside it the requirement, every case with its exchange, and each situation with its verdict. */
function clauseView(clause: ClauseRecord, { record, broken, diagnosis }: Parts): Markup {
  const status = shownStatusOf(clause, record.options);
  const waits = broken === undefined ? '' : waitingText(broken);
  const undecided = undecidedText(clause);
  const cause = broken === undefined ? -1 : causeAt(diagnosis, clause.id);
  return html`<details class="item ${status}" id="${anchorOf(clause.id)}" data-chapter="${clause.chapter}" data-status="${status}">
<summary>${markView(status)} <span class="name"><code>${oneLine(clause.id, 120)}</code> <span class="aside">${clause.level}</span>${
    waits !== '' && html` <span class="waits">${waits}</span>`
  }${cause !== -1 && html` <span class="aside">${causeName(cause, diagnosis)}</span>`}${undecided !== '' && html` <span class="aside">${undecided}</span>`}</span> <span class="gist">${broken === undefined ? plain(clause.requirement) : describeBroken(broken)}</span></summary>
<div class="inside">
<dl>${broken !== undefined && term('Requirement', clause.requirement)}${term('Section', `“${clause.section}”`)}${term('Quote', clause.quote?.join('\n'))}${term('Follows from', clause.derivation)}${
    broken !== undefined && brokenTerms(broken, diagnosis)
  }</dl>
${broken !== undefined && clause.life !== undefined && lifeView(clause.life, anchorOf(clause.id))}
${broken !== undefined && casesView(broken, record, diagnosis)}
<ul class="musts">${clause.musts.map((must) => mustView(must, shownStatusOf({ ...must, level: clause.level }, record.options)))}</ul>
</div></details>`;
}

function brokenTerms(broken: BrokenClause, diagnosis: Diagnosis | undefined): Markup {
  const { clause, besideWaivers } = broken;
  const waived = waivedTexts(clause).join('\n');
  return html`${whenTerm(whenText(clause))}${term('Likely cause', likelyOf(broken, diagnosis))}${term('Waived', waived)}${term('Waivers', besideWaivers)}`;
}

function whenTerm(when: string): Markup | '' {
  return when === '' ? '' : html`<div><dt>When</dt><dd>${withCode(when)}</dd></div>`;
}

function term(name: string, said: string | undefined): Markup | '' {
  return said === undefined || said === '' ? '' : html`<div><dt>${name}</dt><dd>${plain(said)}</dd></div>`;
}

/** The cases whose exchanges are kept, collapsed unless there is only one; and how many more there are. */
function casesView(broken: BrokenClause, record: RunRecord, diagnosis: Diagnosis | undefined): Markup {
  const { cases, contrast } = broken;
  const command = companyCommand(broken, diagnosis);
  const hidden = hiddenCases(broken);
  const accepted = areAcceptedBodies(cases);
  const twin = twinText(contrast, record, 300);
  return html`<h4>${extentOf(broken) ?? 'What was sent and received'}</h4>
<div class="cases">${cases.map((one) => caseView(one, { record, accepted }))}</div>
${command !== undefined && commandView('No single request shows it. Send it again as', command)}
${hidden > 0 && html`<p class="aside">and ${count(hidden, 'more case')} in report.json</p>`}
${
  twin !== '' &&
  contrast?.twin !== undefined &&
  html`<details class="case"><summary>passes: <code>${twin}</code></summary>
${exchangeView(contrast.twin, undefined)}</details>`
}`;
}

function caseView(one: DistinctCase, { record, accepted }: { readonly record: RunRecord; readonly accepted: boolean }): Markup {
  const { finding, exchange, times, summary } = one;
  const again = times > 1 && html` <span class="aside">${times} times</span>`;
  if (exchange === undefined) return html`<p class="case">${oneLine(summary, 400)}${again}</p>`;
  return html`<details class="case"><summary>${accepted ? html`<code>${oneLine(acceptedText(one, record), 300)}</code>` : caseHead(one, record)}${again}</summary>
<p class="found">${oneLine(summary, 400)}</p>
<dl>${term(
    'Expected',
    finding.expected
      .slice(0, 20)
      .map((text) => oneLine(text, 500))
      .join(', or '),
  )}${term('Received', finding.received)}${term('At', finding.pointer === '' ? 'the whole body' : finding.pointer === undefined ? undefined : oneLine(placeText(finding.pointer), 300))}</dl>
${finding.exchanges.length > 1 && sequenceView(finding.exchanges)}
${exchangeView(exchange, finding.pointer)}</details>`;
}

function caseHead(one: DistinctCase, record: RunRecord): Markup {
  const { request, status, received } = caseText(one, record);
  if (status === '') return html`${oneLine(request, 300)}`;
  return html`<code>${oneLine(request, 240)}</code> <b>${status}</b> <code class="quiet">${oneLine(received, 240)}</code>`;
}

function mustView({ title, verdict, note }: MustRecord, status: Status): Markup {
  const said = verdict === 'fail' ? statusWord(status) : oneLine(note, 400);
  return html`<li>${markView(status)} ${oneLine(title, 300)} <span class="aside">${said}</span></li>`;
}

/** What the two filters hide, without a script: items with another status or chapter, and chapters without visible items. */
export const FILTER_STYLES = [
  ...SHOWN_VERDICTS.map(
    (status) =>
      `body:has(#status > [value="${status}"]:checked) :is(.item:not(.${status}), .chapter:not(:has(.item.${status}))) { display: none; }`,
  ),
  ...CHAPTERS.map(
    (chapter) =>
      `body:has(#chapter > [value="${chapter}"]:checked) :is(.item:not([data-chapter="${chapter}"]), .chapter:not(:has(.item[data-chapter="${chapter}"]))) { display: none; }`,
  ),
  'body:has(.toolbar option:not([value=""]):checked) .chapter::details-content { content-visibility: visible; block-size: auto; }',
].join('\n');

/**
 * The only script of the page. It shows the search, counts matches, and opens the target of a link within the page. It reads the page and
 * sets `hidden`, `open`, and one text; nothing from a service becomes markup or code.
 */
export const SCRIPT = `
(() => {
  const get = (id) => document.getElementById(id);
  const [search, status, chapter, matches, nothing] = ['search', 'status', 'chapter', 'matches', 'nothing'].map(get);
  const reveal = () => {
    let id = '';
    try { id = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = id && get(id);
    if (!target) return;
    for (let part = target.closest('details'); part; part = part.parentElement.closest('details')) part.open = true;
    target.scrollIntoView();
  };
  addEventListener('hashchange', reveal);
  reveal();
  if (!search) return;
  for (const part of document.querySelectorAll('.scripted')) part.hidden = false;
  const items = [...document.querySelectorAll('.item')].map((item) => ({ item, text: item.textContent.toLowerCase() }));
  const chapters = [...document.querySelectorAll('.chapter')];
  const wasOpen = new Map();
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let shown = 0;
    for (const { item, text } of items) {
      item.hidden = !words.every((word) => text.includes(word));
      const chosen = (!status.value || item.dataset.status === status.value) && (!chapter.value || item.dataset.chapter === chapter.value);
      if (!item.hidden && chosen) shown += 1;
    }
    for (const part of chapters) {
      part.hidden = !part.querySelector('.item:not([hidden])');
      if (part.tagName !== 'DETAILS') continue;
      if (!wasOpen.has(part)) wasOpen.set(part, part.open);
      part.open = words.length > 0 || wasOpen.get(part);
      if (words.length === 0) wasOpen.delete(part);
    }
    const all = items.length === 1 ? '1 requirement' : items.length + ' requirements';
    matches.textContent = shown === items.length ? all : shown + ' of ' + all;
    nothing.hidden = shown > 0;
  };
  for (const part of [search, status, chapter]) part.addEventListener('input', apply);
  apply();
})();
`;
