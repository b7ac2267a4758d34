import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import type { Cause, Diagnosis } from '../diagnosis/cause.ts';
import { type BrokenClause, brokenClauses, describeBroken, waitsText, whenText } from './broken-clauses.ts';
import type { ReportFile } from './formats.ts';
import { detailsOf, givenName, headline, judgedText, otherReasons, verdictWords } from './headline.ts';
import { commandView, withCode } from './html/exchange-view.ts';
import { html, type Markup, writePage } from './html/page.ts';
import { PICTURE_STYLES } from './html/pictures.ts';
import { clauseLink, clausesView, FILTER_STYLES, matrixView, SCRIPT } from './html/requirements.ts';
import { runView } from './html/run-picture.ts';
import { causeAt, causesHead } from './likely-causes.ts';
import { CHAPTER_COLUMNS, clausesInOrder, columnCounts, columnWord, inconclusiveGroups, requestsOf } from './tally.ts';
import { count, duration, oneLine, thousands } from './text.ts';
import { tryCommand } from './try-command.ts';

type Section = { readonly id: string; readonly title: string; readonly view: Markup | '' };

export type HtmlOptions = {
  readonly diagnosis?: Diagnosis | undefined;
  /** The other files of the run in the same folder, to which it may link. */
  readonly others?: readonly ReportFile[] | undefined;
};

/** The report as one HTML file that needs no network, and no script except for its search. */
export function renderHtml(record: RunRecord, { diagnosis, others = [] }: HtmlOptions = {}): string {
  const broken = brokenClauses(record, diagnosis);
  const fails = broken.some(({ runEffect }) => runEffect === 'fails');
  const requirements = {
    id: 'requirements',
    title: fails ? 'What is broken' : 'Requirements',
    view: clausesView(record, diagnosis),
  };
  const run = { id: 'run', title: 'The run', view: runSection(record, broken) };
  const overview = { id: 'overview', title: 'By chapter', view: matrixView(record) };
  const all: readonly Section[] = [
    ...(fails ? [requirements, run, overview] : [overview, requirements, run]),
    { id: 'inconclusive', title: 'Not judged', view: inconclusiveView(record) },
    { id: 'observations', title: 'Left open', view: observationsView(record) },
    { id: 'animals', title: 'Animals', view: animalsView(record) },
  ];
  const sections = all.filter(({ view }) => view !== '');
  const [first] = sections;
  const content = html`${headView(record, { broken, diagnosis })}
${sections.length > 1 && html`<nav aria-label="Contents">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}${others.includes('document.html') && html`<a href="document.html">Sentence by sentence</a>`}</nav>`}
${sections.map(({ view }) => view)}`;
  return writePage({
    title: `${headline(record)}: ${oneLine(record.target.baseUrl, 120)}`,
    styles: `${FILTER_STYLES}\n${hasPictures(record) ? PICTURE_STYLES : ''}`,
    skip: first === undefined ? undefined : { id: first.id, title: first.title.toLowerCase() },
    content,
    script: SCRIPT,
  });
}

const hasPictures = ({ timeline, clauses }: RunRecord): boolean => timeline !== undefined || clauses.some(({ life }) => life !== undefined);

export type HeadParts = { readonly broken: readonly BrokenClause[]; readonly diagnosis: Diagnosis | undefined };

function headView(record: RunRecord, parts: HeadParts): Markup {
  const { conclusion, interrupted } = record;
  const tone = conclusion.exitCode === EXIT_CODES.conformant ? 'good' : conclusion.exitCode === EXIT_CODES.broken ? 'bad' : 'unsure';
  const details = detailsOf(record);
  const reasons = otherReasons(record).slice(0, 40);
  return html`<header class="verdict ${tone}" id="verdict">
<p class="kicker">Pet Store Service Interface at ${givenName(record).map((name) => html`${name}, `)}<b>${oneLine(record.target.baseUrl, 300)}</b>${record.target.reference && ' (reference server)'}</p>
<h1>${verdictWords(record)}</h1>
${details !== '' && html`<p class="headline">${details}</p>`}
${interrupted && html`<p class="headline">The run was interrupted: anything missing here was not judged.</p>`}
${reasons.length > 0 && html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
${repairView(parts)}
${conclusion.exitCode === EXIT_CODES.conformant && evidenceView(record)}
</header>
${record.clauses.length > 0 && tallies(record)}`;
}

