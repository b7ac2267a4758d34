import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createConfig, lint } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { SENTENCES } from '../../src/clause/interface-document.ts';
import { clauses } from '../../suites/clauses/index.ts';

const FILE = fileURLToPath(new URL('../../schemas/openapi.json', import.meta.url));

type Response = { readonly $ref?: string; readonly content?: Readonly<Record<string, { readonly schema: { readonly $ref: string } }>> };
type Operation = {
  readonly operationId: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly { readonly name: string; readonly schema: Readonly<Record<string, unknown>> }[];
  readonly responses: Readonly<Record<string, Response>>;
};
type Description = {
  readonly info: { readonly version: string };
  readonly security: readonly unknown[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, { readonly $ref: string }>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
};

const openapi = JSON.parse(readFileSync(FILE, 'utf8')) as Description;
const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path));
const operation = (id: string): Operation => {
  const found = operations.find(({ operationId }) => operationId === id);
  if (found === undefined) throw new Error(`schemas/openapi.json describes no ${id}`);
  return found;
};

const levelOf = (id: string) => clauses.find((clause) => clause.id === id)?.level;

/** Each fact of the description, the statement of the document that it expresses, and the clause that judges it. */
const FACTS: readonly (readonly [fact: string, holds: () => boolean, sentence: string, clause: string])[] = [
  ['GET /pets returns 200', () => '200' in operation('listPets').responses, 'list-success', 'list.success'],
  ['limit is 1 to 100', () => matches('limit', { minimum: 1, maximum: 100 }), 'list-limit', 'list.limit-accepted'],
  ['limit defaults to 20', () => matches('limit', { default: 20 }), 'limit-default', 'list.limit-default'],
  ['POST /pets returns 201', () => '201' in operation('createPet').responses, 'create-success', 'create.success'],
  ['POST /pets returns 400', () => '400' in operation('createPet').responses, 'create-failure', 'create.name-type'],
  ['GET /pets/{petId} returns 200', () => '200' in operation('getPet').responses, 'get-success', 'get.success'],
  ['GET /pets/{petId} returns 404', () => '404' in operation('getPet').responses, 'get-not-found', 'get.not-found'],
  ['getPet is deprecated', () => operation('getPet').deprecated === true, 'get-deprecated', 'deprecation.still-works'],
  ['every operation needs the key', () => openapi.security.length === 1, 'authentication-required', 'auth.missing-credential'],
];

function matches(name: string, expected: Readonly<Record<string, unknown>>): boolean {
  const { schema = {} } = operation('listPets').parameters?.find((parameter) => parameter.name === name) ?? {};
  return Object.entries(expected).every(([key, value]) => schema[key] === value);
}

describe('schemas/openapi.json', () => {
  test('is what the linter recommends', async () => {
    // The document states no license, and its own examples use the reserved domain.
    const rules = { 'info-license': 'off', 'no-server-example.com': 'off', 'operation-description': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const problems = await lint({ ref: FILE, config });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  test('describes the three operations and no other', () => {
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual(['createPet', 'getPet', 'listPets']);
    expect(operations.filter(({ deprecated }) => deprecated === true).map(({ operationId }) => operationId)).toEqual(['getPet']);
    expect(openapi.info.version).toBe('1.0.0');
  });

  test('adds no response to those of the document', () => {
    const codes = Object.fromEntries(operations.map(({ operationId, responses }) => [operationId, Object.keys(responses)]));
    expect(codes).toEqual({ listPets: ['200', '401'], createPet: ['201', '400', '401'], getPet: ['200', '401', '404'] });
  });

  test('adds no parameter to those of the document', () => {
    const names = Object.fromEntries(
      operations.map(({ operationId, parameters = [] }) => [operationId, parameters.map(({ name }) => name)]),
    );
    expect(names).toEqual({ listPets: ['limit', 'status'], createPet: [], getPet: ['petId'] });
  });

  test('takes every message from the schemas that the suite judges by', () => {
    expect(openapi.components.schemas).toEqual({
      Pet: { $ref: 'pet.schema.json' },
      NewPet: { $ref: 'new-pet.schema.json' },
      Pets: { $ref: 'pets.schema.json' },
      PetStatus: { $ref: 'pet-status.schema.json' },
      Error: { $ref: 'error.schema.json' },
    });
  });

  test('has an Error as the only body of every failure', () => {
    const shared = openapi.components.responses;
    const failures = operations.flatMap(({ responses }) =>
      Object.entries(responses)
        .filter(([code]) => code.startsWith('4'))
        .map(([, response]) => (response.$ref === undefined ? response : shared[response.$ref.split('/').at(-1) ?? ''])),
    );
    expect(failures).toHaveLength(5);
    for (const failure of failures) {
      expect(failure?.content).toEqual({ 'application/json': { schema: { $ref: '#/components/schemas/Error' } } });
    }
  });

  test.for(FACTS)('%s, as a binding clause says', ([, holds, sentence, clause]) => {
    expect(holds()).toBe(true);
    const said = SENTENCES.filter(({ id }) => id === sentence);
    expect(said.flatMap((one) => ('clauses' in one ? one.clauses : []))).toContain(clause);
    expect(['required', 'implied']).toContain(levelOf(clause));
  });
});
