import { clausesText, countClauses } from '../clause/clause-counts.ts';
import { EXIT_CODES, type RunRecord } from '../clause/run-record.ts';
import { breakagesOf } from '../diagnosis/repair-order.ts';
import { countVerdicts, requestsOf, runEffectOf, warningsOf } from './tally.ts';
import { count, duration, oneLine, thousands } from './text.ts';

/** No requirement is broken, and a waiver or the baseline fails the run. */
const CONFORMANT_BUT = 'conformant, but ';

export function verdictWords({ conclusion }: RunRecord): string {
  switch (conclusion.exitCode) {
    case EXIT_CODES.conformant:
      return 'Conformant';
    case EXIT_CODES.broken:
      return conclusion.headline.startsWith(CONFORMANT_BUT) ? 'Conformant' : 'Not conformant';
    case EXIT_CODES.usage:
      return 'Nothing judged';
    case EXIT_CODES.unjudged:
      return 'Could not be judged';
    case EXIT_CODES.hungUp:
    case EXIT_CODES.interrupted:
    case EXIT_CODES.terminated:
      return 'Interrupted';
    default:
      return conclusion.exitCode satisfies never;
  }
}

/** The verdict as one sentence, with the counts that every format shows: `Not conformant: 10 requirements broken, 2 warnings`. */
export function headline(record: RunRecord): string {
  const words = verdictWords(record);
  const details = detailsOf(record);
  if (details === '') return words;
  const { conclusion } = record;
  // A green verdict includes how much was judged, what waivers hide, and what was not selected.
  if (words === 'Conformant') return `${words}${oneLine(conclusion.headline, 400).slice(words.length)}`;
  // A headline that begins with the same words continues differently: "interrupted by SIGINT".
  const goesOn = conclusion.headline.toLowerCase().startsWith(`${words.toLowerCase()} `);
  return goesOn ? `${words} ${details}` : `${words}: ${details}`;
}

export function detailsOf(record: RunRecord): string {
  const { conclusion, clauses } = record;
  const warnings = warningsOf(record);
  const also = count(warnings, 'warning');
  const broken = clauses.filter(
    (clause) => clause.verdict === 'fail' && runEffectOf(clause, { ...record.options, strict: false }) === 'fails',
  ).length;
  const said = oneLine(conclusion.headline, 400);
  if (conclusion.exitCode === EXIT_CODES.broken && broken > 0) {
    // After a semicolon follows what else ended the run, such as its deadline.
    const besides = said.includes('; ') ? said.slice(said.indexOf('; ')) : '';
    return `${count(broken, 'requirement')} broken${consequencesText(record)}${warnings === 0 ? '' : `, ${also}`}${besides}`;
  }
  const words = verdictWords(record).toLowerCase();
  if (said.toLowerCase().endsWith(words)) return '';
  return said.toLowerCase().startsWith(words) ? said.slice(words.length).replace(/^[:,\s]+/, '') : said;
}

/** `, 1 of them a consequence of errors.no-server-error`: an outage is one thing to repair, whatever else it breaks. */
function consequencesText(record: RunRecord): string {
  const others = breakagesOf(record).filter(
    (one) => one.consequenceOf !== undefined && runEffectOf(one.clause, record.options) === 'fails',
  );
  const roots = [...new Set(others.map(({ consequenceOf }) => consequenceOf))].join(' and ');
  if (others.length === 0) return '';
  return others.length === 1 ? `, 1 of them a consequence of ${roots}` : `, ${others.length} of them consequences of ${roots}`;
}

/** Additional reasons for the result of the run: sentences, and neither the ids that reports show in full nor what the headline says. */
export function otherReasons(record: RunRecord): readonly string[] {
  const { conclusion, clauses } = record;
  const ids = new Set<string>(clauses.map(({ id }) => id));
  const said = headline(record);
  return conclusion.reasons.flatMap((reason) => {
    const shown = oneLine(reason, 400);
    return ids.has(reason) || said.includes(shown) ? [] : [shown];
  });
}

/** `78 of 80 clauses judged, 1 not applicable, 1 waiting for others`, as in the headline of a green run. */
export function judgedText({ clauses }: RunRecord): string {
  return clausesText(countClauses(clauses));
}

/** Whether at most a tenth of the clauses could be judged: then the reason is what matters, not a page of what is undecided. */
export function isHardlyJudged({ clauses }: RunRecord): boolean {
  return (clauses.length - countVerdicts(clauses).inconclusive) * 10 <= clauses.length;
}

/** What --name calls the service, in a list; empty if that is host and port, which the address has. */
export function givenName({ target: { name, baseUrl } }: RunRecord): readonly string[] {
  return name === undefined || name === URL.parse(baseUrl)?.host ? [] : [oneLine(name, 120)];
}

/** `1,795 requests in 2.0 s, 250 animals created`. */
export function costText(record: RunRecord): string {
  const { created, ambiguous, nextRun } = record.animals;
  const next =
    nextRun === undefined || created.length === 0 ? '' : ` in a store that was empty (a next run creates about ${thousands(nextRun)})`;
  const lost = ambiguous.length === 0 ? '' : `, ${ambiguous.length} more may exist (their creation got no response, or was rejected)`;
  return `${count(requestsOf(record), 'request')} in ${duration(record.duration)}, ${count(created.length, 'animal')} created${next}${lost}`;
}
