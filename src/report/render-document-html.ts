import { createHash } from 'node:crypto';
import { type Block, cellsOf, documentText, INTERFACE_DOCUMENT } from '../clause/interface-document.ts';
import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import {
  brokenOwnClauses,
  type ClauseAtSentence,
  countSentences,
  type JudgedSentence,
  judgeSentences,
  type PlainClauses,
  SENTENCE_VERDICTS,
  type SentenceVerdict,
  verdictWord,
} from './document-verdicts.ts';
import type { ReportFile } from './formats.ts';
import { headline } from './headline.ts';
import { html, type Markup, writePage } from './html/page.ts';
import { anchorOf } from './html/requirements.ts';
import { signView, statusWord } from './html/status.ts';
import { oneLine } from './text.ts';

/** A sentence and its verdict are side by side, as a text and its margin; on a narrow screen the verdict is below. */
const DOCUMENT_STYLES = `
body { font-size: 1.0625rem; line-height: 1.6; }
main { max-width: 74rem; }
h1 { font-size: clamp(1.75rem, 4.5vw, 2.5rem); max-width: 22em; } h2 { margin: 3.2rem 0 1rem; padding-top: 1.1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.0625rem; margin: 2rem 0 0.7rem; }
.outcome { font-size: 1.125rem; font-weight: 600; margin-top: 0.8rem; } .outcome a { color: inherit; } .outcome.good { color: var(--pass); } .outcome.bad { color: var(--fail); } .outcome.unsure { color: var(--inconclusive); }
.counts { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.5rem; margin-top: 0.9rem; }
.counts b { font-variant-numeric: tabular-nums; } .counts .word { font-weight: 400; }
.about { color: var(--quiet); font-size: 0.875rem; margin-top: 0.9rem; max-width: 60em; }
.broken { margin: 1.4rem 0 0; padding: 0.9rem 1.2rem; border-left: 4px solid var(--fail); background: var(--card); } .broken ul { padding-left: 1.2rem; }
.broken h2 { font-size: 1rem; margin: 0 0 0.3rem; padding: 0; border: 0; }
main > nav { font-size: 0.9375rem; margin-bottom: 1.6rem; }
.block { margin: 0 0 0.9rem; } ul.block, ol.block { padding-left: 1.3rem; }
.sentence { scroll-margin-top: 1rem; }
div.sentence { display: grid; grid-template-columns: minmax(0, 1fr) 25rem; gap: 0 2rem; padding: 0.3rem 0; }
.said { max-width: 42em; } :is(.said, .spec td:not(.judged)) code { font-size: 0.9375em; }
.judged { font-size: 0.875rem; line-height: 1.5; color: var(--quiet); border-left: 3px solid var(--line); padding-left: 0.9rem; }
.judged ul { list-style: none; } .judged code { font-size: 0.75rem; white-space: nowrap; } .judged a { color: inherit; text-decoration-color: var(--line); } .judged a:hover { text-decoration-color: currentColor; }
.failed > .judged { border-left-color: var(--fail); } .warning > .judged { border-left-color: var(--warn); } .waived > .judged { border-left-color: var(--waived); }
.passed > .judged { border-left-color: var(--pass); } .undecided > .judged { border-left: 3px dashed var(--inconclusive); }
.word { font-weight: 600; } .word.nothing-to-judge { font-weight: 400; } .word.passed { color: var(--pass); } .word.failed { color: var(--fail); } .word:is(.warning, .undecided, .inconclusive) { color: var(--inconclusive); }
.word.waived { color: var(--waived); } .word:is(.observed, .not-applicable) { color: var(--observed); }
li:is(.failed, .warning) .note { color: var(--ink); }
.spec { width: 100%; border-collapse: collapse; margin-bottom: 1.2rem; font-size: 1rem; }
.spec :is(th, td) { text-align: left; vertical-align: top; padding: 0.45rem 1rem 0.45rem 0; border-bottom: 1px solid var(--line); overflow-wrap: break-word; }
.spec th { font-size: 0.875rem; color: var(--quiet); font-weight: 600; } .spec thead th:last-child { width: 25rem; padding-left: 0.9rem; }
.spec td.judged { padding: 0.45rem 0 0.45rem 0.9rem; font-size: 0.875rem; overflow-wrap: anywhere; }
.sentence:target > :is(.said, td:not(.judged)) { background: var(--observed-soft); }
@media screen and (max-width: 56rem) {
  div.sentence { grid-template-columns: minmax(0, 1fr); gap: 0.25rem; padding: 0.5rem 0; }
  .spec, .spec tbody, .spec tr, .spec td { display: block; width: auto; } .spec thead { display: none; }
  .spec tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); } .spec td { border-bottom: 0; padding: 0.05rem 0; }
  .spec td[data-name]::before { content: attr(data-name) ": "; color: var(--quiet); font-size: 0.875rem; }
  .spec td.judged { padding: 0 0 0 0.9rem; margin-top: 0.3rem; }
}
@media print {
  body { font-size: 1rem; } div.sentence { grid-template-columns: minmax(0, 1fr) 20rem; } .spec thead th:last-child { width: 21rem; }
  .sentence { break-inside: avoid; } h2 { margin-top: 1.6rem; } header { margin-bottom: 1.6rem; }
}
`;

