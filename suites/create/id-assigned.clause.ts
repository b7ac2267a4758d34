import { failOr, pass } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, petOf, petsOf, statusOf } from '../../src/expect/expect.ts';
import { isInt64 } from '../../src/schema/int64.ts';
import type { PetView } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import { defineClause } from '../define.ts';
import { answeredId } from '../judging/creations/answered-id.ts';
import { concurrentBatch } from '../judging/creations/concurrent-batch.ts';
import { allMade, type Made, made } from '../judging/creations/made.ts';
import { send } from '../judging/creations/send.ts';
import { sentIn } from '../judging/creations/sent-in.ts';
import { showName } from '../judging/creations/show-name.ts';
import { judgeRows } from '../judging/judge-rows.ts';
import { pollIfAccepted, pollList } from '../judging/lists/poll-list.ts';

/** Two animals of the batch with the same id, or one with an id that was known before. */
function taken(animals: readonly Made[], before: ReadonlySet<string>): Finding | undefined {
  const seen = new Map<bigint, Made>();
  for (const animal of animals) {
    const other = seen.get(animal.pet.id);
    if (other !== undefined || before.has(String(animal.pet.id))) {
      return finding(other === undefined ? [animal.exchange] : [other.exchange, animal.exchange], {
        summary: `a new animal received id ${animal.pet.id}, which another animal already has`,
        expected: ['an id that no animal has'],
        received: `id ${animal.pet.id}`,
        pointer: '/id',
      });
    }
    seen.set(animal.pet.id, animal);
  }
  return undefined;
}

/** One creation, and everything that may show a second animal with its name: lists, and the adjacent ids. */
async function judgeOnce(s: Session): Promise<Finding | undefined> {
  const { exchange, pet } = made(await send(s, await s.fixtures.plain('sold')));
  const [whole, ...filtered] = await Promise.all([
    pollList(s, { limit: 100 }, [pet]),
    pollIfAccepted(s, { status: 'sold', limit: 100 }, [pet]),
  ]);
  const lists = [whole, ...filtered.flat()];
  const beside = await s.all(
    [pet.id + 1n, pet.id - 1n].filter((id) => isInt64(id)),
    (id) => s.api.get(id),
  );
  const shown = [...lists, ...beside.filter((read) => statusOf(read) === 200)].flatMap((sighting) =>
    (sighting.request.intent.operation === 'getPet' ? [petOf(sighting)] : petsOf(sighting)).map((other) => ({ other, sighting })),
  );
  const second = shown.find(({ other }) => other.name !== undefined && other.name === pet.name && other.id !== pet.id);
  if (second === undefined) return undefined;
  return finding([exchange, second.sighting], {
    summary: `one creation of ${showName(pet.name)} created two animals: ${pet.id}, as returned, and ${second.other.id}`,
    expected: [`one animal with that name and id ${pet.id}`],
    received: `animals ${pet.id} and ${second.other.id}`,
  });
}

/** Whether the animal seen under the id is another one, and not this creation seen before its response. */
function isOther(seen: PetView | undefined, ownNames: readonly string[]): boolean {
  return seen?.name !== undefined && !ownNames.includes(seen.name);
}

export const createIdAssigned = defineClause({
  id: 'create.id-assigned',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  quote: ['| id | integer | int64 | yes | Unique identifier assigned by the service on creation; never supplied by the client |'],
  level: 'required',
  requirement: 'The service assigns each created animal a unique id: no two animals share an id, even when they are created concurrently.',
  likelyCause:
    'The next id is read and written in two steps, comes from the clock or a small random space, is counted per status table, or passes through a double.',
  checks: [
    {
      id: 'concurrent',
      title: 'Sixteen animals created concurrently get sixteen new ids',
      step: 'large-store',
      given: ['created', 'create.id-assigned'],
      effect: 'write',
      fault: 'ids-race',
      run: async (s) => {
        const { before, creations } = await concurrentBatch(s);
        const animals = creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
        if (animals.length === 0) allMade(creations);
        return failOr([taken(animals, before)], pass(`${animals.length} animals created concurrently, all with unique ids`));
      },
    },
    {
      id: 'once',
      title: 'One creation creates one animal',
      step: 'write',
      given: ['readBack'],
      effect: 'write',
      fault: 'creation-stored-twice',
      run: async (s) => judgeRows(s, { rows: [s], judge: judgeOnce, evidence: 'an animal that was created once exists once' }),
    },
  ],
  invariants: [
    {
      id: 'distinct',
      title: 'No creation receives the id of another animal',
      fault: 'ids-reused-every-tenth',
      judge: (exchange, knowledge) => {
        const { intent } = exchange.request;
        const isCreation = intent.operation === 'createPet' && intent.credential === 'valid' && statusOf(exchange) === 201;
        const id = isCreation ? answeredId(exchange) : undefined;
        const sent = sentIn(exchange);
        // create.id-not-adopted judges an id that the client sent.
        if (id === undefined || sent === undefined || String(exchange.request.body).includes('"id"')) return 'not-applicable';
        const known = knowledge.created.get(id);
        // Even if the same name was sent twice: every 201 has created an animal with a unique id.
        const isOwn = known === undefined || known.exchange === exchange;
        const ownNames = [sent.name, ...(known === undefined ? [] : [known.answered.name ?? known.sent.name])];
        const isTaken = !isOwn || isOther(knowledge.seen.get(id), ownNames);
        if (!isTaken) return 'holds';
        return {
          summary: `a new animal received id ${id}, which another animal already has`,
          expected: ['an id that no animal has'],
          received: describeAnswer(exchange),
          pointer: '/id',
        };
      },
    },
  ],
});
