import { brokenBodies } from '../../src/arbitraries/invalid-bodies.ts';
import { CUT_BODIES, FOREIGN_BODIES, LENIENT_BODIES, NO_BODIES, TRAILING_BODIES } from '../cases/malformed-json.ts';
import { defineClause } from '../define.ts';
import { refusalInvariant, refusesAll, refusesGenerated } from '../judging/creations/invalid-bodies.ts';

const ID = 'create.body-json';

export const createBodyJson = defineClause({
  id: ID,
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  level: 'required',
  requirement:
    'A body that is no JSON text (RFC 8259) is refused with 400 and an Error: none at all, blank, cut off, with something behind it, in the spelling of JavaScript, or of another format under application/json.',
  likelyCause:
    'The reader stops at the end of the first value, repairs what is cut off, speaks JSON5, or falls back on form fields; or an empty body never reaches the validator (411, 415).',
  checks: [
    {
      id: 'none',
      title: 'A request without a body, or with a blank one, is refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'empty-body-accepted',
      run: refusesAll(ID, NO_BODIES),
    },
    {
      id: 'cut-off',
      title: 'Bodies that are cut off are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'cut-off-json-repaired',
      run: refusesAll(ID, CUT_BODIES),
    },
    {
      id: 'trailing',
      title: 'Bodies with something in front of the JSON or behind it are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'trailing-garbage-accepted',
      run: refusesAll(ID, TRAILING_BODIES),
    },
    {
      // RFC 8259, section 9, lets a reader take other forms as well; the document asks for JSON, and what is not JSON is no NewPet.
      id: 'lenient',
      title: 'Bodies in the spellings of JavaScript and JSON5 are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'single-quotes-accepted',
      run: refusesAll(ID, LENIENT_BODIES),
    },
    {
      id: 'foreign',
      title: 'Bodies of other formats under application/json are refused with 400',
      step: 'large-store',
      effect: 'write',
      fault: 'form-body-accepted',
      run: refusesAll(ID, FOREIGN_BODIES),
    },
    {
      id: 'generated',
      title: 'Valid bodies that are cut off or damaged anywhere are refused with 400',
      step: 'property',
      effect: 'write',
      fault: 'not-json-accepted',
      run: refusesGenerated(ID, { cases: brokenBodies(), planned: 12 }),
    },
  ],
  invariants: [refusalInvariant(ID, 'not-json-unsupported-media-type')],
});
