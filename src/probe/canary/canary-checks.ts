import { notCreated } from '../../../suites/create/plain-creations.ts';
import { differenceFinding } from '../../../suites/judging/creations/difference-finding.ts';
import { differences } from '../../../suites/judging/creations/differences.ts';
import { type Made, made } from '../../../suites/judging/creations/made.ts';
import { type ReadBack, readBack } from '../../../suites/judging/creations/read-back.ts';
import { requireReadable } from '../../../suites/judging/creations/require-readable.ts';
import { showName } from '../../../suites/judging/creations/show-name.ts';
import { judgeRows } from '../../../suites/judging/judge-rows.ts';
import { judgeFirst } from '../../../suites/judging/lists/first-animals.ts';
import { pollList } from '../../../suites/judging/lists/poll-list.ts';
import { unlessRemoved } from '../../../suites/judging/reads/unless-removed.ts';
import type { ClauseId } from '../../clause/clause.ts';
import { failOr, haltInconclusive, pass } from '../../clause/halt.ts';
import type { Finding } from '../../clause/outcome.ts';
import { describeRequest, finding, petOf, petsOf, statusOf, wrongStatus } from '../../expect/expect.ts';
import { judgeable } from '../../expect/judgeable.ts';
import { eventOf } from '../../oracle/event.ts';
import type { SessionCheck } from '../../oracle/rule.ts';
import type { NewPetInput, PetView } from '../../schema/pet.ts';
import type { Creation, Session } from '../../session/session.ts';
import type { Exchange } from '../../wire/exchange.ts';
import { type CanaryClause, canaryCheckId } from './canary-clauses.ts';
import { canaryName } from './canary-name.ts';
import type { LedgerAnimal, Reservation } from './ledger.ts';

/** Sends a POST that the ledger knows of, once, and enters what it came to. */
export type CanaryPost = (s: Session, sent: NewPetInput) => Promise<Exchange>;

/** What a run does besides its reads: one creation that was reserved, or another look at the animal created last. */
export type CanaryPlan =
  | {
      readonly kind: 'create';
      /** Undefined: that of the first listed animal. */
      readonly categoryId: bigint | undefined;
      /** The ledger knows an animal that was created here: a rejection may be a quota. */
      readonly createdEarlier: boolean;
      readonly reserve: (sent: NewPetInput) => Reservation;
    }
  | { readonly kind: 'read'; readonly animal: LedgerAnimal };

type Draft = { readonly clause: CanaryClause } & Pick<SessionCheck, 'title' | 'given' | 'run'>;

function check({ clause, ...draft }: Draft): { readonly clause: ClauseId; readonly check: SessionCheck } {
  const base = { step: 'write', effect: 'write', smoke: false, exhaustive: false } as const;
  return { clause, check: { ...base, ...draft, id: canaryCheckId(clause) } };
}

/** Several checks look at one thing that is done once. */
function once<Value>(make: (s: Session) => Promise<Value>): (s: Session) => Promise<Value> {
  let made: Promise<Value> | undefined;
  return (s) => {
    made ??= make(s);
    return made;
  };
}

/**
 * A plain NewPet. It is `sold`: an animal that nobody asked for should not be offered to anybody. The list before it shows that the
 * service answers at all: what does not even read is not written to.
 */
async function newPet(s: Session, known: bigint | undefined): Promise<NewPetInput> {
  const [listed] = petsOf(judgeable(await s.api.list({ limit: 100 })));
  const categoryId = known ?? listed?.categoryId;
  if (categoryId === undefined)
    haltInconclusive('no category is known: the store shows no animals, and writes.categoryId is not set', 'choice');
  return { name: canaryName(), categoryId, status: 'sold' };
}

/** A finding when a read shows something other than what was sent, although the 201 showed what was sent. */
function judgeRead({ sent, exchange, pet: answered }: Made, read: ReadBack): Finding | undefined {
  if (read.pet === undefined) haltInconclusive(`animal ${answered.id} was created but can't be found`, 'list.complete');
  const wrongly = differences(sent, answered).map(({ field }) => field);
  const [difference] = differences(sent, read.pet).filter(({ field }) => !wrongly.includes(field));
  if (difference !== undefined) return differenceFinding([exchange, read.exchange], difference, 'read back');
  // The 201 already differed, and the stored value agrees with it: create.answer judges that.
  if (wrongly.includes('name') || wrongly.includes('categoryId')) haltInconclusive('the 201 does not show what was sent', 'create.answer');
  requireReadable(sent, read.pet);
  return undefined;
}

