import type { Breach } from '../../src/clause/clause.ts';
import { unusualFieldOf } from '../../src/oracle/view.ts';
import type { Event, World } from '../../src/oracle/world.ts';
import type { Field, NewPetInput, PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { duplicateMember, isJsonObject, readJson } from '../../src/wire/json.ts';
import { defineRules } from '../define.ts';
import { describeBody, LONGEST_NAME, look, otherValue, plainIn, sentIn, showName, sightsOf } from './creations.ts';

type Difference = { readonly field: Field; readonly expected: string; readonly received: string };

function nameDifference(expected: string, received: string): Difference {
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  const where = expected.length <= LONGEST_NAME ? '' : ` (the first ${at} characters agree)`;
  return { field: 'name', expected: showName(expected), received: `${showName(received)}${where}` };
}

/** The fields in which a returned animal differs from what was sent; the status only if one was sent, and no unreadable fields. */
function differences(sent: NewPetInput, pet: Pick<PetView, Field | 'gaps'>): readonly Difference[] {
  const found: Difference[] = [];
  if (pet.name !== undefined && pet.name !== sent.name) found.push(nameDifference(sent.name, pet.name));
  if (pet.categoryId !== undefined && pet.categoryId !== sent.categoryId)
    found.push({ field: 'categoryId', expected: String(sent.categoryId), received: String(pet.categoryId) });
  if (sent.status !== undefined && pet.status !== sent.status && !pet.gaps.includes('status'))
    found.push({ field: 'status', expected: sent.status, received: pet.status ?? 'no status' });
  return found;
}

type Judgement = 'not-applicable' | 'holds' | Breach;

/** `all`: whatever else differs in the same response. */
function breachOf({ field, expected, received }: Difference, summary: string, all: readonly Difference[]): Breach {
  return {
    summary,
    expected: [`${field} ${expected}`],
    received: `${field} ${received}`,
    pointer: `/${field}`,
    failureKinds: all.map((one) => otherValue(one.field)),
  };
}

/** A 201 to a plain NewPet shows its name and categoryId, as far as they can be read: record.pet judges wrong types. */
function judgeFields(event: Event): Judgement {
  const sent = plainIn(event);
  const { pet } = event;
  if (sent === undefined || pet === undefined) return 'not-applicable';
  const all = differences(sent, pet).filter(({ field }) => field !== 'status');
  const [difference] = all;
  if (difference === undefined) return 'holds';
  return breachOf(difference, `${difference.field} ${difference.expected} was returned as ${difference.received}`, all);
}

/** A 201 to a plain NewPet shows its status, where lists or reads show that it was stored: where none does, create.status-values judges that. */
function judgeStatus(event: Event, world: World): Judgement {
  const sent = plainIn(event);
  const { pet, exchange } = event;
  if (sent?.status === undefined || pet === undefined || pet.gaps.includes('status')) return 'not-applicable';
  const difference = differences(sent, pet).find(({ field }) => field === 'status');
  if (difference === undefined) return 'holds';
  const stored = sightsOf(event, world).find((sight) => sight.pet.status === sent.status);
  if (stored === undefined) return 'not-applicable';
  const summary = `status ${difference.expected} was stored and returned as ${difference.received}`;
  return { ...breachOf(difference, summary, [difference]), exchanges: [stored.exchange, exchange] };
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

/** What is wrong with a field of a 201 to a NewPet that is not plain: nothing where the 201 of a plain animal differs in that field, too. */
function judgeDifference(all: readonly Difference[], { exchange }: Event, { known }: World): Judgement {
  const [difference] = all;
  if (difference === undefined) return 'holds';
  const { field, expected, received } = difference;
  const isOfAll = known.created
    .values()
    .some((animal) => animal.plain && differences(animal.sent, animal.answered).some((other) => other.field === field));
  return isOfAll
    ? 'not-applicable'
    : breachOf(difference, `the 201 to ${describeBody(exchange)} shows ${field} ${received}; expected ${expected}`, all);
}

/** A 201 to a creation with more than the document shows: the three fields are still as they were sent. */
function judgeMore(event: Event, world: World): Judgement {
  const { exchange, intent, pet } = event;
  if (intent.operation !== 'createPet' || intent.credential !== 'valid' || pet === undefined) return 'not-applicable';
  const isMore = (intent.body === 'open' || intent.body === 'unusual') && plainIn(event) === undefined;
  const sent = isMore ? plainPart(exchange) : undefined;
  return sent === undefined ? 'not-applicable' : judgeDifference(differences(sent, pet), event, world);
}

/** A 201 to a NewPet with one unusual value: the other fields are as they were sent. The clause of the value judges that one. */
function judgeOthers(event: Event, world: World): Judgement {
  const { exchange, intent, pet } = event;
  const { sent } = intent;
  if (intent.body !== 'unusual' || intent.credential !== 'valid' || sent === undefined || pet === undefined) return 'not-applicable';
  const unusual = unusualFieldOf(intent, world);
  if (unusual === undefined || plainPart(exchange) !== undefined) return 'not-applicable';
  const others = differences(sent, pet).filter(({ field }) => field !== unusual);
  return judgeDifference(others, event, world);
}

const STATUS = '/status';

const MOST_READ = 6;

async function lookAtSuspects(s: Session): Promise<void> {
  await s.fixtures.firstCreations();
  const suspects = s.knowledge.created
    .values()
    .filter(({ plain, sent, answered }) => plain && sent.status !== undefined && answered.status !== sent.status);
  await look(s, [...suspects].slice(0, MOST_READ));
}

/** Other clauses judge a 201 that shows another animal, and creations that were mixed up. */
const AFTER = { layer: 'values', after: ['create.id-assigned', 'create.independent'] } as const;

export const createAnswer = defineRules({
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
  rules: [
    { ...AFTER, judge: judgeFields },
    { ...AFTER, judge: judgeStatus },
    { ...AFTER, judge: judgeMore },
    { ...AFTER, judge: judgeOthers },
  ],
  sent: [
    {
      id: 'status',
      title: 'Every 201 shows the status that was sent and stored',
      step: 'final',
      needs: ['creation'],
      effect: 'write',
      send: lookAtSuspects,
      cases: ({ event, breach: { pointer = STATUS } = {} }) => plainIn(event)?.status !== undefined && pointer === STATUS,
      unmet: 'there is no 201 that can be compared with what was sent and stored',
    },
  ],
  met: [
    {
      id: 'every-201-to-open-bodies',
      title:
        'Every 201 to a NewPet with an unusual value, unknown properties, an id, another media type, or a taken name shows the other values as sent',
      cases: ({ event }) => plainIn(event) === undefined,
    },
    {
      id: 'every-201-to-plain-bodies',
      title: 'Every 201 to a plain NewPet shows its name and categoryId',
      cases: ({ event, breach }) => plainIn(event) !== undefined && breach?.pointer !== STATUS,
    },
  ],
});
