import type { CheckRecord, RunRecord } from '../../clause/run-record.ts';
import { type BrokenClause, brokenClauses, waivedClauses } from '../broken-clauses.ts';
import type { Diagnosis } from '../likely-causes.ts';
import { CHAPTER_COLUMNS, type ChapterCounts, chaptersOf, columnWord, countClauses } from '../tally.ts';
import { count } from '../text.ts';
import { STATUSES, statusOf, statusWord } from './clause-status.ts';
import { clauseView } from './clause-view.ts';
import { html, type Markup } from './markup.ts';

/** Every clause once: the broken ones first, in the order of repair, the others by chapter; and the filters. */
export function clausesView(record: RunRecord, diagnosis: Diagnosis | undefined): Markup | '' {
  if (record.clauses.length === 0) return '';
  const broken = brokenClauses(record, diagnosis);
  const waived = new Map(waivedClauses(record).map((one) => [one.clause.id, one]));
  const inFront = new Set(broken.map(({ clause }) => clause.id));
  const checks = Map.groupBy(record.checks, ({ clause }) => clause);
  const view = (clause: BrokenClause['clause'], one: BrokenClause | undefined): Markup =>
    clauseView(clause, { record, checks: checks.get(clause.id) ?? ([] as readonly CheckRecord[]), broken: one, diagnosis });
  return html`<section id="requirements"><h2>Requirements</h2>
${toolbar(record)}
${
  broken.length > 0 &&
  html`<div class="chapter" data-part="broken"><h3>${broken.some(({ standing }) => standing === 'fails') ? 'What is broken, and in which order to repair it' : 'Warnings'}</h3>
${broken.map((one) => view(one.clause, one))}</div>`
}
${chaptersOf(record).map(({ chapter, clauses }) => {
  const left = clauses.filter(({ id }) => !inFront.has(id));
  if (left.length === 0) return false;
  return html`<details class="chapter" data-part="${chapter}"><summary><h3>${chapter.replaceAll('-', ' ')}</h3> <span class="aside">${describe(countClauses(left, record.options))}</span></summary>
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
  const amounts = Map.groupBy(record.clauses, (clause) => statusOf(clause, record.options));
  const present = STATUSES.filter((status) => amounts.has(status));
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
