import { haltInconclusive } from '../../../src/clause/halt.ts';
import type { Finding } from '../../../src/clause/outcome.ts';
import { describeAnswer, type FindingParts, finding, statusOf } from '../../../src/expect/expect.ts';
import { asStatus } from '../../../src/schema/pet.ts';
import type { ListParameters } from '../../../src/session/client/api.ts';
import type { Session } from '../../../src/session/session.ts';
import type { Answer, Exchange, PetStatus } from '../../../src/wire/exchange.ts';
import { isJsonObject, type Json } from '../../../src/wire/json.ts';
import { isOwnedElsewhere, judgeable } from '../ownership.ts';
import { largePage } from './largest-page.ts';

/** A list request as the document describes it: the API key, valid parameters, and no others. */
export type PlainList = { readonly limit: number | 'absent'; readonly status: PetStatus | 'absent'; readonly answer: Answer };

/** What is wrong with a response, in the shape that both a finding and an invariant use. */
export type Wrong = FindingParts & { readonly received: string };

/** Like `plainList`, but other parameters are allowed: if such a list is accepted, they change neither limit nor status. */
export function listBesideOthers(exchange: Exchange): PlainList | undefined {
  const { intent } = exchange.request;
  if (intent.operation !== 'listPets' || intent.credential !== 'valid' || exchange.outcome.kind === 'failed') return undefined;
  const { limit, status } = intent;
  return limit === 'open' || status === 'open' ? undefined : { limit, status, answer: exchange.outcome.answer };
}

/** The parameters and the response of a list that the document describes; undefined for any other exchange, or without a response. */
export function plainList(exchange: Exchange): PlainList | undefined {
  const names = [...new URLSearchParams(exchange.request.query).keys()];
  return names.some((name) => name !== 'limit' && name !== 'status') ? undefined : listBesideOthers(exchange);
}

/** The items of a 200 response that is an array, whatever they are; undefined for any other response. */
export function itemsOf(answer: Answer): readonly Json[] | undefined {
  return answer.status === 200 && answer.json.ok && Array.isArray(answer.json.value) ? answer.json.value : undefined;
}

/** `GET /pets?limit=5&status=sold`. */
export function situationOf({ limit, status }: Pick<PlainList, 'limit' | 'status'>): string {
  const parts = [limit === 'absent' ? '' : `limit=${limit}`, status === 'absent' ? '' : `status=${status}`].filter((part) => part !== '');
  return `GET /pets${parts.length === 0 ? '' : `?${parts.join('&')}`}`;
}

/** A valid list request that does not return 200. Other clauses own a rejected key and a crash. */
export function notAccepted(list: PlainList, exchange: Exchange): Wrong | undefined {
  if (list.answer.status === 200 || isOwnedElsewhere(list.answer)) return undefined;
  return {
    summary: `${situationOf(list)} returned ${list.answer.status}; expected 200`,
    expected: ['200 with Pets'],
    received: describeAnswer(exchange),
  };
}

/** More animals than requested. */
export function overLimit(list: PlainList, most: number): Wrong | undefined {
  const count = itemsOf(list.answer)?.length ?? 0;
  if (count <= most) return undefined;
  return {
    summary: `${situationOf(list)} returned ${count} animals; expected at most ${most}`,
    expected: [`at most ${most} ${most === 1 ? 'animal' : 'animals'}`],
    received: `${count} animals`,
  };
}

/** The first animal of the list without the requested status, or without any. record.pets judges values that are not a PetStatus. */
export function strangerIn(list: PlainList, expected: PetStatus): Wrong | undefined {
  const items = itemsOf(list.answer) ?? [];
  const index = items.findIndex(
    (item) => isJsonObject(item) && item['status'] !== expected && (item['status'] === undefined || asStatus(item['status']) !== undefined),
  );
  const stranger = items[index];
  if (index === -1 || !isJsonObject(stranger)) return undefined;
  const { status } = stranger;
  const received = status === undefined ? 'no status' : `status ${JSON.stringify(status)}`;
  return {
    summary: `${situationOf(list)} returned an animal with ${received}`,
    expected: [`only animals with status "${expected}"`],
    received: `item ${index} has ${received}`,
    pointer: status === undefined ? `/${index}` : `/${index}/status`,
  };
}

/** The first id that one list shows twice. */
export function twiceIn(list: PlainList): Wrong | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of (itemsOf(list.answer) ?? []).entries()) {
    if (!isJsonObject(item) || (typeof item['id'] !== 'number' && typeof item['id'] !== 'bigint')) continue;
    const id = String(item['id']);
    const before = seen.get(id);
    if (before !== undefined) {
      return {
        summary: `${situationOf(list)} returned animal ${id} twice`,
        expected: ['each animal at most once'],
        received: `items ${before} and ${index} have id ${id}`,
        pointer: `/${index}/id`,
      };
    }
    seen.set(id, index);
  }
  return undefined;
}

/** Halts as blocked by list.success when even a list without parameters is rejected: no parameter is to blame then. */
export async function requirePlainList(s: Session): Promise<void> {
  const status = statusOf(await s.fixtures.firstList());
  if (status !== 200) haltInconclusive(`GET /pets without parameters returned ${status ?? 'no response'}`, 'list.success');
}

/** Requests a list; halts when another clause owns the response. */
export async function askList(s: Session, parameters: ListParameters = {}): Promise<Exchange> {
  return judgeable(await s.api.list(parameters));
}

/** Asks for the largest page that the service gives; halts when another clause owns the answer. */
export async function askLargest(s: Session, parameters: ListParameters = {}): Promise<Exchange> {
  return askList(s, await largePage(s, { ...parameters, limit: 100 }));
}

/** The finding for what is wrong with an exchange. */
export function findingOf(exchange: Exchange, wrong: Wrong | undefined): Finding | undefined {
  return wrong === undefined ? undefined : finding([exchange], wrong);
}

/** An invariant's judgment of what is wrong, if anything. */
export function judgementOf(wrong: Wrong | undefined): 'holds' | Wrong {
  return wrong ?? 'holds';
}
