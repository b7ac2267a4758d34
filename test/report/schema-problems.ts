import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';

const DIRECTORY = new URL('../../schemas/', import.meta.url);

/** What one of the project's schemas has against a JSON text; an empty array for nothing. */
export async function schemaProblems(name: string, text: string): Promise<unknown> {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false });
  ajvFormats.default(ajv);
  const files = (await readdir(DIRECTORY)).filter((file) => file === 'pet-status.schema.json' || file === name);
  for (const file of files) ajv.addSchema(JSON.parse(await readFile(new URL(file, DIRECTORY), 'utf8')), file);
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`there is no schema ${name}`);
  return validate(JSON.parse(text)) ? [] : validate.errors;
}
