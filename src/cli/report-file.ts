// A report of an earlier run as input: which file it is, and whether it is one.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { type ReportedContrast, RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { REPORT_FILES } from '../report/formats.ts';
import { oneLine } from '../report/text.ts';
import { readSchema } from '../schema/files.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { cleanText } from '../wire/redact.ts';
import { curlAgain, type RedactedExchange } from '../wire/redacted-exchange.ts';
import { messageOf } from '../wire/wording.ts';
import { LARGEST, UsageError } from './option-spec.ts';

/** The report.json that a path names: the file itself, the one in that folder, or the one in its reports folder. */
export function reportFile(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  const [name] = REPORT_FILES.json;
  const below = join(path, 'reports', name);
  return existsSync(join(path, name)) || !existsSync(below) ? join(path, name) : below;
}

function withOwnCommands(record: RunRecord): RunRecord {
  const remake = (exchange: RedactedExchange): RedactedExchange => ({ ...exchange, curl: curlAgain(exchange) });
  const remade = (exchanges: readonly RedactedExchange[]): readonly RedactedExchange[] => exchanges.map(remake);
  const ofContrast = ({ broken, twin, before, ...contrast }: ReportedContrast): ReportedContrast => ({
    ...contrast,
    ...(broken === undefined ? {} : { broken: remake(broken) }),
    ...(twin === undefined ? {} : { twin: remake(twin) }),
    ...(before === undefined ? {} : { before: remake(before) }),
  });
  return {
    ...record,
    checks: record.checks.map((check) => ({
      ...check,
      findings: check.findings.map((finding) => ({ ...finding, exchanges: remade(finding.exchanges) })),
      ...(check.contrast === undefined ? {} : { contrast: ofContrast(check.contrast) }),
    })),
  };
}

/** The record in a report.json, which may come from anywhere. Throws UsageError for a file that contains none. */
export function readReport(file: string): RunRecord {
  let value: unknown;
  try {
    value = JSON.parse(readBoundedFile(file, { limit: LARGEST.report }));
  } catch (error) {
    const reason = messageOf(error);
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

type Shipped = 'run-record' | 'behavior';

/** How a value that was read from a file breaks one of the shipped schemas, or undefined. */
export function schemaProblem(name: Shipped, value: unknown): string | undefined {
  const ajv = new Ajv2020({ strictTypes: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(readSchema(`${name}.schema.json`));
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined ? 'it does not match the schema' : `${error.instancePath || 'it'} ${error.message ?? error.keyword}`;
}
