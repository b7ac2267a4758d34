import { EXIT_CODES, type RunRecord } from '../../clause/run-record.ts';
import { type BrokenClause, describeBroken } from '../broken-clauses.ts';
import { detailsOf, judgedText, otherReasons, verdictWords } from '../headline.ts';
import { type Diagnosis, explainedBy, type LikelyCause } from '../likely-causes.ts';
import { CHAPTER_COLUMNS, columnWord, countClauses, requestsOf } from '../tally.ts';
import { count, duration, oneLine, thousands } from '../text.ts';
import { clauseLink } from './clause-view.ts';
import { html, type Markup } from './markup.ts';

const LISTED = 20;

export type HeadParts = { readonly broken: readonly BrokenClause[]; readonly diagnosis: Diagnosis | undefined };

/** The verdict in words, the findings or the evidence, and the facts of the run. */
export function headView(record: RunRecord, { broken, diagnosis }: HeadParts): Markup {
  const { conclusion, interrupted } = record;
  const tone = conclusion.exitCode === EXIT_CODES.conformant ? 'good' : conclusion.exitCode === EXIT_CODES.broken ? 'bad' : 'unsure';
  const details = detailsOf(record);
  const reasons = otherReasons(record).slice(0, 40);
  const causes = diagnosis?.causes ?? [];
  const failing = broken.filter(({ standing }) => standing === 'fails');
  const explained = new Set(causes.flatMap(explainedBy));
  return html`<header class="verdict ${tone}" id="verdict">
<p class="kicker">Pet Store Service Interface at <b>${oneLine(record.target.baseUrl, 300)}</b>${record.target.reference && ' (reference server)'}</p>
<h1>${verdictWords(record)}</h1>
${details !== '' && html`<p class="headline">${details}</p>`}
${interrupted && html`<p class="headline">The run was interrupted: anything missing here was not judged.</p>`}
${reasons.length > 0 && html`<ul class="reasons">${reasons.map((reason) => html`<li>${reason}</li>`)}</ul>`}
${causes.length > 0 && html`<p class="headline">${count(causes.length, 'likely cause')}, by what ${causes.length === 1 ? 'it holds' : 'they hold'} up</p><ol class="causes">${causes.map(causeView)}</ol>`}
${listView(failing.filter(({ clause }) => !explained.has(clause.id)))}
${conclusion.exitCode === EXIT_CODES.conformant && evidenceView(record)}
</header>
<section class="facts" aria-label="Facts of the run">
${record.clauses.length > 0 && tallies(record)}
<dl>${facts(record).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>
${record.notices.length > 0 && html`<ul class="notices">${record.notices.slice(0, 100).map((notice) => html`<li>${oneLine(notice)}</li>`)}</ul>`}`;
}

function causeView(cause: LikelyCause): Markup {
  const waits = cause.waiting > 0 && html` <span class="waits">${count(cause.waiting, 'check waits', 'checks wait')}</span>`;
  return html`<li><b>${oneLine(cause.title, 200)}</b>${waits}<br>${explainedBy(cause).map((id) => html`${clauseLink(id)} `)}<br><span>${oneLine(cause.advice, 600)}</span></li>`;
}

/** The findings, one line per clause. */
function listView(broken: readonly BrokenClause[]): Markup | '' {
  if (broken.length === 0) return '';
  const hidden = broken.length - LISTED;
  return html`<ul class="reasons">${broken
    .slice(0, LISTED)
    .map(
      (one) =>
        html`<li>${clauseLink(one.clause.id)} ${describeBroken(one)}${one.waiting > 0 && html` <span class="waits">${count(one.waiting, 'check waits', 'checks wait')}</span>`}</li>`,
    )}${hidden > 0 && html`<li>and ${hidden} more</li>`}</ul>`;
}

/** The evidence for a verdict without failures. */
function evidenceView(record: RunRecord): Markup {
  const passed = record.clauses.filter(({ verdict }) => verdict === 'pass').length;
  const checks = record.checks.filter(({ verdict }) => verdict === 'pass');
  const judgements = checks.reduce((sum, { evidence }) => sum + (evidence?.judged ?? 0), 0);
  return html`<p class="headline">${count(passed, 'requirement')} ${passed === 1 ? 'holds' : 'hold'}. The evidence: ${count(checks.length, 'check')} passed, and the responses to ${count(requestsOf(record), 'request')} passed ${count(judgements, 'judgement')} by rules that hold for every response. <a href="#requirements">What was seen of each</a></p>`;
}

function tallies(record: RunRecord): Markup {
  const counts = countClauses(record.clauses, record.options);
  const styles = { passed: 'passed', failed: 'failed', warnings: 'warning', notApplicable: 'not-applicable' } as const;
  const classOf = (column: (typeof CHAPTER_COLUMNS)[number]): string => (column in styles ? styles[column as keyof typeof styles] : column);
  return html`<ul class="tallies" aria-label="Requirements by verdict">${CHAPTER_COLUMNS.map(
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
    ...(record.checks.length === 0 ? [] : [['Judged', judgedText(record).replace(/ judged$/, '')] as const]),
    ['Requests', thousands(requestsOf(record))],
    [
      'Animals created',
      `${animals.created.length} of ${animals.budget} allowed, names begin with “${oneLine(animals.prefix, 60)}”${ambiguous}`,
    ],
    ['Seed', String(options.seed)],
    ['Profile', modes],
    ...(selection === '' ? [] : [['Selection', oneLine(selection, 400)] as const]),
    ['Judged as of', oneLine(options.now, 40).replace(/T.*/, '')],
    ['Version', `petstore-conformance ${oneLine(tool.version, 40)}`],
  ];
}
