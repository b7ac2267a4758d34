import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

type Shipped = 'run-record' | 'behavior';

const SCHEMAS = new URL('../../schemas/', import.meta.url);

/** What one of the shipped schemas has against a value that was read from a file, or undefined. */
export function schemaProblem(name: Shipped, value: unknown): string | undefined {
  const ajv = new Ajv2020({ strictTypes: false });
  ajvFormats.default(ajv);
  for (const part of ['pet-status', name])
    ajv.addSchema(JSON.parse(readFileSync(new URL(`${part}.schema.json`, SCHEMAS), 'utf8')), `${part}.schema.json`);
  const validate = ajv.getSchema(`${name}.schema.json`);
  if (validate === undefined || validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined ? 'it does not match the schema' : `${error.instancePath || 'it'} ${error.message ?? error.keyword}`;
}
