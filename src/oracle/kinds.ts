// Kinds of cases as a clause file writes them, of the catalog or from outside, and the parts that a clause has by them.
import type { Clause, ClauseId, Need } from '../clause/clause.ts';
import { type Established, sendWith } from '../session/fixtures/needs.ts';
import type { Session } from '../session/session.ts';
import type { Event } from './event.ts';
import type { Kind, SessionCheck } from './rule.ts';
import type { World } from './world.ts';

/** What each of the kinds of a clause needs before it sends. */
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

/** A kind of cases that others' requests make. */
export type SilentDraft = Kind & { readonly id: string; readonly title: string };

/** How a kind that sends differs from most. */
export type Usual = Partial<Pick<SessionCheck, 'effect' | 'smoke' | 'exhaustive' | 'mixing' | 'intrusive'>>;

/** The parts of a clause that rules judge. Unless it says otherwise, what sends only reads, is not exhaustive, and is not in the probe. */
export function partsOfKinds<FaultName extends string>(
  id: ClauseId,
  {
    sent = [],
    met = [],
  }: {
    readonly sent?: readonly (SendingDraft<readonly Need[]> & Usual & { readonly fault?: FaultName })[] | undefined;
    readonly met?: readonly (SilentDraft & { readonly fault?: FaultName })[] | undefined;
  },
): Pick<Clause<Session, FaultName, Event, World>, 'checks' | 'invariants'> {
  return {
    checks: sent.map(({ needs = [], send, ...kind }) => ({
      ...{ effect: 'read', smoke: false, exhaustive: false, ...kind },
      ...{ id: `${id}/${kind.id}`, needs, send: (s: Session) => sendWith(s, { needs, send }) },
    })),
    invariants: met.map((kind) => ({ ...kind, id: `${id}/${kind.id}` })),
  };
}
