import type { ClauseId } from '../clause/clause.ts';
import { INVALID_BODY_CLAUSES } from '../clause/clause-ids.ts';
import type { RunRecord } from '../clause/run-record.ts';
import type { Diagnosis } from '../diagnosis/cause.ts';
import { blockText, failureBlock } from './failure-block.ts';
import { headline, judgedText } from './headline.ts';
import { type Judged, judgedOf, standingOf } from './tally.ts';
import { oneLine, plain } from './text.ts';
import { element, writeXml, type XmlElement } from './xml.ts';

const PACKAGE = 'petstore-conformance';

/**
 * JUnit XML: one testsuite per clause, and one testcase per check or invariant, with the chapter as its class name.
 *
 * Clause, level, section, and verdict are properties of the testsuite: the XSD of Jenkins allows none in a testcase.
 *
 * Checks run concurrently: the time of each is its share of the run's, so that the sum, which CI systems show, is the duration of the run.
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

export function clauseFile(id: ClauseId): string {
  return `suites/${INVALID_BODY_CLAUSES.some((one) => one === id) ? 'create/invalid-bodies' : id.replace('.', '/')}.clause.ts`;
}

function suitesOf(record: RunRecord, diagnosis: Diagnosis | undefined): XmlElement[] {
  const clauses = Map.groupBy(judgedOf(record), ({ clause }) => clause);
  const share = shareOf(record);
  const suites = [...clauses].map(([{ id, level, section, verdict, undecided }, judged]) => ({
    name: id,
    file: clauseFile(id),
    properties: { clause: id, level, section, verdict, ...(undecided === undefined ? {} : { undecided: String(undecided) }) },
    time: judged.reduce((sum, { check }) => sum + share(check.duration), 0),
    cases: judged.map((one) => testcase(one, { record, diagnosis, share })),
  }));
  const conclusion = conclusionCase(
    record,
    suites.flatMap(({ cases }) => cases),
  );
  const all =
    conclusion === undefined ? suites : [...suites, { name: 'run', file: undefined, properties: {}, time: 0, cases: [conclusion] }];
  return all.map((suite, id) => suiteElement(suite, id, record));
}

/** A duration as its share of the run's, in whole milliseconds, whose sum never exceeds it. */
function shareOf({ checks, duration }: RunRecord): (milliseconds: number) => number {
  const sum = checks.reduce((total, check) => total + check.duration, 0);
  const scale = sum > duration ? duration / sum : 1;
  return (milliseconds) => Math.floor(milliseconds * scale);
}

type SuiteParts = {
  readonly name: string;
  readonly file: string | undefined;
  readonly properties: Readonly<Record<string, string>>;
  readonly time: number;
  readonly cases: readonly XmlElement[];
};

function suiteElement({ name, file, properties: own, time, cases }: SuiteParts, id: number, record: RunRecord): XmlElement {
  const having = (child: string): number => cases.filter((one) => hasChild(one, child)).length;
  const attributes = {
    name,
    id,
    package: PACKAGE,
    file,
    timestamp: record.startedAt.replace(/\.\d+Z$|Z$/, ''),
    hostname: hostOf(record.target.baseUrl),
    tests: cases.length,
    failures: having('failure'),
    errors: having('error'),
    skipped: having('skipped'),
    time: seconds(time),
  };
  return element('testsuite', attributes, properties({ ...own, ...runProperties(record) }), ...cases);
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

type Context = {
  readonly record: RunRecord;
  readonly diagnosis: Diagnosis | undefined;
  readonly share: (milliseconds: number) => number;
};

function testcase(judged: Judged, context: Context): XmlElement {
  const { check, clause } = judged;
  return element(
    'testcase',
    {
      name: oneLine(`${check.id}: ${check.title}`, 500),
      classname: `${PACKAGE}.${clause.chapter}`,
      time: seconds(context.share(check.duration)),
    },
    ...outcomeElements(judged, context),
  );
}

function outcomeElements(judged: Judged, { record, diagnosis }: Context): XmlElement[] {
  const { check, clause } = judged;
  const fails = standingOf(judged, record) === 'fails';
  switch (check.verdict) {
    case 'pass':
      return [element('system-out', {}, plain(check.note))];
    case 'observed':
      return [element('system-out', {}, check.observations.map(({ question, answer }) => oneLine(`${question}: ${answer}`)).join('\n'))];
    case 'fail': {
      const { message, body } = blockOf(judged, diagnosis);
      const mark = check.flaky === true ? 'flaky: ' : '';
      if (fails) return [element('failure', { message: `${mark}${message}`, type: check.flaky === true ? 'flaky' : clause.level }, body)];
      return [
        element('skipped', { message: `warning (${clause.level}): ${mark}${message}`, type: check.flaky === true ? 'flaky' : 'warning' }),
        element('system-out', {}, body),
      ];
    }
    case 'waived':
      return [
        element('skipped', { message: oneLine(`waived: ${check.note}`, 500), type: 'waived' }),
        element('system-out', {}, blockOf(judged, diagnosis).body),
      ];
    case 'inconclusive': {
      const blocked = check.blockedBy === undefined ? '' : ` (waits for ${check.blockedBy})`;
      const message = oneLine(`inconclusive${blocked}: ${check.note}`, 500);
      return [
        fails ? element('failure', { message, type: 'inconclusive' }, message) : element('skipped', { message, type: 'inconclusive' }),
      ];
    }
    case 'not-applicable':
      return [element('skipped', { message: oneLine(`not applicable: ${check.note}`, 500), type: 'not-applicable' })];
    default:
      return check.verdict satisfies never;
  }
}

function blockOf(judged: Judged, diagnosis: Diagnosis | undefined): { message: string; body: string } {
  const block = failureBlock(judged, diagnosis);
  return { message: block.summary, body: blockText(block) };
}

/** A run can fail without a failed check (an expired waiver, an interrupt, no response at all): then this case reports it. */
function conclusionCase(record: RunRecord, cases: readonly XmlElement[]): XmlElement | undefined {
  const { conclusion } = record;
  if (conclusion.exitCode === 0 || cases.some((one) => hasChild(one, 'failure'))) return undefined;
  const said = [headline(record), ...conclusion.reasons].map((line) => oneLine(line)).join('\n');
  return element(
    'testcase',
    { name: 'run/conclusion: The run came to a verdict', classname: `${PACKAGE}.run`, time: seconds(0) },
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
