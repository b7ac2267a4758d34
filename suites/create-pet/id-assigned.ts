import { failOr, pass } from '../../src/clause/halt.ts';
import type { Finding } from '../../src/clause/outcome.ts';
import { describeAnswer, finding, statusOf } from '../../src/expect/expect.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { isJsonObject } from '../../src/wire/json.ts';
import { defineClause } from '../define.ts';
import { allMade, concurrentBatch, type Made, made } from '../shared/creations.ts';
import { sentIn } from '../shared/stored.ts';

/** Two animals of the batch with one id, or one with an id that was known before. */
function taken(animals: readonly Made[], before: ReadonlySet<string>): Finding | undefined {
  const seen = new Map<bigint, Made>();
  for (const animal of animals) {
    const other = seen.get(animal.pet.id);
    if (other !== undefined || before.has(String(animal.pet.id))) {
      return finding(other === undefined ? [animal.exchange] : [other.exchange, animal.exchange], {
        summary: `id ${animal.pet.id} is given to a new animal though another one has it`,
        wanted: ['an id that no animal has'],
        came: `id ${animal.pet.id}`,
        pointer: '/id',
      });
    }
    seen.set(animal.pet.id, animal);
  }
  return undefined;
}

/** The id in a 201, as digits. */
function idIn(exchange: Exchange): string | undefined {
  if (exchange.outcome.kind === 'failed' || exchange.outcome.answer.status !== 201) return undefined;
  const { json } = exchange.outcome.answer;
  if (!json.ok || !isJsonObject(json.value)) return undefined;
  const { id } = json.value;
  return typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined;
}

export const createIdAssigned = defineClause({
  id: 'create.id-assigned',
  chapter: 'create-pet',
  section: 'Pet (response record)',
  level: 'required',
  demands:
    'Each created animal gets an id of its own from the service: no two animals have one id, not even when they are created at the same time.',
  hint: 'The next id is read and written in two steps, comes from the clock or a small random space, is counted within a table of one status, or goes through a double.',
  checks: [
    {
      id: 'concurrent',
      title: 'Sixteen animals created at the same time get sixteen ids that no animal had before',
      step: 'bulk',
      effect: 'write',
      fault: 'ids-race',
      run: async (s) => {
        const { before, creations } = await concurrentBatch(s);
        const animals = creations.filter(({ exchange }) => statusOf(exchange) === 201).map(made);
        if (animals.length === 0) allMade(creations);
        return failOr([taken(animals, before)], pass(`${animals.length} animals created at the same time, all with ids of their own`));
      },
    },
  ],
  invariants: [
    {
      id: 'distinct',
      title: 'No creation of the run gets the id of another animal',
      fault: 'ids-reused-every-tenth',
      judge: (exchange, knowledge) => {
        const { intent } = exchange.request;
        const id = intent.operation === 'createPet' && intent.credential === 'valid' ? idIn(exchange) : undefined;
        const sent = sentIn(exchange);
        // An id that came from the client is the business of create.id-not-adopted.
        if (id === undefined || sent === undefined || String(exchange.request.body).includes('"id"')) return 'not-applicable';
        const known = knowledge.created.get(id);
        const seen = knowledge.seen.get(id);
        const other = known !== undefined && known.exchange !== exchange ? known.sent.name : seen?.name;
        if (other === undefined || other === sent.name || (known?.exchange === exchange && other === known.answered.name)) return 'holds';
        return {
          summary: `a new animal gets id ${id}, which another animal has`,
          wanted: ['an id that no animal has'],
          came: describeAnswer(exchange),
          pointer: '/id',
        };
      },
    },
  ],
});
