import type { NewPetInput } from '../../src/schema/pet.ts';
import { writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { type OpenCreation, observeCreations, sendCreations } from './open-creations.ts';

function withBytes(question: string, bytes: readonly number[]): OpenCreation {
  return {
    question,
    body: ({ name, categoryId }) => ({
      raw: Buffer.concat([Buffer.from(`{"name":"${name}`), Buffer.from(bytes), Buffer.from(`","categoryId":${categoryId}}`)]),
    }),
  };
}

const asText = (question: string, make: (valid: NewPetInput) => Uint8Array | string): OpenCreation => ({
  question,
  body: (valid) => ({ raw: make(valid) }),
});

const CREATIONS: readonly OpenCreation[] = [
  asText('half a surrogate pair, escaped, in the name', ({ name, categoryId }) => `{"name":"${name}\\ud800","categoryId":${categoryId}}`),
  asText(
    'surrogates in the wrong order, escaped, in the name',
    ({ name, categoryId }) => `{"name":"${name}\\udc00\\ud800","categoryId":${categoryId}}`,
  ),
  withBytes('a byte that is not UTF-8 in the name', [0xff]),
  withBytes('an overlong encoding in the name', [0xc0, 0xaf]),
  withBytes('a surrogate encoded in UTF-8 in the name', [0xed, 0xa0, 0x80]),
  withBytes('Latin-1 in the name', [0xe9]),
  asText('a byte order mark before the body', (valid) => `\ufeff${writeJson(valid)}`),
  asText('a body in UTF-16', (valid) => Buffer.from(`\ufeff${writeJson(valid)}`, 'utf16le')),
];

export const createTextEncoding = defineRules({
  id: 'create.text-encoding',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: ['Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.'],
  level: 'open',
  requirement:
    'Records the response to bodies with damaged text: half a surrogate pair, bytes that are not UTF-8, a byte order mark, UTF-16. RFC 8259 requires senders to use UTF-8 (section 8.1) and lets parsers accept more; the document does not say. An error is still an Error, a 201 is still a Pet, and neither is a crash.',
  likelyCause: 'No action needed; a 400 keeps damaged text out of the store.',
  sent: [
    {
      id: 'damaged-text',
      title: 'Records the response to bodies with damaged text',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: (s) => sendCreations(s, CREATIONS),
      observe: (events) => observeCreations(events, CREATIONS),
    },
  ],
});
