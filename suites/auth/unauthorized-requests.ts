import type { ClauseId, InvariantJudgement } from '../../src/clause/clause.ts';
import { Halt, haltInconclusive } from '../../src/clause/halt.ts';
import type { Finding, Outcome } from '../../src/clause/outcome.ts';
import { describeAnswer, describeRequest, statusOf, wrongRefusal } from '../../src/expect/expect.ts';
import type { NewPetInput } from '../../src/schema/pet.ts';
import type { CallOptions, Credential, ListParameters } from '../../src/session/client/api.ts';
import type { Session } from '../../src/session/session.ts';
import type { RunState } from '../../src/session/state/run-state.ts';
import { postponement } from '../../src/wire/client.ts';
import { asReceived, type Exchange, PET_STATUSES } from '../../src/wire/exchange.ts';
import { type Family, familyOf, NO_HEADER } from '../cases/credentials.ts';
import { afterFirstRejections } from '../judging/creations/first-rejections.ts';
import { post } from '../judging/creations/post.ts';
import { conclude, judgeRows, type Settled, settle } from '../judging/judge-rows.ts';
import { oncePerSession } from '../judging/once-per-session.ts';
import { type ReadTarget, readTarget } from './read-target.ts';

/** Lists that differ in what routers, caches, and middleware distinguish. */
export const LISTS: readonly ListParameters[] = [
  {},
  { limit: 5 },
  { status: 'available' },
  { limit: 3, status: 'sold' },
  { status: 'pending', limit: 100 },
  { limit: 1 },
  { limit: 20 },
  { limit: 100 },
  { status: 'pending' },
  { status: 'sold' },
  { limit: 10, status: 'available' },
];

/** How a rejection is judged. */
export type Letter = {
  /** A status that replaces 401 everywhere is not read as 401. */
  readonly toTheLetter?: boolean;
  /** A finding needs a contrast: the same request without any credential is rejected. */
  readonly contrasted?: boolean;
};

const STATUSES = [undefined, ...PET_STATUSES];
const FIRST_CREATIONS = 4;

/** `GET /pets?limit=5 with no Authorization header`. */
export function situation(exchange: Exchange): string {
  return `${describeRequest(exchange)} with ${exchange.request.intent.credentialNote}`;
}

/** A finding unless the credential is rejected with 401; to the letter for a missing one, which only auth.missing-credential judges. */
export function notUnauthorized(exchange: Exchange, { toTheLetter = false }: Letter = {}): Finding | undefined {
  return wrongRefusal(toTheLetter ? asReceived(exchange) : exchange, 401, situation(exchange));
}

type Attempt = { readonly ask: (options: CallOptions) => Promise<Exchange>; readonly credential: Credential };

/** A finding unless the credential is rejected. Routers and caches match queries, so the contrast has one where the credential has one. */
async function judgeAttempt(s: Session, { ask, credential }: Attempt, letter: Letter): Promise<Finding | undefined> {
  const wrong = notUnauthorized(await ask({ credential }), letter);
  if (wrong !== undefined && letter.contrasted === true) {
    const query = credential.query === undefined ? {} : { rawQuery: 'nothing=' };
    await provedRefused(s, await ask({ credential: NO_HEADER, ...query }), 'auth.missing-credential');
  }
  return wrong;
}

/** Lists with credentials that must be rejected. For checks that declare `pets`: a service that returns 401 for everything shows none. */
export async function refusedLists(
  s: Session,
  rows: readonly { credential: Credential; list: ListParameters }[],
  letter: Letter = {},
): Promise<Outcome> {
  return judgeRows(s, {
    rows,
    judge: ({ credential, list }) => judgeAttempt(s, { ask: (options) => s.api.list(list, options), credential }, letter),
    evidence: `${rows.length} lists with ${new Set(rows.map(({ credential }) => credential.note)).size} credentials, each of which returned 401`,
  });
}

/** An existing animal, and one of each status that exists. */
async function animalsOfAllStatuses(s: Session, { id }: ReadTarget): Promise<readonly bigint[]> {
  const others = await s.all(PET_STATUSES, (status) =>
    s.fixtures.withStatus(status).catch((error: unknown) => {
      if (error instanceof Halt) return undefined;
      throw error;
    }),
  );
  return [...new Set([id, ...others.flatMap((pet) => (pet === undefined ? [] : [pet.id]))])];
}

async function judgeReads(
  s: Session,
  rows: readonly { readonly id: bigint; readonly credential: Credential }[],
  { judged = (exchange) => exchange, ...letter }: Letter & Partial<Pick<ReadTarget, 'judged'>>,
): Promise<Outcome> {
  return judgeRows(s, {
    rows,
    judge: ({ id, credential }) => judgeAttempt(s, { ask: async (options) => judged(await s.api.get(id, options)), credential }, letter),
    evidence: `${rows.length} reads of ${new Set(rows.map(({ id }) => id)).size} animals without the API key, each of which returned 401`,
  });
}

