import { LEVELS, type Level } from '../../clause/clause.ts';
import { VERDICTS } from '../../clause/outcome.ts';
import type { ClauseRecord, RunRecord } from '../../clause/run-record.ts';
import { chaptersOf, countVerdicts, standing, warningsOf } from '../tally.ts';
import { oneLine } from '../text.ts';
import { anchorOf, failureAnchorOf } from './failure-view.ts';
import { html, type Markup } from './markup.ts';
import { MARKS } from './verdict-marks.ts';

const LEVEL_NOTES: Readonly<Record<Level, string>> = {
  required: 'stated',
  implied: 'follows from what is stated',
  advised: 'a standard says so; a warning',
  open: 'left open; recorded',
};

/** The picture of the run: a tile a clause, chapters down, levels across, verdicts by sign and colour. */
export function matrixView(record: RunRecord): Markup {
  const counts = countVerdicts(record.clauses);
  const present = VERDICTS.filter((verdict) => counts[verdict] > 0);
  return html`<section id="clauses-by-chapter"><h2>Clauses by chapter</h2>
<table class="matrix"><thead><tr><th scope="col">Chapter</th>${LEVELS.map(
    (level) => html`<th scope="col">${level}<span>${LEVEL_NOTES[level]}</span></th>`,
  )}</tr></thead>
<tbody>${chaptersOf(record).map(
    ({ chapter, clauses }) =>
      html`<tr><th scope="row">${chapter.replaceAll('-', ' ')}</th>${LEVELS.map((level) =>
        levelCell({ level, clauses: clauses.filter((clause) => clause.level === level), strict: record.options.strict }),
      )}</tr>`,
  )}</tbody></table>
<p class="legend">${present.map((verdict) => html`<span><span class="tile ${verdict}" aria-hidden="true">${MARKS[verdict]}</span> ${verdict}</span>`)}${warningsOf(record) > 0 && html`<span><span class="tile warn" aria-hidden="true">${MARKS.fail}</span> fail, a warning only</span>`}</p>
</section>`;
}

function levelCell({ level, clauses, strict }: { level: Level; clauses: readonly ClauseRecord[]; strict: boolean }): Markup {
  if (clauses.length === 0) return html`<td class="none"></td>`;
  return html`<td data-level="${level}"><ul>${clauses.map((clause) => tile(clause, strict))}</ul></td>`;
}

function tile({ id, verdict, requirement, level }: ClauseRecord, strict: boolean): Markup {
  const warns = verdict === 'fail' && standing(verdict, level, strict) === 'warns';
  const anchor = verdict === 'fail' ? failureAnchorOf(id) : anchorOf(id);
  const slug = id.slice(id.indexOf('.') + 1);
  return html`<li><a class="tile ${warns ? 'warn' : verdict}" href="#${anchor}" title="${oneLine(requirement, 200)}"><span aria-hidden="true">${MARKS[verdict]}</span> ${oneLine(slug, 60)}<span class="unseen">: ${verdict}${warns && ', a warning'}</span></a></li>`;
}
