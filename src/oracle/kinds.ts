import type { Clause, ClauseId, Need } from '../clause/clause.ts';
import { Halt, type Unsent } from '../clause/halt.ts';
import type { PetView } from '../schema/pet.ts';
import type { Creation, Session } from '../session/session.ts';
import type { Exchange } from '../wire/exchange.ts';
import type { Event, Kind, SessionCheck, World } from './world.ts';

// Kinds of cases as a clause file writes them, of the catalog or from outside, and the parts that a clause has by them.

export type AllNeeds = readonly (readonly Need[])[];

/**
 * A kind of cases that has requests of its own: its id is the slug after the clause's id. `send` only sends, with what it needs once that is
 * there. By default its cases are those of its own requests.
 */
export type SendingDraft<Needs extends readonly Need[], Sender = Session> = Pick<SessionCheck, 'title' | 'step'> &
  Kind & {
    readonly id: string;
    readonly needs?: Needs;
    readonly send: (session: Sender, established: Established<Needs>) => Promise<unknown>;
  };

export type SilentDraft = Kind & Pick<SessionCheck, 'since' | 'title'> & { readonly id: string };

export type Usual = Partial<Pick<SessionCheck, 'effect' | 'smoke' | 'exhaustive' | 'mixing' | 'intrusive'>> & Pick<SessionCheck, 'since'>;

/** The parts of a clause that rules judge. Unless it says otherwise, what sends only reads, is not exhaustive, and is not in the probe. */
export function partsOfKinds(
  id: ClauseId,
  {
    sent = [],
    met = [],
  }: {
    readonly sent?: readonly (SendingDraft<readonly Need[]> & Usual)[] | undefined;
    readonly met?: readonly SilentDraft[] | undefined;
  },
): Pick<Clause<Session, Event, World>, 'checks' | 'invariants'> {
  return {
    checks: sent.map(({ needs = [], send, ...kind }) => ({
      ...{ effect: 'read', smoke: false, exhaustive: false, ...kind },
      ...{ id: `${id}/${kind.id}`, needs, send: (s: Session) => sendWith(s, { needs, send }) },
    })),
    invariants: met.map((kind) => ({ ...kind, id: `${id}/${kind.id}` })),
  };
}

type Establishable = {
  /** Animals that a list shows or, if none can be read, that were created: the proof that there is a pet store. */
  readonly pets: readonly PetView[];
  /** A list that shows at least one animal, and its animals. */
  readonly petList: { readonly exchange: Exchange; readonly pets: readonly PetView[] };
  /** An animal that getPet returns. */
  readonly readable: PetView;
  /** The first plain animals that were created: until then, a rejection proves nothing. */
  readonly creation: readonly Creation[];
};

type Established<Needs extends readonly Need[]> = Pick<Establishable, Needs[number]>;

const ESTABLISH: { readonly [One in Need]: (s: Session) => Promise<Establishable[One]> } = {
  pets: (s) => s.fixtures.recognized(),
  petList: (s) => s.fixtures.admitted(),
  readable: (s) => s.fixtures.existing(),
  creation: (s) => s.fixtures.creatable(),
};

/**
 * What stands in for animals in an empty store that creates none. A wrong response counts there too, and a right one proves nothing. Undefined
 * for any other store.
 */
const STAND_INS: { readonly [One in Need]?: (s: Session) => Promise<Establishable[One] | undefined> } = {
  pets: async (s) => ((await s.fixtures.emptyStore()) === undefined ? undefined : []),
  petList: async (s) => {
    const exchange = await s.fixtures.emptyStore();
    return exchange === undefined ? undefined : { exchange, pets: [] };
  },
  creation: async (s) => ((await s.fixtures.refusesCreations()) ? [] : undefined),
};

/**
 * What was established, and why something was not: in an empty store that creates nothing, the substitute for animals is an empty list.
 * Halts if there is no substitute.
 */
async function establishOrStandIn<const Needs extends readonly Need[]>(
  s: Session,
  needs: Needs,
): Promise<{ readonly established: Established<Needs>; readonly lacking: Unsent | undefined }> {
  const established: Partial<Record<Need, unknown>> = {};
  let lacking: Unsent | undefined;
  for (const one of needs) {
    try {
      established[one] = await ESTABLISH[one](s);
    } catch (error) {
      if (!(error instanceof Halt)) throw error;
      established[one] = await STAND_INS[one]?.(s);
      if (established[one] === undefined) throw error;
      lacking ??= error.unsent;
    }
  }
  return { established: established as Established<Needs>, lacking };
}

async function haltOf(work: Promise<unknown>): Promise<Unsent | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Halt) return error.unsent;
    throw error;
  }
}

/**
 * Establishes the needs, in order, and sends with them. Resolves to the reason why something was not sent, or proves nothing: a need can't
 * be established, as in an empty store that creates nothing, or the service or an option stopped it.
 */
export async function sendWith<const Needs extends readonly Need[]>(
  s: Session,
  { needs, send }: { readonly needs: Needs; readonly send: (s: Session, established: Established<Needs>) => Promise<unknown> },
): Promise<Unsent | undefined> {
  const { established, lacking } = await establishOrStandIn(s, needs);
  const halted = await haltOf(send(s, established));
  return lacking ?? halted;
}
