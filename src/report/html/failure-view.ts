import type { ReportedFinding, RunRecord } from '../../clause/run-record.ts';
import { distinctFindings } from '../distinct-findings.ts';
import { type Judged, standingOf } from '../tally.ts';
import { count, oneLine, plain, thousands } from '../text.ts';
import { exchangeView, sequenceView } from './exchange-view.ts';
import { html, type Markup } from './markup.ts';

const SHOWN_FINDINGS = 5;

/** The anchor of a clause in the list of all clauses. */
export function anchorOf(clause: string): string {
  return `clause-${clause}`;
}

/** The anchor of the first failure of a clause. */
export function failureAnchorOf(clause: string): string {
  return `broken-${clause}`;
}

/** Everything about a broken check: what is demanded, what came, the exchange, the usual cause. */
export function failureView(judged: Judged, record: RunRecord): Markup {
  const { check, clause } = judged;
  const { shown, hidden } = distinctFindings(check.findings, SHOWN_FINDINGS);
  const fails = standingOf(judged, record) === 'fails';
  return html`<article class="failure ${check.verdict === 'waived' ? 'waived' : fails ? 'fail' : 'warn'}">
<header><h3><code>${oneLine(check.id, 200)}</code></h3>
<p class="badges"><span class="badge">${clause.level}</span><span class="badge">${oneLine(clause.section, 200)}</span>${
    check.verdict === 'waived' ? html`<span class="badge">waived</span>` : fails ? '' : html`<span class="badge">warning</span>`
  }</p></header>
<p class="title">${oneLine(check.title)}</p>
<dl>${term('Demands', clause.requirement)}${term('Follows from', clause.derivation)}${term('Waived', check.verdict === 'waived' ? check.note : undefined)}${term(
    'Extent',
    check.evidence === undefined ? undefined : `${thousands(check.evidence.broken)} of ${count(check.evidence.judged, 'response')}`,
  )}${term('Usual cause', clause.likelyCause)}</dl>
${shown.map((finding) => findingView(finding))}
${hidden > 0 && html`<p class="aside">and ${count(hidden, 'more finding')} of this check in report.json</p>`}
</article>`;
}

function term(name: string, said: string | undefined): Markup | '' {
  return said === undefined || said === '' ? '' : html`<div><dt>${name}</dt><dd>${plain(said)}</dd></div>`;
}

function findingView(finding: ReportedFinding): Markup {
  const last = finding.exchanges.at(-1);
  return html`<section class="finding">
<h4>${oneLine(finding.summary, 400)}</h4>
<dl><div><dt>Accepted</dt><dd>${alternatives(finding.expected)}</dd></div><div><dt>Came</dt><dd class="received">${plain(finding.received)}</dd></div>${
    finding.pointer === undefined
      ? ''
      : html`<div><dt>At</dt><dd><code>${finding.pointer === '' ? 'the whole body' : oneLine(finding.pointer, 300)}</code></dd></div>`
  }</dl>
${finding.exchanges.length > 1 && sequenceView(finding.exchanges)}
${last !== undefined && exchangeView(last, finding.pointer)}
</section>`;
}

function alternatives(expected: readonly string[]): Markup {
  if (expected.length === 1) return html`${oneLine(expected[0] ?? '', 500)}`;
  return html`<ul>${expected.slice(0, 20).map((one) => html`<li>${oneLine(one, 500)}</li>`)}</ul>`;
}
