import fc from 'fast-check';
import type { NewPetInput, PetView } from '../schema/pet.ts';
import type { Credential } from '../session/client/api.ts';
import { anyInvalidBody, type Mutation } from './invalid-bodies.ts';
import { type AllowedParameters, allowedParameters } from './list-parameters.ts';
import { nearCredentials } from './near-credentials.ts';
import { type PlainShape, plainShapes } from './plain-new-pet.ts';
import type { StoreModel } from './store-model.ts';

/** The service as the commands use it. Each method answers undefined when another clause owns what went wrong, or nothing may be created. */
export type StoreUnderTest = {
  create(shape: PlainShape): Promise<{ readonly sent: NewPetInput; readonly answered: PetView } | undefined>;
  list(parameters: AllowedParameters): Promise<readonly PetView[] | undefined>;
  read(id: bigint): Promise<PetView | 'absent' | undefined>;
  /** The name in a body that was refused. */
  refuseBody(mutation: Mutation): Promise<string | undefined>;
  refuseCredential(credential: Credential): Promise<void>;
};

export type StoreCommand = fc.AsyncCommand<StoreModel, StoreUnderTest>;
type Step = (model: StoreModel, store: StoreUnderTest) => Promise<void>;

/** A command is a step with a name. */
class Command implements StoreCommand {
  readonly #text: string;
  readonly step: Step;
  constructor(text: string, step: Step) {
    this.#text = text;
    this.step = step;
  }
  check(): boolean {
    return true;
  }
  run(model: StoreModel, store: StoreUnderTest): Promise<void> {
    return this.step(model, store);
  }
  toString(): string {
    return this.#text;
  }
}

function createCommands(): fc.Arbitrary<Command> {
  return plainShapes().map(
    (shape) =>
      new Command(`create ${shape.status ?? 'without status'}`, async (model, store) => {
        const made = await store.create(shape);
        if (made !== undefined) model.created(made.sent, made.answered);
      }),
  );
}

function listCommands(): fc.Arbitrary<Command> {
  return allowedParameters().map(
    (parameters) =>
      new Command(`list ${JSON.stringify(parameters)}`, async (model, store) => {
        model.shown((await store.list(parameters)) ?? []);
      }),
  );
}

function readCommands(): fc.Arbitrary<Command> {
  return fc.nat({ max: 999 }).map(
    (turn) =>
      new Command(`read ${turn}`, async (model, store) => {
        const { animals } = model;
        // The newest first: a small number, to which a failure shrinks, is the animal created last.
        const animal = animals.at(-1 - (turn % Math.max(1, animals.length)));
        if (animal === undefined) return;
        const answer = await store.read(animal.id);
        if (answer === 'absent') return model.gone(animal.id);
        if (answer !== undefined) model.shown([answer]);
      }),
  );
}

function refusedBodyCommands(): fc.Arbitrary<Command> {
  return anyInvalidBody().map(
    (mutation) =>
      new Command(`refuse a body ${mutation.what}`, async (model, store) => {
        const name = await store.refuseBody(mutation);
        if (name !== undefined) model.refused(name);
      }),
  );
}

function refusedCredentialCommands(apiKey: string): fc.Arbitrary<Command> {
  return nearCredentials(apiKey).map(
    (credential) => new Command(`refuse ${credential.note}`, (_model, store) => store.refuseCredential(credential)),
  );
}

/** Several steps at the same time. */
function together(single: fc.Arbitrary<Command>): fc.Arbitrary<Command> {
  return fc.array(single, { minLength: 2, maxLength: 5 }).map(
    (commands) =>
      new Command(`together: ${commands.join(', ')}`, async (model, store) => {
        const settled = await Promise.allSettled(commands.map((command) => command.step(model, store)));
        for (const result of settled) if (result.status === 'rejected') throw result.reason;
      }),
  );
}

export type CommandOptions = { readonly apiKey: string; readonly writes: boolean; readonly most: number };

/** Sequences of steps, some at the same time; creations and refused bodies only where writes are allowed. */
export function storeCommands(options: CommandOptions): fc.Arbitrary<Iterable<StoreCommand>> {
  const reads = [listCommands(), readCommands(), refusedCredentialCommands(options.apiKey)];
  const single = options.writes ? [...reads, createCommands(), refusedBodyCommands()] : reads;
  return fc.commands([...single, together(fc.oneof(...single))], { maxCommands: options.most, size: 'max' });
}
