import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { type Document, isCollection, isPair, isScalar, LineCounter, parseDocument } from 'yaml';
import { yamlValue } from '../../judge/yaml-value.ts';
import { ConfigError } from './config.ts';

/** The parsed file with a way back from a path to its line. */
export type ConfigText = { readonly value: unknown; readonly lineOf: (path: readonly string[]) => number };

const SCHEMA = new URL('../../../schemas/monitor.schema.json', import.meta.url);
let compiled: ValidateFunction | undefined;

function validator(): ValidateFunction {
  if (compiled !== undefined) return compiled;
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: true, strictTypes: false, strictRequired: false });
  ajvFormats.default(ajv, ['date']);
  compiled = ajv.compile(JSON.parse(readFileSync(fileURLToPath(SCHEMA), 'utf8')) as Record<string, unknown>);
  return compiled;
}

const index = (segment: string): string | number => (/^\d+$/.test(segment) ? Number(segment) : segment);

/** Offset of the key (or the item) at a path; of the nearest thing around it when it is not there. */
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

/** `targets[0].interval`, as a person names a field. */
export function fieldName(path: readonly string[]): string {
  return path.map((part, position) => (/^\d+$/.test(part) ? `[${part}]` : position === 0 ? part : `.${part}`)).join('') || 'the file';
}

const UNKNOWN_HINTS: Readonly<Record<string, string>> = {
  labels: 'labels of a target belong into the scrape configuration of Prometheus: here each would multiply all series',
  writes: 'a target that may be written to says so itself',
};

function unknownMember(error: ErrorObject): string | undefined {
  const name: unknown = error.params['additionalProperty'] ?? error.params['unevaluatedProperty'];
  return typeof name === 'string' ? name : undefined;
}

function describe(error: ErrorObject): { path: string[]; problem: string } {
  const path = segmentsOf(error.instancePath);
  const unknown = unknownMember(error);
  if (unknown !== undefined) {
    const hint = UNKNOWN_HINTS[unknown];
    return { path: [...path, unknown], problem: `is not a field of the configuration${hint === undefined ? '' : ` (${hint})`}` };
  }
  const schema = error.parentSchema as { description?: string } | undefined;
  const meaning = schema?.description === undefined ? '' : ` (${schema.description})`;
  switch (error.keyword) {
    case 'required':
      return { path, problem: `lacks the field "${String(error.params['missingProperty'])}"` };
    case 'pattern':
      return { path, problem: `has not the form that is wanted${meaning}` };
    case 'format':
      return { path, problem: `is no ${String(error.params['format'])} of the calendar${meaning}` };
    case 'enum':
      return { path, problem: `is none of ${(error.params['allowedValues'] as string[]).join(', ')}` };
    default:
      return { path, problem: `${error.message ?? error.keyword}${meaning}` };
  }
}

/** Reads YAML 1.2 and checks it against the schema; throws ConfigError with the line and the field of every problem. */
export function readConfigText(text: string, file: string): ConfigText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number): number => Math.max(1, lines.linePos(offset).line);
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) throw new ConfigError(broken.map(({ message, pos }) => `${file}:${at(pos[0])}: ${message}`));
  const lineOf = (path: readonly string[]): number => at(offsetOf(document, path));
  const parsed = yamlValue(document, lines);
  if (!parsed.ok) throw new ConfigError([`${file}:${parsed.line}: ${parsed.problem}`]);
  const { value } = parsed;
  const validate = validator();
  if (validate(value)) return { value, lineOf };
  // An object that fails `limits` also fails the `unevaluatedProperties` around it: only what is wrong at the bottom helps.
  const found = (validate.errors ?? []).map(describe);
  const deepest = found.filter(({ path }, position) => found.findIndex((other) => other.path.join('/') === path.join('/')) === position);
  throw new ConfigError(deepest.map(({ path, problem }) => `${file}:${lineOf(path)}: ${fieldName(path)} ${problem}`));
}
