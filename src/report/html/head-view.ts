import { VERDICTS } from '../../clause/outcome.ts';
import { EXIT_CODES, type RunRecord } from '../../clause/run-record.ts';
import { countVerdicts, requestsOf, VERDICT_WORDS, warningsOf } from '../tally.ts';
import { count, duration, oneLine, thousands } from '../text.ts';
import { failureAnchorOf } from './failure-view.ts';
import { html, type Markup } from './markup.ts';

/** The verdict in one or two words. */
export function verdictWords({ conclusion }: RunRecord): string {
  switch (conclusion.exitCode) {
    case EXIT_CODES.conformant:
      return 'Conformant';
    case EXIT_CODES.broken:
      return 'Not conformant';
    case EXIT_CODES.usage:
      return 'Nothing judged';
    case EXIT_CODES.unjudged:
      return 'Could not be judged';
    case EXIT_CODES.interrupted:
    case EXIT_CODES.terminated:
      return 'Interrupted';
    default:
      return conclusion.exitCode satisfies never;
  }
}

/** The verdict in words, why, and the facts of the run. */
export function headView(record: RunRecord): Markup {
  const { conclusion, interrupted } = record;
  const tone = conclusion.exitCode === EXIT_CODES.conformant ? 'good' : conclusion.exitCode === EXIT_CODES.broken ? 'bad' : 'unsure';
  const reasons = conclusion.reasons.slice(0, 40);
  return html`<header class="verdict ${tone}">
<p class="kicker">Pet Store Service Interface at <b>${oneLine(record.target.baseUrl, 300)}</b>${record.target.reference && ' (reference server)'}</p>
<h1>${verdictWords(record)}</h1>
<p class="headline">${headline(record)}</p>
${interrupted && html`<p class="headline">The run was interrupted: what is not here was not judged.</p>`}
${reasons.length > 0 && html`<ul class="reasons">${reasons.map((reason) => html`<li>${reasonView(reason, record)}</li>`)}</ul>`}
</header>
<section class="facts" aria-label="Facts of the run">
${tallies(record)}
<dl>${facts(record).map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
</section>
${record.notices.length > 0 && html`<ul class="notices">${record.notices.slice(0, 100).map((notice) => html`<li>${oneLine(notice)}</li>`)}</ul>`}`;
}

/** The headline without what the big words said already. */
function headline(record: RunRecord): string {
  const said = oneLine(record.conclusion.headline, 400);
  const words = verdictWords(record).toLowerCase();
  return said.toLowerCase().startsWith(words) ? said.slice(words.length).replace(/^[:,\s]+/, '') : said;
}

function reasonView(reason: string, { clauses }: RunRecord): Markup | string {
  const clause = clauses.find(({ id }) => id === reason);
  return clause === undefined
    ? oneLine(reason, 400)
    : html`<a href="#${failureAnchorOf(clause.id)}">${clause.id}</a>: ${oneLine(clause.requirement, 200)}`;
}

function tallies(record: RunRecord): Markup {
  const counts = countVerdicts(record.clauses);
  const warnings = warningsOf(record);
  const tile = (verdict: (typeof VERDICTS)[number]): Markup =>
    html`<li class="${verdict}${counts[verdict] === 0 ? ' zero' : ''}"><b>${counts[verdict]}</b> ${VERDICT_WORDS[verdict]}${verdict === 'fail' && warnings > 0 && html` <span class="aside">${warnings} only ${warnings === 1 ? 'a warning' : 'warnings'}</span>`}</li>`;

  return html`<ul class="tallies" aria-label="Clauses by verdict">${VERDICTS.map(tile)}</ul>`;
}

function facts(record: RunRecord): readonly (readonly [name: string, value: string])[] {
  const { tool, options, animals, startedAt } = record;
  const judged = countVerdicts(record.checks);
  const ambiguous = animals.ambiguous.length === 0 ? '' : `, and ${animals.ambiguous.length} that may exist`;
  const modes = [options.profile, ...(options.readOnly ? ['read-only'] : []), ...(options.strict ? ['strict'] : [])].join(', ');
  const selection = [...options.only.map((glob) => `only ${glob}`), ...options.skip.map((glob) => `skip ${glob}`)].join(', ');
  return [
    ['Time', `${startedAt.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')}, took ${duration(record.duration)}`],
    ['Checks', `${thousands(record.checks.length)}, of which ${judged.fail} failed and ${judged.inconclusive} inconclusive`],
    ['Requests', thousands(requestsOf(record))],
    [
      'Animals created',
      `${animals.created.length} of ${animals.budget} allowed, names begin with “${oneLine(animals.prefix, 60)}”${ambiguous}`,
    ],
    ['Seed', String(options.seed)],
    ['Profile', modes],
    ...(selection === '' ? [] : [['Selection', oneLine(selection, 400)] as const]),
    ['Judged as of', oneLine(options.now, 40).replace(/T.*/, '')],
    ['Version', `petstore-conformance ${oneLine(tool.version, 40)}, ${count(record.clauses.length, 'clause')}`],
  ];
}
