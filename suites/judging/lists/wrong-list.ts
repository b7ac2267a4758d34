import type { Finding } from '../../../src/clause/outcome.ts';
import { describeAnswer, type FindingParts, finding } from '../../../src/expect/expect.ts';
import { asStatus } from '../../../src/schema/pet.ts';
import type { Exchange, PetStatus } from '../../../src/wire/exchange.ts';
import { isJsonObject } from '../../../src/wire/json.ts';
import { isOwnedElsewhere } from '../ownership.ts';
import { itemsOf, type PlainList, situationOf } from './plain-list.ts';

/** What is wrong with a response, in the shape that both a finding and an invariant use. */
export type Wrong = FindingParts & { readonly received: string };

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

/** The finding for what is wrong with an exchange. */
export function findingOf(exchange: Exchange, wrong: Wrong | undefined): Finding | undefined {
  return wrong === undefined ? undefined : finding([exchange], wrong);
}

/** An invariant's judgment of what is wrong, if anything. */
export function judgementOf(wrong: Wrong | undefined): 'holds' | Wrong {
  return wrong ?? 'holds';
}
