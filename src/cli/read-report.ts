import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { RUN_RECORD_VERSION, type RunRecord } from '../clause/run-record.ts';
import { oneLine } from '../report/text.ts';
import { readBoundedFile } from '../secrets/read-bounded-file.ts';
import { cleanText } from '../wire/redact.ts';
import { LARGEST } from './input-limits.ts';
import { REPORT_FILES } from './reporter-names.ts';
import { UsageError } from './usage-error.ts';

const SCHEMAS = ['pet-status.schema.json', 'run-record.schema.json'] as const;

/** What the schema of the run record has against a value, or undefined. */
function schemaProblem(value: unknown): string | undefined {
  const ajv = new Ajv2020({ strictTypes: false });
  ajvFormats.default(ajv);
  for (const name of SCHEMAS) ajv.addSchema(JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8')), name);
  const validate = ajv.getSchema(SCHEMAS[1]);
  if (validate === undefined || validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined ? 'it does not match the schema' : `${error.instancePath || 'it'} ${error.message ?? error.keyword}`;
}

/** The report.json that a path names: the file itself, the one in that folder, or in its folder of reports. */
export function reportFile(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path;
  const [name] = REPORT_FILES.json;
  const below = join(path, 'reports', name);
  return existsSync(join(path, name)) || !existsSync(below) ? join(path, name) : below;
}

/** The record in a report.json, which may come from anywhere. Throws UsageError for a file that holds none. */
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
  const problem = schemaProblem(value);
  if (problem !== undefined) throw new UsageError(`${file} is not the report.json of a run: ${cleanText(problem, 300)}`);
  return value as RunRecord;
}
