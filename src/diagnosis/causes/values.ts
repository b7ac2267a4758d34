// Causes about what happens to a value or member.
import { PET_STATUSES } from '../../wire/exchange.ts';
import type { RedactedExchange } from '../../wire/redacted-exchange.ts';
import { adviceFor, type CauseRule, type Failure, type RunView, type Sign } from '../cause.ts';
import { bodyOf, describeExchange, isBeyondShown, sentObject, shownAnimals, shownObject, statusOf } from '../exchanges.ts';

const CASED_MEMBERS = ['name', 'categoryId'] as const;

const CASE_IN_GO =
  'encoding/json matches names in any letter case: decode into map[string]json.RawMessage first, and take name, categoryId, and status from it by their exact names, and reject null yourself, which json.Unmarshal takes for any of them';

const CASE_ADVICE: Readonly<Record<string, string>> = {
  gin: CASE_IN_GO,
  'Go net/http': CASE_IN_GO,
  Echo: CASE_IN_GO,
  'ASP.NET Core': 'Set PropertyNameCaseInsensitive of JsonSerializerOptions to false: its web defaults turn it on',
};

/** Whether the animal shows the value of a member whose name was sent in another letter case. */
function isTakenFrom(exchange: RedactedExchange, member: (typeof CASED_MEMBERS)[number]): boolean {
  const sent = sentObject(exchange) ?? {};
  const shown = shownObject(exchange)?.[member];
  return Object.entries(sent).some(
    ([name, value]) => name !== member && name.toLowerCase() === member.toLowerCase() && value === shown && sent[member] !== shown,
  );
}

/** Whether an animal was created from an object that does not have the member in any letter case. */
function isAcceptedWithout(exchange: RedactedExchange): boolean {
  const sent = sentObject(exchange);
  const names = new Set(Object.keys(sent ?? {}).map((name) => name.toLowerCase()));
  return statusOf(exchange) === 201 && sent !== undefined && CASED_MEMBERS.some((member) => !names.has(member.toLowerCase()));
}

export const memberCaseIgnored: CauseRule = {
  id: 'member-case-ignored',
  title: 'Members are recognized in any letter case: CategoryID counts as categoryId',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      CASE_ADVICE,
      `Match the names of members exactly where the body is read (Go: ${CASE_IN_GO}; Jackson, .NET: an option of the mapper)`,
    ),
  clauses: ['create.name-required', 'create.category-required', 'create.answer', 'create.round-trip'],
  sign: ({ exchange }) =>
    statusOf(exchange) === 201 && CASED_MEMBERS.some((member) => isTakenFrom(exchange, member)) ? describeExchange(exchange) : undefined,
  // If the member may be missing altogether, its value comes from elsewhere.
  suffices: (_signs, run) =>
    !run.failed('create.name-required', 'create.category-required').some(({ exchange }) => isAcceptedWithout(exchange)),
};

/** Texts that converters produce from a value: JavaScript, JSON, Python. */
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

/** null that became an empty text or 0: a converter makes other conversions too, a default value only this one. */
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

const CONVERSION_ADVICE: Readonly<Record<string, string>> = {
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
      CONVERSION_ADVICE,
      'Check the JSON type of each value before anything converts it, or disable conversion where the body is parsed (Fastify: a validator compiler with coerceTypes: false for bodies, FastAPI: Field(strict=True) on name and categoryId, PHP: is_int and is_string in place of filter_var and casts)',
    ),
  clauses: ['create.name-type', 'create.name-required', 'create.category-type', 'create.category-required', 'create.status-invalid'],
  sign: (failure) =>
    statusOf(failure.exchange) === 201 && (isConverted(failure) || isConvertedNull(failure))
      ? describeExchange(failure.exchange)
      : undefined,
  suffices: (signs) => signs.some(({ failure }) => isConverted(failure)),
};

const NULL_IN_GO = 'Decode status into a json.RawMessage, which is nil only where it was omitted, and take null and "" for values';

const NULL_IN_SERDE =
  'Give status #[serde(default, deserialize_with = "...")] with a function that reads a String and matches it: serde reads null as None where the field is an Option, and {"sold":null} as a variant of an enum';

const NULL_ADVICE: Readonly<Record<string, string>> = {
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
};

/** A null status, or one without letters, that was accepted. */
function isEmptyStatus({ exchange }: Failure): boolean {
  const sent = sentObject(exchange);
  return statusOf(exchange) === 201 && sent !== undefined && (sent['status'] === null || sent['status'] === '');
}

