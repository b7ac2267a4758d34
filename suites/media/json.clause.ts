import { defineClause } from '../define.ts';
import { documentedReads } from '../errors/documented-reads.ts';
import { documentedWrites } from '../errors/documented-writes.ts';
import { judgeDocumented } from '../judging/documented/judge-documented.ts';
import { judgeMediaType } from './judge-media-type.ts';
import { judgeOtherListers, judgeOtherReaders, judgeOtherWriters } from './other-clients.ts';

export const mediaJson = defineClause({
  id: 'media.json',
  chapter: 'media-type',
  section: 'What the service does',
  quote: ['All requests and responses that have a body use the media type `application/json`.'],
  level: 'required',
  requirement:
    'Every response body, success or error, has the media type application/json, whatever else the client accepts; parameters and letter case are free.',
  likelyCause:
    'The framework or a proxy sends errors as HTML or text, the framework negotiates other formats, or a handler writes JSON without setting the header.',
  checks: [
    {
      id: 'list-and-get',
      title: 'Successes and errors of listPets and getPet are application/json',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'get.not-found'],
      fault: 'content-type-html-on-404',
      run: async (s) =>
        judgeDocumented(s, { documented: await documentedReads(s), judge: judgeMediaType, evidence: 'as application/json' }),
    },
    {
      id: 'other-clients',
      title: 'Browsers, clients that accept anything, and clients without an Accept header get application/json',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'get.not-found'],
      fault: 'html-for-browsers',
      run: judgeOtherReaders,
    },
    {
      id: 'other-listers',
      title: 'Clients that accept a single content coding, or weight their media types, get application/json',
      step: 'read',
      given: ['animal', 'read', 'rejection', 'get.not-found'],
      fault: 'weights-of-accept-ignored',
      run: judgeOtherListers,
    },
    {
      id: 'create',
      title: 'Successes and errors of createPet are application/json',
      step: 'first-page',
      given: ['pets', 'rejection', 'create.name-required'],
      effect: 'write',
      fault: 'content-type-plain-on-400',
      run: async (s) =>
        judgeDocumented(s, { documented: await documentedWrites(s), judge: judgeMediaType, evidence: 'as application/json' }),
    },
    {
      id: 'other-writers',
      title: 'Rejected creations from browsers and clients that accept anything get application/json',
      step: 'large-store',
      given: ['pets', 'rejection', 'create.name-required'],
      effect: 'write',
      fault: 'redirect-of-refused-for-any',
      run: judgeOtherWriters,
    },
  ],
  invariants: [{ id: 'every-body', title: 'Every body is application/json', fault: 'content-type-sometimes-html', judge: judgeMediaType }],
});
