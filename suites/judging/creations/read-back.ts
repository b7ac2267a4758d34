import { Halt, haltInconclusive, haltNotApplicable } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { mayBeRemoved, REMOVED_STATUSES } from '../../../src/clause/removal.ts';
import { answerOf, describeAnswer, describeRequest, finding, petOf, petsOf, statusOf } from '../../../src/expect/expect.ts';
import { asStatus, type Field, type NewPetInput, type PetView } from '../../../src/schema/pet.ts';
import type { CreateBody, CreateOptions } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import { type Exchange, PET_STATUSES } from '../../../src/wire/exchange.ts';
import { isJsonObject, readJson } from '../../../src/wire/json.ts';
import { cleanText } from '../../../src/wire/redact.ts';
import { createSemaphore } from '../../../src/wire/semaphore.ts';
import { oncePerSession } from '../once-per-session.ts';
import { judgeable } from '../ownership.ts';

const LONGEST_NAME = 60;

/** The largest number of POSTs under way, as for a very slow service; fewer where the budget is small. */
function mostUnderWay({ concurrency, maxCreates }: Session['options']): number {
  return Math.min(3 * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

const gate = oncePerSession(async (s) => createSemaphore(() => mostUnderWay(s.options)));

/**
 * Sends a POST. Each one reserves an animal of the write budget while it is under way. Starting no more than can be
 * under way keeps a table of invalid bodies from looking like a spent budget.
 */
export async function post(s: Session, body: CreateBody, options: CreateOptions): Promise<Exchange> {
  const enter = await gate(s);
  return enter(() => s.api.create(body, options));
}

export type ReadBack = {
  readonly exchange: Exchange /** Undefined: not found within the consistency window. */;
  readonly pet: PetView | undefined;
};

/** Sessions whose lists do not show either what can't be read elsewhere. */
const gappedLists = new WeakSet<Session>();

/** The animal as a list shows it if getPet shows a field in a form that can't be read: record.pet judges that. */
async function withoutGaps(s: Session, read: ReadBack): Promise<ReadBack> {
  const { pet } = read;
  if (pet === undefined || pet.gaps.length === 0 || gappedLists.has(s)) return read;
  const listed = await readFromLists(s, pet.id).catch((error: unknown) => {
    if (error instanceof Halt) return undefined;
    throw error;
  });
  if (listed?.pet?.gaps.length === 0) return listed;
  if (listed !== undefined) gappedLists.add(s);
  return read;
}

/** The animal as a list shows it, for when getPet is broken, which its own clauses report. */
async function readFromLists(s: Session, id: bigint): Promise<ReadBack | undefined> {
  for (const query of [{ limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))]) {
    const exchange = await s.api.list(query);
    const pet = statusOf(exchange) === 200 ? petsOf(exchange).find((one) => one.id === id) : undefined;
    if (pet !== undefined) return { exchange, pet };
  }
  return undefined;
}

/**
 * Reads a created animal until it is there or the consistency window ends. If getPet returns neither 200 nor 404, which waiting
 * can't cure, reads it from the lists; halts when they do not show it.
 */
export async function readBack(s: Session, id: bigint): Promise<ReadBack> {
  const gone = mayBeRemoved(s.options.now);
  // Once getPet may be gone, there is nothing to wait for.
  const exchange = await s.poll(
    () => s.api.get(id),
    (answer) => gone || statusOf(answer) !== 404,
  );
  const { status } = answerOf(exchange);
  if (status === 200) return withoutGaps(s, { exchange, pet: petOf(exchange) });
  if (gone && REMOVED_STATUSES.includes(status)) {
    haltNotApplicable("getPet has been removed as announced, so animals can't be read by id");
  }
  const listed = status === 404 ? undefined : await readFromLists(s, id);
  if (listed !== undefined) return listed;
  if (status !== 404) haltInconclusive(`${describeRequest(judgeable(exchange))} returned ${status}`, 'get.success');
  return { exchange, pet: undefined };
}

/** The id in the JSON object of a response, as digits. */
export function answeredId({ outcome }: Exchange): string | undefined {
  if (outcome.kind === 'failed' || !outcome.answer.json.ok || !isJsonObject(outcome.answer.json.value)) return undefined;
  const { id } = outcome.answer.json.value;
  return typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined;
}

/** A name as a summary shows it: quoted and bounded, its length when it is long. */
export function showName(name: string | undefined): string {
  if (name === undefined) return 'no name';
  const quoted = JSON.stringify(name.slice(0, LONGEST_NAME));
  return name.length <= LONGEST_NAME ? cleanText(quoted) : `${cleanText(quoted)}… of ${name.length} characters`;
}

export type Difference = { readonly field: Field; readonly expected: string; readonly received: string };

function nameDifference(expected: string, received: string): Difference {
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  const where = expected.length <= LONGEST_NAME ? '' : ` (the first ${at} characters agree)`;
  return { field: 'name', expected: showName(expected), received: `${showName(received)}${where}` };
}

/** The fields in which a returned animal differs from what was sent; the status only if one was sent, and no unreadable fields. */
export function differences(sent: NewPetInput, pet: Pick<PetView, Field | 'gaps'>): readonly Difference[] {
  const found: Difference[] = [];
  if (pet.name !== undefined && pet.name !== sent.name) found.push(nameDifference(sent.name, pet.name));
  if (pet.categoryId !== undefined && pet.categoryId !== sent.categoryId)
    found.push({ field: 'categoryId', expected: String(sent.categoryId), received: String(pet.categoryId) });
  if (sent.status !== undefined && pet.status !== sent.status && !pet.gaps.includes('status'))
    found.push({ field: 'status', expected: sent.status, received: pet.status ?? 'no status' });
  return found;
}

/** Halts when a field that was sent can't be read in the response: record.pet judges its form, and its value is unknown. */
export function requireReadable(sent: NewPetInput, pet: PetView, field?: Field): void {
  const unread = pet.gaps.find((gap) => sent[gap] !== undefined && (field === undefined || gap === field));
  if (unread !== undefined) haltInconclusive(`the ${unread} of animal ${pet.id} can't be read`, 'record.pet');
}

/** A finding for a field that differs from what was sent. `where` completes "name X was …": "read back". */
export function differenceFinding(exchanges: readonly [Exchange, ...Exchange[]], difference: Difference, where: string): Finding {
  const { field, expected, received } = difference;
  return finding(exchanges, {
    summary: `${field} ${expected} was ${where} as ${received}`,
    expected: [`${field} ${expected}`],
    received: `${field} ${received}`,
    pointer: `/${field}`,
  });
}

/** A finding for an animal whose creation returned 201 and that can't be found. */
export function lostFinding(creation: { sent: NewPetInput; exchange: Exchange }, seen: Exchange): Finding {
  return finding([creation.exchange, seen], {
    summary: `the creation of animal ${showName(creation.sent.name)} returned 201, but the animal can't be found afterwards`,
    expected: ['200 with the animal'],
    received: describeAnswer(seen),
  });
}

/** The NewPet in the body of a POST, if the body is one. */
export function sentIn(exchange: Exchange): NewPetInput | undefined {
  const { body } = exchange.request;
  const reading = typeof body === 'string' ? readJson(body) : undefined;
  if (reading?.ok !== true || !isJsonObject(reading.value)) return undefined;
  const { name, categoryId, status } = reading.value;
  if (typeof name !== 'string' || (typeof categoryId !== 'bigint' && !Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId as number | bigint), ...(known === undefined ? {} : { status: known }) };
}
