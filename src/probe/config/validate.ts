import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { type Document, isCollection, isPair, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { yamlValue } from '../../judge/yaml-value.ts';
import { readSchema } from '../../schema/files.ts';
import { ConfigError } from './config.ts';
import { GONE_FIELDS, GONE_VALUES } from './gone-fields.ts';
import { boundProblems, type Problem } from './reading.ts';

/** The parsed file, which can map a path back to its line. */
export type ConfigText = {
  readonly value: unknown;
  readonly lineOf: (path: readonly string[]) => number;
  readonly problems: readonly FormProblem[];
};

/** A finding of the schema; `unknown`: an extra field, which does not prevent reading the others. */
export type FormProblem = Problem & { readonly isUnknown: boolean };

let compiled: ValidateFunction | undefined;

function validator(): ValidateFunction {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
  // A date that does not exist can't be an expiry date.
  ajvFormats.default(ajv, ['date', 'date-time']);
  ajv.addSchema(readSchema('waivers.schema.json'));
  compiled = ajv.compile(readSchema('monitor.schema.json'));
  return compiled;
}

const index = (segment: string): string | number => (/^\d+$/.test(segment) ? Number(segment) : segment);

/** Offset of the key (or the item) at a path; of the nearest enclosing element if it does not exist. */
function offsetOf(document: Document, path: readonly string[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1).map(index), true);
    if (!isCollection(parent)) continue;
    const last = path[length - 1] ?? '';
    const pair = parent.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === last);
    if (isPair(pair) && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    const node = parent.get(index(last), true);
    if (isScalar(node) || isCollection(node)) return node.range?.[0] ?? 0;
  }
  return 0;
}

const segmentsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const LABELS_HINT = "set a target's labels in the scrape configuration of Prometheus; here, each would multiply all series";

const goneText = (instead: string): string => `was removed in version 3: ${instead}`;

function unknownField(name: string): string {
  const instead = GONE_FIELDS.get(name);
  if (instead !== undefined) return goneText(instead);
  return `not a field of the configuration${name === 'labels' ? ` (${LABELS_HINT})` : ''}`;
}

/** Also for an item of a list. */
function goneValue({ keyword, data }: ErrorObject, path: readonly string[]): string | undefined {
  const field = path.findLast((segment) => !/^\d+$/.test(segment)) ?? '';
  const instead = keyword === 'enum' ? GONE_VALUES[field]?.[String(data)] : undefined;
  return instead === undefined ? undefined : `${JSON.stringify(data)} ${goneText(instead)}`;
}

function unknownMember(error: ErrorObject): string | undefined {
  const name: unknown = error.params['additionalProperty'] ?? error.params['unevaluatedProperty'];
  return typeof name === 'string' ? name : undefined;
}

/** Fields that may contain a secret, completely or in part, if somebody wrote it out by mistake. */
const UNSHOWN = new Set(['apiKey', 'baseUrl', 'key', 'proxy', 'publicUrl', 'secret', 'token', 'url']);
const LONGEST_SHOWN = 40;

const KINDS: Readonly<Record<string, string>> = {
  object: 'a mapping of fields',
  array: 'a list',
  string: 'a text',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
};

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping of fields';
  const text = JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function expectation({ keyword, params, parentSchema, schema }: ErrorObject): string {
  const { description, pattern } = (parentSchema ?? {}) as { description?: string; pattern?: string };
  const described = description === undefined ? undefined : description.charAt(0).toLowerCase() + description.slice(1);
  switch (keyword) {
    case 'format':
      return params['format'] === 'date' ? 'a date such as 2027-01-31' : 'a time such as 2027-01-31T22:00:00Z';
    case 'type':
      // A required form says more than that the value must be a text.
      if (pattern !== undefined && described !== undefined) return described;
      return [params['type']]
        .flat()
        .map((type) => KINDS[String(type)] ?? String(type))
        .join(' or ');
    case 'enum':
      return `one of ${(params['allowedValues'] as string[]).join(', ')}`;
    case 'minimum':
      return `at least ${String(schema)}`;
    case 'maximum':
      return `at most ${String(schema)}`;
    case 'minItems':
      return `at least ${String(schema)} of them`;
    case 'maxItems':
      return `at most ${String(schema)} of them`;
    case 'minLength':
      return 'a non-empty string';
    default:
      return described ?? `what the schema says (${keyword})`;
  }
}

function received({ data }: ErrorObject, path: readonly string[]): string {
  if (typeof data !== 'object' && (UNSHOWN.has(path.at(-1) ?? '') || path.at(-2) === 'headers')) return '';
  return `, received ${Array.isArray(data) ? `a list of ${data.length}` : shown(data)}`;
}

function describe(error: ErrorObject): FormProblem {
  const path = segmentsOf(error.instancePath);
  const unknown = unknownMember(error);
  if (unknown !== undefined) return { isUnknown: true, path: [...path, unknown], text: unknownField(unknown) };
  if (error.keyword === 'required')
    return { isUnknown: false, path, text: `the field "${String(error.params['missingProperty'])}" is missing` };
  const gone = goneValue(error, path);
  return { isUnknown: false, path, text: gone ?? `expected ${expectation(error)}${received(error, path)}` };
}

/** Duplicate keys in one mapping; found here, because the parser compares each key with each other. */
function repeatedKeys(document: Document): { readonly at: number; readonly key: string }[] {
  const repeated: { at: number; key: string }[] = [];
  visit(document, {
    Map(_key, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (seen.has(key.value)) repeated.push({ at: key.range?.[0] ?? 0, key: String(key.value) });
        seen.add(key.value);
      }
    },
  });
  return repeated;
}

function parse(text: string, file: string): { value: unknown; document: Document; lineAt: (offset: number) => number } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const lineAt = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const broken = [
    ...[...document.errors, ...document.warnings].map(({ message, pos }) => ({ at: pos[0], message })),
    ...repeatedKeys(document).map(({ at, key }) => ({ at, message: `the key "${key}" appears twice` })),
  ];
  if (broken.length > 0) throw new ConfigError(boundProblems(broken, ({ at, message }) => `${file}:${lineAt(at)}: ${message}`));
  const parsed = yamlValue(document, lines);
  if (!parsed.ok) throw new ConfigError([`${file}:${parsed.line}: ${parsed.problem}`]);
  return { value: parsed.value, document, lineAt };
}

/** Reads YAML 1.2 and checks it against the schema; throws ConfigError with line numbers if it is not valid YAML. */
export function readConfigText(text: string, file: string): ConfigText {
  const { value, document, lineAt } = parse(text, file);
  const lineOf = (path: readonly string[]): number => lineAt(offsetOf(document, path));
  const validate = validator();
  if (validate(value)) return { value, lineOf, problems: [] };
  // An object that fails `limits` also fails the `unevaluatedProperties` around it: only the innermost errors help.
  const found = new Map<string, FormProblem>();
  for (const error of validate.errors ?? []) {
    const problem = describe(error);
    const key = problem.path.join('/');
    if (!found.has(key)) found.set(key, problem);
  }
  return { value, lineOf, problems: [...found.values()] };
}