/** Reads an existing animal with a credential that must be rejected. */
export async function refusedRead(s: Session, credential: Credential, letter: Letter = {}): Promise<Outcome> {
  const { id, judged } = await readTarget(s);
  return judgeReads(s, [{ id, credential }], { ...letter, judged });
}

/** Reads animals of all statuses with credentials that must be rejected; each animal and each credential at least once. */
export async function refusedReads(s: Session, credentials: readonly Credential[], letter: Letter = {}): Promise<Outcome> {
  const target = await readTarget(s);
  const ids = await animalsOfAllStatuses(s, target);
  const rows = Array.from({ length: Math.max(ids.length, credentials.length) }).flatMap((_unused, index) => {
    const [id, credential] = [ids[index % ids.length], credentials[index % credentials.length]];
    return id === undefined || credential === undefined ? [] : [{ id, credential }];
  });
  return judgeReads(s, rows, { ...letter, judged: target.judged });
}

/** Reads a newly created animal with credentials that must be rejected. */
export async function refusedReadsOfCreated(s: Session, credentials: readonly Credential[], letter: Letter = {}): Promise<Outcome> {
  const { id } = await s.fixtures.create();
  return judgeReads(
    s,
    credentials.map((credential) => ({ id, credential })),
    letter,
  );
}

/** One list per credential, cycling through the lists. */
export function inTurn(credentials: readonly Credential[]): { credential: Credential; list: ListParameters }[] {
  return credentials.map((credential, index) => ({ credential, list: LISTS[index % LISTS.length] ?? {} }));
}

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

async function judgeCreations(s: Session, credentials: readonly Credential[], letter: Letter): Promise<readonly Settled[]> {
  const inputs = await Promise.all(credentials.map((_unused, index) => s.fixtures.plain(STATUSES[index % STATUSES.length])));
  return s.all(credentials, (credential, index) =>
    settle(async () => {
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
  return conclude(
    [...first, ...rest],
    `${credentials.length} plain NewPets sent with ${credentials.length} credentials, each of which returned 401`,
  );
}

/** 429, or 503 with Retry-After: rate limits are not shown, and a rate-limiting gateway may not check the credential first. */
function asksToWait({ outcome }: Exchange): boolean {
  return outcome.kind === 'answered' && postponement(outcome.answer, 0) !== undefined;
}

/** Requests that are otherwise valid; auth.precedence judges those with further errors. */
function isOtherwiseRight({ request: { intent } }: Exchange, knowledge: RunState): boolean {
  switch (intent.operation) {
    case 'listPets':
      return intent.limit !== 'open' && intent.status !== 'open';
    case 'createPet':
      return intent.body === 'plain';
    case 'getPet':
      return intent.petId !== undefined && knowledge.seen.has(String(intent.petId));
    default:
      return intent.operation satisfies never;
  }
}

/** The invariant for a family of credentials: any otherwise valid request with one of them returns 401. */
export function judgeRefusal(
  family: Family,
  { toTheLetter = false }: Letter = {},
): (exchange: Exchange, knowledge: RunState) => InvariantJudgement {
  return (read, knowledge) => {
    const exchange = toTheLetter ? asReceived(read) : read;
    const { intent } = exchange.request;
    if (intent.credential !== 'refused' || familyOf(intent.credentialNote) !== family || !isOtherwiseRight(exchange, knowledge))
      return 'not-applicable';
    const status = statusOf(exchange);
    if (status === undefined || asksToWait(exchange)) return 'not-applicable';
    if (status === 401) return 'holds';
    return {
      summary: `${situation(exchange)} returned ${status}; expected 401`,
      expected: ['401 with an Error body'],
      received: describeAnswer(exchange),
    };
  };
}

/** Asks once more where 401 is not returned: two of a kind confirm what stands for it, and earlier responses are read the same way. */
const askWithoutKey = oncePerSession(async (s): Promise<void> => {
  for (const list of [{}, {}]) await s.api.list(list, { credential: NO_HEADER });
});

/** Halts as blocked by the owner when the service accepts the credential on an otherwise valid request. */
export async function provedRefused(s: Session, exchange: Exchange, owner: ClauseId): Promise<void> {
  if (statusOf(exchange) === 401) return;
  await askWithoutKey(s);
  if (statusOf(exchange) === 401) return;
  haltInconclusive(`${situation(exchange)} is not rejected in the first place: ${describeAnswer(exchange)}`, owner);
}
