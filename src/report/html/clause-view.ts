import type { CheckRecord, ClauseRecord, RunRecord } from '../../clause/run-record.ts';
import { areAcceptedBodies, type BrokenClause, type Case, describeBroken, extentOf, waitingText } from '../broken-clauses.ts';
import { acceptedText, caseText } from '../case-text.ts';
import { contrastText, twinText } from '../contrast-text.ts';
import { type Diagnosis, likelyText } from '../likely-causes.ts';
import { undecidedText } from '../tally.ts';
import { count, oneLine, plain } from '../text.ts';
import { markView, statusOf, statusWord } from './clause-status.ts';
import { exchangeView, sequenceView } from './exchange-view.ts';
import { html, type Markup } from './markup.ts';

/** The one place of a clause in the page. */
export function anchorOf(clause: string): string {
  return `clause-${clause}`;
}

export function clauseLink(clause: string): Markup {
  return html`<a href="#${anchorOf(clause)}"><code>${oneLine(clause, 120)}</code></a>`;
}

type Parts = {
  readonly record: RunRecord;
  readonly checks: readonly CheckRecord[];
  readonly broken: BrokenClause | undefined;
  readonly diagnosis: Diagnosis | undefined;
};

/** A collapsed clause: the finding, and inside it the requirement, every case with its exchange, and each check with its verdict. */
export function clauseView(clause: ClauseRecord, { record, checks, broken, diagnosis }: Parts): Markup {
  const status = statusOf(clause, record.options);
  const waits = broken === undefined ? '' : waitingText(broken);
  const undecided = undecidedText(clause);
  return html`<details class="item ${status}" id="${anchorOf(clause.id)}" data-chapter="${clause.chapter}" data-status="${status}">
<summary>${markView(status)} <span class="name"><code>${oneLine(clause.id, 120)}</code> <span class="aside">${clause.level}</span>${
    waits !== '' && html` <span class="waits">${waits}</span>`
  }${undecided !== '' && html` <span class="aside">${undecided}</span>`}</span> <span class="gist">${broken === undefined ? plain(clause.requirement) : describeBroken(broken)}</span></summary>
<div class="inside">
<dl>${broken !== undefined && term('Requirement', clause.requirement)}${term('Section', `“${clause.section}”`)}${term('Quote', clause.quote?.join('\n'))}${term('Follows from', clause.derivation)}${
    broken !== undefined && brokenTerms(broken, diagnosis)
  }</dl>
${broken !== undefined && casesView(broken, record)}
<ul class="checks">${checks.map((check) => checkView(check, statusOf({ ...check, level: clause.level }, record.options)))}</ul>
</div></details>`;
}

function brokenTerms({ clause, checks, contrast }: BrokenClause, diagnosis: Diagnosis | undefined): Markup {
  const waived = checks.find(({ verdict }) => verdict === 'waived')?.note;
  return html`${term('When', contrastText(contrast))}${term('Likely cause', likelyText(clause, { diagnosis, contrast }))}${term('Waived', waived)}`;
}

function term(name: string, said: string | undefined): Markup | '' {
  return said === undefined || said === '' ? '' : html`<div><dt>${name}</dt><dd>${plain(said)}</dd></div>`;
}

/** The cases whose exchanges are kept, collapsed unless there is only one; and how many more there are. */
function casesView(broken: BrokenClause, record: RunRecord): Markup {
  const { cases, total, contrast } = broken;
  const hidden = total - cases.reduce((sum, { times }) => sum + times, 0);
  const accepted = areAcceptedBodies(cases);
  return html`<h4>${extentOf(broken) ?? 'What was sent and received'}</h4>
<div class="cases">${cases.map((one) => caseView(one, { record, accepted }))}</div>
${hidden > 0 && html`<p class="aside">and ${count(hidden, 'more case')} in report.json</p>`}
${
  contrast?.twin !== undefined &&
  html`<details class="case"><summary>passes: <code>${oneLine(twinText(contrast, record), 300)}</code></summary>
${exchangeView(contrast.twin, undefined)}</details>`
}`;
}

function caseView(one: Case, { record, accepted }: { readonly record: RunRecord; readonly accepted: boolean }): Markup {
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
  )}${term('Received', finding.received)}${term('At', finding.pointer === '' ? 'the whole body' : finding.pointer === undefined ? undefined : oneLine(finding.pointer, 300))}</dl>
${finding.exchanges.length > 1 && sequenceView(finding.exchanges)}
${exchangeView(exchange, finding.pointer)}</details>`;
}

function caseHead(one: Case, record: RunRecord): Markup {
  const { request, status, received } = caseText(one, record);
  if (status === '') return html`${oneLine(request, 300)}`;
  return html`<code>${oneLine(request, 240)}</code> <b>${status}</b> <code class="quiet">${oneLine(received, 240)}</code>`;
}

function checkView(check: CheckRecord, status: ReturnType<typeof statusOf>): Markup {
  const note = check.verdict === 'fail' ? statusWord(status) : noteOf(check);
  return html`<li>${markView(status)} ${oneLine(check.title, 300)} <span class="aside">${note}</span></li>`;
}

function noteOf({ note, verdict, observations }: CheckRecord): string {
  if (verdict !== 'observed') return oneLine(note, 400);
  return observations
    .slice(0, 20)
    .map(({ question, answer }) => `${oneLine(question, 200)}: ${oneLine(answer, 200)}`)
    .join('; ');
}
