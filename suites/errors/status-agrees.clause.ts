import type { Breach } from '../../src/clause/clause.ts';
import type { Event } from '../../src/oracle/world.ts';
import { describeRequest, describeResponse } from '../../src/session/read-exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { isInfrastructure } from '../responses.ts';
import { documentedReads, documentedWrites, isCreationWithDocumentedStatus, isReadWithDocumentedStatus } from '../stimuli/documented.ts';

const NO_STATUS = 'no error has an integer as its status';

/** The `status` of an Error is the HTTP status. errors.shape judges one that is not an integer. */
function judgeAgreement({ response, exchange }: Event): 'not-applicable' | 'holds' | Breach {
  if (response === undefined || response.status < 400 || isInfrastructure(response)) return 'not-applicable';
  const status = response.json.ok && isJsonObject(response.json.value) ? response.json.value['status'] : undefined;
  if (typeof status !== 'bigint' && !Number.isInteger(status)) return 'not-applicable';
  if (status === response.status) return 'holds';
  return {
    summary: `the ${response.status} response to ${describeRequest(exchange)} has "status": ${String(status)}`,
    expected: [`"status": ${response.status}`],
    received: describeResponse(exchange),
    pointer: '/status',
    failureKinds: [{ place: 'status', expected: 'the HTTP status', received: 'another number' }],
  };
}

export const errorsStatusAgrees = defineRules({
  id: 'errors.status-agrees',
  chapter: 'errors',
  section: 'Errors',
  quote: ['The `status` field of the body equals the HTTP status code.'],
  level: 'required',
  requirement: 'The status field of an Error equals the HTTP status code of its response.',
  likelyCause: 'Each handler sets the status by hand, an error object is shared, or a gateway changes the HTTP status later.',
  rules: [{ layer: 'values', letter: true, judge: judgeAgreement }],
  sent: [
    {
      id: 'list-and-get',
      title: 'The 401 of listPets and the 401 and 404 of getPet state their own status',
      step: 'read',
      needs: ['pets'],
      send: documentedReads,
      cases: ({ event }) => isReadWithDocumentedStatus(event),
      absent: NO_STATUS,
    },
    {
      id: 'create',
      title: 'The 400 and 401 of createPet state their own status',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      send: documentedWrites,
      cases: ({ event }) => isCreationWithDocumentedStatus(event),
      absent: NO_STATUS,
    },
  ],
  met: [{ id: 'every-error', title: 'Every Error states the HTTP status code of its response' }],
});
