import type { CheckRecord, ClauseRecord, RunRecord } from '../../clause/run-record.ts';
import { chaptersOf, countVerdicts, describeCounts } from '../tally.ts';
import { oneLine, plain } from '../text.ts';
import { anchorOf } from './failure-view.ts';
import { html, type Markup } from './markup.ts';
import { markView } from './verdict-marks.ts';

/** Every clause with its checks and what each saw, folded by chapter. */
export function clausesView(record: RunRecord): Markup {
  return html`<section id="all-clauses"><h2>Every clause, and what was seen</h2>
${chaptersOf(record).map(
  ({
    chapter,
    clauses,
  }) => html`<details open><summary>${chapter.replaceAll('-', ' ')} <span class="aside">${describeCounts(countVerdicts(clauses))}</span></summary>
${clauses.map((clause) =>
  clauseView(
    clause,
    record.checks.filter((check) => check.clause === clause.id),
  ),
)}</details>`,
)}</section>`;
}

function clauseView(clause: ClauseRecord, checks: readonly CheckRecord[]): Markup {
  return html`<div class="clause" id="${anchorOf(clause.id)}"><h3>${markView(clause.verdict)} <code>${oneLine(clause.id, 120)}</code></h3>
<p>${plain(clause.requirement)}</p>
<p class="aside">${clause.level}, “${oneLine(clause.section, 200)}”${clause.derivation !== undefined && html`. ${plain(clause.derivation)}`}</p>
<ul>${checks.map(
    (check) => html`<li>${markView(check.verdict)} ${oneLine(check.title, 300)} <span class="aside">${checkNote(check)}</span></li>`,
  )}</ul></div>`;
}

function checkNote({ note, verdict, observations }: CheckRecord): string {
  if (verdict !== 'observed') return oneLine(note, 400);
  return observations
    .slice(0, 20)
    .map(({ question, answer }) => `${oneLine(question, 200)}: ${oneLine(answer, 200)}`)
    .join('; ');
}
