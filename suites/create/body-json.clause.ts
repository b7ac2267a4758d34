import { brokenBodies } from '../../src/arbitraries/invalid-bodies.ts';
import { CUT_BODIES, FOREIGN_BODIES, LENIENT_BODIES, NO_BODIES, TRAILING_BODIES } from '../cases/malformed-json.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant } from '../judging/creations/refusal-invariant.ts';
import { refusesAll } from '../judging/creations/refuses-all.ts';
import { refusesGenerated } from '../judging/creations/refuses-generated.ts';

const ID = 'create.body-json';

export const createBodyJson = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Request body (required, `application/json`): NewPet. `name` and `categoryId` must be present.',
    '`400` with an Error body when the body is missing required fields or contains invalid values',
  ],
  level: 'required',
  requirement:
    'createPet rejects a body that is not JSON (RFC 8259) with 400 and an Error body: missing, blank, truncated, with trailing content, in JavaScript syntax, or in another format sent as application/json.',
  likelyCause:
    'The parser stops after the first value, repairs truncated input, accepts JSON5, or falls back to form fields; or an empty body never reaches the validator (411, 415).',
  checks: [
    {
      id: 'missing',
      title: 'Rejects a missing or blank body with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'empty-body-accepted',
      run: refusesAll(ID, NO_BODIES),
    },
    {
      id: 'truncated',
      title: 'Rejects truncated bodies with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'cut-off-json-repaired',
      run: refusesAll(ID, CUT_BODIES),
    },
    {
      id: 'trailing',
      title: 'Rejects bodies with content before or after the JSON with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'trailing-garbage-accepted',
      run: refusesAll(ID, TRAILING_BODIES),
    },
    {
      // RFC 8259, section 9, lets parsers accept other forms too; but the document asks for JSON, and a body that is not JSON is not a NewPet.
      id: 'lenient',
      title: 'Rejects bodies in JavaScript or JSON5 syntax with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'single-quotes-accepted',
      run: refusesAll(ID, LENIENT_BODIES),
    },
    {
      id: 'other-formats',
      title: 'Rejects bodies in other formats, sent as application/json, with 400',
      step: 'large-store',
      given: ['creation'],
      effect: 'write',
      fault: 'form-body-accepted',
      run: refusesAll(ID, FOREIGN_BODIES),
    },
    {
      id: 'generated-bodies',
      title: 'Rejects valid bodies that are truncated or damaged anywhere with 400',
      step: 'property',
      given: ['creation'],
      effect: 'write',
      fault: 'not-json-accepted',
      run: refusesGenerated(ID, { cases: brokenBodies(), planned: 12 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'not-json-unsupported-media-type')],
});
