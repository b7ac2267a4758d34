import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { oneLine } from '../report/text.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import { cleanText, curlAgain, type RedactedExchange } from '../wire/redact.ts';
import { LARGEST } from './input-limits.ts';
import { REPORT_FILES } from './reporter-names.ts';
import { schemaProblem } from './schema-problem.ts';
import { UsageError } from './usage-error.ts';

/** The report.json that a path names: the file itself, the one in that folder, or the one in its reports folder. */
export function reportFile(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  const [name] = REPORT_FILES.json;
  const below = join(path, 'reports', name);
  return existsSync(join(path, name)) || !existsSync(below) ? join(path, name) : below;
}

function withOwnCommands(record: RunRecord): RunRecord {
  const remade = (exchanges: readonly RedactedExchange[]): readonly RedactedExchange[] =>
    exchanges.map((exchange) => ({ ...exchange, curl: curlAgain(exchange) }));
  return {
    ...record,
    checks: record.checks.map((check) => ({
      ...check,
      findings: check.findings.map((finding) => ({ ...finding, exchanges: remade(finding.exchanges) })),
    })),
    ...(record.passing === undefined ? {} : { passing: record.passing.map((one) => ({ ...one, exchanges: remade(one.exchanges) })) }),
  };
}

/** The record in a report.json, which may come from anywhere. Throws UsageError for a file that contains none. */
export function readReport(file: string): RunRecord {
  let value: unknown;
  try {
    value = JSON.parse(readBoundedFile(file, LARGEST.report));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`cannot read the report ${file}: ${oneLine(reason, 300)}`);
  }
  const version = typeof value === 'object' && value !== null && 'version' in value && 'checks' in value ? value.version : undefined;
  if (typeof version === 'number' && version !== RUN_RECORD_VERSION) {
    throw new UsageError(`${file} is of version ${version}; this release reads version ${RUN_RECORD_VERSION}`);
  }
  const problem = schemaProblem('run-record', value);
  if (problem !== undefined) throw new UsageError(`${file} is not the report.json of a run: ${cleanText(problem, 300)}`);
  return withOwnCommands(value as RunRecord);
}
