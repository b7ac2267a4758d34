import { raw } from 'hono/html';
import type { CheckRecord, RunRecord } from '../../clause/run-record.ts';
import { groupBlocked } from '../blocked.ts';
import { type Judged, judgedOf, withVerdict } from '../tally.ts';
import { count, oneLine } from '../text.ts';
import { anchorOf, failureAnchorOf, failureView } from './failure-view.ts';
import { html, type Markup } from './markup.ts';

const MOST_ROWS = 500;

/** What the document leaves open, and what this server does. */
export function observationsView(record: RunRecord): Markup | '' {
  const rows = judgedOf(record).flatMap(({ check, clause }) => check.observations.map((observation) => ({ observation, clause })));
  if (rows.length === 0) return '';
  return html`<section id="observations"><h2>What the document leaves open, and what this server does</h2>
<table class="rows"><thead><tr><th scope="col">Question</th><th scope="col">Answer</th><th scope="col">Clause</th></tr></thead>
<tbody>${rows
    .slice(0, MOST_ROWS)
    .map(
      ({ observation, clause }) =>
        html`<tr><td>${oneLine(observation.question, 300)}</td><td><code>${oneLine(observation.answer, 500)}</code></td><td>${clauseLink(clause.id)}</td></tr>`,
    )}</tbody></table></section>`;
}

/** What could not be judged, what was missing, and what it would take: what one repair would settle is together. */
export function inconclusiveView(record: RunRecord): Markup | '' {
  const rows = withVerdict(record, 'inconclusive');
  if (rows.length === 0) return '';
  const { groups, single } = groupBlocked(rows);
  return html`<section id="inconclusive"><h2>Inconclusive, and what it would take</h2>
${single.length > 0 && inconclusiveTable(single, record)}
${groups.map(
  ({
    by,
    judged,
  }) => html`<details${judged.length <= 10 && raw(' open')}><summary>${count(judged.length, 'check')} stopped by a defect of <code>${oneLine(by, 120)}</code></summary>
${inconclusiveTable(judged, record)}</details>`,
)}</section>`;
}

function inconclusiveTable(rows: readonly Judged[], record: RunRecord): Markup {
  return html`<table class="rows"><thead><tr><th scope="col">Check</th><th scope="col">What was missing</th><th scope="col">What it would take</th></tr></thead>
<tbody>${rows
    .slice(0, MOST_ROWS)
    .map(
      ({ check }) =>
        html`<tr><td><code>${oneLine(check.id, 200)}</code></td><td>${oneLine(check.note, 500)}</td><td>${remedy(check, record)}</td></tr>`,
    )}</tbody></table>`;
}

function remedy(check: CheckRecord, { options, interrupted }: RunRecord): Markup {
  if (check.blockedBy !== undefined) return html`Repair ${clauseLink(check.blockedBy)}, whose defect stopped this check.`;
  if (interrupted) return html`Let the run come to its end.`;
  if (options.readOnly) return html`Where it needs animals of its own: a run without <code>--read-only</code>.`;
  return html`Have in place what was missing, and run again.`;
}

/** What is broken, known, and waived for a time: with its evidence. */
export function waiversView(record: RunRecord): Markup | '' {
  const rows = withVerdict(record, 'waived');
  if (rows.length === 0) return '';
  return html`<section id="waived"><h2>Waived for a time</h2>
${rows.map(
  (judged) =>
    html`<details><summary><code>${oneLine(judged.check.id, 200)}</code> ${oneLine(judged.check.note, 400)}</summary>${failureView(judged, record)}</details>`,
)}</section>`;
}

/** The animals that stay behind: there is no way to remove them. */
export function animalsView({ animals }: RunRecord): Markup | '' {
  const { created, ambiguous } = animals;
  if (created.length + ambiguous.length === 0) return '';
  const hidden = created.length - MOST_ROWS;
  return html`<section id="animals"><h2>Animals created</h2>
<details><summary>${count(created.length, 'animal')} that the run created and the interface has no way to remove</summary>
<ul class="animals">${created.slice(0, MOST_ROWS).map(({ id, name }) => html`<li><code>${oneLine(id, 30)}</code> ${oneLine(name, 60)}</li>`)}</ul>
${hidden > 0 && html`<p class="aside">and ${hidden} more in report.json</p>`}</details>
${ambiguous.length > 0 && html`<p>May exist, as their creation got no answer: ${ambiguous.slice(0, 50).map((name) => html`<code>${oneLine(name, 60)}</code> `)}</p>`}</section>`;
}

export function clauseLink(clause: string): Markup {
  return html`<a href="#${anchorOf(clause)}"><code>${oneLine(clause, 120)}</code></a>`;
}

/** Every broken check in full, by clause. */
export function failuresView(record: RunRecord, failures: readonly Judged[]): Markup | '' {
  if (failures.length === 0) return '';
  const shown = failures.slice(0, 100);
  const hidden = failures.length - shown.length;
  const byClause = Map.groupBy(shown, ({ clause }) => clause.id);
  return html`<section id="failures"><h2>What is broken</h2>
${[...byClause].map(([clause, broken]) => html`<div id="${failureAnchorOf(clause)}">${broken.map((judged) => failureView(judged, record))}</div>`)}
${hidden > 0 && html`<p class="aside">and ${count(hidden, 'more broken check')} in report.json</p>`}</section>`;
}