export const nullCountsAsMissing: CauseRule = {
  id: 'null-counts-as-missing',
  title: (signs) =>
    signs.some(({ failure }) => sentObject(failure.exchange)?.['status'] === '')
      ? 'A null or empty status is treated as an omitted status'
      : 'A null status is treated as an omitted status',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      NULL_ADVICE,
      'Distinguish the two where the body is parsed: status can be omitted, but null is not one of its values (pydantic: model_fields_set, Go: json.RawMessage or a map, PHP: array_key_exists in place of isset)',
    ),
  clauses: ['create.status-invalid'],
  sign: (failure) => (isEmptyStatus(failure) ? describeExchange(failure.exchange) : undefined),
  suffices: (signs) => signs.some(({ failure }) => sentObject(failure.exchange)?.['status'] === null),
};

const FIRST_END_ADVICE: Readonly<Record<string, string>> = {
  gin: 'Call Decode a second time and expect io.EOF, or use json.Unmarshal on the whole body',
  'Go net/http': 'Call Decode a second time and expect io.EOF, or use json.Unmarshal on the whole body',
  'Spring Boot': 'Set spring.jackson.deserialization.fail-on-trailing-tokens=true',
  Micronaut:
    'Take the body as a String, return 400 unless the JsonParser of Jackson finds nothing after the value, and call the Validator, as @Valid no longer does: Micronaut Serialization has no setting for it',
};

/** What follows the JSON object in the request; undefined if nothing does, or if it does not begin with an object. */
function trailing({ exchange }: Failure): string | undefined {
  const text = exchange.requestBody ?? '';
  const end = text.indexOf('}') + 1;
  const rest = text.slice(end).trim();
  try {
    JSON.parse(text.slice(0, end));
    return rest === '' ? undefined : rest;
  } catch {
    return undefined;
  }
}

