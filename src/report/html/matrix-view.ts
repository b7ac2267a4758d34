import { LEVELS, type Level } from '../../clause/clause.ts';
import type { ClauseRecord, RunRecord } from '../../clause/run-record.ts';
import { chaptersOf, type Policy, undecidedText } from '../tally.ts';
import { oneLine } from '../text.ts';
import { STATUSES, signView, statusOf, statusWord } from './clause-status.ts';
import { anchorOf } from './clause-view.ts';
import { html, type Markup } from './markup.ts';

const LEVEL_NOTES: Readonly<Record<Level, string>> = {
  required: 'stated',
  implied: 'follows from what is stated',
  advised: 'a standard says so; a warning',
  open: 'left open; recorded',
};

/** The run at a glance: one tile per clause, chapters down, levels across, verdicts by sign and color. */
export function matrixView(record: RunRecord): Markup | '' {
  if (record.clauses.length === 0) return '';
  const present = STATUSES.filter((status) => record.clauses.some((clause) => statusOf(clause, record.options) === status));
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
  const status = statusOf(clause, policy);
  const slug = id.slice(id.indexOf('.') + 1);
  return html`<li><a class="tile ${status}" href="#${anchorOf(id)}" title="${oneLine(requirement, 200)}">${signView(status)} ${oneLine(slug, 60)}<span class="unseen">: ${[statusWord(status), undecidedText(clause)].filter((one) => one !== '').join(', ')}</span></a></li>`;
}
