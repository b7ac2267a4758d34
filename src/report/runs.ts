// Several runs side by side, clause by clause: as HTML and as Markdown.

import { raw } from 'hono/html';
import { CHAPTERS, type Chapter, type ClauseId, type Level } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import { type BrokenClause, brokenClauses, describeBroken, waivedClauses } from './broken-clauses.ts';
import { costText, headline, judgedText, verdictWords } from './headline.ts';
import { html, type Markup, writePage } from './html/page.ts';
import { SHOWN_VERDICTS, type Status, shownStatusOf, signView, statusWord } from './html/status.ts';
import { inertText } from './inert.ts';
import { inlineCode, prose, signOf, table } from './markdown.ts';
import { undecidedText } from './tally.ts';
import { count, oneLine, thousands } from './text.ts';

export type NamedRun = { readonly name: string; readonly record: RunRecord };

/** The result of a clause in a run; undefined if it was not selected. */
type RunCell = { readonly status: Status /** The finding, if it is broken. */; readonly found: string } | undefined;

type ClauseRow = {
  readonly id: ClauseId;
  readonly level: Level;
  readonly requirement: string;
  readonly cells: readonly RunCell[];
  /** Only the runs that judged it count. */
  readonly differs: boolean;
  readonly broken: boolean;
};

type ChapterRows = { readonly chapter: Chapter; readonly rows: readonly ClauseRow[] };

/** A question that the document leaves open, and what each service does; undefined if that was not observed. */
type ObservationRow = {
  readonly clause: ClauseId;
  readonly question: string;
  readonly answers: readonly (string | undefined)[];
  readonly differs: boolean;
};

type RunComparison = {
  readonly runs: readonly NamedRun[];
  readonly chapters: readonly ChapterRows[];
  readonly answers: readonly ObservationRow[];
};

/** The clauses of several runs side by side, in the order of the document. */
export function compareRuns(runs: readonly NamedRun[]): RunComparison {
  const found = runs.map(({ record }) => foundBy(record));
  const clauses = runs.map(({ record }) => new Map(record.clauses.map((clause) => [clause.id, clause])));
  const ids = [...new Set(clauses.flatMap((known) => [...known.keys()]))];
  const rows = ids.flatMap((id) => {
    const [first] = clauses.flatMap((known) => known.get(id) ?? []);
    const cells = clauses.map((known, index) => cellOf(known.get(id), { found: found[index]?.get(id), record: runs[index]?.record }));
    return first === undefined ? [] : [{ chapter: first.chapter, row: rowOf(first, cells) }];
  });
  const chapters = CHAPTERS.map((chapter) => ({ chapter, rows: rows.filter((one) => one.chapter === chapter).map(({ row }) => row) }));
  return { runs, chapters: chapters.filter((one) => one.rows.length > 0), answers: observationRows(runs) };
}

function foundBy(record: RunRecord): ReadonlyMap<ClauseId, BrokenClause> {
  return new Map([...brokenClauses(record), ...waivedClauses(record)].map((broken) => [broken.clause.id, broken]));
}

function cellOf(
  clause: ClauseRecord | undefined,
  { found, record }: { readonly found: BrokenClause | undefined; readonly record: RunRecord | undefined },
): RunCell {
  if (clause === undefined || record === undefined) return undefined;
  const status = shownStatusOf(clause, record.options);
  return { status, found: found === undefined ? undecidedText(clause) : describeBroken(found) };
}

function rowOf({ id, level, requirement }: ClauseRecord, cells: readonly RunCell[]): ClauseRow {
  const statuses = cells.flatMap((cell) => cell?.status ?? []);
  const broken = statuses.every((status) => status === 'failed' || status === 'warning');
  return { id, level, requirement, cells, differs: isMixed(statuses), broken };
}

function isMixed(values: readonly (string | undefined)[]): boolean {
  return new Set(values.filter((value) => value !== undefined)).size > 1;
}

function observationRows(runs: readonly NamedRun[]): readonly ObservationRow[] {
  const known = runs.map(({ record }) => {
    const observed = record.clauses.flatMap(({ id, observations }) => observations.map((one) => ({ ...one, clause: id })));
    return new Map(observed.map((one) => [`${one.clause}\n${one.question}`, one]));
  });
  return [...new Set(known.flatMap((one) => [...one.keys()]))].toSorted().flatMap((key) => {
    const [first] = known.flatMap((one) => one.get(key) ?? []);
    const answers = known.map((one) => one.get(key)?.answer);
    return first === undefined ? [] : [{ clause: first.clause, question: first.question, answers, differs: isMixed(answers) }];
  });
}

