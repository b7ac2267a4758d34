import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { bodyOf, isBeyondShown, shownAnimals } from './reads.ts';

const NULL = /"status"\s*:\s*null/;

const isAboutStatus = ({ finding }: Failure): boolean => /\/status$/.test(finding.pointer ?? '');
/** The animal that the finding points to, as far as the response shows it: of a list, the one at that place. */
function animalAt({ exchange, finding }: Failure): string {
  const index = /^\/(\d+)\//.exec(finding.pointer ?? '')?.[1];
  return index === undefined ? bodyOf(exchange) : (shownAnimals(exchange)[Number(index)] ?? '');
}

const isShown = (failure: Failure): boolean => isAboutStatus(failure) && NULL.test(animalAt(failure));

const SERDE = 'Give status #[serde(skip_serializing_if = "Option::is_none")]';

const JAVASCRIPT =
  'Reject a status of null where the body is validated, and set none where status has no value: JSON.stringify omits undefined, and writes null';

const ADVICE: Readonly<Record<string, string>> = {
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
      ADVICE,
      'Tell the serializer to omit fields without a value (FastAPI: response_model_exclude_none=True, PHP: leave them out of the array before json_encode)',
    ),
  clauses: ['record.pet', 'record.pets'],
  sign: (failure) =>
    isShown(failure) || (isAboutStatus(failure) && isBeyondShown(failure)) ? describeExchange(failure.exchange, NULL) : undefined,
  suffices: (signs) => signs.some(({ failure }) => isShown(failure)),
};
