// The requests at the end of a run: whether what held during the run still holds.

import { Halt } from '../clause/halt.ts';
import { mayBeRemoved, REMOVED_STATUSES } from '../clause/removal.ts';
import { type PetView, petView, petViews } from '../schema/pet.ts';
import { NO_CREDENTIAL } from '../session/client/sending.ts';
import type { OpenSession } from '../session/open-session.ts';
import { describeRequest } from '../session/read-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { NOT_FOUND, OK } from '../wire/statuses.ts';

type Reached = { readonly exchange: Exchange; readonly status: number } | { readonly nothing: string };

async function responseTo(ask: () => Promise<Exchange>): Promise<Reached> {
  try {
    const exchange = await ask();
    const { outcome } = exchange;
    if (outcome.kind === 'answered') return { exchange, status: outcome.answer.status };
    return { nothing: `${describeRequest(exchange)} got no complete response: ${outcome.failure.message}` };
  } catch (error) {
    if (!(error instanceof Halt) || !('missing' in error.unsent)) throw error;
    return { nothing: error.unsent.missing };
  }
}

function jsonOf({ outcome }: Exchange) {
  return outcome.kind === 'answered' && outcome.answer.json.ok ? outcome.answer.json.value : undefined;
}

const animalsOf = (exchange: Exchange): readonly PetView[] | undefined => {
  const value = jsonOf(exchange);
  return Array.isArray(value) ? petViews(value).filter((pet) => pet !== undefined) : undefined;
};

type Listed = { readonly changed?: string; readonly pets: readonly PetView[] };

async function askList({ session, conduct }: OpenSession): Promise<Listed> {
  const { accepts, listsAnimals } = conduct();
  if (!accepts.includes('listPets')) return { pets: [] };
  const reached = await responseTo(() => session.api.list());
  if ('nothing' in reached) return { changed: reached.nothing, pets: [] };
  const { exchange, status } = reached;
  const what = describeRequest(exchange);
  if (status !== OK) return { changed: `${what} returned ${status}, not 200 as before`, pets: [] };
  const pets = animalsOf(exchange);
  if (pets === undefined) return { changed: `${what} no longer returned a list`, pets: [] };
  return listsAnimals && pets.length === 0 ? { changed: `${what} no longer showed any animal`, pets } : { pets };
}

function oldest(shown: readonly PetView[], known: ReadonlySet<string>, { session: { knowledge } }: OpenSession): bigint | undefined {
  const createdAt = (id: bigint): number => knowledge.created.get(String(id))?.createdAt ?? 0;
  const [listed] = shown.filter(({ id }) => known.has(String(id))).toSorted((one, other) => createdAt(one.id) - createdAt(other.id));
  if (listed !== undefined) return listed.id;
  const [first] = known;
  return first === undefined ? undefined : BigInt(first);
}

async function askKnown(
  open: OpenSession,
  { pets, known }: { pets: readonly PetView[]; known: ReadonlySet<string> },
): Promise<string | undefined> {
  const id = oldest(pets, known, open);
  if (id === undefined || !open.conduct().accepts.includes('getPet')) return undefined;
  const reached = await responseTo(() => open.session.api.get(id));
  if ('nothing' in reached) return reached.nothing;
  const { exchange, status } = reached;
  const what = describeRequest(exchange);
  if (status === OK) return petView(jsonOf(exchange) ?? null)?.id === id ? undefined : `${what} no longer returned the animal`;
  const gone = mayBeRemoved(open.session.options.now) && REMOVED_STATUSES.includes(status);
  // Other clients may have removed it; what the list shows at this moment exists.
  const takenAway = status === NOT_FOUND && !pets.some((pet) => pet.id === id);
  return gone || takenAway ? undefined : `${what} returned ${status}, not 200 as before`;
}

async function askWithoutKey({ session, conduct }: OpenSession): Promise<string | undefined> {
  if (!conduct().rejects.includes('listPets')) return undefined;
  const reached = await responseTo(() => session.api.list({}, { credential: NO_CREDENTIAL }));
  if ('nothing' in reached) return reached.nothing;
  // auth.missing-credential judges which rejection it is.
  if (reached.status >= 400 && reached.status < 500) return undefined;
  return `${describeRequest(reached.exchange)} without the API key returned ${reached.status}, not 401 as before`;
}

/**
 * Sends at most three more requests at the end of a run: a list, a known animal, and a list without the key. Everything that held during
 * the run must still hold; returns what does not, as sentences.
 */
export async function askClosing(open: OpenSession): Promise<readonly string[]> {
  const { knowledge } = open.session;
  const known = new Set([...knowledge.created.keys(), ...knowledge.seen.keys()]);
  const askShown = async () => {
    const { changed, pets } = await askList(open);
    return [changed, await askKnown(open, { pets, known })];
  };
  const [shown, keyless] = await Promise.all([askShown(), askWithoutKey(open)]);
  const sentences = [...shown, keyless].filter((sentence) => sentence !== undefined);
  return [...new Set(sentences)].map((sentence) => open.redactText(`at the end of the run ${sentence}`));
}