/** What to repair first with the command that shows it, and the other causes. Everything else that is broken is in the list that follows. */
function repairView({ broken, diagnosis }: HeadParts): Markup | '' {
  const first = broken.find(({ runEffect }) => runEffect === 'fails');
  const causes = diagnosis?.causes ?? [];
  const at = first === undefined ? -1 : causeAt(diagnosis, first.clause.id);
  const command = first && tryCommand(first, diagnosis);
  const others = causes.map((cause, index) => ({ cause, index })).filter(({ index }) => index !== at);
  const cause = causes[at];
  return html`${
    first !== undefined &&
    html`<h2 class="headline">Repair first</h2>
${cause === undefined ? html`<p>${clauseLink(first.clause.id)} ${describeBroken(first)}${waitsView(first)}${whenView(first)}</p>` : html`<ol class="causes">${causeView(cause, at)}</ol>`}`
  }
${command !== undefined && commandView(cause === undefined ? 'Try' : html`Try for ${clauseLink(first?.clause.id ?? '')}`, command)}
${others.length > 0 && html`<h2 class="headline">${at === -1 ? '' : 'Besides, '}${causesHead(others.map((one) => one.cause))}</h2><ol class="causes">${others.map((one) => causeView(one.cause, one.index))}</ol>`}`;
}

function waitsView(of: { readonly waiting: number }): Markup | false {
  return of.waiting > 0 && html` <span class="waits">${waitsText(of)}</span>`;
}

function whenView({ clause }: BrokenClause): Markup | false {
  const when = whenText(clause);
  return when !== '' && html`<br><span>Broken ${withCode(when)}</span>`;
}

function causeView(cause: Cause, index: number): Markup {
  return html`<li value="${index + 1}"><b>${oneLine(cause.title, 200)}</b>${waitsView(cause)}<br>${cause.explains.map((id) => html`${clauseLink(id)} `)}<br><span>${oneLine(cause.advice, 600)}</span></li>`;
}

