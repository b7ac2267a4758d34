import type { Breach } from '../../src/clause/clause.ts';
import { failOr, haltInconclusive, inconclusive, pass } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { answerOf, describeAnswer, finding, petOf, statusOf } from '../../src/expect/expect.ts';
import type { Event } from '../../src/oracle/event.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CallOptions } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import { asReceived, type Exchange } from '../../src/wire/exchange.ts';
import { writeJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { answeredId } from '../judging/creations/answered-id.ts';
import { describeBody } from '../judging/creations/describe-body.ts';
import { differences } from '../judging/creations/differences.ts';
import { made } from '../judging/creations/made.ts';
import { judgePlainCreation } from '../judging/creations/plain-creation-invariant.ts';
import { send } from '../judging/creations/send.ts';
import { showName } from '../judging/creations/show-name.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { otherStatus } from '../judging/other-status.ts';

/** A finding when a valid NewPet does not return 201 with a Pet. record.pet judges everything else about the Pet. */
export function notCreated(read: Exchange, situation: string): Finding | undefined {
  const exchange = asReceived(read);
  const wrong = otherStatus(exchange, [201], situation);
  if (wrong !== undefined) return wrong;
  const answer = answerOf(exchange);
  const { json, text } = answer;
  if ((text ?? '').trim() !== '' && !(json.ok && json.value === null)) return undefined;
  return finding([exchange], {
    summary: `${situation} returned 201 without the created Pet`,
    expected: ['201 with the created Pet'],
    received: describeAnswer(exchange),
  });
}

/** A spelling of a plain NewPet that does not change its meaning. */
type Spelling = { readonly what: string; readonly options?: CallOptions; spell(sent: NewPetInput): { sent: NewPetInput; raw: string } };

const as = (what: string, spell: (sent: NewPetInput) => string): Spelling => ({ what, spell: (sent) => ({ sent, raw: spell(sent) }) });
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
  {
    what: `with a name of exactly ${LONGEST_PLAIN} letters`,
    spell: (sent) => {
      const padded = { ...sent, name: sent.name.padEnd(LONGEST_PLAIN, 'Z') };
      return { sent: padded, raw: writeJson(padded) };
    },
  },
  { ...as('from a client that accepts anything', writeJson), options: { headers: [['accept', '*/*']] } },
  { ...as('whose body arrives in two pieces', writeJson), options: { divided: true } },
  { ...as('whose body arrives in chunks, without a Content-Length', writeJson), options: { chunked: true } },
];

const LENGTH_REQUIRED = 411;
const LEAST_REJECTION = 300;

async function judgeOnce(s: Session, { what, options, spell }: Spelling): Promise<Finding | undefined> {
  const { sent, raw } = spell(await s.fixtures.plain());
  const mayNeedLength = options?.chunked === true;
  const exchange = await s.api.create({ raw }, { ...options, domain: mayNeedLength ? 'open' : 'plain' });
  // RFC 9110, section 15.5.12: media.any-client advises against it.
  if (mayNeedLength && statusOf(exchange) === LENGTH_REQUIRED) return undefined;
  const wrong = notCreated(exchange, `POST /pets with a plain NewPet ${what}`);
  if (wrong !== undefined) return wrong;
  const [difference] = differences(sent, petOf(exchange)).filter(({ field }) => field !== 'status');
  if (difference === undefined) return undefined;
  return finding([exchange], {
    summary: `POST /pets with a plain NewPet ${what} returned ${difference.field} ${difference.received}; expected ${difference.expected}`,
    expected: [`${difference.field} ${difference.expected}`],
    received: `${difference.field} ${difference.received}`,
  });
}

/** A spelling is to blame if it fails twice and the usual one does not. */
async function judgeSpelling(s: Session, spelling: Spelling): Promise<Finding | undefined> {
  const wrong = await judgeOnce(s, spelling);
  if (wrong === undefined) return undefined;
  const usual = await send(s, await s.fixtures.plain());
  const { pet } = made(usual);
  if (differences(usual.sent, pet).length > 0)
    haltInconclusive('responses do not show what was sent, however it is spelled', 'create.answer');
  return (
    (await judgeOnce(s, spelling)) ??
    haltInconclusive(`a plain NewPet ${spelling.what} failed once, and was created when sent again`, 'create.success')
  );
}

