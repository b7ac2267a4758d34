// A whole run: first contact, the plan, the closing requests.

import { Halt } from '../clause/halt.ts';
import { mayBeRemoved, REMOVED_STATUSES } from '../clause/removal.ts';
import { type PetView, petView, petViews } from '../schema/pet.ts';
import { UnreachableError } from '../session/client/first-contact.ts';
import { NO_CREDENTIAL } from '../session/client/sending.ts';
import type { OpenSession } from '../session/open-session.ts';
import { describeRequest } from '../session/read-exchange.ts';
import type { Exchange } from '../wire/exchange.ts';
import { InternalError } from './check.ts';
import { evidenceOf, type RunEvidence } from './collected.ts';
import { createJudging, type Judged, type JudgingOptions } from './judging.ts';

/** The result of a whole run. */
export type RunOutcome = Judged & {
  /** Why the service can't be reached, if it can't. */
  readonly unreachable?: string;
  /** Why nothing but the first contact can be judged, if that is so. */
  readonly mistaken?: string;
  /** An animal was seen, so what responds is a pet store. */
  readonly recognized: boolean;
  readonly evidence: RunEvidence;
};

/** Reaches the service, or says why it can't be reached or judged. An interrupt ends the wait: the checks then say so. */
async function reach(open: OpenSession, stop: AbortSignal | undefined): Promise<Pick<RunOutcome, 'unreachable' | 'mistaken'>> {
  const { promise: interrupted, resolve } = Promise.withResolvers<object>();
  const interrupt = (): void => resolve({});
  if (stop?.aborted === true) interrupt();
  else stop?.addEventListener('abort', interrupt, { once: true });
  const contact = async (): Promise<Pick<RunOutcome, 'mistaken'>> => {
    await open.start();
    const mistaken = await open.firstContact();
    return mistaken === undefined ? {} : { mistaken: open.redactText(mistaken) };
  };
  try {
    return await Promise.race([contact(), interrupted]);
  } catch (error) {
    if (error instanceof UnreachableError) return { unreachable: open.redactText(error.message) };
    throw error;
  } finally {
    stop?.removeEventListener('abort', interrupt);
  }
}

/** Sends the closing requests if there is something to check. */
async function close(open: OpenSession, stop: AbortSignal | undefined): Promise<RunEvidence['closing']> {
  return open.session.knowledge.credible && stop?.aborted !== true ? askClosing(open) : undefined;
}

/**
 * A whole run in a session: first contact, the plan, and the closing requests. Responses of a service that is still starting are not
 * judged. Never rejects: exceptions of the suite are listed in the errors.
 */
export async function judgeRun(open: OpenSession, options: JudgingOptions): Promise<RunOutcome> {
  const { stop } = options;
  const failed = (cause: unknown): InternalError =>
    cause instanceof InternalError ? cause : new InternalError('the run could not be brought to its end', { cause });
  const ending = (closing: RunEvidence['closing']) => ({
    recognized: open.session.knowledge.credible,
    evidence: evidenceOf(open, closing),
  });
  try {
    const contact = await reach(open, stop);
    if (contact.unreachable !== undefined || contact.mistaken !== undefined)
      return { records: [], errors: [], ...contact, ...ending(undefined) };
  } catch (cause) {
    return { records: [], errors: [failed(cause)], ...ending(undefined) };
  }
  const judging = createJudging(open, options);
  await judging.run();
  try {
    const closing = await close(open, stop);
    return { ...judging.judged(), ...ending(closing) };
  } catch (cause) {
    const { records, errors } = judging.judged();
    return { records, errors: [...errors, failed(cause)], ...ending(undefined) };
  }
}

const OK = 200;
const NOT_FOUND = 404;

/** A response, or why there is none. */
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

/** An animal that the list still shows, or else a known one; the oldest. */
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