export const jsonReadToFirstEnd: CauseRule = {
  id: 'json-read-to-first-end',
  title: 'The JSON parser stops after the first value and ignores what follows',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      FIRST_END_ADVICE,
      'Let the parser require the end of the body after the value (Go: a Decoder stops there, json.Unmarshal of the whole body does not)',
    ),
  clauses: ['create.body-json'],
  sign: (failure) =>
    statusOf(failure.exchange) === 201 && trailing(failure) !== undefined ? describeExchange(failure.exchange) : undefined,
  // A parser that accepts comments also accepts one after the value.
  suffices: (signs) => signs.filter(({ failure }) => !/^(?:\/\/|\/\*|#)/.test(trailing(failure) ?? '')).length >= 2,
};

const sent = ({ exchange }: Failure): string => exchange.requestBody ?? '';

const PYTHON_NAN =
  'Read the body with json.loads(body, parse_constant=reject), where reject raises ValueError: by default it takes NaN, Infinity, and -Infinity';

const NAN_ADVICE: Readonly<Record<string, string>> = {
  FastAPI: PYTHON_NAN,
  Flask: PYTHON_NAN,
  'Django REST framework': 'Leave STRICT_JSON of REST_FRAMEWORK at True, or give JSONParser a parse_constant that raises ValueError',
  'Spring Boot': 'Leave JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS off',
};

/** NaN or Infinity where JSON has a number, outside strings. */
const NO_NUMBER = /[:,[]\s*-?(?:NaN|Infinity)\b/;

export const nanAccepted: CauseRule = {
  id: 'nan-accepted',
  title: 'The JSON parser takes NaN and Infinity, which JSON does not have',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      NAN_ADVICE,
      'Let the parser reject NaN and Infinity (Python: json.loads with a parse_constant that raises, Ruby: allow_nan: false, Jackson: ALLOW_NON_NUMERIC_NUMBERS off)',
    ),
  clauses: ['create.body-json'],
  sign: (failure) => (statusOf(failure.exchange) === 201 && NO_NUMBER.test(sent(failure)) ? describeExchange(failure.exchange) : undefined),
};

/** Half of a surrogate pair, in JSON spelling. */
const HALF = /\\ud[89ab][\da-f]{2}(?!\\ud[c-f][\da-f]{2})|(?<!\\ud[89ab][\da-f]{2})\\ud[c-f][\da-f]{2}/i;

/** The same in bytes: reports show this for what is not valid UTF-8. */
const DAMAGED = '\ufffd';

const isCrash = ({ exchange }: Failure): boolean => exchange.method === 'POST' && statusOf(exchange) >= 500;

export const unpairedSurrogate: CauseRule = {
  id: 'unpaired-surrogate',
  title: 'Half of a surrogate pair in a text is accepted, and cannot be written again',
  advice:
    'Reject such a text with 400 where the body is validated: JSON can spell it ("\\ud800"), but UTF-8 cannot encode it (Python: text.encode() raises UnicodeEncodeError)',
  clauses: ['errors.no-server-error'],
  sign: (failure) =>
    isCrash(failure) && (HALF.test(sent(failure)) || sent(failure).includes(DAMAGED)) ? describeExchange(failure.exchange) : undefined,
  // If any body may crash the service, this one is not special.
  suffices: (signs, { failures }) => {
    const others = failures.filter((failure) => isCrash(failure) && !signs.some((sign) => sign.failure.exchange === failure.exchange));
    const isPlain = (failure: Failure): boolean => /^\{"name":"[A-Za-z]+","categoryId":\d+\}$/.test(sent(failure));
    return signs.some(({ failure }) => HALF.test(sent(failure))) && !others.some(isPlain);
  },
};

type Member = 'name' | 'categoryId' | 'status';

const MEMBERS: readonly Member[] = ['name', 'categoryId', 'status'];

function isInt64(digits: string): boolean {
  return BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

/** Whether a value, as JSON, is not valid for the member; null is a sign of other causes, and 1.0 is left open. */
const INVALID: Readonly<Record<Member, (value: string) => boolean>> = {
  name: (value) => !value.startsWith('"'),
  categoryId: (value) => (/^-?\d+$/.test(value) ? !isInt64(value) : !/^-?\d/.test(value)),
  status: (value) => !PET_STATUSES.some((status) => value === `"${status}"`),
};

const WANTED: Readonly<Record<Member, string>> = {
  name: 'a name other than a string',
  categoryId: 'a categoryId other than an integer of 64 bits (Python: type(value) is int, as isinstance takes True for one)',
  status:
    'a status other than available, pending, and sold, one that counts as false too (JavaScript: status !== undefined in place of status, PHP: in_array with true as the third argument)',
};

/** The invalid value of a member in the JSON text of an animal; undefined if it is valid or missing. */
function invalidIn(animal: string, member: Member): string | undefined {
  const value = new RegExp(`"${member}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*"|\\{[^{}]*\\}|\\[[^[\\]]*\\]|[^\\s,}]+)`).exec(animal)?.[1];
  return value === undefined || value === 'null' || !INVALID[member](value) ? undefined : value;
}

const isOfRecord = ({ clause }: Failure): boolean => clause.id === 'record.pet' || clause.id === 'record.pets';

/** The members whose invalid values were accepted, and shown by the 201: a service may store true as "1". */
function acceptedBy({ exchange }: Failure): readonly Member[] {
  const shown = bodyOf(exchange);
  if (statusOf(exchange) !== 201 || exchange.method !== 'POST') return [];
  return MEMBERS.filter((member) => invalidIn(exchange.requestBody ?? '', member) !== undefined && invalidIn(shown, member) !== undefined);
}

/** The invalid values of a member that the service accepted in creations of this run and then showed. */
function acceptedIn({ failures }: RunView, member: Member): ReadonlySet<string | undefined> {
  return new Set(
    failures.filter((failure) => acceptedBy(failure).includes(member)).map(({ exchange }) => invalidIn(bodyOf(exchange), member)),
  );
}

/** The member in which a Pet is wrong, if it shows a value that a creation should have rejected. */
function consequence(failure: Failure, run: RunView): Member | undefined {
  const [, index, name = ''] = /^(?:\/(\d+))?\/(\w+)$/.exec(failure.finding.pointer ?? '') ?? [];
  const member = MEMBERS.find((one) => one === name);
  if (!isOfRecord(failure) || member === undefined) return undefined;
  const accepted = acceptedIn(run, member);
  const animal = index === undefined ? bodyOf(failure.exchange) : shownAnimals(failure.exchange)[Number(index)];
  const isKnown = animal === undefined ? isBeyondShown(failure) && accepted.size > 0 : accepted.has(invalidIn(animal, member) ?? '');
  return isKnown ? member : undefined;
}

function membersOf(failure: Failure, run: RunView): readonly Member[] {
  if (!isOfRecord(failure)) return acceptedBy(failure);
  const member = consequence(failure, run);
  return member === undefined ? [] : [member];
}

/** The members that a creation should have been rejected for. */
function membersIn(signs: readonly Sign[]): readonly Member[] {
  const ofCreations = signs.filter(({ failure }) => !isOfRecord(failure)).flatMap(({ failure }) => acceptedBy(failure));
  return MEMBERS.filter((member) => ofCreations.includes(member));
}

const list = new Intl.ListFormat('en-US');

/** An invalid value that a creation accepted is wrong wherever it is shown: those places need no repair. */
export const invalidValueStored: CauseRule = {
  id: 'invalid-value-stored',
  title: (signs) => `An invalid ${list.format(membersIn(signs))} is accepted at creation, stored, and shown`,
  advice: (signs) =>
    `Reject it where the body is validated: ${membersIn(signs)
      .map((member) => WANTED[member])
      .join('; ')}`,
  clauses: ['create.status-invalid', 'create.category-type', 'create.category-range', 'create.name-type', 'record.pet', 'record.pets'],
  sign: (failure, run) => (membersOf(failure, run).length > 0 ? describeExchange(failure.exchange) : undefined),
  suffices: (signs) => membersIn(signs).length > 0,
};

const NULL = /"status"\s*:\s*null/;

const isAboutStatus = ({ finding }: Failure): boolean => /\/status$/.test(finding.pointer ?? '');
/** The animal that the finding points to, if the response shows it: in a list, the one at that position. */
function animalAt({ exchange, finding }: Failure): string {
  const index = /^\/(\d+)\//.exec(finding.pointer ?? '')?.[1];
  return index === undefined ? bodyOf(exchange) : (shownAnimals(exchange)[Number(index)] ?? '');
}

const isShown = (failure: Failure): boolean => isAboutStatus(failure) && NULL.test(animalAt(failure));

const SERDE = 'Give status #[serde(skip_serializing_if = "Option::is_none")]';

const JAVASCRIPT =
  'Reject a status of null where the body is validated, and set none where status has no value: JSON.stringify omits undefined, and writes null';

const WRITTEN_NULL_ADVICE: Readonly<Record<string, string>> = {
  'Spring Boot': 'Set spring.jackson.default-property-inclusion=non_null, or @JsonInclude(NON_NULL) on the record',
  Express: JAVASCRIPT,
  NestJS: JAVASCRIPT,
  Flask: 'Leave status out of the dict where it is None: jsonify has no setting for it',
  axum: SERDE,
  'Actix Web': SERDE,
  FastAPI: 'Set response_model_exclude_none=True on the routes',
  'ASP.NET Core': 'Set DefaultIgnoreCondition to JsonIgnoreCondition.WhenWritingNull',
};

export const nullsWritten: CauseRule = {
  id: 'nulls-written',
  title: 'A field without a value is written as null instead of being omitted',
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      WRITTEN_NULL_ADVICE,
      'Tell the serializer to omit fields without a value (FastAPI: response_model_exclude_none=True, PHP: leave them out of the array before json_encode)',
    ),
  clauses: ['record.pet', 'record.pets'],
  sign: (failure) =>
    isShown(failure) || (isAboutStatus(failure) && isBeyondShown(failure)) ? describeExchange(failure.exchange, NULL) : undefined,
  suffices: (signs) => signs.some(({ failure }) => isShown(failure)),
};

const NIL_SLICE = 'Start from pets := []Pet{} or make([]Pet, 0): encoding/json writes a nil slice as null';

const EMPTY_LIST_ADVICE: Readonly<Record<string, string>> = { gin: NIL_SLICE, 'Go net/http': NIL_SLICE, Echo: NIL_SLICE };

const NO_CONTENT = 204;

/** What a list that should be empty was written as; undefined where it holds something. */
function insteadOfEmpty({ exchange }: Failure): string | undefined {
  if (exchange.operation !== 'listPets') return undefined;
  if (statusOf(exchange) === NO_CONTENT) return 'as 204 without a body';
  const text = bodyOf(exchange).replace(/\s/g, '');
  if (statusOf(exchange) !== 200 || !['', 'null', '{}', '""'].includes(text)) return undefined;
  return text === '' ? 'without a body' : `as ${text}`;
}

export const emptyListWrittenOtherwise: CauseRule = {
  id: 'empty-list-written-otherwise',
  title: (signs) => `An empty list is written ${signs.map(({ failure }) => insteadOfEmpty(failure))[0]} instead of as []`,
  advice: (_signs, { products }) =>
    adviceFor(
      products,
      EMPTY_LIST_ADVICE,
      'Write [] where no animal matches (Go: a nil slice becomes null, PHP: JSON_FORCE_OBJECT makes {} of an empty array)',
    ),
  clauses: ['record.pets', 'list.success', 'list.status-accepted', 'list.limit-accepted'],
  sign: (failure) => (insteadOfEmpty(failure) === undefined ? undefined : describeExchange(failure.exchange)),
  // Where lists with animals are no arrays either, it is not for want of animals.
  suffices: (_signs, run) =>
    !run.failed('record.pets').some((failure) => failure.exchange.operation === 'listPets' && insteadOfEmpty(failure) === undefined),
};
