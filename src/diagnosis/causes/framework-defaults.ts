// What frameworks do by default, and where each is told to do something else. When a clause is broken, its condition says; a cause of this table is named
// only where a response shows the framework.

import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { adviceFor, type CauseRule, type DiagnosedRun, type Failure } from '../cause.ts';
import { bodyOf, describeExchange, isBeyondShown, numberOf, parseObject, sentObject, shownObject, statusOf } from '../exchanges.ts';
import { writerCluesOf } from '../fingerprints/fingerprint.ts';

type Default = Pick<CauseRule, 'id' | 'clauses'> & {
  readonly title: string;
  readonly shows: (failure: Failure) => boolean;
  /** The part of a long body that the evidence must show. */
  readonly focus?: RegExp;
  /** By product: each was carried out on a server of that product. */
  readonly advice: Readonly<Record<string, string>>;
};

const ofFramework = ({ shows, focus, advice, ...rule }: Default): CauseRule => ({
  ...rule,
  advice: (_signs, run) => adviceFor(productsOf(run), advice),
  sign: (failure) => (shows(failure) ? describeExchange(failure.exchange, focus) : undefined),
  suffices: (_signs, run) => [...productsOf(run)].some((product) => advice[product] !== undefined),
});

/** Those that wrote a response; without any, Go, if a response is what its standard library makes of a defect. */
function productsOf({ products, failures }: DiagnosedRun): ReadonlySet<string> {
  return products.size === 0 && failures.some(isOfGo) ? new Set(['Go net/http']) : products;
}

/** json.Encoder ends each value with a line end. That alone is common, and with one of these defects it is not. */
function isOfGo(failure: Failure): boolean {
  const { exchange } = failure;
  const traces = writerCluesOf(exchange);
  const isEncoded =
    /^\S[^\n]*\n$/.test(bodyOf(exchange)) && traces?.header('server') === undefined && traces?.header('x-powered-by') === undefined;
  return isEncoded && ((isCreated(failure) && isTakenFromOtherLetterCase(failure)) || isNullList(failure));
}

const isCreated = ({ exchange }: Failure): boolean => statusOf(exchange) === 201;

const CASE_IN_GO =
  'encoding/json matches names in any letter case: decode into map[string]json.RawMessage first, and take name, categoryId, and status from it by their exact names, and reject null yourself, which json.Unmarshal takes for any of them';

function isTakenFromOtherLetterCase({ exchange }: Failure): boolean {
  const shown = shownObject(exchange) ?? {};
  return Object.entries(sentObject(exchange) ?? {}).some(([name, value]) =>
    ['name', 'categoryId'].some((member) => member !== name && member.toLowerCase() === name.toLowerCase() && shown[member] === value),
  );
}

function isConverted({ exchange }: Failure): boolean {
  const [sent, shown] = [sentObject(exchange) ?? {}, shownObject(exchange)];
  return (
    shown !== undefined &&
    ['name', 'categoryId', 'status'].some(
      (member) => (sent[member] ?? null) !== null && JSON.stringify(sent[member]) !== JSON.stringify(shown[member]),
    )
  );
}

const NULL_IN_GO = 'Decode status into a json.RawMessage, which is nil only where it was omitted, and take null and "" for values';
const NULL_IN_SERDE =
  'Give status #[serde(default, deserialize_with = "...")] with a function that reads a String and matches it: serde reads null as None where the field is an Option, and {"sold":null} as a variant of an enum';

