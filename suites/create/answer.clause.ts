import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { inconclusive } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { type NewPetInput, petView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Knowledge, KnownAnimal } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { duplicateMember, isJsonObject, readJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { oneOfEachStatus } from '../judging/creations/creations.ts';
import { describeBody } from '../judging/creations/invalid-bodies.ts';
import { differenceFinding, differences, readBack, sentIn, showName } from '../judging/creations/read-back.ts';
import { judgeRows } from '../judging/judge-rows.ts';

const MOST_READ = 6;

/** The status in a 201 that is not the one sent, where the animal is stored with the one sent: then only the answer is wrong. */
async function judgeStatus(s: Session, animal: KnownAnimal) {
  const answered = differences(animal.sent, animal.answered).find(({ field }) => field === 'status');
  if (answered === undefined) return undefined;
  const { pet, exchange } = await readBack(s, animal.id);
  // Stored as answered: then the service does not keep the status, which create.status-values owns.
  if (pet === undefined || pet.status !== animal.sent.status) return undefined;
  return differenceFinding([exchange, animal.exchange], answered, 'answered');
}

const PLAIN_NAME = /^[A-Za-z]+$/;
const PLAIN_CATEGORY = /"categoryId"\s*:\s*-?\d+\s*[,}]/;

/** The NewPet of a body that says nothing unusual of the three fields, and something beside them or a name that is taken. */
function plainPart(exchange: Exchange): NewPetInput | undefined {
  const { body, intent } = exchange.request;
  const sent = sentIn(exchange);
  if (sent === undefined || typeof body !== 'string' || !PLAIN_NAME.test(sent.name) || !PLAIN_CATEGORY.test(body)) return undefined;
  const reading = readJson(body);
  const members = reading.ok && isJsonObject(reading.value) ? Object.keys(reading.value) : [];
  const more = members.some((member) => !['name', 'categoryId', 'status'].includes(member));
  return (intent.body === 'open' || more) && duplicateMember(body) === undefined ? sent : undefined;
}

/** A 201 to a creation with more than the document shows: the three fields are none the less what was sent. */
function judgeMore(exchange: Exchange, { created }: Knowledge): InvariantJudgement {
  const { operation, body, credential } = exchange.request.intent;
  if (operation !== 'createPet' || (body !== 'open' && body !== 'unusual') || credential !== 'valid') return 'not-applicable';
  const sent = statusOf(exchange) === 201 ? plainPart(exchange) : undefined;
  const json = exchange.outcome.kind === 'answered' ? exchange.outcome.answer.json : undefined;
  const pet = sent === undefined || json?.ok !== true ? undefined : petView(json.value);
  if (sent === undefined || pet === undefined) return 'not-applicable';
  const [difference] = differences(sent, pet);
  if (difference === undefined) return 'holds';
  const { field, expected, received } = difference;
  // Where plain animals do not keep the field either, what was sent beside it makes no difference.
  const broken = [...created.values()].some(
    (animal) => animal.plain && differences(animal.sent, animal.answered).some((other) => other.field === field),
  );
  if (broken) return 'not-applicable';
  return {
    summary: `${field} ${expected} is answered as ${received} in a 201 to ${describeBody(exchange)}`,
    expected: [`${field} ${expected}`],
    received: `${field} ${received}`,
    pointer: `/${field}`,
  };
}

export const createAnswer = defineClause({
  id: 'create.answer',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  level: 'required',
  requirement:
    'The 201 body is the created Pet: it carries name and categoryId as they were sent, and the status when one was sent, whatever else was sent beside them.',
  likelyCause:
    'The answer is built from another object than the one that was stored: defaults, the previous request, a relation that is not loaded, a folded name.',
  checks: [
    {
      id: 'status',
      title: 'The status in each 201 is the one that was sent and is stored',
      step: 'final',
      effect: 'write',
      fault: 'answer-status-always-available',
      run: async (s) => {
        await oneOfEachStatus(s);
        const animals = [...s.knowledge.created.values()].filter(({ plain, sent }) => plain && sent.status !== undefined);
        if (animals.length === 0) return inconclusive('no animal with a status was created', 'create.success');
        const suspects = animals.filter(({ sent, answered }) => answered.status !== sent.status).slice(0, MOST_READ);
        const rows = suspects.length === 0 ? animals.slice(0, 1) : suspects;
        return judgeRows(s, {
          rows,
          judge: (animal) => judgeStatus(s, animal),
          evidence: `${animals.length} animals created with a status`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'with-more',
      title: 'Every 201 to a NewPet with unknown members, an id, another media type or a taken name carries what was sent',
      fault: 'unknown-member-drops-status',
      judge: judgeMore,
    },
    {
      id: 'echoes',
      title: 'Every 201 to a plain NewPet carries its name and categoryId',
      fault: 'answer-name-cut',
      judge: (exchange) => {
        const { intent } = exchange.request;
        if (intent.operation !== 'createPet' || intent.body !== 'plain' || intent.credential !== 'valid') return 'not-applicable';
        if (exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 201) return 'not-applicable';
        const { json } = exchange.outcome.answer;
        const sent = sentIn(exchange);
        if (sent === undefined || !json.ok || !isJsonObject(json.value)) return 'not-applicable';
        const { name, categoryId } = json.value;
        // A wrong type is the business of record.pet.
        if (typeof name === 'string' && name !== sent.name) {
          const [expected, received] = [showName(sent.name), showName(name)];
          return {
            summary: `name ${expected} is answered as ${received}`,
            expected: [`name ${expected}`],
            received: `name ${received}`,
            pointer: '/name',
          };
        }
        if ((typeof categoryId === 'number' || typeof categoryId === 'bigint') && String(categoryId) !== String(sent.categoryId)) {
          return {
            summary: `categoryId ${sent.categoryId} is answered as ${categoryId}`,
            expected: [`categoryId ${sent.categoryId}`],
            received: `categoryId ${categoryId}`,
            pointer: '/categoryId',
          };
        }
        return 'holds';
      },
    },
  ],
});
