import type { Breach } from '../../src/clause/clause.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import { EQUIVALENTS, type Equivalent } from '../../src/session/client/equivalent.ts';
import { describeResponse } from '../../src/session/read-exchange.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { CREATED, LEAST_REJECTION } from '../../src/wire/statuses.ts';
import { defineRules } from '../define.ts';
import { inAnyCompany } from '../stimuli/company.ts';
import { describeBody, isOfFirst, judgePlain, notCreated, plainIn, returnedId } from './creations.ts';

const LONGEST_PLAIN = 20;

type Form = Pick<Equivalent, 'what'> & CallOptions & { readonly change?: (sent: NewPetInput) => NewPetInput };

const FORMS: readonly Form[] = [
  // The kind in-any-company varies headers.
  ...EQUIVALENTS.body,
  {
    what: `with a name of exactly ${LONGEST_PLAIN} letters`,
    change: (sent) => ({ ...sent, name: sent.name.padEnd(LONGEST_PLAIN, sent.name.slice(-1)) }),
  },
  { what: 'whose body arrives in chunks, without a Content-Length', chunked: true },
];

async function sendForm(s: Session, { what, change, ...options }: Form, turn: number): Promise<Exchange> {
  // create.status-optional judges bodies without a status.
  const plain = await s.fixtures.plain(turn % 2 === 0 ? 'pending' : 'sold');
  const domain = options.chunked === true ? 'open' : 'plain';
  return s.api.create({ value: change?.(plain) ?? plain }, { ...options, domain, note: what });
}

/** A creation that the service may reject does not succeed without a 201 that shows the created Pet. */
function judgeOtherSuccess(event: Event, { known }: World): 'not-applicable' | 'holds' | Breach {
  const { exchange, intent, status = 0, response } = event;
  const { operation, body, credential } = intent;
  if (operation !== 'createPet' || credential !== 'valid' || response === undefined) return 'not-applicable';
  if ((body !== 'open' && body !== 'unusual') || plainIn(event) !== undefined) return 'not-applicable';
  if (status === CREATED) return notCreated(event, `POST /pets ${describeBody(exchange)}`) ?? 'holds';
  // The clause of the unusual value judges any other status.
  if (body === 'unusual') return 'not-applicable';
  // The response shows an existing animal and nothing is created: the document does not rule that out.
  const shown = known.created.get(returnedId(exchange) ?? '');
  if (status >= LEAST_REJECTION || (status === 200 && shown !== undefined && shown.exchange !== exchange)) return 'not-applicable';
  return {
    summary: `POST /pets ${describeBody(exchange)} returned ${status}; the only success status is 201`,
    expected: ['201 with the created Pet', 'a rejection'],
    received: describeResponse(exchange),
    failureKinds: [{ place: 'HTTP status', expected: '201' }],
  };
}

export const createSuccess = defineRules({
  id: 'create.success',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: ['Success: `201`, body is the created Pet, including the assigned `id`.'],
  level: 'required',
  requirement:
    'A plain NewPet (a unique name of at most 20 ASCII letters, a capital and small ones unless the service shows another letter case, and a category that the service is known to accept) returns 201 with the created Pet. A service may reject what the document leaves open (a taken name, unknown properties, an id, other media types), but if it accepts, the response is 201 too.',
  likelyCause:
    'The service requires something that the document does not mention (a header or its spelling, a field, an id), or returns another success status (200, 202, 204) or an empty body.',
  rules: [
    { layer: 'status', judge: (event, world) => judgePlain('create.success', event, world) },
    // Nothing in a body that is no JSON can be read.
    { layer: 'status', judge: judgeOtherSuccess, after: ['media.well-formed'] },
  ],
  sent: [
    {
      id: 'plain',
      title: 'A plain NewPet returns 201 with the created Pet',
      step: 'first-page',
      effect: 'write',
      send: (s) => s.fixtures.firstCreations(),
      cases: isOfFirst,
    },
    {
      id: 'spellings',
      title: 'A plain NewPet is accepted however its JSON is spelled',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: (s) => s.all(s.portion(FORMS), (form, turn) => sendForm(s, form, turn)),
    },
    {
      id: 'in-any-company',
      title:
        'A plain NewPet is accepted with other headers, after requests of any kind, after a pause, and while other bodies are still arriving',
      step: 'alone',
      needs: ['creation'],
      exhaustive: true,
      mixing: true,
      effect: 'write',
      send: inAnyCompany,
    },
  ],
  met: [
    {
      id: 'no-other-success',
      title: 'No creation that the service may reject succeeds without a 201 that shows the created Pet',
      cases: ({ event }) => plainIn(event) === undefined,
    },
    {
      id: 'every-plain-body',
      title: 'Every plain NewPet returns 201',
      cases: ({ event }) => plainIn(event) !== undefined,
    },
  ],
});
