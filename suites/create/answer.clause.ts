import type { InvariantJudgement } from '../../src/clause/clause.ts';
import { inconclusive } from '../../src/clause/halt.ts';
import { statusOf } from '../../src/expect/expect.ts';
import { type NewPetInput, petView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { KnownAnimal, RunState } from '../../src/session/state/run-state.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { duplicateMember, isJsonObject, readJson } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { describeBody } from '../judging/creations/describe-body.ts';
import { differenceFinding } from '../judging/creations/difference-finding.ts';
import { differences } from '../judging/creations/differences.ts';
import { readBack } from '../judging/creations/read-back.ts';
import { sentIn } from '../judging/creations/sent-in.ts';
import { showName } from '../judging/creations/show-name.ts';
import { judgeRows } from '../judging/judge-rows.ts';

const MOST_READ = 6;

/** A finding when the 201 shows a different status than was sent, but the animal is stored with the one sent: only the response is wrong. */
async function judgeStatus(s: Session, animal: KnownAnimal) {
  const answered = differences(animal.sent, animal.answered).find(({ field }) => field === 'status');
  if (answered === undefined) return undefined;
  const { pet, exchange } = await readBack(s, animal.id);
  // Stored as returned: the service does not keep the status, which create.status-values judges.
  if (pet === undefined || pet.status !== animal.sent.status) return undefined;
  return differenceFinding([exchange, animal.exchange], answered, 'returned');
}

const PLAIN_NAME = /^[A-Za-z]+$/;
const PLAIN_CATEGORY = /"categoryId"\s*:\s*-?\d+\s*[,}]/;

/** The NewPet of a body whose three fields are plain, but that has further properties or a name that is taken. */
function plainPart(exchange: Exchange): NewPetInput | undefined {
  const { body, intent } = exchange.request;
  const sent = sentIn(exchange);
  if (sent === undefined || typeof body !== 'string' || !PLAIN_NAME.test(sent.name) || !PLAIN_CATEGORY.test(body)) return undefined;
  // Categories that a double or an int32 loses are for create.unusual-categories.
  if (sent.categoryId !== BigInt.asIntN(32, sent.categoryId)) return undefined;
  const reading = readJson(body);
  const members = reading.ok && isJsonObject(reading.value) ? Object.keys(reading.value) : [];
  const more = members.some((member) => !['name', 'categoryId', 'status'].includes(member));
  return (intent.body === 'open' || more) && duplicateMember(body) === undefined ? sent : undefined;
}

/** A 201 to a creation with more than the document shows: the three fields are still as they were sent. */
function judgeMore(exchange: Exchange, { created }: RunState): InvariantJudgement {
  const { operation, body, credential } = exchange.request.intent;
  if (operation !== 'createPet' || (body !== 'open' && body !== 'unusual') || credential !== 'valid') return 'not-applicable';
  const sent = statusOf(exchange) === 201 ? plainPart(exchange) : undefined;
  const json = exchange.outcome.kind === 'answered' ? exchange.outcome.answer.json : undefined;
  const pet = sent === undefined || json?.ok !== true ? undefined : petView(json.value);
  if (sent === undefined || pet === undefined) return 'not-applicable';
  const [difference] = differences(sent, pet);
  if (difference === undefined) return 'holds';
  const { field, expected, received } = difference;
  // If plain animals do not keep the field either, the additions make no difference.
  const broken = [...created.values()].some(
    (animal) => animal.plain && differences(animal.sent, animal.answered).some((other) => other.field === field),
  );
  if (broken) return 'not-applicable';
  return {
    summary: `the 201 to ${describeBody(exchange)} shows ${field} ${received}; expected ${expected}`,
    expected: [`${field} ${expected}`],
    received: `${field} ${received}`,
    pointer: `/${field}`,
  };
}

export const createAnswer = defineClause({
  id: 'create.answer',
  chapter: 'create-pet',
  section: 'Endpoints: 2. Add an animal',
  quote: [
    'Success: `201`, body is the created Pet, including the assigned `id`.',
    'Pet has every field of NewPet, with the same required rules, plus:',
  ],
  level: 'required',
  requirement:
    'The 201 body is the created Pet: it shows name and categoryId as they were sent, and the status if one was sent, whatever else the request contained.',
  likelyCause:
    'The response is built from something other than the stored object: defaults, the previous request, a relation that is not loaded, or a case-folded name.',
  checks: [
    {
      id: 'status',
      title: 'Every 201 shows the status that was sent and stored',
      step: 'final',
      given: ['readBack'],
      effect: 'write',
      fault: 'answer-status-always-available',
      run: async (s) => {
        await s.fixtures.firstCreations();
        const animals = [...s.knowledge.created.values()].filter(({ plain, sent }) => plain && sent.status !== undefined);
        if (animals.length === 0) return inconclusive('no animal with a status was created', 'create.success');
        const suspects = animals.filter(({ sent, answered }) => answered.status !== sent.status).slice(0, MOST_READ);
        const rows = suspects.length === 0 ? animals.slice(0, 1) : suspects;
        return judgeRows(s, {
          rows,
          judge: (animal) => judgeStatus(s, animal),
          evidence: `${animals.length} animals created with a status, each of which the 201 shows`,
        });
      },
    },
  ],
  invariants: [
    {
      id: 'every-201-to-open-bodies',
      title: 'Every 201 to a NewPet with unknown properties, an id, another media type, or a taken name shows what was sent',
      fault: 'unknown-member-drops-status',
      judge: judgeMore,
    },
    {
      id: 'every-201-to-plain-bodies',
      title: 'Every 201 to a plain NewPet shows its name and categoryId',
      fault: 'answer-name-cut',
      judge: (exchange) => {
        const { intent } = exchange.request;
        if (intent.operation !== 'createPet' || intent.body !== 'plain' || intent.credential !== 'valid') return 'not-applicable';
        if (exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 201) return 'not-applicable';
        const { json } = exchange.outcome.answer;
        const sent = sentIn(exchange);
        if (sent === undefined || !json.ok || !isJsonObject(json.value)) return 'not-applicable';
        const { name, categoryId } = json.value;
        // record.pet judges a wrong type.
        if (typeof name === 'string' && name !== sent.name) {
          const [expected, received] = [showName(sent.name), showName(name)];
          return {
            summary: `name ${expected} was returned as ${received}`,
            expected: [`name ${expected}`],
            received: `name ${received}`,
            pointer: '/name',
          };
        }
        if ((typeof categoryId === 'number' || typeof categoryId === 'bigint') && String(categoryId) !== String(sent.categoryId)) {
          return {
            summary: `categoryId ${sent.categoryId} was returned as ${categoryId}`,
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
