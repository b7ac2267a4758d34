import type { RunRecord } from '../clause/run-record.ts';
import { blockText, failureBlock } from './failure-block.ts';
import { judgedText } from './headline.ts';
import type { Diagnosis } from './likely-causes.ts';
import { type Judged, judgedOf, standingOf } from './tally.ts';
import { oneLine, plain } from './text.ts';

const SPEC_VERSION = '0.0.0';

type Status = 'passed' | 'failed' | 'skipped' | 'other';

/** Common Test Report Format: one test per check or invariant, with its verdict as the raw status. */
export function renderCtrf(record: RunRecord, { diagnosis }: { readonly diagnosis?: Diagnosis } = {}): string {
  const start = Date.parse(record.startedAt);
  const tests = judgedOf(record).map((judged) => testOf(judged, { record, diagnosis }));
  const having = (status: Status): number => tests.filter((test) => test.status === status).length;
  const report = {
    reportFormat: 'CTRF',
    specVersion: SPEC_VERSION,
    timestamp: record.startedAt,
    generatedBy: record.tool.name,
    results: {
      tool: { name: record.tool.name, version: record.tool.version },
      summary: {
        tests: tests.length,
        passed: having('passed'),
        failed: having('failed'),
        skipped: having('skipped'),
        pending: 0,
        other: having('other'),
        suites: new Set(tests.map(({ suite }) => suite[0])).size,
        start,
        stop: start + Math.round(record.duration),
        duration: Math.round(record.duration),
        extra: {
          exitCode: record.conclusion.exitCode,
          headline: oneLine(record.conclusion.headline),
          judged: judgedText(record),
          seed: record.options.seed,
        },
      },
      tests,
      environment: { testEnvironment: oneLine(record.target.baseUrl) },
    },
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

type Context = { readonly record: RunRecord; readonly diagnosis: Diagnosis | undefined };

function testOf(judged: Judged, { record, diagnosis }: Context) {
  const { check, clause } = judged;
  const broken = check.findings.length > 0;
  return {
    testId: check.id,
    name: oneLine(`${check.id}: ${check.title}`, 500),
    status: ctrfStatusOf(judged, record),
    rawStatus: check.verdict,
    duration: Math.round(check.duration),
    suite: [clause.chapter, clause.id],
    type: check.kind,
    ...(check.verdict === 'pass' ? {} : { message: outcomeText(judged) }),
    ...(broken ? { trace: blockText(failureBlock(judged, diagnosis)) } : {}),
    labels: { clause: clause.id, level: clause.level, section: oneLine(clause.section, 200), verdict: check.verdict },
  };
}

function outcomeText({ check }: Judged): string {
  if (check.verdict === 'observed') return plain(check.observations.map(({ question, answer }) => `${question}: ${answer}`).join('\n'));
  return oneLine(check.verdict === 'fail' ? (check.findings[0]?.summary ?? check.note) : check.note);
}

/** `failed` is what fails the run, as in the other reports; broken advised clauses are neither failed nor passed. */
function ctrfStatusOf(judged: Judged, record: RunRecord): Status {
  if (standingOf(judged, record) === 'fails') return 'failed';
  switch (judged.check.verdict) {
    case 'pass':
    case 'observed':
      return 'passed';
    case 'fail':
      return 'other';
    case 'inconclusive':
    case 'not-applicable':
    case 'waived':
      return 'skipped';
    default:
      return judged.check.verdict satisfies never;
  }
}
