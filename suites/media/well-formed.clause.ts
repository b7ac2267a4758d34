import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import type { HttpResponse } from '../../src/wire/exchange.ts';
import { duplicateMemberOf } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { hasOwnBody, mediaTypeOf } from '../responses.ts';
import { documentedReads, documentedWrites, isCreationWithDocumentedStatus, isReadWithDocumentedStatus } from '../stimuli/documented.ts';

const BYTE_ORDER_MARK = '\ufeff';

type Problem = { readonly what: string; readonly received: string };

function problemOf({ text, json }: HttpResponse): Problem | undefined {
  if (text === undefined) return { what: 'is not UTF-8', received: 'another encoding' };
  if (text.startsWith(BYTE_ORDER_MARK)) return { what: 'starts with a byte order mark', received: 'a byte order mark' };
  if (!json.ok) return { what: `is not JSON: ${json.problem}`, received: 'something else' };
  const twice = duplicateMemberOf(json, text);
  if (twice === undefined) return undefined;
  return { what: `has an object with two different values for "${twice}"`, received: 'two values of one member' };
}

const NO_JSON = 'no response says that its body is JSON';

/**
 * Whether the Content-Type says that the body is JSON, or is missing. media.json alone judges a body that is declared as something else.
 */
function claimsJson(response: HttpResponse): boolean {
  const type = mediaTypeOf(response);
  return type === undefined || type === '' || type.endsWith('json');
}

function judgeForm({ response, exchange }: Event): 'not-applicable' | 'holds' | Breach {
  if (response === undefined || !hasOwnBody(response) || !claimsJson(response)) return 'not-applicable';
  // Of a body that was too large for the history, only its animals are kept.
  if (exchange.abridged === true && response.text === undefined) return 'not-applicable';
  const problem = problemOf(response);
  if (problem === undefined) return 'holds';
  return {
    summary: `the body of the ${response.status} response to ${describeRequest(exchange)} ${problem.what}`,
    expected: ['JSON in UTF-8 (RFC 8259), without a byte order mark or duplicate object members'],
    received: describeResponse(exchange),
    failureKinds: [{ place: 'body', expected: 'JSON in UTF-8', received: problem.received }],
  };
}

export const mediaWellFormed = defineRules({
  id: 'media.well-formed',
  chapter: 'media-type',
  section: 'What the service does',
  quote: [
    'The service is a pet store catalogue interface over HTTP with JSON bodies.',
    'All requests and responses that have a body use the media type `application/json`.',
  ],
  level: 'required',
  requirement:
    'Every application/json body is strict JSON in UTF-8: no byte order mark, no trailing comma, no NaN, nothing before or after it, and no object member that appears twice with different values.',
  likelyCause:
    'The JSON is assembled by hand or printed by the language instead of a serializer, or something is written before or after it.',
  rules: [{ layer: 'JSON', letter: true, judge: judgeForm }],
  sent: [
    {
      id: 'list-and-get',
      title: 'Successes and errors of listPets and getPet are strict JSON',
      step: 'read',
      needs: ['pets'],
      send: documentedReads,
      cases: ({ event }) => isReadWithDocumentedStatus(event),
      absent: NO_JSON,
    },
    {
      id: 'create',
      title: 'Successes and errors of createPet are strict JSON',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: documentedWrites,
      cases: ({ event }) => isCreationWithDocumentedStatus(event),
      absent: NO_JSON,
    },
  ],
  met: [{ id: 'every-body', title: 'Every JSON body is strict JSON' }],
});
