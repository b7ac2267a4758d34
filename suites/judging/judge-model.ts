import fc from 'fast-check';
import { plainName } from '../../src/arbitraries/plain-new-pet.ts';
import { type StoreUnderTest, storeCommands } from '../../src/arbitraries/store-commands.ts';
import { Contradiction, type ModelAnimal, StoreModel } from '../../src/arbitraries/store-model.ts';
import { haltInconclusive } from '../../src/clause/halt.ts';
import type { Outcome } from '../../src/clause/outcome.ts';
import { finding, isRejected, petOf, petsOf } from '../../src/expect/expect.ts';
import { judgeable } from '../../src/expect/judgeable.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { Session } from '../../src/session/session.ts';
import type { Exchange } from '../../src/wire/exchange.ts';
import { readBack, requireOwnId } from './creations/read-back.ts';
import { judgeProperty } from './judge-property.ts';

const MOST_COMMANDS = 12;
/** Sequences at a time: each has a model of its own, which says nothing of what the others create. */
const AT_A_TIME = 8;
/** Near misses of the API key are a bounded list: the suite does not guess keys. */
const MOST_CREDENTIALS = 24;

export type ModelProperty = {
  readonly name: string;
  /** Sequences of a standard run. */
  readonly planned: number;
  readonly known: readonly ModelAnimal[];
  readonly writes: boolean;
  /** Animals created at most, shrinking included. */
  readonly mostAnimals?: number;
};

/** What remains for all sequences. */
type Allowance = { animals: number; credentials: number };

/** The service as commands use it: keeps every exchange for the finding, and halts on what another clause owns. */
function storeUnderTest(s: Session, allowance: Allowance, exchanges: Exchange[]): StoreUnderTest {
  const keep = (exchange: Exchange): Exchange => {
    exchanges.push(exchange);
    return judgeable(exchange);
  };
  return {
    async create({ tail, status }) {
      if (allowance.animals <= 0) return undefined;
      allowance.animals -= 1;
      const plain = await s.fixtures.plain(status);
      const sent: NewPetInput = { ...plain, name: plainName(plain.name, tail) };
      const exchange = keep(await s.api.create({ value: sent }, { domain: 'plain' }));
      return { sent, answered: petOf(exchange) };
    },
    async list(parameters) {
      const exchange = keep(await s.api.list(parameters));
      return isRejected(exchange) ? undefined : petsOf(exchange);
    },
    async read(id) {
      const { exchange, pet } = await readBack(s, id);
      exchanges.push(exchange);
      return pet ?? 'absent';
    },
    async refuseBody(mutation) {
      const valid = await s.fixtures.plain();
      const exchange = await s.api.create({ raw: mutation.body(valid) }, { domain: 'invalid', clause: mutation.clause });
      exchanges.push(exchange);
      // The clause of the body judges the status of the rejection.
      return isRejected(exchange) ? valid.name : undefined;
    },
    async refuseCredential(credential) {
      if (allowance.credentials <= 0) return;
      allowance.credentials -= 1;
      // Whether it is rejected is for auth.wrong-key to judge: here it comes between other requests, which it must not change.
      exchanges.push(await s.api.list({ limit: 1 }, { credential }));
    },
  };
}

/**
 * Runs generated sequences of operations, some of them concurrent, against a model that knows only what the document promises. The
 * finding shows the exchanges of the shortest sequence that contradicts it.
 */
export function judgeModel(s: Session, property: ModelProperty): Promise<Outcome> {
  const allowance: Allowance = { animals: property.mostAnimals ?? 0, credentials: MOST_CREDENTIALS };
  if (property.known.length === 0) haltInconclusive('the lists show no animal to start with', 'list.success');
  return judgeProperty(s, {
    name: property.name,
    cases: storeCommands({ apiKey: s.options.apiKey, writes: property.writes, most: MOST_COMMANDS }),
    planned: property.planned,
    shrinking: 25,
    atATime: AT_A_TIME,
    evidence: 'sequences of operations, some of them concurrent, without contradicting responses',
    law: async (commands) => {
      const exchanges: Exchange[] = [];
      const real = storeUnderTest(s, allowance, exchanges);
      try {
        await fc.asyncModelRun(() => ({ model: new StoreModel(property.known), real }), commands);
        return undefined;
      } catch (error) {
        const [first, ...rest] = exchanges;
        if (!(error instanceof Contradiction) || first === undefined) throw error;
        if (error.id !== undefined) requireOwnId(s, error.id);
        return finding([first, ...rest], { summary: error.message, expected: [error.expected] });
      }
    },
  });
}