/** When its requests were in flight, what was cut short or waited for, and its facts. */
function runSection(record: RunRecord, broken: readonly BrokenClause[]): Markup {
  return html`<section id="run" class="facts"><h2>The run</h2>
${runView(record, broken)}
${record.notices.length > 0 && html`<ul class="notices">${record.notices.slice(0, 100).map((notice) => html`<li>${oneLine(notice)}</li>`)}</ul>`}
<dl>${facts(record).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

/** Of the requirements that hold alone: what is broken, and waived or a warning, has cases that hold as well. */
function evidenceView(record: RunRecord): Markup {
  const passed = record.clauses.filter(({ verdict }) => verdict === 'pass');
  const situations = passed.flatMap(({ musts }) => musts).filter(({ verdict }) => verdict === 'pass').length;
  const judged = passed.reduce((sum, { evidence }) => sum + (evidence?.judged ?? 0), 0);
  return html`<p class="headline">${count(passed.length, 'requirement')} ${passed.length === 1 ? 'holds' : 'hold'}. The evidence: seen to hold in ${count(situations, 'situation')}, and ${count(judged, 'time')} in the responses to ${count(requestsOf(record), 'request')}. <a href="#requirements">What was seen of each</a></p>`;
}

function tallies(record: RunRecord): Markup {
  const counts = columnCounts(record.clauses, record.options);
  const isShown = (column: (typeof CHAPTER_COLUMNS)[number]): boolean => counts[column] > 0 || column === 'passed' || column === 'failed';
  const styles = { passed: 'passed', failed: 'failed', warnings: 'warning', notApplicable: 'not-applicable' } as const;
  const classOf = (column: (typeof CHAPTER_COLUMNS)[number]): string => (column in styles ? styles[column as keyof typeof styles] : column);
  return html`<ul class="tallies" aria-label="Requirements by verdict">${CHAPTER_COLUMNS.filter(isShown).map(
    (column) =>
      html`<li class="${classOf(column)}${counts[column] === 0 ? ' zero' : ''}"><b>${counts[column]}</b> ${columnWord(column, counts[column])}</li>`,
  )}</ul>`;
}

function facts(record: RunRecord): readonly (readonly [name: string, value: string])[] {
  const { tool, options, animals, startedAt } = record;
  const ambiguous = animals.ambiguous.length === 0 ? '' : `, and ${animals.ambiguous.length} that may exist`;
  const modes = [options.depth, ...(options.readOnly ? ['read-only'] : []), ...(options.strict ? ['strict'] : [])].join(', ');
  const selection = [...options.only.map((glob) => `only ${glob}`), ...options.skip.map((glob) => `skip ${glob}`)].join(', ');
  return [
    ['Time', `${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}, took ${duration(record.duration)}`],
    ...(record.clauses.length === 0 ? [] : [['Judged', judgedText(record).replace(' judged', '')] as const]),
    ['Requests', thousands(requestsOf(record))],
    [
      'Animals created',
      `${animals.created.length} of ${animals.budget} allowed, names begin with “${oneLine(animals.prefix, 60)}”${ambiguous}`,
    ],
    ['Seed', String(options.seed)],
    ['Depth', modes],
    ...(selection === '' ? [] : [['Selection', oneLine(selection, 400)] as const]),
    ['Judged as of', oneLine(options.now, 40).replace(/T.*/, '')],
    ['Version', `petstore-conformance ${oneLine(tool.version, 40)}`],
  ];
}

const MOST_ROWS = 500;

function observationsView(record: RunRecord): Markup | '' {
  const rows = clausesInOrder(record).flatMap((clause) => clause.observations.map((observation) => ({ observation, clause })));
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

/** What could not be judged, one row per reason: situations that one repair would settle are together. */
function inconclusiveView(record: RunRecord): Markup | '' {
  const groups = inconclusiveGroups(record);
  if (groups.length === 0) return '';
  const known = new Set(record.clauses.map(({ id }) => id));
  return html`<section id="inconclusive"><h2>What could not be judged</h2>
${groups.slice(0, MOST_ROWS).map(({ waitsFor, reason, situations }) => {
  const waits = situations.length === 1 ? 'waits for' : 'wait for';
  const number = count(situations.length, 'situation');
  const head = waitsFor === undefined ? html`${number}: ${reason}` : html`${number} ${waits} <code>${oneLine(waitsFor, 120)}</code>`;
  const link = waitsFor !== undefined && known.has(waitsFor) && html`<p>See ${clauseLink(waitsFor)}.</p>`;
  return html`<details class="fold"><summary>${head}</summary>
${link}<ul class="named">${situations.map(({ clause, must }) => html`<li><code>${oneLine(clause.id, 120)}</code> ${oneLine(must.title, 300)} <span class="aside">${oneLine(must.note, 300)}</span></li>`)}</ul></details>`;
})}</section>`;
}

function animalsView({ animals }: RunRecord): Markup | '' {
  const { created, ambiguous } = animals;
  if (created.length + ambiguous.length === 0) return '';
  const hidden = created.length - MOST_ROWS;
  return html`<section id="animals"><h2>Animals created</h2>
<details class="fold"><summary>${count(created.length, 'animal')} that the run created and that the interface cannot remove</summary>
<ul class="animals">${created.slice(0, MOST_ROWS).map(({ id, name }) => html`<li><code>${oneLine(id, 30)}</code> ${oneLine(name, 60)}</li>`)}</ul>
${hidden > 0 && html`<p class="aside">and ${hidden} more in report.json</p>`}</details>
${ambiguous.length > 0 && html`<p>May exist, as their creation got no response, or was rejected by a service that stores what it rejects: ${ambiguous.slice(0, 50).map((name) => html`<code>${oneLine(name, 60)}</code> `)}</p>`}</section>`;
}
