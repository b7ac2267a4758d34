import type { CauseRule } from '../cause.ts';
import { describeExchange } from '../describe.ts';
import type { Failure } from '../run-view.ts';
import { adviceFor } from './advice-for.ts';
import { statusOf } from './reads.ts';

const ADVICE: Readonly<Record<string, string>> = {
  gin: 'Call Decode a second time and expect io.EOF, or use json.Unmarshal on the whole body',
  'Go net/http': 'Call Decode a second time and expect io.EOF, or use json.Unmarshal on the whole body',
  'Spring Boot': 'Set spring.jackson.deserialization.fail-on-trailing-tokens=true',
  Micronaut:
    'Take the body as a String, return 400 unless the JsonParser of Jackson finds nothing after the value, and call the Validator, as @Valid no longer does: Micronaut Serialization has no setting for it',
};

/** What stands behind the JSON object that was sent; undefined where nothing does, or no object stands first. */
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
      ADVICE,
      'Let the parser require the end of the body after the value (Go: a Decoder stops there, json.Unmarshal of the whole body does not)',
    ),
  clauses: ['create.body-json'],
  sign: (failure) =>
    statusOf(failure.exchange) === 201 && trailing(failure) !== undefined ? describeExchange(failure.exchange) : undefined,
  // A parser that takes comments takes one behind the value too.
  suffices: (signs) => signs.filter(({ failure }) => !/^(?:\/\/|\/\*|#)/.test(trailing(failure) ?? '')).length >= 2,
};
