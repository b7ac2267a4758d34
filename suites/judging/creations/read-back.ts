import { haltInconclusive, haltNotApplicable } from '../../../src/clause/halt.ts';
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

/** As many as a very slow service is asked at a time, and where the budget is small, few of it. */
function mostUnderWay({ concurrency, maxCreates }: Session['options']): number {
  return Math.min(3 * concurrency, Math.max(concurrency, Math.floor(maxCreates / 8)));
}

const gate = oncePerSession(async (s) => createSemaphore(() => mostUnderWay(s.options)));

/**
 * Sends a POST. Each one reserves an animal of the write budget while it is under way: so only as many are started as can be
 * under way, and a table of bodies to be refused does not look like a budget that is spent.
 */
export async function post(s: Session, body: CreateBody, options: CreateOptions): Promise<Exchange> {
  const enter = await gate(s);
  return enter(() => s.api.create(body, options));
}

export type ReadBack = {
  readonly exchange: Exchange /** Undefined: not found within the consistency window. */;
  readonly pet: PetView | undefined;
};

/** The animal as a list shows it, for where getPet can't be asked: that is reported by its own clauses. */
async function readFromLists(s: Session, id: bigint): Promise<ReadBack | undefined> {
  for (const query of [{ limit: 100 }, ...PET_STATUSES.map((status) => ({ limit: 100, status }))]) {
    const exchange = await s.api.list(query);
    const pet = statusOf(exchange) === 200 ? petsOf(exchange).find((one) => one.id === id) : undefined;
    if (pet !== undefined) return { exchange, pet };
  }
  return undefined;
}

/**
 * Reads a created animal until it is there or the consistency window is over. Where getPet says neither 200 nor 404, which no waiting
 * makes right, it is read from the lists; halts when they do not show it.
 */
export async function readBack(s: Session, id: bigint): Promise<ReadBack> {
  const gone = mayBeRemoved(s.options.now);
  // Where getPet may be gone there is nothing to wait for.
  const exchange = await s.poll(
    () => s.api.get(id),
    (answer) => gone || statusOf(answer) !== 404,
  );
  const { status } = answerOf(exchange);
  if (status === 200) return { exchange, pet: petOf(exchange) };
  if (gone && REMOVED_STATUSES.includes(status)) {
    haltNotApplicable('getPet has been removed as announced: nothing can be read by id');
  }
  const listed = status === 404 ? undefined : await readFromLists(s, id);
  if (listed !== undefined) return listed;
  if (status !== 404) haltInconclusive(`${describeRequest(judgeable(exchange))} answered ${status}`, 'get.success');
  return { exchange, pet: undefined };
}

/** The id in the JSON object of an answer, as digits. */
export function answeredId({ outcome }: Exchange): string | undefined {
  if (outcome.kind === 'failed' || !outcome.answer.json.ok || !isJsonObject(outcome.answer.json.value)) return undefined;
  const { id } = outcome.answer.json.value;
  return typeof id === 'number' || typeof id === 'bigint' ? String(id) : undefined;
}

/** A name as a summary shows it: quoted and bounded, its length when it is long. */
export function showName(name: string | undefined): string {
  if (name === undefined) return 'no readable name';
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

/** In which fields an answered animal is not what was sent; the status only when one was sent, and no field that can't be read. */
export function differences(sent: NewPetInput, pet: Pick<PetView, Field | 'gaps'>): readonly Difference[] {
  const found: Difference[] = [];
  if (pet.name !== undefined && pet.name !== sent.name) found.push(nameDifference(sent.name, pet.name));
  if (pet.categoryId !== undefined && pet.categoryId !== sent.categoryId)
    found.push({ field: 'categoryId', expected: String(sent.categoryId), received: String(pet.categoryId) });
  if (sent.status !== undefined && pet.status !== sent.status && !pet.gaps.includes('status'))
    found.push({ field: 'status', expected: sent.status, received: pet.status ?? 'no status' });
  return found;
}

/** Halts when a field that was sent can't be read in the response: record.pet judges its form, and nothing tells what it says. */
export function requireReadable(sent: NewPetInput, pet: PetView, field?: Field): void {
  const unread = pet.gaps.find((gap) => sent[gap] !== undefined && (field === undefined || gap === field));
  if (unread !== undefined) haltInconclusive(`the ${unread} of animal ${pet.id} can't be read`, 'record.pet');
}

/** A finding for a field that came back otherwise than it was sent. `where` completes "name X is …": "read back". */
export function differenceFinding(exchanges: readonly [Exchange, ...Exchange[]], difference: Difference, where: string): Finding {
  const { field, expected, received } = difference;
  return finding(exchanges, {
    summary: `${field} ${expected} is ${where} as ${received}`,
    expected: [`${field} ${expected}`],
    received: `${field} ${received}`,
    pointer: `/${field}`,
  });
}

/** A finding for an animal that was answered 201 and can't be found. */
export function lostFinding(creation: { sent: NewPetInput; exchange: Exchange }, seen: Exchange): Finding {
  return finding([creation.exchange, seen], {
    summary: `the animal ${showName(creation.sent.name)} was answered 201 and is not found afterwards`,
    expected: ['200 with the animal'],
    received: describeAnswer(seen),
  });
}

/** The NewPet in the body of a POST, when it is one. */
export function sentIn(exchange: Exchange): NewPetInput | undefined {
  const { body } = exchange.request;
  const reading = typeof body === 'string' ? readJson(body) : undefined;
  if (reading?.ok !== true || !isJsonObject(reading.value)) return undefined;
  const { name, categoryId, status } = reading.value;
  if (typeof name !== 'string' || (typeof categoryId !== 'bigint' && !Number.isSafeInteger(categoryId))) return undefined;
  const known = asStatus(status);
  return { name, categoryId: BigInt(categoryId as number | bigint), ...(known === undefined ? {} : { status: known }) };
}