function creationChecks(plan: Extract<CanaryPlan, { kind: 'create' }>, post: CanaryPost) {
  const creation = once(async (s): Promise<Creation> => {
    const sent = await newPet(s, plan.categoryId);
    return { sent, exchange: await post(s, sent) };
  });
  return [
    check({
      clause: 'create.success',
      title: "Creating the canary's animal returns 201 with the created Pet",
      given: ['list'],
      run: async (s) => {
        const { sent, exchange } = await creation(s);
        const wrong = notCreated(eventOf(judgeable(exchange)), 'POST /pets with a plain NewPet');
        return failOr([wrong && finding([exchange], wrong)], pass(`${showName(sent.name)} was created`));
      },
    }),
    check({
      clause: 'create.round-trip',
      title: "A read shows the canary's animal as it was sent",
      given: ['readBack'],
      run: async (s) => {
        const animal = made(await creation(s));
        const wrong = judgeRead(animal, await readBack(s, animal.pet.id));
        return failOr([wrong], pass(`animal ${animal.pet.id} was read with name, categoryId, and status as sent`));
      },
    }),
    check({
      clause: 'list.complete',
      title: "The list shows the canary's animal",
      given: ['readBack'],
      run: async (s) => {
        const animal = made(await creation(s));
        return judgeRows(s, {
          rows: [animal],
          judge: async () => judgeFirst(s, await pollList(s, { limit: 100 }, [animal.pet]), [animal]),
          evidence: `animal ${animal.pet.id} is listed`,
        });
      },
    }),
  ];
}

/** The animal as it is read; halts when that is not possible, which is for get.durable and the invariants to judge. */
function readPet(s: Session, exchange: Exchange): PetView {
  if (statusOf(unlessRemoved(s, exchange)) !== 200)
    haltInconclusive(`${describeRequest(exchange)} answered ${statusOf(exchange)}`, 'get.durable');
  return petOf(exchange);
}

function readingChecks({ id, sent, at }: LedgerAnimal) {
  const since = new Date(at).toISOString().slice(0, 10);
  const reading = once((s) =>
    s.poll(
      () => s.api.get(id),
      (answer) => statusOf(answer) !== 404,
    ),
  );
  return [
    check({
      clause: 'get.durable',
      title: "The canary's previous animal still exists",
      given: ['read'],
      run: async (s) => {
        const exchange = unlessRemoved(s, await reading(s));
        const wrong = wrongStatus(exchange, [200], `${describeRequest(exchange)} for the animal created on ${since}`);
        return failOr([wrong], pass(`animal ${id}, created on ${since}, still exists`));
      },
    }),
    check({
      clause: 'get.identity',
      title: "The canary's previous animal is returned with its id",
      given: ['read', 'get.durable'],
      run: async (s) => {
        const exchange = await reading(s);
        const pet = readPet(s, exchange);
        if (pet.id === id) return pass(`animal ${id} has the requested id`);
        const summary = `${describeRequest(exchange)} answers animal ${pet.id}`;
        return failOr([finding([exchange], { summary, expected: [`id ${id}`], pointer: '/id' })], pass(''));
      },
    }),
    check({
      clause: 'create.round-trip',
      title: "The canary's previous animal is as it was sent",
      given: ['read', 'get.durable', 'get.identity'],
      run: async (s) => {
        const exchange = await reading(s);
        const pet = readPet(s, exchange);
        if (pet.id !== id) haltInconclusive(`${describeRequest(exchange)} returned a different animal`, 'get.identity');
        const wrong = differences(sent, pet).map((difference) => differenceFinding([exchange], difference, 'read'));
        return failOr(wrong, pass(`animal ${id} has name, categoryId, and status as sent on ${since}`));
      },
    }),
  ];
}

/** The checks of a plan, each with the clause that it belongs to. */
export function canaryChecks(plan: CanaryPlan, post: CanaryPost) {
  return plan.kind === 'create' ? creationChecks(plan, post) : readingChecks(plan.animal);
}
