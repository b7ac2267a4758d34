import { describe, expect, test } from 'vitest';
import { checkVariables } from './environment.ts';
import { type Specs, variableOf } from './option-spec.ts';
import { allOptions, outputOptions, smokeOptions } from './options.ts';

const check = (own: Record<string, string>, file: Record<string, string> = {}, alsoKnown: readonly string[] = []) =>
  checkVariables({ file, process: own, alsoKnown, where: '.env' });

describe('checkVariables', () => {
  test('knows the variable of every option of every command, the key and the tag of a run', () => {
    const options = Object.values<Specs[string]>(allOptions).filter(({ onlyFrom }) => onlyFrom === undefined);
    const names = [...options.map(variableOf), 'PETSTORE_API_KEY', 'PETSTORE_RUN_TAG'];
    for (const name of ['PETSTORE_BASE_URL', 'PETSTORE_PING_URL', 'PETSTORE_DEADLINE']) expect(names).toContain(name);
    const all = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(check(all, all)).toEqual([]);
  });

  test('knows no option by a variable that means something else to another command', () => {
    const specs = Object.entries(allOptions).map(([name, spec]) => [name, variableOf(spec), spec] as const);
    for (const [name, variable, spec] of specs) {
      const others = specs.filter(([, other, otherSpec]) => other === variable && otherSpec !== spec);
      expect(
        others.map(([other]) => other),
        `${name} has ${variable}`,
      ).toEqual([]);
    }
    const formats = [outputOptions.format, smokeOptions.format].map(variableOf);
    expect(formats).toEqual(['PETSTORE_RUN_FORMAT', 'PETSTORE_SMOKE_FORMAT']);
    expect(check({ PETSTORE_FORMAT: 'json' })).toEqual(['the variable PETSTORE_FORMAT is unknown and has no effect']);
  });

  test.each([
    ['PETSTORE_READ_OLNY', 'PETSTORE_READ_ONLY'],
    ['PETSTORE_READONLY', 'PETSTORE_READ_ONLY'],
    ['PETSTORE_READ-ONLY', 'PETSTORE_READ_ONLY'],
    ['petstore_read_only', 'PETSTORE_READ_ONLY'],
    ['PETSTORE_MAX_CREATE', 'PETSTORE_MAX_CREATES'],
    ['PETSTORE_BASE_ULR', 'PETSTORE_BASE_URL'],
    ['PETSTOREBASEURL', 'PETSTORE_BASE_URL'],
    ['PETSTORE_APIKEY', 'PETSTORE_API_KEY'],
    ['PETSTORE_API_KEYS', 'PETSTORE_API_KEY'],
    ['PETSTORE_NWO', 'PETSTORE_NOW'],
    ['PETSTORE_DEDLINES', 'PETSTORE_DEADLINE'],
  ])('rejects %s and suggests %s', (name, meant) => {
    expect(() => check({ [name]: 'x' })).toThrow(`the variable ${name} is unknown; did you mean ${meant}?`);
  });

  test.each(['PETSTORE_FOO', 'PETSTORE_DB', 'PETSTORE_DATABASE_URL', 'PETSTORE_PORT'])(
    'warns about %s, which belongs to another program',
    (name) => {
      expect(check({ [name]: '8080' })).toEqual([`the variable ${name} is unknown and has no effect`]);
    },
  );

  test('rejects in .env what it only warns about elsewhere', () => {
    expect(() => check({}, { PETSTORE_FOO: 'x' })).toThrow(/PETSTORE_FOO in \.env is unknown/);
  });

  test.each([
    ['PETSTORE_SERVICE_HOST', '10.0.0.1'],
    ['PETSTORE_SERVICE_PORT', '80'],
    ['PETSTORE_SERVICE_PORT_HTTP', '80'],
    ['PETSTORE_PORT', 'tcp://10.0.0.1:80'],
    ['PETSTORE_PORT_80_TCP', 'tcp://10.0.0.1:80'],
    ['PETSTORE_PORT_80_TCP_PROTO', 'tcp'],
    ['PETSTORE_PORT_80_TCP_ADDR', '10.0.0.1'],
    ['PETSTORE_API_SERVICE_HOST', '10.0.0.1'],
    ['PETSTORE_API_PORT', 'tcp://10.0.0.1:80'],
    ['PETSTORE_API_PORT_443_TCP_PORT', '443'],
  ])('says nothing of %s, which Kubernetes sets', (name, value) => {
    expect(check({ [name]: value })).toEqual([]);
  });

  test('does not warn about other programs or about names in a configuration', () => {
    expect(check({ HOME: '/', PET: 'x', MY_PETSTORE_FOO: 'x' })).toEqual([]);
    expect(check({}, { PETSTORE_STAGING_KEY: 'x' }, ['PETSTORE_STAGING_KEY'])).toEqual([]);
  });
});
