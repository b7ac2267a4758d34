import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

type Shipped = 'run-record' | 'behavior';

const SCHEMAS = new URL('../../schemas/', import.meta.url);

/** How a value that was read from a file breaks one of the shipped schemas, or undefined. */
export function schemaProblem(name: Shipped, value: unknown): string | undefined {
  const ajv = new Ajv2020({ strictTypes: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(new URL(`${name}.schema.json`, SCHEMAS), 'utf8')) as AnySchema);
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return error === undefined ? 'it does not match the schema' : `${error.instancePath || 'it'} ${error.message ?? error.keyword}`;
}
