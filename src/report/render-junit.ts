import type { Chapter } from '../clause/clause.ts';
import type { ClauseRecord } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import { blockText, failureBlock } from './failure-block.ts';
import { headline, judgedText } from './headline.ts';
import { chaptersOf, failsRun } from './tally.ts';
import { oneLine, plain } from './text.ts';
import { element, writeXml, type XmlElement } from './xml.ts';

const PACKAGE = 'petstore-conformance';

/**
 * JUnit XML: one testsuite per chapter, and one testcase per clause, which names its undecided situations.
 *
 * Only the whole run has a time: a request may be for many clauses, and many are in flight at once.
 *
 * `failure` is what fails the run, so that a CI system that reads only this file agrees with the exit code: advised breaches, and what is
 * undecided because of the service, are `skipped` with their reason unless the run was strict.
 */
export function renderJunit(record: RunRecord, { diagnosis }: { readonly diagnosis?: Diagnosis } = {}): string {
  const suites = suitesOf(record, diagnosis);
  const total = (of: 'tests' | 'failures' | 'errors'): number => suites.reduce((sum, suite) => sum + Number(suite.attributes[of]), 0);
  return writeXml(
    element(
      'testsuites',
      { name: PACKAGE, tests: total('tests'), failures: total('failures'), errors: total('errors'), time: seconds(record.duration) },
      ...suites,
    ),
  );
}

function suitesOf(record: RunRecord, diagnosis: Diagnosis | undefined): XmlElement[] {
  const suites = chaptersOf(record).map(({ chapter, clauses }) => ({
    name: chapter,
    cases: clauses.map((clause) => testcase(clause, { record, diagnosis })),
  }));
  const conclusion = conclusionCase(
    record,
    suites.flatMap(({ cases }) => cases),
  );
  const all = conclusion === undefined ? suites : [...suites, { name: 'run' as const, cases: [conclusion] }];
  return all.map((suite, id) => suiteElement(suite, id, record));
}

type SuiteParts = { readonly name: Chapter | 'run'; readonly cases: readonly XmlElement[] };

function suiteElement({ name, cases }: SuiteParts, id: number, record: RunRecord): XmlElement {
  const having = (child: string): number => cases.filter((one) => hasChild(one, child)).length;
  const attributes = {
    name,
    id,
    package: PACKAGE,
    timestamp: record.startedAt.replace(/\.\d+Z$|Z$/, ''),
    hostname: hostOf(record.target.baseUrl),
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
  };
  return element('testsuite', attributes, properties(runProperties(record)), ...cases);
}

function runProperties(record: RunRecord): Readonly<Record<string, string>> {
  const { target, tool, options } = record;
  return {
    judged: judgedText(record),
    target: target.baseUrl,
    version: tool.version,
    seed: String(options.seed),
    depth: options.depth,
    now: options.now,
  };
}

type Context = { readonly record: RunRecord; readonly diagnosis: Diagnosis | undefined };

function testcase(clause: ClauseRecord, context: Context): XmlElement {
  const name = oneLine(`${clause.id}: ${clause.requirement}`, 500);
  return element('testcase', { name, classname: `${PACKAGE}.${clause.chapter}` }, ...outcomeElements(clause, context));
}

function outcomeElements(clause: ClauseRecord, { record, diagnosis }: Context): XmlElement[] {
  const fails = failsRun(clause, record);
  const note = plain(clause.note);
  switch (clause.verdict) {
    case 'pass':
      return fails ? undecidedElements(clause, fails) : [outElement(note, ...undecidedLines(clause))];
    case 'observed': {
      const observed = clause.observations.map(({ question, answer }) => oneLine(`${question}: ${answer}`));
      return [outElement(...observed, ...undecidedLines(clause))];
    }
    case 'fail': {
      const block = failureBlock(clause, diagnosis);
      const message = `${clause.flaky === true ? 'flaky: ' : ''}${block.summary}`;
      const type = clause.flaky === true ? 'flaky' : fails ? clause.level : 'warning';
      const undecided = undecidedLines(clause);
      if (!fails) {
        const warning = element('skipped', { message: `warning (${clause.level}): ${message}`, type });
        return [warning, outElement(blockText(block), ...undecided)];
      }
      return [element('failure', { message, type }, blockText(block)), ...(undecided.length === 0 ? [] : [outElement(...undecided)])];
    }
    case 'waived':
      return [
        element('skipped', { message: oneLine(`waived: ${note}`, 500), type: 'waived' }),
        outElement(blockText(failureBlock(clause, diagnosis)), ...undecidedLines(clause)),
      ];
    case 'inconclusive':
      return undecidedElements(clause, fails);
    case 'not-applicable':
      return [element('skipped', { message: oneLine(`not applicable: ${note}`, 500), type: 'not-applicable' })];
    default:
      return clause.verdict satisfies never;
  }
}

const outElement = (...lines: readonly string[]): XmlElement => element('system-out', {}, lines.join('\n'));

const waitsText = (blockedBy: string | undefined): string => (blockedBy === undefined ? '' : ` (waits for ${blockedBy})`);

/** A line for each undecided situation of the clause. */
function undecidedLines({ musts }: ClauseRecord): readonly string[] {
  return musts.flatMap(({ title, verdict, note, blockedBy }) =>
    verdict === 'inconclusive' ? [oneLine(`undecided: ${title}${waitsText(blockedBy)}: ${note}`, 500)] : [],
  );
}

function undecidedElements(clause: ClauseRecord, fails: boolean): XmlElement[] {
  const { verdict, blockedBy, note } = clause;
  const lines = undecidedLines(clause);
  const message = verdict === 'pass' ? (lines[0] ?? '') : oneLine(`inconclusive${waitsText(blockedBy)}: ${note}`, 500);
  return [element(fails ? 'failure' : 'skipped', { message, type: 'inconclusive' }, ...(fails ? [message] : [])), outElement(...lines)];
}

/** A run can fail without a broken clause (an expired waiver, an interrupt, no response at all): then this case reports it. */
function conclusionCase(record: RunRecord, cases: readonly XmlElement[]): XmlElement | undefined {
  const { conclusion } = record;
  if (conclusion.exitCode === 0 || cases.some((one) => hasChild(one, 'failure'))) return undefined;
  const said = [headline(record), ...conclusion.reasons].map((line) => oneLine(line)).join('\n');
  return element(
    'testcase',
    { name: 'run: The run came to a verdict', classname: `${PACKAGE}.run` },
    element('error', { message: headline(record), type: `exit ${conclusion.exitCode}` }, said),
  );
}

function hasChild(parent: XmlElement, name: string): boolean {
  return parent.children.some((child) => typeof child !== 'string' && child.name === name);
}

function properties(values: Readonly<Record<string, string>>): XmlElement {
  return element(
    'properties',
    {},
    ...Object.entries(values).map(([name, value]) => element('property', { name, value: oneLine(value, 500) })),
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(3);
}

function hostOf(baseUrl: string): string {
  return URL.parse(baseUrl)?.host || 'unknown';
}
