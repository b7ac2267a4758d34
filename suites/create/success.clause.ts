import type { Breach } from '../../src/clause/clause.ts';
import { describeAnswer } from '../../src/expect/expect.ts';
import type { Event } from '../../src/oracle/event.ts';
import type { World } from '../../src/oracle/world.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { answeredId } from '../judging/creations/answered-id.ts';
import { describeBody } from '../judging/creations/describe-body.ts';
import { isOfFirst, judgePlain, plainIn } from './plain-creations.ts';

const CREATED = 201;
const LEAST_REJECTION = 300;

/** A spelling of a plain NewPet that does not change its meaning. */
type Spelling = { readonly what: string; readonly spell: (sent: NewPetInput) => string; readonly options: CallOptions };

const as = (what: string, spell: Spelling['spell'], options: CallOptions = {}): Spelling => ({ what, spell, options });
const escaped = (text: string): string => [...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

const LONGEST_PLAIN = 20;

const SPELLINGS: readonly Spelling[] = [
  as('with its properties in another order', ({ name, categoryId }) => writeJson({ categoryId, name })),
  as('with its status first', ({ name, categoryId }) => `{"status":"pending","categoryId":${categoryId},"name":"${name}"}`),
  as('with its status in the middle', ({ name, categoryId }) => `{"name":"${name}","status":"sold","categoryId":${categoryId}}`),
  as(
    'with an escaped letter in its status',
    ({ name, categoryId }) => `{"name":"${name}","categoryId":${categoryId},"status":"s\\u006fld"}`,
  ),
  as('with white space', ({ name, categoryId }) => `\r\n{\n\t"name" : "${name}" ,\n\t"categoryId" : ${categoryId}\n}\n`),
  as('with escaped letters', ({ name, categoryId }) => `{"n\\u0061me":"${escaped(name)}","categoryId":${categoryId}}`),
  as(`with a name of exactly ${LONGEST_PLAIN} letters`, (sent) => writeJson({ ...sent, name: sent.name.padEnd(LONGEST_PLAIN, 'Z') })),
  as('from a client that accepts anything', writeJson, { headers: [['accept', '*/*']] }),
  as('whose body arrives in two pieces', writeJson, { divided: true }),
  as('whose body arrives in chunks, without a Content-Length', writeJson, { chunked: true }),
];

async function sendSpelling(s: Session, { what, spell, options }: Spelling): Promise<Exchange> {
  const raw = spell(await s.fixtures.plain());
  return s.api.create({ raw }, { ...options, domain: options.chunked === true ? 'open' : 'plain', note: what });
}

/** A creation that the document leaves open does not succeed with a status other than 201. */
function judgeOtherSuccess(event: Event, { known }: World): 'not-applicable' | 'holds' | Breach {
  const { exchange, intent, status = 0, answer } = event;
  const { operation, body, credential } = intent;
  if (operation !== 'createPet' || body !== 'open' || credential !== 'valid' || answer === undefined) return 'not-applicable';
  if (plainIn(event) !== undefined) return 'not-applicable';
  if (status === CREATED) return 'holds';
  // The response shows an existing animal and nothing is created: the document does not rule that out.
  const shown = known.created.get(answeredId(exchange) ?? '');
  if (status >= LEAST_REJECTION || (status === 200 && shown !== undefined && shown.exchange !== exchange)) return 'not-applicable';
  return {
    summary: `POST /pets ${describeBody(exchange)} returned ${status}; the only success status is 201`,
    expected: ['201 with the created Pet', 'a rejection'],
    received: describeAnswer(exchange),
  };
}

export const createSuccess = defineRules({
  id: 'create.success',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: ['Success: `201`, body is the created Pet, including the assigned `id`.'],
  level: 'required',
  requirement:
    'A plain NewPet (a unique name of at most 20 ASCII letters, and a category that the service is known to accept) returns 201 with the created Pet. A service may reject what the document leaves open (a taken name, unknown properties, an id, other media types), but if it accepts, the response is 201 too.',
  likelyCause:
    'The service returns another success status (200, 202, 204) or an empty body, or requires something that the document does not mention: a header, a field, an id.',
  rules: [
    { layer: 'status', judge: (event, world) => judgePlain('create.success', event, world) },
    { layer: 'status', judge: judgeOtherSuccess },
  ],
  sent: [
    {
      id: 'plain',
      title: 'A plain NewPet returns 201 with the created Pet',
      step: 'first-page',
      effect: 'write',
      send: (s) => s.fixtures.firstCreations(),
      cases: isOfFirst,
      fault: 'create-answers-200',
    },
    {
      id: 'spellings',
      title: 'A plain NewPet is accepted however its JSON is spelled',
      step: 'write',
      needs: ['creation'],
      effect: 'write',
      send: (s) => s.all(s.portion(SPELLINGS), (spelling) => sendSpelling(s, spelling)),
      fault: 'create-needs-accept',
    },
  ],
  met: [
    {
      id: 'no-other-success',
      title: 'No creation that the document leaves open succeeds with a status other than 201',
      cases: ({ event }) => plainIn(event) === undefined,
      fault: 'duplicate-name-answered-200',
    },
    {
      id: 'every-plain-body',
      title: 'Every plain NewPet returns 201',
      cases: ({ event }) => plainIn(event) !== undefined,
      fault: 'create-refuses-second-in-category',
    },
  ],
});
