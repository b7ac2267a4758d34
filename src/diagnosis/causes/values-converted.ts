import { PET_STATUSES } from '../../wire/exchange.ts';
import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { sentObject, shownObject, statusOf } from './reads.ts';

/** Texts that converters make of a value: JavaScript, JSON, Python. */
function spellings(value: unknown): readonly string[] {
  const text = String(value);
  return [text, JSON.stringify(value), text.charAt(0).toUpperCase() + text.slice(1)];
}

function isConvertedName(sent: unknown, shown: unknown): boolean {
  return typeof shown === 'string' && sent !== undefined && typeof sent !== 'string' && sent !== null && spellings(sent).includes(shown);
}

function isConvertedCategory(sent: unknown, shown: unknown): boolean {
  if (!Number.isInteger(shown) || sent === undefined || sent === null) return false;
  return typeof sent === 'number' ? !Number.isInteger(sent) : true;
}

function isConvertedStatus(sent: unknown, shown: unknown): boolean {
  if (Array.isArray(sent)) return sent.length === 1 && sent[0] === shown;
  return typeof sent === 'number' && sent >= 1 && PET_STATUSES[sent] === shown;
}

/** null that became an empty text or 0: a converter does that beside other conversions, a default value does it alone. */
function isConvertedNull(failure: Failure): boolean {
  const sent = sentObject(failure.exchange);
  const shown = shownObject(failure.exchange);
  return (
    (sent?.['name'] === null && ['', 'null', 'None'].includes(String(shown?.['name']))) ||
    (sent?.['categoryId'] === null && shown?.['categoryId'] === 0)
  );
}

function isConverted({ exchange }: Failure): boolean {
  const sent = sentObject(exchange);
  const shown = shownObject(exchange);
  if (sent === undefined || shown === undefined) return false;
  return (
    isConvertedName(sent['name'], shown['name']) ||
    isConvertedCategory(sent['categoryId'], shown['categoryId']) ||
    isConvertedStatus(sent['status'], shown['status'])
  );
}

const ADVICE: Readonly<Record<string, string>> = {
  Fastify:
    'Switch coercion off for bodies: a validator compiler of your own with coerceTypes: false for body, and the default one for the query',
  NestJS: 'Set transformOptions.enableImplicitConversion to false in ValidationPipe',
  FastAPI:
    'Declare name and categoryId alone with Field(strict=True) (or as StrictStr and StrictInt): FastAPI validates values that are parsed already, so a strict model rejects every status',
  'Spring Boot':
    'Tell Jackson: MapperFeature.ALLOW_COERCION_OF_SCALARS and DeserializationFeature.ACCEPT_FLOAT_AS_INT off, FAIL_ON_NUMBERS_FOR_ENUMS on, and for texts withCoercionConfig(LogicalType.Textual, ...) with CoercionAction.Fail for Integer, Float, and Boolean',
  Micronaut:
    'Read the body with a Deserializer of your own, from decoder.decodeNode(): Micronaut Serialization converts scalars and unwraps arrays of one value',
  'Django REST framework': 'Check the type of the raw value before IntegerField and CharField convert it (to_internal_value)',
};

export const valuesConverted: CauseRule = {
  id: 'values-converted',
  title: 'Values are converted to the declared type instead of being rejected',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      ADVICE,
      'Check the JSON type of each value before anything converts it, or disable conversion where the body is parsed (Fastify: a validator compiler with coerceTypes: false for bodies, FastAPI: Field(strict=True) on name and categoryId, PHP: is_int and is_string in place of filter_var and casts)',
    ),
  clauses: ['create.name-type', 'create.name-required', 'create.category-type', 'create.category-required', 'create.status-invalid'],
  sign: (failure) =>
    statusOf(failure.exchange) === 201 && (isConverted(failure) || isConvertedNull(failure))
      ? describeExchange(failure.exchange)
      : undefined,
  suffices: (signs) => signs.some(({ failure }) => isConverted(failure)),
};
