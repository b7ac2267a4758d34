import type { Breach } from '../../src/clause/clause.ts';
import { describeRequest, isRejected } from '../../src/expect/expect.ts';
import type { Event } from '../../src/oracle/event.ts';
import { defineRules } from '../define.ts';
import {
  documentedReads,
  documentedRejections,
  documentedWrites,
  isCreationWithDocumentedStatus,
  isReadWithDocumentedStatus,
} from '../stimuli/documented.ts';
import { CLIENTS, clientOf, LISTERS, otherStatuses, sendAs } from './clients.ts';
import { hasOwnBody, mediaTypeOf } from './media-type.ts';

/** A response body of the interface is application/json. Among undocumented requests, only those of other clients are judged. */
function judgeMediaType(event: Event): 'not-applicable' | 'holds' | Breach {
  const { answer, exchange, intent } = event;
  // hasOwnBody: not judged are empty bodies, redirects, and what a gateway may write (408, 413, 414, 429, 431, 502, 503, 504).
  if (answer === undefined || !hasOwnBody(answer)) return 'not-applicable';
  // clientOf: one of CLIENTS or LISTERS (see the kinds below).
  if (intent.undocumented === true && clientOf(event) === undefined) return 'not-applicable';
  const sent = answer.headers.filter(([name]) => name === 'content-type').map(([, value]) => value);
  if (mediaTypeOf(answer) === 'application/json' && sent.length === 1) return 'holds';
  const received = sent.length === 0 ? 'no Content-Type' : `Content-Type ${sent.join(' and ')}`;
  return {
    summary: `the ${answer.status} response to ${describeRequest(exchange)} has a body with ${received}`,
    expected: ['Content-Type: application/json'],
    received,
  };
}

export const mediaJson = defineRules({
  id: 'media.json',
  chapter: 'media-type',
  section: 'What the service does',
  quote: ['All requests and responses that have a body use the media type `application/json`.'],
  level: 'required',
  requirement:
    'Every response body, success or error, has the media type application/json, whatever else the client accepts; parameters and letter case are free.',
  likelyCause:
    'The framework or a proxy sends errors as HTML or text, the framework negotiates other formats, or a handler writes JSON without setting the header.',
  rules: [
    { layer: 'media type', letter: true, undocumented: true, judge: judgeMediaType },
    // otherStatuses: broken if one of these clients gets, twice, a status below 500 that is neither 401, nor the documented one, nor the
    // one that the usual client gets before and afterwards.
    { layer: 'status', judgeAll: otherStatuses },
  ],
  sent: [
    {
      id: 'list-and-get',
      title: 'Successes and errors of listPets and getPet are application/json',
      step: 'read',
      needs: ['pets'],
      // documentedReads: a list and a read with the API key and without it, and a read of an id that no animal has (200, 401, 404).
      send: documentedReads,
      // The cases are all lists and reads of the run with a status that the document names: 200, 401, and 404 of getPet.
      cases: ({ event }) => isReadWithDocumentedStatus(event),
      fault: 'content-type-html-on-404',
    },
    {
      id: 'other-clients',
      title: 'Browsers, clients that accept anything, and clients without an Accept header get application/json',
      step: 'read',
      needs: ['pets'],
      // sendAs: each of these requests as each of CLIENTS (no Accept, */*, JSON before */*, a browser); if the status differs from that of
      // the usual client, once more as both.
      send: async (s) => sendAs(s, CLIENTS, await documentedReads(s)),
      fault: 'html-for-browsers',
    },
    {
      id: 'other-listers',
      title: 'Clients that accept a single content coding, or weight their media types, get application/json',
      step: 'read',
      needs: ['pets'],
      // LISTERS, each with one list: gzip, deflate, br, zstd, identity, and weights.
      send: async (s) => sendAs(s, LISTERS, (await documentedReads(s)).slice(0, 1)),
      fault: 'weights-of-accept-ignored',
    },
    {
      id: 'create',
      title: 'Successes and errors of createPet are application/json',
      step: 'first-page',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // documentedWrites: plain NewPets without a status and with each, and `{}` with the API key and without it (201, 400, 401).
      send: documentedWrites,
      // The cases are all creations of the run that return 201, 400, or 401.
      cases: ({ event }) => isCreationWithDocumentedStatus(event),
      fault: 'content-type-plain-on-400',
    },
    {
      id: 'other-writers',
      title: 'Rejected creations from browsers and clients that accept anything get application/json',
      step: 'large-store',
      needs: ['pets'],
      accepts: 'createPet',
      effect: 'write',
      // documentedRejections: `{}` with the API key and without it. If one is accepted, it is not sent again: it leaves an animal each
      // time.
      send: async (s) =>
        sendAs(
          s,
          CLIENTS,
          (await documentedRejections(s)).filter(({ usual }) => isRejected(usual)),
        ),
      fault: 'redirect-of-refused-for-any',
    },
  ],
  met: [
    {
      id: 'every-body',
      title: 'Every body is application/json',
      cases: ({ event, others }) => event.intent.undocumented !== true && others === undefined,
      fault: 'content-type-sometimes-html',
    },
  ],
});