function likewise(differing: number, chapters: readonly ChapterRows[]): string {
  const all = chapters.reduce((sum, { rows }) => sum + rows.length, 0);
  if (all === 0) return 'None of them judged a requirement';
  return differing === 0
    ? `The same verdict on ${count(all, 'requirement')}`
    : `Different verdicts on ${thousands(differing)} of ${count(all, 'requirement')}`;
}

/** Cells keep a readable width, and the tables scroll within the page; equal rows can be hidden without a script. */
const RUN_STYLES = `
.runs-pane { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
.runs-pane:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.runs { border-collapse: separate; border-spacing: 0; width: 100%; font-size: 0.9375rem; }
.runs :is(th, td) { text-align: left; vertical-align: top; padding: 0.4rem 0.7rem; border-bottom: 1px solid var(--line); min-width: 9rem; max-width: 22rem; }
.runs :is(th[scope="row"], thead th:first-child) { position: sticky; left: 0; background: var(--card); min-width: 13rem; max-width: 16rem; z-index: 1; }
.runs tbody tr:last-child > * { border-bottom: 0; }
.runs th[scope="rowgroup"] { position: sticky; left: 0; background: var(--code); font-size: 1rem; }
.runs thead span { display: block; } .runs th small { display: inline-block; white-space: nowrap; }
.runs th[scope="row"] { overflow-wrap: break-word; } .runs thead span, .runs th small { font-weight: 400; font-size: 0.8125rem; color: var(--quiet); }
.runs thead .verdict-word { font-size: 0.875rem; font-weight: 700; }
.verdict-word.good { color: var(--pass); } .verdict-word.bad { color: var(--fail); } .verdict-word.unsure { color: var(--inconclusive); }
.runs td.failed { background: var(--fail-soft); } .runs td.warning { background: var(--inconclusive-soft); }
.runs td p { font-size: 0.8125rem; margin-top: 0.2rem; } .runs td.absent { color: var(--quiet); }
.choice { display: flex; gap: 0.5rem; align-items: center; margin: 1.4rem 0 0; }
body:has(#differing:checked) :is(tr.alike, tbody:not(:has(tr.differs, tr.broken))) { display: none; }
@media screen and (max-width: 34rem) {
  .runs :is(th[scope="row"], thead th:first-child) { min-width: 9.5rem; max-width: 9.5rem; } .runs :is(th, td) { padding: 0.35rem 0.5rem; }
}
@media print { .choice { display: none; } .runs-pane { overflow: visible; border: 0; } .runs :is(th, td) { min-width: 0; } }
`;

/** Several runs clause by clause, as one HTML file that needs no network and no script. */
export function renderRunsHtml(comparison: RunComparison): string {
  const { runs, chapters, answers } = comparison;
  const rows = chapters.flatMap((one) => one.rows);
  const differing = rows.filter(({ differs }) => differs).length;
  const telling = rows.filter(({ differs, broken }) => differs || broken).length;
  return writePage({
    title: `Pet Store conformance: ${runs.map(({ name }) => oneLine(name, 60)).join(', ')}`,
    styles: RUN_STYLES,
    skip: { id: 'requirements', title: 'the requirements' },
    content: html`<header><p class="kicker">Pet Store Service Interface</p>
<h1>${count(runs.length, 'run')} side by side</h1>
<p class="headline">${likewise(differing, chapters)}</p></header>
<p class="choice"><input type="checkbox" id="differing"${telling > 0 && raw(' checked')}><label for="differing">Only rows that differ or are broken everywhere</label></p>
<section id="requirements"><h2>Requirements</h2>
${pane('Requirements', html`<table class="runs">${head('Requirement', runs)}${chapters.map((one) => chapterView(one, runs))}</table>`)}
<p class="legend">${SHOWN_VERDICTS.map((status) => html`<span><span class="tile ${status}">${signView(status)}</span> ${statusWord(status)}</span>`)}</p></section>
${answers.length > 0 && html`<section id="open"><h2>Left open by the document</h2>${pane('Left open', html`<table class="runs">${head('Question', runs)}<tbody>${answers.map(observationView)}</tbody></table>`)}</section>`}`,
  });
}

/** Content that is wider than the page scrolls separately, also with the keyboard. */
function pane(name: string, table: Markup): Markup {
  return html`<div class="runs-pane" role="region" aria-label="${name}" tabindex="0">${table}</div>`;
}

