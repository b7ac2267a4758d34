import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../bench/measure.ts';

type Schema = Readonly<Record<string, unknown>>;
type Description = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
};

const SCHEMAS = join(ROOT, 'schemas');
const FILES: Readonly<Record<string, string>> = {
  'pet.schema.json': 'Pet',
  'new-pet.schema.json': 'NewPet',
  'pets.schema.json': 'Pets',
  'pet-status.schema.json': 'PetStatus',
  'error.schema.json': 'Error',
};

const read = (file: string): unknown => JSON.parse(readFileSync(join(SCHEMAS, file), 'utf8'));

/** The same value with references to components in place of references to files. */
function inOneFile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOneFile);
  if (value === null || typeof value !== 'object') return value;
  const members = Object.entries(value).filter(([name]) => name !== '$schema' && name !== '$id');
  return Object.fromEntries(
    members.map(([name, member]) => {
      const component = name === '$ref' && typeof member === 'string' ? FILES[member] : undefined;
      return [name, component === undefined ? inOneFile(member) : `#/components/schemas/${component}`];
    }),
  );
}

/** Where the interface leaves open how an invalid parameter is rejected: the statuses that services use. */
const REJECTED = {
  description: 'A parameter is invalid',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** An animal to create, for programs that send the examples of a description. */
const EXAMPLE = { name: 'Rex', categoryId: 1, status: 'available' };

/**
 * schemas/openapi.json for programs of all kinds: in one file, with an example, a link from the created animal to the operation that reads
 * it, and the statuses that reject a parameter. `version` 3.0.3 is for programs that do not read 3.1: the schemas use nothing new in 3.1.
 */
function describe(version: string): Description {
  const { paths, components, ...rest } = inOneFile(read('openapi.json')) as Description;
  const schemas = Object.fromEntries(Object.entries(FILES).map(([file, name]) => [name, inOneFile(read(file)) as Schema]));
  const { get: list, post = {} } = paths['/pets'] ?? {};
  const { 201: created, ...failures } = post['responses'] as Readonly<Record<string, Schema>>;
  const links = { read: { operationId: 'getPet', parameters: { petId: '$response.body#/id' } } };
  const rejecting = (operation: Readonly<Record<string, unknown>> = {}) => ({
    ...operation,
    responses: { 400: REJECTED, 422: REJECTED, ...(operation['responses'] as object) },
  });
  const requestBody = {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/NewPet' }, example: EXAMPLE } },
  };
  return {
    ...rest,
    openapi: version,
    paths: {
      '/pets': { get: rejecting(list), post: { ...post, requestBody, responses: { 201: { ...created, links }, ...failures } } },
      '/pets/{petId}': { get: rejecting(paths['/pets/{petId}']?.['get']) },
    },
    components: { ...components, schemas },
  };
}

/** Writes the description to a folder; returns the path of the file. */
export function writeDescription(folder: string, version: '3.1.1' | '3.0.3' = '3.1.1'): string {
  const file = join(folder, `openapi-${version}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(describe(version), null, 2));
  return file;
}