/** Whether something other than a comment follows the JSON object in the request. */
function hasTrailing({ exchange: { requestBody: text = '' } }: Failure): boolean {
  const end = text.indexOf('}') + 1;
  return parseObject(text.slice(0, end)) !== undefined && /^[^\s/#]/.test(text.slice(end).trim());
}

const FIRST_END_IN_GO = 'Call Decode a second time and expect io.EOF, or use json.Unmarshal on the whole body';

const NAN_OR_INFINITY = /[:,[]\s*-?(?:NaN|Infinity)\b/;
const NAN_IN_PYTHON =
  'Read the body with json.loads(body, parse_constant=reject), where reject raises ValueError: by default it takes NaN, Infinity, and -Infinity';

const NULL_STATUS = /"status"\s*:\s*null/;
const isAboutStatus = ({ finding }: Failure): boolean => /\/status$/.test(finding.pointer ?? '');

const OMITTED_IN_SERDE = 'Give status #[serde(skip_serializing_if = "Option::is_none")]';
const OMITTED_IN_JAVASCRIPT =
  'Reject a status of null where the body is validated, and set none where status has no value: JSON.stringify omits undefined, and writes null';

const NIL_SLICE = 'Start from pets := []Pet{} or make([]Pet, 0): encoding/json writes a nil slice as null';

/** An integer that only a double is spelled as: digits that were rounded away, outside int64. */
const ROUNDED_INTEGER = /"(?:id|categoryId)"\s*:\s*-?(?:\d+(?:\.\d+)?e\+?\d+|9223372036854776000|18446744073709552000)\b/i;

/** The integer that a request is about, and the one that its response shows. */
function integersOf(exchange: RedactedExchange): readonly [sent: string | undefined, shown: string | undefined] {
  const isRead = exchange.method === 'GET';
  const sent = isRead ? /\/pets\/(-?\d+)$/.exec(exchange.url)?.[1] : numberOf(exchange.requestBody, 'categoryId');
  return [sent, numberOf(bodyOf(exchange), isRead ? 'id' : 'categoryId')];
}

/** Whether other digits of the same double were returned, or an int64 that is none of them was rejected. */
function isRoundedToDouble(exchange: RedactedExchange): boolean {
  const [sent, shown] = integersOf(exchange);
  if (sent === undefined || Number.isSafeInteger(Number(sent))) return false;
  return statusOf(exchange) === 400 ? exchange.method === 'GET' : shown !== undefined && shown !== sent && Number(shown) === Number(sent);
}

const EXACT_DIGITS =
  'Read and write JSON with exact digits, as BigInt (lossless-json, json-bigint, or from Node 22 on a reviver with context.source and JSON.rawJSON), check for int64 by code of your own, as validators of integers take no BigInt, and take an id of the path for one too';

/** What res.json of Express (and so of NestJS) needs. */
const REPLACER = 'with context.source, and JSON.rawJSON in the setting "json replacer"';

function isPageForBrowser({ exchange }: Failure): boolean {
  const { contentType = '', status = 0 } = writerCluesOf(exchange) ?? {};
  const accepts = exchange.requestHeaders.some(([name, value]) => name === 'accept' && value.includes('text/html'));
  return accepts && (contentType.startsWith('text/html') || status === 302 || status === 303);
}

const isNullList = ({ exchange }: Failure): boolean => exchange.operation === 'listPets' && bodyOf(exchange).trim() === 'null';

const DEFAULTS: readonly Default[] = [
  {
    id: 'browsers-get-pages',
    title: 'Clients that accept text/html get pages or redirects instead of JSON',
    clauses: ['media.json', 'auth.missing-credential', 'errors.answers'],
    shows: isPageForBrowser,
    advice: {
      'Django REST framework': 'Set DEFAULT_RENDERER_CLASSES in REST_FRAMEWORK to JSONRenderer alone',
      Micronaut:
        'Set micronaut.security.redirect.enabled=false, and write errors in an ErrorResponseProcessor of your own: the default one writes pages',
    },
  },
  {
    id: 'integers-through-double',
    title: 'Integers pass through a floating-point number and lose digits',
    clauses: [
      ...(['create.category-range', 'create.unusual-categories', 'create.round-trip', 'create.answer'] as const),
      ...(['record.pet', 'record.pets', 'record.same-animal', 'get.identity', 'get.not-found', 'get.success'] as const),
    ],
    shows: ({ exchange, finding }) =>
      [...finding.exchanges, exchange].some(isRoundedToDouble) ||
      (/\/(?:id|categoryId)$/.test(finding.pointer ?? '') && ROUNDED_INTEGER.test(bodyOf(exchange))),
    focus: ROUNDED_INTEGER,
    advice: {
      Fastify:
        'Parse bodies with exact digits (addContentTypeParser with lossless-json or json-bigint), and check that categoryId is an int64 by a keyword of your own (ajv.customOptions.keywords), as Ajv takes no BigInt for an integer; fast-json-stringify writes one',
      NestJS: `Parse bodies to BigInt: from Node 22 on by app.useBodyParser('json', { reviver }) ${REPLACER}, else by lossless-json in a pipe and an interceptor. Check categoryId for int64 by ValidateBy, as @IsInt rejects every BigInt`,
      Express: `Parse bodies to BigInt and reject what is outside int64: from Node 22 on by express.json({ reviver }) ${REPLACER}, else by lossless-json after express.text, which lets null and texts through, and in place of res.json, which takes no BigInt`,
      hapi: EXACT_DIGITS,
      Hono: 'With Zod, take petId as z.coerce.bigint(), as int() rejects integers beyond 2^53, and categoryId as z.int64() from a body that lossless-json or json-bigint parsed, and write with that too: c.req.json rounds, and c.json takes no BigInt',
    },
  },
  {
    id: 'member-case-ignored',
    title: 'Members are recognized in any letter case: CategoryID counts as categoryId',
    clauses: ['create.name-required', 'create.category-required', 'create.answer', 'create.round-trip'],
    shows: (failure) => isCreated(failure) && isTakenFromOtherLetterCase(failure),
    advice: {
      gin: CASE_IN_GO,
      'Go net/http': CASE_IN_GO,
      Echo: CASE_IN_GO,
      'ASP.NET Core': 'Set PropertyNameCaseInsensitive of JsonSerializerOptions to false: its web defaults turn it on',
    },
  },
  {
    id: 'values-converted',
    title: 'Values are converted to the declared type instead of being rejected',
    clauses: ['create.name-type', 'create.category-type', 'create.status-invalid'],
    shows: (failure) => isCreated(failure) && isConverted(failure),
    advice: {
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
    },
  },
  {
    id: 'null-counts-as-missing',
    title: 'A null status is treated as an omitted status',
    clauses: ['create.status-invalid'],
    shows: (failure) => isCreated(failure) && sentObject(failure.exchange)?.['status'] === null,
    advice: {
      FastAPI: 'Return 400 where the body has status in its model_fields_set (it was sent) and its value is None',
      'Spring Boot':
        'Read the body as a JsonNode and ask has("status") whether status was sent: a record cannot tell null from a missing member',
      NestJS: 'Replace @IsOptional() of status by @ValidateIf((_pet, value) => value !== undefined): IsOptional lets null pass too',
      Express: 'Ask status !== undefined in place of status: null and "" count as false',
      Flask: 'Ask "status" in data in place of data.get("status") is not None',
      Micronaut: 'Ask the JsonNode of the body for "status" in a deserializer of your own: get returns null where it was omitted alone',
      axum: NULL_IN_SERDE,
      'Actix Web': NULL_IN_SERDE,
      gin: NULL_IN_GO,
      'Go net/http': NULL_IN_GO,
      Echo: NULL_IN_GO,
    },
  },
  {
    id: 'json-read-to-first-end',
    title: 'The JSON parser stops after the first value and ignores what follows',
    clauses: ['create.body-json'],
    shows: (failure) => isCreated(failure) && hasTrailing(failure),
    advice: {
      gin: FIRST_END_IN_GO,
      'Go net/http': FIRST_END_IN_GO,
      'Spring Boot': 'Set spring.jackson.deserialization.fail-on-trailing-tokens=true',
      Micronaut:
        'Take the body as a String, return 400 unless the JsonParser of Jackson finds nothing after the value, and call the Validator, as @Valid no longer does: Micronaut Serialization has no setting for it',
    },
  },
  {
    id: 'nan-accepted',
    title: 'The JSON parser takes NaN and Infinity, which JSON does not have',
    clauses: ['create.body-json'],
    shows: (failure) => isCreated(failure) && NAN_OR_INFINITY.test(failure.exchange.requestBody ?? ''),
    advice: {
      FastAPI: NAN_IN_PYTHON,
      Flask: NAN_IN_PYTHON,
      'Django REST framework': 'Leave STRICT_JSON of REST_FRAMEWORK at True, or give JSONParser a parse_constant that raises ValueError',
      'Spring Boot': 'Leave JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS off',
    },
  },
  {
    id: 'nulls-written',
    title: 'A field without a value is written as null instead of being omitted',
    clauses: ['record.pet', 'record.pets'],
    shows: (failure) => isAboutStatus(failure) && (NULL_STATUS.test(bodyOf(failure.exchange)) || isBeyondShown(failure)),
    focus: NULL_STATUS,
    advice: {
      'Spring Boot': 'Set spring.jackson.default-property-inclusion=non_null, or @JsonInclude(NON_NULL) on the record',
      Express: OMITTED_IN_JAVASCRIPT,
      NestJS: OMITTED_IN_JAVASCRIPT,
      Flask: 'Leave status out of the dict where it is None: jsonify has no setting for it',
      axum: OMITTED_IN_SERDE,
      'Actix Web': OMITTED_IN_SERDE,
      FastAPI: 'Set response_model_exclude_none=True on the routes',
      'ASP.NET Core': 'Set DefaultIgnoreCondition to JsonIgnoreCondition.WhenWritingNull',
    },
  },
  {
    id: 'empty-list-written-otherwise',
    title: 'An empty list is written as null instead of as []',
    clauses: ['record.pets', 'list.success', 'list.status-accepted', 'list.limit-accepted'],
    shows: isNullList,
    advice: { gin: NIL_SLICE, 'Go net/http': NIL_SLICE, Echo: NIL_SLICE },
  },
];

/** Those that need more evidence come first. */
export const frameworkDefaults: readonly CauseRule[] = DEFAULTS.map(ofFramework);
