import { readSchema } from '../schema/files.ts';

/** A JSON Schema, as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const load: (name: string) => JsonSchema = readSchema;

/**
 * The messages of the interface as JSON Schema 2020-12, and the whole interface as OpenAPI 3.1. The files are exported as well:
 * `@petstore-conformance/cli/schemas/pet.schema.json`.
 *
 * @example
 * ```ts
 * import { Ajv2020 } from 'ajv/dist/2020.js';
 * import { schemas } from '@petstore-conformance/cli';
 *
 * const ajv = new Ajv2020({ formats: { int64: true } });
 * for (const schema of [schemas.petStatus, schemas.newPet, schemas.pet]) ajv.addSchema(schema);
 * const validate = ajv.compile(schemas.pets);
 * console.log(validate([{ id: 1, name: 'Rex', categoryId: 7 }]));
 * ```
 */
export const schemas = {
  pet: load('pet.schema.json'),
  newPet: load('new-pet.schema.json'),
  pets: load('pets.schema.json'),
  petStatus: load('pet-status.schema.json'),
  error: load('error.schema.json'),
  openapi: load('openapi.json'),
} as const;
