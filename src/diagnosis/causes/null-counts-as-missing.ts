import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { sentObject, statusOf } from './reads.ts';

const GO = 'Decode status into a json.RawMessage, which is nil only where it was omitted, and take null and "" for values';

const SERDE =
  'Give status #[serde(default, deserialize_with = "...")] with a function that reads a String and matches it: serde reads null as None where the field is an Option, and {"sold":null} as a variant of an enum';

const ADVICE: Readonly<Record<string, string>> = {
  FastAPI: 'Return 400 where the body has status in its model_fields_set (it was sent) and its value is None',
  'Spring Boot':
    'Read the body as a JsonNode and ask has("status") whether status was sent: a record cannot tell null from a missing member',
  NestJS: 'Replace @IsOptional() of status by @ValidateIf((_pet, value) => value !== undefined): IsOptional lets null pass too',
  Express: 'Ask status !== undefined in place of status: null and "" count as false',
  Flask: 'Ask "status" in data in place of data.get("status") is not None',
  Micronaut: 'Ask the JsonNode of the body for "status" in a deserializer of your own: get returns null where it was omitted alone',
  axum: SERDE,
  'Actix Web': SERDE,
  gin: GO,
  'Go net/http': GO,
  Echo: GO,
};

/** A status of null or of no letters that was accepted. */
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
      ADVICE,
      'Distinguish the two where the body is parsed: status can be omitted, but null is not one of its values (pydantic: model_fields_set, Go: json.RawMessage or a map, PHP: array_key_exists in place of isset)',
    ),
  clauses: ['create.status-invalid'],
  sign: (failure) => (isEmptyStatus(failure) ? describeExchange(failure.exchange) : undefined),
  suffices: (signs) => signs.some(({ failure }) => sentObject(failure.exchange)?.['status'] === null),
};