type Parts = {
  readonly judged: ReadonlyMap<string, JudgedSentence>;
  /** The page with the findings, if it is in the same folder. */
  readonly report: ReportFile | undefined;
};

/**
 * The interface document as one HTML file, with the verdict of the run at each sentence; it needs no network and no script.
 *
 * @param others the other files of the run in the same folder, to which it may link
 */
export function renderDocumentHtml(record: RunRecord, others: readonly ReportFile[] = []): string {
  const parts: Parts = { judged: judgeSentences(record), report: others.find((file) => file === 'report.html') };
  return writePage({
    title: `${headline(record)}: the document, sentence by sentence: ${oneLine(record.target.baseUrl, 120)}`,
    styles: DOCUMENT_STYLES,
    skip: { id: sectionId(SECTIONS[0] ?? ''), title: 'the document' },
    content: html`${INTERFACE_DOCUMENT.map((block) => (block.kind === 'heading' && block.level === 1 ? headView(block.text, record, parts) : blockView(block, parts)))}`,
  });
}

const SECTIONS = INTERFACE_DOCUMENT.flatMap((block) => (block.kind === 'heading' && block.level === 2 ? [block.text] : []));

function sectionId(heading: string): string {
  return `section-${heading.toLowerCase().replaceAll(' ', '-')}`;
}

function headView(title: string, record: RunRecord, parts: Parts): Markup {
  const { conclusion, target, startedAt, tool } = record;
  const tone = conclusion.exitCode === EXIT_CODES.conformant ? 'good' : conclusion.exitCode === EXIT_CODES.broken ? 'bad' : 'unsure';
  const digest = createHash('sha256').update(documentText()).digest('hex');
  return html`<header>
<p class="kicker">The interface document, with a verdict at each sentence, for <b>${oneLine(target.baseUrl, 300)}</b>${target.reference && ' (reference server)'}</p>
<h1>${title}</h1>
<p class="outcome ${tone}">${parts.report === undefined ? headline(record) : html`<a href="${parts.report}">${headline(record)}</a>`}</p>
${countsView(parts)}
<p class="about">A sentence fails if one of its clauses does, and is undecided while one that decides about it has no verdict. A row of a table counts as a sentence. Judged on ${oneLine(
    startedAt,
    40,
  )
    .replace('T', ' ')
    .replace(
      /\.\d+Z$/,
      ' UTC',
    )} by petstore-conformance ${oneLine(tool.version, 40)}; the document has the SHA-256 <code>${digest}</code>.</p>
${brokenView(record, parts)}
</header>
<nav aria-label="Contents">${SECTIONS.map((heading) => html`<a href="#${sectionId(heading)}">${heading}</a>`)}</nav>`;
}

function countsView({ judged }: Parts): Markup {
  const { all, judged: amount, by } = countSentences(judged.values());
  const shown = SENTENCE_VERDICTS.filter(
    (verdict) => by[verdict] > 0 || verdict === 'passed' || verdict === 'failed' || verdict === 'undecided',
  );
  return html`<ul class="counts" aria-label="Sentences by verdict"><li><b>${all}</b> sentences</li><li><b>${amount}</b> judged</li>${shown.map((verdict) => html`<li>${wordView(verdict, by[verdict])}</li>`)}</ul>`;
}

const BROKEN: readonly SentenceVerdict[] = ['failed', 'warning', 'waived'];

