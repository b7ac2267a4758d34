// A report of an earlier run as input: which file it is, and whether it is one.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { ReportedContrast } from '../clause/clause-record.ts';
import type { RunRecord } from '../clause/run-record.ts';
import { REPORT_FILES } from '../report/formats.ts';
import { oneLine } from '../report/text.ts';
import { READ_VERSIONS, upgradeRecord } from '../report/upgrade-record.ts';
import { readSchema } from '../schema/files.ts';
import { readBoundedFile } from '../secrets/secret-file.ts';
import { isRecord } from '../wire/parse-json.ts';
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
    clauses: record.clauses.map((clause) => ({
      ...clause,
      findings: clause.findings.map((finding) => ({ ...finding, exchanges: remade(finding.exchanges) })),
      ...(clause.contrast === undefined ? {} : { contrast: ofContrast(clause.contrast) }),
    })),
  };
}

/** The record in a report.json of this version or of version 1, which may come from anywhere. Throws UsageError for a file that contains none. */
export function readReport(file: string): RunRecord {
  let value: unknown;
  try {
    value = JSON.parse(readBoundedFile(file, { limit: LARGEST.report }));
  } catch (error) {
    throw new UsageError(`cannot read the report ${file}: ${oneLine(messageOf(error), 300)}`);
  }
  const { version } = isRecord(value) && 'clauses' in value ? value : {};
  if (typeof version === 'number' && !READ_VERSIONS.includes(version)) {
    throw new UsageError(`${file} is of version ${version}; this release reads versions ${READ_VERSIONS.join(' and ')}`);
  }
  const record = upgraded(value);
  const problem = schemaProblem('run-record', record);
  if (problem !== undefined) throw new UsageError(`${file} is not the report.json of a run: ${cleanText(problem, 300)}`);
  return withOwnCommands(record as RunRecord);
}

/** A damaged record stays as it is, for the schema to say what is wrong with it. */
function upgraded(value: unknown): unknown {
  try {
    return upgradeRecord(value);
  } catch {
    return value;
  }
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