function toneOf({ record }: NamedRun): string {
  const { exitCode } = record.conclusion;
  return exitCode === EXIT_CODES.conformant ? 'good' : exitCode === EXIT_CODES.broken ? 'bad' : 'unsure';
}

function head(first: string, runs: readonly NamedRun[]): Markup {
  return html`<thead><tr><th scope="col">${first}</th>${runs.map(
    (run) =>
      html`<th scope="col">${oneLine(run.name, 80)}<span class="verdict-word ${toneOf(run)}" title="${headline(run.record)}">${verdictWords(run.record)}</span>
<span>${oneLine(run.record.target.baseUrl, 120)}</span><span>${judgedText(run.record)}</span><span>${costText(run.record)}</span><span>${run.record.startedAt.slice(0, 16).replace('T', ' ')} UTC</span></th>`,
  )}</tr></thead>`;
}

function chapterView({ chapter, rows }: ChapterRows, runs: readonly NamedRun[]): Markup {
  const group = html`<tr class="${rows.some(({ differs, broken }) => differs || broken) ? 'group' : 'alike'}"><th scope="rowgroup" colspan="${runs.length + 1}">${chapter.replaceAll('-', ' ')}</th></tr>`;
  return html`<tbody>${group}${rows.map(clauseView)}</tbody>`;
}

function rowClass({ differs, broken = false }: { readonly differs: boolean; readonly broken?: boolean }): string {
  return differs ? 'differs' : broken ? 'broken' : 'alike';
}

function clauseView(row: ClauseRow): Markup {
  return html`<tr class="${rowClass(row)}"><th scope="row" title="${oneLine(row.requirement, 300)}">${breakable(row.id)} <small>${row.level}</small></th>${row.cells.map(cellView)}</tr>`;
}

/** An id that may break after its dot if a narrow column has no room for it. */
function breakable(id: string): Markup {
  const dot = id.indexOf('.') + 1;
  return html`${id.slice(0, dot)}<wbr>${id.slice(dot)}`;
}

function cellView(cell: RunCell): Markup {
  if (cell === undefined) return html`<td class="absent">not judged</td>`;
  const { status, found } = cell;
  return html`<td class="${status}"><span class="tile ${status}">${signView(status)} ${statusWord(status)}</span>${found !== '' && html`<p>${oneLine(found, 240)}</p>`}</td>`;
}

function observationView(row: ObservationRow): Markup {
  return html`<tr class="${rowClass(row)}"><th scope="row">${oneLine(row.question, 300)} <small>${row.clause}</small></th>${row.answers.map(
    (answer) => (answer === undefined ? html`<td class="absent">not observed</td>` : html`<td>${oneLine(answer, 300)}</td>`),
  )}</tr>`;
}

function cellText(cell: RunCell): string {
  if (cell === undefined) return '';
  return `${signOf(cell.status)} ${statusWord(cell.status)}${cell.found === '' ? '' : `: ${prose(cell.found, 160)}`}`;
}

/** Several runs clause by clause in GitHub's Markdown: differences first, then what is broken everywhere, then the rest. */
export function renderRunsMarkdown({ runs, chapters, answers }: RunComparison): string {
  const names = runs.map(({ name }) => prose(name, 80));
  const rows = chapters.flatMap((one) => one.rows);
  const section = (title: string, isShown: (row: ClauseRow) => boolean): string[] => {
    const shown = rows.filter(isShown).map((row) => [inlineCode(row.id), row.level, ...row.cells.map(cellText)]);
    return shown.length === 0 ? [] : [`### ${title}`, table(['requirement', 'level', ...names], shown)];
  };
  const open = answers.filter(({ differs }) => differs);
  const parts = [
    `## Pet Store conformance: ${count(runs.length, 'run')} side by side`,
    `${likewise(rows.filter(({ differs }) => differs).length, chapters)}.`,
    table(
      ['run', 'address', 'verdict', 'judged'],
      runs.map(({ name, record }) => [
        prose(name, 80),
        inlineCode(record.target.baseUrl),
        prose(headline(record), 200),
        judgedText(record),
      ]),
    ),
    ...section('Where they differ', ({ differs }) => differs),
    ...section('Broken in all of them', ({ differs, broken }) => !differs && broken),
    ...(open.length === 0
      ? []
      : [
          '### Left open by the document, and done differently',
          table(
            ['question', ...names],
            open.map(({ question, answers: all }) => [prose(question, 200), ...all.map((answer) => prose(answer ?? 'not observed', 160))]),
          ),
        ]),
    ...section('Where they agree', ({ differs, broken }) => !differs && !broken),
  ];
  return `${inertText(parts.join('\n\n'))}\n`;
}