function brokenView(record: RunRecord, { judged, report }: Parts): Markup | '' {
  const broken = [...judged.values()].filter(({ verdict }) => BROKEN.includes(verdict));
  const own = brokenOwnClauses(record);
  if (broken.length + own.length === 0) return '';
  return html`<section class="broken" aria-labelledby="broken"><h2 id="broken">Broken</h2>
<ul>${broken.map(({ sentence, verdict }) => html`<li><a href="#${sentence.id}">${inlineView(plainText(sentence.text))}</a> <span class="word ${verdict}">${verdictWord(verdict)}</span></li>`)}${own.map(
    (one) =>
      html`<li>Not in the document: ${clauseLink(one, report)} <span class="word ${one.status}">${statusWord(one.status)}</span>: ${one.note}</li>`,
  )}</ul></section>`;
}

/** A row of a table without its bars; any other sentence as it is. */
function plainText(text: string): string {
  return text.startsWith('| ') ? cellsOf(text).join(' · ') : text;
}

function blockView(block: Block, parts: Parts): Markup {
  switch (block.kind) {
    case 'heading':
      return block.level === 2 ? html`<h2 id="${sectionId(block.text)}">${block.text}</h2>` : html`<h3>${block.text}</h3>`;
    case 'paragraph':
      return html`<div class="block">${block.sentences.map(({ id }) => sentenceView(id, parts))}</div>`;
    case 'list': {
      const items = block.items.map((item) => html`<li>${item.map(({ id }) => sentenceView(id, parts))}</li>`);
      return block.ordered ? html`<ol class="block">${items}</ol>` : html`<ul class="block">${items}</ul>`;
    }
    case 'table': {
      const names = cellsOf(block.head);
      return html`<table class="spec"><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col">Verdict</th></tr></thead>
<tbody>${block.rows.map(({ id }) => rowView(id, { ...parts, names }))}</tbody></table>`;
    }
    default:
      return block satisfies never;
  }
}

function sentenceView(id: string, { judged, report }: Parts): Markup | '' {
  const one = judged.get(id);
  if (one === undefined) return '';
  return html`<div class="sentence ${one.verdict}" id="${id}"><p class="said">${inlineView(one.sentence.text)}</p>
<div class="judged">${judgedView(one, report)}</div></div>`;
}

function rowView(id: string, { judged, report, names }: Parts & { readonly names: readonly string[] }): Markup | '' {
  const one = judged.get(id);
  if (one === undefined) return '';
  const cells = cellsOf(one.sentence.text).map((cell, index) => html`<td data-name="${names[index] ?? ''}">${inlineView(cell)}</td>`);
  return html`<tr class="sentence ${one.verdict}" id="${id}">${cells}<td class="judged">${judgedView(one, report)}</td></tr>`;
}

/** The verdict in words and its clauses, or why there is nothing to judge. */
function judgedView({ sentence, verdict, telling, plain }: JudgedSentence, report: ReportFile | undefined): Markup {
  const word = wordView(verdict);
  if (!('clauses' in sentence)) return html`<p>${word}: ${sentence.notJudged}</p>`;
  const links = ({ clauses }: PlainClauses): Markup[] => clauses.map((one) => html` ${clauseLink(one, report)}`);
  const same = plain.find(({ status }) => status === verdict);
  const others = plain.filter((group) => group !== same);
  return html`<p>${word}${same !== undefined && links(same)}</p>
<ul>${telling.map((one) => html`<li class="${one.status}">${clauseLink(one, report)} ${one.status !== verdict && html`${clauseWord(one.status)}: `}<span class="note">${one.note}</span></li>`)}${others.map(
    (group) => html`<li>${clauseWord(group.status)}${links(group)}</li>`,
  )}</ul>`;
}

function clauseWord(status: ClauseAtSentence['status']): Markup | string {
  return status === 'not-selected' ? 'not in this run' : html`<span class="word ${status}">${statusWord(status)}</span>`;
}

function clauseLink({ id, status }: ClauseAtSentence, report: ReportFile | undefined): Markup {
  const name = html`<code>${id}</code>`;
  return report === undefined || status === 'not-selected' ? name : html`<a href="${report}#${anchorOf(id)}">${name}</a>`;
}

/** `✓ passed`, or `✓ 62 passed`. */
function wordView(verdict: SentenceVerdict, amount?: number): Markup {
  const sign = verdict === 'nothing-to-judge' ? '' : html`${signView(verdict === 'undecided' ? 'inconclusive' : verdict)} `;
  return html`<span class="word ${verdict}">${sign}${amount !== undefined && html`<b>${amount}</b> `}${verdictWord(verdict, amount)}</span>`;
}

function inlineView(text: string): Markup {
  return html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
