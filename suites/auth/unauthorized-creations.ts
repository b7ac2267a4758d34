import type { Outcome } from '../../src/clause/outcome.ts';
import { statusOf } from '../../src/expect/expect.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { Credential } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import { type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { post } from '../judging/creations/post.ts';
import { combineRows, type JudgedRow, judgeRow } from '../judging/judge-rows.ts';
import { type Letter, notUnauthorized } from './unauthorized.ts';

const STATUSES = [undefined, ...PET_STATUSES];

const FIRST_CREATIONS = 4;

// Names in POSTs that were rejected for their credential, per run: no response may show them.
const unadmitted = new WeakMap<RunState, Set<string>>();

/** Names sent without the API key in POSTs that did not return 2xx (which would be a defect of its own). */
export function unadmittedNames(knowledge: RunState): ReadonlySet<string> {
  return unadmitted.get(knowledge) ?? new Set();
}

/** Sends a plain NewPet with a credential that must be rejected, and remembers its name if the service rejects it. */
export async function postRefused(s: Session, sent: NewPetInput, credential: Credential): Promise<Exchange> {
  const exchange = await post(s, { value: sent }, { domain: 'plain', credential });
  const status = statusOf(exchange);
  if (status !== undefined && status >= 300) unadmitted.set(s.knowledge, new Set([...unadmittedNames(s.knowledge), sent.name]));
  return exchange;
}

async function judgeCreations(s: Session, credentials: readonly Credential[], letter: Letter): Promise<readonly JudgedRow[]> {
  const inputs = await Promise.all(credentials.map((_unused, index) => s.fixtures.plain(STATUSES[index % STATUSES.length])));
  return s.all(credentials, (credential, index) =>
    judgeRow(async () => {
      const sent = inputs[index];
      return sent === undefined ? undefined : notUnauthorized(await postRefused(s, sent, credential), letter);
    }),
  );
}

/**
 * Creations with credentials that must be rejected. If one of the first is accepted, the others are not sent, since each would leave
 * an animal permanently.
 */
export async function refusedCreations(s: Session, credentials: readonly Credential[], letter: Letter = {}): Promise<Outcome> {
  await afterFirstRejections(s);
  const first = await judgeCreations(s, credentials.slice(0, FIRST_CREATIONS), letter);
  const broken = first.some(({ findings }) => findings.length > 0);
  const rest = broken ? [] : await judgeCreations(s, credentials.slice(FIRST_CREATIONS), letter);
  return combineRows(
    [...first, ...rest],
    `${credentials.length} plain NewPets sent with ${credentials.length} credentials, each of which returned 401`,
  );
}