/** A plain NewPet is not rejected: where it is, other bodies that are rejected the same way may be for the same reason. */
function judgePlain({ exchange, intent, answer, status = 0 }: Event): 'not-applicable' | 'holds' | Breach {
  if (intent.body !== 'plain' || intent.credential !== 'valid' || answer === undefined) return 'not-applicable';
  if (status < LEAST_REJECTION) return 'holds';
  return {
    summary: `POST /pets with a plain NewPet returned ${status}; expected 201`,
    expected: ['201 with the created Pet'],
    received: describeAnswer(exchange),
  };
}

export const createSuccess = defineClause({
  id: 'create.success',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: ['Success: `201`, body is the created Pet, including the assigned `id`.'],
  level: 'required',
  requirement:
    'A plain NewPet (a unique name of at most 20 ASCII letters, and a category that the service is known to accept) returns 201 with the created Pet. A service may reject what the document leaves open (a taken name, unknown properties, an id, other media types), but if it accepts, the response is 201 too.',
  likelyCause:
    'The service returns another success status (200, 202, 204) or an empty body, or requires something that the document does not mention: a header, a field, an id.',
  explains: [{ layer: 'status', judge: judgePlain }],
  checks: [
    {
      id: 'plain',
      title: 'A plain NewPet returns 201 with the created Pet',
      step: 'first-page',
      given: ['created'],
      effect: 'write',
      fault: 'create-answers-200',
      run: async (s) => {
        const creations = await s.fixtures.firstCreations();
        const wrong = creations.map(({ exchange, sent }) =>
          notCreated(
            exchange,
            `POST /pets with a plain NewPet ${sent.status === undefined ? 'without a status' : `with status "${sent.status}"`}`,
          ),
        );
        const right = creations.filter((_creation, index) => wrong[index] === undefined);
        const [first] = right;
        // If some are created, the status makes the difference: create.status-values and create.status-optional judge that.
        if (first === undefined) return failOr(wrong, inconclusive('no response', 'errors.answers'));
        return pass(`${right.length} animals created; ${showName(petOf(first.exchange).name)} has id ${petOf(first.exchange).id}`);
      },
    },
    {
      id: 'spellings',
      title: 'A plain NewPet is accepted however its JSON is spelled',
      step: 'write',
      given: ['creation', 'created', 'create.answer'],
      effect: 'write',
      fault: 'create-needs-accept',
      run: async (s) =>
        judgeRows(s, {
          rows: SPELLINGS,
          judge: (spelling) => judgeSpelling(s, spelling),
          evidence: `${SPELLINGS.length} spellings of a plain NewPet, each of which returned 201 with its values`,
        }),
    },
  ],
  invariants: [
    {
      id: 'no-other-success',
      title: 'No creation that the document leaves open succeeds with a status other than 201',
      fault: 'duplicate-name-answered-200',
      judge: (read, knowledge) => {
        const exchange = asReceived(read);
        const { operation, body, credential } = exchange.request.intent;
        const status = statusOf(exchange);
        if (operation !== 'createPet' || body !== 'open' || credential !== 'valid' || status === undefined || status >= 300)
          return 'not-applicable';
        if (status === 201) return 'holds';
        // The response shows an existing animal and nothing is created: the document does not rule that out.
        const known = knowledge.created.get(answeredId(exchange) ?? '');
        if (status === 200 && known !== undefined && known.exchange !== read) return 'not-applicable';
        return {
          summary: `POST /pets ${describeBody(exchange)} returned ${status}; the only success status is 201`,
          expected: ['201 with the created Pet', 'a rejection'],
          received: describeAnswer(exchange),
        };
      },
    },
    {
      id: 'every-plain-body',
      title: 'Every plain NewPet returns 201',
      fault: 'create-refuses-second-in-category',
      judge: judgePlainCreation('create.success', (status) => `POST /pets with a plain NewPet returned ${status}; expected 201`),
    },
  ],
});
