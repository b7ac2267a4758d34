import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { type FailureKind, placeOf } from '../clause/failure-kind.ts';
import { isJsonObject, type Json } from '../wire/json.ts';
import { readSchema } from './files.ts';

/** int64: an integer from -2^63 to 2^63-1 (OpenAPI format registry), judged on exact digits. */
export const INT64_MIN = -(2n ** 63n);
export const INT64_MAX = 2n ** 63n - 1n;

export function isInt64(value: unknown): value is number | bigint {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX;
}

export const MESSAGES = ['pet', 'new-pet', 'pets', 'pet-status', 'error'] as const;
export type Message = (typeof MESSAGES)[number];

/** What is wrong with a body: a JSON pointer (RFC 6901) and a phrase; and its kind, without values. */
export type SchemaProblem = { readonly pointer: string; readonly problem: string; readonly kind: FailureKind };

const OUT_OF_INT64 = 1e300;

function collect(): Ajv2020 {
  // The schemas are part of this package: a test validates them against their meta-schema, whose compilation takes longer than theirs.
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, meta: false, validateSchema: false });
  ajv.addFormat('int64', { type: 'number', validate: (n: number) => n >= -(2 ** 63) && n <= 2 ** 63 });
  for (const name of MESSAGES) ajv.addSchema(readSchema(`${name}.schema.json`));
  return ajv;
}

const schemas = collect();
const validators = new Map<Message, ValidateFunction>();

/** Compiled on first use: reads have no use for NewPet. */
function validatorOf(name: Message): ValidateFunction {
  const validate = validators.get(name) ?? schemas.getSchema(`https://petstore-conformance.example/schemas/${name}.schema.json`);
  if (validate === undefined) throw new Error(`compile schemas: ${name} is not among them`);
  validators.set(name, validate);
  return validate;
}

/** Ajv only knows doubles: a bigint is passed to it as a double inside or far outside int64, never near its bounds. */
function project(value: Json): unknown {
  if (typeof value === 'bigint') return value >= INT64_MIN && value <= INT64_MAX ? Number(value) : OUT_OF_INT64;
  // A number that was read as infinite is an integer with hundreds of digits.
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return OUT_OF_INT64;
  if (Array.isArray(value)) return value.map(project);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, project(member)]));
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}`;
}

function describe(error: ErrorObject): SchemaProblem {
  const pointer = error.instancePath;
  const of = (problem: string, kind: Partial<FailureKind> & Pick<FailureKind, 'expected'>): SchemaProblem => ({
    ...{ pointer, problem },
    kind: { place: placeOf(pointer), received: error.data === null ? 'null' : 'another type', ...kind },
  });
  switch (error.keyword) {
    case 'required': {
      const member = String(error.params['missingProperty']);
      return of(`has no field "${member}"`, { place: placeOf(`${pointer}/${member}`), expected: 'the member', received: 'missing' });
    }
    case 'format':
      return of('is outside int64 (-2^63 to 2^63-1)', { expected: 'int64', received: 'an integer outside int64' });
    case 'enum':
      return of(
        `is not one of ${(error.params['allowedValues'] as string[]).join(', ')}`,
        typeof error.data === 'string' ? { expected: 'a value of the enum', received: 'another string' } : { expected: 'a string' },
      );
    case 'type': {
      const type = withArticle(String(error.params['type']));
      return of(`must be ${type}`, { expected: type });
    }
    default:
      return of(error.message ?? error.keyword, { expected: 'what the schema says' });
  }
}

// The session, checks, and invariants look at the same parsed body.
const judged = new Map<Message, WeakMap<object, readonly SchemaProblem[]>>(MESSAGES.map((name) => [name, new WeakMap()]));

const SLICE = 100;
const MOST_PROBLEMS = 50;

/** Slice by slice, until the first that has problems: a million broken items would produce millions of problems. */
function problemsOfList(message: Message, items: readonly Json[]): readonly SchemaProblem[] {
  const validate = validatorOf(message);
  for (let from = 0; from === 0 || from < items.length; from += SLICE) {
    if (validate(items.slice(from, from + SLICE).map(project))) continue;
    const shift = (pointer: string): string => pointer.replace(/^\/(\d+)/, (_match, index: string) => `/${Number(index) + from}`);
    return (validate.errors ?? [])
      .slice(0, MOST_PROBLEMS)
      .map(describe)
      .map(({ pointer, ...problem }) => ({ pointer: shift(pointer), ...problem }));
  }
  return [];
}

function problemsOf(message: Message, value: Json): readonly SchemaProblem[] {
  if (message === 'pets' && Array.isArray(value)) return problemsOfList(message, value);
  const validate = validatorOf(message);
  return validate(project(value)) ? [] : (validate.errors ?? []).slice(0, MOST_PROBLEMS).map(describe);
}

/** The kinds of problems, each once. */
export function kindsOfProblems(problems: readonly SchemaProblem[]): readonly FailureKind[] {
  return [...new Map(problems.map(({ kind }) => [JSON.stringify(kind), kind])).values()];
}

/** What breaks the message's schema, at most 50 problems; empty if nothing does. */
export function schemaProblems(message: Message, value: Json): readonly SchemaProblem[] {
  const memo = typeof value === 'object' && value !== null ? judged.get(message) : undefined;
  const known = memo?.get(value as object);
  if (known !== undefined) return known;
  const problems = problemsOf(message, value);
  memo?.set(value as object, problems);
  return problems;
}
