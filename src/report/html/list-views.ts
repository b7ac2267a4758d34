import type { RunRecord } from '../../clause/run-record.ts';
import { inconclusiveGroups } from '../inconclusive-groups.ts';
import { judgedOf } from '../tally.ts';
import { count, oneLine } from '../text.ts';
import { clauseLink } from './clause-view.ts';
import { html, type Markup } from './markup.ts';

const MOST_ROWS = 500;

/** What the document leaves open, and the choices of this server. */
export function observationsView(record: RunRecord): Markup | '' {
  const rows = judgedOf(record).flatMap(({ check, clause }) => check.observations.map((observation) => ({ observation, clause })));
  if (rows.length === 0) return '';
  return html`<section id="observations"><h2>What the document leaves open</h2>
<details class="fold"><summary>What this server does, ${count(rows.length, 'observation')}</summary>
<table class="rows"><thead><tr><th scope="col">Question</th><th scope="col">What it does</th><th scope="col">Clause</th></tr></thead>
<tbody>${rows
    .slice(0, MOST_ROWS)
    .map(
      ({ observation, clause }) =>
        html`<tr><td>${oneLine(observation.question, 300)}</td><td><code>${oneLine(observation.answer, 500)}</code></td><td>${clauseLink(clause.id)}</td></tr>`,
    )}</tbody></table></details></section>`;
}

/** What could not be judged, one row per reason: parts that one repair would settle are together. */
export function inconclusiveView(record: RunRecord): Markup | '' {
  const groups = inconclusiveGroups(record);
  if (groups.length === 0) return '';
  const known = new Set(record.clauses.map(({ id }) => id));
  return html`<section id="inconclusive"><h2>What could not be judged</h2>
${groups.slice(0, MOST_ROWS).map(({ waitsFor, reason, judged }) => {
  const waits = judged.length === 1 ? 'waits for' : 'wait for';
  const number = count(judged.length, 'check');
  const head = waitsFor === undefined ? html`${number}: ${reason}` : html`${number} ${waits} <code>${oneLine(waitsFor, 120)}</code>`;
  const link = waitsFor !== undefined && known.has(waitsFor) && html`<p>See ${clauseLink(waitsFor)}.</p>`;
  return html`<details class="fold"><summary>${head}</summary>
${link}<ul class="named">${judged.map(({ check }) => html`<li><code>${oneLine(check.id, 200)}</code> <span class="aside">${oneLine(check.note, 300)}</span></li>`)}</ul></details>`;
})}</section>`;
}

/** The animals that remain: there is no way to remove them. */
export function animalsView({ animals }: RunRecord): Markup | '' {
  const { created, ambiguous } = animals;
  if (created.length + ambiguous.length === 0) return '';
  const hidden = created.length - MOST_ROWS;
  return html`<section id="animals"><h2>Animals created</h2>
<details class="fold"><summary>${count(created.length, 'animal')} that the run created and that the interface cannot remove</summary>
<ul class="animals">${created.slice(0, MOST_ROWS).map(({ id, name }) => html`<li><code>${oneLine(id, 30)}</code> ${oneLine(name, 60)}</li>`)}</ul>
${hidden > 0 && html`<p class="aside">and ${hidden} more in report.json</p>`}</details>
${ambiguous.length > 0 && html`<p>May exist, as their creation got no response: ${ambiguous.slice(0, 50).map((name) => html`<code>${oneLine(name, 60)}</code> `)}</p>`}</section>`;
}
