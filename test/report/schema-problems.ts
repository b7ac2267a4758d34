import { readFile } from 'node:fs/promises';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

const DIRECTORY = new URL('../../schemas/', import.meta.url);

/** The errors of a JSON text by one of the project's schemas, without any other file; empty if there are none. */
export async function schemaProblems(name: string, text: string): Promise<unknown> {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  ajvFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(await readFile(new URL(name, DIRECTORY), 'utf8')) as AnySchema);
  return validate(JSON.parse(text)) ? [] : validate.errors;
}
